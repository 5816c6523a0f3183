//! The limits of a search, and the one that stopped it.

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

/// What stopped a search before it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The search had expanded this number of boards.
    Expanded(u64),
    /// The search had taken this time.
    Time(Duration),
    /// The search was running out of memory.
    Memory,
    /// The listener stopped the search.
    Listener,
}

/// The report of a search, and the limit that stopped it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Searched {
    /// The report of the search.
    pub report: Report,
    /// What stopped the search; `None` if it ended by itself.
    pub limit: Option<Limit>,
}

/// The limits of a classic search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of boards that the search may expand.
    pub expanded: Option<u64>,
    /// The longest time that the search may take.
    pub time: Option<Duration>,
}

impl Limits {
    /// Searches from `start` within the limits. `watch` sees each board before it is expanded, and can stop the search.
    ///
    /// The search also stops when less than an eighth of the machine's memory is free.
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
        // A perfect heuristic already knows that the board is unsolvable.
        if report.at_least == u32::MAX {
            report.outcome = Outcome::Unsolvable;
        }
        Searched::new(report, limit)
    }

    /// The limit that forbids expanding the next board, if one is reached.
    fn reached(&self, expansion: &Expansion<'_>, clock: Instant) -> Option<Limit> {
        /// The number of expansions after which the clock is read again.
        const OFTEN: u64 = 1 << 8;
        /// The number of expansions after which the free memory is measured again.
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
    /// The result of a search. If the search stopped and no limit was reached, it was out of memory.
    pub(crate) fn new(report: Report, limit: Option<Limit>) -> Self {
        let is_stopped = report.outcome == Outcome::Stopped;
        Self { limit: is_stopped.then_some(limit.unwrap_or(Limit::Memory)), report }
    }
}

/// Whether less than an eighth of the machine's memory is free.
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
