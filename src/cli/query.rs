//! `tilebase query`: distances.

use anyhow::Result;
use clap::Args;

use super::{
    Global,
    answer::{self, Answer, Status},
    console::Console,
    positions::Positions,
    question::Question,
};

/// Say how many moves positions are from the goal
///
/// Prints POSITION<TAB>DISTANCE for each, in order; or `unsolvable`; or `invalid`, with the reason on
/// standard error.
#[derive(Debug, Args)]
pub(super) struct Query {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
}

impl Query {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        answer::each(&self.question, &self.positions, global, console, |_, _, _| Ok(()), print)
    }
}

fn print(answer: &Answer<'_>, console: &mut Console) -> Result<()> {
    let position = answer.position;
    match (answer.status, answer.distance) {
        (Status::Solvable, Some(distance)) => console.line(format_args!("{position}\t{distance}")),
        (status, _) => console.line(format_args!("{position}\t{}", status.word())),
    }
}
