//! A board: a checked placement of tiles and blank on a shape.

use std::fmt;

use crate::puzzle::{moves::Move, shape::Shape};

/// A legal placement of the tiles 1, 2, … and the blank (0) on a [`Shape`].
///
/// Boards are ordered by shape, then by their cells in row-major order.
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

/// The cells in row-major order; zero beyond the shape, so that the derived order and equality hold.
///
/// Boards of the usual sizes hold their tiles in place: a list of them is dense and quick to walk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tiles {
    Few([u8; Tiles::FEW]),
    Many(Box<[u8; Shape::MAX_CELLS]>),
}

impl Tiles {
    /// As many as 5x5 has.
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

/// Why tiles on a shape are not a [`Board`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// There are more or fewer numbers than cells.
    #[error("{found} cells given; {shape} has {}", shape.cells())]
    Count {
        /// The shape to be filled.
        shape: Shape,
        /// How many numbers there were.
        found: usize,
    },
    /// A number is larger than any tile of the shape.
    #[error("tile {tile} at {} is out of range: {shape} has the tiles 1 to {} and a blank; {missing} is missing", Place(*shape, *cell), shape.cells() - 1)]
    Range {
        /// The shape to be filled.
        shape: Shape,
        /// The number.
        tile: u8,
        /// The cell it stands in.
        cell: usize,
        /// The least number that stands nowhere (0: the blank).
        missing: Tile,
    },
    /// A number stands in two cells.
    #[error("{tile} stands twice, at {} and {}; {missing} is missing", Place(*shape, *first), Place(*shape, *second))]
    Repeated {
        /// The shape to be filled.
        shape: Shape,
        /// The number.
        tile: Tile,
        /// The cell it stands in first.
        first: usize,
        /// The cell it stands in again.
        second: usize,
        /// The least number that stands nowhere (0: the blank).
        missing: Tile,
    },
}

/// The number on a cell, shown as `tile 5` or `the blank`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile(pub u8);

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("the blank"),
            tile => write!(f, "tile {tile}"),
        }
    }
}

/// A cell of a shape, as a person counts.
struct Place(Shape, usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (self.1 / self.0.cols() + 1, self.1 % self.0.cols() + 1);
        write!(f, "row {row} column {column}")
    }
}

impl BoardError {
    /// The cell that is to blame: the one out of range, or the second with the same tile.
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
    /// The board with these tiles, in row-major order, 0 for the blank.
    ///
    /// # Errors
    ///
    /// Unless `tiles` holds each number from 0 to `shape.cells() - 1` exactly once.
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

    /// Says what is wrong with `cell`, the first that cannot be right.
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
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The cells in row-major order, 0 for the blank.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles.all()[..self.shape.cells()]
    }

    /// The first `COUNT` cells, at most 25, with zeros where the board has fewer.
    pub(crate) fn first_cells<const COUNT: usize>(&self) -> &[u8; COUNT] {
        self.tiles.all().first_chunk().expect("there is room for 25")
    }

    /// The cell of the blank, from 0 in row-major order.
    pub fn blank(&self) -> usize {
        self.blank.into()
    }

    /// The board after `step`, or `None` where the edge forbids it.
    #[must_use]
    pub fn step(&self, step: Move) -> Option<Self> {
        let mut next = self.clone();
        next.go(step).then_some(next)
    }

    /// Makes a move, or says that the edge forbids it.
    #[inline]
    pub(crate) fn go(&mut self, step: Move) -> bool {
        let (from, to) = (self.blank(), self.shape.neighbor(self.blank(), step));
        if let Some(to) = to {
            self.tiles.all_mut().swap(from, to);
            self.blank = to as u8;
        }
        to.is_some()
    }

    /// Whether moves lead from here to `other`: true for half the boards of the shape, and for none
    /// of another shape.
    ///
    /// Every move exchanges the blank with a tile and shifts the blank by one cell, so the permutation
    /// that turns one board into the other is even exactly when the blank's way is. That this is
    /// enough as well as needed: W. E. Story, *Notes on the "15" Puzzle*, 1879.
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
