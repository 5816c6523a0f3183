//! Searches: by which algorithm and heuristic, and how far they go.

use std::{
    fmt,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use indicatif::HumanCount;
use serde::Serialize;
use tilebase::{
    Algorithm, Blind, Board, Expansion, Heuristic, LinearConflict, Manhattan, Misplaced, Oracle,
    OracleError, Outcome, Report, Search,
};

use crate::{answer::text, machine, patterns::Patterns, process, progress::Progress};

/// The algorithms, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlgorithmName {
    /// Breadth-first search
    Bfs,
    /// Breadth-first search from the start and from the goal
    Bidirectional,
    /// Greedy best-first search: by h
    Greedy,
    /// A*: by f = g + h
    Astar,
    /// Weighted A*: by f = g + W·h
    Weighted,
    /// IDA*: depth-first within a bound on f that grows
    Idastar,
}

/// The heuristics, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeuristicName {
    /// 0 for every board
    None,
    /// How many tiles are not in their place
    Misplaced,
    /// How many rows and columns the tiles are from their places
    Manhattan,
    /// Manhattan, and two for each tile that has to leave its line
    LinearConflict,
    /// The distance itself
    Table,
    /// What a pattern database tells
    Pattern,
}

impl HeuristicName {
    /// The heuristic for a goal; none, if it is that of a table or of a pattern database and there is none. A search cannot be
    /// told of damage, so all of the table is checked before.
    pub(crate) fn heuristic<'a>(
        self,
        goal: &Board,
        oracle: Option<&'a Oracle>,
        patterns: Option<&'a Patterns>,
    ) -> Result<Option<Box<dyn Heuristic + 'a>>, OracleError> {
        Ok(Some(match self {
            Self::None => Box::new(Blind),
            Self::Misplaced => Box::new(Misplaced::new(goal)),
            Self::Manhattan => Box::new(Manhattan::new(goal)),
            Self::LinearConflict => Box::new(LinearConflict::new(goal)),
            Self::Table => {
                let Some(oracle) = oracle else { return Ok(None) };
                oracle.table().check_payload(tilebase::Threads::ALL)?;
                Box::new(oracle)
            }
            Self::Pattern => {
                let Some(patterns) = patterns else { return Ok(None) };
                Box::new(&patterns.solver)
            }
        }))
    }
}

/// How searches are run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Searches")]
pub(crate) struct Rules {
    /// The weight of h for `weighted`, 1 or more: no solution is more than W times as long as an optimal one [default: 2]
    #[arg(long, value_name = "W", value_parser = weight)]
    weight: Option<f64>,
    /// Expand no more than N boards in a search
    #[arg(long, value_name = "N")]
    limit_expanded: Option<u64>,
    /// Stop a search after S seconds [default of compare: 10]
    #[arg(long, value_name = "S", value_parser = process::seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Search from unsolvable positions, too, until there is no board left
    #[arg(long)]
    no_parity_check: bool,
}

fn weight(text: &str) -> Result<f64> {
    let weight = text.parse().unwrap_or(f64::NAN);
    ensure!((1.0..=1e6).contains(&weight), "expected a number from 1 to 1000000, such as 1.5");
    Ok(weight)
}

/// An algorithm with a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Method {
    #[serde(serialize_with = "text")]
    pub(crate) algorithm: AlgorithmName,
    #[serde(serialize_with = "text")]
    pub(crate) heuristic: HeuristicName,
}

impl Method {
    /// How positions are solved where there is no table.
    pub(crate) const BY_PATTERNS: Self =
        Self { algorithm: AlgorithmName::Idastar, heuristic: HeuristicName::Pattern };
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        name(self, f)
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        name(self, f)
    }
}

/// Writes a value by the name that it has on the command line.
fn name(value: &impl ValueEnum, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = value.to_possible_value();
    f.write_str(value.as_ref().map_or("", |value| value.get_name()))
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heuristic {
            HeuristicName::None => write!(f, "{}", self.algorithm),
            heuristic => write!(f, "{} with {heuristic}", self.algorithm),
        }
    }
}

impl AlgorithmName {
    /// The algorithm, with a weight if it is the weighted one.
    fn algorithm(self, weight: f64) -> Algorithm {
        match self {
            Self::Bfs => Algorithm::BreadthFirst,
            Self::Bidirectional => Algorithm::Bidirectional,
            Self::Greedy => Algorithm::Greedy,
            Self::Astar => Algorithm::AStar,
            Self::Weighted => Algorithm::WeightedAStar { weight },
            Self::Idastar => Algorithm::IdaStar,
        }
    }

    /// Whether its solutions are optimal, if the heuristic is admissible.
    pub(crate) fn is_optimal(self) -> bool {
        self.algorithm(2.0).is_optimal()
    }

    /// Whether it makes use of a heuristic.
    pub(crate) fn is_informed(self) -> bool {
        self.algorithm(1.0).is_informed()
    }
}

/// Why a search was stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limit {
    Expanded(u64),
    Time(Duration),
    Memory,
    Interruption,
    /// Nobody takes the trace.
    Trace,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expanded(most) => {
                write!(f, "stopped after {} expanded boards", HumanCount(*most))
            }
            Self::Time(most) => write!(f, "stopped after {most:?}"),
            Self::Memory => f.write_str("stopped, for the memory is used up"),
            Self::Interruption | Self::Trace => f.write_str("interrupted"),
        }
    }
}

/// What a search has come to, as JSON.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    #[serde(flatten)]
    pub(crate) method: Method,
    pub(crate) moves: Option<u32>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) reopened: u64,
    pub(crate) largest_open: u64,
    pub(crate) seconds: f64,
}

impl Facts {
    pub(crate) fn new(method: Method, report: &Report) -> Self {
        Self {
            method,
            moves: report.cost(),
            expanded: report.expanded,
            generated: report.generated,
            reopened: report.reopened,
            largest_open: report.largest_open,
            seconds: report.time.as_secs_f64(),
        }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, expanded, generated, reopened, largest_open, seconds, .. } = self;
        let [expanded, generated, reopened, largest_open] =
            [expanded, generated, reopened, largest_open].map(|count| HumanCount(*count));
        write!(
            f,
            "{method}: {expanded} expanded, {generated} generated, {reopened} re-opened, {largest_open} \
             open at most, {}",
            Time(*seconds)
        )
    }
}

/// A time in seconds, as people like it.
pub(crate) struct Time(pub(crate) f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            seconds if seconds < 1e-3 => (seconds * 1e6, "µs"),
            seconds if seconds < 1.0 => (seconds * 1e3, "ms"),
            seconds => (seconds, "s"),
        };
        write!(f, "{value:.1} {unit}")
    }
}

impl Rules {
    /// Whether a search by a pattern database can go by itself, without a look at each board.
    pub(crate) fn are_of_time_alone(&self) -> bool {
        self.limit_expanded.is_none() && !self.no_parity_check
    }

    /// Whether anything is asked that concerns a search alone.
    pub(crate) fn are_given(&self) -> bool {
        self.is_limited() || self.no_parity_check || self.weight.is_some()
    }

    fn is_limited(&self) -> bool {
        self.limit_expanded.is_some() || self.timeout.is_some()
    }

    pub(crate) fn algorithm(&self, name: AlgorithmName) -> Algorithm {
        name.algorithm(self.weight.unwrap_or(2.0))
    }

    /// Refuses what would never end.
    pub(crate) fn check(&self, algorithm: Option<AlgorithmName>) -> Result<()> {
        let ends = algorithm != Some(AlgorithmName::Idastar) || !self.no_parity_check;
        ensure!(
            ends || self.is_limited(),
            "idastar never ends on an unsolvable position unless that is known by its parity: \
             give --limit-expanded N or --timeout S"
        );
        Ok(())
    }

    /// Searches, and says what stopped it, if anything did; `trace` sees each board that is expanded.
    pub(crate) fn run(
        &self,
        algorithm: AlgorithmName,
        heuristic: &dyn Heuristic,
        [start, goal]: [&Board; 2],
        progress: &Progress,
        mut trace: impl FnMut(&Expansion<'_>) -> ControlFlow<()>,
    ) -> (Report, Option<Limit>) {
        let mut search = Search::new(self.algorithm(algorithm), goal, heuristic);
        if self.no_parity_check {
            search = search.without_parity_check();
        }
        let clock = Instant::now();
        let mut limit = None;
        let mut report = search.watch(start, |expansion| {
            limit = self.limit(expansion, clock, progress);
            if limit.is_none() && trace(expansion).is_break() {
                limit = Some(Limit::Trace);
            }
            if limit.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // The table knows what a search for nothing would find out in the end.
        if report.at_least == u32::MAX {
            report.outcome = Outcome::Unsolvable;
        }
        // A search stops by itself only if it can hold no more boards.
        let is_stopped = report.outcome == Outcome::Stopped;
        (report, is_stopped.then_some(limit.unwrap_or(Limit::Memory)))
    }

    /// What keeps a board from being expanded, if anything does.
    fn limit(
        &self,
        expansion: &Expansion<'_>,
        clock: Instant,
        progress: &Progress,
    ) -> Option<Limit> {
        /// How many expansions go by until what takes time is asked again.
        const OFTEN: u64 = 1 << 8;
        const SELDOM: u64 = 1 << 18;
        let number = expansion.number;
        if let Some(most) = self.limit_expanded.filter(|most| number > *most) {
            return Some(Limit::Expanded(most));
        }
        if number % OFTEN != 0 {
            return None;
        }
        progress.step(|| {
            let Expansion { number, f, held, .. } = expansion;
            let [number, held] = [number, held].map(|count| HumanCount(*count));
            format!("{number} boards expanded, {held} in memory, f = {f}")
        });
        match self.timeout {
            _ if process::is_interrupted() => Some(Limit::Interruption),
            Some(most) if clock.elapsed() > most => Some(Limit::Time(most)),
            _ if number % SELDOM == 0 && expansion.held > SELDOM && is_memory_short() => {
                Some(Limit::Memory)
            }
            _ => None,
        }
    }
}

/// Whether less than an eighth of the memory is left.
fn is_memory_short() -> bool {
    machine::memory().is_some_and(|memory| memory.free < memory.all / 8)
}
