//! Boards as text: what is read, and what is written.
//!
//! # The grammar
//!
//! A *line* is cut into *rows* of *words*. Blanks, tabs, commas, semicolons, bars, quotes and dashes
//! stand between words (a dash before a digit and behind no word is a sign); brackets of any kind and
//! slashes end a row. A row of several words has a cell a word, and each is a decimal number; a row of
//! one word has a cell a character, and each is a digit of base 36, in either case.
//!
//! The blank is `0`, `_`, `x`, `X`, `.`, `b`, `*` or a word of underscores, and what
//! [`Notation::blank`] says. A letter that is a digit less than the number of cells is that digit.
//!
//! A *block* of lines is a position, in one of these *forms*:
//!
//! | form | the block | the board |
//! |---|---|---|
//! | alone | one line with brackets or slashes, or with as many cells as the [`Notation::shape`] or else 9, 16, 25, … 100, or with more than a row can have; brackets left open go on in the next line | rows, or one row for a square or the given shape |
//! | size | a number from 2 to 10 alone on the first line, then that number squared of cells with any line breaks | a square |
//! | rows | lines of equally many cells, to the next empty line or the end; with a shape given, to its last row | a row a line |
//!
//! `#` begins a comment, and lines of nothing else are passed over; but one `#` in a block is the
//! blank if the board is right with it and not without.
//!
//! A block is read under every form and every meaning of `#` that it allows: the first that is complete and
//! right is taken. It is an error once all are wrong, and the error is that of the first. A line that is
//! right alone ends a block that it does not complete, so a bracket that is never closed costs nothing
//! else. After an error reading goes on behind the next empty line, or at the next line that is alone;
//! after an error in a line that is alone, at the line behind it.

mod block;
pub(crate) mod reader;
mod sheet;
pub(crate) mod words;
pub(crate) mod write;

use std::{fmt, str::FromStr};

pub use reader::{Position, Reader};
pub use write::{BoardNotation, MoveNotation, UnknownNotation};

use crate::puzzle::{
    board::{Board, BoardError},
    shape::Shape,
};

/// How positions are read: the module's grammar, and what is known beforehand.
///
/// ```
/// use tilebase::Notation;
///
/// let nine_is_blank = Notation { blank: Some("9".to_owned()), ..Notation::default() };
/// assert_eq!(nine_is_blank.read("8 6 7/2 5 4/3 9 1")?.to_string(), "867254301");
/// # Ok::<(), tilebase::NotationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// The shape that positions must have, if it is known.
    pub shape: Option<Shape>,
    /// A word that stands for the blank, beside the usual ones.
    pub blank: Option<String>,
}

/// Where a text is not a board, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotationError {
    /// The line, from 1.
    pub line: usize,
    /// The column of the word that is to blame, in characters from 1; `None` if it is no single one.
    pub column: Option<usize>,
    /// What is wrong.
    pub flaw: NotationFlaw,
}

/// What is wrong with a text that should be a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationFlaw {
    /// There is nothing to read.
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
    /// The cells could be a board of several shapes, or of none.
    #[error("{} in a row: {}", Count(*cells), shapes(*cells))]
    Shape {
        /// How many cells there are.
        cells: usize,
    },
    /// A row is longer or shorter than the others.
    #[error("row {row} has {}, {other}", Count(*cells))]
    Row {
        /// The row, from 1.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many it should have, and why.
        other: RowLength,
    },
    /// Rows and columns are those of no shape, or of another.
    #[error("{rows} rows of {}: expected {expected}", Count(*cols))]
    Sides {
        /// How many rows there are.
        rows: usize,
        /// How many cells each has.
        cols: usize,
        /// What was expected.
        expected: Sides,
    },
    /// A size is followed by too many numbers, or too few.
    #[error("{numbers} numbers after size {size}: expected {}", size * size)]
    Size {
        /// The size.
        size: usize,
        /// How many numbers follow.
        numbers: usize,
    },
    /// A number stands alone and is neither a size nor a board.
    #[error("{number:?} alone is no size (2 to 10), and no board: {board}")]
    Number {
        /// The number.
        number: String,
        /// Why it is no board.
        board: Box<NotationFlaw>,
    },
    /// The numbers are not those of a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The line is too long to be a position.
    #[error(
        "the line is longer than any position: it has more than {} bytes",
        Reader::LONGEST_LINE
    )]
    Long,
    /// There is more than one position where one should be.
    #[error("a second position begins here: expected one alone")]
    Second,
}

/// Why a row should have a number of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLength {
    /// The first row has as many.
    First(usize),
    /// The shape has as many columns.
    Shape(Shape),
}

/// What rows and columns should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Those of any shape.
    Any,
    /// Those of this shape.
    Of(Shape),
}

/// A number of cells.
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

/// Advice about a number of cells that no square has.
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

impl Notation {
    /// Notations of positions of one shape.
    pub fn of(shape: Shape) -> Self {
        Self { shape: Some(shape), blank: None }
    }

    /// Whether a text is a word of the grammar, which [`blank`](Self::blank) has to be to be met.
    pub fn is_word(text: &str) -> bool {
        let rows = words::rows(text, 1);
        matches!(rows.concat().as_slice(), [word] if word.text == text)
    }

    /// Reads a text that holds one position and nothing else.
    ///
    /// # Errors
    ///
    /// If it does not, with the line, the column and the word that are to blame.
    pub fn read(&self, text: &str) -> Result<Board, NotationError> {
        if let Some(board) = self.compact(text) {
            return Ok(board);
        }
        let mut reader = Reader::new(self.clone());
        let mut found = Vec::new();
        for line in text.lines() {
            found.extend(reader.line(line));
            // No more than what is needed, and no less: an error, or one too many.
            if found.len() > 1 || found.iter().any(|position| position.board.is_err()) {
                break;
            }
        }
        if found.is_empty() || found[0].board.is_ok() {
            found.extend(reader.end());
        }
        let error = |line, flaw| Err(NotationError { line, column: None, flaw });
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (None, _) => error(1, NotationFlaw::Empty),
            (Some(Position { board: Ok(_), .. }), Some(second)) => {
                error(second.line, NotationFlaw::Second)
            }
            (Some(first), _) => first.board,
        }
    }
}

impl Notation {
    /// The most frequent text, tried first: the digits of a board and nothing else.
    fn compact(&self, text: &str) -> Option<Board> {
        let shape = match (self.shape, text.len()) {
            (Some(shape), _) => shape,
            (None, 9) => Shape::new(3, 3).ok()?,
            (None, 16) => Shape::new(4, 4).ok()?,
            _ => return None,
        };
        if text.len() != shape.cells() || self.blank.is_some() {
            return None;
        }
        let mut tiles = [0; Shape::MAX_CELLS];
        for (tile, byte) in tiles.iter_mut().zip(text.bytes()) {
            *tile = char::from(byte).to_digit(36)? as u8;
        }
        Board::new(shape, &tiles[..text.len()]).ok()
    }
}

impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Notation::default().read(text)
    }
}
