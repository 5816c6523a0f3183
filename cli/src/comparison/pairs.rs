//! The pairs of algorithm and heuristic to compare.

use clap::Args;
use tilebase::search::{AlgorithmName, HeuristicName, Method};

use crate::search;

/// The algorithms and heuristics that the user names. None stands for all.
#[derive(Debug, Args)]
#[command(next_help_heading = "Searches")]
pub(crate) struct Pairs {
    /// Only these algorithms
    #[arg(long, value_name = "ALGORITHM,...", value_parser = search::algorithm(), value_delimiter = ',')]
    algorithm: Vec<AlgorithmName>,
    /// Only these heuristics
    #[arg(long, value_name = "HEURISTIC,...", value_parser = search::heuristic(), value_delimiter = ',')]
    heuristic: Vec<HeuristicName>,
}

impl Pairs {
    /// Names a pair, if the user names nothing.
    pub(crate) fn or(&mut self, Method { algorithm, heuristic }: Method) {
        if self.algorithm.is_empty() && self.heuristic.is_empty() {
            (self.algorithm, self.heuristic) = (vec![algorithm], vec![heuristic]);
        }
    }

    /// The pairs to compare. `wants_pattern` adds those with a pattern database where there is a table, too.
    pub(crate) fn methods(&self, has_table: bool, wants_pattern: bool) -> Vec<Method> {
        let mut methods = Vec::new();
        for algorithm in AlgorithmName::ALL {
            for heuristic in HeuristicName::ALL {
                let exists = match heuristic {
                    HeuristicName::None => true,
                    HeuristicName::Table => has_table && algorithm.is_informed(),
                    HeuristicName::Pattern => {
                        let is_named = self.heuristic.contains(&heuristic);
                        (is_named || !has_table || wants_pattern) && algorithm.is_informed()
                    }
                    _ => algorithm.is_informed(),
                };
                let is_chosen = match self.heuristic.as_slice() {
                    [] => is_sensible(algorithm, heuristic),
                    named => named.contains(&heuristic),
                };
                let is_named = self.algorithm.is_empty() || self.algorithm.contains(&algorithm);
                if exists && is_chosen && is_named {
                    methods.push(Method { algorithm, heuristic });
                }
            }
        }
        methods
    }
}

/// Whether a pair is worth a comparison if the user does not name its heuristic.
fn is_sensible(algorithm: AlgorithmName, heuristic: HeuristicName) -> bool {
    match algorithm {
        // Without a heuristic, these search blindly.
        AlgorithmName::Greedy | AlgorithmName::Idastar => heuristic != HeuristicName::None,
        // The exact distance needs no weight.
        AlgorithmName::Weighted => !matches!(heuristic, HeuristicName::None | HeuristicName::Table),
        _ => true,
    }
}
