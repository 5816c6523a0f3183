//! The searches from a position, one after another.

use std::ops::ControlFlow;

use anyhow::Result;
use tilebase::{
    Board, Listener, Tablebase,
    search::{Expansion, Method, Outcome, Report},
    tablebase::{Limit, Searched},
};

use crate::{
    comparison::{pairs::Pairs, row::Row},
    console::Console,
    interruption,
    listening::listening,
    progress::Progress,
    search::Rules,
};

/// The searches to compare, and the limits of each.
pub(crate) struct Searches<'a> {
    pub(crate) pairs: &'a Pairs,
    pub(crate) rules: &'a Rules,
    pub(crate) tablebase: &'a Tablebase,
    /// Whether pattern databases are compared where there is a table, too.
    pub(crate) wants_pattern: bool,
}

impl Searches<'_> {
    /// Runs all searches from a board. `published` is its distance, if a benchmark tells it.
    pub(crate) fn run(
        &self,
        board: &Board,
        published: Option<u32>,
        progress: &Progress,
        console: &mut Console,
    ) -> Result<Vec<Row>> {
        let (tablebase, goal) = (self.tablebase, self.tablebase.goal(board.shape()));
        let reports = interruption::interruptible(|| self.reports(board, goal, progress, console))?;
        let known = listening(console, |listener| tablebase.table_distance(board, listener))?;
        let distance = known.or(published).or_else(|| proven(&reports));
        for (_, report) in &reports {
            match report.outcome {
                Outcome::Solved(_) => {}
                Outcome::Unsolvable => console.no(),
                _ => console.trouble(),
            }
        }
        let row = |(method, report)| Row::new(board, goal, distance, method, &report);
        Ok(reports.into_iter().map(row).collect())
    }

    /// The reports of all searches whose heuristic is there, up to an interruption.
    fn reports(
        &self,
        board: &Board,
        goal: &Board,
        progress: &Progress,
        console: &mut Console,
    ) -> Result<Vec<(Method, Report)>> {
        let (tablebase, shape) = (self.tablebase, board.shape());
        let has_table = listening(console, |listener| tablebase.oracle(shape, listener)).is_ok();
        let (mut reports, mut refused) = (vec![], None);
        for method in self.pairs.methods(has_table, self.wants_pattern) {
            let named =
                |listener: Listener<'_>| tablebase.heuristic(method.heuristic, shape, listener);
            let heuristic = match listening(console, named) {
                Err(refusal) if !refusal.is_damage() && !refusal.is_stop() => {
                    refused = Some(refusal);
                    continue;
                }
                heuristic => heuristic?,
            };
            let by_patterns = method == Method::BY_PATTERNS && self.rules.are_of_time_alone();
            let Searched { report, limit, .. } = match by_patterns {
                true => listening(console, |listener| {
                    let patterns = tablebase.patterns(shape, listener)?;
                    patterns.search(board, self.rules.timeout, listener)
                })?,
                false => {
                    let on = |_: &Expansion<'_>| ControlFlow::Continue(());
                    self.rules.run(method.algorithm, &*heuristic, board, goal, progress, on)
                }
            };
            if limit == Some(Limit::Listener) {
                break;
            }
            reports.push((method, report));
        }
        if let (true, Some(refusal)) = (reports.is_empty(), refused) {
            console.error_once(refusal);
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
