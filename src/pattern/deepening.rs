//! Iterative deepening: searches of one board within greater and greater bounds, on several threads.

use std::{
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    pattern::{
        transposition::TranspositionTable,
        walker::{Context, Status, Walker},
    },
    search::report::Report,
    system::threads::{self, Threads},
};

/// How far a [`PatternSolver`](crate::pattern::PatternSolver) has come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SolverProgress {
    /// A solution has at least this number of moves: it is proven.
    pub at_least: u32,
    /// The number of boards that were expanded, without some that other threads have not counted yet.
    pub expanded: u64,
    /// The number of boards that were generated, likewise.
    pub generated: u64,
}

/// A function that is called from time to time, and can stop a search.
pub(super) type Watch<'a> = &'a mut (dyn FnMut(SolverProgress) -> ControlFlow<()> + Send);

/// The cells through which the blank goes from a board to the goal, without the first.
pub(super) type Route = Vec<u8>;

/// Iterative deepening of one board, in whatever number of views.
pub(super) trait Deepen {
    /// Searches within one bound after another. Returns a shortest route to the goal; `None` if `watch` stops it.
    fn solve(&self, report: &mut Report, watch: Watch<'_>) -> Option<Route>;

    /// Counts the routes to the goal with this number of moves, which is the least. `None` if `watch` stops it.
    fn count(&self, moves: u8, watch: Watch<'_>) -> Option<u128>;
}

/// What the searches of one board share.
pub(super) struct Deepening<'a, const VIEWS: usize> {
    pub(super) context: Context<'a, VIEWS>,
    /// A walker at the board.
    pub(super) root: Walker<VIEWS>,
    /// The estimate of the board in each view.
    pub(super) estimates: [u8; VIEWS],
    pub(super) threads: Threads,
}

/// The walkers of a search within one bound, shared by its threads.
struct Pool<const VIEWS: usize> {
    /// The walkers that no thread has taken yet; the last one is taken first.
    waiting: Mutex<Vec<Walker<VIEWS>>>,
    /// The number of walkers that take turns on one thread.
    abreast: usize,
    /// Whether the goal was found, or the search was stopped.
    is_over: AtomicBool,
}

/// What the walkers of one thread have counted and found.
#[derive(Clone, Default)]
struct WalkResult {
    expanded: u64,
    generated: u64,
    route: Option<Route>,
}

impl<const VIEWS: usize> Deepen for Deepening<'_, VIEWS> {
    fn solve(&self, report: &mut Report, watch: Watch<'_>) -> Option<Route> {
        let first = self.estimates.into_iter().max().unwrap_or(0);
        // A bound has eight bits, and slack has seven. No search gets to such a bound in a lifetime.
        let least = self.estimates.into_iter().min().unwrap_or(0);
        let last = least.saturating_add(i8::MAX as u8).min(u8::MAX - 1);
        for bound in (first..=last).step_by(2) {
            report.at_least = bound.into();
            if watch(SolverProgress::of(report)).is_break() {
                break;
            }
            let ControlFlow::Continue(route) = self.search(bound, report, watch) else { break };
            if route.is_some() {
                return route;
            }
        }
        None
    }

    fn count(&self, moves: u8, watch: Watch<'_>) -> Option<u128> {
        /// The number of turns between two calls of `watch`.
        const WATCH_EVERY: u64 = 1 << 14;
        let mut walker = self.start(moves);
        let mut table = TranspositionTable::disabled();
        walker.begin(&self.context);
        let mut routes = 0;
        for turn in 1u64.. {
            match walker.resume(&self.context, &mut table) {
                Status::Walking => {}
                Status::AtGoal => routes += 1,
                Status::Exhausted => break,
            }
            let (expanded, generated) = (walker.expanded, walker.generated);
            let progress = SolverProgress { at_least: moves.into(), expanded, generated };
            if turn % WATCH_EVERY == 0 && watch(progress).is_break() {
                return None;
            }
        }
        Some(routes)
    }
}

impl<const VIEWS: usize> Deepening<'_, VIEWS> {
    /// A walker at the board, with a bound.
    fn start(&self, bound: u8) -> Walker<VIEWS> {
        self.root.with_slack(self.estimates.map(|h| bound.wrapping_sub(h) as i8))
    }

    /// Searches within a bound. Returns a route to the goal, if there is one; `Break` if `watch` stops it.
    fn search(
        &self,
        bound: u8,
        report: &mut Report,
        watch: Watch<'_>,
    ) -> ControlFlow<(), Option<Route>> {
        /// The number of walkers that take turns on one thread.
        const ABREAST: usize = 3;
        /// The number of walkers for each that walks, so that all threads are busy until the end of a search.
        const SHARE: usize = 20;
        /// If fewer boards were expanded in the searches before, several walkers are not worth their start.
        const SHORT: u64 = 500;
        /// If fewer boards were expanded in the searches before, starting threads takes longer than the search.
        const LONG: u64 = 50_000;
        let root = self.start(bound);
        if root.is_at_goal() {
            return ControlFlow::Continue(Some(vec![]));
        }
        let threads = if report.expanded > LONG { self.threads.count() } else { 1 };
        let abreast = if report.expanded > SHORT { ABREAST } else { 1 };
        let least = if abreast > 1 { SHARE * threads * abreast } else { 1 };
        let waiting = match self.split(root, least, report) {
            Ok(walkers) => walkers,
            Err(route) => return ControlFlow::Continue(Some(route)),
        };
        let (waiting, is_over) = (Mutex::new(waiting), AtomicBool::new(false));
        let pool = Pool { waiting, abreast, is_over };
        let (before, watch) = (SolverProgress::of(report), Mutex::new(watch));
        let walked = threads::share(threads.into(), vec![(); threads], |()| {
            self.walk(&pool, |walked| {
                let expanded = before.expanded + walked.expanded;
                let generated = before.generated + walked.generated;
                let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
                watch(SolverProgress { expanded, generated, ..before })
            })
        });
        let mut route = None;
        for walked in walked {
            report.expanded += walked.expanded;
            report.generated += walked.generated;
            route = route.or(walked.route);
        }
        match route {
            None if pool.is_over.into_inner() => ControlFlow::Break(()),
            route => ControlFlow::Continue(route),
        }
    }

    /// Splits a walker, level by level, into at least this number of walkers, unless they have fewer boards. `Err` is a
    /// route to the goal.
    fn split(
        &self,
        root: Walker<VIEWS>,
        least: usize,
        report: &mut Report,
    ) -> Result<Vec<Walker<VIEWS>>, Route> {
        let mut walkers = vec![root];
        while walkers.len() < least && !walkers.is_empty() {
            let mut next = vec![];
            for mut walker in walkers {
                walker.begin(&self.context);
                report.expanded += walker.expanded;
                report.generated += walker.generated;
                next.extend(walker.split(&self.context).map_err(|at_goal| at_goal.route())?);
            }
            walkers = next;
        }
        // The last one is taken first, so that the boards are visited in the order of a single walk.
        walkers.reverse();
        Ok(walkers)
    }

    /// Walks with walkers of the pool until none is left, the goal is found, or the search is over.
    fn walk(
        &self,
        pool: &Pool<VIEWS>,
        watch: impl Fn(&WalkResult) -> ControlFlow<()>,
    ) -> WalkResult {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "bmi2,popcnt")]
            unsafe fn with_bmi<const VIEWS: usize>(
                deepening: &Deepening<'_, VIEWS>,
                pool: &Pool<VIEWS>,
                watch: impl Fn(&WalkResult) -> ControlFlow<()>,
            ) -> WalkResult {
                deepening.take_turns(pool, watch)
            }
            // SAFETY: the processor has the features bmi2 and popcnt, for which the function is compiled.
            return unsafe { with_bmi(self, pool, watch) };
        }
        self.take_turns(pool, watch)
    }

    /// The loop of [`walk`](Self::walk), which is compiled into each of its callers.
    #[inline(always)]
    fn take_turns(
        &self,
        pool: &Pool<VIEWS>,
        watch: impl Fn(&WalkResult) -> ControlFlow<()>,
    ) -> WalkResult {
        /// The number of turns between two looks at what other threads have found.
        const LOOK_EVERY: u32 = 1 << 8;
        /// The number of turns between two calls of `watch`.
        const WATCH_EVERY: u32 = 1 << 14;
        let mut table = TranspositionTable::new();
        let mut walked = WalkResult::default();
        let mut walkers: Vec<Walker<VIEWS>> = vec![];
        for turn in (1..WATCH_EVERY).chain([0]).cycle() {
            while walkers.len() < pool.abreast {
                let Some(mut walker) = pool.take() else { break };
                walker.begin(&self.context);
                walkers.push(walker);
            }
            if walkers.is_empty() {
                break;
            }
            let mut at = 0;
            while let Some(walker) = walkers.get_mut(at) {
                match walker.resume(&self.context, &mut table) {
                    Status::Walking => at += 1,
                    Status::Exhausted => walked = walked.with(&walkers.swap_remove(at)),
                    Status::AtGoal => {
                        walked.route = Some(walker.route());
                        pool.is_over.store(true, Ordering::Relaxed);
                        break;
                    }
                }
            }
            let all = || walkers.iter().fold(walked.clone(), WalkResult::with);
            let is_stopped = turn % LOOK_EVERY == 0 && pool.is_over.load(Ordering::Relaxed)
                || turn == 0 && watch(&all()).is_break();
            if is_stopped {
                pool.is_over.store(true, Ordering::Relaxed);
            }
            if is_stopped || walked.route.is_some() {
                break;
            }
        }
        walkers.iter().fold(walked, WalkResult::with)
    }
}

impl SolverProgress {
    /// What a report says so far.
    fn of(report: &Report) -> Self {
        let Report { at_least, expanded, generated, .. } = *report;
        Self { at_least, expanded, generated }
    }
}

impl<const VIEWS: usize> Pool<VIEWS> {
    /// Takes the next walker.
    fn take(&self) -> Option<Walker<VIEWS>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl WalkResult {
    /// Adds what a walker has counted.
    fn with<const VIEWS: usize>(self, walker: &Walker<VIEWS>) -> Self {
        let expanded = self.expanded + walker.expanded;
        let generated = self.generated + walker.generated;
        Self { expanded, generated, ..self }
    }
}
