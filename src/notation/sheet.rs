//! A sheet: makes a board of rows of words.

use crate::{
    notation::{
        error::{NotationError, NotationFlaw, RowLength, Sides},
        options::Notation,
        words::{self, Cell, Word},
    },
    puzzle::{board::Board, shape::Shape},
};

/// Makes boards of rows of words.
pub(super) struct Sheet<'n> {
    pub(super) notation: &'n Notation,
    /// The number of the paragraph's first line, from 1.
    pub(super) start: usize,
}

impl Sheet<'_> {
    /// An error of the paragraph as a whole.
    fn error(&self, flaw: NotationFlaw) -> NotationError {
        NotationError { line: self.start, column: None, flaw }
    }

    /// An error of one word.
    fn error_at(word: Word<'_>, flaw: NotationFlaw) -> NotationError {
        NotationError { line: word.line, column: Some(word.column), flaw }
    }

    /// Checks that each cell can be a tile or the blank of a board with at most `most` cells.
    pub(super) fn legible(&self, cells: &[Cell<'_>], most: usize) -> Result<(), NotationError> {
        cells.iter().try_for_each(|cell| self.tile(cell, most).map(drop))
    }

    /// The board of one line, or of several lines between brackets.
    pub(super) fn alone(
        &self,
        rows: &[Vec<Word<'_>>],
        brackets: bool,
    ) -> Result<Board, NotationError> {
        let cells: Vec<_> = rows.iter().map(|row| words::cells(row)).collect();
        match cells.as_slice() {
            [] => Err(self.error(NotationFlaw::Empty)),
            [row] => {
                let side = side_of_square(row.len()).filter(|&side| side > 2 || brackets);
                let shape = self.notation.shape.or_else(|| Shape::new(side?, side?).ok());
                let board = match shape {
                    Some(shape) => self.board(shape, row),
                    None => self
                        .legible(row, Shape::MAX_CELLS)
                        .and(Err(self.error(NotationFlaw::Shape { cells: row.len() }))),
                };
                board.map_err(|error| match (rows[0].as_slice(), &error.flaw) {
                    // A number without a blank may have been meant as a size.
                    ([word], NotationFlaw::Board(flaw))
                        if flaw.misses_blank() && is_decimal(word) =>
                    {
                        error.about_number(word.text)
                    }
                    _ => error,
                })
            }
            rows => self.check_lengths(rows, None).and_then(|()| self.rows(rows)),
        }
    }

    /// The square board with `size` rows.
    pub(super) fn square(&self, cells: &[Cell<'_>], size: usize) -> Result<Board, NotationError> {
        self.legible(cells, size * size)?;
        let numbers = cells.len();
        if numbers != size * size {
            let flaw = NotationFlaw::Size { size, numbers };
            return Err(match cells.get(size * size) {
                Some(cell) => Self::error_at(cell.word(), flaw),
                None => self.error(flaw),
            });
        }
        let shape = Shape::new(size, size).expect("a size is 2 to 10");
        self.board(shape, cells)
    }

    /// Checks that all rows have as many cells as the shape has columns, or without a shape, as the first row.
    pub(super) fn check_lengths(
        &self,
        rows: &[Vec<Cell<'_>>],
        shape: Option<Shape>,
    ) -> Result<(), NotationError> {
        let length = match (shape, rows.first()) {
            (Some(shape), _) => RowLength::Shape(shape),
            (None, Some(first)) => RowLength::First(first.len()),
            (None, None) => return Ok(()),
        };
        let expected = match length {
            RowLength::Shape(shape) => shape.cols(),
            RowLength::First(cells) => cells,
        };
        let odd = (1..).zip(rows).find(|(_, row)| row.len() != expected);
        let Some((number, row)) = odd else { return Ok(()) };
        self.legible(&rows.concat(), Shape::MAX_CELLS)?;
        let flaw = NotationFlaw::Row { row: number, cells: row.len(), other: length };
        Err(NotationError { line: row[0].word().line, column: None, flaw })
    }

    /// The board of rows of equal length.
    pub(super) fn rows(&self, rows: &[Vec<Cell<'_>>]) -> Result<Board, NotationError> {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let cells = rows.concat();
        if height == 0 {
            return Err(self.error(NotationFlaw::Empty));
        }
        self.legible(&cells, Shape::MAX_CELLS)?;
        let sides =
            |expected| Err(self.error(NotationFlaw::Sides { rows: height, cols: width, expected }));
        match (self.notation.shape, Shape::new(height, width)) {
            (Some(expected), Ok(shape)) if shape != expected => sides(Sides::Of(expected)),
            (Some(expected), Err(_)) => sides(Sides::Of(expected)),
            (_, Ok(shape)) => self.board(shape, &cells),
            (None, Err(_)) if height == 1 => {
                let error = self.error(NotationFlaw::Shape { cells: width });
                let only = cells[0].word();
                Err(if width == 1 { error.about_number(only.text) } else { error })
            }
            (None, Err(_)) => sides(Sides::Any),
        }
    }

    /// The tile of a cell on a board with this number of cells, 0 for the blank.
    fn tile(&self, cell: &Cell<'_>, cells: usize) -> Result<u8, NotationError> {
        let tile = cell.tile(cells, self.notation.blank.as_deref());
        tile.map_err(|flaw| Self::error_at(cell.word(), flaw))
    }

    /// The board with these cells.
    fn board(&self, shape: Shape, cells: &[Cell<'_>]) -> Result<Board, NotationError> {
        let mut tiles = Vec::with_capacity(cells.len());
        for cell in cells {
            tiles.push(self.tile(cell, shape.cells())?);
        }
        Board::new(shape, &tiles).map_err(|error| match error.cell() {
            Some(cell) => Self::error_at(cells[cell].word(), error.into()),
            None => self.error(error.into()),
        })
    }
}

fn is_decimal(word: &Word<'_>) -> bool {
    word.text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The side of the square with this number of cells, if there is one from 2 to 10.
pub(super) fn side_of_square(cells: usize) -> Option<usize> {
    let side = cells.isqrt();
    (side * side == cells && (2..=Shape::MAX_SIDE).contains(&side)).then_some(side)
}

/// The cells after a size. Each word is a number, except a word alone on its line that is no tile and has as many
/// characters as a row or the board has cells: its characters are cells.
pub(super) fn cells_after_size<'t>(rows: &[Vec<Word<'t>>], size: usize) -> Vec<Cell<'t>> {
    let compact = |word: &Word<'_>| {
        let length = word.text.chars().count();
        let tile = word.text.parse().is_ok_and(|tile: usize| tile < size * size);
        (length == size || length == size * size) && !tile
    };
    let cells = rows.iter().flat_map(|row| match row.as_slice() {
        [word] if compact(word) => words::digits(*word).collect::<Vec<_>>(),
        words => words.iter().copied().map(Cell::Number).collect(),
    });
    cells.collect()
}
