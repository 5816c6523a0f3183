//! A row of the comparison: one search from one position.

use serde::Serialize;
use tilebase::{
    Board,
    search::{Method, Outcome, Report},
    tablebase::Effort,
};

/// The result of one search from one position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) position: String,
    pub(crate) shape: String,
    pub(crate) goal: String,
    /// Null if the position is unsolvable, or its distance unknown.
    pub(crate) distance: Option<u32>,
    /// Whether the search ended before a limit stopped it.
    pub(crate) ended: bool,
    /// Whether the solution is optimal. Null if there is no solution, or this is unknown.
    pub(crate) optimal: Option<bool>,
    /// A lower bound for the moves of any solution. Null if there is none.
    at_least: Option<u32>,
    #[serde(flatten)]
    pub(crate) search: Effort,
}

impl Row {
    /// The names of the [cells](Self::cells).
    pub(crate) const HEAD: [&str; 11] = [
        "position",
        "distance",
        "algorithm",
        "heuristic",
        "moves",
        "optimal",
        "expanded",
        "generated",
        "reopened",
        "largest_open",
        "seconds",
    ];

    /// The row of a search from a board whose `distance` is known, or not.
    pub(crate) fn new(
        board: &Board,
        goal: &Board,
        distance: Option<u32>,
        method: Method,
        report: &Report,
    ) -> Self {
        Self {
            position: board.to_string(),
            shape: board.shape().to_string(),
            goal: goal.to_string(),
            distance,
            ended: report.outcome != Outcome::Stopped,
            optimal: report.cost().zip(distance).map(|(cost, distance)| cost == distance),
            at_least: (report.outcome != Outcome::Unsolvable).then_some(report.at_least),
            search: Effort::new(method, report),
        }
    }

    /// The row as text, for a line of values.
    pub(crate) fn cells(&self) -> [String; 11] {
        let Effort { method, expanded, generated, reopened, largest_open, seconds, .. } =
            &self.search;
        [
            self.position.clone(),
            self.distance.map_or_else(String::new, |distance| distance.to_string()),
            method.algorithm.to_string(),
            method.heuristic.to_string(),
            self.moves(),
            self.optimal().to_owned(),
            expanded.to_string(),
            generated.to_string(),
            reopened.to_string(),
            largest_open.to_string(),
            format!("{seconds:.6}"),
        ]
    }

    /// The number of moves of the solution, or else what is known of it.
    pub(crate) fn moves(&self) -> String {
        match (self.search.moves, self.at_least) {
            (Some(moves), _) => moves.to_string(),
            (None, Some(moves)) => format!(">={moves}"),
            (None, None) => "unsolvable".to_owned(),
        }
    }

    /// Whether the solution is optimal, in a word. Empty if there is no solution.
    pub(crate) fn optimal(&self) -> &'static str {
        match self.optimal {
            Some(true) => "yes",
            Some(false) => "no",
            None if self.search.moves.is_some() => "unknown",
            None => "",
        }
    }

    /// Whether an optimal algorithm found a solution that is not as long as the distance.
    pub(crate) fn contradicts(&self) -> bool {
        let is_optimal = self.search.method.algorithm.is_optimal();
        is_optimal && self.search.moves.is_some() && self.optimal == Some(false)
    }
}
