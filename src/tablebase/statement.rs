//! The statement about a position: the object that every front end writes as JSON, with the same keys always.

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

/// What is said about a position. In JSON, null stands for what is not there or was not asked.
#[derive(Serialize)]
#[expect(missing_debug_implementations, reason = "the position is anything that can be shown")]
pub struct Statement<'a> {
    /// In normal form, or as it was given where it is invalid.
    #[serde(serialize_with = "text")]
    pub position: &'a dyn Display,
    /// The board, unless the position is invalid.
    #[serde(skip)]
    pub board: Option<&'a Board>,
    /// Its shape.
    #[serde(serialize_with = "optional_text")]
    pub shape: Option<Shape>,
    /// The goal that it is to reach.
    #[serde(serialize_with = "optional_text")]
    pub goal: Option<&'a Board>,
    /// What is known, in a word.
    pub status: Status,
    /// The number of moves of an optimal solution.
    pub distance: Option<u32>,
    /// A solution, in the notation that was asked for.
    pub moves: Option<String>,
    /// The moves with which an optimal solution can begin.
    pub best: Option<Vec<BestMove>>,
    /// The number of optimal solutions.
    pub solutions: Option<u128>,
    /// The boards of the solution, the position and the goal among them.
    #[serde(serialize_with = "texts")]
    pub boards: Option<Vec<Board>>,
    /// A solution has at least this number of moves; null where the distance says more.
    pub at_least: Option<u32>,
    /// What the search came to that found the moves.
    pub search: Option<Effort>,
    /// Why there is no answer.
    pub error: Option<String>,
}

/// What is known of a position, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// The distance is known, or a solution.
    Solvable,
    /// The goal cannot be reached.
    Unsolvable,
    /// Neither the distance nor a solution is known.
    Unknown,
    /// The text is no position.
    Invalid,
}

/// A move with which an optimal solution can begin, and the distance that it leaves.
#[derive(Clone, Debug, Serialize)]
pub struct BestMove {
    /// The move, in the notation that was asked for.
    #[serde(rename = "move")]
    pub step: String,
    /// The distance that it leaves.
    pub distance: u32,
}

/// What a search has come to.
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
    /// The number of boards expanded again, by a better way.
    pub reopened: u64,
    /// The greatest number of boards that waited to be expanded.
    pub largest_open: u64,
    /// The time that the search took.
    pub seconds: f64,
}

impl Status {
    /// The word that stands where there is no distance.
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
    /// What a search by a method has come to.
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

    /// About a board of which nothing but its goal is known.
    pub fn unknown(board: &'a Board, goal: &'a Board) -> Self {
        Self::new(board, Some(board), Some(goal), Status::Unknown)
    }

    /// About a board with a distance, if that is known.
    pub fn solvable(board: &'a Board, goal: &'a Board, distance: impl Into<Option<u32>>) -> Self {
        let (status, distance) = (Status::Solvable, distance.into());
        Self { status, distance, ..Self::unknown(board, goal) }
    }

    /// About a text that is no position.
    pub fn invalid(text: &'a dyn Display, error: String) -> Self {
        Self { error: Some(error), ..Self::new(text, None, None, Status::Invalid) }
    }

    /// Takes what a tablebase has answered. A bound that no search has proven is no more than *unknown*.
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

    /// Takes what a search has come to.
    pub fn take_search(&mut self, method: Method, report: &Report) {
        self.search = Some(Effort::new(method, report));
        if self.status == Status::Unknown {
            self.at_least = Some(report.at_least);
        }
    }

    /// Adds a solution; with its boards, if they are wanted.
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

/// Serialises a value as it is shown.
///
/// # Errors
///
/// If the serialiser fails.
pub fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serialises a value as it is shown, or null.
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
