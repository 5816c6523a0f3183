//! The seals of a payload: a checksum for each block, and a record of the blocks that are known to match.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    system::threads::{self, Threads},
    table::layout::{BLOCK_BYTES, PAGE},
};

/// A block of the payload does not match its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes {start} to {} do not match their checksum", end - 1)]
#[non_exhaustive]
pub struct Damage {
    /// The first byte of the block, counted from the start of the file.
    pub start: u64,
    /// The end of the block, exclusive.
    pub end: u64,
}

/// One bit per block, in words of 64: 1 if the block is known to match. The list is empty if all blocks match.
pub(super) struct Seals(Vec<AtomicU64>);

impl Seals {
    /// All blocks match.
    pub(super) fn matched() -> Self {
        Self(vec![])
    }

    /// No block of a payload of `payload` bytes has been compared yet.
    pub(super) fn unmatched(payload: usize) -> Self {
        let blocks = payload.div_ceil(BLOCK_BYTES);
        Self((0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Writes the checksums of a payload into `checksums`, and their own checksum at the end.
    pub(super) fn set(payload: &[u8], checksums: &mut [u8], threads: Threads) {
        let blocks = payload.chunks(BLOCK_BYTES).collect();
        let (list, own) = checksums.split_at_mut(checksums.len() - 4);
        let sums = threads::share(threads, blocks, crc32fast::hash);
        for (bytes, sum) in list.chunks_exact_mut(4).zip(sums) {
            bytes.copy_from_slice(&sum.to_le_bytes());
        }
        own.copy_from_slice(&crc32fast::hash(list).to_le_bytes());
    }

    /// The checksums of a payload that comes in pieces, and their own checksum at the end.
    pub(super) fn list<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
        let (mut list, mut sum, mut left) = (vec![], crc32fast::Hasher::new(), BLOCK_BYTES);
        for mut piece in pieces {
            while !piece.is_empty() {
                let (bytes, rest) = piece.split_at(left.min(piece.len()));
                sum.update(bytes);
                (piece, left) = (rest, left - bytes.len());
                if left == 0 {
                    list.extend(std::mem::take(&mut sum).finalize().to_le_bytes());
                    left = BLOCK_BYTES;
                }
            }
        }
        if left < BLOCK_BYTES {
            list.extend(sum.finalize().to_le_bytes());
        }
        list.extend(crc32fast::hash(&list).to_le_bytes());
        list
    }

    /// Compares the blocks that were not compared yet with their checksums, on up to `threads` threads. The error is
    /// the first block that does not match.
    pub(super) fn check_all(
        &self,
        payload: &[u8],
        checksums: &[u8],
        threads: Threads,
    ) -> Result<(), Damage> {
        let blocks = 0..payload.len().div_ceil(BLOCK_BYTES);
        let unmatched = blocks.filter(|block| !self.is_matched(*block)).collect();
        let check = |block| self.check(payload, checksums, block);
        threads::share(threads, unmatched, check).into_iter().collect()
    }

    /// Whether a block is known to match.
    #[inline(always)]
    pub(super) fn is_matched(&self, block: usize) -> bool {
        // No other memory depends on the bit, and the payload never changes. So relaxed ordering is enough.
        self.0
            .get(block / 64)
            .is_none_or(|word| word.load(Ordering::Relaxed) >> (block % 64) & 1 == 1)
    }

    /// Compares a block of a payload with its checksum. Several threads may do this at the same time, with the same
    /// result.
    #[cold]
    pub(super) fn check(
        &self,
        payload: &[u8],
        checksums: &[u8],
        block: usize,
    ) -> Result<(), Damage> {
        let start = block * BLOCK_BYTES;
        let end = payload.len().min(start + BLOCK_BYTES);
        if checksums[4 * block..][..4] == crc32fast::hash(&payload[start..end]).to_le_bytes() {
            self.0[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
            return Ok(());
        }
        let in_file = |at| (PAGE + at) as u64;
        Err(Damage { start: in_file(start), end: in_file(end) })
    }
}
