//! `tilebase list`: every board and its distance.

use std::{ops::RangeInclusive, str::FromStr};

use anyhow::Result;
use clap::Args;
use tilebase::BoardNotation;

use super::{Global, answer::Answer, console::Console, question::Question};

/// List every solvable board with its distance
///
/// Prints POSITION<TAB>DISTANCE in the order of the table's index; `cut -f1` leaves the positions.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    question: Question,
    /// Only boards at this distance, or from D to E with both included
    #[arg(long, value_name = "D or D..E")]
    depth: Option<Depths>,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
}

/// A distance, or all from one to another.
#[derive(Clone, Debug)]
pub(super) struct Depths(pub(super) RangeInclusive<u32>);

impl Default for Depths {
    /// Any distance.
    fn default() -> Self {
        Self(0..=u32::MAX)
    }
}

impl FromStr for Depths {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self(first..=last)),
            (Ok(_), Ok(_)) => Err("the first distance is greater than the last"),
            _ => Err("expected a distance such as 20, or two such as 20..25"),
        }
    }
}

impl List {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let oracle = self.question.oracle(global, console)?;
        let depths = self.depth.unwrap_or_default().0;
        let radius = oracle.table().header().radius();
        if *depths.start() > radius {
            console.note(format_args!("no board is farther than {radius} from {}", oracle.goal()));
        }
        for found in oracle.boards(depths) {
            let (board, distance) = found?;
            let answer = Answer::solvable(&board, oracle.goal(), distance);
            if self.question.json {
                console.json(&answer)?;
            } else {
                answer.print(self.notation, console)?;
            }
        }
        Ok(())
    }
}
