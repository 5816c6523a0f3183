//! `tilebase query`: distances.

use anyhow::Result;
use clap::Args;
use tilebase::{Board, BoardNotation};

use super::{
    Global,
    answer::{self, Answer},
    console::Console,
    positions::Positions,
    question::{Oracles, Question},
};

/// Say how many moves positions are from the goal
///
/// Prints POSITION<TAB>DISTANCE for each, in order. Instead of the distance it says `unsolvable`; or
/// `invalid`, with the reason on standard error; or `unknown` where the board is solvable and there is no
/// table for its shape.
///
/// Positions are read in any usual form: digits, lists, rows on lines or between slashes or brackets, a
/// size and its numbers; `#` begins a comment.
#[derive(Debug, Args)]
pub(super) struct Query {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

impl Query {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let know = |answer: &mut Answer<'_>,
                    about: [&Board; 2],
                    oracles: &mut Oracles,
                    console: &mut Console| {
            answer.look_up(about, oracles, console, |_, _| Ok(()))
        };
        let print =
            |answer: &Answer<'_>, console: &mut Console| answer.print(self.notation, console);
        answer::each(&self.question, &self.positions, global, console, know, print)
    }
}
