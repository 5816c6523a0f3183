//! `tilebase sample`: boards drawn at random.

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use tilebase::{
    Board, BoardNotation,
    table::{Encoding, SampleError},
    tablebase::{Statement, quantity::Count},
};

use crate::{
    console::Console,
    draw::{self, MOST},
    global::Global,
    listening::listening,
    question::{self, Depths, Question},
    statement::print_board,
};

/// Draw boards at random, uniformly and without repetition
///
/// Prints one position per line, drawn from all solvable boards or from those at a distance. The same seed
/// gives the same boards, on every machine and in every version.
#[derive(Debug, Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    question: Question,
    /// Number of boards
    #[arg(short = 'n', value_name = "N", default_value = "1")]
    count: u64,
    /// Only boards at this distance, or at distances from D to E inclusive
    #[arg(long, value_name = "D or D..E")]
    depth: Option<Depths>,
    /// Seed of the random draw [default: a new one, printed on standard error]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

impl Sample {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        self.question.refuse_pattern()?;
        ensure!(self.count <= MOST, "-n draws {} boards at most", Count(MOST));
        let seed = self.seed.unwrap_or_else(question::new_seed);
        let tablebase = self.question.tablebase(global, None)?;
        let goal = tablebase.goals().only();
        if self.depth.is_none()
            && self.question.table.is_none()
            && goal.shape().cells() > Encoding::Bit.most_cells()
        {
            for board in draw::space(&goal)?.sample(self.count, seed)? {
                self.print(&board, &goal, None, console)?;
            }
            self.tell(seed, console);
            return Ok(());
        }
        let shape = goal.shape();
        let oracle = listening(console, |listener| match self.depth {
            Some(_) => tablebase.every_distance(shape, listener),
            None => tablebase.oracle(shape, listener),
        })?;
        let depths = self.depth.clone().unwrap_or_default().0;
        let boards = oracle.sample(self.count, depths, seed).map_err(|error| match error {
            SampleError::TooFew { .. } => {
                let radius = oracle.table().header().radius();
                anyhow!("not enough boards, of which none is farther than {radius}: {error}")
            }
            error => error.into(),
        })?;
        for (board, distance) in boards {
            self.print(&board, oracle.goal(), Some(distance), console)?;
        }
        self.tell(seed, console);
        Ok(())
    }

    fn print(
        &self,
        board: &Board,
        goal: &Board,
        distance: Option<u32>,
        console: &mut Console,
    ) -> Result<()> {
        if self.question.json {
            console.json(&Statement::solvable(board, goal, distance))
        } else {
            print_board(board, self.notation, "", console)
        }
    }

    /// Prints the seed as a note, if the user gave none.
    fn tell(&self, seed: u64, console: &mut Console) {
        if self.seed.is_none() {
            console.note(format_args!("--seed {seed} draws the same again"));
        }
    }
}
