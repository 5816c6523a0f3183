//! A block: the lines that are, or may yet become, one position.

use super::{
    Notation, NotationError, NotationFlaw, RowLength, Sides,
    words::{self, Cell, Word, excerpt},
};
use crate::{Board, Shape};

/// The lines so far that may belong to one position.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    text: String,
    number: usize,
    /// Whether its first `#` could be a blank: all words of the line would be tiles.
    hash: bool,
}

/// How a block is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Alone,
    Size(usize),
    Rows,
}

/// What a block has come to.
pub(super) enum Outcome {
    Incomplete,
    Right(Board),
    Wrong(NotationError),
}

/// The most lines that a position takes: a size, and a hundred numbers.
const MOST_LINES: usize = 1 + Shape::MAX_CELLS;

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }

    /// The first line that is no mere comment.
    fn head(&self) -> Option<&Line> {
        self.lines.iter().find(|line| !is_comment(&line.text))
    }

    /// Whether there is nothing in it but comments, which with `#` as the blank could be rows.
    pub(super) fn is_comment(&self) -> bool {
        self.head().is_none()
    }

    /// Whether it is meant as a position that stands alone.
    pub(super) fn is_alone(&self, notation: &Notation) -> bool {
        self.forms(notation) == [Form::Alone]
    }

    /// The number and the text of the first line.
    pub(super) fn first(&self) -> (usize, &str) {
        let line = self.head().or(self.lines.first());
        line.map_or((1, ""), |line| (line.number, &line.text))
    }

    /// Whether a line that could stand alone fits in: behind a size, or between open brackets.
    pub(super) fn has_room_for(&self, line: &str, notation: &Notation) -> bool {
        match self.forms(notation).as_slice() {
            [Form::Alone] => true,
            [Form::Size(size), ..] => {
                let behind = self.lines[1..].iter().map(|line| line.text.as_str());
                let rows = behind.chain([line]).map(|line| words::rows(line, 0, false).concat());
                numbers(&rows.collect::<Vec<_>>(), *size).len() <= size * size
            }
            _ => false,
        }
    }

    /// Whether there is a size and nothing behind it yet.
    pub(super) fn awaits_numbers(&self, notation: &Notation) -> bool {
        self.lines.len() == 1 && matches!(self.forms(notation).as_slice(), [Form::Size(_)])
    }

    /// Adds a line; a comment only if it could be a row with `#` as the blank.
    pub(super) fn push(&mut self, text: &str, number: usize, notation: &Notation) {
        let hash = text.contains('#') && {
            let rows = words::rows(text, number, true);
            let mut cells = rows.iter().flat_map(|row| words::cells(row));
            cells.all(|cell| cell.tile(Shape::MAX_CELLS, notation).is_ok())
        };
        if is_comment(text) {
            if !hash {
                return;
            }
            // One of them can be a row; which, only the next lines tell.
            if self.is_comment() && self.lines.len() == Shape::MAX_SIDE {
                self.lines.remove(0);
            }
        }
        let is_head = self.is_comment() && !is_comment(text);
        self.lines.push(Line { text: text.to_owned(), number, hash });
        if is_head && self.forms(notation) != [Form::Rows] {
            self.lines.drain(..self.lines.len() - 1);
        }
    }

    /// Reads the block as it is; `ended` if nothing will follow.
    pub(super) fn read(&self, notation: &Notation, ended: bool) -> Outcome {
        let ended = ended || self.lines.len() > MOST_LINES;
        // With no line's `#` as the blank, then with each line's first.
        let hashes = (0..self.lines.len()).filter(|&at| self.lines[at].hash).map(Some);
        let hashes: Vec<_> = std::iter::once(None).chain(hashes).collect();
        let mut first_error = None;
        let mut incomplete = false;
        for form in self.forms(notation) {
            for &hash in &hashes {
                match self.read_as(form, hash, notation, ended) {
                    Outcome::Right(board) => return Outcome::Right(board),
                    Outcome::Incomplete => incomplete = true,
                    Outcome::Wrong(error) => first_error = first_error.or(Some(error)),
                }
            }
        }
        // A line without brackets can stand alone by its `#`.
        if let [line] = self.lines.as_slice() {
            if line.hash && is_alone(&line.text, true, notation) {
                if let Outcome::Right(board) = self.read_as(Form::Alone, Some(0), notation, ended) {
                    return Outcome::Right(board);
                }
            }
        }
        match first_error {
            Some(error) if !incomplete => Outcome::Wrong(error),
            _ => Outcome::Incomplete,
        }
    }

    /// The forms that the first line allows.
    fn forms(&self, notation: &Notation) -> Vec<Form> {
        let (_, text) = self.first();
        if is_alone(text, self.is_comment(), notation) {
            return vec![Form::Alone];
        }
        let fits = |size: &usize| {
            notation.shape.is_none_or(|shape| (shape.rows(), shape.cols()) == (*size, *size))
        };
        match size(text).filter(fits) {
            // "10" may also be a row of a 1 and a 0.
            Some(Shape::MAX_SIDE) => vec![Form::Size(Shape::MAX_SIDE), Form::Rows],
            Some(size) => vec![Form::Size(size)],
            None => vec![Form::Rows],
        }
    }

    /// Reads the block in one form, with the first `#` of the line `hash` as a blank.
    fn read_as(
        &self,
        form: Form,
        hash: Option<usize>,
        notation: &Notation,
        ended: bool,
    ) -> Outcome {
        if form == Form::Alone && self.is_open() && !ended {
            return Outcome::Incomplete;
        }
        let mut rows = vec![vec![]];
        for (at, line) in self.lines.iter().enumerate() {
            words::scan(&mut rows, &line.text, line.number, hash == Some(at));
            // Between brackets a line's end is a blank like any other.
            if form != Form::Alone {
                rows.push(vec![]);
            }
        }
        rows.retain(|row| !row.is_empty());
        let sheet = Sheet { notation, start: self.first().0 };
        let result = match form {
            Form::Alone => sheet.alone(&rows, self.has_brackets()),
            Form::Size(size) => {
                rows.remove(0);
                let cells = numbers(&rows, size);
                if cells.len() < size * size && !ended {
                    return sheet.legible(&cells, size * size);
                }
                sheet.square(&cells, size)
            }
            Form::Rows => {
                let rows: Vec<_> = rows.iter().map(|row| words::cells(row)).collect();
                let full = notation.shape.is_some_and(|shape| rows.len() >= shape.rows());
                match sheet.even(&rows, notation.shape) {
                    Ok(()) if !full && !ended && rows.len() <= Shape::MAX_SIDE => {
                        return sheet.legible(&rows.concat(), Shape::MAX_CELLS);
                    }
                    Ok(()) => sheet.rows(&rows),
                    Err(error) => Err(error),
                }
            }
        };
        result.map_or_else(Outcome::Wrong, Outcome::Right)
    }

    fn has_brackets(&self) -> bool {
        self.lines.iter().any(|line| line.text.contains(['(', '[', '{']))
    }

    /// Whether more brackets are opened than closed.
    fn is_open(&self) -> bool {
        let text = self.lines.iter().map(|line| line.text.split('#').next().unwrap_or_default());
        let brackets = text.flat_map(str::chars).map(|character| match character {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        });
        brackets.sum::<i32>() > 0
    }
}

fn is_comment(line: &str) -> bool {
    words::rows(line, 0, false).is_empty()
}

/// How many cells a line has.
fn cells(line: &str, hash: bool) -> usize {
    words::rows(line, 0, hash).iter().map(|row| words::cells(row).len()).sum()
}

/// Whether a line is meant as a position by itself.
pub(super) fn is_alone(line: &str, hash: bool, notation: &Notation) -> bool {
    let comment = line.match_indices('#').nth(usize::from(hash)).map_or(line.len(), |(at, _)| at);
    if line[..comment].contains(['(', ')', '[', ']', '{', '}', '/']) {
        return true;
    }
    let cells = cells(line, hash);
    match notation.shape {
        Some(shape) => cells == shape.cells() || cells > shape.cols(),
        None => cells > Shape::MAX_SIDE || square(cells).is_some_and(|side| side >= 3),
    }
}

/// The side of a square with a number of cells.
fn square(cells: usize) -> Option<usize> {
    let side = cells.isqrt();
    (side * side == cells && (2..=Shape::MAX_SIDE).contains(&side)).then_some(side)
}

/// The size that a line holds alone.
fn size(line: &str) -> Option<usize> {
    match words::rows(line, 0, false).concat().as_slice() {
        [word] if !word.text.starts_with('0') => {
            word.text.parse().ok().filter(|size| (2..=Shape::MAX_SIDE).contains(size))
        }
        _ => None,
    }
}

/// The cells behind a size: numbers, but for a line that is one word of as many characters as a row or the
/// board has cells, and no tile.
fn numbers<'t>(rows: &[Vec<Word<'t>>], size: usize) -> Vec<Cell<'t>> {
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

/// What turns rows of words into a board.
struct Sheet<'n> {
    notation: &'n Notation,
    /// The number of the block's first line.
    start: usize,
}

impl Sheet<'_> {
    fn error(&self, flaw: NotationFlaw) -> NotationError {
        NotationError { line: self.start, column: None, flaw }
    }

    fn error_at(word: Word<'_>, flaw: NotationFlaw) -> NotationError {
        NotationError { line: word.line, column: Some(word.column), flaw }
    }

    /// Incomplete, or wrong already for a word that can be no tile.
    fn legible(&self, cells: &[Cell<'_>], most: usize) -> Outcome {
        match cells.iter().find_map(|cell| Some((cell, cell.tile(most, self.notation).err()?))) {
            Some((cell, flaw)) => Outcome::Wrong(Self::error_at(cell.word(), flaw)),
            None => Outcome::Incomplete,
        }
    }

    /// The board of a line, or of lines between brackets.
    fn alone(&self, rows: &[Vec<Word<'_>>], brackets: bool) -> Result<Board, NotationError> {
        let cells: Vec<_> = rows.iter().map(|row| words::cells(row)).collect();
        match cells.as_slice() {
            [] => Err(self.error(NotationFlaw::Empty)),
            [row] => {
                let side = square(row.len()).filter(|&side| side > 2 || brackets);
                let shape = self.notation.shape.or_else(|| Shape::new(side?, side?).ok());
                let board = match shape {
                    Some(shape) => self.board(shape, row),
                    None => self.legible(row, Shape::MAX_CELLS).error().map_or_else(
                        || Err(self.error(NotationFlaw::Shape { cells: row.len() })),
                        Err,
                    ),
                };
                board.map_err(|error| match (rows[0].as_slice(), &error.flaw) {
                    // Without a blank, a number is as likely a size.
                    ([word], NotationFlaw::Board(flaw))
                        if flaw.misses_blank() && is_decimal(word) =>
                    {
                        error.about_number(word.text)
                    }
                    _ => error,
                })
            }
            rows => self.even(rows, None).and_then(|()| self.rows(rows)),
        }
    }

    /// The square board of a size.
    fn square(&self, cells: &[Cell<'_>], size: usize) -> Result<Board, NotationError> {
        if let Outcome::Wrong(error) = self.legible(cells, size * size) {
            return Err(error);
        }
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

    /// Whether all rows are as long as the shape has it, or else as the first.
    fn even(&self, rows: &[Vec<Cell<'_>>], shape: Option<Shape>) -> Result<(), NotationError> {
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
        if let Outcome::Wrong(error) = self.legible(&rows.concat(), Shape::MAX_CELLS) {
            return Err(error);
        }
        let flaw = NotationFlaw::Row { row: number, cells: row.len(), other: length };
        Err(NotationError { line: row[0].word().line, column: None, flaw })
    }

    /// The board of rows of equal length.
    fn rows(&self, rows: &[Vec<Cell<'_>>]) -> Result<Board, NotationError> {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let cells = rows.concat();
        if height == 0 {
            return Err(self.error(NotationFlaw::Empty));
        }
        if let Outcome::Wrong(error) = self.legible(&cells, Shape::MAX_CELLS) {
            return Err(error);
        }
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

    fn board(&self, shape: Shape, cells: &[Cell<'_>]) -> Result<Board, NotationError> {
        let mut tiles = Vec::with_capacity(cells.len());
        for cell in cells {
            let tile = cell.tile(shape.cells(), self.notation);
            tiles.push(tile.map_err(|flaw| Self::error_at(cell.word(), flaw))?);
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

impl Outcome {
    fn error(self) -> Option<NotationError> {
        match self {
            Self::Wrong(error) => Some(error),
            _ => None,
        }
    }
}

impl NotationError {
    /// The same about a number that stands alone, and may have been meant as a size.
    fn about_number(self, number: &str) -> Self {
        let (number, board) = (excerpt(number), Box::new(self.flaw));
        Self { flaw: NotationFlaw::Number { number, board }, ..self }
    }
}
