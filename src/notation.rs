//! Boards as text: what is read, and the normal form that is written.
//!
//! One line holds one board, in one of two notations:
//!
//! - *digits*, a character a cell: `867254301`; from ten on, base 36 in either case;
//! - *list*, numbers with blanks, tabs, commas or semicolons between them, with or without brackets
//!   around: `8 6 7 2 5 4 3 0 1`, `[8,6,7, 2,5,4, 3,0,1]`.
//!
//! The blank is `0`. Without a [`Shape`] a line of 9, 16, 25, … cells is a square. The normal form is
//! digits up to ten cells and numbers with commas beyond.

use std::{fmt, str::FromStr};

use crate::{Board, BoardError, Shape};

/// Where a text is not a board, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotationError {
    /// The column of the token that is to blame, in characters from 1; `None` if it is no single one.
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
    /// A token is neither a tile nor a separator.
    #[error("{0:?} is no tile: expected a number, 0 for the blank")]
    Token(String),
    /// A number is larger than any tile on any board.
    #[error("{0:?} is out of range: the largest board has the tiles 1 to 99")]
    Large(String),
    /// The cells could be a board of several shapes, or of none.
    #[error("{cells} cells are no square: {}", shapes(*cells))]
    Shape {
        /// How many cells there are.
        cells: usize,
    },
    /// The numbers are not those of a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Advice about a number of cells that no square has.
fn shapes(cells: usize) -> String {
    let shapes: Vec<_> = Shape::with_cells(cells).map(|shape| shape.to_string()).collect();
    match shapes.as_slice() {
        [] => "expected as many as a board has, such as 9".to_owned(),
        [first, ..] => format!("could be {}; say which with --shape {first}", shapes.join(", ")),
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "column {column}: {}", self.flaw),
            None => write!(f, "{}", self.flaw),
        }
    }
}

/// A cell's number, or none where the token is out of range or no number.
struct Token<'t> {
    text: &'t str,
    /// Where it stands in the line, in bytes from 0.
    offset: usize,
}

impl Token<'_> {
    fn tile(&self) -> Result<u8, NotationFlaw> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|byte| byte.is_ascii_digit());
        match self.text.parse::<u8>() {
            Ok(tile) if digits && usize::from(tile) < Shape::MAX_CELLS => Ok(tile),
            _ if digits => Err(NotationFlaw::Large(self.text.to_owned())),
            _ => Err(NotationFlaw::Token(excerpt(self.text))),
        }
    }

    fn digit(&self) -> Result<u8, NotationFlaw> {
        let digit = self.text.chars().next().and_then(|digit| digit.to_digit(36));
        digit.map(|digit| digit as u8).ok_or_else(|| NotationFlaw::Token(excerpt(self.text)))
    }
}

/// As much of a token as a message should show.
fn excerpt(token: &str) -> String {
    const LONGEST: usize = 24;
    match token.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &token[..end]),
        None => token.to_owned(),
    }
}

impl Board {
    /// Reads a board from one line of text, of a given shape, or else of the square that has as many
    /// cells (2x2 only with the shape given).
    ///
    /// # Errors
    ///
    /// If the line is no board, with the column and the token that are to blame.
    pub fn parse(line: &str, shape: Option<Shape>) -> Result<Self, NotationError> {
        let separator =
            |c: char| matches!(c, ',' | ';' | '(' | ')' | '[' | ']') || c.is_whitespace();
        let token = |text: &'_ str| text.as_ptr() as usize - line.as_ptr() as usize;
        let body = line.trim_matches(separator);
        if body.is_empty() {
            Err(NotationError { column: None, flaw: NotationFlaw::Empty })
        } else if body.contains(separator) {
            let words = body.split(separator).filter(|word| !word.is_empty());
            let words = words.map(|text| Token { text, offset: token(text) });
            Self::from_tokens(line, shape, words, Token::tile)
        } else {
            let digits = body.char_indices().map(|(at, digit)| &body[at..at + digit.len_utf8()]);
            let digits = digits.map(|text| Token { text, offset: token(text) });
            Self::from_tokens(line, shape, digits, Token::digit)
        }
    }

    fn from_tokens<'t>(
        line: &str,
        shape: Option<Shape>,
        tokens: impl Iterator<Item = Token<'t>> + Clone,
        value: impl Fn(&Token<'t>) -> Result<u8, NotationFlaw>,
    ) -> Result<Self, NotationError> {
        let column = |offset: usize| Some(line[..offset].chars().count() + 1);
        let mut tiles = [0; Shape::MAX_CELLS];
        let mut cells = 0;
        for token in tokens.clone() {
            let tile = value(&token)
                .map_err(|flaw| NotationError { column: column(token.offset), flaw })?;
            if let Some(slot) = tiles.get_mut(cells) {
                *slot = tile;
            }
            cells += 1;
        }
        let square = cells.isqrt();
        let shape = match shape {
            Some(shape) => shape,
            None if square >= 3 && square * square == cells && square <= Shape::MAX_SIDE => {
                Shape::new(square, square).expect("3 to 10")
            }
            None => {
                return Err(NotationError { column: None, flaw: NotationFlaw::Shape { cells } });
            }
        };
        let board = if cells > Shape::MAX_CELLS {
            Err(BoardError::Count { shape, found: cells })
        } else {
            Self::new(shape, &tiles[..cells])
        };
        board.map_err(|error| NotationError {
            column: error.cell().and_then(|cell| column(tokens.clone().nth(cell)?.offset)),
            flaw: error.into(),
        })
    }
}

impl FromStr for Board {
    type Err = NotationError;

    fn from_str(line: &str) -> Result<Self, NotationError> {
        Self::parse(line, None)
    }
}

/// The normal form: digits up to ten cells, numbers with commas beyond.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COMPACT: usize = 10;
        let tiles = self.tiles();
        if tiles.len() <= COMPACT {
            let mut digits = [0; COMPACT];
            for (digit, tile) in digits.iter_mut().zip(tiles) {
                *digit = b'0' + tile;
            }
            return f
                .write_str(std::str::from_utf8(&digits[..tiles.len()]).map_err(|_| fmt::Error)?);
        }
        for (cell, tile) in tiles.iter().enumerate() {
            let comma = if cell == 0 { "" } else { "," };
            write!(f, "{comma}{tile}")?;
        }
        Ok(())
    }
}
