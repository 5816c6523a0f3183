//! Heuristics: estimates of how far a board is from a goal.
//!
//! A heuristic is *admissible* if it is never greater than the distance. It is *consistent* if it changes by at most
//! one with each move. A heuristic that is consistent, and 0 at the goal, is admissible.
//! [`Audit`](crate::judge::audit::Audit) tests both on all boards.

use crate::puzzle::{board::Board, moves::Move, shape::Shape};

/// An estimate of the distance to a goal.
///
/// ```
/// use tilebase::{Goal, search::{Heuristic, Manhattan, Misplaced}, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let board = "867254301".parse()?; // 31 moves from the goal
/// assert_eq!(Misplaced::new(&goal).estimate(&board), 7);
/// assert_eq!(Manhattan::new(&goal).estimate(&board), 21);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Heuristic {
    /// The estimated number of moves to the goal; `u32::MAX` if the goal cannot be reached.
    ///
    /// # Panics
    ///
    /// May panic if the board is of another shape than the goal.
    fn estimate(&self, board: &Board) -> u32;

    /// The estimate of a board, given the estimate `before` of the board before the last move `step`. It is the same as
    /// `self.estimate(board)`, but may take less time.
    ///
    /// # Panics
    ///
    /// As [`estimate`](Self::estimate). It may also panic or return a wrong value if `step` cannot have led to the
    /// board, or if `before` is not the estimate of the board before.
    fn estimate_after(&self, before: u32, step: Move, board: &Board) -> u32 {
        let _ = (before, step);
        self.estimate(board)
    }
}

/// No heuristic: 0 for every board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

/// The number of tiles that are not in their cell of the goal. The blank does not count; with it the heuristic would
/// not be admissible.
#[derive(Clone, Debug)]
pub struct Misplaced {
    goal: Board,
}

/// The sum over all tiles of the rows and columns between a tile and its cell of the goal. The blank does not count.
#[derive(Clone, Debug)]
pub struct Manhattan {
    shape: Shape,
    /// The distance of each tile in each cell: of tile t in cell c at index t · cells + c.
    distances: Box<[u8]>,
}

/// [`Manhattan`], plus two moves for each tile that has to leave its line to let others pass.
///
/// Tiles that are in their goal row, but in the wrong order, cannot all stay in it. Those that stay are in order
/// already. Each of the others leaves the row and comes back: two moves that Manhattan does not count. The number of
/// tiles that can stay is the length of the longest increasing subsequence of their goal columns. The same holds for
/// columns. (Two moves for *every* reversed pair would be too many.)
///
/// O. Hansson, A. Mayer and M. Yung, *Criticizing solutions to relaxed models yields powerful admissible
/// heuristics*, Information Sciences 63, 1992.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    /// The cell of each tile at the goal.
    cell_of: [u8; Shape::MAX_CELLS],
}

impl Heuristic for Blind {
    fn estimate(&self, _: &Board) -> u32 {
        0
    }
}

impl Misplaced {
    /// The heuristic for a goal.
    #[must_use]
    pub fn new(goal: &Board) -> Self {
        Self { goal: goal.clone() }
    }
}

impl Heuristic for Misplaced {
    fn estimate(&self, board: &Board) -> u32 {
        let cells = board.tiles().iter().zip(self.goal.tiles());
        cells.filter(|(tile, goal)| **tile != 0 && tile != goal).count() as u32
    }

    fn estimate_after(&self, before: u32, step: Move, board: &Board) -> u32 {
        let (tile, from, to) = moved(step, board);
        let is_misplaced = |cell: usize| u32::from(self.goal.tiles()[cell] != tile);
        before + is_misplaced(to) - is_misplaced(from)
    }
}

impl Manhattan {
    /// The heuristic for a goal.
    #[must_use]
    pub fn new(goal: &Board) -> Self {
        let shape = goal.shape();
        let cells = shape.cells();
        let mut distances = vec![0; cells * cells].into_boxed_slice();
        for (home, &tile) in goal.tiles().iter().enumerate().filter(|(_, tile)| **tile != 0) {
            for cell in 0..cells {
                let (row, column) = row_and_column(shape, cell);
                let (home_row, home_column) = row_and_column(shape, home);
                let distance = row.abs_diff(home_row) + column.abs_diff(home_column);
                distances[usize::from(tile) * cells + cell] = distance as u8;
            }
        }
        Self { shape, distances }
    }
}

impl Heuristic for Manhattan {
    fn estimate(&self, board: &Board) -> u32 {
        let cells = self.shape.cells();
        let distance = |(cell, &tile): (usize, &u8)| {
            u32::from(self.distances[usize::from(tile) * cells + cell])
        };
        board.tiles().iter().enumerate().map(distance).sum()
    }

    fn estimate_after(&self, before: u32, step: Move, board: &Board) -> u32 {
        let (tile, from, to) = moved(step, board);
        let distances = &self.distances[usize::from(tile) * self.shape.cells()..];
        before + u32::from(distances[to]) - u32::from(distances[from])
    }
}

impl LinearConflict {
    /// The heuristic for a goal.
    #[must_use]
    pub fn new(goal: &Board) -> Self {
        let mut cell_of = [0; Shape::MAX_CELLS];
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            cell_of[usize::from(tile)] = cell as u8;
        }
        Self { manhattan: Manhattan::new(goal), cell_of }
    }

    /// The number of tiles that have to leave a row.
    fn leaving_row(&self, board: &Board, row: usize) -> u32 {
        let cols = board.shape().cols();
        self.leaving(board, row * cols..(row + 1) * cols, |cell| cell / cols)
    }

    /// The number of tiles that have to leave a column.
    fn leaving_column(&self, board: &Board, column: usize) -> u32 {
        let (cells, cols) = (board.shape().cells(), board.shape().cols());
        self.leaving(board, (column..cells).step_by(cols), |cell| cell % cols)
    }

    /// The number of tiles that have to leave a line. `cells` are its cells in order; `line_of` is the line of a cell.
    fn leaving(
        &self,
        board: &Board,
        cells: impl Iterator<Item = usize>,
        line_of: impl Fn(usize) -> usize,
    ) -> u32 {
        // For each tile whose goal is in this line: its goal, and the greatest number of tiles that can stay, if it is
        // the last of them.
        let mut stay = [(0, 0); Shape::MAX_SIDE];
        let (mut tiles, mut longest) = (0, 0);
        for cell in cells {
            let tile = board.tiles()[cell];
            let goal = usize::from(self.cell_of[usize::from(tile)]);
            if tile == 0 || line_of(goal) != line_of(cell) {
                continue;
            }
            let before = stay[..tiles].iter().filter(|(other, _)| *other < goal);
            let most = 1 + before.map(|(_, most)| *most).max().unwrap_or(0);
            stay[tiles] = (goal, most);
            tiles += 1;
            longest = longest.max(most);
        }
        tiles as u32 - longest
    }
}

impl Heuristic for LinearConflict {
    fn estimate(&self, board: &Board) -> u32 {
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        let in_rows: u32 = (0..rows).map(|row| self.leaving_row(board, row)).sum();
        let in_columns: u32 = (0..cols).map(|column| self.leaving_column(board, column)).sum();
        self.manhattan.estimate(board) + 2 * (in_rows + in_columns)
    }

    fn estimate_after(&self, before: u32, step: Move, board: &Board) -> u32 {
        let (_, from, to) = moved(step, board);
        let cols = board.shape().cols();
        // The order in the line of the move does not change. The tile leaves one line across it and enters another.
        let leaving = |board: &Board| match step {
            Move::Up | Move::Down => {
                self.leaving_row(board, from / cols) + self.leaving_row(board, to / cols)
            }
            Move::Left | Move::Right => {
                self.leaving_column(board, from % cols) + self.leaving_column(board, to % cols)
            }
        };
        let mut last = board.clone();
        last.go(step.opposite());
        let manhattan = self.manhattan.estimate_after(before, step, board);
        manhattan + 2 * leaving(board) - 2 * leaving(&last)
    }
}

impl<H: Heuristic + ?Sized> Heuristic for &H {
    fn estimate(&self, board: &Board) -> u32 {
        (**self).estimate(board)
    }

    fn estimate_after(&self, before: u32, step: Move, board: &Board) -> u32 {
        (**self).estimate_after(before, step, board)
    }
}

/// The tile that the last move `step` moved, its cell before, and its cell on `board`.
fn moved(step: Move, board: &Board) -> (u8, usize, usize) {
    let (cols, from) = (board.shape().cols(), board.blank());
    let to = match step {
        Move::Up => from + cols,
        Move::Down => from - cols,
        Move::Left => from + 1,
        Move::Right => from - 1,
    };
    (board.tiles()[to], from, to)
}

/// The row and the column of a cell.
fn row_and_column(shape: Shape, cell: usize) -> (usize, usize) {
    (cell / shape.cols(), cell % shape.cols())
}
