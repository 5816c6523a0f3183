//! The sweep: breadth-first search over whole planes, sixty boards to a word.
//!
//! A board is a bit of its plane: whether it was *seen*. A level is one sweep over the planes of one
//! colour, those that an odd or an even number of moves leads to:
//!
//! ```text
//! candidates = all that the links bring from the planes of the other colour
//! new        = candidates & !seen
//! seen       = seen | new
//! ```
//!
//! The other colour's earlier levels come along, and do no harm: all their neighbours have been seen.
//! So no list of a level's boards is kept. Only what is done with the new ones tells a table from
//! a census: a [`Record`].

pub(crate) mod link;
#[cfg(feature = "cluster")]
pub(crate) mod mail;
pub(crate) mod pattern;
pub(crate) mod plane;
pub(crate) mod record;
pub(crate) mod shard;
pub(crate) mod swap;

use std::{io, ops::ControlFlow};

pub(crate) use pattern::{PatternRecord, pattern_memory, room, search_pattern};
use plane::Plane;
pub(crate) use record::Record;
pub(crate) use shard::Shard;

use crate::{
    index::{
        space::{Index, Space},
        word::{BLOCK, BOARDS},
    },
    puzzle::orbit::Orbit,
};

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Advance {
    /// The distance of the boards that were found last.
    pub depth: u32,
    /// How many they are.
    pub boards: u64,
    /// How many have been found so far.
    pub found: u64,
    /// How many there are to be found.
    pub all: u64,
}

/// Why a search has not come to its end.
#[derive(Debug)]
pub(crate) enum Break {
    /// There is not the memory.
    Memory(io::Error),
    /// Whoever watches has stopped it.
    Stopped,
    /// The first board of a level whose bit is not what was recorded.
    Denied { index: Index, depth: u32 },
}

/// How many bytes of memory a search takes, but for what it records.
pub(crate) fn memory(orbit: Orbit) -> u64 {
    orbit.shape().cells() as u64 * blocks(orbit) * Plane::BYTES_OF_BLOCK as u64
}

/// How many blocks each plane of an orbit has.
pub(crate) fn blocks(orbit: Orbit) -> u64 {
    let planes = orbit.shape().cells() as u64;
    (orbit.boards() / planes).div_ceil((BLOCK * BOARDS) as u64)
}

/// Finds all boards of an orbit, level by level, on up to `threads` threads, and says how many there are
/// at each distance.
pub(crate) fn search(
    orbit: Orbit,
    threads: usize,
    mut record: Record<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let space = Space::new(&orbit.goal()).expect("what is searched has an index");
    let mut shard = Shard::new(&space).map_err(Break::Memory)?;
    let mut gain = shard.start(&mut record);
    let (mut histogram, mut found) = (vec![], 0);
    for depth in 1..=plane::NEVER {
        let last = u32::from(depth - 1);
        if let Some(index) = gain.denied.and_then(|number| space.nth(number)) {
            return Err(Break::Denied { index, depth: last });
        }
        if gain.boards == 0 {
            break;
        }
        histogram.push(gain.boards);
        found += gain.boards;
        let all = space.boards();
        if watch(Advance { depth: last, boards: gain.boards, found, all }).is_break() {
            return Err(Break::Stopped);
        }
        gain = shard.sweep(&mut record, depth, threads);
    }
    record.finish(space.goal().shape().cells(), threads);
    Ok(histogram)
}

#[cfg(test)]
mod tests {
    use super::{shard::Network, *};
    use crate::{puzzle::board::Board, system::memory::Memory};

    /// The published counts of a shape with the blank in a corner, from 0 moves on.
    fn published(shape: &str) -> Vec<u64> {
        let lines = include_str!("../../data/histograms.tsv").lines();
        let mut rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
        let row = rows.find(|row| row[0] == shape && row[1] == "0").expect("it is published");
        row[2].split(' ').map(|boards| boards.parse().expect("a number")).collect()
    }

    /// Shapes that have far more boards than there is memory: the first levels touch but little of it.
    fn compare(shape: &str, levels: u8) {
        let shape: crate::Shape = shape.parse().unwrap();
        let space = Space::new(&Board::in_order(shape, shape.cells() - 1)).unwrap();
        let network = Network::new(&space);
        let blocks = 0..network.blocks;
        let mut shard = Shard::with(network, blocks, |bytes| Ok(Memory::sparse(bytes))).unwrap();
        let mut counts = vec![shard.start(&mut Record::Count).boards];
        counts.extend((1..levels).map(|depth| shard.sweep(&mut Record::Count, depth, 2).boards));
        assert_eq!(counts, published(&shape.to_string())[..counts.len()], "{shape}");
    }

    #[test]
    fn the_first_levels_of_fifteen_cells_are_as_published() {
        compare("5x3", 8);
    }

    #[test]
    #[ignore = "takes two gigabytes, and some minutes"]
    fn the_first_levels_of_sixteen_cells_are_as_published() {
        compare("8x2", 12);
        compare("4x4", 24);
    }
}
