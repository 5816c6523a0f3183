//! A judgement: a finding with all that belongs to it, as it is written.

use std::fmt;

use serde::Serialize;
use tilebase::{Board, Move, MoveNotation, Shape, tablebase::Status};

use crate::check::{
    assertion::Assertion, case::Case, finding::Finding, reply::Reply, ruling::Label,
};

/// All about one position that was judged. A field is null in JSON where it does not apply.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    #[serde(skip)]
    pub(crate) board: Option<Board>,
    pub(crate) position: String,
    #[serde(serialize_with = "tilebase::tablebase::statement::optional_text")]
    pub(crate) shape: Option<Shape>,
    #[serde(serialize_with = "tilebase::tablebase::statement::optional_text")]
    pub(crate) goal: Option<Board>,
    pub(crate) status: Status,
    pub(crate) distance: Option<u32>,
    /// What was said about the position.
    pub(crate) claim: Option<String>,
    #[serde(serialize_with = "tilebase::tablebase::statement::text")]
    pub(crate) verdict: Label,
    pub(crate) detail: String,
    /// An optimal solution, if the answer is wrong.
    pub(crate) solution: Option<String>,
    /// The time that the solver took.
    pub(crate) seconds: Option<f64>,
}

impl Judgement {
    /// The finding about a reply to a case.
    pub(crate) fn new(
        case: &Case,
        reply: &Reply<'_>,
        finding: &Finding,
        solution: Option<&[Move]>,
    ) -> Self {
        let claims: Vec<_> = reply.assertions().iter().map(Assertion::text).collect();
        let show = |path| MoveNotation::Blank.show(&case.board, path).to_string();
        Self {
            board: Some(case.board.clone()),
            position: case.board.to_string(),
            shape: Some(case.board.shape()),
            goal: Some(case.goal.clone()),
            status: case.truth.into(),
            distance: case.distance(),
            claim: (!claims.is_empty()).then(|| claims.join("; ")),
            verdict: finding.ruling.label(),
            detail: finding.to_string(),
            solution: solution.map(show),
            seconds: reply.time.map(|time| time.as_secs_f64()),
        }
    }

    /// The complaint about a text that is no position.
    pub(crate) fn of_none(text: &str, complaint: &str) -> Self {
        Self {
            board: None,
            position: crate::statement::printable(text),
            shape: None,
            goal: None,
            status: Status::Invalid,
            distance: None,
            claim: None,
            verdict: Label::Unreadable,
            detail: complaint.to_owned(),
            solution: None,
            seconds: None,
        }
    }

    /// The order of counterexamples: by distance, then by board.
    pub(crate) fn size(&self) -> (bool, Option<u32>, Option<&Board>) {
        (self.distance.is_none(), self.distance, self.board.as_ref())
    }
}

/// A counterexample, to be pasted elsewhere.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The most characters of a claim that are shown.
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
