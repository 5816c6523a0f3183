//! `tilebase list`: every board and its distance.

use anyhow::Result;
use clap::Args;
use tilebase::{BoardNotation, Listener, tablebase::Statement};

use crate::{
    console::Console,
    global::Global,
    listening::listening,
    question::{Depths, Question},
    statement,
};

/// List every solvable board with its distance
///
/// Prints POSITION<TAB>DISTANCE in the order of the table's index; `cut -f1` keeps only the positions.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    question: Question,
    /// Only boards at this distance, or at distances from D to E inclusive
    #[arg(long, value_name = "D or D..E")]
    depth: Option<Depths>,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

impl List {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        self.question.refuse_pattern()?;
        let tablebase = self.question.tablebase(global, None)?;
        let goal = tablebase.goals().only();
        let depths = self.depth.unwrap_or_default().0;
        let oracle = listening(console, |listener| tablebase.oracle(goal.shape(), listener))?;
        let radius = oracle.table().header().radius();
        if *depths.start() > radius {
            console.note(format_args!("no board is farther than {radius} from {goal}"));
            return Ok(());
        }
        let every = |listener: Listener<'_>| tablebase.every_distance(goal.shape(), listener);
        for found in listening(console, every)?.boards(depths) {
            let (board, distance) = found?;
            let statement = Statement::solvable(&board, &goal, distance);
            if self.question.json {
                console.json(&statement)?;
            } else {
                statement::print(&statement, self.notation, console)?;
            }
        }
        Ok(())
    }
}
