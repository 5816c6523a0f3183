//! The goals that have a name.

use std::{fmt, str::FromStr};

use crate::puzzle::{board::Board, moves::Move, shape::Shape};

/// A goal that is known by name, on any shape.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Goal {
    /// 1, 2, 3, … and the blank in the last cell.
    #[default]
    BlankLast,
    /// The blank in the first cell, then 1, 2, 3, …
    BlankFirst,
    /// 1, 2, 3, … along a spiral from the first cell clockwise to the middle, and the blank at its end.
    Snail,
}

/// The text is not the name of a [`Goal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected blank-last, blank-first or snail")]
pub struct UnknownGoal;

impl Goal {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::BlankLast, Self::BlankFirst, Self::Snail];

    /// The goal's name, as in `--goal NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BlankLast => "blank-last",
            Self::BlankFirst => "blank-first",
            Self::Snail => "snail",
        }
    }

    /// The goal on a shape.
    pub fn board(self, shape: Shape) -> Board {
        match self {
            Self::BlankLast => Board::in_order(shape, shape.cells() - 1),
            Self::BlankFirst => Board::in_order(shape, 0),
            Self::Snail => {
                let mut tiles = vec![0; shape.cells()];
                for (tile, cell) in (1..shape.cells() as u8).zip(spiral(shape)) {
                    tiles[cell] = tile;
                }
                Board::new(shape, &tiles).expect("each tile has its place on the spiral")
            }
        }
    }
}

/// The cells from the first clockwise to the middle: straight on, and to the right where that leads off
/// the board or to a cell that has been passed.
fn spiral(shape: Shape) -> Vec<usize> {
    let mut cells = vec![0];
    let mut ways = [Move::Right, Move::Down, Move::Left, Move::Up].into_iter().cycle().peekable();
    while cells.len() < shape.cells() {
        let last = *cells.last().expect("the first is there");
        let way = *ways.peek().expect("a cycle has no end");
        match shape.neighbor(last, way).filter(|cell| !cells.contains(cell)) {
            Some(cell) => cells.push(cell),
            None => drop(ways.next()),
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
