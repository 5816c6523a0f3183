//! The proof that a table is right.
//!
//! **A byte a board.** Let every board have a number such that (1) the goal has 0, (2) every other board has a
//! neighbour with exactly one less, and (3) the numbers of neighbours differ by exactly one. By (2), stepping
//! down from a board with number d reaches the goal in d moves, so no distance is greater than its
//! number; by (3) a path to the goal from there takes at least d moves, so none is less. This trusts no search: it
//! shares the index and its moves with the builder, which the tests hold against a queue of boards, and neither
//! sweeps nor links. Neighbours are found by rotating arrangements and ranking them anew.
//!
//! **A bit a board.** A bit means nothing by itself. So all levels are found again from the goal, and the
//! bits of each are compared as it is found. This is a search by the builder's sweeps; that these are right is for
//! the tests to show. From some of the boards a walk is then made to the goal, again by arrangements that are
//! ranked anew, which shows that the bits lead there by moves that are legal.

use std::{io, ops::ControlFlow};

use crate::table::{
    LookupError, Table, UNREACHED,
    header::{Encoding, Header},
    seals::Damage,
};
use crate::{
    index::{space::Index, word},
    puzzle::board::Board,
    sweep::{
        board,
        levels::{Advance, Break},
        record::Record,
    },
    system::threads::{self, Threads},
};

/// What is wrong with a table. Boards are those of the table's own goal, [`Orbit::goal`].
///
/// [`Orbit::goal`]: crate::Orbit::goal
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The bytes do not match their checksums.
    #[error("has a {0}")]
    Bytes(#[from] Damage),
    /// A board has another distance than its bit lets it have.
    #[error("{board} has distance {distance}, and its bit is that of another")]
    Bit {
        /// The board.
        board: Board,
        /// What a search has found.
        distance: u32,
    },
    /// The bits do not lead from a board to the goal.
    #[error("the bits do not lead from {0} to the goal")]
    Astray(Board),
    /// A bit is set that stands for no board.
    #[error("a bit is set that stands for no board, in bytes {start} to {} of the file", start + 7)]
    Spare {
        /// Where its word begins in the file, in bytes.
        start: u64,
    },
    /// A bit of a pattern database is not that of the distance.
    #[error("the tiles {place} have distance {distance}, and their bit is that of another")]
    Pattern {
        /// How the pattern's tiles lie, in rows; they are those of the table's own goal.
        place: String,
        /// What a search has found.
        distance: u8,
    },
    /// What a search has found for a pattern contradicts itself, or a bit is set that stands for nothing.
    #[error("what a search has found for {0} cannot be right")]
    Unproved(String),
    /// There is not the memory for the proof.
    #[error("cannot be proved, for there is not enough memory: {0}")]
    Memory(io::Error),
    /// The goal's distance is not 0.
    #[error("the goal {goal} has distance {found}, not 0")]
    Goal {
        /// The goal.
        goal: Board,
        /// What the table says.
        found: u8,
    },
    /// Another board than the goal has distance 0.
    #[error("{0} has distance 0 and is not the goal")]
    Zero(Board),
    /// A board was never reached.
    #[error("{0} has no distance")]
    Unreached(Board),
    /// No neighbour of the board is nearer to the goal.
    #[error("{board} has distance {distance} and no neighbour with {}", distance - 1)]
    NoNearer {
        /// The board.
        board: Board,
        /// What the table says.
        distance: u8,
    },
    /// The distances of two neighbours do not differ by one.
    #[error("{board} has distance {distance} and its neighbour {neighbor} has {other}")]
    Jump {
        /// The board.
        board: Board,
        /// Its distance.
        distance: u8,
        /// A board one move away.
        neighbor: Board,
        /// The neighbour's distance.
        other: u8,
    },
    /// The header's histogram is not that of the entries.
    #[error("the header counts {header} boards at distance {depth}; there are {found}")]
    Histogram {
        /// The distance.
        depth: usize,
        /// How many boards the header says there are.
        header: u64,
        /// How many there are.
        found: u64,
    },
}

impl Header {
    /// Holds the histogram against what was counted.
    pub(crate) fn compare(&self, counted: &[u64]) -> Result<(), Flaw> {
        for depth in 0..counted.len().max(self.histogram.len()) {
            let boards = |counts: &[u64]| counts.get(depth).copied().unwrap_or(0);
            let (header, found) = (boards(&self.histogram), boards(counted));
            if header != found {
                return Err(Flaw::Histogram { depth, header, found });
            }
        }
        Ok(())
    }
}

impl Table {
    /// Proves every distance in the table, on up to `threads` threads.
    ///
    /// A table of a bit a board takes as much memory again as the table has.
    ///
    /// # Errors
    ///
    /// The first flaw: damaged bytes; then entries that no board can have, and those that contradict
    /// their neighbours, each in index order, or bits that contradict a search, in the order of their levels; then
    /// the histogram. The number of threads changes nothing.
    pub fn verify(&self, threads: impl Into<Threads>) -> Result<(), Flaw> {
        self.verify_watched(threads, |_| {})
    }

    /// Proves every distance in the table as [`verify`](Self::verify) does. If it has one bit a board, `watch` is told of
    /// each level that is proved.
    ///
    /// # Errors
    ///
    /// As [`verify`](Self::verify).
    pub fn verify_watched(
        &self,
        threads: impl Into<Threads>,
        watch: impl FnMut(Advance),
    ) -> Result<(), Flaw> {
        let threads = threads.into();
        self.check_payload(threads)?;
        let counted = match self.header().encoding {
            Encoding::Distance => self.verify_distances(threads)?,
            Encoding::Bit => self.verify_bits(threads, watch)?,
        };
        self.header().compare(&counted)
    }

    /// Finds the levels from the goal and compares their bits, and walks from some boards; says how many boards have each
    /// distance.
    fn verify_bits(
        &self,
        threads: Threads,
        mut watch: impl FnMut(Advance),
    ) -> Result<Vec<u64>, Flaw> {
        let boards = self.space.plane().min(word::BOARDS as u64);
        let pieces = self.pieces();
        for (first, piece) in &pieces {
            for (number, word) in piece.chunks_exact(8).enumerate() {
                let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                if word >> boards != 0 {
                    let start = super::header::PAGE + first + 8 * number;
                    return Err(Flaw::Spare { start: start as u64 });
                }
            }
        }
        let mut watch = |advance| {
            watch(advance);
            ControlFlow::Continue(())
        };
        let block = 8 * self.planes * word::BLOCK;
        let blocks: Vec<_> = pieces.iter().flat_map(|(_, piece)| piece.chunks(block)).collect();
        let record = Record::Compare { planes: self.planes, blocks: &blocks };
        let counted = board::search(self.header().orbit, threads, record, &mut watch);
        let counted = counted.map_err(|ended| match ended {
            Break::Memory(error) => Flaw::Memory(error),
            Break::Denied { index, depth } => {
                Flaw::Bit { board: self.space.board(index), distance: depth }
            }
            Break::Stopped => unreachable!("nobody stops it"),
        })?;
        const WALKS: usize = 100_000;
        const PIECE: usize = 1000;
        let apart = self.space.indices().len().div_ceil(WALKS);
        let walk = |first| {
            let numbers = (0..PIECE).map(|number| (first + number * apart) as u64);
            let mut boards = numbers.map_while(|number| self.space.nth(number));
            boards.try_for_each(|index| match self.distance(index) {
                Ok(_) => Ok(()),
                Err(LookupError::Damaged(damage)) => Err(Flaw::Bytes(damage)),
                Err(LookupError::Wrong) => Err(Flaw::Astray(self.space.board(index))),
            })
        };
        let pieces = (0..self.space.indices().len()).step_by(apart * PIECE).collect();
        threads::share(threads, pieces, walk).into_iter().collect::<Result<(), _>>()?;
        Ok(counted)
    }

    /// Compares every entry with those of the neighbours; says how many boards have each distance.
    fn verify_distances(&self, threads: Threads) -> Result<Vec<u64>, Flaw> {
        let home = self.space.index(self.space.goal()).expect("a goal reaches itself");
        if self.byte(home) != 0 {
            return Err(Flaw::Goal { goal: self.space.goal().clone(), found: self.byte(home) });
        }
        for index in self.space.indices() {
            match self.byte(index) {
                UNREACHED => return Err(Flaw::Unreached(self.space.board(index))),
                0 if index != home => return Err(Flaw::Zero(self.space.board(index))),
                _ => {}
            }
        }
        /// So few boards are soon proved.
        const PIECE: usize = 1 << 16;
        let pieces = (0..self.space.indices().len()).step_by(PIECE).collect();
        let prove = |start| {
            let mut piece =
                (start..start + PIECE).map_while(|number| self.space.nth(number as u64));
            piece.try_for_each(|index| self.check_neighbors(index))
        };
        threads::share(threads, pieces, prove).into_iter().collect::<Result<(), _>>()?;
        Ok(histogram(self.pieces().into_iter().flat_map(|(_, piece)| piece)))
    }

    /// What stands for the distance of a board, where that is a byte.
    fn byte(&self, index: Index) -> u8 {
        self.payload_from(index.get() as usize)[0]
    }

    /// Holds one entry against those of the board's neighbours.
    fn check_neighbors(&self, index: Index) -> Result<(), Flaw> {
        let space = &self.space;
        let distance = self.byte(index);
        let state = space.state(index);
        let mut nearer = false;
        for step in space.steps(state.place) {
            let neighbor = space.after(state, step);
            let other = self.byte(space.index_of(neighbor));
            if other.abs_diff(distance) != 1 {
                let [board, neighbor] = [state, neighbor].map(|state| space.to_board(state));
                return Err(Flaw::Jump { board, distance, neighbor, other });
            }
            nearer |= other < distance;
        }
        // The goal alone has 0, and needs none that is nearer.
        if nearer || distance == 0 {
            Ok(())
        } else {
            Err(Flaw::NoNearer { board: space.to_board(state), distance })
        }
    }
}

/// How many boards have each distance, from 0 to the greatest.
fn histogram<'a>(distances: impl IntoIterator<Item = &'a u8>) -> Vec<u64> {
    let mut histogram = vec![0; 256];
    for &distance in distances {
        histogram[usize::from(distance)] += 1;
    }
    let radius = histogram.iter().rposition(|&boards| boards > 0).unwrap_or(0);
    histogram.truncate(radius + 1);
    histogram
}
