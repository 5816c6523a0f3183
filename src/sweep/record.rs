//! The record: what is kept of the boards of a level.

use std::mem;

use crate::{
    index::word::BOARDS,
    system::threads::{self, Threads},
};

/// What is kept of the boards of a level, for all planes or for some of their blocks.
///
/// The blocks are those of the first plane, then those of the next plane, and so on.
pub(crate) enum Record<'a> {
    /// Boards are counted, and nothing is kept.
    Count,
    /// One bit for each board: the second lowest bit of its distance. The words are those of the blocks, little-endian.
    Bits(&'a mut [u64]),
    /// One byte for each board: its distance.
    Distances(&'a mut [u8]),
    /// Recorded bits are compared. A slice for each block number has the words of all planes, in the order that
    /// [`finish`](Record::finish) gives them.
    Compare { planes: usize, blocks: &'a [&'a [u8]] },
}

impl<'a> Record<'a> {
    /// The same record, borrowed.
    pub(super) fn reborrow(&mut self) -> Record<'_> {
        match self {
            Self::Count => Record::Count,
            Self::Bits(words) => Record::Bits(words),
            Self::Distances(bytes) => Record::Distances(bytes),
            Self::Compare { planes, blocks } => Record::Compare { planes: *planes, blocks },
        }
    }

    /// Splits the first `count` of `all` blocks off. Each block has the same share of the record.
    pub(super) fn split_off(&mut self, count: usize, all: usize) -> Self {
        match self {
            Self::Count => Self::Count,
            Self::Bits(words) => Self::Bits(split_off(words, words.len() / all * count)),
            Self::Distances(bytes) => Self::Distances(split_off(bytes, bytes.len() / all * count)),
            Self::Compare { planes, blocks } => Self::Compare { planes: *planes, blocks },
        }
    }

    /// Records the new boards of a block. Returns the first board that contradicts the recorded bits, as its number in
    /// the plane.
    ///
    /// The block is the one at `at` in this record, and has the number `block` in the plane with the number `plane`.
    #[inline(always)]
    pub(super) fn note<const W: usize>(
        &mut self,
        at: usize,
        plane: usize,
        block: usize,
        new: &[u64; W],
        depth: u8,
    ) -> Option<u64> {
        let bit = depth >> 1 & 1 == 1;
        match self {
            Self::Count => {}
            Self::Bits(words) => {
                if bit {
                    let words = words[at * W..].iter_mut().zip(new);
                    words.for_each(|(word, new)| *word |= new.to_le());
                }
            }
            Self::Distances(bytes) => {
                for (bytes, new) in bytes[at * W * BOARDS..].chunks_mut(BOARDS).zip(new) {
                    each_bit(*new, |bit| bytes[bit] = depth);
                }
            }
            Self::Compare { planes, blocks } => {
                let words = blocks[block].chunks_exact(8 * *planes);
                return (block * W..).zip(words).zip(new).find_map(|((number, words), new)| {
                    let word = words[8 * plane..][..8].try_into().expect("eight bytes");
                    let word = u64::from_le_bytes(word);
                    let wrong = if bit { new & !word } else { new & word };
                    (wrong != 0)
                        .then(|| number as u64 * BOARDS as u64 + u64::from(wrong.trailing_zeros()))
                });
            }
        }
        None
    }

    /// Brings recorded bits into the order of a table: the words with the same number in all planes side by side.
    ///
    /// `spare` has room for as many words.
    pub(super) fn finish(self, planes: usize, spare: &mut [u64], threads: Threads) {
        /// Pieces of work.
        const PIECES: usize = 64;
        /// A cache line of words is read at a time.
        const LINE: usize = 8;
        let Self::Bits(words) = self else { return };
        if words.is_empty() {
            return;
        }
        let spare = &mut spare[..words.len()];
        let length = words.len() / planes;
        let lines = length.div_ceil(LINE * PIECES);
        let pieces = spare.chunks_mut(lines * LINE * planes).enumerate().collect();
        threads::share(threads, pieces, |(piece, rows): (usize, &mut [u64])| {
            for (line, rows) in rows.chunks_mut(LINE * planes).enumerate() {
                let first = (piece * lines + line) * LINE;
                for (plane, words) in words.chunks_exact(length).enumerate() {
                    let words = &words[first..];
                    rows[plane..]
                        .iter_mut()
                        .step_by(planes)
                        .zip(words)
                        .for_each(|(row, word)| *row = *word);
                }
            }
        });
        let length = words.len().div_ceil(PIECES);
        let pieces = words.chunks_mut(length).zip(spare.chunks(length)).collect();
        threads::share(threads, pieces, |(words, spare): (&mut [u64], &[u64])| {
            words.copy_from_slice(spare);
        });
    }

    /// The bytes that were recorded so far.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Count | Self::Compare { .. } => &[],
            Self::Bits(words) => bytemuck::cast_slice(words),
            Self::Distances(bytes) => bytes,
        }
    }

    /// Replaces what was recorded by `bytes`. Returns whether they have the right length.
    #[must_use]
    pub(super) fn restore(&mut self, bytes: &[u8]) -> bool {
        let recorded: &mut [u8] = match self {
            Self::Count | Self::Compare { .. } => &mut [],
            Self::Bits(words) => bytemuck::cast_slice_mut(words),
            Self::Distances(bytes) => bytes,
        };
        let fits = recorded.len() == bytes.len();
        if fits {
            recorded.copy_from_slice(bytes);
        }
        fits
    }
}

/// Splits the first `count` elements off.
pub(super) fn split_off<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

/// Calls `each` with the number of each bit of a word that is set.
#[inline(always)]
fn each_bit(mut word: u64, mut each: impl FnMut(usize)) {
    while word != 0 {
        each(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}
