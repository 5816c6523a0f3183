//! The search over the planes of boards: a plane for each place of the blank.

use std::{io, ops::ControlFlow, ops::Range};

use crate::{
    index::{
        space::Space,
        word::{BLOCK, BOARDS},
    },
    puzzle::orbit::Orbit,
    sweep::{
        levels::{Advance, Break, levels},
        link::Link,
        planes::{Bring, Gain, Listen, Planes, Source},
        record::Record,
    },
    system::{memory::Memory, threads::Threads},
};

/// The memory that a search takes, in bytes, without the memory for its record.
pub(crate) fn memory(orbit: Orbit) -> u64 {
    orbit.shape().cells() as u64 * blocks(orbit) * Planes::<BLOCK>::BYTES_OF_BLOCK
}

/// The number of blocks of each plane of an orbit.
pub(super) fn blocks(orbit: Orbit) -> u64 {
    let planes = orbit.shape().cells() as u64;
    (orbit.boards() / planes).div_ceil((BLOCK * BOARDS) as u64)
}

/// Finds all boards of an orbit, level by level, on up to `threads` threads. Returns the number of boards at each
/// distance.
pub(crate) fn search(
    orbit: Orbit,
    threads: Threads,
    mut record: Record<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let space = Space::new(&orbit.goal()).expect("the shape of a search has an index");
    let links = Links::new(&space);
    let mut planes = links.planes(0..links.blocks, Memory::zeroed).map_err(Break::Memory)?;
    let histogram = levels(space.boards(), watch, |depth| {
        let gain = links.find(&mut planes, &mut record, &mut (), depth, threads);
        let index =
            gain.denied.and_then(|(plane, rank)| space.nth(plane as u64 * space.plane() + rank));
        match index {
            Some(index) => Err(Break::Denied { index, depth: depth.into() }),
            None => Ok(gain.boards),
        }
    })?;
    planes.finish(record, links.to.len(), threads);
    Ok(histogram)
}

/// All links between the planes of a space.
pub(super) struct Links {
    /// For each plane the links that lead to it, with the number of the plane from which each comes.
    pub(super) to: Vec<Vec<(usize, Link)>>,
    /// The number of boards of a plane.
    boards: u64,
    /// The number of blocks that they fill. The only block of a small plane may be filled in part.
    pub(super) blocks: usize,
    /// The place of the blank at the goal.
    home: usize,
}

impl Links {
    pub(super) fn new(space: &Space) -> Self {
        let planes = space.goal().shape().cells();
        let mut to: Vec<Vec<_>> = (0..planes).map(|_| vec![]).collect();
        for from in 0..planes {
            for step in space.steps(from) {
                let link = Link::new(planes - 1, step.rotation, false);
                to[usize::from(step.to)].push((from, link));
            }
        }
        let blocks = blocks(space.orbit()) as usize;
        Self { to, boards: space.plane(), blocks, home: space.home() }
    }

    /// Planes of which these blocks are here. No board was seen.
    ///
    /// # Errors
    ///
    /// Those of `memory`.
    pub(super) fn planes(
        &self,
        blocks: Range<usize>,
        memory: impl FnOnce(u64) -> io::Result<Memory>,
    ) -> io::Result<Planes<BLOCK>> {
        let lengths = vec![blocks.len(); self.to.len()];
        let missing = (self.boards / self.blocks as u64) as u16;
        let missing = vec![missing; self.to.len() * blocks.len()];
        Planes::new(blocks.start, lengths, (self.home, 0), missing, memory)
    }

    /// Finds the boards of a level to which links lead from boards in `planes`.
    pub(super) fn find(
        &self,
        planes: &mut Planes<BLOCK>,
        record: &mut Record<'_>,
        listener: &mut impl Listen<BLOCK>,
        depth: u8,
        threads: Threads,
    ) -> Gain {
        if depth == 0 {
            return planes.start(record, listener);
        }
        let bring = |sources| LastLevel { links: self, sources, depth };
        planes.sweep(record, listener, depth, threads, bring)
    }
}

/// The links bring the boards of the last level.
struct LastLevel<'a> {
    links: &'a Links,
    sources: Vec<Source<'a, BLOCK>>,
    /// The level that is searched.
    depth: u8,
}

impl Bring<BLOCK> for LastLevel<'_> {
    #[inline(always)]
    fn prefetch(&self, block: usize) -> bool {
        // All of them are prefetched, not only up to the first fresh one.
        self.sources.iter().filter(|source| source.prefetch(block, self.depth)).count() > 0
    }

    #[inline(always)]
    fn bring(&self, plane: usize, block: usize, candidates: &mut [u64; BLOCK]) -> bool {
        let mut any = false;
        for (from, link) in &self.links.to[plane] {
            let source = self.sources[*from];
            let is_fresh = |block| source.is_fresh(block, self.depth);
            any |= link.carry(source.seen, source.first, is_fresh, block, candidates);
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{board::Board, shape::Shape};

    /// The published numbers of boards at each distance, with the blank in a corner.
    fn published(shape: &str) -> Vec<u64> {
        let lines = include_str!("../../data/histograms.tsv").lines();
        let mut rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
        let row = rows.find(|row| row[0] == shape && row[1] == "0").expect("it is published");
        row[2].split(' ').map(|boards| boards.parse().expect("a number")).collect()
    }

    /// Compares the first levels of a shape that has more boards than fit in memory. They touch little of it.
    fn compare(shape: &str, levels: u8) {
        let shape: Shape = shape.parse().unwrap();
        let space = Space::new(&Board::in_order(shape, shape.cells() - 1)).unwrap();
        let links = Links::new(&space);
        let mut planes = links.planes(0..links.blocks, |bytes| Ok(Memory::sparse(bytes))).unwrap();
        let mut find =
            |depth| links.find(&mut planes, &mut Record::Count, &mut (), depth, 2.into());
        let counts: Vec<_> = (0..levels).map(|depth| find(depth).boards).collect();
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
