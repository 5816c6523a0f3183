//! The flaw: an error that a proof finds in a table.

use std::io;

use crate::{puzzle::board::Board, table::seals::Damage};

/// An error in the distances of a table. The boards in it are for the table's own goal, [`Orbit::goal`].
///
/// [`Orbit::goal`]: crate::puzzle::Orbit::goal
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A block of the payload does not match its checksum.
    #[error("the table has a damaged payload: {0}")]
    Bytes(Damage),
    /// The bit of a board does not match its distance.
    #[error("{board} has distance {distance}, and its bit is that of another")]
    Bit {
        /// The board.
        board: Board,
        /// Its distance, found by a search.
        distance: u32,
    },
    /// The bits do not lead from a board to the goal.
    #[error("the bits do not lead from {0} to the goal")]
    Astray(Board),
    /// A bit is set that stands for no board.
    #[error("a bit is set that stands for no board, in bytes {start} to {} of the file", start + 7)]
    Spare {
        /// The first byte of the bit's word, counted from the start of the file.
        start: u64,
    },
    /// A bit of a pattern database does not match the distance.
    #[error("the tiles {place} have distance {distance}, and their bit is that of another")]
    Pattern {
        /// The cells of the pattern's tiles, in rows. The tiles are numbered as on the table's own goal.
        place: String,
        /// The distance, found by a search.
        distance: u8,
    },
    /// The distances that a search found for a pattern contradict each other, or a bit is set that belongs to no state.
    #[error("what a search has found for {0} cannot be right")]
    Unproved(String),
    /// There is not enough memory for the proof.
    #[error("the table cannot be proved, because there is not enough memory: {0}")]
    Memory(io::Error),
    /// The goal's distance is not 0.
    #[error("the goal {goal} has distance {found}, not 0")]
    Goal {
        /// The goal.
        goal: Board,
        /// Its distance in the table.
        found: u8,
    },
    /// A board other than the goal has distance 0.
    #[error("{0} has distance 0 and is not the goal")]
    Zero(Board),
    /// A board has no distance.
    #[error("{0} has no distance")]
    Unreached(Board),
    /// No neighbour of the board is nearer to the goal.
    #[error("{board} has distance {distance} and no neighbour with {}", distance - 1)]
    NoNearer {
        /// The board.
        board: Board,
        /// Its distance in the table.
        distance: u8,
    },
    /// The distances of two neighbours do not differ by one.
    #[error("{board} has distance {distance} and its neighbour {neighbor} has {other}")]
    Jump {
        /// The board.
        board: Board,
        /// Its distance in the table.
        distance: u8,
        /// A board one move away.
        neighbor: Board,
        /// The neighbour's distance in the table.
        other: u8,
    },
    /// The histogram in the header does not match the entries.
    #[error("the header counts {header} boards at distance {depth}; there are {found}")]
    Histogram {
        /// The distance.
        depth: usize,
        /// The number of boards in the header.
        header: u64,
        /// The number of boards in the table.
        found: u64,
    },
}

impl From<Damage> for Flaw {
    fn from(damage: Damage) -> Self {
        Self::Bytes(damage)
    }
}
