//! The searches from a position, one after another.

use std::ops::ControlFlow;

use anyhow::Result;
use tilebase::{Board, Expansion, Oracle, Outcome, Report};

use crate::{
    comparison::{pairs::Pairs, row::Row},
    console::Console,
    interruption,
    patterns::Patterns,
    progress::Progress,
    question::Oracles,
    search::{HeuristicName, Limit, Method, Rules},
};

/// The searches to compare, and the limits of each.
pub(crate) struct Searches<'a> {
    pub(crate) pairs: &'a Pairs,
    pub(crate) rules: &'a Rules,
    /// Whether pattern databases are compared where there is a table, too.
    pub(crate) wants_pattern: bool,
}

impl Searches<'_> {
    /// Runs all searches from a board. `published` is its distance, if a benchmark tells it.
    pub(crate) fn run(
        &self,
        board: &Board,
        published: Option<u32>,
        oracles: &mut Oracles,
        progress: &Progress,
        console: &mut Console,
    ) -> Result<Vec<Row>> {
        let (goal, shape) = (oracles.frame.goal(board.shape()), board.shape());
        let has_table = oracles.of(shape, console).is_some();
        let methods = self.pairs.methods(has_table, self.wants_pattern);
        if methods.iter().any(|method| method.heuristic == HeuristicName::Pattern) {
            // If there are no pattern databases, the reason is told below.
            let _ = oracles.patterns(shape, console);
        }
        let (oracle, patterns) = oracles.experts(shape, console);
        let reports = interruption::interruptible(|| {
            self.reports(methods, [board, &goal], (oracle, patterns), progress, console)
        })?;
        let known = oracle.map(|oracle| oracle.distance(board)).transpose()?.flatten();
        if reports.is_empty() && !interruption::is_interrupted() {
            oracles.complain(shape, console);
        }
        let distance = known.or(published).or_else(|| proven(&reports));
        for (_, report) in &reports {
            match report.outcome {
                Outcome::Solved(_) => {}
                Outcome::Unsolvable => console.no(),
                Outcome::Stopped => console.trouble(),
            }
        }
        let row = |(method, report)| Row::new(board, &goal, distance, method, &report);
        Ok(reports.into_iter().map(row).collect())
    }

    /// The reports of all searches whose heuristic is there, up to an interruption.
    fn reports(
        &self,
        methods: Vec<Method>,
        [board, goal]: [&Board; 2],
        (oracle, patterns): (Option<&Oracle>, Option<&Patterns>),
        progress: &Progress,
        console: &Console,
    ) -> Result<Vec<(Method, Report)>> {
        let mut reports = Vec::new();
        for method in methods {
            let heuristic = method.heuristic.heuristic(goal, oracle, patterns)?;
            let Some(heuristic) = heuristic else { continue };
            let solver = patterns
                .filter(|_| method == Method::BY_PATTERNS && self.rules.are_of_time_alone());
            let (report, limit) = match solver {
                Some(patterns) => patterns.search(board, self.rules.timeout, console)?,
                None => {
                    let on = |_: &Expansion<'_>| ControlFlow::Continue(());
                    self.rules.run(method.algorithm, &*heuristic, [board, goal], progress, on)
                }
            };
            if limit == Some(Limit::Interruption) {
                break;
            }
            reports.push((method, report));
        }
        Ok(reports)
    }
}

/// The distance, if one search found a solution and another proved that none is shorter.
fn proven(reports: &[(Method, Report)]) -> Option<u32> {
    let bound = reports.iter().map(|(_, report)| report.at_least).max();
    let shortest = reports.iter().filter_map(|(_, report)| report.cost()).min();
    shortest.filter(|cost| Some(*cost) == bound)
}
