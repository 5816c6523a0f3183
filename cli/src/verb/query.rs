//! `tilebase query`: distances.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use tilebase::{Board, BoardNotation};

use crate::{
    answer::{self, Answer},
    console::Console,
    global::Global,
    positions::Positions,
    question::{Oracles, Question},
    seconds,
};

/// Say how many moves positions are from the goal
///
/// Prints POSITION<TAB>DISTANCE for each, in order. Instead of the distance it says `unsolvable`; or
/// `invalid`, with the reason on standard error; or `unknown` where the board is solvable and nothing is known for
/// its shape. Beyond 14 cells there are no tables, and up to 25 cells distances are found by IDA* with a pattern
/// database: of 4x4 in a moment, of 5x5 if the position is easy. A search that --timeout or Ctrl-C stops says what
/// is proven: `>=53` is at least 53 moves.
///
/// Positions are read in any usual form: digits, lists, rows on lines or between slashes or brackets, a
/// size and its numbers; `#` begins a comment.
#[derive(Debug, Args)]
pub(crate) struct Query {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Give up a search after S seconds, where there can be no table, and print what is proven then
    #[arg(long, value_name = "S", value_parser = seconds::parse)]
    timeout: Option<Duration>,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

impl Query {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let know = |answer: &mut Answer<'_>,
                    about: [&Board; 2],
                    oracles: &mut Oracles,
                    console: &mut Console| {
            answer.look_up(about, self.timeout, oracles, console, |_, _, _| Ok(()))
        };
        let print =
            |answer: &Answer<'_>, console: &mut Console| answer.print(self.notation, console);
        answer::each(&self.question, &self.positions, global, console, know, print)
    }
}
