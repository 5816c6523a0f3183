//! The numbers of the file format. FORMAT.md specifies every byte.

/// The end of a table's file name.
pub(crate) const EXTENSION: &str = "tilebase";
/// The length of the header page in bytes. The payload begins behind it.
pub(crate) const PAGE: usize = 4096;
/// The length in bytes of a block of the payload. Each block has a checksum of its own.
pub(crate) const BLOCK_BYTES: usize = 64 * 1024;
/// The entry of a board that no search has reached, in a table with one byte per board.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// The length in bytes of a file whose payload has `payload` bytes: the header page, the payload, a CRC-32 for each
/// block, and the CRC-32 of this list.
pub(crate) fn file_bytes(payload: u64) -> u64 {
    PAGE as u64 + payload + 4 * payload.div_ceil(BLOCK_BYTES as u64) + 4
}
