//! A position to judge answers about.

use anyhow::Result;
use tilebase::{Board, Tablebase, Truth};

use crate::{console::Console, listening::listening};

/// A board, its goal, and what is known of its distance.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) board: Board,
    pub(crate) goal: Board,
    pub(crate) truth: Truth,
}

impl Case {
    /// A board, and what a tablebase knows of it.
    pub(crate) fn of(board: Board, tablebase: &Tablebase, console: &mut Console) -> Result<Self> {
        let truth = listening(console, |listener| tablebase.truth(&board, listener))?;
        Ok(Self { goal: tablebase.goal(board.shape()).clone(), board, truth })
    }

    /// The distance, if the board is solvable and the distance is known.
    pub(crate) fn distance(&self) -> Option<u32> {
        match self.truth {
            Truth::Distance(distance) => Some(distance),
            Truth::Unsolvable | Truth::AtLeast(_) => None,
        }
    }
}
