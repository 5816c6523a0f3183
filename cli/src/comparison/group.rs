//! The rows of one pair of algorithm and heuristic.

use tilebase::{search::Method, tablebase::Effort};

use crate::comparison::row::Row;

/// A pair, and its rows in their order.
pub(crate) struct Group<'r> {
    pub(crate) method: Method,
    pub(crate) rows: Vec<&'r Row>,
}

impl<'r> Group<'r> {
    /// All rows, grouped.
    pub(crate) fn of(rows: &'r [Row]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for row in rows {
            match groups.iter_mut().find(|group| group.method == row.search.method) {
                Some(group) => group.rows.push(row),
                None => groups.push(Self { method: row.search.method, rows: vec![row] }),
            }
        }
        groups
    }

    /// The number of positions, which is the size of the largest group.
    pub(crate) fn positions(groups: &[Self]) -> usize {
        groups.iter().map(|group| group.rows.len()).max().unwrap_or(0)
    }

    /// The sum of a count over all rows.
    pub(crate) fn sum(&self, count: fn(&Effort) -> u64) -> u64 {
        self.rows.iter().map(|row| count(&row.search)).sum()
    }

    /// The time of all searches, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.rows.iter().map(|row| row.search.seconds).sum()
    }

    /// The number of solutions, and the sum of their moves.
    pub(crate) fn solutions(&self) -> (usize, u64) {
        let moves = self.rows.iter().filter_map(|row| row.search.moves).map(u64::from);
        moves.fold((0, 0), |(solutions, sum), moves| (solutions + 1, sum + moves))
    }
}
