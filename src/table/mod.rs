//! The table: the exact distance of every board of an orbit, as the bytes of a file.
//!
//! A file is a header page, the payload and its checksums; FORMAT.md specifies every byte. Whatever
//! a [`Table`] answers has been read from bytes that match their checksums: no flipped bit, cut or foreign file
//! gets past.

mod file;
mod header;
mod lookup;
mod proof;
mod seals;
mod walk;

use std::{
    fmt, io,
    ops::{ControlFlow, Deref},
    path::Path,
};

pub use header::{Encoding, Header, Kind, Metric, UnknownEncoding, mean_distance};
pub(crate) use lookup::Lookup;
pub use proof::Flaw;
pub use seals::Damage;
use seals::Seals;
use walk::Walk;

use crate::{
    Index, Orbit, Space,
    memory::{self, Memory},
    space::{Rotation, State, Step},
    sweep::{self, Break, Record},
};

/// Each block of this many payload bytes has a checksum of its own.
const BLOCK: usize = 64 * 1024;
/// The entry of a board that was never reached, where there is a byte for each.
const UNREACHED: u8 = u8::MAX;

/// A table in memory or in a mapped file.
///
/// ```
/// use tilebase::{Builder, Goal, Orbit, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let table = Builder::new(Orbit::of(&goal))?.build()?;
/// assert_eq!(table.header().boards, 181_440);
/// assert_eq!(table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    bytes: Bytes,
    header: Header,
    seals: Seals,
    /// The boards of the table's own goal, and the blank's place there.
    space: Space,
    home: usize,
    /// The moves of a blank in each place, those first that keep the number of a state's word.
    steps: Vec<Vec<Step>>,
    /// How many planes there are, and how many bytes of payload.
    planes: usize,
    payload: usize,
}

/// Who holds the bytes of a table.
enum Bytes {
    Built(Memory),
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
    #[error("is the table for {orbit} ({}), and not what its name says", encoding.name())]
    Misnamed {
        /// Which goals it is for.
        orbit: Orbit,
        /// How it stores distances.
        encoding: Encoding,
    },
    /// The list of checksums does not match its own.
    #[error("has a damaged list of checksums")]
    Checksums,
    /// A block of the payload does not match its checksum.
    #[error("has a {0}")]
    Payload(Damage),
}

/// Why a table does not say how far a board is from the goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// What it would be read from does not match its checksum.
    #[error("the table has a {0}")]
    Damaged(Damage),
    /// The checksums are right, and what is there is no distance that a board can have.
    #[error("the table has no right distance for it")]
    Wrong,
}

impl From<Damage> for LookupError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

/// The length of a file with a payload of `payload` bytes: header page, payload, a CRC-32 a block,
/// and the CRC-32 of these.
pub(crate) fn file_bytes(payload: u64) -> u64 {
    header::PAGE as u64 + payload + 4 * payload.div_ceil(BLOCK as u64) + 4
}

impl Table {
    /// The table that a search fills in, which says how many boards it has found at each distance.
    pub(crate) fn fill(
        orbit: Orbit,
        encoding: Encoding,
        threads: usize,
        search: impl FnOnce(Record<'_>) -> Result<Vec<u64>, Break>,
    ) -> Result<Self, Break> {
        let payload = encoding.payload_bytes(orbit);
        let mut bytes = Memory::zeroed(file_bytes(payload)).map_err(Break::Memory)?;
        let (page, rest) = bytes.split_at_mut(header::PAGE);
        let (payload, checksums) = rest.split_at_mut(payload as usize);
        let histogram = search(match encoding {
            Encoding::Distance => {
                let plane = payload.len() / orbit.shape().cells();
                Record::Distances(payload.chunks_mut(plane).collect())
            }
            Encoding::Bit => Record::Bits(bytemuck::cast_slice_mut(payload)),
        })?;
        let header = Header::new(orbit, encoding, histogram);
        page.copy_from_slice(&header.encode());
        Seals::set(payload, checksums, threads);
        Ok(Self::new(Bytes::Built(bytes), header, Seals::matched()))
    }

    fn new(bytes: Bytes, header: Header, seals: Seals) -> Self {
        let space = Space::new(&header.orbit.goal()).expect("the shape of a table has an index");
        let (home, planes) = (space.home(), header.orbit.shape().cells());
        let payload = header.payload_bytes() as usize;
        let border = sweep::border(planes - 1);
        let leaves_word = |step: &Step| match step.rotation {
            Rotation::None => false,
            Rotation::LastToFront(window) | Rotation::FrontToLast(window) => {
                usize::from(window.start) < border
            }
        };
        let mut steps: Vec<_> = (0..planes).map(|place| space.steps(place).to_vec()).collect();
        steps.iter_mut().for_each(|steps| steps.sort_by_key(leaves_word));
        Self { bytes, header, seals, space, home, steps, planes, payload }
    }

    /// Reads a table from a file and checks it: all of it up to 16 MiB of payload. In a larger one the header and
    /// the list of checksums are checked now, and each block of the payload when something is first looked up in it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is anything but a whole table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        file::read(path.as_ref())
    }

    /// Maps a table file into memory and checks it as [`open`](Self::open) does.
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
        /// Of a larger payload, blocks are checked as they are used.
        const AT_ONCE: u64 = 16 << 20;
        let header = Header::decode(&bytes[..bytes.len().min(header::PAGE)], bytes.len() as u64)?;
        let seals = Seals::unmatched(header.payload_bytes());
        let at_once = header.payload_bytes() <= AT_ONCE;
        let table = Self::new(bytes, header, seals);
        let (checksums, own) = table.checksums();
        if own != crc32fast::hash(checksums).to_le_bytes() {
            return Err(TableError::Checksums);
        }
        if at_once {
            table.check_payload(1).map_err(TableError::Payload)?;
            return Ok(Self { seals: Seals::matched(), ..table });
        }
        Ok(table)
    }

    /// Compares the whole payload with its checksums, on up to `threads` threads.
    ///
    /// # Errors
    ///
    /// The first block that does not match.
    pub fn check_payload(&self, threads: usize) -> Result<(), Damage> {
        self.seals.check_all(self.payload(), self.checksums().0, threads)
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
        self.save_watched(path, |_| ControlFlow::Continue(()))
    }

    /// Writes the table to a file as [`save`](Self::save) does. `watch` is told how many bytes have been written, and can
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

    /// All bytes of the table, as they stand in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The CRC-32 of the list of checksums: tables with the same have the same payload.
    pub fn checksum(&self) -> u32 {
        u32::from_le_bytes(self.checksums().1.try_into().expect("four bytes"))
    }

    /// The distance of the board with this index.
    ///
    /// # Errors
    ///
    /// If the bytes that it is read from are damaged, or right and no distance, as they are in no table that
    /// [`verify`](Self::verify) accepts.
    ///
    /// # Panics
    ///
    /// If the index is of a space with more boards than the table has.
    pub fn distance(&self, index: Index) -> Result<u32, LookupError> {
        assert!(index.get() < self.header.boards, "the index is of another space");
        match self.header.encoding {
            Encoding::Distance => self.entry(index),
            Encoding::Bit => self.walk(self.space.state(index)),
        }
    }

    /// How many moves a walk makes to the goal, where there is a bit for each board.
    pub(crate) fn walk(&self, state: State) -> Result<u32, LookupError> {
        let mut walk = Walk::new(self, state);
        loop {
            if let Some(moves) = walk.advance()? {
                return Ok(moves);
            }
        }
    }

    /// Whether a state that is a neighbour of one with the distance `left + 1` has the distance `left`, or else
    /// `left + 2`.
    pub(crate) fn is_nearer(&self, state: State, left: u32) -> Result<bool, LookupError> {
        match self.header.encoding {
            Encoding::Distance => Ok(self.entry(self.space.index_of(state))? == left),
            Encoding::Bit => Ok(self.bit(state)? == (left >> 1 & 1 == 1)),
        }
    }

    /// The byte of a board, where there is one for each.
    #[inline]
    pub(crate) fn entry(&self, index: Index) -> Result<u32, LookupError> {
        let at = index.get() as usize;
        self.check_block_of(at)?;
        let entry = u32::from(self.payload()[at]);
        if entry <= self.header.radius() { Ok(entry) } else { Err(LookupError::Wrong) }
    }

    /// The bit of a state, where there is one for each.
    #[inline(always)]
    fn bit(&self, state: State) -> Result<bool, Damage> {
        let (at, bit) = self.place_of(state);
        self.check_block_of(at)?;
        Ok(self.payload()[at] >> bit & 1 == 1)
    }

    /// Where the bit of a state is: the byte of the payload, and which of its bits. The words of the same number in
    /// all planes lie side by side: on 3x4 in 96 bytes, which are two lines of a cache.
    #[inline(always)]
    fn place_of(&self, state: State) -> (usize, u32) {
        let word = word_of(state) * self.planes as u64 + state.place as u64;
        let bit = state.rank % sweep::BOARDS as u64;
        ((8 * word + bit / 8) as usize, (bit % 8) as u32)
    }

    /// Has memory bring the bits of a state, and of those with the blank in a place near by.
    #[inline]
    fn prefetch_around(&self, state: State) {
        let at = self.place_of(state).0;
        // A line of the cache has 64 bytes, so these two have all words that are not more than two places away.
        for near in [at.saturating_sub(16), at + 16] {
            self.payload().get(near).map(memory::prefetch);
        }
    }

    /// Compares the block of a byte of the payload with its checksum, if that has not been done.
    #[inline(always)]
    fn check_block_of(&self, at: usize) -> Result<(), Damage> {
        let block = at / BLOCK;
        if self.seals.is_matched(block) {
            return Ok(());
        }
        self.seals.check(self.payload(), self.checksums().0, block)
    }

    #[inline(always)]
    fn payload(&self) -> &[u8] {
        &self.bytes[header::PAGE..][..self.payload]
    }

    /// The list of checksums, and its own.
    fn checksums(&self) -> (&[u8], &[u8]) {
        let list = &self.bytes[header::PAGE + self.payload().len()..];
        list.split_at(list.len() - 4)
    }
}

/// The number of the word that a state's bit is in, of those of its plane.
fn word_of(state: State) -> u64 {
    state.rank / sweep::BOARDS as u64
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
            Self::Built(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}
