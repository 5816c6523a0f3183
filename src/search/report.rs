//! The report of a search.

use std::time::Duration;

use crate::puzzle::{board::Board, moves::Move};

/// A board that is about to be expanded.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expansion<'a> {
    /// The number of boards expanded so far, with this one.
    pub number: u64,
    /// The board.
    pub board: &'a Board,
    /// The last move to it; `None` for the start. In a bidirectional search a board on the goal's side was reached from
    /// the goal, for which it is `None` too.
    pub step: Option<Move>,
    /// The value by which the algorithm orders boards: the least f comes first.
    pub f: f64,
    /// The number of moves to the board.
    pub g: u32,
    /// The heuristic's estimate of the moves that are left; 0 if the algorithm uses no heuristic.
    pub h: u32,
    /// The number of boards that the search holds in memory.
    pub held: u64,
}

/// The result of a search: how it ended, and what it counted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// A solution has at least this number of moves. It is proven, if the heuristic is admissible. `u32::MAX` if the
    /// heuristic says that there is no solution.
    pub at_least: u32,
    /// The number of boards that were expanded, with the goal. For IDA*, the sum over all bounds.
    pub expanded: u64,
    /// The number of boards that were generated.
    pub generated: u64,
    /// The number of boards that were re-opened: after they were expanded, a shorter path to them was found.
    pub reopened: u64,
    /// The greatest number of boards on the open list at one time. For IDA*, which has no such list, the number of
    /// boards on the longest path.
    pub largest_open: u64,
    /// The time that the search took.
    pub time: Duration,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It found the goal, by these moves.
    Solved(Vec<Move>),
    /// It proved that the goal cannot be reached.
    Unsolvable,
    /// It was stopped before it knew.
    Stopped,
}

impl Report {
    /// The report of a search that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            outcome: Outcome::Stopped,
            at_least: 0,
            expanded: 0,
            generated: 0,
            reopened: 0,
            largest_open: 0,
            time: Duration::ZERO,
        }
    }

    /// The solution, if one was found.
    #[must_use]
    pub fn path(&self) -> Option<&[Move]> {
        match &self.outcome {
            Outcome::Solved(path) => Some(path),
            Outcome::Unsolvable | Outcome::Stopped => None,
        }
    }

    /// The number of moves of the solution, if one was found.
    #[must_use]
    pub fn cost(&self) -> Option<u32> {
        self.path().map(|path| path.len() as u32)
    }
}
