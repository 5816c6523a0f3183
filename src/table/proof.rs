//! The proof that a full table is right.
//!
//! **One byte per board.** Every board has a number. The proof checks that (1) the goal has 0, (2) every other board
//! has a neighbour with exactly one less, and (3) the numbers of neighbours differ by exactly one. By (2), repeated
//! moves from a board with number d to a neighbour with one less reach the goal in d moves: no distance is greater than
//! the number. By (3), a path to the goal has at least d moves: no distance is less.
//!
//! This proof trusts no search. It shares the index and its moves with the builder; the tests compare both with a queue
//! of boards. It does not use the builder's sweeps and links. It finds neighbours by rotating and ranking arrangements.
//!
//! **One bit per board.** A single bit proves nothing. So a new search from the goal finds all levels, and compares the
//! bits of each level when it is found. This search uses the builder's sweeps; the tests show that these are right.
//! Then walks from some of the boards go to the goal. They also rotate and rank arrangements. This shows that the bits
//! lead to the goal by legal moves.

use std::ops::ControlFlow;

use crate::{
    index::{
        space::{Index, Space},
        word::{BLOCK, BOARDS},
    },
    sweep::{
        board,
        levels::{Advance, Break},
        record::Record,
    },
    system::threads::{self, Threads},
    table::{
        encoding::Encoding,
        entries::Entries,
        error::LookupError,
        flaw::Flaw,
        layout::{PAGE, UNREACHED},
        walk::Walk,
    },
};

/// The proof of a table's entries, on up to `threads` threads.
pub(super) struct Proof<'a> {
    entries: &'a Entries,
    space: &'a Space,
    threads: Threads,
}

impl<'a> Proof<'a> {
    pub(super) fn new(entries: &'a Entries, threads: Threads) -> Self {
        Self { entries, space: entries.space(), threads }
    }

    /// Proves every distance. For a table of bits, `watch` receives each level when it is proved.
    pub(super) fn run(&self, watch: impl FnMut(Advance)) -> Result<(), Flaw> {
        self.entries.file().check_payload(self.threads)?;
        let counted = match self.entries.header().encoding {
            Encoding::Distance => self.prove_bytes()?,
            Encoding::Bit => {
                self.check_spare_bits()?;
                let counted = self.compare_levels(watch)?;
                self.make_walks()?;
                counted
            }
        };
        self.entries.header().compare(&counted)
    }

    /// Compares every byte with those of the neighbours. Returns the number of boards at each distance.
    fn prove_bytes(&self) -> Result<Vec<u64>, Flaw> {
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
        /// The number of boards that a thread takes at a time. It proves them in a moment.
        const PIECE: usize = 1 << 16;
        let pieces = (0..self.space.indices().len()).step_by(PIECE).collect();
        let prove = |start| {
            let mut piece =
                (start..start + PIECE).map_while(|number| self.space.nth(number as u64));
            piece.try_for_each(|index| self.check_neighbors(index))
        };
        threads::share(self.threads, pieces, prove).into_iter().collect::<Result<(), _>>()?;
        Ok(histogram(self.entries.file().pieces().into_iter().flat_map(|(_, piece)| piece)))
    }

    /// The byte of a board. The payload was compared with its checksums before.
    fn byte(&self, index: Index) -> u8 {
        *self.entries.file().peek(index.get() as usize).expect("every board has a byte")
    }

    /// Compares one byte with those of the board's neighbours.
    fn check_neighbors(&self, index: Index) -> Result<(), Flaw> {
        let space = self.space;
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
        // Only the goal has distance 0, and it needs no nearer neighbour.
        if nearer || distance == 0 {
            Ok(())
        } else {
            Err(Flaw::NoNearer { board: space.to_board(state), distance })
        }
    }

    /// Checks that the bits that belong to no board are 0 in each word.
    fn check_spare_bits(&self) -> Result<(), Flaw> {
        let boards = self.space.plane().min(BOARDS as u64);
        for (first, piece) in self.entries.file().pieces() {
            for (number, word) in piece.chunks_exact(8).enumerate() {
                let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                if word >> boards != 0 {
                    return Err(Flaw::Spare { start: (PAGE + first + 8 * number) as u64 });
                }
            }
        }
        Ok(())
    }

    /// Searches from the goal and compares the bits of each level. Returns the number of boards at each distance.
    fn compare_levels(&self, mut watch: impl FnMut(Advance)) -> Result<Vec<u64>, Flaw> {
        let orbit = self.entries.header().orbit;
        let planes = orbit.shape().cells();
        let block = 8 * planes * BLOCK;
        let pieces = self.entries.file().pieces();
        let blocks: Vec<_> = pieces.iter().flat_map(|(_, piece)| piece.chunks(block)).collect();
        let record = Record::Compare { planes, blocks: &blocks };
        let mut watch = |advance| {
            watch(advance);
            ControlFlow::Continue(())
        };
        let counted = board::search(orbit, self.threads, record, &mut watch);
        counted.map_err(|ended| match ended {
            Break::Memory(error) => Flaw::Memory(error),
            Break::Denied { index, depth } => {
                Flaw::Bit { board: self.space.board(index), distance: depth }
            }
            Break::Stopped => unreachable!("the watcher never stops the search"),
        })
    }

    /// Walks to the goal from boards that are evenly spaced in the index.
    fn make_walks(&self) -> Result<(), Flaw> {
        const WALKS: usize = 100_000;
        const PIECE: usize = 1000;
        let apart = self.space.indices().len().div_ceil(WALKS);
        let walk = |first| {
            let numbers = (0..PIECE).map(|number| (first + number * apart) as u64);
            let mut boards = numbers.map_while(|number| self.space.nth(number));
            boards.try_for_each(|index| {
                match Walk::new(self.entries, self.space.state(index)).finish() {
                    Ok(_) => Ok(()),
                    Err(LookupError::Damaged(damage)) => Err(Flaw::Bytes(damage)),
                    Err(LookupError::Wrong) => Err(Flaw::Astray(self.space.board(index))),
                }
            })
        };
        let pieces = (0..self.space.indices().len()).step_by(apart * PIECE).collect();
        threads::share(self.threads, pieces, walk).into_iter().collect()
    }
}

/// The number of boards at each distance, from 0 to the greatest.
fn histogram<'a>(distances: impl IntoIterator<Item = &'a u8>) -> Vec<u64> {
    let mut histogram = vec![0; 256];
    for &distance in distances {
        histogram[usize::from(distance)] += 1;
    }
    let radius = histogram.iter().rposition(|&boards| boards > 0).unwrap_or(0);
    histogram.truncate(radius + 1);
    histogram
}
