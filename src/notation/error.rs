//! Why a text is not a board.

use std::fmt;

use crate::puzzle::{board::BoardError, shape::Shape};

/// The error for a text that is not a board: where it is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotationError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of the wrong word, in characters from 1; `None` if the error is not one of a single word.
    pub column: Option<usize>,
    /// What is wrong.
    pub flaw: NotationFlaw,
}

/// What is wrong with a text that is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationFlaw {
    /// The text has no words.
    #[error("no position here: expected the tiles row by row, 0 for the blank")]
    Empty,
    /// A word is neither a tile nor the blank.
    #[error("{0:?} is no tile: expected a number, or 0 or _ for the blank")]
    Token(String),
    /// A number is larger than any tile on any board.
    #[error(
        "{0:?} is out of range: the largest board has the tiles 1 to 99 (rows of digits need a line each, \
         or slashes between)"
    )]
    Large(String),
    /// One row of cells, which has the length of several boards or of none.
    #[error("{} in a row: {}", Count(*cells), shapes(*cells))]
    Shape {
        /// The number of cells.
        cells: usize,
    },
    /// A row has a wrong number of cells.
    #[error("row {row} has {}, {other}", Count(*cells))]
    Row {
        /// The number of the row, from 1.
        row: usize,
        /// The number of its cells.
        cells: usize,
        /// The number of cells that it should have, with the reason.
        other: RowLength,
    },
    /// The rows and columns are not those of a shape, or not those of the expected shape.
    #[error("{rows} rows of {}: expected {expected}", Count(*cols))]
    Sides {
        /// The number of rows.
        rows: usize,
        /// The number of cells in each row.
        cols: usize,
        /// The expected rows and columns.
        expected: Sides,
    },
    /// After a size come too many numbers, or too few.
    #[error("{numbers} numbers after size {size}: expected {}", size * size)]
    Size {
        /// The size.
        size: usize,
        /// The number of numbers after it.
        numbers: usize,
    },
    /// A number alone on its line, which is neither a size nor a board.
    #[error("{number:?} alone is no size (2 to 10), and no board: {board}")]
    Number {
        /// The number.
        number: String,
        /// Why it is not a board.
        board: Box<NotationFlaw>,
    },
    /// The numbers are not those of a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The line is too long for a position.
    #[error("the line is longer than any position: it has more than {limit} bytes")]
    Long {
        /// The greatest length of a line, in bytes.
        limit: usize,
    },
    /// The text has a second position, where one is expected.
    #[error("a second position begins here: expected one alone")]
    Second,
}

/// The number of cells that a row should have, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLength {
    /// The first row has this number of cells.
    First(usize),
    /// A row of this shape has as many cells as the shape has columns.
    Shape(Shape),
}

/// The expected rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The rows and columns of any shape.
    Any,
    /// The rows and columns of this shape.
    Of(Shape),
}

/// A number of cells, displayed with its noun.
struct Count(usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 cell"),
            cells => write!(f, "{cells} cells"),
        }
    }
}

impl fmt::Display for RowLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(cells) => write!(f, "row 1 has {cells}"),
            Self::Shape(shape) => write!(f, "a row of {shape} has {}", shape.cols()),
        }
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("2 to 10 of each"),
            Self::Of(shape) => write!(f, "{shape}"),
        }
    }
}

/// Advice about a row of cells that is no square board: the shapes with as many cells.
fn shapes(cells: usize) -> String {
    let shapes: Vec<_> = Shape::with_cells(cells).map(|shape| shape.to_string()).collect();
    match shapes.as_slice() {
        [] => "expected as many as a board has, such as 9".to_owned(),
        shapes => format!("the board could be {}", shapes.join(" or ")),
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}, column {column}: {}", self.line, self.flaw),
            None => write!(f, "line {}: {}", self.line, self.flaw),
        }
    }
}

impl NotationError {
    /// Turns an error about a row of one number into one about that number, which may have been meant as a size.
    pub(super) fn about_number(self, number: &str) -> Self {
        let (number, board) = (excerpt(number), Box::new(self.flaw));
        Self { flaw: NotationFlaw::Number { number, board }, ..self }
    }
}

/// The beginning of a word, short enough for a message.
pub(crate) fn excerpt(word: &str) -> String {
    const LONGEST: usize = 24;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
