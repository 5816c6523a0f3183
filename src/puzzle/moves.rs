//! Moves, named by the way the blank goes.

use std::fmt;

/// One move: the direction in which the **blank** goes. The tile goes the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The blank goes one row up.
    Up,
    /// The blank goes one row down.
    Down,
    /// The blank goes one column to the left.
    Left,
    /// The blank goes one column to the right.
    Right,
}

impl Move {
    /// All four, in the order in which they are tried everywhere: up, down, left, right.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The move's letter: `U`, `D`, `L` or `R`.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// The move in a word: `up`, `down`, `left` or `right`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The move that takes this one back.
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
