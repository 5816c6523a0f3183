//! A verdict with all that belongs to it, as it is written.

use std::{fmt, time::Duration};

use serde::Serialize;
use tilebase::{Board, Move, MoveNotation, Shape, Truth};

use crate::answer::{self, Status};
use crate::check::{
    cases::Case,
    judge::{Finding, Kind},
};

/// All about one verdict; null in JSON where there is nothing to say.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    #[serde(skip)]
    pub(crate) board: Option<Board>,
    pub(crate) position: String,
    #[serde(serialize_with = "answer::optional_text")]
    pub(crate) shape: Option<Shape>,
    #[serde(serialize_with = "answer::optional_text")]
    pub(crate) goal: Option<Board>,
    pub(crate) status: Status,
    pub(crate) distance: Option<u32>,
    /// What the solver said.
    pub(crate) claim: Option<String>,
    #[serde(serialize_with = "answer::text")]
    pub(crate) verdict: Kind,
    pub(crate) detail: String,
    /// An optimal solution, where the verdict is that something is wrong.
    pub(crate) solution: Option<String>,
    /// How long the solver took.
    pub(crate) seconds: Option<f64>,
}

impl Judgement {
    /// What was found about a case.
    pub(crate) fn new<'c>(
        case: &Case,
        claims: impl Iterator<Item = &'c str>,
        finding: &Finding,
        solution: Option<&[Move]>,
        time: Option<Duration>,
    ) -> Self {
        let claims: Vec<_> = claims.collect();
        let show = |path| MoveNotation::Blank.show(&case.board, path).to_string();
        Self {
            board: Some(case.board.clone()),
            position: case.board.to_string(),
            shape: Some(case.board.shape()),
            goal: Some(case.goal.clone()),
            status: match case.truth {
                Truth::Distance(_) => Status::Solvable,
                Truth::Unsolvable => Status::Unsolvable,
                Truth::AtLeast(_) => Status::Unknown,
            },
            distance: case.distance(),
            claim: (!claims.is_empty()).then(|| claims.join("; ")),
            verdict: finding.outcome.kind(),
            detail: finding.to_string(),
            solution: solution.map(show),
            seconds: time.map(|time| time.as_secs_f64()),
        }
    }

    /// That a text is no position.
    pub(crate) fn of_none(text: &str, complaint: &str) -> Self {
        Self {
            board: None,
            position: answer::printable(text),
            shape: None,
            goal: None,
            status: Status::Invalid,
            distance: None,
            claim: None,
            verdict: Kind::Unreadable,
            detail: complaint.to_owned(),
            solution: None,
            seconds: None,
        }
    }

    /// The order of counterexamples: the nearest first, then the least.
    pub(crate) fn size(&self) -> (bool, Option<u32>, Option<&Board>) {
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
