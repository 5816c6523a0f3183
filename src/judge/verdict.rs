//! The verdict: what a claim is worth, compared with the truth.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::puzzle::{
    board::{Board, Tile},
    moves::Move,
};

/// What is known of a board.
///
/// Serde writes it with its name in the field `truth` and its number in the field `moves`, such as
/// `{"truth":"distance","moves":31}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "truth", content = "moves")]
pub enum Truth {
    /// Its distance, in moves.
    #[serde(rename = "distance")]
    Distance(u32),
    /// It is unsolvable.
    #[serde(rename = "unsolvable")]
    Unsolvable,
    /// It is solvable, and each solution has at least this number of moves, and an even number of moves exactly if this
    /// number is even. [`Manhattan`](crate::search::Manhattan) and [`LinearConflict`](crate::search::LinearConflict) give such numbers.
    #[serde(rename = "at least")]
    AtLeast(u32),
}

/// What a claim is worth, compared with the truth. It is displayed as a sentence about the board.
///
/// Serde writes it as an object with [`name`](Self::name) in the field `verdict` and the other fields beside it, such
/// as `{"verdict":"longer","moves":3,"by":2}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// The claim is right.
    Optimal {
        /// The number of moves; `None` if the claim is that the board is unsolvable.
        moves: Option<u32>,
    },
    /// The claim may be right: it is not known whether there is a shorter solution.
    Unknown {
        /// The number of moves.
        moves: u64,
    },
    /// The claimed solution is longer than an optimal one.
    Longer {
        /// The number of moves.
        moves: u64,
        /// The number of moves beyond those of an optimal solution.
        by: u64,
    },
    /// No solution has this number of moves: it is too small or, if the distance is not known, of the wrong parity.
    Impossible {
        /// The number of moves.
        moves: u64,
        /// A number of moves that each solution has at least.
        least: u32,
    },
    /// A move cannot be made.
    Illegal {
        /// The number of moves before it.
        at: usize,
        /// Why it cannot be made.
        misstep: Misstep,
    },
    /// The moves can be made, but do not end at the goal.
    Unfinished {
        /// The number of moves.
        moves: u64,
        /// The board after the last move.
        end: Board,
    },
    /// The claim is that the board is unsolvable, but it can be solved.
    #[serde(rename = "wrongly unsolvable")]
    WronglyUnsolvable {
        /// The number of moves of an optimal solution, if it is known.
        distance: Option<u32>,
    },
    /// The claim is a solution or its length, but the board is unsolvable.
    #[serde(rename = "wrongly solvable")]
    WronglySolvable,
}

/// Why a move cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Misstep {
    /// The blank is at the edge of the board in this direction.
    Edge(Move),
    /// The tile is not beside the blank, or not on the board.
    Apart(Tile),
    /// The next board is not one move away.
    Jump,
}

impl Verdict {
    /// The verdict in one or two words, such as `optimal` or `wrongly unsolvable`.
    #[must_use]
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

    /// Whether the claim is right, or at least not known to be wrong.
    #[must_use]
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

/// A number of moves, displayed with its noun.
struct Moves(u64);

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 move"),
            moves => write!(f, "{moves} moves"),
        }
    }
}
