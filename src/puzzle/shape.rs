//! The shape of a board: how many rows and columns it has.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::puzzle::moves::Move;

/// Rows by columns, each from 2 to 10.
///
/// Cells are numbered from 0 in row-major order: on 3x3 the top left cell is 0, the centre 4, the bottom right 8. Serde
/// writes a shape as text, such as `"3x4"`.
///
/// ```
/// use tilebase::Shape;
///
/// let shape: Shape = "3x4".parse()?;
/// assert_eq!((shape.rows(), shape.cols(), shape.cells()), (3, 4, 12));
/// # Ok::<(), tilebase::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

/// Why rows and columns, or a text, are not a [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// The number of rows or of columns is not from 2 to 10.
    #[error("{rows}x{cols} is no shape: rows and columns go from 2 to 10")]
    Side {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// The text is not two numbers with an `x` between them.
    #[error("{0:?} is no shape: expected rows x columns, such as 3x3")]
    Text(String),
}

impl Shape {
    /// The greatest number of rows, and of columns.
    pub const MAX_SIDE: usize = 10;
    /// The greatest number of cells.
    pub const MAX_CELLS: usize = Self::MAX_SIDE * Self::MAX_SIDE;

    /// The shape of `rows` by `cols`.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Side`] if one of them is not from 2 to 10.
    pub fn new(rows: usize, cols: usize) -> Result<Self, ShapeError> {
        let side = 2..=Self::MAX_SIDE;
        if side.contains(&rows) && side.contains(&cols) {
            Ok(Self { rows: rows as u8, cols: cols as u8 })
        } else {
            Err(ShapeError::Side { rows, cols })
        }
    }

    /// Every shape with exactly this number of cells, the widest first.
    pub fn with_cells(cells: usize) -> impl Iterator<Item = Self> {
        (2..=Self::MAX_SIDE)
            .filter(move |rows| cells % rows == 0)
            .filter_map(move |rows| Self::new(rows, cells / rows).ok())
    }

    /// The number of rows, 2 to 10.
    #[must_use]
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// The number of columns, 2 to 10.
    #[must_use]
    pub fn cols(self) -> usize {
        self.cols.into()
    }

    /// The number of cells, 4 to 100.
    #[must_use]
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The shape with rows and columns exchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }

    /// This shape, or its transpose if that has more rows. Tables exist for tall shapes only.
    #[must_use]
    pub fn tall(self) -> Self {
        if self.rows >= self.cols { self } else { self.transposed() }
    }

    /// The cell to which the move `step` takes a blank in `cell`; `None` if it would leave the board.
    #[must_use]
    pub fn neighbor(self, cell: usize, step: Move) -> Option<usize> {
        let cols = self.cols();
        // Dividing bytes takes half the time of dividing words.
        let column = || cell as u8 % self.cols;
        match step {
            Move::Up => cell.checked_sub(cols),
            Move::Down => Some(cell + cols).filter(|&to| to < self.cells()),
            Move::Left => (column() != 0).then(|| cell - 1),
            Move::Right => (column() != self.cols - 1).then(|| cell + 1),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let sides = text
            .split_once(['x', 'X'])
            .and_then(|(rows, cols)| Some((rows.trim().parse().ok()?, cols.trim().parse().ok()?)));
        match sides {
            Some((rows, cols)) => Self::new(rows, cols),
            None => Err(ShapeError::Text(text.to_owned())),
        }
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
