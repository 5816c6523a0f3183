//! The statement about a position: the object that every front end writes as JSON, always with the same keys.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use crate::{
    judge::verdict::Truth,
    notation::write::MoveNotation,
    puzzle::{board::Board, moves::Move, shape::Shape},
    search::{method::Method, report::Report},
    tablebase::{
        answer::{Answer, By},
        quantity::{Count, Seconds},
    },
};

/// The answer about a position. In JSON, a field is null if its value is unknown or was not asked for.
#[derive(Serialize)]
#[expect(missing_debug_implementations, reason = "the position is anything that can be shown")]
pub struct Statement<'a> {
    /// The position in normal form; if it is invalid, the text that was given.
    #[serde(serialize_with = "text")]
    pub position: &'a dyn Display,
    /// The board, unless the position is invalid.
    #[serde(skip)]
    pub board: Option<&'a Board>,
    /// The shape of the board.
    #[serde(serialize_with = "optional_text")]
    pub shape: Option<Shape>,
    /// The goal for the board.
    #[serde(serialize_with = "optional_text")]
    pub goal: Option<&'a Board>,
    /// What is known, in one word.
    pub status: Status,
    /// The number of moves of an optimal solution.
    pub distance: Option<u32>,
    /// A solution, in the notation that was asked for.
    pub moves: Option<String>,
    /// The moves with which an optimal solution can begin.
    pub best: Option<Vec<BestMove>>,
    /// The number of optimal solutions.
    pub solutions: Option<u128>,
    /// The boards of the solution, with the position first and the goal last.
    #[serde(serialize_with = "texts")]
    pub boards: Option<Vec<Board>>,
    /// Each solution has at least this number of moves; null if the distance is known.
    pub at_least: Option<u32>,
    /// The effort of the search, if there was one.
    pub search: Option<Effort>,
    /// The reason, if there is no answer.
    pub error: Option<String>,
}

/// What is known about a position, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// The distance or a solution is known.
    Solvable,
    /// The goal cannot be reached.
    Unsolvable,
    /// Neither the distance nor a solution is known.
    Unknown,
    /// The text is not a position.
    Invalid,
}

/// A move with which an optimal solution can begin, and the distance after it.
#[derive(Clone, Debug, Serialize)]
pub struct BestMove {
    /// The move, in the notation that was asked for.
    #[serde(rename = "move")]
    pub step: String,
    /// The distance after the move.
    pub distance: u32,
}

/// The effort of a search, and the length of the solution that it found.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Effort {
    /// The algorithm and the heuristic.
    #[serde(flatten)]
    pub method: Method,
    /// The number of moves of the solution; null if none was found.
    pub moves: Option<u32>,
    /// The number of boards expanded.
    pub expanded: u64,
    /// The number of boards generated.
    pub generated: u64,
    /// The number of boards that were re-opened because a shorter path to them was found.
    pub reopened: u64,
    /// The greatest number of boards on the open list at one time. For IDA*, the number of boards on the longest path.
    pub largest_open: u64,
    /// The time that the search took.
    pub seconds: f64,
}

impl Status {
    /// The word that is printed instead of a distance.
    pub fn word(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
        }
    }
}

impl From<Truth> for Status {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Distance(_) => Self::Solvable,
            Truth::Unsolvable => Self::Unsolvable,
            Truth::AtLeast(_) => Self::Unknown,
        }
    }
}

impl Effort {
    /// The effort of a search by a method.
    pub fn new(method: Method, report: &Report) -> Self {
        Self {
            method,
            moves: report.cost(),
            expanded: report.expanded,
            generated: report.generated,
            reopened: report.reopened,
            largest_open: report.largest_open,
            seconds: report.time.as_secs_f64(),
        }
    }
}

impl Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, expanded, generated, reopened, largest_open, seconds, .. } = self;
        let [expanded, generated, reopened, largest_open] =
            [expanded, generated, reopened, largest_open].map(|count| Count(*count));
        write!(
            f,
            "{method}: {expanded} expanded, {generated} generated, {reopened} re-opened, {largest_open} \
             open at most, {}",
            Seconds(*seconds)
        )
    }
}

impl<'a> Statement<'a> {
    fn new(
        position: &'a dyn Display,
        board: Option<&'a Board>,
        goal: Option<&'a Board>,
        status: Status,
    ) -> Self {
        Self {
            position,
            board,
            shape: board.map(Board::shape),
            goal,
            status,
            distance: None,
            moves: None,
            best: None,
            solutions: None,
            boards: None,
            at_least: None,
            search: None,
            error: None,
        }
    }

    /// A statement about a board whose distance is not known.
    pub fn unknown(board: &'a Board, goal: &'a Board) -> Self {
        Self::new(board, Some(board), Some(goal), Status::Unknown)
    }

    /// A statement about a solvable board, with its distance if that is known.
    pub fn solvable(board: &'a Board, goal: &'a Board, distance: impl Into<Option<u32>>) -> Self {
        let (status, distance) = (Status::Solvable, distance.into());
        Self { status, distance, ..Self::unknown(board, goal) }
    }

    /// A statement about a text that is not a position.
    pub fn invalid(text: &'a dyn Display, error: String) -> Self {
        Self { error: Some(error), ..Self::new(text, None, None, Status::Invalid) }
    }

    /// Records the answer of a tablebase. For a bound without a search, the status is *unknown* and the bound is left
    /// out.
    pub fn take(&mut self, answer: &Answer) {
        self.status = answer.truth.into();
        self.distance = answer.distance();
        match &answer.by {
            By::Patterns(searched) => {
                self.take_search(Method::BY_PATTERNS, &searched.report);
            }
            By::Bound(refusal) if self.status == Status::Unknown => {
                self.error = Some(refusal.to_string());
            }
            By::Table | By::Bound(_) => {}
        }
    }

    /// Records the report of a search.
    pub fn take_search(&mut self, method: Method, report: &Report) {
        self.search = Some(Effort::new(method, report));
        if self.status == Status::Unknown {
            self.at_least = Some(report.at_least);
        }
    }

    /// Adds a solution, with its boards if `boards` is true.
    pub fn add_solution(
        &mut self,
        board: &Board,
        path: &[Move],
        moves: MoveNotation,
        boards: bool,
    ) {
        self.moves = Some(moves.show(board, path).to_string());
        if boards {
            let mut here = board.clone();
            let after = path.iter().map_while(|step| {
                here = here.step(*step)?;
                Some(here.clone())
            });
            self.boards = Some([board.clone()].into_iter().chain(after).collect());
        }
    }
}

/// Serialises a value as the text that it displays.
///
/// # Errors
///
/// If the serialiser fails.
pub fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serialises a value as the text that it displays, or as null.
///
/// # Errors
///
/// If the serialiser fails.
pub fn optional_text<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn texts<S: Serializer>(boards: &Option<Vec<Board>>, serializer: S) -> Result<S::Ok, S::Error> {
    match boards {
        Some(boards) => serializer.collect_seq(boards.iter().map(Board::to_string)),
        None => serializer.serialize_none(),
    }
}
