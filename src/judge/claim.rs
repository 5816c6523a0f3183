//! The claim: what a solver says about a board.

use crate::{
    judge::verdict::{Misstep, Truth, Verdict},
    notation::{
        error::excerpt,
        words::{self, Cell, Word},
        write::MoveNotation,
    },
    puzzle::{
        board::{Board, BoardError, Tile},
        moves::Move,
        shape::Shape,
    },
};

/// What a solver says about a board: a solution, its length, or that there is none.
///
/// ```
/// use tilebase::{Claim, Goal, MoveNotation, Shape, Truth, Verdict};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let board = "123456708".parse()?;
/// let claim = Claim::read("LR2", goal.shape(), MoveNotation::Blank)?;
/// let verdict = claim.judge(&board, &goal, Truth::Distance(1));
/// assert_eq!(verdict, Verdict::Longer { moves: 3, by: 2 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The goal cannot be reached.
    Unsolvable,
    /// An optimal solution has this number of moves.
    Length(u64),
    /// A solution, as the moves of the blank.
    Moves(Vec<Move>),
    /// A solution, as the tiles that move.
    Tiles(Vec<Tile>),
    /// A solution, as its boards. The first one is the start, or the board after the first move.
    Boards(Vec<Board>),
}

/// Why a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The text is not like any claim.
    #[error("{0:?} is no claim: expected a length, moves, boards or unsolvable")]
    Text(String),
    /// One of several words is not a move.
    #[error("{word:?}, word {number}, is no move: expected {expected}")]
    Word {
        /// The word.
        word: String,
        /// Its number, from 1.
        number: usize,
        /// What is expected.
        expected: &'static str,
    },
    /// One of several boards is wrong.
    #[error("board {number} is not a board: {error}")]
    Board {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: BoardError,
    },
}

/// The texts, in lower case, by which solvers say that a board is unsolvable.
const UNSOLVABLE: [&str; 8] = [
    "unsolvable",
    "-1",
    "impossible",
    "no solution",
    "not solvable",
    "unsolveable",
    "no solution possible",
    "insolvable",
];

impl Claim {
    /// Reads a claim about a board of a shape, from one line or several. A claim is one of these:
    ///
    /// - A length: a whole number.
    /// - A path: letters `U D L R` in upper or lower case, each with a count behind it if it is repeated (`R2U`), or
    ///   the words up, down, left, right. They are the directions of the blank, or with [`MoveNotation::Tile`] those of
    ///   the tiles. With [`MoveNotation::Numbers`] the path is the numbers of the tiles, and one number is a path too.
    ///   The empty text is a path of no moves.
    /// - Boards: at least two, or the goal alone, as the numbers of all cells in order, or as digits.
    /// - `unsolvable`, `-1`, or another usual word for it.
    ///
    /// White space, commas, dashes, arrows, brackets, quotes and similar marks separate words.
    ///
    /// # Errors
    ///
    /// If the text is not a claim.
    pub fn read(text: &str, shape: Shape, moves: MoveNotation) -> Result<Self, ClaimError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::Moves(vec![]));
        }
        // Some languages write a whole number as 31.0.
        let text = text.strip_suffix(".0").unwrap_or(text);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && text.len() < shape.cells().min(20) && moves != MoveNotation::Numbers {
            return text.parse().map(Self::Length).map_err(|_| error(text));
        }
        if UNSOLVABLE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            return Ok(Self::Unsolvable);
        }
        let spaced = text.replace("->", " ").replace("=>", " ").replace('→', " ");
        let words = words::rows(&spaced, 1).concat();
        if words.is_empty() {
            // An empty list is a path of no moves; other marks alone are not.
            let is_list = text.starts_with(words::BRACKETS);
            return if is_list { Ok(Self::Moves(vec![])) } else { Err(error(text)) };
        }
        let is_tile = |word: &Word<'_>| {
            word.text.parse().is_ok_and(|tile: usize| (1..shape.cells()).contains(&tile))
        };
        if moves == MoveNotation::Numbers && words.iter().all(is_tile) {
            return tiles(&words);
        }
        if let Some(boards) = boards(&words, shape) {
            return boards.map(Self::Boards);
        }
        if is_number && moves != MoveNotation::Numbers {
            return text.parse().map(Self::Length).map_err(|_| error(text));
        }
        if moves == MoveNotation::Numbers { tiles(&words) } else { path(&words, text, moves) }
    }

    /// Compares the claim about `start` with the truth about it.
    ///
    /// # Panics
    ///
    /// May panic if the boards are not all of one shape.
    #[must_use]
    pub fn judge(&self, start: &Board, goal: &Board, truth: Truth) -> Verdict {
        match (truth, self) {
            (Truth::Unsolvable, Self::Unsolvable) => return Verdict::Optimal { moves: None },
            (Truth::Unsolvable, _) => return Verdict::WronglySolvable,
            (Truth::Distance(distance), Self::Unsolvable) => {
                return Verdict::WronglyUnsolvable { distance: Some(distance) };
            }
            (Truth::AtLeast(_), Self::Unsolvable) => {
                return Verdict::WronglyUnsolvable { distance: None };
            }
            _ => {}
        }
        let moves = match self.walk(start) {
            Ok(Walk { moves, end: Some(end) }) if end != *goal => {
                return Verdict::Unfinished { moves, end };
            }
            Ok(Walk { moves, .. }) => moves,
            Err(illegal) => return illegal,
        };
        match truth {
            Truth::Distance(distance) => match moves.checked_sub(distance.into()) {
                Some(0) => Verdict::Optimal { moves: Some(distance) },
                Some(by) => Verdict::Longer { moves, by },
                None => Verdict::Impossible { moves, least: distance },
            },
            Truth::AtLeast(least) if moves < least.into() || moves % 2 != u64::from(least % 2) => {
                Verdict::Impossible { moves, least }
            }
            _ => Verdict::Unknown { moves },
        }
    }

    /// Makes the claimed moves, if the claim has any. The error is [`Verdict::Illegal`].
    fn walk(&self, start: &Board) -> Result<Walk, Verdict> {
        let mut here = start.clone();
        let illegal = |at, misstep| Verdict::Illegal { at, misstep };
        let moves = match self {
            Self::Unsolvable => return Ok(Walk { moves: 0, end: None }),
            Self::Length(moves) => return Ok(Walk { moves: *moves, end: None }),
            Self::Moves(path) => {
                for (at, &step) in path.iter().enumerate() {
                    here = here.step(step).ok_or(illegal(at, Misstep::Edge(step)))?;
                }
                path.len()
            }
            Self::Tiles(path) => {
                for (at, &tile) in path.iter().enumerate() {
                    let is_by_tile = |next: &Board| next.tiles()[here.blank()] == tile.0;
                    let next = here.neighbors().find(|(_, next)| is_by_tile(next));
                    (_, here) = next.ok_or(illegal(at, Misstep::Apart(tile)))?;
                }
                path.len()
            }
            Self::Boards(boards) => {
                let path = if boards.first() == Some(start) { &boards[1..] } else { boards };
                for (at, board) in path.iter().enumerate() {
                    let next = here.neighbors().find(|(_, next)| next == board);
                    (_, here) = next.ok_or(illegal(at, Misstep::Jump))?;
                }
                path.len()
            }
        };
        Ok(Walk { moves: moves as u64, end: Some(here) })
    }
}

/// The number of moves of a claim, and the board after them; `None` if the claim is only a length.
struct Walk {
    moves: u64,
    end: Option<Board>,
}

impl From<Vec<Move>> for Claim {
    fn from(path: Vec<Move>) -> Self {
        Self::Moves(path)
    }
}

/// The boards of a text, if it has the words or digits of whole boards with a blank in them; else `None`.
fn boards(words: &[Word<'_>], shape: Shape) -> Option<Result<Vec<Board>, ClaimError>> {
    let cells = shape.cells();
    let tiles = |read: Vec<Cell<'_>>| -> Option<Vec<u8>> {
        let whole = read.len() >= cells && read.len() % cells == 0;
        let tiles = || read.iter().map(|cell| cell.tile(cells, None).ok()).collect();
        let tiles: Option<Vec<_>> = whole.then(tiles)?;
        tiles.filter(|tiles| tiles.contains(&0))
    };
    let numbers = || words.iter().copied().map(Cell::Number).collect();
    let digits = || words.iter().flat_map(|word| words::digits(*word)).collect();
    // Digits are written as boards or as rows. Letters beyond the digits of the shape belong to words.
    let lengths = || words.iter().map(|word| word.text.chars().count());
    let are_boards = lengths().all(|length| length == cells);
    let are_rows = lengths().all(|length| length == shape.cols());
    let are_digits = |tiles: &Vec<u8>| tiles.iter().all(|&tile| usize::from(tile) < cells);
    let in_digits =
        || if are_boards || are_rows { tiles(digits()).filter(are_digits) } else { None };
    let tiles = tiles(numbers()).or_else(in_digits)?;
    let boards = tiles.chunks(cells).zip(1..).map(|(tiles, number)| {
        Board::new(shape, tiles).map_err(|error| ClaimError::Board { number, error })
    });
    Some(boards.collect())
}

/// A claim whose words are the numbers of tiles.
fn tiles(words: &[Word<'_>]) -> Result<Claim, ClaimError> {
    let tile = |(word, number): (&Word<'_>, usize)| match word.text.parse() {
        Ok(tile) if tile > 0 => Ok(Tile(tile)),
        _ => {
            let (word, expected) = (excerpt(word.text), "the number of a tile");
            Err(ClaimError::Word { word, number, expected })
        }
    };
    words.iter().zip(1..).map(tile).collect::<Result<_, _>>().map(Claim::Tiles)
}

/// A claim whose words are moves, or several moves each.
fn path(words: &[Word<'_>], text: &str, notation: MoveNotation) -> Result<Claim, ClaimError> {
    let mut path = Vec::new();
    for (word, number) in words.iter().zip(1..) {
        let named = Move::ALL.into_iter().find(|step| step.word().eq_ignore_ascii_case(word.text));
        let runs = named.map(|step| vec![(step, 1)]).or_else(|| runs(word.text));
        let Some(runs) = runs else {
            if path.is_empty() && words.iter().all(|word| word.text.parse::<u8>().is_err()) {
                return Err(error(text));
            }
            let (word, expected) = (excerpt(word.text), "letters U D L R or words");
            return Err(ClaimError::Word { word, number, expected });
        };
        for (step, times) in runs {
            let step = if notation == MoveNotation::Tile { step.opposite() } else { step };
            path.extend(std::iter::repeat_n(step, times));
        }
    }
    Ok(Claim::Moves(path))
}

/// The moves of a word of letters, each with the number of its repetitions; `None` if it is not such a word.
fn runs(word: &str) -> Option<Vec<(Move, usize)>> {
    let mut runs = Vec::new();
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let step =
            Move::ALL.into_iter().find(|step| step.letter().eq_ignore_ascii_case(&letter))?;
        rest = &rest[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let times = match &rest[..digits] {
            "" => 1,
            // This number of moves in one direction leaves any board; more make no difference.
            number => number.parse().unwrap_or(Shape::MAX_SIDE).min(Shape::MAX_SIDE),
        };
        if times == 0 {
            return None;
        }
        runs.push((step, times));
        rest = &rest[digits..];
    }
    Some(runs)
}

/// The error for a text that is not like any claim.
fn error(text: &str) -> ClaimError {
    ClaimError::Text(excerpt(text))
}
