//! The table: the exact distance of every board of an orbit, as the bytes of a file.
//!
//! A file is a header page, the payload and its checksums; FORMAT.md specifies every byte. Whatever
//! a [`Table`] holds has been checked on opening: no flipped bit, cut or foreign file gets past.

mod file;
mod header;
mod proof;

use std::{fmt, io, ops::Deref, path::Path};

pub use header::{Encoding, Header, Kind, Metric, UnknownEncoding};
pub use proof::Flaw;

use crate::{BuildError, Index, Orbit, build};

/// Each block of this many payload bytes has a checksum of its own.
const BLOCK: usize = 64 * 1024;

/// A table in memory or in a mapped file.
///
/// ```
/// use tilebase::{Goal, Orbit, Shape, Table};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let table = Table::build(Orbit::of(&goal))?;
/// assert_eq!(table.header().boards, 181_440);
/// assert_eq!(table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    bytes: Bytes,
    header: Header,
}

/// Who holds the bytes of a table.
enum Bytes {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// Why a file or its bytes are not a table that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The path leads to a directory, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// There are no bytes.
    #[error("is empty")]
    Empty,
    /// The first bytes are not those of a table.
    #[error("is not a tilebase table")]
    NotATable,
    /// The format is of a version that this one does not read.
    #[error("is of format version {found}; this program reads version {known}")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that is read here.
        known: u32,
    },
    /// The file is shorter than its header says, or than a header.
    #[error("is cut off: {found} of {expected} bytes")]
    Truncated {
        /// The length that it should have, in bytes.
        expected: u64,
        /// The length that it has, in bytes.
        found: u64,
    },
    /// The file is longer than its header says.
    #[error("is too long: {found} bytes where its header says {expected}")]
    TooLong {
        /// The length that it should have, in bytes.
        expected: u64,
        /// The length that it has, in bytes.
        found: u64,
    },
    /// The header page does not match its checksum.
    #[error("has a damaged header: bytes 0 to 4095 do not match their checksum")]
    Header,
    /// The header is whole and asks for something that this version does not know.
    #[error("has {field} {code}, which this program does not know")]
    Unknown {
        /// The header's field: kind, metric or encoding.
        field: &'static str,
        /// What it holds.
        code: u8,
    },
    /// The header is whole and contradicts itself.
    #[error("has a header that cannot be right: {0}")]
    Contradiction(&'static str),
    /// The table is whole, and another than its name in a store says.
    #[error("is the table for {0}, and not what its name says")]
    Misnamed(Orbit),
    /// The list of checksums does not match its own.
    #[error("has a damaged list of checksums")]
    Checksums,
    /// A block of the payload does not match its checksum.
    #[error("has a damaged payload: bytes {start} to {} do not match their checksum", end - 1)]
    Payload {
        /// Where the block begins in the file.
        start: u64,
        /// Where it ends, exclusive.
        end: u64,
    },
}

/// The length of a file with a payload of `payload` bytes: header page, payload, a CRC-32 a block,
/// and the CRC-32 of these.
fn file_bytes(payload: u64) -> u64 {
    header::PAGE as u64 + payload + 4 * payload.div_ceil(BLOCK as u64) + 4
}

impl Table {
    /// Builds the table of an orbit in memory. The same orbit gives the same bytes on every machine.
    ///
    /// # Errors
    ///
    /// If the orbit's shape has more than 10 cells.
    pub fn build(orbit: Orbit) -> Result<Self, BuildError> {
        build::distances(orbit).map(|distances| Self::encode(orbit, &distances))
    }

    /// The table with these distances, in index order.
    fn encode(orbit: Orbit, distances: &[u8]) -> Self {
        let header = Header::new(orbit, histogram(distances));
        let mut bytes = header.encode(file_bytes(distances.len() as u64));
        bytes.extend_from_slice(distances);
        let checksums: Vec<u8> = distances
            .chunks(BLOCK)
            .flat_map(|block| crc32fast::hash(block).to_le_bytes())
            .collect();
        bytes.extend_from_slice(&checksums);
        bytes.extend(crc32fast::hash(&checksums).to_le_bytes());
        Self { bytes: Bytes::Owned(bytes), header }
    }

    /// Reads a table from a file and checks all of it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is anything but a whole table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        file::read(path.as_ref())
    }

    /// Maps a table file into memory and checks all of it.
    ///
    /// # Safety
    ///
    /// Nobody may change or truncate the file as long as the table lives: that would change memory
    /// behind the back of safe code, or end the process. tilebase never does so: it writes a table
    /// under another name and renames it, which leaves an open map as it was.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        // SAFETY: the caller answers for the file.
        unsafe { file::map(path.as_ref()) }
    }

    /// The table with these bytes, as they would stand in a file.
    ///
    /// # Errors
    ///
    /// If they are anything but a whole table of a known version.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableError> {
        Self::checked(Bytes::Owned(bytes))
    }

    fn checked(bytes: Bytes) -> Result<Self, TableError> {
        let header = Header::decode(&bytes[..bytes.len().min(header::PAGE)], bytes.len() as u64)?;
        let table = Self { bytes, header };
        table.check_payload()?;
        Ok(table)
    }

    /// Compares list and payload with their checksums.
    fn check_payload(&self) -> Result<(), TableError> {
        let (checksums, own) = self.checksums();
        if own != crc32fast::hash(checksums).to_le_bytes() {
            return Err(TableError::Checksums);
        }
        for (number, (block, crc)) in
            self.payload().chunks(BLOCK).zip(checksums.chunks_exact(4)).enumerate()
        {
            if crc != crc32fast::hash(block).to_le_bytes() {
                let start = (header::PAGE + number * BLOCK) as u64;
                return Err(TableError::Payload { start, end: start + block.len() as u64 });
            }
        }
        Ok(())
    }

    /// Writes the table to a file: whole, or not at all.
    ///
    /// The bytes go to a temporary file in the same folder, are synced, and take the name by a
    /// rename, so whoever opens `path` finds the old file or the new one, never a part.
    ///
    /// # Errors
    ///
    /// If the file or its folder cannot be written, or if `path` is there and is not a regular file.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        crate::write_whole(path.as_ref(), &self.bytes)
    }

    /// What the table is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes of the table, as they stand in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The CRC-32 of the list of checksums: tables with the same have the same payload.
    pub fn checksum(&self) -> u32 {
        u32::from_le_bytes(self.checksums().1.try_into().expect("four bytes"))
    }

    /// The distance of the board with this index, or `None` where the entry is none (the board was never
    /// reached, or is farther than the header's radius), which happens in no table that [`verify`](Self::verify) accepts.
    ///
    /// # Panics
    ///
    /// If the index is of a space with more boards than the table has.
    pub fn distance(&self, index: Index) -> Option<u32> {
        let entry = self.entry(index).into();
        (entry <= self.header.radius()).then_some(entry)
    }

    fn entry(&self, index: Index) -> u8 {
        assert!(index.get() < self.header.boards, "the index is of another space");
        self.bytes[header::PAGE + index.get() as usize]
    }

    fn payload(&self) -> &[u8] {
        &self.bytes[header::PAGE..][..self.header.payload_bytes() as usize]
    }

    /// The list of checksums, and its own.
    fn checksums(&self) -> (&[u8], &[u8]) {
        let list = &self.bytes[header::PAGE + self.payload().len()..];
        list.split_at(list.len() - 4)
    }
}

/// How many boards have each distance, from 0 to the greatest.
fn histogram(distances: &[u8]) -> Vec<u64> {
    let mut histogram = vec![0; 256];
    for &distance in distances {
        histogram[usize::from(distance)] += 1;
    }
    let radius = histogram.iter().rposition(|&boards| boards > 0).unwrap_or(0);
    histogram.truncate(radius + 1);
    histogram
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}
