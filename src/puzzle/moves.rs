//! Moves, named by the direction in which the blank goes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One move: the direction in which the **blank** goes. The tile goes in the opposite direction. Serde writes a move by
/// its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Move {
    /// The blank goes one row up.
    #[serde(rename = "U")]
    Up,
    /// The blank goes one row down.
    #[serde(rename = "D")]
    Down,
    /// The blank goes one column to the left.
    #[serde(rename = "L")]
    Left,
    /// The blank goes one column to the right.
    #[serde(rename = "R")]
    Right,
}

impl Move {
    /// All four moves, in the order in which all searches try them: up, down, left, right.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The move's letter: `U`, `D`, `L` or `R`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// The move as a word: `up`, `down`, `left` or `right`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The move that undoes this one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}
