//! The plan: the memory, disk and network that a table takes if several machines make it together.
//!
//! Memory and disk are known exactly. The bytes that cross the network are estimated:
//!
//! ```text
//!   bytes = BYTES x boards / planes x crossing  +  ROUND x levels x machines x (machines - 1)
//! ```
//!
//! *crossing* is the number of planes that all links together move from one machine to another. It is counted
//! by following the links of evenly spread blocks. A board that crosses takes its share of a word and of the
//! word's place. The boards of a word share these if they are found in the same level. How many are, depends on
//! the number of columns. `docs/cluster.md` shows how `BYTES` and `ROUND` were measured.

use std::num::NonZero;

use crate::{
    cluster::error::ClusterError,
    index::space::Space,
    puzzle::orbit::Orbit,
    sweep::shard,
    table::{encoding::Encoding, layout::file_bytes, part::Part},
};

/// How many bytes a board takes that crosses the network: with two columns, and with more.
const BYTES: [f64; 2] = [1.57, 1.34];
/// How many bytes a machine sends to each other machine in every level, without any boards.
const ROUND: f64 = 500.0;
/// A machine holds its share of the largest level's messages this many times: sent and received, packed and
/// unpacked.
const COPIES: f64 = 8.0;

/// What a table takes if several machines make it together, in bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The memory of the machine that takes most.
    pub memory: u64,
    /// The disk of the machine that takes most: its part, and two checkpoints.
    pub disk: u64,
    /// The part alone.
    pub part: u64,
    /// The whole table, as one file.
    pub table: u64,
    /// What all machines send in all levels.
    pub sent: u64,
    /// What all machines send in the largest level.
    pub sent_at_once: u64,
}

impl Plan {
    /// The plan for the table of an orbit on this number of machines.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Shape`] if the shape has more than 16 cells, and [`ClusterError::Encoding`] for
    /// [`Encoding::Distance`] if it has more than 12.
    pub fn new(
        orbit: Orbit,
        encoding: Encoding,
        machines: NonZero<u16>,
    ) -> Result<Self, ClusterError> {
        let shape = orbit.shape();
        let space = Space::new(&orbit.goal()).map_err(|_| ClusterError::Shape(shape))?;
        if encoding == Encoding::Distance && shape.cells() > encoding.most_cells() {
            return Err(ClusterError::Encoding(shape));
        }
        let (parts, machines) = (u32::from(machines.get()), usize::from(machines.get()));
        // The last part is the largest: the starts of the parts are rounded down.
        let largest = Part { number: parts - 1, of: parts };
        let payload = largest.payload_bytes(orbit, encoding);
        let kept = largest.search_bytes(orbit);
        let counts = published(orbit);
        let mut sent = 0.0;
        if machines > 1 {
            let bytes = BYTES[usize::from(shape.cols() > 2)] / shape.cells() as f64;
            let pairs = machines as f64 * (machines - 1) as f64;
            sent = bytes * orbit.boards() as f64 * shard::crossing(&space, machines)
                + ROUND * counts.len() as f64 * pairs;
        }
        let largest = counts.into_iter().max().unwrap_or(orbit.boards());
        let sent_at_once = sent * largest as f64 / orbit.boards() as f64;
        let messages = COPIES * sent_at_once / machines as f64;
        let part = file_bytes(payload);
        Ok(Self {
            memory: part + shard::memory(orbit, machines) + messages as u64,
            disk: part + if machines > 1 { 2 * file_bytes(kept + payload) } else { 0 },
            part,
            table: file_bytes(encoding.payload_bytes(orbit)),
            sent: sent as u64,
            sent_at_once: sent_at_once as u64,
        })
    }
}

/// The published number of boards at each distance, for a goal with the blank in the corner. For other goals
/// the numbers differ little.
fn published(orbit: Orbit) -> Vec<u64> {
    let shape = orbit.shape().to_string();
    let mut rows = include_str!("../../data/histograms.tsv").lines();
    let row = rows.find_map(|row| row.strip_prefix(&shape)?.strip_prefix("\t0\t"));
    row.unwrap_or_default().split(' ').filter_map(|count| count.parse().ok()).collect()
}
