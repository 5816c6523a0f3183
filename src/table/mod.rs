//! The table: the exact distance of every board of an orbit, as the bytes of a file.
//!
//! A file is a header page, the payload and its checksums; FORMAT.md specifies every byte. Whatever
//! a [`Table`] answers has been read from bytes that match their checksums: no flipped bit, cut or foreign file
//! gets past.

pub mod builder;
pub(crate) mod file;
pub(crate) mod header;
pub(crate) mod lookup;
pub mod oracle;
#[cfg(feature = "cluster")]
pub(crate) mod parts;
pub(crate) mod proof;
pub mod sample;
pub(crate) mod seals;
mod walk;

use std::{fmt, io, ops::Deref, path::Path};

pub use file::TableFile;
pub(crate) use file::file_bytes;
pub use header::{Encoding, Header, Kind, Metric, UnknownEncoding, mean_distance};

#[cfg(feature = "cluster")]
pub use parts::{Entry, Manifest, Part, PartsError};
pub use proof::Flaw;
pub use seals::Damage;
use walk::Walk;

use crate::{
    index::{
        arrangement::Rotation,
        partition::Partition,
        space::{Index, Space, State, Step},
        word,
    },
    puzzle::orbit::Orbit,
    sweep::{levels::Break, record::Record},
    system::{processor, threads::Threads},
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
    file: TableFile,
    /// The boards of the table's own goal, and the blank's place there.
    space: Space,
    home: usize,
    /// The moves of a blank in each place, those first that keep the number of a state's word.
    steps: Vec<Vec<Step>>,
    /// How many planes there are.
    planes: usize,
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
    /// The file is whole, and holds something else.
    #[error("is a {}, and not a {}", found.noun(), expected.noun())]
    Kind {
        /// What was wanted.
        expected: Kind,
        /// What it holds.
        found: Kind,
    },
    /// The table is whole, and another than its name in a store says.
    #[error("is the table for {orbit} ({}), and not what its name says", encoding.name())]
    Misnamed {
        /// Which goals it is for.
        orbit: Orbit,
        /// How it stores distances.
        encoding: Encoding,
    },
    /// The pattern database is whole, and another than its name in a store says.
    #[error("is the pattern database {0} for {orbit}, and not what its name says", orbit = .0.orbit())]
    MisnamedPatterns(Partition),
    /// The list of checksums does not match its own.
    #[error("has a damaged list of checksums")]
    Checksums,
    /// A block of the payload does not match its checksum.
    #[error("has a {0}")]
    Payload(Damage),
    /// The file is a manifest, and it or its parts are not as they should be.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Parts(#[from] PartsError),
}

impl TableError {
    /// The error about a file with this header that has another's name.
    pub fn misnamed(header: &Header) -> Self {
        let &Header { orbit, encoding, .. } = header;
        match &header.partition {
            Some(partition) => Self::MisnamedPatterns(partition.clone()),
            None => Self::Misnamed { orbit, encoding },
        }
    }
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

impl Table {
    /// The table that a search fills in, which says how many boards it has found at each distance.
    pub(crate) fn fill(
        orbit: Orbit,
        encoding: Encoding,
        threads: Threads,
        search: impl FnOnce(Record<'_>) -> Result<Vec<u64>, Break>,
    ) -> Result<Self, Break> {
        let payload = encoding.payload_bytes(orbit);
        let file = TableFile::fill(payload, threads, Break::Memory, |payload| {
            let histogram = search(match encoding {
                Encoding::Distance => Record::Distances(payload),
                Encoding::Bit => Record::Bits(bytemuck::cast_slice_mut(payload)),
            })?;
            Ok(Header::new(orbit, encoding, histogram))
        })?;
        Ok(Self::new(file))
    }

    fn new(file: TableFile) -> Self {
        let orbit = file.header().orbit;
        let space = Space::new(&orbit.goal()).expect("the shape of a table has an index");
        let (home, planes) = (space.home(), orbit.shape().cells());
        let border = word::border(planes - 1);
        let leaves_word = |step: &Step| match step.rotation {
            Rotation::None => false,
            Rotation::LastToFront(window) | Rotation::FrontToLast(window) => {
                usize::from(window.start) < border
            }
        };
        let mut steps: Vec<_> = (0..planes).map(|place| space.steps(place).to_vec()).collect();
        steps.iter_mut().for_each(|steps| steps.sort_by_key(leaves_word));
        Self { file, space, home, steps, planes }
    }

    /// Reads a table from a file, as [`TableFile::open`] does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is anything but a whole full table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        TableFile::open(path)?.try_into()
    }

    /// Maps a table file into memory, as [`TableFile::map`] does.
    ///
    /// # Safety
    ///
    /// As there: nobody may change or truncate the file as long as the table lives.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        // SAFETY: the caller answers for the file.
        unsafe { TableFile::map(path) }?.try_into()
    }

    /// The table with these bytes, as they would stand in a file.
    ///
    /// # Errors
    ///
    /// If they are anything but a whole full table of a known version.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TableError> {
        TableFile::from_bytes(bytes)?.try_into()
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
        assert!(index.get() < self.header().boards, "the index is of another space");
        match self.header().encoding {
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
        match self.header().encoding {
            Encoding::Distance => Ok(self.entry(self.space.index_of(state))? == left),
            Encoding::Bit => Ok(self.bit(state)? == (left >> 1 & 1 == 1)),
        }
    }

    /// The byte of a board, where there is one for each.
    #[inline]
    pub(crate) fn entry(&self, index: Index) -> Result<u32, LookupError> {
        let at = index.get() as usize;
        self.check_block_of(at)?;
        let entry = u32::from(self.payload_from(at)[0]);
        if entry <= self.header().radius() { Ok(entry) } else { Err(LookupError::Wrong) }
    }

    /// The bit of a state, where there is one for each.
    #[inline(always)]
    fn bit(&self, state: State) -> Result<bool, Damage> {
        let (at, bit) = self.place_of(state);
        self.check_block_of(at)?;
        Ok(self.payload_from(at)[0] >> bit & 1 == 1)
    }

    /// Where the bit of a state is: the byte of the payload, and which of its bits. The words of the same number in
    /// all planes lie side by side: on 3x4 in 96 bytes, which are two lines of a cache.
    #[inline(always)]
    fn place_of(&self, state: State) -> (usize, u32) {
        let word = word_of(state) * self.planes as u64 + state.place as u64;
        let bit = state.rank % word::BOARDS as u64;
        ((8 * word + bit / 8) as usize, (bit % 8) as u32)
    }

    /// Has memory bring the bits of a state, and of those with the blank in a place near by.
    #[inline]
    fn prefetch_around(&self, state: State) {
        let at = self.place_of(state).0;
        // A line of the cache has 64 bytes, so these two have all words that are not more than two places away.
        for near in [at.saturating_sub(16), at + 16] {
            self.payload_from(near).first().map(processor::prefetch);
        }
    }
}

/// The number of the word that a state's bit is in, of those of its plane.
fn word_of(state: State) -> u64 {
    state.rank / word::BOARDS as u64
}

impl TryFrom<TableFile> for Table {
    type Error = TableError;

    fn try_from(file: TableFile) -> Result<Self, TableError> {
        match file.header().kind {
            Kind::Full => Ok(Self::new(file)),
            found => Err(TableError::Kind { expected: Kind::Full, found }),
        }
    }
}

/// A table is a file of a certain kind.
impl Deref for Table {
    type Target = TableFile;

    fn deref(&self) -> &TableFile {
        &self.file
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("header", self.header()).finish_non_exhaustive()
    }
}
