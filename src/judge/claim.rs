//! Claims: what a solver says about a board, and what that is worth.

use std::fmt;

use crate::{
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

/// What a solver says about a board.
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
    /// An optimal solution has this many moves.
    Length(u64),
    /// A solution, by the ways of the blank.
    Moves(Vec<Move>),
    /// A solution, by the tiles that move.
    Tiles(Vec<Tile>),
    /// A solution, by its boards. The first may be the start, or the board behind the first move.
    Boards(Vec<Board>),
}

/// What is known of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Its distance.
    Distance(u32),
    /// That it is unsolvable.
    Unsolvable,
    /// That it is solvable, in no fewer moves than this, and in an even number of moves if this is even,
    /// else in an odd one. [`Manhattan`](crate::Manhattan) and [`LinearConflict`](crate::LinearConflict) give such
    /// numbers.
    AtLeast(u32),
}

/// What a claim is worth, beside the truth. It is shown as a sentence about the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is right.
    Optimal {
        /// How many moves it takes; `None` if the board is unsolvable, and that was the claim.
        moves: Option<u32>,
    },
    /// It may be right: nobody knows whether fewer moves would do.
    Unknown {
        /// How many moves it takes.
        moves: u64,
    },
    /// It takes more moves than are needed.
    Longer {
        /// How many moves it takes.
        moves: u64,
        /// How many of them are too many.
        by: u64,
    },
    /// Fewer moves than any solution has; or, where the distance is not known, a number that no solution has.
    Impossible {
        /// How many moves are claimed.
        moves: u64,
        /// How many moves are needed at least.
        least: u32,
    },
    /// A move cannot be made.
    Illegal {
        /// How many moves go before it.
        at: usize,
        /// Why it cannot be made.
        misstep: Misstep,
    },
    /// The moves can be made, and do not end at the goal.
    Unfinished {
        /// How many moves there are.
        moves: u64,
        /// Where they end.
        end: Board,
    },
    /// It says unsolvable of a board that can be solved.
    WronglyUnsolvable {
        /// How many moves an optimal solution has, if that is known.
        distance: Option<u32>,
    },
    /// It says how to solve, or how many moves that takes, of a board that is unsolvable.
    WronglySolvable,
}

/// Why a move cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misstep {
    /// The blank is at that edge of the board.
    Edge(Move),
    /// The tile is not beside the blank, or is no tile of the board.
    Apart(Tile),
    /// The board is not one move away from the one before.
    Jump,
}

/// Why a text is no claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// It cannot be read at all.
    #[error("{0:?} is no claim: expected a length, moves, boards or unsolvable")]
    Text(String),
    /// A word of several that should be moves is none.
    #[error("{word:?}, word {number}, is no move: expected {expected}")]
    Word {
        /// The word.
        word: String,
        /// Its number, from 1.
        number: usize,
        /// What it should be.
        expected: &'static str,
    },
    /// One of several boards is none.
    #[error("board {number} is none: {error}")]
    Board {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: BoardError,
    },
}

/// What says, in the answers of solvers, that a board is unsolvable; in lower case.
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
    /// Reads a claim about a board of a shape, on one line or several. It is
    ///
    /// - a length: a whole number;
    /// - a path: letters `U D L R` in either case, each with a number of times behind it if it is repeated
    ///   (`R2U`), or the words up, down, left, right, for the ways of the blank, or of the tiles with
    ///   [`MoveNotation::Tile`]; with [`MoveNotation::Numbers`] the numbers of the tiles, and a number alone
    ///   is such a path too. No text at all is a path of no moves;
    /// - two boards or more, or the goal alone: the numbers of all cells one after another, or digits;
    /// - `unsolvable` or `-1`, and some other words for it.
    ///
    /// Between words stand blanks, commas, dashes, arrows, brackets, quotes and the like.
    ///
    /// # Errors
    ///
    /// If it is none of these.
    pub fn read(text: &str, shape: Shape, moves: MoveNotation) -> Result<Self, ClaimError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::Moves(vec![]));
        }
        // Some languages write whole numbers so.
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
            // An empty list, and no other marks.
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

    /// Judges the claim about `start`.
    ///
    /// # Panics
    ///
    /// May panic if the boards are not all of one shape.
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

    /// Makes the moves, if the claim has any.
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
                    let next = neighbors(&here).find(|next| next.tiles()[here.blank()] == tile.0);
                    here = next.ok_or(illegal(at, Misstep::Apart(tile)))?;
                }
                path.len()
            }
            Self::Boards(boards) => {
                let path = if boards.first() == Some(start) { &boards[1..] } else { boards };
                for (at, board) in path.iter().enumerate() {
                    let next = neighbors(&here).find(|next| next == board);
                    here = next.ok_or(illegal(at, Misstep::Jump))?;
                }
                path.len()
            }
        };
        Ok(Walk { moves: moves as u64, end: Some(here) })
    }
}

/// How far the moves of a claim lead; to no board, if it has none.
struct Walk {
    moves: u64,
    end: Option<Board>,
}

impl From<Vec<Move>> for Claim {
    fn from(path: Vec<Move>) -> Self {
        Self::Moves(path)
    }
}

impl Verdict {
    /// The verdict in a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Optimal { .. } => "optimal",
            Self::Unknown { .. } => "unknown",
            Self::Longer { .. } => "longer",
            Self::Impossible { .. } => "impossible",
            Self::Illegal { .. } => "illegal",
            Self::Unfinished { .. } => "unfinished",
            Self::WronglyUnsolvable { .. } => "wrongly unsolvable",
            Self::WronglySolvable => "wrongly solvable",
        }
    }

    /// Whether the claim is right, as far as anybody can tell.
    pub fn is_right(&self) -> bool {
        matches!(self, Self::Optimal { .. } | Self::Unknown { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal { moves: Some(moves) } => Moves(u64::from(*moves)).fmt(f),
            Self::Optimal { moves: None } => f.write_str("unsolvable"),
            Self::Unknown { moves } => {
                write!(f, "{}, and no table says whether fewer would do", Moves(*moves))
            }
            Self::Longer { moves, by } => write!(f, "{}, {by} too many", Moves(*moves)),
            Self::Impossible { moves, least } if *moves < u64::from(*least) => {
                write!(f, "{}, and no solution has fewer than {least}", Moves(*moves))
            }
            Self::Impossible { moves, least } => {
                let parity = if least % 2 == 0 { "even" } else { "odd" };
                write!(f, "{}, and every solution has an {parity} number", Moves(*moves))
            }
            Self::Illegal { at, misstep } => match misstep {
                Misstep::Edge(step) => {
                    write!(f, "move {} takes the blank {}, off the board", at + 1, step.word())
                }
                Misstep::Apart(tile) => {
                    write!(f, "move {} is of {tile}, which is not beside the blank", at + 1)
                }
                Misstep::Jump => {
                    write!(f, "the board after move {} is not one move away", at + 1)
                }
            },
            Self::Unfinished { moves: 1, end } => write!(f, "1 move ends at {end}"),
            Self::Unfinished { moves, end } => write!(f, "{moves} moves end at {end}"),
            Self::WronglyUnsolvable { distance: Some(distance) } => {
                write!(f, "an optimal solution has {}", Moves(u64::from(*distance)))
            }
            Self::WronglyUnsolvable { distance: None } => f.write_str("there is a solution"),
            Self::WronglySolvable => f.write_str("the goal cannot be reached"),
        }
    }
}

/// A number of moves.
struct Moves(u64);

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 move"),
            moves => write!(f, "{moves} moves"),
        }
    }
}

fn neighbors(board: &Board) -> impl Iterator<Item = Board> {
    Move::ALL.into_iter().filter_map(|step| board.step(step))
}

/// Words that could be several boards, or one: if they have a blank among them, they are meant so.
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
    // Digits stand together in boards or in rows; letters beyond those of the shape are those of words.
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

/// Words that are the numbers of tiles.
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

/// Words that are moves, or several at a time.
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

/// A word of letters, each with the number of times that it is repeated.
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
            // As many moves one way lead off any board, as more would.
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

fn error(text: &str) -> ClaimError {
    ClaimError::Text(excerpt(text))
}
