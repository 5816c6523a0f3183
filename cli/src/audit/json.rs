//! The JSON object of an audit.

use serde::Serialize;
use tilebase::{
    Board,
    judge::{Audit, Estimate, Level},
};

/// What an audit found.
#[derive(Serialize)]
pub(crate) struct AuditJson {
    shape: String,
    goal: String,
    boards: u64,
    missing: u64,
    admissible: bool,
    overestimated: u64,
    largest_overestimate: Option<EstimateJson>,
    smallest_overestimate: Option<EstimateJson>,
    /// Null if no two neighbours have values.
    consistent: Option<bool>,
    edges: u64,
    inconsistent: u64,
    smallest_inconsistency: Option<[EstimateJson; 2]>,
    at_goal: Option<f64>,
    mean: f64,
    mean_ratio: f64,
    largest_gap: Option<EstimateJson>,
    levels: Vec<LevelJson>,
}

#[derive(Serialize)]
struct EstimateJson {
    position: String,
    distance: u32,
    value: f64,
}

#[derive(Serialize)]
struct LevelJson {
    distance: usize,
    boards: u64,
    least: f64,
    mean: f64,
    greatest: f64,
}

impl From<&Estimate> for EstimateJson {
    fn from(estimate: &Estimate) -> Self {
        let Estimate { board, distance, value, .. } = estimate;
        Self { position: board.to_string(), distance: *distance, value: *value }
    }
}

impl AuditJson {
    pub(crate) fn new(goal: &Board, audit: &Audit) -> Self {
        let levels = audit.levels.iter().enumerate().filter(|(_, level)| level.boards > 0);
        let level = |(distance, level): (usize, &Level)| LevelJson {
            distance,
            boards: level.boards,
            least: level.least,
            mean: level.mean(),
            greatest: level.greatest,
        };
        Self {
            shape: goal.shape().to_string(),
            goal: goal.to_string(),
            boards: audit.boards,
            missing: audit.missing,
            admissible: audit.is_admissible(),
            overestimated: audit.overestimated,
            largest_overestimate: audit.largest_overestimate.as_ref().map(EstimateJson::from),
            smallest_overestimate: audit.smallest_overestimate.as_ref().map(EstimateJson::from),
            consistent: (audit.edges > 0).then(|| audit.is_consistent()),
            edges: audit.edges,
            inconsistent: audit.inconsistent,
            smallest_inconsistency: audit
                .smallest_inconsistency
                .as_ref()
                .map(|ends| ends.each_ref().map(EstimateJson::from)),
            at_goal: audit.at_goal,
            mean: audit.mean,
            mean_ratio: audit.mean_ratio,
            largest_gap: audit.largest_gap.as_ref().map(EstimateJson::from),
            levels: levels.map(level).collect(),
        }
    }
}
