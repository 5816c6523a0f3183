//! Words: how a line is cut into rows of words, and a word is read as a tile.

use crate::{
    notation::error::{NotationFlaw, excerpt},
    puzzle::shape::Shape,
};

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// Its column in characters, from 1.
    pub(super) column: usize,
}

/// The text of one cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'t> {
    /// A word that has other words in its row.
    Number(Word<'t>),
    /// A character of the only word in its row.
    Digit(Word<'t>),
}

/// The line without its comment. The first `#` begins the comment, or the second one if `hash` is set: the first is
/// the blank then.
pub(super) fn code(line: &str, hash: bool) -> &str {
    let comment = line.match_indices('#').nth(usize::from(hash));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The rows of a line without its comment.
pub(crate) fn rows(code: &str, line: usize) -> Vec<Vec<Word<'_>>> {
    let mut rows = vec![vec![]];
    scan(&mut rows, code, line);
    rows.retain(|row| !row.is_empty());
    rows
}

/// Adds the words of a line to the last row, and begins a new row after each bracket and slash.
pub(super) fn scan<'t>(rows: &mut Vec<Vec<Word<'t>>>, code: &'t str, line: usize) {
    let mut start = None;
    let mut before = ' ';
    let mut characters = code.char_indices().enumerate().peekable();
    while let Some((column, (at, character))) = characters.next() {
        let next = characters.peek().map_or(' ', |(_, (_, next))| *next);
        let separates = match character {
            '-' => start.is_some() || before == '-' || !next.is_ascii_digit(),
            ',' | ';' | '|' | '"' | '\'' => true,
            _ => character.is_whitespace() || ends_row(character),
        };
        match (separates, start) {
            (false, None) => start = Some((at, column + 1)),
            (true, Some((from, column))) => {
                let word = Word { text: &code[from..at], line, column };
                rows.last_mut().expect("the caller gives one row at least").push(word);
                start = None;
            }
            _ => {}
        }
        if ends_row(character) {
            rows.push(vec![]);
        }
        before = character;
    }
    if let Some((from, column)) = start {
        rows.last_mut().expect("the caller gives one row at least").push(Word {
            text: &code[from..],
            line,
            column,
        });
    }
}

/// All kinds of brackets.
pub(crate) const BRACKETS: [char; 6] = ['(', ')', '[', ']', '{', '}'];

fn ends_row(character: char) -> bool {
    character == '/' || BRACKETS.contains(&character)
}

/// The cells of a row.
pub(super) fn cells<'t>(row: &[Word<'t>]) -> Vec<Cell<'t>> {
    match row {
        [word] => digits(*word).collect(),
        words => words.iter().copied().map(Cell::Number).collect(),
    }
}

/// The cells of a word, one for each character.
pub(crate) fn digits(word: Word<'_>) -> impl Iterator<Item = Cell<'_>> {
    word.text.char_indices().enumerate().map(move |(number, (at, digit))| {
        let text = &word.text[at..at + digit.len_utf8()];
        Cell::Digit(Word { text, column: word.column + number, ..word })
    })
}

impl<'t> Cell<'t> {
    pub(super) fn word(&self) -> Word<'t> {
        match *self {
            Self::Number(word) | Self::Digit(word) => word,
        }
    }

    /// The tile on a board of `cells` cells, 0 for the blank. `blank` is another word for the blank.
    pub(crate) fn tile(&self, cells: usize, blank: Option<&str>) -> Result<u8, NotationFlaw> {
        let text = self.word().text;
        if blank == Some(text) {
            return Ok(0);
        }
        let blank = matches!(text, "_" | "x" | "X" | "." | "b" | "*" | "#")
            || text.bytes().all(|byte| byte == b'_');
        let token = || NotationFlaw::Token(excerpt(text));
        match self {
            Self::Digit(_) => {
                let digit = text.chars().next().and_then(|digit| digit.to_digit(36));
                match digit.map(|digit| digit as u8) {
                    Some(digit) if usize::from(digit) < cells || !blank => Ok(digit),
                    _ if blank => Ok(0),
                    _ => Err(token()),
                }
            }
            Self::Number(_) if blank => Ok(0),
            Self::Number(_) if !text.bytes().all(|byte| byte.is_ascii_digit()) => Err(token()),
            Self::Number(_) => match text.parse() {
                Ok(tile) if usize::from(tile) < Shape::MAX_CELLS => Ok(tile),
                _ => Err(NotationFlaw::Large(excerpt(text))),
            },
        }
    }
}
