//! The solver: optimal solutions by a pattern database, for one goal.

use std::{ops::ControlFlow, sync::Arc, time::Instant};

use crate::{
    index::{digits::Digits, snake},
    pattern::{
        database::PatternDatabase,
        deepening::{Deepen, Deepening, SolverProgress, Watch},
        placement::{PADDED, Placement},
        walker::{Context, View, Walker},
    },
    puzzle::{board::Board, moves::Move, orbit::Orbit},
    search::{
        heuristic::Heuristic,
        report::{Outcome, Report},
    },
    system::threads::Threads,
    table::error::OracleError,
};

/// Optimal solutions by a pattern database, for one goal.
///
/// It is IDA* with the estimates of the database. A board has one estimate as it is, and another one mirrored, if the
/// mirrored patterns are different ones; the greater estimate counts.
///
/// ```
/// use tilebase::{Goal, index::Partition, pattern::{PatternBuilder, PatternSolver}, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let database = PatternBuilder::new(Partition::new(&goal, "4-4")?).build()?;
/// let solver = PatternSolver::new(database, &goal)?;
/// let board = "867254301".parse()?;
/// assert!(solver.estimate(&board)?.is_some_and(|moves| moves <= 31));
/// assert_eq!(solver.solve(&board)?.cost(), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PatternSolver {
    goal: Board,
    database: Arc<PatternDatabase>,
    threads: Threads,
    /// One view or two.
    views: Vec<View>,
    /// For each view, the place of each tile at the goal.
    homes: Vec<[u8; PADDED]>,
}

/// The most views of a board.
const MOST_VIEWS: usize = 2;

/// What the database says of a board, in each view; the second one is empty if there is one view.
struct PatternState {
    placements: [[Placement; PADDED]; MOST_VIEWS],
    estimates: [u8; MOST_VIEWS],
}

impl PatternSolver {
    /// A solver for `goal`, with a database of the goal's orbit. All bytes of the database are checked.
    ///
    /// # Errors
    ///
    /// [`OracleError::Table`] if the database is for another orbit, [`OracleError::Damaged`] if it is damaged.
    pub fn new(
        database: impl Into<Arc<PatternDatabase>>,
        goal: &Board,
    ) -> Result<Self, OracleError> {
        let database = database.into();
        let (orbit, partition) = (database.header().orbit, database.partition());
        if orbit != Orbit::of(goal) {
            return Err(OracleError::Table { table: orbit, goal: goal.clone() });
        }
        // A search reads bits everywhere, and has no time to check the block of each.
        database.file().check_payload(Threads::ALL)?;
        let places = snake::places(orbit.shape());
        let (mut views, mut homes) = (vec![], vec![]);
        for symmetry in partition.views(goal) {
            let [mut place_of, mut pattern_of, mut home_of] = [[0; PADDED]; 3];
            for (cell, &tile) in goal.tiles().iter().enumerate() {
                let place = places[symmetry.image(goal.shape(), cell)];
                place_of[cell] = place as u8;
                home_of[usize::from(tile)] = place as u8;
                pattern_of[usize::from(tile)] = partition.pattern_of(place).unwrap_or(0) as u8;
            }
            views.push(View { place_of, pattern_of });
            homes.push(home_of);
        }
        Ok(Self { goal: goal.clone(), database, threads: Threads::ALL, views, homes })
    }

    /// Sets the greatest number of threads for long searches. The default is one thread for each core.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> &PatternDatabase {
        &self.database
    }

    /// The greatest of the estimates of a board; `None` if it is unsolvable.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn estimate(&self, board: &Board) -> Result<Option<u32>, OracleError> {
        if !self.can_solve(board)? {
            return Ok(None);
        }
        let estimates = self.look_up(board)?.estimates;
        Ok(estimates.into_iter().max().map(u32::from))
    }

    /// Solves a board, without a limit.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn solve(&self, board: &Board) -> Result<Report, OracleError> {
        self.solve_watched(board, |_| ControlFlow::Continue(()))
    }

    /// Solves a board, and calls `watch` from time to time. If `watch` breaks, the search stops.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn solve_watched(
        &self,
        board: &Board,
        mut watch: impl FnMut(SolverProgress) -> ControlFlow<()> + Send,
    ) -> Result<Report, OracleError> {
        let clock = Instant::now();
        let mut report = Report::new();
        if !self.can_solve(board)? {
            report.outcome = Outcome::Unsolvable;
        } else if let Some(route) = self.deepening(board)?.solve(&mut report, &mut watch) {
            report.outcome = Outcome::Solved(self.path(board, &route)?);
        }
        Ok(Report { time: clock.elapsed(), ..report })
    }

    /// All moves with which an optimal solution of a board begins, in the order of [`Move::ALL`]. `distance` is the
    /// board's distance from the goal. `None` if `watch` breaks.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn best_moves(
        &self,
        board: &Board,
        distance: u32,
        mut watch: impl FnMut(SolverProgress) -> ControlFlow<()> + Send,
    ) -> Result<Option<Vec<Move>>, OracleError> {
        let mut best = vec![];
        let Some(left) = distance.checked_sub(1) else { return Ok(Some(best)) };
        for (step, next) in board.neighbors() {
            let report = self.solve_watched(&next, |progress| match progress.at_least > left {
                true => ControlFlow::Break(()),
                false => watch(progress),
            })?;
            match report.outcome {
                Outcome::Solved(path) if path.len() as u32 == left => best.push(step),
                Outcome::Stopped if report.at_least <= left => return Ok(None),
                _ => {}
            }
        }
        Ok(Some(best))
    }

    /// The number of optimal solutions of a board. `distance` is the board's distance from the goal. The search visits
    /// each solution. `None` if `watch` breaks.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn count_solutions(
        &self,
        board: &Board,
        distance: u32,
        mut watch: impl FnMut(SolverProgress) -> ControlFlow<()> + Send,
    ) -> Result<Option<u128>, OracleError> {
        if distance == 0 || !self.can_solve(board)? {
            return Ok(Some(u128::from(*board == self.goal)));
        }
        let Ok(moves) = u8::try_from(distance) else { return Ok(Some(0)) };
        let watch: Watch<'_> = &mut watch;
        Ok(self.deepening(board)?.count(moves, watch))
    }

    /// Whether a board can reach the goal. The error is that the board is of another shape.
    fn can_solve(&self, board: &Board) -> Result<bool, OracleError> {
        let (expected, found) = (self.goal.shape(), board.shape());
        if expected != found {
            return Err(OracleError::Shape { expected, found });
        }
        Ok(board.can_reach(&self.goal))
    }

    /// Looks up all patterns of a board that can reach the goal. The error is that the database is wrong.
    fn look_up(&self, board: &Board) -> Result<PatternState, OracleError> {
        let wrong = || OracleError::Wrong(board.clone());
        let mut placements = [[Placement::NONE; PADDED]; MOST_VIEWS];
        let mut estimates = [0; MOST_VIEWS];
        for (view, View { place_of, pattern_of }) in self.views.iter().enumerate() {
            let blank = place_of[board.blank()].into();
            for (pattern, table) in self.database.tables().enumerate() {
                let is_of = |tile: &u8| usize::from(pattern_of[usize::from(*tile)]) == pattern;
                let cells = board.tiles().iter().zip(place_of);
                let mut tiles: Vec<_> = cells
                    .filter(|(tile, _)| **tile != 0 && is_of(tile))
                    .map(|(tile, place)| (*place, *tile))
                    .collect();
                tiles.sort_unstable();
                let footprint = tiles.iter().fold(0, |places, (place, _)| places | 1 << place);
                let homes: Vec<_> =
                    tiles.iter().map(|(_, tile)| self.homes[view][usize::from(*tile)]).collect();
                let arrangement = Digits::new(&homes);
                let distance = table.distance(footprint, arrangement, blank).ok_or_else(wrong)?;
                placements[view][pattern] = Placement::new(footprint, arrangement, distance % 4);
                let sum = u32::from(estimates[view]) + distance;
                estimates[view] = u8::try_from(sum).map_err(|_| wrong())?;
            }
        }
        Ok(PatternState { placements, estimates })
    }

    /// Iterative deepening of a board that can reach the goal, in one view or two.
    fn deepening(&self, board: &Board) -> Result<Box<dyn Deepen + '_>, OracleError> {
        let state = self.look_up(board)?;
        Ok(match self.views.len() {
            1 => Box::new(self.deepening_in::<1>(board, &state)),
            _ => Box::new(self.deepening_in::<MOST_VIEWS>(board, &state)),
        })
    }

    /// Iterative deepening in a number of views, which the compiler knows.
    fn deepening_in<const VIEWS: usize>(
        &self,
        board: &Board,
        state: &PatternState,
    ) -> Deepening<'_, VIEWS> {
        let mut tiles = [0; PADDED];
        tiles[..board.tiles().len()].copy_from_slice(board.tiles());
        let views = std::array::from_fn(|view| self.views[view]);
        let placements = std::array::from_fn(|view| state.placements[view]);
        let estimates = std::array::from_fn(|view| state.estimates[view]);
        Deepening {
            context: Context::new(views, self.database.tables(), self.goal.shape()),
            root: Walker::new(tiles, board.blank() as u8, placements, estimates),
            estimates,
            threads: self.threads,
        }
    }

    /// The moves that take the blank along a route, which ends at the goal unless the database is wrong.
    fn path(&self, board: &Board, route: &[u8]) -> Result<Vec<Move>, OracleError> {
        let (mut last, mut path) = (board.clone(), vec![]);
        for cell in route {
            let to = |step: &Move| self.goal.shape().neighbor(last.blank(), *step);
            let step = Move::ALL.into_iter().find(|step| to(step) == Some(usize::from(*cell)));
            let step = step.ok_or_else(|| OracleError::Wrong(board.clone()))?;
            last.go(step);
            path.push(step);
        }
        if last == self.goal { Ok(path) } else { Err(OracleError::Wrong(board.clone())) }
    }
}

/// The greatest of the estimates. If the database is wrong it is 0, which is never too much.
impl Heuristic for PatternSolver {
    fn estimate(&self, board: &Board) -> u32 {
        self.estimate(board).map_or(0, |estimate| estimate.unwrap_or(u32::MAX))
    }
}
