//! The plan: what a table takes that several machines make together.
//!
//! Memory and disk are known exactly. What crosses the network is
//!
//! ```text
//!   bytes = BYTES x boards / planes x crossing  +  ROUND x levels x machines x (machines - 1)
//! ```
//!
//! where *crossing* is how many planes, all links taken together, lead from one machine to another: it is counted, by
//! following the links of blocks that are spread evenly. What a board takes that crosses is a share of a word with its place; how many
//! boards share one depends on how far apart the boards of a word are in depth, and so on the columns.
//! `docs/cluster.md` shows how both were measured.

use std::num::NonZero;

use crate::cluster::ClusterError;
use crate::{
    index::space::Space,
    puzzle::orbit::Orbit,
    sweep::shard,
    table::{self, header::Encoding},
};

/// How many bytes a board takes that crosses the network, with two columns and with more.
const BYTES: [f64; 2] = [1.57, 1.34];
/// How many bytes a machine tells each other in a level, whatever is found.
const ROUND: f64 = 500.0;

/// What a table takes that so many machines make together, in bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// Of memory, on the machine that takes most.
    pub memory: u64,
    /// Of disk, on the machine that takes most: its part, and two checkpoints.
    pub disk: u64,
    /// Of that, the part.
    pub part: u64,
    /// Of disk for the whole table, as one file.
    pub table: u64,
    /// Over the network, in all.
    pub sent: u64,
    /// Over the network, in the largest level.
    pub sent_at_once: u64,
}

impl Plan {
    /// The plan for a table of an orbit, by so many machines.
    ///
    /// # Errors
    ///
    /// If the shape has too many cells, or too many for the encoding.
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
        let part = |number| crate::Part { number, of: parts };
        // The last is as large as any: starts are rounded down.
        let largest = part(parts - 1);
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
        /// Of what is sent at once, a machine has its share going and coming, as letters and as timely's messages, and unpacked.
        const COPIES: f64 = 8.0;
        let mail = COPIES * sent_at_once / machines as f64;
        let part = table::file_bytes(payload);
        Ok(Self {
            memory: part + shard::memory(orbit, machines) + mail as u64,
            disk: part + if machines > 1 { 2 * table::file_bytes(kept + payload) } else { 0 },
            part,
            table: table::file_bytes(encoding.payload_bytes(orbit)),
            sent: sent as u64,
            sent_at_once: sent_at_once as u64,
        })
    }
}

/// How many boards there are at each distance, as published for the blank in the corner. For other places they differ little.
fn published(orbit: Orbit) -> Vec<u64> {
    let shape = orbit.shape().to_string();
    let mut rows = include_str!("../../data/histograms.tsv").lines();
    let row = rows.find_map(|row| row.strip_prefix(&shape)?.strip_prefix("\t0\t"));
    row.unwrap_or_default().split(' ').filter_map(|count| count.parse().ok()).collect()
}
