//! Pattern databases: which one is used, and how positions are solved with it.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use indicatif::HumanCount;
use tilebase::{
    Board, Bound, Move, OracleError, Outcome, Partition, PatternBuilder, PatternDatabase,
    PatternSolver, Report, Store, TableError,
};

use crate::{
    console::Console,
    cost::{self, Cost},
    process,
    progress::Progress,
    search::Limit,
    tables,
};

/// What a pattern database tells of positions.
pub(crate) struct Patterns {
    pub(crate) solver: PatternSolver,
    /// What is built when a search takes long.
    larger: Option<PatternBuilder>,
}

impl Patterns {
    /// Those of one database.
    pub(crate) fn new(database: PatternDatabase, goal: &Board, threads: usize) -> Result<Self> {
        let solver = PatternSolver::new(database, goal)?.with_threads(threads);
        Ok(Self { solver, larger: None })
    }

    /// The database for a goal from the store: that of a partition, if one is asked for, else the largest that is there. If
    /// there is none, a small one is built on the way.
    pub(crate) fn fetch(
        store: &Store,
        goal: &Board,
        partition: Option<Partition>,
        threads: usize,
        console: &mut Console,
    ) -> Result<Self> {
        let found = match &partition {
            Some(_) => None,
            None => store.find_patterns(tilebase::Orbit::of(goal), open),
        };
        if let Some(database) = found {
            return Ok(Self {
                larger: larger(goal, &database, threads),
                ..Self::new(database, goal, threads)?
            });
        }
        let is_asked = partition.is_some();
        let partition = partition.map_or_else(|| Partition::small(goal), Ok)?;
        let builder = PatternBuilder::new(partition).with_threads(threads);
        let cost = Cost::of_patterns(&builder);
        let path = store.pattern_path(builder.partition());
        if !cost::is_soon_built(&builder) && !path.exists() {
            bail!(
                "it is not in the store: `{} --pattern {}` builds it ({cost})",
                tables::command(goal),
                builder.partition()
            );
        }
        cost::check_memory(cost.memory)?;
        let start = Instant::now();
        let fetched = store.fetch_patterns(&builder, open)?;
        let what = format!("the pattern database {}", builder.partition());
        tables::note(&fetched, &what, goal, start, console);
        if is_asked {
            return Self::new(fetched.table, goal, threads);
        }
        let larger = larger(goal, &fetched.table, threads);
        if let Some(larger) = &larger {
            let command = tables::command(goal);
            console.note(format_args!(
                "`{command} --pattern {}` builds a larger one ({}), with which positions are solved many times as fast",
                larger.partition(),
                Cost::of_patterns(larger)
            ));
        }
        Ok(Self { larger, ..Self::new(fetched.table, goal, threads)? })
    }

    /// Solves a position, and says what stopped that, if anything did.
    pub(crate) fn solve(
        &mut self,
        board: &Board,
        timeout: Option<Duration>,
        console: &mut Console,
    ) -> Result<(Report, Option<Limit>)> {
        /// A search that takes longer is worth a larger database.
        const PATIENCE: Duration = Duration::from_millis(200);
        let clock = Instant::now();
        // There has to be the time for it, and to spare.
        let is_worth = |larger: &PatternBuilder| {
            let cost = Cost::of_patterns(larger);
            let takes = PATIENCE + 4 * cost.time;
            is_small(board)
                && timeout.is_none_or(|most| takes < most)
                && cost::check_memory(cost.memory).is_ok()
        };
        let larger = self.larger.take_if(|larger| is_worth(larger));
        let first = if larger.is_some() { Some(PATIENCE) } else { timeout };
        let (mut report, limit) = process::interruptible(|| self.search(board, first, console))?;
        if larger.is_none() || !matches!(limit, Some(Limit::Time(_))) {
            self.larger = self.larger.take().or(larger);
            return Ok((report, limit));
        }
        if let Some(larger) = larger {
            console.note(format_args!(
                "{board} takes long: the pattern database {} is built, in memory only",
                larger.partition()
            ));
            let progress = Progress::uneven(larger.partition().entries(), !console.is_quiet());
            let built = process::interruptible(|| {
                larger.build_watched(|advance| {
                    progress.advance(&advance);
                    tables::go_on()
                })
            });
            match built {
                Ok(database) => {
                    let goal = self.solver.goal().clone();
                    self.solver =
                        PatternSolver::new(database, &goal)?.with_threads(larger.threads());
                }
                Err(tilebase::BuildError::Stopped) => {
                    return Ok((report, Some(Limit::Interruption)));
                }
                // Then it takes as long as it takes.
                Err(error) => console.note(error),
            }
        }
        let rest = timeout.map(|most| most.saturating_sub(clock.elapsed()));
        let (last, limit) = process::interruptible(|| self.search(board, rest, console))?;
        report.outcome = last.outcome;
        report.at_least = report.at_least.max(last.at_least);
        report.expanded += last.expanded;
        report.generated += last.generated;
        report.time = clock.elapsed();
        let limit = limit.map(|limit| match (limit, timeout) {
            (Limit::Time(_), Some(most)) => Limit::Time(most),
            (limit, _) => limit,
        });
        Ok((report, limit))
    }

    /// Solves a position with the database that there is. An interruption has to be let through.
    pub(crate) fn search(
        &self,
        board: &Board,
        timeout: Option<Duration>,
        console: &Console,
    ) -> Result<(Report, Option<Limit>)> {
        let (clock, progress) = (Instant::now(), Progress::endless(!console.is_quiet()));
        let mut limit = None;
        let report = self.solver.solve_watched(board, |bound| {
            limit = watch(&bound, clock, timeout, &progress);
            if limit.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let is_stopped = report.outcome == Outcome::Stopped;
        Ok((report, is_stopped.then_some(limit.unwrap_or(Limit::Memory))))
    }

    /// Every move with which an optimal solution of a position can begin that is so far from the goal.
    pub(crate) fn best_moves(
        &self,
        board: &Board,
        distance: u32,
        console: &Console,
    ) -> Result<Option<Vec<Move>>, OracleError> {
        let progress = Progress::endless(!console.is_quiet());
        let clock = Instant::now();
        process::interruptible(|| {
            self.solver.best_moves(board, distance, |bound| go_on(&bound, clock, &progress))
        })
    }

    /// How many optimal solutions a position has that is so far from the goal.
    pub(crate) fn count_solutions(
        &self,
        board: &Board,
        distance: u32,
        console: &Console,
    ) -> Result<Option<u128>, OracleError> {
        let progress = Progress::endless(!console.is_quiet());
        let clock = Instant::now();
        process::interruptible(|| {
            self.solver.count_solutions(board, distance, |bound| go_on(&bound, clock, &progress))
        })
    }
}

/// Whether a position is solved in seconds, if the database is large.
pub(crate) fn is_small(board: &Board) -> bool {
    const MOST_CELLS: usize = 16;
    board.shape().cells() <= MOST_CELLS
}

/// Opens a pattern database for as long as the program runs; all of it is checked, for a search reads from everywhere.
pub(crate) fn open(path: &Path) -> Result<PatternDatabase, TableError> {
    let file = tables::open_file(path)?;
    file.check_payload(tilebase::Threads::ALL).map_err(TableError::Payload)?;
    file.try_into()
}

/// The builder of a larger database than there is, if there is a usual one.
fn larger(goal: &Board, database: &PatternDatabase, threads: usize) -> Option<PatternBuilder> {
    let larger = Partition::large(goal).ok()?;
    let is_larger = larger.entries() > database.partition().entries();
    is_larger.then(|| PatternBuilder::new(larger).with_threads(threads))
}

/// What keeps a search from going on, if anything does.
fn watch(
    bound: &Bound,
    clock: Instant,
    timeout: Option<Duration>,
    progress: &Progress,
) -> Option<Limit> {
    progress.step(|| {
        let [moves, expanded] = [u64::from(bound.moves), bound.expanded].map(HumanCount);
        format!("at least {moves} moves, {expanded} boards expanded")
    });
    match timeout {
        _ if process::is_interrupted() => Some(Limit::Interruption),
        Some(most) if clock.elapsed() > most => Some(Limit::Time(most)),
        _ => None,
    }
}

fn go_on(bound: &Bound, clock: Instant, progress: &Progress) -> ControlFlow<()> {
    match watch(bound, clock, None, progress) {
        Some(_) => ControlFlow::Break(()),
        None => ControlFlow::Continue(()),
    }
}
