//! The whole file: a header page, a payload and its checksums in one piece of memory.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use bytes::Bytes;

use crate::{
    system::memory::Memory,
    system::threads::Threads,
    table::{
        error::TableErrorKind,
        header::Header,
        layout::{BLOCK_BYTES, PAGE, file_bytes},
        seals::{Damage, Seals},
    },
};

/// A table file in one piece of memory.
pub(super) struct WholeFile {
    header: Header,
    bytes: Bytes,
    /// The payload's bytes, which are some of `bytes`.
    payload: Bytes,
    seals: Seals,
}

impl WholeFile {
    /// Makes a file in memory. `fill` writes the payload of `payload` bytes, and returns the header.
    pub(super) fn fill<E>(
        payload: u64,
        threads: Threads,
        memory: impl FnOnce(io::Error) -> E,
        fill: impl FnOnce(&mut [u8]) -> Result<Header, E>,
    ) -> Result<Self, E> {
        let mut bytes = Memory::zeroed(file_bytes(payload)).map_err(memory)?;
        let (page, rest) = bytes.split_at_mut(PAGE);
        let (filled, checksums) = rest.split_at_mut(payload as usize);
        let header = fill(filled)?;
        page.copy_from_slice(&header.encode());
        Seals::set(filled, checksums, threads);
        Ok(Self::new(header, Bytes::from_owner(bytes), Seals::matched()))
    }

    /// Reads a file and checks it as [`checked`](Self::checked) does.
    pub(super) fn open(path: &Path) -> Result<Self, TableErrorKind> {
        let (file, length) = regular(path)?;
        // The header is read first, so that a foreign file is refused before memory of its size is allocated.
        let mut bytes = Vec::new();
        (&file).take(PAGE as u64).read_to_end(&mut bytes)?;
        Header::decode(&bytes, length)?;
        (&file).take(length).read_to_end(&mut bytes)?;
        Self::checked(bytes.into())
    }

    /// Maps a file into memory and checks it as [`checked`](Self::checked) does.
    ///
    /// # Safety
    ///
    /// No program may change or truncate the file as long as it is mapped.
    pub(super) unsafe fn map(path: &Path) -> Result<Self, TableErrorKind> {
        let (file, length) = regular(path)?;
        if length == 0 {
            return Err(TableErrorKind::Empty);
        }
        // SAFETY: the caller ensures that no program changes or truncates the file.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Self::checked(Bytes::from_owner(map))
    }

    /// The file with these bytes. A payload of up to 16 MiB is checked as a whole now. In a larger file, each block of
    /// the payload is checked when it is first read.
    pub(super) fn checked(bytes: Bytes) -> Result<Self, TableErrorKind> {
        const AT_ONCE: usize = 16 << 20;
        let header = Header::decode(&bytes[..bytes.len().min(PAGE)], bytes.len() as u64)?;
        let seals = Seals::unmatched(header.payload_bytes() as usize);
        let file = Self::new(header, bytes, seals);
        let (checksums, own) = file.checksums();
        if own != crc32fast::hash(checksums).to_le_bytes() {
            return Err(TableErrorKind::Checksums);
        }
        if file.payload.len() > AT_ONCE {
            return Ok(file);
        }
        file.check_payload(Threads::from(1)).map_err(TableErrorKind::Payload)?;
        Ok(Self { seals: Seals::matched(), ..file })
    }

    fn new(header: Header, bytes: Bytes, seals: Seals) -> Self {
        let payload = bytes.slice(PAGE..PAGE + header.payload_bytes() as usize);
        Self { header, bytes, payload, seals }
    }

    #[inline(always)]
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline(always)]
    pub(super) fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// A byte of the payload, after its block was compared with its checksum.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Result<u8, Damage> {
        let block = at / BLOCK_BYTES;
        if !self.seals.is_matched(block) {
            self.seals.check(&self.payload, self.checksums().0, block)?;
        }
        Ok(self.payload[at])
    }

    /// Compares the blocks that were not compared yet with their checksums, on up to `threads` threads.
    pub(super) fn check_payload(&self, threads: Threads) -> Result<(), Damage> {
        self.seals.check_all(&self.payload, self.checksums().0, threads)
    }

    /// The CRC-32 of the list of checksums.
    pub(super) fn checksum(&self) -> u32 {
        u32::from_le_bytes(self.checksums().1.try_into().expect("four bytes"))
    }

    /// The list of checksums, and its own checksum.
    fn checksums(&self) -> (&[u8], &[u8]) {
        let list = &self.bytes[PAGE + self.payload.len()..];
        list.split_at(list.len() - 4)
    }
}

/// Opens a regular file, and returns its length. A pipe is refused, because to open it would wait for its writer.
fn regular(path: &Path) -> Result<(File, u64), TableErrorKind> {
    if !fs::metadata(path)?.is_file() {
        return Err(TableErrorKind::NotAFile);
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}
