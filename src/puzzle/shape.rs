//! The shape of a board: how many rows and columns it has.

use std::{fmt, str::FromStr};

use crate::puzzle::moves::Move;

/// Rows by columns, each from 2 to 10.
///
/// Cells are numbered in row-major order from 0, the way a board is read: on 3x3 the top left cell
/// is 0, the centre 4, the bottom right 8.
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

/// Why something is not a [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// A side is shorter than 2 or longer than 10.
    #[error("{rows}x{cols} is no shape: rows and columns go from 2 to 10")]
    Side {
        /// The rows that were asked for.
        rows: usize,
        /// The columns that were asked for.
        cols: usize,
    },
    /// The text is not two numbers with an `x` between them.
    #[error("{0:?} is no shape: expected rows x columns, such as 3x3")]
    Text(String),
}

impl Shape {
    /// The longest side a shape can have.
    pub const MAX_SIDE: usize = 10;
    /// The most cells a shape can have.
    pub const MAX_CELLS: usize = Self::MAX_SIDE * Self::MAX_SIDE;

    /// The shape of `rows` by `cols`.
    ///
    /// # Errors
    ///
    /// [`ShapeError::Side`] unless both are from 2 to 10.
    pub fn new(rows: usize, cols: usize) -> Result<Self, ShapeError> {
        let side = 2..=Self::MAX_SIDE;
        if side.contains(&rows) && side.contains(&cols) {
            Ok(Self { rows: rows as u8, cols: cols as u8 })
        } else {
            Err(ShapeError::Side { rows, cols })
        }
    }

    /// Every shape of exactly this many cells, the widest first; none, one or several.
    pub fn with_cells(cells: usize) -> impl Iterator<Item = Self> {
        (2..=Self::MAX_SIDE)
            .filter(move |rows| cells % rows == 0)
            .filter_map(move |rows| Self::new(rows, cells / rows).ok())
    }

    /// How many rows, 2 to 10.
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// How many columns, 2 to 10.
    pub fn cols(self) -> usize {
        self.cols.into()
    }

    /// How many cells, 4 to 100.
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The shape with rows and columns exchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }

    /// This shape, or its transpose where that has more rows: the form in which tables are kept.
    #[must_use]
    pub fn tall(self) -> Self {
        if self.rows >= self.cols { self } else { self.transposed() }
    }

    /// The cell that a blank in `cell` goes to by `step`, or `None` at the edge of the board.
    pub fn neighbor(self, cell: usize, step: Move) -> Option<usize> {
        let cols = self.cols();
        // Bytes divide twice as fast as words do.
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
