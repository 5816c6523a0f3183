//! The answer: what is known about a board, and where the answer comes from.

use crate::{
    judge::verdict::Truth,
    puzzle::{
        board::{Board, Tile},
        moves::Move,
    },
    search::report::{Outcome, Report},
    tablebase::{
        limit::{Limit, Searched},
        policy::Refusal,
    },
};

/// What is known about a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The board's distance, that the board is unsolvable, or a proven lower bound.
    pub truth: Truth,
    /// Where the answer comes from.
    pub by: By,
    /// An optimal solution, if the caller asked for one or a search found one.
    pub solution: Option<Vec<Move>>,
}

/// Where an answer comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum By {
    /// A table.
    Table,
    /// A search with a pattern database.
    Patterns(Box<Searched>),
    /// Neither: the answer is a lower bound, or follows from the permutation's parity. With the reason.
    Bound(Refusal),
}

/// A legal move, and the board that it leads to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Next {
    /// The move.
    pub step: Move,
    /// The tile that moves.
    pub tile: Tile,
    /// The board after the move.
    pub board: Board,
    /// What is known about that board.
    pub truth: Truth,
}

impl Next {
    /// A move that leads from one board to another.
    pub(crate) fn new(before: &Board, step: Move, after: Board, truth: Truth) -> Self {
        let tile = Tile(after.tiles()[before.blank()]);
        Self { step, tile, board: after, truth }
    }
}

impl Answer {
    pub(crate) fn new(truth: Truth, by: By) -> Self {
        Self { truth, by, solution: None }
    }

    /// The answer that a search with a pattern database gives.
    pub fn of_search(searched: Searched) -> Self {
        let report = &searched.report;
        let (truth, solution) = match &report.outcome {
            Outcome::Solved(path) => (Truth::Distance(path.len() as u32), Some(path.clone())),
            Outcome::Unsolvable => (Truth::Unsolvable, None),
            Outcome::Stopped => (Truth::AtLeast(report.at_least), None),
        };
        Self { truth, by: By::Patterns(Box::new(searched)), solution }
    }

    /// The distance, if it is known.
    pub fn distance(&self) -> Option<u32> {
        match self.truth {
            Truth::Distance(distance) => Some(distance),
            Truth::Unsolvable | Truth::AtLeast(_) => None,
        }
    }

    /// The report of the search, if a search gave the answer.
    pub fn report(&self) -> Option<&Report> {
        match &self.by {
            By::Patterns(searched) => Some(&searched.report),
            By::Table | By::Bound(_) => None,
        }
    }

    /// The limit that stopped the search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        match &self.by {
            By::Patterns(searched) => searched.limit,
            By::Table | By::Bound(_) => None,
        }
    }

    /// Why neither a table nor a pattern database answered; `None` if one of them did.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.by {
            By::Bound(refusal) => Some(refusal),
            By::Table | By::Patterns(_) => None,
        }
    }
}
