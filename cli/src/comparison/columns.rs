//! The table of a comparison, for a terminal.

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use tilebase::tablebase::{
    Effort,
    quantity::{Count, Seconds},
};

use crate::{
    comparison::{group::Group, row::Row},
    console::Console,
};

/// Writes a table with a line for each pair: its search, or the means of several.
pub(crate) fn print(rows: &[Row], console: &mut Console) -> Result<()> {
    let groups = Group::of(rows);
    let positions = Group::positions(&groups);
    if let ([row, ..], 1) = (rows, positions) {
        console.line(format_args!("from {} to {}", row.position, row.goal))?;
    } else {
        let positions = Count(positions as u64);
        console.line(format_args!(
            "means over {positions} positions; of moves, over those that were solved"
        ))?;
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "algorithm",
        "heuristic",
        "moves",
        "optimal",
        "expanded",
        "generated",
        "re-opened",
        "open at most",
        "time",
    ]);
    table.add_rows(groups.iter().map(cells));
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    console.line(table.trim_fmt())
}

/// The line of a pair.
fn cells(group: &Group<'_>) -> [String; 9] {
    let rows = group.rows.len();
    let mean = |count: fn(&Effort) -> u64| {
        Count((group.sum(count) as f64 / rows as f64).round() as u64).to_string()
    };
    let [moves, optimal] = match group.rows.as_slice() {
        [row] => [row.moves(), row.optimal().to_owned()],
        rows => {
            let optimal = rows.iter().filter(|row| row.optimal == Some(true)).count();
            let moves = match group.solutions() {
                (0, _) => String::new(),
                (solved, sum) => format!("{:.2}", sum as f64 / solved as f64),
            };
            let [optimal, all] = [optimal, rows.len()].map(|count| Count(count as u64));
            [moves, format!("{optimal} of {all}")]
        }
    };
    [
        group.method.algorithm.to_string(),
        group.method.heuristic.to_string(),
        moves,
        optimal,
        mean(|facts| facts.expanded),
        mean(|facts| facts.generated),
        mean(|facts| facts.reopened),
        mean(|facts| facts.largest_open),
        Seconds(group.seconds() / rows as f64).to_string(),
    ]
}
