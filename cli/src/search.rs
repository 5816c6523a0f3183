//! Searches: their algorithms and heuristics, and their limits.

use std::{ops::ControlFlow, time::Duration};

use anyhow::{Result, ensure};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use tilebase::{
    Board,
    search::{Algorithm, AlgorithmName, Expansion, Heuristic, HeuristicName, Search},
    tablebase::{Limits, Searched, quantity::Count},
};

use crate::{listening, progress::Progress, seconds};

/// Reads the name of an algorithm.
pub(crate) fn algorithm() -> impl TypedValueParser<Value = AlgorithmName> {
    let named = |name: AlgorithmName| PossibleValue::new(name.name()).help(name.meaning());
    PossibleValuesParser::new(AlgorithmName::ALL.map(named))
        .try_map(|name| name.parse::<AlgorithmName>())
}

/// Reads the name of a heuristic.
pub(crate) fn heuristic() -> impl TypedValueParser<Value = HeuristicName> {
    let named = |name: HeuristicName| PossibleValue::new(name.name()).help(name.meaning());
    PossibleValuesParser::new(HeuristicName::ALL.map(named))
        .try_map(|name| name.parse::<HeuristicName>())
}

/// The options of searches.
#[derive(Debug, Args)]
#[command(next_help_heading = "Searches")]
pub(crate) struct Rules {
    /// The weight of h for `weighted`, at least 1: a solution is at most W times as long as an optimal one [default: 2]
    #[arg(long, value_name = "W", value_parser = weight)]
    weight: Option<f64>,
    /// Stop a search after N expanded boards
    #[arg(long, value_name = "N")]
    limit_expanded: Option<u64>,
    /// Stop a search after S seconds [default of compare: 10]
    #[arg(long, value_name = "S", value_parser = seconds::parse)]
    pub(crate) timeout: Option<Duration>,
    /// Also search from unsolvable positions, until no boards are left
    #[arg(long)]
    no_parity_check: bool,
}

fn weight(text: &str) -> Result<f64> {
    let weight = text.parse().unwrap_or(f64::NAN);
    ensure!((1.0..=1e6).contains(&weight), "expected a number from 1 to 1000000, such as 1.5");
    Ok(weight)
}

impl Rules {
    /// Whether the solver with a pattern database can run the search. The only limit that it supports is the time.
    pub(crate) fn are_of_time_alone(&self) -> bool {
        self.limit_expanded.is_none() && !self.no_parity_check
    }

    /// Whether any of these options is given.
    pub(crate) fn are_given(&self) -> bool {
        self.is_limited() || self.no_parity_check || self.weight.is_some()
    }

    fn is_limited(&self) -> bool {
        self.limit_expanded.is_some() || self.timeout.is_some()
    }

    pub(crate) fn algorithm(&self, name: AlgorithmName) -> Algorithm {
        name.algorithm(self.weight.unwrap_or(2.0))
    }

    /// Refuses a search that might never end.
    pub(crate) fn check(&self, algorithm: Option<AlgorithmName>) -> Result<()> {
        let ends = algorithm != Some(AlgorithmName::Idastar) || !self.no_parity_check;
        ensure!(
            ends || self.is_limited(),
            "idastar never ends on an unsolvable position unless that is known by its parity: \
             give --limit-expanded N or --timeout S"
        );
        Ok(())
    }

    /// Searches from `start`; `trace` sees each board that is expanded, and can stop the search.
    pub(crate) fn run(
        &self,
        algorithm: AlgorithmName,
        heuristic: &dyn Heuristic,
        start: &Board,
        goal: &Board,
        progress: &Progress,
        mut trace: impl FnMut(&Expansion<'_>) -> ControlFlow<()>,
    ) -> Searched {
        /// The number of expansions between two checks for an interruption, which also show the progress.
        const OFTEN: u64 = 1 << 8;
        let mut search = Search::new(self.algorithm(algorithm), goal, heuristic);
        if self.no_parity_check {
            search = search.without_parity_check();
        }
        let limits = Limits { expanded: self.limit_expanded, time: self.timeout };
        limits.search(&search, start, |expansion| {
            let Expansion { number, f, held, .. } = *expansion;
            if number % OFTEN == 0 {
                progress.step(|| {
                    let [number, held] = [number, held].map(Count);
                    format!("{number} boards expanded, {held} in memory, f = {f}")
                });
                if listening::go_on().is_break() {
                    return ControlFlow::Break(());
                }
            }
            trace(expansion)
        })
    }
}
