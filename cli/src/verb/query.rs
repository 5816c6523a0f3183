//! `tilebase query`: distances.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use tilebase::{Board, BoardNotation, tablebase::Statement};

use crate::{
    console::Console, global::Global, listening::listening, positions::Positions,
    question::Question, seconds, statement,
};

/// Print how many moves positions are from the goal
///
/// Prints POSITION<TAB>DISTANCE for each position, in order. Three words can stand instead of the distance:
/// `unsolvable`; `invalid`, with the reason on standard error; or `unknown`, if the board is solvable and nothing is
/// known for its shape. Beyond 14 cells there are no tables. Up to 25 cells, distances are found by IDA* with a
/// pattern database: on 4x4 in a moment, on 5x5 if the position is easy. If --timeout or Ctrl-C stops a search, the
/// proven bound is printed: `>=53` means at least 53 moves.
///
/// Positions are read in any usual form: digits; lists; rows on lines, or between slashes or brackets; a
/// size followed by the numbers. A `#` begins a comment.
#[derive(Debug, Args)]
pub(crate) struct Query {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Stop a search after S seconds and print the proven bound, for shapes without tables
    #[arg(long, value_name = "S", value_parser = seconds::parse)]
    timeout: Option<Duration>,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

impl Query {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let tablebase = self.question.tablebase(global, self.timeout)?;
        let know = |statement: &mut Statement<'_>, board: &Board, console: &mut Console| {
            let answer = listening(console, |listener| tablebase.answer(board, listener))?;
            statement::take(statement, board, &answer, console);
            Ok(())
        };
        let print = |statement: &Statement<'_>, console: &mut Console| {
            statement::print(statement, self.notation, console)
        };
        statement::each(&tablebase, &self.positions, self.question.json, console, know, print)
    }
}
