//! What the searches of a benchmark came to.

use tilebase::tablebase::quantity::{Count, Seconds};

use crate::{
    comparison::{group::Group, row::Row},
    console::Console,
};

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
        let rate = Count((generated as f64 / seconds) as u64);
        let (solved, moves) = group.solutions();
        let each = match solved {
            0 => String::new(),
            solved => format!(", by {moves} moves ({:.2} each)", moves as f64 / solved as f64),
        };
        console.note(format_args!(
            "{}: {solved} of {} solved{each}; {} expanded, {} generated in {}, {rate} a second",
            group.method,
            group.rows.len(),
            Count(expanded),
            Count(generated),
            Seconds(seconds),
        ));
    }
}
