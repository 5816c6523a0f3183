//! A position to judge answers about.

use tilebase::{Board, Truth};

/// A board, its goal, and what is known of its distance.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) board: Board,
    pub(crate) goal: Board,
    pub(crate) truth: Truth,
}

impl Case {
    /// The distance, if the board is solvable and the distance is known.
    pub(crate) fn distance(&self) -> Option<u32> {
        match self.truth {
            Truth::Distance(distance) => Some(distance),
            Truth::Unsolvable | Truth::AtLeast(_) => None,
        }
    }
}
