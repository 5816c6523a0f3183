//! A paragraph: lines that are one position, or can become one with the next lines.

use crate::{
    notation::{
        error::NotationError,
        options::Notation,
        sheet::{self, Sheet},
        words,
    },
    puzzle::{board::Board, shape::Shape},
};

/// The lines of one position, as far as they are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    lines: Vec<Line>,
}

/// A line of a paragraph.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    number: usize,
    /// The brackets, if the first `#` begins a comment.
    plain: Brackets,
    /// The brackets, if the first `#` is the blank.
    hashed: Brackets,
    /// Whether the first `#` can be the blank: all other words of the line are tiles then.
    hash: bool,
}

/// The brackets of a line.
#[derive(Clone, Copy, Debug)]
struct Brackets {
    /// The number of opening brackets minus that of closing ones.
    open: isize,
    /// Whether the line has any.
    any: bool,
}

impl Brackets {
    fn of(code: &str) -> Self {
        let brackets = || code.matches(words::BRACKETS);
        let opening = brackets().filter(|bracket| "([{".contains(bracket)).count() as isize;
        let all = brackets().count() as isize;
        Self { open: 2 * opening - all, any: all > 0 }
    }
}

/// The forms of a paragraph, as in the [grammar](crate::notation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One line, or several between brackets.
    Alone,
    /// A size, and the numbers of a square after it.
    Size(usize),
    /// A line for each row.
    Rows,
}

/// What is read from a paragraph: a board, `None` if it is incomplete, or an error.
pub(super) type Reading = Result<Option<Board>, NotationError>;

/// No position has more lines: a hundred numbers, and as many brackets.
const MOST_LINES: usize = 2 * Shape::MAX_CELLS;

impl Paragraph {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }

    /// The first line that is not only a comment.
    fn head(&self) -> Option<&Line> {
        self.lines.iter().find(|line| !is_comment(&line.text))
    }

    /// Whether all lines are comments. With `#` as the blank they can be rows.
    pub(super) fn is_comment(&self) -> bool {
        self.head().is_none()
    }

    /// Whether the first line is meant as a position alone.
    pub(super) fn is_alone(&self, notation: &Notation) -> bool {
        self.forms(notation) == [Form::Alone]
    }

    /// The number and the text of the first line that is not a comment, or else of the first line.
    pub(super) fn first(&self) -> (usize, &str) {
        let line = self.head().or(self.lines.first());
        line.map_or((1, ""), |line| (line.number, &line.text))
    }

    /// Whether the line ends the paragraph before it: the line is a position alone, and does not complete the
    /// paragraph.
    pub(super) fn ends_before(&self, line: &str, number: usize, notation: &Notation) -> bool {
        let reads = |mut paragraph: Self| {
            paragraph.push(line, number, notation);
            matches!(paragraph.read(notation, false), Ok(Some(_)))
        };
        !self.is_empty() && reads(Self::default()) && !reads(self.clone())
    }

    /// Whether the paragraph is a size, and nothing after it.
    pub(super) fn awaits_numbers(&self, notation: &Notation) -> bool {
        self.lines.len() == 1 && matches!(self.forms(notation).as_slice(), [Form::Size(_)])
    }

    /// Adds a line. A comment is added only if it can be a row with `#` as the blank.
    pub(super) fn push(&mut self, text: &str, number: usize, notation: &Notation) {
        let code = words::code(text, true);
        let hash = text.contains('#') && {
            let rows = words::rows(code, number);
            let mut cells = rows.iter().flat_map(|row| words::cells(row));
            cells.all(|cell| cell.tile(Shape::MAX_CELLS, notation.blank.as_deref()).is_ok())
        };
        if is_comment(text) {
            if !hash {
                return;
            }
            // Which of the comments are rows, only the next lines decide. A board has no more rows than are kept.
            if self.is_comment() && self.lines.len() == Shape::MAX_SIDE {
                self.lines.remove(0);
            }
        }
        let is_head = self.is_comment() && !is_comment(text);
        let plain = Brackets::of(words::code(text, false));
        let hashed = Brackets::of(code);
        self.lines.push(Line { text: text.to_owned(), number, plain, hashed, hash });
        if is_head && self.forms(notation) != [Form::Rows] {
            self.lines.drain(..self.lines.len() - 1);
        }
    }

    /// Reads the paragraph as it is. `ended` says that no line follows.
    pub(super) fn read(&self, notation: &Notation, ended: bool) -> Reading {
        let ended = ended || self.lines.len() > MOST_LINES;
        // First without a `#` as the blank, then with the first `#` of each line. A board has few rows, so few lines
        // need to be tried.
        let hashes = (0..self.lines.len()).filter(|&at| self.lines[at].hash).map(Some);
        let hashes = hashes.take(Shape::MAX_SIDE);
        let hashes: Vec<_> = std::iter::once(None).chain(hashes).collect();
        let mut first_error = None;
        let mut incomplete = false;
        for form in self.forms(notation) {
            for &hash in &hashes {
                match self.read_as(form, hash, notation, ended) {
                    Ok(Some(board)) => return Ok(Some(board)),
                    Ok(None) => incomplete = true,
                    Err(error) => first_error = first_error.or(Some(error)),
                }
            }
        }
        // A single line can have the length of a position only with its `#`.
        if let [line] = self.lines.as_slice() {
            if line.hash && is_alone(&line.text, true, notation) {
                if let Ok(Some(board)) = self.read_as(Form::Alone, Some(0), notation, ended) {
                    return Ok(Some(board));
                }
            }
        }
        match first_error {
            Some(error) if !incomplete => Err(error),
            _ => Ok(None),
        }
    }

    /// The forms that the first line allows, in the order in which they are tried.
    fn forms(&self, notation: &Notation) -> Vec<Form> {
        let (_, text) = self.first();
        if is_alone(text, self.is_comment(), notation) {
            return vec![Form::Alone];
        }
        let fits = |size: &usize| {
            notation.shape.is_none_or(|shape| (shape.rows(), shape.cols()) == (*size, *size))
        };
        match size(text).filter(fits) {
            // "10" can also be a row of a 1 and a 0.
            Some(Shape::MAX_SIDE) => vec![Form::Size(Shape::MAX_SIDE), Form::Rows],
            Some(size) => vec![Form::Size(size)],
            None => vec![Form::Rows],
        }
    }

    /// Reads the paragraph in one form, with the first `#` of the line `hash` as the blank.
    fn read_as(
        &self,
        form: Form,
        hash: Option<usize>,
        notation: &Notation,
        ended: bool,
    ) -> Reading {
        let brackets = |(at, line): (usize, &Line)| match hash == Some(at) {
            true => line.hashed,
            false => line.plain,
        };
        let brackets = || self.lines.iter().enumerate().map(brackets);
        if form == Form::Alone && !ended && brackets().map(|line| line.open).sum::<isize>() > 0 {
            return Ok(None);
        }
        let mut rows = vec![vec![]];
        for (at, line) in self.lines.iter().enumerate() {
            words::scan(&mut rows, words::code(&line.text, hash == Some(at)), line.number);
            // Between brackets a line break is white space.
            if form != Form::Alone {
                rows.push(vec![]);
            }
        }
        rows.retain(|row| !row.is_empty());
        let sheet = Sheet { notation, start: self.first().0 };
        match form {
            Form::Alone => sheet.alone(&rows, brackets().any(|line| line.any)).map(Some),
            Form::Size(size) => {
                let cells = sheet::cells_after_size(&rows[1..], size);
                if cells.len() < size * size && !ended {
                    return sheet.legible(&cells, size * size).map(|()| None);
                }
                sheet.square(&cells, size).map(Some)
            }
            Form::Rows => {
                let rows: Vec<_> = rows.iter().map(|row| words::cells(row)).collect();
                sheet.check_lengths(&rows, notation.shape)?;
                let full = notation.shape.is_some_and(|shape| rows.len() >= shape.rows());
                if !full && !ended && rows.len() <= Shape::MAX_SIDE {
                    return sheet.legible(&rows.concat(), Shape::MAX_CELLS).map(|()| None);
                }
                sheet.rows(&rows).map(Some)
            }
        }
    }
}

/// Whether a line has neither words nor brackets outside its comment.
fn is_comment(line: &str) -> bool {
    let code = words::code(line, false);
    words::rows(code, 0).is_empty() && !code.contains(words::BRACKETS)
}

/// Whether a line is meant as a position alone. `hash` says that its first `#` is the blank.
pub(super) fn is_alone(line: &str, hash: bool, notation: &Notation) -> bool {
    let code = words::code(line, hash);
    if code.contains(words::BRACKETS) || code.contains('/') {
        return true;
    }
    let cells = words::rows(code, 0).first().map_or(0, |row| words::cells(row).len());
    match notation.shape {
        Some(shape) => cells == shape.cells() || cells > shape.cols(),
        None => {
            cells > Shape::MAX_SIDE || sheet::side_of_square(cells).is_some_and(|side| side > 2)
        }
    }
}

/// The size, if a line holds one and nothing else.
fn size(line: &str) -> Option<usize> {
    match words::rows(words::code(line, false), 0).concat().as_slice() {
        [word] if !word.text.starts_with('0') => {
            word.text.parse().ok().filter(|size| (2..=Shape::MAX_SIDE).contains(size))
        }
        _ => None,
    }
}
