//! A verdict with all that belongs to it, as it is written.

use std::fmt;

use serde::Serialize;
use tilebase::{Board, Shape};

use crate::cli::answer::{self, Status};

/// All about one verdict; null in JSON where there is nothing to say.
#[derive(Debug, Serialize)]
pub(super) struct Judgement {
    #[serde(skip)]
    pub(super) board: Option<Board>,
    pub(super) position: String,
    #[serde(serialize_with = "answer::optional_text")]
    pub(super) shape: Option<Shape>,
    #[serde(serialize_with = "answer::optional_text")]
    pub(super) goal: Option<Board>,
    pub(super) status: Status,
    pub(super) distance: Option<u32>,
    /// What the solver said.
    pub(super) claim: Option<String>,
    pub(super) verdict: &'static str,
    pub(super) detail: String,
    /// An optimal solution, where the verdict is that something is wrong.
    pub(super) solution: Option<String>,
    /// How long the solver took.
    pub(super) seconds: Option<f64>,
}

impl Judgement {
    /// The order of counterexamples: the nearest first, then the least.
    pub(super) fn size(&self) -> (bool, Option<u32>, Option<&Board>) {
        (self.distance.is_none(), self.distance, self.board.as_ref())
    }
}

/// A counterexample, ready to be pasted.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// As much as anybody reads of a claim.
        const LONGEST: usize = 200;
        writeln!(f, "smallest position with the verdict {}:", self.verdict)?;
        writeln!(f, "  position  {}", self.position)?;
        match (self.distance, self.status) {
            (Some(distance), _) => writeln!(f, "  distance  {distance}")?,
            (None, status) => writeln!(f, "  distance  {}", status.word())?,
        }
        if let Some(solution) = &self.solution {
            writeln!(f, "  solution  {solution}")?;
        }
        if let Some(claim) = &self.claim {
            let line = claim.split_whitespace().collect::<Vec<_>>().join(" ");
            match line.char_indices().nth(LONGEST) {
                Some((end, _)) => writeln!(f, "  claim     {}…", &line[..end])?,
                None => writeln!(f, "  claim     {line}")?,
            }
        }
        writeln!(f, "  verdict   {}: {}", self.verdict, self.detail)
    }
}
