//! The proof that a table is right, which trusts no search.
//!
//! Let every board have a number such that (1) the goal has 0, (2) every other board has a neighbour
//! with exactly one less, and (3) the numbers of neighbours differ by exactly one. By (2), stepping
//! down from a board with number d reaches the goal in d moves, so no distance is greater than its
//! number; by (3) a path to the goal from there takes at least d moves, so none is less.
//!
//! It shares the index and its moves with the builder, which the tests hold against a queue of boards, and
//! neither the builder's search nor its tables: neighbours are found by rotating arrangements and ranking
//! them anew.

use std::thread;

use super::{Table, TableError, histogram};
use crate::{Board, Index, Space, build::UNREACHED};

/// What is wrong with a table. Boards are those of the table's own goal, [`Orbit::goal`].
///
/// [`Orbit::goal`]: crate::Orbit::goal
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The bytes do not match their checksums.
    #[error(transparent)]
    Bytes(#[from] TableError),
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

impl Table {
    /// Proves every distance in the table, on up to `threads` threads.
    ///
    /// # Errors
    ///
    /// The first flaw: damaged bytes, then entries that no board can have, then those that contradict
    /// their neighbours, each in index order, then the histogram. The number of threads changes nothing.
    pub fn verify(&self, threads: usize) -> Result<(), Flaw> {
        self.check_payload()?;
        let space = Space::new(&self.header.orbit.goal()).expect("a header's shape has an index");
        let home = space.index(space.goal()).expect("a goal reaches itself");
        if self.entry(home) != 0 {
            return Err(Flaw::Goal { goal: space.goal().clone(), found: self.entry(home) });
        }
        for index in space.indices() {
            match self.entry(index) {
                UNREACHED => return Err(Flaw::Unreached(space.board(index))),
                0 if index != home => return Err(Flaw::Zero(space.board(index))),
                _ => {}
            }
        }
        self.prove(&space, threads)?;
        let counted = histogram(self.payload());
        for depth in 0..counted.len().max(self.header.histogram.len()) {
            let boards = |counts: &[u64]| counts.get(depth).copied().unwrap_or(0);
            let (header, found) = (boards(&self.header.histogram), boards(&counted));
            if header != found {
                return Err(Flaw::Histogram { depth, header, found });
            }
        }
        Ok(())
    }

    /// Holds every entry against its neighbours', each thread a stretch of them.
    fn prove(&self, space: &Space, threads: usize) -> Result<(), Flaw> {
        let threads = threads.clamp(1, thread::available_parallelism().map_or(1, Into::into));
        let boards = space.indices().len();
        let share = boards.div_ceil(threads);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..boards)
                .step_by(share)
                .map(|start| {
                    let mut stretch = space.indices().skip(start).take(share);
                    scope.spawn(move || {
                        stretch.try_for_each(|index| self.check_neighbors(space, index))
                    })
                })
                .collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("a proof does not panic"))
        })
    }

    /// Holds one entry against those of the board's neighbours.
    fn check_neighbors(&self, space: &Space, index: Index) -> Result<(), Flaw> {
        let distance = self.entry(index);
        let state = space.state(index);
        let mut nearer = false;
        for step in space.steps(state.place) {
            let neighbor = space.after(state, step);
            let other = self.entry(space.index_of(neighbor));
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
