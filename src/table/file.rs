//! The table file: a header page, a payload and its checksums, whatever they stand for.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    ops::{ControlFlow, Deref},
    path::Path,
};

use super::{BLOCK, Damage, Header, TableError, header, seals::Seals};
use crate::memory::Memory;

/// The bytes of a table file, in memory or mapped: they are whole, and match their checksums.
///
/// A [`Table`](crate::Table) or a [`PatternDatabase`](crate::PatternDatabase) is made of one, by what its header says.
pub struct TableFile {
    bytes: Bytes,
    header: Header,
    seals: Seals,
    /// How many bytes of payload there are.
    payload: usize,
}

/// Who holds the bytes of a table.
enum Bytes {
    Built(Memory),
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// The length of a file with a payload of `payload` bytes: header page, payload, a CRC-32 a block,
/// and the CRC-32 of these.
pub(crate) fn file_bytes(payload: u64) -> u64 {
    header::PAGE as u64 + payload + 4 * payload.div_ceil(BLOCK as u64) + 4
}

impl TableFile {
    /// The file whose payload of so many bytes is filled in, and whose header is then known.
    pub(crate) fn fill<E>(
        payload: u64,
        threads: usize,
        memory: impl FnOnce(io::Error) -> E,
        fill: impl FnOnce(&mut [u8]) -> Result<Header, E>,
    ) -> Result<Self, E> {
        let mut bytes = Memory::zeroed(file_bytes(payload)).map_err(memory)?;
        let (page, rest) = bytes.split_at_mut(header::PAGE);
        let (filled, checksums) = rest.split_at_mut(payload as usize);
        let header = fill(filled)?;
        page.copy_from_slice(&header.encode());
        Seals::set(filled, checksums, threads);
        let payload = payload as usize;
        Ok(Self { bytes: Bytes::Built(bytes), header, seals: Seals::matched(), payload })
    }

    /// Reads a table file and checks it: all of it up to 16 MiB of payload. In a larger one the header and
    /// the list of checksums are checked now, and each block of the payload when something is first looked up in it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is anything but a whole table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let (file, length) = regular(path.as_ref())?;
        // The header first: a foreign file is refused before anything of its size is allocated.
        let mut bytes = Vec::new();
        (&file).take(header::PAGE as u64).read_to_end(&mut bytes)?;
        Header::decode(&bytes, length)?;
        (&file).take(length).read_to_end(&mut bytes)?;
        Self::checked(Bytes::Owned(bytes))
    }

    /// Maps a table file into memory and checks it as [`open`](Self::open) does.
    ///
    /// # Safety
    ///
    /// Nobody may change or truncate the file as long as it is mapped: that would change memory
    /// behind the back of safe code, or end the process. tilebase never does so: it writes a table
    /// under another name and renames it, which leaves an open map as it was.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let (file, length) = regular(path.as_ref())?;
        if length == 0 {
            return Err(TableError::Empty);
        }
        // SAFETY: the caller answers for the file.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Self::checked(Bytes::Mapped(map))
    }

    /// The table file with these bytes.
    ///
    /// # Errors
    ///
    /// If they are anything but a whole table of a known version.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableError> {
        Self::checked(Bytes::Owned(bytes))
    }

    fn checked(bytes: Bytes) -> Result<Self, TableError> {
        /// Of a larger payload, blocks are checked as they are used.
        const AT_ONCE: usize = 16 << 20;
        let header = Header::decode(&bytes[..bytes.len().min(header::PAGE)], bytes.len() as u64)?;
        let payload = header.payload_bytes();
        let seals = Seals::unmatched(payload);
        let file = Self { bytes, header, seals, payload: payload as usize };
        let (checksums, own) = file.checksums();
        if own != crc32fast::hash(checksums).to_le_bytes() {
            return Err(TableError::Checksums);
        }
        if file.payload <= AT_ONCE {
            file.check_payload(1).map_err(TableError::Payload)?;
            return Ok(Self { seals: Seals::matched(), ..file });
        }
        Ok(file)
    }

    /// Compares the whole payload with its checksums, on up to `threads` threads.
    ///
    /// # Errors
    ///
    /// The first block that does not match.
    pub fn check_payload(&self, threads: usize) -> Result<(), Damage> {
        self.seals.check_all(self.payload(), self.checksums().0, threads)
    }

    /// Writes the file: whole, or not at all.
    ///
    /// The bytes go to a temporary file in the same folder, are synced, and take the name by a
    /// rename, so whoever opens `path` finds the old file or the new one, never a part.
    ///
    /// # Errors
    ///
    /// If the file or its folder cannot be written, or if `path` is there and is not a regular file.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.save_watched(path, |_| ControlFlow::Continue(()))
    }

    /// Writes the file as [`save`](Self::save) does. `watch` is told how many bytes have been written, and can
    /// break it off.
    ///
    /// # Errors
    ///
    /// As [`save`](Self::save); of the kind [`io::ErrorKind::Interrupted`] if `watch` breaks it off.
    pub fn save_watched(
        &self,
        path: impl AsRef<Path>,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        crate::write_whole(path.as_ref(), &self.bytes, watch)
    }

    /// What the table is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes, as they stand in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The CRC-32 of the list of checksums: tables with the same have the same payload.
    pub fn checksum(&self) -> u32 {
        u32::from_le_bytes(self.checksums().1.try_into().expect("four bytes"))
    }

    /// Compares the block of a byte of the payload with its checksum, if that has not been done.
    #[inline(always)]
    pub(crate) fn check_block_of(&self, at: usize) -> Result<(), Damage> {
        let block = at / BLOCK;
        if self.seals.is_matched(block) {
            return Ok(());
        }
        self.seals.check(self.payload(), self.checksums().0, block)
    }

    #[inline(always)]
    pub(crate) fn payload(&self) -> &[u8] {
        &self.bytes[header::PAGE..][..self.payload]
    }

    /// The list of checksums, and its own.
    fn checksums(&self) -> (&[u8], &[u8]) {
        let list = &self.bytes[header::PAGE + self.payload().len()..];
        list.split_at(list.len() - 4)
    }
}

/// Opens a regular file, and says how long it is. Opening a pipe would wait for its writer.
fn regular(path: &Path) -> Result<(File, u64), TableError> {
    if !fs::metadata(path)?.is_file() {
        return Err(TableError::NotAFile);
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Built(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}
