//! The goals that have a name.

use std::{fmt, str::FromStr};

use crate::{Board, Shape};

/// A goal that is known by name, on any shape.
///
/// ```
/// use tilebase::{Goal, Shape};
///
/// let shape = Shape::new(3, 3)?;
/// assert_eq!(Goal::BlankLast.board(shape).to_string(), "123456780");
/// assert_eq!(Goal::BlankFirst.board(shape).to_string(), "012345678");
/// # Ok::<(), tilebase::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Goal {
    /// 1, 2, 3, … and the blank in the last cell.
    #[default]
    BlankLast,
    /// The blank in the first cell, then 1, 2, 3, …
    BlankFirst,
}

/// The text is not the name of a [`Goal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected blank-last, blank-first or a position")]
pub struct UnknownGoal;

impl Goal {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::BlankLast, Self::BlankFirst];

    /// The goal's name, as in `--goal NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlankLast => "blank-last",
            Self::BlankFirst => "blank-first",
        }
    }

    /// The goal on a shape.
    pub fn board(self, shape: Shape) -> Board {
        let blank = match self {
            Self::BlankLast => shape.cells() - 1,
            Self::BlankFirst => 0,
        };
        Board::in_order(shape, blank)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Goal {
    type Err = UnknownGoal;

    fn from_str(name: &str) -> Result<Self, UnknownGoal> {
        Self::ALL.into_iter().find(|goal| goal.name() == name).ok_or(UnknownGoal)
    }
}
