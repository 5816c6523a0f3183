//! The record: what is done with the boards of a level.

use crate::system::threads;
use crate::{
    index::word::{BLOCK, BOARDS},
    sweep::swap::Block,
};

/// What is done with the boards of a level as they are found, for all planes, or for some blocks of each.
pub(crate) enum Record<'a> {
    /// They are counted, and no more.
    Count,
    /// A bit a board: the second lowest of its distance. Words of sixty, as in the planes; in the end those of the
    /// same number in all planes lie side by side. Until then, those of a plane do within each block.
    Bits(&'a mut [u64]),
    /// A byte a board: its distance. A slice a plane.
    Distances(Vec<&'a mut [u8]>),
    /// Bits that were recorded are compared. Eight bytes a word, a slice for each block of all planes.
    Compare(&'a [&'a [u8]]),
}

impl Record<'_> {
    /// What is about each `length` of the `blocks` blocks of `planes` planes.
    pub(super) fn parts(&mut self, blocks: usize, length: usize, planes: usize) -> Vec<Record<'_>> {
        let words = length * BLOCK;
        let count = blocks.div_ceil(length);
        match self {
            Self::Count => (0..count).map(|_| Record::Count).collect(),
            Self::Bits(all) => all.chunks_mut(planes * words).map(Record::Bits).collect(),
            Self::Distances(all) => {
                let mut parts: Vec<_> =
                    all.iter_mut().map(|plane| plane.chunks_mut(words * BOARDS)).collect();
                let mut part = || parts.iter_mut().filter_map(Iterator::next).collect();
                (0..count).map(|_| Record::Distances(part())).collect()
            }
            Self::Compare(all) => all.chunks(length).map(Record::Compare).collect(),
        }
    }

    /// Notes the new boards of a block, of the plane at `place` of `planes`. Says which is the first that is denied, if
    /// one is, by its number from the first board of the first block.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        planes: usize,
        place: usize,
        block: usize,
        new: &Block,
        depth: u8,
    ) -> Option<usize> {
        let bit = depth >> 1 & 1 == 1;
        let first = block * BLOCK;
        match self {
            Self::Bits(words) if bit => {
                let length = BLOCK.min(words.len() / planes);
                let words = &mut words[first * planes + place * length..][..length];
                words.iter_mut().zip(new).for_each(|(word, new)| *word |= new.to_le());
            }
            Self::Count | Self::Bits(_) => {}
            Self::Distances(planes) => {
                let bytes = planes[place][first * BOARDS..].chunks_mut(BOARDS);
                bytes.zip(new).for_each(|(bytes, new)| each_bit(*new, |bit| bytes[bit] = depth));
            }
            Self::Compare(blocks) => {
                let words = blocks[block].chunks_exact(8 * planes);
                return (first..).zip(words).zip(new).find_map(|((number, words), new)| {
                    let word = words[8 * place..][..8].try_into().expect("eight bytes");
                    let word = u64::from_le_bytes(word);
                    let wrong = if bit { new & !word } else { new & word };
                    (wrong != 0).then(|| number * BOARDS + wrong.trailing_zeros() as usize)
                });
            }
        }
        None
    }

    /// Brings what was noted into its last order.
    pub(crate) fn finish(self, planes: usize, threads: usize) {
        let Self::Bits(words) = self else { return };
        if words.is_empty() {
            return;
        }
        let length = BLOCK.min(words.len() / planes);
        let blocks = words.chunks_mut(planes * length).collect();
        threads::share(threads, blocks, |block| {
            let by_plane = block.to_vec();
            for (number, words) in block.chunks_exact_mut(planes).enumerate() {
                for (word, plane) in words.iter_mut().zip(by_plane.chunks_exact(length)) {
                    *word = plane[number];
                }
            }
        });
    }
}

/// For a search that is taken up again.
#[cfg(feature = "cluster")]
impl Record<'_> {
    /// What has been recorded so far, one slice after another.
    pub(crate) fn bytes(&self) -> Vec<&[u8]> {
        match self {
            Self::Count | Self::Compare(_) => vec![],
            Self::Bits(words) => vec![bytemuck::cast_slice(words)],
            Self::Distances(planes) => planes.iter().map(|plane| &**plane).collect(),
        }
    }

    /// Records again what was recorded; says whether it can be that.
    #[must_use]
    pub(crate) fn restore(&mut self, mut bytes: &[u8]) -> bool {
        let slices: Vec<&mut [u8]> = match self {
            Self::Count | Self::Compare(_) => vec![],
            Self::Bits(words) => vec![bytemuck::cast_slice_mut(words)],
            Self::Distances(planes) => planes.iter_mut().map(|plane| &mut **plane).collect(),
        };
        for slice in slices {
            let Some((part, rest)) = bytes.split_at_checked(slice.len()) else { return false };
            slice.copy_from_slice(part);
            bytes = rest;
        }
        bytes.is_empty()
    }
}

/// Calls `take` for each bit of a word that is set.
#[inline(always)]
pub(super) fn each_bit(mut word: u64, mut take: impl FnMut(usize)) {
    while word != 0 {
        take(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}
