//! Benchmarks: positions with published lengths of optimal solutions.

use clap::ValueEnum;
use indicatif::HumanCount;
use tilebase::{Board, Shape};

use crate::{
    comparison::{group::Group, row::Row},
    console::Console,
    search::Time,
};

/// A benchmark.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Suite {
    Korf100,
    Korf24,
}

impl Suite {
    /// The positions, with the lengths of optimal solutions.
    pub(crate) fn positions(self) -> impl Iterator<Item = (Board, u32)> {
        let text = match self {
            Self::Korf100 => include_str!("../../../data/korf100.tsv"),
            Self::Korf24 => include_str!("../../../data/korf24.tsv"),
        };
        text.lines().filter_map(|line| {
            let (tiles, moves) = line.split_once('\t')?;
            Some((tiles.parse().ok()?, moves.parse().ok()?))
        })
    }

    /// The shape of all its positions.
    pub(crate) fn shape(self) -> Shape {
        let side = match self {
            Self::Korf100 => 4,
            Self::Korf24 => 5,
        };
        Shape::new(side, side).expect("4x4 and 5x5 are shapes")
    }
}

/// Tells where the rows of a benchmark contradict the published lengths, and their sums for each pair.
pub(crate) fn conclude(rows: &[Row], console: &mut Console) {
    for row in rows.iter().filter(|row| row.contradicts()) {
        console.no();
        let moves = row.distance.unwrap_or_default();
        console.error(format_args!("{}: the published length is {moves}", row.position));
    }
    for group in Group::of(rows) {
        let [expanded, generated] =
            [group.sum(|facts| facts.expanded), group.sum(|facts| facts.generated)];
        let seconds = group.seconds();
        let rate = HumanCount((generated as f64 / seconds) as u64);
        let (solved, moves) = group.solutions();
        let each = match solved {
            0 => String::new(),
            solved => format!(", by {moves} moves ({:.2} each)", moves as f64 / solved as f64),
        };
        console.note(format_args!(
            "{}: {solved} of {} solved{each}; {} expanded, {} generated in {}, {rate} a second",
            group.method,
            group.rows.len(),
            HumanCount(expanded),
            HumanCount(generated),
            Time(seconds),
        ));
    }
}
