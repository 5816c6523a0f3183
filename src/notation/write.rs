//! How boards and moves are written.

use std::{fmt, str::FromStr};

use crate::puzzle::{board::Board, moves::Move};

/// How a board is written. [`Notation::read`](crate::Notation::read) reads each form back, if the shape is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardNotation {
    /// Digits up to ten cells, else numbers with commas between them: `867254301`, `1,2,3,…`.
    #[default]
    Normal,
    /// A line for each row, with right-aligned numbers. The last line has no line break.
    Rows,
    /// Numbers with spaces between them.
    List,
    /// A digit of base 36 for each cell, in upper case. Beyond 36 cells, as [`List`](Self::List).
    Digits,
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveNotation {
    /// Letters for the directions of the blank, with nothing between them: `UL`.
    #[default]
    Blank,
    /// Letters for the directions of the tiles, which are the opposite ones: `DR`.
    Tile,
    /// The numbers of the tiles that move, with spaces between them: `3 12`.
    Numbers,
    /// Words for the directions of the blank, with spaces between them: `up left`.
    Words,
}

impl BoardNotation {
    /// The board in this notation.
    #[must_use]
    pub fn show(self, board: &Board) -> impl fmt::Display + '_ {
        ShownBoard { board, notation: self }
    }
}

/// A board with the notation in which it is displayed.
struct ShownBoard<'b> {
    board: &'b Board,
    notation: BoardNotation,
}

impl fmt::Display for ShownBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BASE: u32 = 36;
        const COMPACT: usize = 10;
        let tiles = self.board.tiles();
        match self.notation {
            BoardNotation::Normal if tiles.len() <= COMPACT => {
                let mut digits = [0; COMPACT];
                for (digit, tile) in digits.iter_mut().zip(tiles) {
                    *digit = b'0' + tile;
                }
                f.write_str(std::str::from_utf8(&digits[..tiles.len()]).map_err(|_| fmt::Error)?)
            }
            BoardNotation::Normal => separated(f, tiles, ","),
            BoardNotation::Digits if tiles.len() <= BASE as usize => {
                let digits = tiles.iter().filter_map(|&tile| char::from_digit(tile.into(), BASE));
                digits
                    .map(|digit| digit.to_ascii_uppercase())
                    .try_for_each(|digit| write!(f, "{digit}"))
            }
            BoardNotation::List | BoardNotation::Digits => separated(f, tiles, " "),
            BoardNotation::Rows => {
                let width = (tiles.len() - 1).to_string().len();
                for (number, row) in tiles.chunks(self.board.shape().cols()).enumerate() {
                    f.write_str(if number > 0 { "\n" } else { "" })?;
                    let padded = row.iter().map(|tile| format!("{tile:>width$}"));
                    separated(f, &padded.collect::<Vec<_>>(), " ")?;
                }
                Ok(())
            }
        }
    }
}

impl MoveNotation {
    /// The moves from a board in this notation.
    ///
    /// ```
    /// use tilebase::{Board, Move, MoveNotation};
    ///
    /// let board: Board = "123456708".parse()?;
    /// let path = [Move::Up, Move::Left];
    /// assert_eq!(MoveNotation::Blank.show(&board, &path).to_string(), "UL");
    /// assert_eq!(MoveNotation::Tile.show(&board, &path).to_string(), "DR");
    /// assert_eq!(MoveNotation::Numbers.show(&board, &path).to_string(), "5 4");
    /// assert_eq!(MoveNotation::Words.show(&board, &path).to_string(), "up left");
    /// # Ok::<(), tilebase::NotationError>(())
    /// ```
    #[must_use]
    pub fn show<'p>(self, start: &'p Board, path: &'p [Move]) -> impl fmt::Display + 'p {
        ShownPath { start, path, notation: self }
    }
}

/// Moves with the notation in which they are displayed.
struct ShownPath<'p> {
    start: &'p Board,
    path: &'p [Move],
    notation: MoveNotation,
}

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.notation {
            MoveNotation::Blank => self.path.iter().try_for_each(|step| write!(f, "{step}")),
            MoveNotation::Tile => {
                self.path.iter().try_for_each(|step| write!(f, "{}", step.opposite()))
            }
            MoveNotation::Words => {
                separated(f, &self.path.iter().map(|step| step.word()).collect::<Vec<_>>(), " ")
            }
            MoveNotation::Numbers => {
                let tiles = self.path.iter().scan(self.start.clone(), |board, &step| {
                    let next = board.step(step)?;
                    let tile = next.tiles()[board.blank()];
                    *board = next;
                    Some(tile)
                });
                separated(f, &tiles.collect::<Vec<_>>(), " ")
            }
        }
    }
}

/// Writes items with a text between them.
fn separated(
    f: &mut fmt::Formatter<'_>,
    items: &[impl fmt::Display],
    between: &str,
) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        f.write_str(if number > 0 { between } else { "" })?;
        write!(f, "{item}")?;
    }
    Ok(())
}

/// Writes a board in [`BoardNotation::Normal`].
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BoardNotation::Normal.show(self).fmt(f)
    }
}

/// The error for a text that is not the name of a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct UnknownNotation(&'static str);

impl FromStr for BoardNotation {
    type Err = UnknownNotation;

    fn from_str(name: &str) -> Result<Self, UnknownNotation> {
        match name {
            "normal" => Ok(Self::Normal),
            "rows" => Ok(Self::Rows),
            "list" => Ok(Self::List),
            "digits" => Ok(Self::Digits),
            _ => Err(UnknownNotation("normal, rows, list or digits")),
        }
    }
}

impl FromStr for MoveNotation {
    type Err = UnknownNotation;

    fn from_str(name: &str) -> Result<Self, UnknownNotation> {
        match name {
            "blank" => Ok(Self::Blank),
            "tile" => Ok(Self::Tile),
            "numbers" => Ok(Self::Numbers),
            "words" => Ok(Self::Words),
            _ => Err(UnknownNotation("blank, tile, numbers or words")),
        }
    }
}
