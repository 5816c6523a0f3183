//! Positions from a stream of lines.

use crate::notation::{
    Notation, NotationError, NotationFlaw,
    block::{self, Block, Outcome},
};
use crate::puzzle::board::Board;

/// Finds the positions in a text that comes line by line, in constant memory.
///
/// ```
/// use tilebase::{Notation, Reader};
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
    /// The number of the line that was read last.
    number: usize,
    block: Block,
    mode: Mode,
}

/// What the lines before mean for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Reading,
    /// Behind an error: all up to the next empty line, or one that stands alone, belongs to it.
    Skipping,
    /// Behind a number that stood alone and was neither size nor board: if the lines that follow are no
    /// position either, the error was theirs.
    Doubting,
}

/// A position, or what stands where one should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its first line, without the blanks behind it.
    pub text: String,
    /// The board, or why there is none.
    pub board: Result<Board, NotationError>,
}

impl Reader {
    /// The longest line that can be a position, in bytes. A longer one is an error; no more of it
    /// needs to be handed over than makes it longer.
    pub const LONGEST_LINE: usize = 4096;

    /// A reader at the start of a text.
    pub fn new(notation: Notation) -> Self {
        Self { notation, number: 0, block: Block::default(), mode: Mode::Reading }
    }

    /// Takes the next line, with or without its end, and gives the positions that end with it: none,
    /// one, or two where a block ended before this line and the line stands alone.
    pub fn line(&mut self, line: &str) -> impl Iterator<Item = Position> + use<> {
        self.number += 1;
        let line = if self.number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim_end_matches(['\r', '\n']);
        // A comment may be as long as it likes.
        let found = if line.len() > Self::LONGEST_LINE && !line.contains('#') {
            [self.end(), Some(self.too_long(line))]
        } else {
            self.whole_line(line.trim_end())
        };
        found.into_iter().flatten()
    }

    /// Takes a line that can be all or part of a position.
    fn whole_line(&mut self, line: &str) -> [Option<Position>; 2] {
        if let Some(position) = self.compact(line) {
            return [Some(position), None];
        }
        if line.chars().all(char::is_whitespace) {
            return [self.empty_line(), None];
        }
        let alone = block::is_alone(line, false, &self.notation);
        if self.mode == Mode::Skipping && !alone {
            return [None, None];
        }
        let ends = alone && self.block.ends_before(line, self.number, &self.notation);
        let before = if ends { self.end() } else { None };
        if alone && self.block.is_empty() {
            self.mode = Mode::Reading;
        }
        self.block.push(line, self.number, &self.notation);
        let outcome = self.block.read(&self.notation, false);
        [before, self.settle(outcome)]
    }

    /// Ends the text, or a part of it, and gives the position that ended with it.
    pub fn end(&mut self) -> Option<Position> {
        if self.block.is_empty() {
            return None;
        }
        let outcome = self.block.read(&self.notation, true);
        let position = self.settle(outcome);
        self.block.clear();
        position
    }

    /// The most frequent line, tried first: a board in digits, and nothing before it that is open.
    fn compact(&mut self, line: &str) -> Option<Position> {
        if !self.block.is_empty() {
            return None;
        }
        let board = self.notation.compact(line)?;
        self.mode = Mode::Reading;
        Some(Position { line: self.number, text: line.to_owned(), board: Ok(board) })
    }

    /// An empty line ends a block, but for one that is nothing but a size yet.
    fn empty_line(&mut self) -> Option<Position> {
        if self.block.awaits_numbers(&self.notation) {
            return None;
        }
        let position = self.end();
        self.mode = Mode::Reading;
        position
    }

    fn too_long(&mut self, line: &str) -> Position {
        let mut end = Self::LONGEST_LINE.min(line.len());
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let error = NotationError { line: self.number, column: None, flaw: NotationFlaw::Long };
        Position { line: self.number, text: line[..end].to_owned(), board: Err(error) }
    }

    /// Makes a position of what a block has come to, if it has.
    fn settle(&mut self, outcome: Outcome) -> Option<Position> {
        let board = outcome.transpose()?;
        let (line, text) = self.block.first();
        let position = Position { line, text: text.to_owned(), board };
        let comment = self.block.is_comment();
        let alone = self.block.is_alone(&self.notation);
        self.block.clear();
        match &position.board {
            Ok(_) => self.mode = Mode::Reading,
            // Comments that are no position are comments.
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
