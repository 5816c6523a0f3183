//! The answer: what is known of a board, and who says so.

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

/// What is known of a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Its distance, that it is unsolvable, or what is proven.
    pub truth: Truth,
    /// Who says so.
    pub by: By,
    /// An optimal solution, where one was asked for, or a search has found one on the way.
    pub solution: Option<Vec<Move>>,
}

/// Who answers for a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum By {
    /// A table.
    Table,
    /// A search with a pattern database.
    Patterns(Box<Searched>),
    /// Neither: a lower bound, or the parity of the permutation. And why.
    Bound(Refusal),
}

/// A legal move, and what it leads to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Next {
    /// The move.
    pub step: Move,
    /// The tile that moves.
    pub tile: Tile,
    /// The board after the move.
    pub board: Board,
    /// What is known of that board.
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

    /// The answer of a search.
    pub fn of_search(mut searched: Searched) -> Self {
        let report = &mut searched.report;
        let (truth, solution) = match &mut report.outcome {
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

    /// What the search came to that has found the answer, if one has.
    pub fn report(&self) -> Option<&Report> {
        match &self.by {
            By::Patterns(searched) => Some(&searched.report),
            By::Table | By::Bound(_) => None,
        }
    }

    /// What stopped the search, if anything did.
    pub fn limit(&self) -> Option<Limit> {
        match &self.by {
            By::Patterns(searched) => searched.limit,
            By::Table | By::Bound(_) => None,
        }
    }

    /// Why neither a table nor a pattern database has answered, if that is so.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.by {
            By::Bound(refusal) => Some(refusal),
            By::Table | By::Patterns(_) => None,
        }
    }
}
