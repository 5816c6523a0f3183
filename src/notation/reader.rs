//! The reader: finds the positions in a text.

use std::str::FromStr;

use crate::{
    notation::{
        error::{NotationError, NotationFlaw},
        options::Notation,
        paragraph::{self, Paragraph, Reading},
    },
    puzzle::board::Board,
};

/// Finds the positions in a text that is given line by line, in constant memory.
///
/// ```
/// use tilebase::{Notation, notation::Reader};
///
/// let mut reader = Reader::new(Notation::default());
/// let text = "123456708\n\n1 2 3\n4 5 6\n7 _ 8\n";
/// let mut boards: Vec<_> = text.lines().flat_map(|line| reader.line(line)).collect();
/// boards.extend(reader.end());
/// assert_eq!(boards.len(), 2);
/// assert_eq!(boards[1].line, 3);
/// assert_eq!(boards[0].board, boards[1].board);
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    notation: Notation,
    /// The number of the last line that was read.
    number: usize,
    paragraph: Paragraph,
    mode: Mode,
}

/// What the lines read so far mean for the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The next line is read like any other.
    Reading,
    /// After an error: lines are skipped up to the next empty line, or the next one that is a position alone.
    Skipping,
    /// After a number alone that was neither a size nor a board. If the lines after it are no position either, they
    /// belong to the same error, and are not reported again.
    Doubting,
}

/// A position of a text, right or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its first line, without white space at the end.
    pub text: String,
    /// The board, or the error.
    pub board: Result<Board, NotationError>,
}

impl Reader {
    /// The greatest length of a line, in bytes, unless it has a comment. A longer line is an error. A caller may cut
    /// such a line anywhere behind this length.
    pub const LONGEST_LINE: usize = 4096;

    /// A reader that has read nothing yet.
    #[must_use]
    pub fn new(notation: Notation) -> Self {
        Self { notation, number: 0, paragraph: Paragraph::default(), mode: Mode::Reading }
    }

    /// Reads the next line, with or without its line break. Returns the positions that are complete with it: none, one,
    /// or two if this line ends a paragraph and is a position itself.
    pub fn line(&mut self, line: &str) -> impl Iterator<Item = Position> + use<> {
        self.number += 1;
        let line = if self.number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim_end_matches(['\r', '\n']);
        // A comment may have any length.
        let found = if line.len() > Self::LONGEST_LINE && !line.contains('#') {
            [self.end(), Some(self.too_long(line))]
        } else {
            self.whole_line(line.trim_end())
        };
        found.into_iter().flatten()
    }

    /// Reads a line that is not too long.
    fn whole_line(&mut self, line: &str) -> [Option<Position>; 2] {
        if let Some(position) = self.compact(line) {
            return [Some(position), None];
        }
        if line.chars().all(char::is_whitespace) {
            return [self.empty_line(), None];
        }
        let alone = paragraph::is_alone(line, false, &self.notation);
        if self.mode == Mode::Skipping && !alone {
            return [None, None];
        }
        let ends = alone && self.paragraph.ends_before(line, self.number, &self.notation);
        let before = if ends { self.end() } else { None };
        if alone && self.paragraph.is_empty() {
            self.mode = Mode::Reading;
        }
        self.paragraph.push(line, self.number, &self.notation);
        let reading = self.paragraph.read(&self.notation, false);
        [before, self.settle(reading)]
    }

    /// Ends the paragraph that is read, as the end of the text does. Returns its position, if it has one.
    pub fn end(&mut self) -> Option<Position> {
        if self.paragraph.is_empty() {
            return None;
        }
        let reading = self.paragraph.read(&self.notation, true);
        let position = self.settle(reading);
        self.paragraph.clear();
        position
    }

    /// The position of a line that is a board in digits, if no paragraph is begun.
    fn compact(&mut self, line: &str) -> Option<Position> {
        if !self.paragraph.is_empty() {
            return None;
        }
        let board = self.notation.compact(line)?;
        self.mode = Mode::Reading;
        Some(Position { line: self.number, text: line.to_owned(), board: Ok(board) })
    }

    /// Reads an empty line: it ends a paragraph, unless that is only a size so far.
    fn empty_line(&mut self) -> Option<Position> {
        if self.paragraph.awaits_numbers(&self.notation) {
            return None;
        }
        let position = self.end();
        self.mode = Mode::Reading;
        position
    }

    /// The position of a line that is too long, with the beginning of its text.
    fn too_long(&mut self, line: &str) -> Position {
        let mut end = Self::LONGEST_LINE.min(line.len());
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let flaw = NotationFlaw::Long { limit: Self::LONGEST_LINE };
        let error = NotationError { line: self.number, column: None, flaw };
        Position { line: self.number, text: line[..end].to_owned(), board: Err(error) }
    }

    /// Makes a position of what was read from the paragraph, unless that is incomplete.
    fn settle(&mut self, reading: Reading) -> Option<Position> {
        let board = reading.transpose()?;
        let (line, text) = self.paragraph.first();
        let position = Position { line, text: text.to_owned(), board };
        let comment = self.paragraph.is_comment();
        let alone = self.paragraph.is_alone(&self.notation);
        self.paragraph.clear();
        match &position.board {
            Ok(_) => self.mode = Mode::Reading,
            // Comments that are no position are ignored.
            Err(_) if comment => return None,
            Err(error) if alone => {
                let number = matches!(error.flaw, NotationFlaw::Number { .. });
                self.mode = if number { Mode::Doubting } else { Mode::Reading };
            }
            Err(_) => {
                let doubting = self.mode == Mode::Doubting;
                self.mode = Mode::Skipping;
                if doubting {
                    return None;
                }
            }
        }
        Some(position)
    }
}

impl Notation {
    /// Reads a text that holds one position and nothing else.
    ///
    /// # Errors
    ///
    /// If the text holds no position, a wrong one, or more than one.
    pub fn read(&self, text: &str) -> Result<Board, NotationError> {
        if let Some(board) = self.compact(text) {
            return Ok(board);
        }
        let mut reader = Reader::new(self.clone());
        let mut found = Vec::new();
        for line in text.lines() {
            found.extend(reader.line(line));
            // An error, or a second position, decides: the rest of the text changes nothing.
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

/// Reads a board in the default [`Notation`].
impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Notation::default().read(text)
    }
}
