//! Limits of a search: how long it may take, and what stopped it.

use std::{
    fmt,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{
    puzzle::board::Board,
    search::{
        algorithm::Search,
        heuristic::Heuristic,
        report::{Expansion, Outcome, Report},
    },
    system::machine,
    tablebase::quantity::Count,
};

/// Why a search was stopped before it was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// It had expanded this number of boards.
    Expanded(u64),
    /// It had taken this time.
    Time(Duration),
    /// Little memory was left.
    Memory,
    /// The listener stopped it.
    Listener,
}

/// What a search has come to, and what stopped it, if anything did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Searched {
    /// What the search has come to.
    pub report: Report,
    /// What stopped it; `None` if it came to its end.
    pub limit: Option<Limit>,
}

/// How far a classic search may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of boards that it expands.
    pub expanded: Option<u64>,
    /// The longest time that it takes.
    pub time: Option<Duration>,
}

impl Limits {
    /// Searches from `start` within the limits. `watch` sees each board before it is expanded, and can stop the search; it also
    /// stops when less than an eighth of the machine's memory is left.
    pub fn search<H: Heuristic>(
        &self,
        search: &Search<H>,
        start: &Board,
        mut watch: impl FnMut(&Expansion<'_>) -> ControlFlow<()>,
    ) -> Searched {
        let clock = Instant::now();
        let mut limit = None;
        let mut report = search.watch(start, |expansion| {
            limit = self.reached(expansion, clock);
            if limit.is_none() && watch(expansion).is_break() {
                limit = Some(Limit::Listener);
            }
            if limit.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // The perfect heuristic knows what the search would find out in the end.
        if report.at_least == u32::MAX {
            report.outcome = Outcome::Unsolvable;
        }
        Searched::new(report, limit)
    }

    /// The limit that keeps a board from being expanded, if there is one.
    fn reached(&self, expansion: &Expansion<'_>, clock: Instant) -> Option<Limit> {
        /// The number of expansions after which what takes time is asked again.
        const OFTEN: u64 = 1 << 8;
        const SELDOM: u64 = 1 << 18;
        let number = expansion.number;
        if let Some(most) = self.expanded.filter(|most| number > *most) {
            return Some(Limit::Expanded(most));
        }
        match self.time {
            _ if number % OFTEN != 0 => None,
            Some(most) if clock.elapsed() > most => Some(Limit::Time(most)),
            _ if number % SELDOM == 0 && expansion.held > SELDOM && is_memory_short() => {
                Some(Limit::Memory)
            }
            _ => None,
        }
    }
}

impl Searched {
    /// What a search has come to. One that stops by itself can hold no more boards.
    pub(crate) fn new(report: Report, limit: Option<Limit>) -> Self {
        let is_stopped = report.outcome == Outcome::Stopped;
        Self { limit: is_stopped.then_some(limit.unwrap_or(Limit::Memory)), report }
    }
}

/// Whether less than an eighth of the memory is left.
fn is_memory_short() -> bool {
    machine::memory().is_some_and(|memory| memory.free < memory.all / 8)
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expanded(most) => write!(f, "stopped after {} expanded boards", Count(*most)),
            Self::Time(most) => write!(f, "stopped after {most:?}"),
            Self::Memory => f.write_str("stopped: out of memory"),
            Self::Listener => f.write_str("interrupted"),
        }
    }
}
