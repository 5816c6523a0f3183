//! The plane: which of its boards were seen.

use crate::sweep::swap::Block;
use crate::system::memory;

/// Stands for the level in which a block has last gained boards, as long as it has none. No board is so far away.
pub(super) const NEVER: u8 = u8::MAX;

/// The boards with the blank in one place, or some blocks of them.
pub(super) struct Plane<'a> {
    pub(super) place: usize,
    /// The number of the first block here.
    first: usize,
    seen: &'a mut [Block],
    /// The level in which each block has last gained boards.
    newest: &'a mut [u8],
    /// How many boards of each block are still to be found.
    missing: &'a mut [u16],
}

/// What a sweep reads of a plane that it does not write.
#[derive(Clone, Copy, Default)]
pub(super) struct Source<'a> {
    /// The number of the first block here.
    pub(super) first: usize,
    pub(super) seen: &'a [Block],
    pub(super) newest: &'a [u8],
}

impl Source<'_> {
    /// Has memory bring a block, if there is one and it has something to give, and says whether that is so.
    #[inline(always)]
    pub(super) fn prefetch(&self, block: usize, depth: u8) -> bool {
        let block = block.wrapping_sub(self.first);
        let gives = self.newest.get(block) == Some(&(depth - 1));
        if gives {
            prefetch(&self.seen[block]);
        }
        gives
    }
}

#[inline(always)]
fn prefetch(block: &Block) {
    for line in block.chunks_exact(8) {
        memory::prefetch(&line[0]);
    }
}

impl<'a> Plane<'a> {
    /// How many bytes a block takes.
    pub(super) const BYTES_OF_BLOCK: usize =
        size_of::<Block>() + size_of::<u8>() + size_of::<u16>();

    /// All planes, one after another, from block `first` of each.
    pub(super) fn new(
        first: usize,
        seen: &'a mut [Block],
        newest: &'a mut [u8],
        missing: &'a mut [u16],
    ) -> Self {
        Self { place: 0, first, seen, newest, missing }
    }

    /// The planes, of so many blocks each.
    pub(super) fn planes(self, blocks: usize) -> impl Iterator<Item = Plane<'a>> {
        let first = self.first;
        self.parts(blocks).enumerate().map(move |(place, plane)| Plane { place, first, ..plane })
    }

    /// The plane in parts of so many blocks.
    pub(super) fn parts(self, blocks: usize) -> impl Iterator<Item = Plane<'a>> {
        let Plane { place, first, seen, newest, missing } = self;
        let facts = newest.chunks_mut(blocks).zip(missing.chunks_mut(blocks));
        let firsts = (first..).step_by(blocks);
        firsts.zip(seen.chunks_mut(blocks)).zip(facts).map(
            move |((first, seen), (newest, missing))| Plane { place, first, seen, newest, missing },
        )
    }

    /// Has memory bring a block, if there is one and it is going to be written.
    #[inline(always)]
    pub(super) fn prefetch(&self, block: usize) {
        if self.missing.get(block).is_some_and(|boards| *boards > 0) {
            prefetch(&self.seen[block]);
        }
    }

    pub(super) fn source(self) -> Source<'a> {
        Source { first: self.first, seen: self.seen, newest: self.newest }
    }

    pub(super) fn blocks(&self) -> usize {
        self.seen.len()
    }

    /// Whether a block has boards that are still to be found.
    #[inline(always)]
    pub(super) fn is_missing(&self, block: usize) -> bool {
        self.missing[block] > 0
    }

    /// Takes those candidates that are new, says how many they are, and leaves no others.
    #[inline(always)]
    pub(super) fn take(&mut self, block: usize, candidates: &mut Block, depth: u8) -> u64 {
        let seen = &mut self.seen[block];
        let mut any = 0;
        for (candidate, seen) in candidates.iter_mut().zip(&*seen) {
            *candidate &= !seen;
            any |= *candidate;
        }
        if any == 0 {
            return 0;
        }
        let mut boards = 0;
        for (new, seen) in candidates.iter().zip(seen) {
            *seen |= new;
            boards += new.count_ones();
        }
        self.newest[block] = depth;
        self.missing[block] -= boards as u16;
        boards.into()
    }
}
