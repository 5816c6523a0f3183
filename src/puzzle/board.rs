//! A board: the tiles and the blank on the cells of a shape.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::puzzle::{moves::Move, shape::Shape};

/// The tiles 1, 2, … and the blank (0) on a [`Shape`], each in one cell.
///
/// Boards are ordered by shape, then by their cells in row-major order. Serde writes a board as an object with the
/// fields `shape` and `tiles`, such as `{"shape":"2x2","tiles":[1,2,3,0]}`, and checks it when it reads one.
///
/// ```
/// use tilebase::{Board, Move, Shape};
///
/// let board = Board::new(Shape::new(3, 3)?, &[1, 2, 3, 4, 5, 6, 7, 0, 8])?;
/// assert_eq!(board.blank(), 7);
/// assert_eq!(board.step(Move::Right).unwrap().to_string(), "123456780");
/// assert_eq!(board.step(Move::Down), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    shape: Shape,
    tiles: Tiles,
    blank: u8,
}

/// The cells in row-major order. The cells beyond the shape are 0, so that the derived order and equality are right.
///
/// Boards up to 5x5 hold their tiles in place. A list of boards is then one block of memory, quick to walk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tiles {
    Few([u8; Tiles::FEW]),
    Many(Box<[u8; Shape::MAX_CELLS]>),
}

impl Tiles {
    /// The number of cells of 5x5.
    const FEW: usize = 25;

    fn zeros(shape: Shape) -> Self {
        match shape.cells() {
            ..=Self::FEW => Self::Few([0; Self::FEW]),
            _ => Self::Many(Box::new([0; Shape::MAX_CELLS])),
        }
    }

    fn all(&self) -> &[u8] {
        match self {
            Self::Few(tiles) => tiles,
            Self::Many(tiles) => tiles.as_slice(),
        }
    }

    fn all_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Few(tiles) => tiles,
            Self::Many(tiles) => tiles.as_mut_slice(),
        }
    }
}

/// Why a list of numbers is not a [`Board`] of a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The list has more or fewer numbers than the shape has cells.
    #[error("{found} cells given; {shape} has {}", shape.cells())]
    Count {
        /// The shape.
        shape: Shape,
        /// The length of the list.
        found: usize,
    },
    /// A number is larger than any tile of the shape.
    #[error("tile {tile} at {} is out of range: {shape} has the tiles 1 to {} and a blank; {missing} is missing", Place(*shape, *cell), shape.cells() - 1)]
    Range {
        /// The shape.
        shape: Shape,
        /// The number.
        tile: u8,
        /// The cell with this number.
        cell: usize,
        /// The least number that no cell has (0: the blank).
        missing: Tile,
    },
    /// Two cells have the same number.
    #[error("{tile} stands twice, at {} and {}; {missing} is missing", Place(*shape, *first), Place(*shape, *second))]
    Repeated {
        /// The shape.
        shape: Shape,
        /// The number.
        tile: Tile,
        /// The first cell with this number.
        first: usize,
        /// The second cell with this number.
        second: usize,
        /// The least number that no cell has (0: the blank).
        missing: Tile,
    },
}

/// The number on a cell, 0 for the blank. It is displayed as `tile 5` or `the blank`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile(pub u8);

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("the blank"),
            tile => write!(f, "tile {tile}"),
        }
    }
}

/// A cell of a shape, displayed by its row and its column, both from 1.
struct Place(Shape, usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (self.1 / self.0.cols() + 1, self.1 % self.0.cols() + 1);
        write!(f, "row {row} column {column}")
    }
}

impl BoardError {
    /// The cell with the error: the one out of range, or the second with the same tile.
    #[must_use]
    pub fn cell(&self) -> Option<usize> {
        match *self {
            Self::Count { .. } => None,
            Self::Range { cell, .. } => Some(cell),
            Self::Repeated { second, .. } => Some(second),
        }
    }

    /// Whether no cell has the blank.
    pub(crate) fn misses_blank(&self) -> bool {
        match self {
            Self::Count { .. } => false,
            Self::Range { missing, .. } | Self::Repeated { missing, .. } => missing.0 == 0,
        }
    }
}

impl Board {
    /// The board with these tiles in row-major order, 0 for the blank.
    ///
    /// # Errors
    ///
    /// If `tiles` does not hold each number from 0 to `shape.cells() - 1` exactly once.
    pub fn new(shape: Shape, tiles: &[u8]) -> Result<Self, BoardError> {
        let cells = shape.cells();
        if tiles.len() != cells {
            return Err(BoardError::Count { shape, found: tiles.len() });
        }
        let mut board = Self { shape, tiles: Tiles::zeros(shape), blank: 0 };
        board.tiles.all_mut()[..cells].copy_from_slice(tiles);
        let mut seen = 0u128;
        for (cell, &tile) in tiles.iter().enumerate() {
            if usize::from(tile) >= cells || seen >> tile & 1 == 1 {
                return Err(Self::flaw(shape, tiles, cell));
            }
            seen |= 1 << tile;
            if tile == 0 {
                board.blank = cell as u8;
            }
        }
        Ok(board)
    }

    /// The tiles 1, 2, 3, … in row-major order around a blank in the cell `blank`.
    pub(crate) fn in_order(shape: Shape, blank: usize) -> Self {
        let mut board = Self { shape, tiles: Tiles::zeros(shape), blank: blank as u8 };
        let cells = (0..shape.cells()).filter(|&cell| cell != blank);
        for (tile, cell) in (1..).zip(cells) {
            board.tiles.all_mut()[cell] = tile;
        }
        board
    }

    /// The error of `cell`, which is the first cell with a number out of range or a repeated one.
    fn flaw(shape: Shape, tiles: &[u8], cell: usize) -> BoardError {
        let tile = tiles[cell];
        let least_missing = (0..=u8::MAX).find(|number| !tiles.contains(number)).unwrap_or(0);
        let missing = Tile(least_missing);
        match tiles[..cell].iter().position(|&earlier| earlier == tile) {
            Some(first) => {
                BoardError::Repeated { shape, tile: Tile(tile), first, second: cell, missing }
            }
            None => BoardError::Range { shape, tile, cell, missing },
        }
    }

    /// The board's shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells in row-major order, 0 for the blank.
    #[must_use]
    pub fn tiles(&self) -> &[u8] {
        &self.tiles.all()[..self.shape.cells()]
    }

    /// The first `COUNT` cells, with zeros beyond the end of the board. `COUNT` is at most 25.
    pub(crate) fn first_cells<const COUNT: usize>(&self) -> &[u8; COUNT] {
        self.tiles.all().first_chunk().expect("a board holds at least 25 numbers")
    }

    /// The cell of the blank, numbered from 0 in row-major order.
    #[must_use]
    pub fn blank(&self) -> usize {
        self.blank.into()
    }

    /// The board after the move `step`; `None` if the blank would leave the board.
    #[must_use]
    pub fn step(&self, step: Move) -> Option<Self> {
        let mut next = self.clone();
        next.go(step).then_some(next)
    }

    /// The boards one move away, each with its move, in the order of [`Move::ALL`].
    ///
    /// ```
    /// use tilebase::{Board, Move};
    ///
    /// let board: Board = "123456780".parse()?;
    /// let neighbors = board.neighbors().map(|(step, next)| (step, next.to_string()));
    /// let expected = [(Move::Up, "123450786".to_owned()), (Move::Left, "123456708".to_owned())];
    /// assert!(neighbors.eq(expected));
    /// # Ok::<(), tilebase::NotationError>(())
    /// ```
    pub fn neighbors(&self) -> impl Iterator<Item = (Move, Self)> {
        Move::ALL.into_iter().filter_map(|step| Some((step, self.step(step)?)))
    }

    /// Makes the move `step` and returns true; false, with the board unchanged, if the blank would leave the board.
    #[inline]
    pub(crate) fn go(&mut self, step: Move) -> bool {
        let (from, to) = (self.blank(), self.shape.neighbor(self.blank(), step));
        if let Some(to) = to {
            self.tiles.all_mut().swap(from, to);
            self.blank = to as u8;
        }
        to.is_some()
    }

    /// Whether moves lead from this board to `other`. That is so for half the boards of the same shape, and for no
    /// board of another shape.
    ///
    /// A move exchanges the blank with a tile and takes the blank one cell on. So the permutation that turns one board
    /// into the other is even exactly if the blank's two cells are an even number of moves apart. This condition is
    /// also sufficient: W. E. Story, *Notes on the "15" Puzzle*, 1879.
    #[must_use]
    pub fn can_reach(&self, other: &Self) -> bool {
        if self.shape != other.shape {
            return false;
        }
        let mut cell_of = [0; Shape::MAX_CELLS];
        for (cell, &tile) in other.tiles().iter().enumerate() {
            cell_of[usize::from(tile)] = cell;
        }
        // A permutation of n cells with c cycles is a product of n - c exchanges.
        let mut seen = 0u128;
        let mut exchanges = 0;
        for start in 0..self.shape.cells() {
            let mut cell = start;
            while seen >> cell & 1 == 0 {
                seen |= 1 << cell;
                cell = cell_of[usize::from(self.tiles()[cell])];
                exchanges += usize::from(cell != start);
            }
        }
        let cols = self.shape.cols();
        let row_shift = (self.blank() / cols).abs_diff(other.blank() / cols);
        let col_shift = (self.blank() % cols).abs_diff(other.blank() % cols);
        exchanges % 2 == (row_shift + col_shift) % 2
    }
}

/// A board as serde writes it; `T` is a list of numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Board", deny_unknown_fields)]
struct Record<T> {
    shape: Shape,
    tiles: T,
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record { shape: self.shape, tiles: self.tiles() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Record::<Vec<u8>> { shape, tiles } = Record::deserialize(deserializer)?;
        Self::new(shape, &tiles).map_err(de::Error::custom)
    }
}
