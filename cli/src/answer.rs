//! The answer about a position: the same keys for every verb.

use std::{fmt::Display, ops::ControlFlow, time::Duration};

use anyhow::Result;
use serde::{Serialize, Serializer};
use tilebase::{Board, BoardNotation, Goal, Move, OracleError, Outcome, Report, Shape};

use crate::{
    console::Console,
    global::Global,
    interruption,
    positions::Positions,
    question::{Expert, Oracles, Question},
    search::{Facts, Limit, Method},
};

/// What is known about a position. In JSON, null stands for what is not there or was not asked.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    /// In normal form, or as it was given where it is invalid.
    #[serde(serialize_with = "text")]
    pub(crate) position: &'a dyn Display,
    #[serde(skip)]
    board: Option<&'a Board>,
    #[serde(serialize_with = "optional_text")]
    pub(crate) shape: Option<Shape>,
    #[serde(serialize_with = "optional_text")]
    pub(crate) goal: Option<&'a Board>,
    pub(crate) status: Status,
    pub(crate) distance: Option<u32>,
    pub(crate) moves: Option<String>,
    pub(crate) best: Option<Vec<BestMove>>,
    pub(crate) solutions: Option<u128>,
    /// The boards of the solution, the position and the goal among them.
    #[serde(serialize_with = "texts")]
    pub(crate) boards: Option<Vec<Board>>,
    /// A solution has at least so many moves; null where the distance says more.
    pub(crate) at_least: Option<u32>,
    /// The solution, where a search has found one.
    #[serde(skip)]
    pub(crate) path: Option<Vec<Move>>,
    /// What the search came to that found the moves.
    pub(crate) search: Option<Facts>,
    pub(crate) error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The distance is known, or a solution.
    Solvable,
    /// The goal cannot be reached.
    Unsolvable,
    /// Neither is known, nor that there is none.
    Unknown,
    /// The text is no position.
    Invalid,
}

impl Status {
    /// The word that stands where there is no distance.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
        }
    }
}

/// A move with which an optimal solution can begin, and the distance that it leaves.
#[derive(Debug, Serialize)]
pub(crate) struct BestMove {
    #[serde(rename = "move")]
    pub(crate) step: String,
    pub(crate) distance: u32,
}

pub(crate) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(crate) fn optional_text<S: Serializer>(
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

impl<'a> Answer<'a> {
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
            path: None,
            search: None,
            error: None,
        }
    }

    /// About a board of which nothing but its goal is known.
    fn unknown(board: &'a Board, goal: &'a Board) -> Self {
        Self::new(board, Some(board), Some(goal), Status::Unknown)
    }

    /// About a board with a distance, if that is known.
    pub(crate) fn solvable(
        board: &'a Board,
        goal: &'a Board,
        distance: impl Into<Option<u32>>,
    ) -> Self {
        let (status, distance) = (Status::Solvable, distance.into());
        Self { status, distance, ..Self::unknown(board, goal) }
    }

    /// About a text that is no position.
    fn invalid(text: &'a dyn Display, error: String) -> Self {
        Self { error: Some(error), ..Self::new(text, None, None, Status::Invalid) }
    }

    /// Finds out how far the board is from the goal, by the table, or by a search that is given up after `timeout`; `add`
    /// adds what else is wanted of a solvable one.
    pub(crate) fn look_up(
        &mut self,
        [board, goal]: [&Board; 2],
        timeout: Option<Duration>,
        oracles: &mut Oracles,
        console: &mut Console,
        add: impl FnOnce(&mut Self, &Expert<'_>, &mut Console) -> Result<()>,
    ) -> Result<()> {
        match oracles.expert(board.shape(), console) {
            Some(Expert::Table(oracle)) => {
                self.distance = oracle.distance(board)?;
                self.status = match self.distance {
                    Some(_) => Status::Solvable,
                    None => Status::Unsolvable,
                };
                if self.status == Status::Solvable {
                    add(self, &Expert::Table(oracle), console)?;
                }
            }
            Some(Expert::Patterns(patterns)) => {
                let (report, limit) = patterns.solve(board, timeout, console)?;
                self.take(board, report, limit, Method::BY_PATTERNS, console);
                if self.distance.is_some() {
                    add(self, &Expert::Patterns(patterns), console)?;
                }
            }
            None if board.can_reach(goal) => {
                self.error = oracles.complain(board.shape(), console);
            }
            None => self.status = Status::Unsolvable,
        }
        Ok(())
    }

    /// Takes what a search by an optimal algorithm has come to.
    pub(crate) fn take(
        &mut self,
        board: &Board,
        report: Report,
        limit: Option<Limit>,
        method: Method,
        console: &mut Console,
    ) {
        let facts = Facts::new(method, &report);
        match report.outcome {
            Outcome::Solved(path) => {
                self.status = Status::Solvable;
                self.distance = Some(path.len() as u32);
                self.path = Some(path);
            }
            Outcome::Unsolvable => self.status = Status::Unsolvable,
            Outcome::Stopped => {
                self.at_least = Some(report.at_least);
                let why = limit.unwrap_or(Limit::Memory);
                console.error(format_args!("{board}: {why}: at least {} moves", report.at_least));
            }
        }
        self.search = Some(facts);
    }

    /// Writes POSITION<TAB>DISTANCE, or the word that stands for the distance.
    pub(crate) fn print(&self, notation: BoardNotation, console: &mut Console) -> Result<()> {
        match (self.board, self.distance) {
            (Some(board), Some(distance)) => {
                print_board(board, notation, format_args!("\t{distance}"), console)
            }
            (Some(board), None) => match self.at_least {
                Some(moves) => print_board(board, notation, format_args!("\t>={moves}"), console),
                None => {
                    print_board(board, notation, format_args!("\t{}", self.status.word()), console)
                }
            },
            (None, _) => console.line(format_args!("{}\t{}", self.position, self.status.word())),
        }
    }
}

/// A text without control characters, which are no business of whoever reads the answers; a tab may stay.
pub(crate) fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\t', "\u{FFFD}")
}

/// Writes a board and what follows it; behind rows, which are several lines, an empty one.
pub(crate) fn print_board(
    board: &Board,
    notation: BoardNotation,
    rest: impl Display,
    console: &mut Console,
) -> Result<()> {
    console.line(format_args!("{}{rest}", notation.show(board)))?;
    if notation == BoardNotation::Rows { console.line("") } else { Ok(()) }
}

/// Answers every position: `know` fills in what a verb wants to know about a board and its goal, `print` writes the
/// answer for people.
pub(crate) fn each(
    question: &Question,
    positions: &Positions,
    global: &Global,
    console: &mut Console,
    know: impl Fn(&mut Answer<'_>, [&Board; 2], &mut Oracles, &mut Console) -> Result<()>,
    print: impl Fn(&Answer<'_>, &mut Console) -> Result<()>,
) -> Result<()> {
    let mut oracles = question.oracles(global)?;
    let frame = oracles.frame.clone();
    let mut hinted = false;
    let print = |answer: &Answer<'_>, console: &mut Console| {
        if question.json { console.json(answer) } else { print(answer, console) }?;
        if interruption::is_interrupted() {
            console.interrupted();
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    };
    positions.each(frame.shape, console, |item, console| {
        let board = match &item.position.board {
            Ok(board) => board,
            Err(error) => {
                console.error(item.complaint(error));
                let text = printable(&item.position.text);
                return print(&Answer::invalid(&text, error.to_string()), console);
            }
        };
        let goal = &frame.goal(board.shape());
        let mut answer = Answer::unknown(board, goal);
        let mut known = know(&mut answer, [board, goal], &mut oracles, console);
        let is_damaged =
            |error: &anyhow::Error| matches!(error.downcast_ref(), Some(OracleError::Damaged(_)));
        if known.as_ref().is_err_and(is_damaged) && oracles.renew(board.shape(), console)? {
            answer = Answer::unknown(board, goal);
            known = know(&mut answer, [board, goal], &mut oracles, console);
        }
        if let Err(error) = known {
            // A wrong table spoils this answer, anything else the run.
            let error = error.downcast::<OracleError>()?;
            console.error(format_args!("{}: {error}", item.place()));
            answer = Answer { error: Some(error.to_string()), ..Answer::unknown(board, goal) };
        }
        if answer.status == Status::Unsolvable {
            console.no();
            if let (false, Some(other)) = (hinted, reachable(board)) {
                hinted = true;
                let place = item.place();
                console.note(format_args!(
                    "{place}: {board} is unsolvable for goal {goal}, but not for --goal {other}"
                ));
            }
        }
        print(&answer, console)
    })
}

/// A goal with a name that a board can reach.
fn reachable(board: &Board) -> Option<Goal> {
    Goal::ALL.into_iter().find(|goal| board.can_reach(&goal.board(board.shape())))
}
