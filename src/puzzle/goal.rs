//! The goals that have a name.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::puzzle::{board::Board, moves::Move, shape::Shape};

/// A goal with a name, on any shape. Serde writes it by its name.
///
/// ```
/// use tilebase::{Goal, Shape};
///
/// let shape = Shape::new(3, 3)?;
/// assert_eq!(Goal::BlankLast.board(shape).to_string(), "123456780");
/// assert_eq!(Goal::BlankFirst.board(shape).to_string(), "012345678");
/// assert_eq!(Goal::Snail.board(shape).to_string(), "123804765");
/// # Ok::<(), tilebase::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Goal {
    /// 1, 2, 3, … with the blank in the last cell.
    #[default]
    BlankLast,
    /// The blank in the first cell, then 1, 2, 3, …
    BlankFirst,
    /// 1, 2, 3, … along a spiral from the first cell clockwise to the middle, with the blank at its end.
    Snail,
}

/// The error for a text that is not the name of a [`Goal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected blank-last, blank-first or snail")]
pub struct UnknownGoal;

impl Goal {
    /// All goals with a name.
    pub const ALL: [Self; 3] = [Self::BlankLast, Self::BlankFirst, Self::Snail];

    /// The goal's name, as in `--goal NAME`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BlankLast => "blank-last",
            Self::BlankFirst => "blank-first",
            Self::Snail => "snail",
        }
    }

    /// The board of this goal on a shape.
    #[must_use]
    pub fn board(self, shape: Shape) -> Board {
        match self {
            Self::BlankLast => Board::in_order(shape, shape.cells() - 1),
            Self::BlankFirst => Board::in_order(shape, 0),
            Self::Snail => {
                let mut tiles = vec![0; shape.cells()];
                for (tile, cell) in (1..shape.cells() as u8).zip(spiral(shape)) {
                    tiles[cell] = tile;
                }
                Board::new(shape, &tiles).expect("the spiral has a cell for each tile")
            }
        }
    }
}

/// The cells along a spiral from the first cell clockwise to the middle. It goes straight on, and turns right at the
/// edge of the board and at cells that it has passed.
fn spiral(shape: Shape) -> Vec<usize> {
    let mut cells = vec![0];
    let mut directions =
        [Move::Right, Move::Down, Move::Left, Move::Up].into_iter().cycle().peekable();
    while cells.len() < shape.cells() {
        let last = *cells.last().expect("the list begins with one cell");
        let direction = *directions.peek().expect("a cycle has no end");
        match shape.neighbor(last, direction).filter(|cell| !cells.contains(cell)) {
            Some(cell) => cells.push(cell),
            None => drop(directions.next()),
        }
    }
    cells
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
