//! The solver: what a pattern database tells about boards, for one goal.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use crate::{
    index::{digits::Digits, snake},
    pattern::{
        database::PatternDatabase,
        walker::{Lie, Met, Probe, ROOM, Step, Terrain, View, Walker},
    },
};
use crate::{
    puzzle::{board::Board, moves::Move, orbit::Orbit},
    search::{Outcome, Report, heuristic::Heuristic},
    system::threads::{self, Threads},
    table::oracle::OracleError,
};

/// Optimal solutions by a pattern database, for one goal.
///
/// IDA* with the database's estimates, of the board as it is and mirrored, where that tells more: the greater one of both
/// counts.
#[derive(Clone, Debug)]
pub struct PatternSolver {
    goal: Board,
    database: Arc<PatternDatabase>,
    threads: Threads,
    views: Vec<View>,
    /// For each view and tile, its place at the goal.
    homes: Vec<[u8; ROOM]>,
}

/// How far a [`PatternSolver`] has come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Bound {
    /// A solution has at least so many moves: that is proven.
    pub moves: u32,
    /// How many boards have been expanded, but for some that other threads have not counted yet.
    pub expanded: u64,
    /// How many have been generated, likewise.
    pub generated: u64,
}

/// The bits of a database do not lead to the goal.
#[derive(Clone, Copy)]
struct Astray;

/// What the searches of a run share.
struct Run<'a, const VIEWS: usize> {
    terrain: Terrain<'a, VIEWS>,
    root: Walker<VIEWS>,
    estimates: [u8; VIEWS],
    threads: Threads,
}

/// What a walk has come to: how many boards were expanded and generated, and the way to the goal, if it is one.
#[derive(Clone, Default)]
struct Walked {
    expanded: u64,
    generated: u64,
    way: Option<Vec<u8>>,
}

/// Whoever watches a search.
type Watch<'a> = &'a mut (dyn FnMut(Bound) -> ControlFlow<()> + Send);

impl PatternSolver {
    /// A solver for `goal` with a database of the goal's orbit. All of the database is checked.
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
        // A search reads bits from everywhere, and cannot stop to check each.
        database.check_payload(Threads::ALL)?;
        let places = snake::places(orbit.shape());
        let (mut views, mut homes) = (vec![], vec![]);
        for symmetry in partition.views(goal) {
            let [mut place_of, mut pattern_of, mut home_of] = [[0; ROOM]; 3];
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

    /// On at most so many threads, instead of one a core, where a search takes long.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The database.
    pub fn database(&self) -> &PatternDatabase {
        &self.database
    }

    /// The estimates of a board, one for each view; none, if the database lies. The board can reach the goal.
    fn estimates<const VIEWS: usize>(
        &self,
        board: &Board,
    ) -> Result<([[Lie; ROOM]; VIEWS], [u8; VIEWS]), Astray> {
        let mut lies = [[Lie::default(); ROOM]; VIEWS];
        let mut estimates = [0; VIEWS];
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
                let distance = table.distance(footprint, arrangement, blank).ok_or(Astray)?;
                lies[view][pattern] = Lie::new(footprint, arrangement, distance % 4);
                let sum = u32::from(estimates[view]) + distance;
                estimates[view] = u8::try_from(sum).map_err(|_| Astray)?;
            }
        }
        Ok((lies, estimates))
    }

    /// Whether a board can reach the goal; it is of the goal's shape.
    fn can_solve(&self, board: &Board) -> Result<bool, OracleError> {
        let (expected, found) = (self.goal.shape(), board.shape());
        if expected != found {
            return Err(OracleError::Shape { expected, found });
        }
        Ok(board.can_reach(&self.goal))
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
        let wrong = |_| OracleError::Wrong(board.clone());
        let estimate = match self.views.len() {
            1 => self.estimates::<1>(board).map_err(wrong)?.1[0],
            _ => self.estimates::<2>(board).map_err(wrong)?.1.into_iter().max().unwrap_or(0),
        };
        Ok(Some(estimate.into()))
    }

    /// Solves a board, for as long as it takes.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn solve(&self, board: &Board) -> Result<Report, OracleError> {
        self.solve_watched(board, |_| ControlFlow::Continue(()))
    }

    /// Solves a board, and tells `watch` from time to time how far that has come. If it breaks off, the search is
    /// stopped.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn solve_watched(
        &self,
        board: &Board,
        mut watch: impl FnMut(Bound) -> ControlFlow<()> + Send,
    ) -> Result<Report, OracleError> {
        let clock = Instant::now();
        let mut report = Report::new();
        if !self.can_solve(board)? {
            report.outcome = Outcome::Unsolvable;
            return Ok(Report { time: clock.elapsed(), ..report });
        }
        let way = match self.views.len() {
            1 => self.run::<1>(board).map(|run| run.deepen(&mut report, &mut watch)),
            _ => self.run::<2>(board).map(|run| run.deepen(&mut report, &mut watch)),
        };
        if let Some(way) = way.map_err(|_| OracleError::Wrong(board.clone()))? {
            report.outcome = Outcome::Solved(self.path(board, &way)?);
        }
        Ok(Report { time: clock.elapsed(), ..report })
    }

    /// Every move with which an optimal solution of a board can begin that is so far from the goal, in the order of
    /// [`Move::ALL`]. `None`, if `watch` breaks it off.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn best_moves(
        &self,
        board: &Board,
        distance: u32,
        mut watch: impl FnMut(Bound) -> ControlFlow<()> + Send,
    ) -> Result<Option<Vec<Move>>, OracleError> {
        let mut best = vec![];
        let Some(left) = distance.checked_sub(1) else { return Ok(Some(best)) };
        for step in Move::ALL {
            let Some(next) = board.step(step) else { continue };
            let mut limit = |bound: Bound| match bound.moves > left {
                true => ControlFlow::Break(()),
                false => watch(bound),
            };
            let report = self.solve_watched(&next, &mut limit)?;
            match report.outcome {
                Outcome::Solved(path) if path.len() as u32 == left => best.push(step),
                Outcome::Stopped if report.at_least <= left => return Ok(None),
                _ => {}
            }
        }
        Ok(Some(best))
    }

    /// How many optimal solutions a board has that is so far from the goal. It looks at each of them. `None`, if `watch`
    /// breaks it off.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn count_solutions(
        &self,
        board: &Board,
        distance: u32,
        mut watch: impl FnMut(Bound) -> ControlFlow<()> + Send,
    ) -> Result<Option<u128>, OracleError> {
        if distance == 0 || !self.can_solve(board)? {
            return Ok(Some(u128::from(*board == self.goal)));
        }
        let Ok(moves) = u8::try_from(distance) else { return Ok(Some(0)) };
        let count = match self.views.len() {
            1 => self.run::<1>(board).map(|run| run.count(moves, &mut watch)),
            _ => self.run::<2>(board).map(|run| run.count(moves, &mut watch)),
        };
        count.map_err(|_| OracleError::Wrong(board.clone()))
    }

    /// The moves that take the blank through these cells, and to the goal.
    fn path(&self, board: &Board, way: &[u8]) -> Result<Vec<Move>, OracleError> {
        let (mut last, mut path) = (board.clone(), vec![]);
        for cell in way {
            let to = |step: &Move| self.goal.shape().neighbor(last.blank(), *step);
            let step = Move::ALL.into_iter().find(|step| to(step) == Some(usize::from(*cell)));
            let step = step.ok_or_else(|| OracleError::Wrong(board.clone()))?;
            last.go(step);
            path.push(step);
        }
        // A database that lies may lead elsewhere.
        if last == self.goal { Ok(path) } else { Err(OracleError::Wrong(board.clone())) }
    }

    /// All that searches from a board have in common.
    fn run<const VIEWS: usize>(&self, board: &Board) -> Result<Run<'_, VIEWS>, Astray> {
        let (lies, estimates) = self.estimates::<VIEWS>(board)?;
        let mut tiles = [0; ROOM];
        tiles[..board.tiles().len()].copy_from_slice(board.tiles());
        let mut known = self.database.tables().map(Probe::new);
        let mut probes = [known.next().ok_or(Astray)?; ROOM];
        probes.iter_mut().skip(1).zip(known).for_each(|(to, probe)| *to = probe);
        let shape = self.goal.shape();
        let mut beside = [([0; 4], 0); ROOM];
        for (cell, (cells, count)) in beside.iter_mut().enumerate().take(shape.cells()) {
            for to in Move::ALL.into_iter().filter_map(|step| shape.neighbor(cell, step)) {
                cells[usize::from(*count)] = to as u8;
                *count += 1;
            }
        }
        let views = std::array::from_fn(|view| self.views[view]);
        Ok(Run {
            terrain: Terrain { views, probes, beside },
            root: Walker::new(tiles, board.blank() as u8, lies, estimates),
            estimates,
            threads: self.threads,
        })
    }
}

impl Report {
    fn bound(&self) -> Bound {
        Bound { moves: self.at_least, expanded: self.expanded, generated: self.generated }
    }
}

impl<const VIEWS: usize> Run<'_, VIEWS> {
    /// Searches within one bound after another. Gives the cells that the blank goes to on the way to the goal, unless `watch`
    /// breaks it off.
    fn deepen(&self, report: &mut Report, watch: Watch<'_>) -> Option<Vec<u8>> {
        let first = self.estimates.into_iter().max().unwrap_or(0);
        // Bounds have eight bits, and what they leave has seven. No search gets that far before its user's end.
        let least = self.estimates.into_iter().min().unwrap_or(0);
        let last = least.saturating_add(i8::MAX as u8).min(u8::MAX - 1);
        for bound in (first..=last).step_by(2) {
            report.at_least = bound.into();
            if watch(report.bound()).is_break() {
                break;
            }
            let ControlFlow::Continue(way) = self.search(bound, report, watch) else { break };
            if way.is_some() {
                return way;
            }
        }
        None
    }

    /// The start of a search within a bound.
    fn start(&self, bound: u8) -> Walker<VIEWS> {
        let mut walker = self.root.clone();
        walker.slack = self.estimates.map(|h| bound.wrapping_sub(h) as i8);
        walker
    }

    /// How many ways to the goal have so many moves, which are the fewest; `None`, if `watch` breaks it off.
    fn count(&self, moves: u8, watch: Watch<'_>) -> Option<u128> {
        const SELDOM: u64 = 1 << 14;
        let mut walker = self.start(moves);
        let mut met = Met::none();
        walker.begin(&self.terrain);
        let mut ways = 0;
        for turn in 1u64.. {
            match walker.step(&self.terrain, &mut met) {
                Step::On => {}
                Step::Goal => ways += 1,
                Step::End => break,
            }
            let (expanded, generated) = (walker.expanded, walker.generated);
            let bound = Bound { moves: moves.into(), expanded, generated };
            if turn % SELDOM == 0 && watch(bound).is_break() {
                return None;
            }
        }
        Some(ways)
    }

    /// Searches within a bound, unless `watch` breaks it off.
    fn search(
        &self,
        bound: u8,
        report: &mut Report,
        watch: Watch<'_>,
    ) -> ControlFlow<(), Option<Vec<u8>>> {
        /// So many walkers take turns.
        const ABREAST: usize = 3;
        /// So many wait for each that walks, to keep all busy to the end of a search.
        const WAITING: usize = 20;
        /// To have more than one is not worth it for less, in the searches before.
        const SHORT: u64 = 500;
        /// To wake a thread for less takes longer than the work: for so many boards in the search before.
        const LONG: u64 = 50_000;
        let root = self.start(bound);
        if root.h == 0 {
            return ControlFlow::Continue(Some(vec![]));
        }
        let threads = if report.expanded > LONG { self.threads.count() } else { 1 };
        let abreast = if report.expanded > SHORT { ABREAST } else { 1 };
        let mut waiting = vec![root];
        while abreast > 1 && waiting.len() < WAITING * threads * abreast && !waiting.is_empty() {
            let mut next = vec![];
            for mut walker in waiting {
                walker.begin(&self.terrain);
                report.expanded += walker.expanded;
                report.generated += walker.generated;
                match walker.split(&self.terrain) {
                    Ok(walkers) => next.extend(walkers),
                    Err(goal) => return ControlFlow::Continue(Some(goal.way().collect())),
                }
            }
            waiting = next;
        }
        // The first come first, as in a single walk.
        waiting.reverse();
        let (waiting, watch) = (Mutex::new(waiting), Mutex::new(watch));
        let is_over = AtomicBool::new(false);
        let bound = report.bound();
        let walked = threads::share(threads.into(), vec![(); threads], |()| {
            self.walk(&waiting, abreast, &is_over, |walked| {
                let expanded = bound.expanded + walked.expanded;
                let generated = bound.generated + walked.generated;
                let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
                watch(Bound { expanded, generated, ..bound })
            })
        });
        let mut way = None;
        for walked in walked {
            report.expanded += walked.expanded;
            report.generated += walked.generated;
            way = way.or(walked.way);
        }
        match way {
            None if is_over.into_inner() => ControlFlow::Break(()),
            way => ControlFlow::Continue(way),
        }
    }

    /// Walks with so many abreast of those that wait, until none is left, or one has found the goal or was stopped, here or elsewhere.
    fn walk(
        &self,
        waiting: &Mutex<Vec<Walker<VIEWS>>>,
        abreast: usize,
        is_over: &AtomicBool,
        watch: impl Fn(&Walked) -> ControlFlow<()>,
    ) -> Walked {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "bmi2,popcnt")]
            unsafe fn with_bmi<const VIEWS: usize>(
                run: &Run<'_, VIEWS>,
                waiting: &Mutex<Vec<Walker<VIEWS>>>,
                abreast: usize,
                is_over: &AtomicBool,
                watch: impl Fn(&Walked) -> ControlFlow<()>,
            ) -> Walked {
                run.take_turns(waiting, abreast, is_over, watch)
            }
            // SAFETY: the processor has all that the function is compiled for.
            return unsafe { with_bmi(self, waiting, abreast, is_over, watch) };
        }
        self.take_turns(waiting, abreast, is_over, watch)
    }

    #[inline(always)]
    fn take_turns(
        &self,
        waiting: &Mutex<Vec<Walker<VIEWS>>>,
        abreast: usize,
        is_over: &AtomicBool,
        watch: impl Fn(&Walked) -> ControlFlow<()>,
    ) -> Walked {
        /// How many turns go by until what takes time is asked again.
        const OFTEN: u32 = 1 << 8;
        const SELDOM: u32 = 1 << 14;
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut met = Met::new();
        let mut walked = Walked::default();
        let mut walkers: Vec<Walker<VIEWS>> = vec![];
        for turn in (1..SELDOM).chain([0]).cycle() {
            while walkers.len() < abreast {
                let Some(mut walker) = next() else { break };
                walker.begin(&self.terrain);
                walkers.push(walker);
            }
            if walkers.is_empty() {
                break;
            }
            let mut at = 0;
            while let Some(walker) = walkers.get_mut(at) {
                match walker.step(&self.terrain, &mut met) {
                    Step::On => at += 1,
                    Step::End => walked = walked.with(&walkers.swap_remove(at)),
                    Step::Goal => {
                        walked.way = Some(walker.way().collect());
                        is_over.store(true, Ordering::Relaxed);
                        break;
                    }
                }
            }
            let all = || walkers.iter().fold(walked.clone(), Walked::with);
            let is_stopped = turn % OFTEN == 0 && is_over.load(Ordering::Relaxed)
                || turn == 0 && watch(&all()).is_break();
            if is_stopped {
                is_over.store(true, Ordering::Relaxed);
            }
            if is_stopped || walked.way.is_some() {
                break;
            }
        }
        walkers.iter().fold(walked, Walked::with)
    }
}

impl Walked {
    fn with<const VIEWS: usize>(self, walker: &Walker<VIEWS>) -> Self {
        let expanded = self.expanded + walker.expanded;
        let generated = self.generated + walker.generated;
        Self { expanded, generated, ..self }
    }
}

/// The greatest of the estimates. Where the database lies, 0, which is never too much.
impl Heuristic for PatternSolver {
    fn estimate(&self, board: &Board) -> u32 {
        self.estimate(board).map_or(0, |estimate| estimate.unwrap_or(u32::MAX))
    }
}
