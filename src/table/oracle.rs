//! The oracle: what a table knows about any board, for one goal.

use std::{collections::BTreeMap, ops::RangeBounds, sync::Arc};

use crate::{
    index::space::{Space, State},
    judge::{
        claim::Claim,
        verdict::{Truth, Verdict},
    },
    puzzle::{board::Board, moves::Move, orbit::Orbit, shape::Shape},
    search::heuristic::Heuristic,
    table::{
        LookupError, Table,
        builder::{BuildError, Builder},
        header::Encoding,
        lookup::Lookup,
        seals::Damage,
    },
};

/// Exact answers about the boards of a shape, for one goal.
///
/// ```
/// use tilebase::{Board, Goal, Oracle, Shape};
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

/// Why the oracle cannot answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The board is of another shape than the goal.
    #[error("the board is {found}; the goal is {expected}")]
    Shape {
        /// The goal's shape.
        expected: Shape,
        /// The board's shape.
        found: Shape,
    },
    /// The table serves other goals.
    #[error(
        "the table is for {table}, as for goal {}; goal {goal} needs {}",
        table.goal(),
        Orbit::of(goal)
    )]
    Table {
        /// Which goals the table serves.
        table: Orbit,
        /// The goal that was asked for.
        goal: Board,
    },
    /// The table's file is damaged where the answer would be read.
    #[error("the table has a {0}")]
    Damaged(Damage),
    /// The table's checksums are right and its distances are not.
    #[error("the table has no right distance for {0}: it was not made by tilebase")]
    Wrong(Board),
}

impl From<Damage> for OracleError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

impl OracleError {
    #[cold]
    fn about(board: Board, error: LookupError) -> Self {
        match error {
            LookupError::Damaged(damage) => Self::Damaged(damage),
            LookupError::Wrong => Self::Wrong(board),
        }
    }
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
    /// If the goal's shape has more than 14 cells, or there is not the memory: some megabytes at most up to ten cells, 64 MB for
    /// twelve, 12 GB for fourteen.
    pub fn build(goal: &Board) -> Result<Self, BuildError> {
        let table = Builder::new(Orbit::of(goal))?.build()?;
        let space = Space::new(goal).map_err(|error| BuildError::Shape(error.0))?;
        Ok(Self { space, table: table.into() })
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        self.space.goal()
    }

    /// The numbering of the boards.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many moves an optimal solution has; `None` if the board is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
    pub fn distance(&self, board: &Board) -> Result<Option<u32>, OracleError> {
        // Not by a lookup in steps, which takes three times as long where a byte says it.
        let distance = match self.table.header().encoding {
            Encoding::Distance => self.space.index(board).map(|index| self.table.entry(index)),
            Encoding::Bit => self.space.locate(board).map(|state| self.table.walk(state)),
        };
        match distance {
            None => self.unsolvable(board),
            Some(Ok(distance)) => Ok(Some(distance)),
            Some(Err(error)) => Err(OracleError::about(board.clone(), error)),
        }
    }

    /// Begins to look up a board, if it is solvable.
    #[inline]
    fn begin(&self, board: &Board) -> Result<Option<Lookup<'_>>, OracleError> {
        let begun =
            Lookup::begin(&self.table, || self.space.index(board), || self.space.locate(board));
        if begun.is_none() { self.unsolvable(board) } else { Ok(begun) }
    }

    /// The distances of many boards, each as [`distance`](Self::distance) gives it. Where the table is larger than
    /// a cache, this is faster than one by one: memory brings for some what others will need.
    ///
    /// # Errors
    ///
    /// As for [`distance`](Self::distance), of one of the boards that have one.
    pub fn distances(&self, boards: &[Board]) -> Result<Vec<Option<u32>>, OracleError> {
        /// More than memory serves at once are no faster.
        const ABREAST: usize = 16;
        let mut distances = vec![None; boards.len()];
        let mut waiting = boards.iter().enumerate();
        let mut underway = Vec::with_capacity(ABREAST);
        loop {
            while underway.len() < ABREAST {
                let Some((number, board)) = waiting.next() else { break };
                underway.extend(self.begin(board)?.map(|lookup| (number, lookup)));
            }
            if underway.is_empty() {
                return Ok(distances);
            }
            let mut at = 0;
            while let Some((number, lookup)) = underway.get_mut(at) {
                match lookup.advance() {
                    Ok(None) => at += 1,
                    Ok(distance) => {
                        distances[*number] = distance;
                        underway.swap_remove(at);
                    }
                    Err(error) => return Err(OracleError::about(boards[*number].clone(), error)),
                }
            }
        }
    }

    /// An optimal solution; `None` if the board is unsolvable. Of several, the first when moves are
    /// tried in the order of [`Move::ALL`].
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
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
        // A table that lies may lead elsewhere.
        if self.space.is_goal(state) {
            Ok(Some(moves))
        } else {
            Err(OracleError::Wrong(board.clone()))
        }
    }

    /// Every move with which an optimal solution can begin, in the order of [`Move::ALL`]; each
    /// leaves a board whose distance is one less. `None` if the board is unsolvable; none at the goal.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
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

    /// How many optimal solutions there are: one for the goal itself, `None` if the board is
    /// unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
    pub fn count_solutions(&self, board: &Board) -> Result<Option<u128>, OracleError> {
        let Some((state, distance)) = self.locate(board)? else {
            return Ok(None);
        };
        // The boards of a level that lie on an optimal path, each with the number of ways to it.
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

    /// What is true of a board: its distance, or that it is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
    pub fn truth(&self, board: &Board) -> Result<Truth, OracleError> {
        Ok(self.distance(board)?.map_or(Truth::Unsolvable, Truth::Distance))
    }

    /// Judges a claim about a board, such as a path.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the table is wrong.
    pub fn judge(&self, board: &Board, claim: impl Into<Claim>) -> Result<Verdict, OracleError> {
        Ok(claim.into().judge(board, self.goal(), self.truth(board)?))
    }

    /// Every solvable board whose distance is in a range, in index order, with its distance.
    ///
    /// An item is an error where the table has no distance. A table of one bit a board takes a walk for each; one of
    /// a byte a board is as quickly built.
    pub fn boards(
        &self,
        depths: impl RangeBounds<u32>,
    ) -> impl Iterator<Item = Result<(Board, u32), OracleError>> {
        self.space.indices().filter_map(move |index| match self.table.distance(index) {
            Ok(depth) => depths.contains(&depth).then(|| Ok((self.space.board(index), depth))),
            Err(error) => Some(Err(OracleError::about(self.space.board(index), error))),
        })
    }

    /// The answer for a board without an index.
    #[cold]
    fn unsolvable<T>(&self, board: &Board) -> Result<Option<T>, OracleError> {
        let (expected, found) = (self.goal().shape(), board.shape());
        if expected == found { Ok(None) } else { Err(OracleError::Shape { expected, found }) }
    }

    /// A board's state and distance, or `None` if it is unsolvable.
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
            match self.table.is_nearer(next, left) {
                Ok(is_nearer) => is_nearer.then_some(Ok((step.direction, next))),
                Err(error) => Some(Err(error)),
            }
        })
    }
}

/// The perfect heuristic: the distance itself.
///
/// An estimate cannot be an error. If [`Oracle::distance`] is one, because the file is damaged or was not made by tilebase,
/// the estimate is that of an unsolvable board. [`TableFile::check_payload`](crate::TableFile::check_payload) finds this
/// beforehand.
impl Heuristic for Oracle {
    fn estimate(&self, board: &Board) -> u32 {
        self.distance(board).ok().flatten().unwrap_or(u32::MAX)
    }
}
