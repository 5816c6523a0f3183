//! The oracle: exact answers from a table about any board, for one goal.

use std::{collections::BTreeMap, ops::RangeBounds, sync::Arc};

use crate::{
    index::space::{Space, State, TooFewBoards, enough},
    puzzle::{board::Board, moves::Move, orbit::Orbit},
    search::heuristic::Heuristic,
    system::random::Random,
    table::{
        builder::{BuildError, Builder},
        encoding::Encoding,
        error::{LookupError, OracleError, SampleError},
        full::Table,
        lookup::{Lookup, interleave},
        sample::Spread,
    },
};

/// Exact answers about the boards of a shape, for one goal.
///
/// ```
/// use tilebase::{Board, Goal, Shape, table::Oracle};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let oracle = Oracle::build(&goal)?;
/// let board: Board = "867254301".parse()?;
/// assert_eq!(oracle.distance(&board)?, Some(31));
/// assert_eq!(oracle.solution(&board)?.map(|moves| moves.len()), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    space: Space,
    table: Arc<Table>,
}

/// A legal move, and the board that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NextMove {
    /// The move.
    pub step: Move,
    /// The board after the move.
    pub board: Board,
    /// The distance of that board.
    pub distance: u32,
}

impl Oracle {
    /// An oracle for `goal` with a table of the goal's orbit.
    ///
    /// # Errors
    ///
    /// [`OracleError::Table`] if the table is for another orbit.
    pub fn new(table: impl Into<Arc<Table>>, goal: &Board) -> Result<Self, OracleError> {
        let table = table.into();
        let orbit = table.header().orbit;
        match Space::new(goal) {
            Ok(space) if space.orbit() == orbit => Ok(Self { space, table }),
            _ => Err(OracleError::Table { table: orbit, goal: goal.clone() }),
        }
    }

    /// An oracle for `goal` with a table built in memory.
    ///
    /// # Errors
    ///
    /// If the goal's shape has more than 14 cells, or if there is not enough memory. Up to ten cells, a few megabytes
    /// are needed; for twelve cells 64 MB, and for fourteen 12 GB.
    pub fn build(goal: &Board) -> Result<Self, BuildError> {
        let table = Builder::new(Orbit::of(goal))?.build()?;
        let space = Space::new(goal).map_err(|error| BuildError::Shape(error.0))?;
        Ok(Self { space, table: table.into() })
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> &Board {
        self.space.goal()
    }

    /// The numbering of the boards.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of moves of an optimal solution; `None` if the board is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is damaged or wrong.
    pub fn distance(&self, board: &Board) -> Result<Option<u32>, OracleError> {
        // A lookup in steps would take three times as long in a table with one byte per board.
        let table = &self.table;
        let distance = match table.header().encoding {
            Encoding::Distance => self.space.index(board).map(|index| table.entries().entry(index)),
            Encoding::Bit => self.space.locate(board).map(|state| table.walk(state)),
        };
        match distance {
            None => self.unsolvable(board),
            Some(Ok(distance)) => Ok(Some(distance)),
            Some(Err(error)) => Err(OracleError::about(board.clone(), error)),
        }
    }

    /// The answer of [`distance`](Self::distance) for each of many boards. An error about one board does not change the
    /// other answers.
    ///
    /// With a table that is larger than the processor's caches, this is faster than one board after another: while some
    /// lookups wait for memory, others continue.
    #[must_use]
    pub fn distances(&self, boards: &[Board]) -> Vec<Result<Option<u32>, OracleError>> {
        /// The length of a table, in bytes, from which lookups in turn are faster: larger than most caches. A walk
        /// prefetches by itself, so the limit for a table of bits is higher.
        const LARGE: u64 = 4 << 20;
        const LARGE_OF_BITS: u64 = 64 << 20;
        let large = match self.table.header().encoding {
            Encoding::Distance => LARGE,
            Encoding::Bit => LARGE_OF_BITS,
        };
        if self.table.file().length() < large {
            return boards.iter().map(|board| self.distance(board)).collect();
        }
        self.interleaved(boards)
    }

    /// The answers of [`distances`](Self::distances), from lookups that take turns.
    fn interleaved(&self, boards: &[Board]) -> Vec<Result<Option<u32>, OracleError>> {
        let mut answers = vec![Ok(None); boards.len()];
        let mut refused = vec![];
        let lookups = boards.iter().enumerate().filter_map(|(number, board)| {
            let lookup = self.begin(board);
            if lookup.is_none() {
                refused.push(number);
            }
            Some((number, lookup?))
        });
        interleave(lookups, |number, distance| {
            let distance = distance.map(Some);
            answers[number] =
                distance.map_err(|error| OracleError::about(boards[number].clone(), error));
        });
        for number in refused {
            answers[number] = self.unsolvable(&boards[number]);
        }
        answers
    }

    /// Begins the lookup of a board, if the board has an index.
    #[inline]
    fn begin(&self, board: &Board) -> Option<Lookup<'_>> {
        let entries = self.table.entries();
        match self.table.header().encoding {
            Encoding::Distance => Some(Lookup::of_byte(entries, self.space.index(board)?)),
            Encoding::Bit => Some(Lookup::of_bit(entries, self.space.locate(board)?)),
        }
    }

    /// An optimal solution; `None` if the board is unsolvable. If there are several, it is the first in the order of
    /// [`Move::ALL`].
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is damaged or wrong.
    pub fn solution(&self, board: &Board) -> Result<Option<Vec<Move>>, OracleError> {
        let Some((mut state, distance)) = self.locate(board)? else {
            return Ok(None);
        };
        let mut moves = Vec::with_capacity(distance as usize);
        for left in (0..distance).rev() {
            let (direction, next) = self
                .nearer(state, left)
                .next()
                .unwrap_or(Err(LookupError::Wrong))
                .map_err(|error| OracleError::about(self.space.to_board(state), error))?;
            moves.push(direction);
            state = next;
        }
        // The moves from a wrong table may end at another board.
        if self.space.is_goal(state) {
            Ok(Some(moves))
        } else {
            Err(OracleError::Wrong(board.clone()))
        }
    }

    /// Every legal move, with the board after it and that board's distance. The best moves come first, and equally good
    /// moves are in the order of [`Move::ALL`]. `None` if the board is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is damaged or wrong.
    ///
    /// ```
    /// use tilebase::{Goal, Move, Shape, table::Oracle};
    ///
    /// let oracle = Oracle::build(&Goal::BlankLast.board(Shape::new(3, 3)?))?;
    /// let moves = oracle.next(&"123456708".parse()?)?.expect("the board is solvable");
    /// let moves: Vec<_> = moves.iter().map(|next| (next.step, next.distance)).collect();
    /// assert_eq!(moves, [(Move::Right, 0), (Move::Up, 2), (Move::Left, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next(&self, board: &Board) -> Result<Option<Vec<NextMove>>, OracleError> {
        let Some((state, distance)) = self.locate(board)? else {
            return Ok(None);
        };
        let about = |error| OracleError::about(board.clone(), error);
        let mut moves = vec![];
        for step in self.space.steps(state.place) {
            let next = self.space.after(state, step);
            // The distances of neighbours differ by one, and no board is nearer than the goal.
            let nearer = match distance.checked_sub(1) {
                Some(left) => {
                    self.table.entries().is_nearer(next, left).map_err(about)?.then_some(left)
                }
                None => None,
            };
            moves.push(NextMove {
                step: step.direction,
                board: self.space.to_board(next),
                distance: nearer.unwrap_or(distance + 1),
            });
        }
        moves.sort_by_key(|next| next.distance);
        if distance > 0 && moves[0].distance > distance {
            return Err(OracleError::Wrong(board.clone()));
        }
        Ok(Some(moves))
    }

    /// Every move with which an optimal solution can begin, in the order of [`Move::ALL`]. Each leads to a board whose
    /// distance is one less. At the goal there are no such moves. `None` if the board is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is damaged or wrong.
    pub fn best_moves(&self, board: &Board) -> Result<Option<Vec<Move>>, OracleError> {
        let Some((state, distance)) = self.locate(board)? else {
            return Ok(None);
        };
        let Some(left) = distance.checked_sub(1) else {
            return Ok(Some(vec![]));
        };
        let moves = self.nearer(state, left).map(|nearer| nearer.map(|(direction, _)| direction));
        let moves = moves.collect::<Result<Vec<_>, _>>();
        let moves = moves.map_err(|error| OracleError::about(board.clone(), error))?;
        if moves.is_empty() { Err(OracleError::Wrong(board.clone())) } else { Ok(Some(moves)) }
    }

    /// The number of optimal solutions, which is 1 for the goal itself; `None` if the board is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is damaged or wrong.
    pub fn count_solutions(&self, board: &Board) -> Result<Option<u128>, OracleError> {
        let Some((state, distance)) = self.locate(board)? else {
            return Ok(None);
        };
        // The boards of a level that lie on an optimal path, each with the number of paths to it.
        let mut level = BTreeMap::from([(self.space.index_of(state), (state, 1u128))]);
        for left in (0..distance).rev() {
            let mut next = BTreeMap::new();
            for (state, ways) in level.into_values() {
                for nearer in self.nearer(state, left) {
                    let (_, nearer) =
                        nearer.map_err(|error| OracleError::about(board.clone(), error))?;
                    next.entry(self.space.index_of(nearer)).or_insert((nearer, 0)).1 += ways;
                }
            }
            level = next;
        }
        let at_goal = level.into_values().find(|(state, _)| self.space.is_goal(*state));
        at_goal.map(|(_, ways)| Some(ways)).ok_or_else(|| OracleError::Wrong(board.clone()))
    }

    /// Every solvable board whose distance is in a range, in index order, with its distance.
    ///
    /// An item is an error if the table has no right distance for the board. In a table with one bit per board, each
    /// board needs a walk to the goal. It is then no slower to first build a table with one byte per board.
    pub fn boards(
        &self,
        depths: impl RangeBounds<u32>,
    ) -> impl Iterator<Item = Result<(Board, u32), OracleError>> {
        self.space.indices().filter_map(move |index| match self.table.distance(index) {
            Ok(depth) => depths.contains(&depth).then(|| Ok((self.space.board(index), depth))),
            Err(error) => Some(Err(OracleError::about(self.space.board(index), error))),
        })
    }

    /// Draws `count` different boards uniformly from all solvable boards whose distance is in a range. Each comes with
    /// its distance, in random order. The same seed gives the same boards in every version.
    ///
    /// If the range contains all distances, the time grows with `count`, else with the number of all boards.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` such boards, or the table is damaged or wrong.
    pub fn sample(
        &self,
        count: u64,
        depths: impl RangeBounds<u32>,
        seed: u64,
    ) -> Result<Vec<(Board, u32)>, SampleError> {
        let histogram = &self.table.header().histogram;
        let levels = || (0..).zip(histogram).filter(|(depth, _)| depths.contains(depth));
        if levels().count() == histogram.len() {
            let boards = self.space.sample(count, seed)?.into_iter();
            let known = |board: Board| {
                let distance = self.distance(&board)?.expect("a board with an index is solvable");
                Ok((board, distance))
            };
            return boards.map(known).collect();
        }
        let there = enough(count, levels().map(|(_, boards)| boards).sum())?;
        let drawn = Random::new(seed).draw(there, count);
        // The boards are read in index order, and then returned in the order in which they were drawn.
        let mut order: Vec<_> = (0..drawn.len()).collect();
        order.sort_unstable_by_key(|&at| drawn[at]);
        let mut boards = self.boards(depths);
        let mut passed = 0;
        let mut found = Vec::with_capacity(drawn.len());
        for at in order {
            let board = boards.nth((drawn[at] - passed) as usize);
            passed = drawn[at] + 1;
            let board = board.ok_or(TooFewBoards { wanted: count, there: passed - 1 })??;
            found.push((at, board));
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, board)| board).collect())
    }

    /// Draws `count` different boards, the same number from each distance in a range as far as it has enough, and
    /// uniformly within a distance. Each comes with its distance, in index order. The same seed gives the same boards
    /// in every version.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` such boards, or the table is damaged or wrong.
    pub fn sample_spread(
        &self,
        count: u64,
        depths: impl RangeBounds<u32>,
        seed: u64,
    ) -> Result<Vec<(Board, u32)>, SampleError> {
        let histogram = &self.table.header().histogram;
        let levels = 0..histogram.len();
        let levels: Vec<_> = levels.filter(|depth| depths.contains(&(*depth as u32))).collect();
        enough(count, levels.iter().map(|depth| histogram[*depth]).sum())?;
        let mut spread = Spread::draw(seed, histogram, &levels, count);
        let mut found = Vec::new();
        for board in self.boards(depths) {
            let (board, distance) = board?;
            if spread.takes(distance) {
                found.push((board, distance));
            }
        }
        Ok(found)
    }

    /// The answer for a board without an index.
    #[cold]
    fn unsolvable<T>(&self, board: &Board) -> Result<Option<T>, OracleError> {
        let (expected, found) = (self.goal().shape(), board.shape());
        if expected == found { Ok(None) } else { Err(OracleError::Shape { expected, found }) }
    }

    /// A board's state and distance; `None` if it is unsolvable.
    fn locate(&self, board: &Board) -> Result<Option<(State, u32)>, OracleError> {
        let Some(distance) = self.distance(board)? else {
            return Ok(None);
        };
        Ok(self.space.locate(board).map(|state| (state, distance)))
    }

    /// The neighbours of a state that have the distance `left`, in the order of [`Move::ALL`].
    fn nearer(
        &self,
        state: State,
        left: u32,
    ) -> impl Iterator<Item = Result<(Move, State), LookupError>> {
        self.space.steps(state.place).iter().filter_map(move |step| {
            let next = self.space.after(state, step);
            match self.table.entries().is_nearer(next, left) {
                Ok(is_nearer) => is_nearer.then_some(Ok((step.direction, next))),
                Err(error) => Some(Err(error)),
            }
        })
    }
}

/// The perfect heuristic: the distance itself.
///
/// An estimate cannot be an error. If [`Oracle::distance`] gives an error, because the file is damaged or was not made
/// by tilebase, the estimate is 0, which is always admissible.
/// [`TableFile::check_payload`](crate::table::TableFile::check_payload) finds damage before the search.
impl Heuristic for Oracle {
    fn estimate(&self, board: &Board) -> u32 {
        match self.distance(board) {
            Ok(distance) => distance.unwrap_or(u32::MAX),
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lookups in turn give the same answers as lookups one by one.
    #[test]
    fn lookups_that_take_turns_give_the_same_answers() {
        for encoding in [Encoding::Distance, Encoding::Bit] {
            let goal = Board::in_order("3x3".parse().unwrap(), 8);
            let builder = Builder::new(Orbit::of(&goal)).unwrap().with_encoding(encoding);
            let oracle = Oracle::new(builder.unwrap().build().unwrap(), &goal).unwrap();
            let mut boards = oracle.space().sample(1000, 3).unwrap();
            for (number, board) in boards.iter_mut().enumerate().step_by(3) {
                // Every third board is unsolvable, and some are of another shape.
                let (mut tiles, shape) = (board.tiles().to_vec(), board.shape());
                let [one, two] = [1, 2].map(|tile| tiles.iter().position(|t| *t == tile).unwrap());
                tiles.swap(one, two);
                *board = Board::new(shape, &tiles).unwrap();
                if number % 100 == 0 {
                    *board = Board::in_order("2x4".parse().unwrap(), 7);
                }
            }
            let single: Vec<_> = boards.iter().map(|board| oracle.distance(board)).collect();
            for count in [0, 1, 15, 16, 17, 1000] {
                assert_eq!(oracle.interleaved(&boards[..count]), single[..count]);
            }
            assert!(matches!(single[..3], [Err(_), Ok(Some(_)), Ok(Some(_))]));
            assert_eq!(single[3], Ok(None));
        }
    }
}
