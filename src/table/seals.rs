//! The seals: a checksum for each block of the payload, and which of them have been found to match.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::system::threads::{self, Threads};
use crate::table::{BLOCK, header};

/// A block of the payload that does not match its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("damaged payload: bytes {start} to {} do not match their checksum", end - 1)]
#[non_exhaustive]
pub struct Damage {
    /// Where the block begins in the file, in bytes.
    pub start: u64,
    /// Where it ends, exclusive.
    pub end: u64,
}

/// A bit for each block that has been found to match, 64 to a word; no words where all have.
pub(super) struct Seals(Vec<AtomicU64>);

impl Seals {
    /// All blocks have been found to match.
    pub(super) fn matched() -> Self {
        Self(vec![])
    }

    /// None has.
    pub(super) fn unmatched(payload: u64) -> Self {
        let blocks = payload.div_ceil(BLOCK as u64) as usize;
        Self((0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Writes the checksums of a payload, and at the end their own.
    pub(super) fn set(payload: &[u8], checksums: &mut [u8], threads: Threads) {
        let blocks = payload.chunks(BLOCK).collect();
        let (list, own) = checksums.split_at_mut(checksums.len() - 4);
        let sums = threads::share(threads, blocks, crc32fast::hash);
        for (bytes, sum) in list.chunks_exact_mut(4).zip(sums) {
            bytes.copy_from_slice(&sum.to_le_bytes());
        }
        own.copy_from_slice(&crc32fast::hash(list).to_le_bytes());
    }

    /// The checksums of a payload that comes in pieces, and at the end their own.
    #[cfg(feature = "cluster")]
    pub(super) fn list<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
        let (mut list, mut sum, mut left) = (vec![], crc32fast::Hasher::new(), BLOCK);
        for mut piece in pieces {
            while !piece.is_empty() {
                let (bytes, rest) = piece.split_at(left.min(piece.len()));
                sum.update(bytes);
                (piece, left) = (rest, left - bytes.len());
                if left == 0 {
                    list.extend(std::mem::take(&mut sum).finalize().to_le_bytes());
                    left = BLOCK;
                }
            }
        }
        if left < BLOCK {
            list.extend(sum.finalize().to_le_bytes());
        }
        list.extend(crc32fast::hash(&list).to_le_bytes());
        list
    }

    /// Compares those blocks with their checksums that have not been found to match, on up to `threads` threads.
    pub(super) fn check_all(
        &self,
        payload: &[u8],
        checksums: &[u8],
        threads: Threads,
    ) -> Result<(), Damage> {
        let blocks = 0..payload.len().div_ceil(BLOCK);
        let unmatched = blocks.filter(|block| !self.is_matched(*block)).collect();
        let check = |block| self.check(payload, checksums, block);
        threads::share(threads, unmatched, check).into_iter().collect()
    }

    /// Whether a block has been found to match.
    #[inline(always)]
    pub(super) fn is_matched(&self, block: usize) -> bool {
        // Nothing is handed on but the bit itself: the bytes are the same for whoever reads them.
        self.0
            .get(block / 64)
            .is_none_or(|word| word.load(Ordering::Relaxed) >> (block % 64) & 1 == 1)
    }

    /// Compares a block of a payload with its checksum. Those that do it at once find the same.
    #[cold]
    pub(super) fn check(
        &self,
        payload: &[u8],
        checksums: &[u8],
        block: usize,
    ) -> Result<(), Damage> {
        let start = block * BLOCK;
        let end = payload.len().min(start + BLOCK);
        if checksums[4 * block..][..4] == crc32fast::hash(&payload[start..end]).to_le_bytes() {
            self.0[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
            return Ok(());
        }
        let in_file = |at| (header::PAGE + at) as u64;
        Err(Damage { start: in_file(start), end: in_file(end) })
    }
}
