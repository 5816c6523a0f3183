//! `tilebase solve`: optimal solutions.

use anyhow::Result;
use clap::Args;
use tilebase::{Board, Move, MoveNotation, Oracle, OracleError};

use super::{
    Global,
    answer::{self, Answer, BestMove, Status},
    console::Console,
    positions::Positions,
    question::Question,
};

/// Print an optimal solution of positions
///
/// Prints the moves of one optimal solution for each, a line each: U, D, L or R as the blank goes, or as --moves says. Of
/// several, the one that comes first when moves are tried in that order. The line is empty for the
/// goal itself; it says `unsolvable`, `invalid` or `unknown` (no table) where there is no solution.
#[derive(Debug, Args)]
pub(super) struct Solve {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Print hints: every optimal first move and the distance that it leaves; then, as behind the goal
    /// itself, which has none, an empty line
    #[arg(long, conflicts_with = "count")]
    best: bool,
    /// Print how many optimal solutions there are
    #[arg(long)]
    count: bool,
    /// Write moves as blank (U D L R as the blank goes), tile (as the tile goes), numbers (of the tiles)
    /// or words (up down left right, as the blank goes)
    #[arg(long, value_name = "MOVES", default_value = "blank")]
    moves: MoveNotation,
}

impl Solve {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let add = |answer: &mut Answer<'_>, oracle: &Oracle, board: &Board| {
            self.add(answer, oracle, board)
        };
        let print = |answer: &Answer<'_>, console: &mut Console| self.print(answer, console);
        answer::each(&self.question, &self.positions, global, console, add, print)
    }

    fn add(
        &self,
        answer: &mut Answer<'_>,
        oracle: &Oracle,
        board: &Board,
    ) -> Result<(), OracleError> {
        let show = |path: &[Move]| self.moves.show(board, path).to_string();
        answer.moves = oracle.solution(board)?.map(|path| show(&path));
        if self.best {
            let distance = answer.distance.unwrap_or(0).saturating_sub(1);
            let best = oracle.best_moves(board)?.unwrap_or_default();
            let best = best.into_iter().map(|step| BestMove { step: show(&[step]), distance });
            answer.best = Some(best.collect());
        }
        if self.count {
            answer.solutions = oracle.count_solutions(board)?;
        }
        Ok(())
    }

    fn print(&self, answer: &Answer<'_>, console: &mut Console) -> Result<()> {
        match (answer.status, &answer.moves, &answer.best, answer.solutions) {
            (Status::Invalid, ..) => console.line(format_args!("{}\tinvalid", answer.position))?,
            (Status::Solvable, _, Some(best), _) => {
                for BestMove { step, distance } in best {
                    console.line(format_args!("{step}\t{distance}"))?;
                }
            }
            (Status::Solvable, _, _, Some(solutions)) => console.line(solutions)?,
            (Status::Solvable, Some(moves), ..) => console.line(moves)?,
            (status, ..) => console.line(status.word())?,
        }
        if self.best { console.line("") } else { Ok(()) }
    }
}
