//! Answers from a pattern database. If a search takes long, a larger database replaces it.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    pattern::{
        builder::PatternBuilder, database::PatternDatabase, deepening::SolverProgress,
        solver::PatternSolver,
    },
    puzzle::{board::Board, moves::Move},
    table::{builder::BuildError, error::OracleError},
    tablebase::{
        event::{Event, Listener, Note},
        limit::{Limit, Searched},
        policy::{Policy, Reason, Refusal},
        slot::Slot,
    },
};

/// Optimal solutions by IDA* with a pattern database, for one goal.
#[derive(Debug)]
pub struct Patterns {
    solver: PatternSolver,
    /// Builds a larger database, for searches that take long.
    larger: Option<PatternBuilder>,
    /// The solver with the larger database, once it is built; `None` if it cannot be built.
    grown: Slot<Option<PatternSolver>>,
    policy: Arc<Policy>,
}

impl Patterns {
    /// Answers for a goal from a database. If `grows` is true, a larger database may replace it.
    pub(crate) fn new(
        database: Arc<PatternDatabase>,
        goal: &Board,
        policy: &Arc<Policy>,
        grows: bool,
    ) -> Result<Self, OracleError> {
        let larger = if grows { policy.larger(goal, &database) } else { None };
        let solver = PatternSolver::new(database, goal)?.with_threads(policy.threads);
        Ok(Self { solver, larger, grown: Slot::new(), policy: Arc::clone(policy) })
    }

    /// The solver with the largest database that is open.
    pub fn solver(&self) -> &PatternSolver {
        self.grown.get().and_then(Option::as_ref).unwrap_or(&self.solver)
    }

    /// Solves a board.
    ///
    /// If a larger database is worth its time, the first search stops after [`Policy::patience`]. Then the larger
    /// database is built, and the search starts again.
    ///
    /// # Errors
    ///
    /// If the board is of another shape than the goal, or the database is wrong.
    pub fn solve(
        &self,
        board: &Board,
        timeout: Option<Duration>,
        listener: Listener<'_>,
    ) -> Result<Searched, Refusal> {
        let clock = Instant::now();
        let larger = self
            .larger
            .as_ref()
            .filter(|larger| self.grown.get().is_none() && self.policy.is_worth(larger, timeout));
        let Some(larger) = larger else { return self.search(board, timeout, listener) };
        let mut first = self.search(board, Some(self.policy.patience), listener)?;
        if !matches!(first.limit, Some(Limit::Time(_))) {
            return Ok(first);
        }
        match self.grow(larger, board, listener) {
            Err(refusal) if refusal.is_stop() => {
                first.limit = Some(Limit::Listener);
                return Ok(first);
            }
            grown => grown?,
        }
        let rest = timeout.map(|most| most.saturating_sub(clock.elapsed()));
        let Searched { report: mut last, limit } = self.search(board, rest, listener)?;
        last.at_least = last.at_least.max(first.report.at_least);
        last.expanded += first.report.expanded;
        last.generated += first.report.generated;
        last.time = clock.elapsed();
        let limit = limit.map(|limit| match (limit, timeout) {
            (Limit::Time(_), Some(most)) => Limit::Time(most),
            (limit, _) => limit,
        });
        Ok(Searched { report: last, limit })
    }

    /// Builds the larger database, in memory, for a board that takes long.
    fn grow(
        &self,
        larger: &PatternBuilder,
        board: &Board,
        listener: Listener<'_>,
    ) -> Result<(), Refusal> {
        let build = |listener: Listener<'_>| {
            let _ = listener(Event::Note(Note::Growing { board, partition: larger.partition() }));
            match larger.build_watched(|advance| listener(Event::Level(advance))) {
                Ok(database) => {
                    let solver = PatternSolver::new(database, self.solver.goal())?;
                    Ok(Some(solver.with_threads(self.policy.threads)))
                }
                Err(BuildError::Stopped) => Err(Reason::Stopped.into()),
                // The search then continues with the database in use, however long it takes.
                Err(error) => {
                    let _ = listener(Event::Note(Note::NotGrown(&error)));
                    Ok(None)
                }
            }
        };
        self.grown.get_or_make(listener, build).map(|_| ())
    }

    /// Solves a board with the largest database that is open, and builds none.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn search(
        &self,
        board: &Board,
        timeout: Option<Duration>,
        listener: Listener<'_>,
    ) -> Result<Searched, Refusal> {
        let clock = Instant::now();
        let mut limit = None;
        let report = self.solver().solve_watched(board, |progress| {
            limit = match timeout {
                _ if listener(Event::Search(progress)).is_break() => Some(Limit::Listener),
                Some(most) if clock.elapsed() > most => Some(Limit::Time(most)),
                _ => None,
            };
            if limit.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(Searched::new(report, limit))
    }

    /// Every move with which an optimal solution of a board at `distance` can begin; `None` if the listener stops the
    /// search.
    pub(crate) fn best_moves(
        &self,
        board: &Board,
        distance: u32,
        listener: Listener<'_>,
    ) -> Result<Option<Vec<Move>>, OracleError> {
        self.solver().best_moves(board, distance, |progress: SolverProgress| {
            listener(Event::Search(progress))
        })
    }

    /// The number of optimal solutions of a board at `distance`; `None` if the listener stops the search.
    pub(crate) fn count_solutions(
        &self,
        board: &Board,
        distance: u32,
        listener: Listener<'_>,
    ) -> Result<Option<u128>, OracleError> {
        let watch = |progress: SolverProgress| listener(Event::Search(progress));
        self.solver().count_solutions(board, distance, watch)
    }
}
