//! The chart of a comparison: expanded boards against the distance.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Result, bail};
use tilebase::tablebase::quantity::Count;

use crate::{
    comparison::{group::Group, row::Row},
    plot::{self, Series},
};

/// Draws a line for each pair: the mean number of expanded boards for each distance.
pub(crate) fn draw(rows: &[Row], path: &Path) -> Result<()> {
    let groups = Group::of(rows);
    let series: Vec<_> =
        groups.iter().map(series).filter(|series| !series.points.is_empty()).collect();
    let Some(row) = rows.first().filter(|_| !series.is_empty()) else {
        bail!(
            "there is nothing to plot: no search was solved from a position with a known distance"
        );
    };
    let positions = match Group::positions(&groups) {
        1 => "one position".to_owned(),
        positions => format!("{} positions", Count(positions as u64)),
    };
    let title = format!("Boards expanded from {positions} of {}, goal {}", row.shape, row.goal);
    plot::lines(path, &title, &series)
}

/// The line of a pair.
fn series(group: &Group<'_>) -> Series {
    let mut levels = BTreeMap::<u32, (u64, u64)>::new();
    for row in group.rows.iter().filter(|row| row.search.moves.is_some()) {
        if let Some(distance) = row.distance {
            let (sum, count) = levels.entry(distance).or_default();
            *sum += row.search.expanded;
            *count += 1;
        }
    }
    let mean = |(distance, (sum, count))| (distance, sum as f64 / count as f64);
    Series {
        name: group.method.to_string(),
        color: group.method.algorithm as usize,
        dashes: group.method.heuristic as usize,
        // The scale is logarithmic, so it begins at 1.
        points: levels.into_iter().map(mean).filter(|(_, mean)| *mean >= 1.0).collect(),
    }
}
