//! The table: the exact distance of every board of an orbit.

use std::{fmt, path::Path};

use crate::{
    index::space::{Index, State},
    puzzle::orbit::Orbit,
    sweep::{
        levels::{Advance, Break},
        record::Record,
    },
    system::threads::Threads,
    table::{
        encoding::{Encoding, Kind},
        entries::Entries,
        error::{LookupError, TableError, TableErrorKind},
        file::TableFile,
        flaw::Flaw,
        header::Header,
        proof::Proof,
        walk::Walk,
    },
};

/// The exact distance of every board of an orbit, in memory or in a mapped file.
///
/// ```
/// use tilebase::{Goal, puzzle::Orbit, Shape, table::Builder};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let table = Builder::new(Orbit::of(&goal))?.build()?;
/// assert_eq!(table.header().boards, 181_440);
/// assert_eq!(table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table {
    entries: Entries,
}

impl Table {
    /// The table that a search records. The search returns the number of boards at each distance.
    pub(super) fn fill(
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
        Ok(Self { entries: Entries::new(file) })
    }

    /// Reads a table from a file, as [`TableFile::open`] does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an intact full table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        TableFile::open(path)?.try_into()
    }

    /// Maps a table file into memory, as [`TableFile::map`] does.
    ///
    /// # Safety
    ///
    /// As for [`TableFile::map`]: no program may change or truncate the file as long as the table lives.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        // SAFETY: the caller ensures that no program changes or truncates the file.
        unsafe { TableFile::map(path) }?.try_into()
    }

    /// The table whose bytes `holder` holds, as [`TableFile::from_bytes`] takes them.
    ///
    /// # Errors
    ///
    /// If the bytes are not an intact full table of a known version.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use tilebase::{Goal, puzzle::Orbit, Shape, table::{Builder, Table}};
    ///
    /// let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(3, 3)?));
    /// let bytes: Arc<[u8]> = Builder::new(orbit)?.build()?.file().as_bytes().into();
    /// let table = Table::from_bytes(bytes)?;
    /// assert_eq!(table.header().radius(), 31);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(holder: impl AsRef<[u8]> + Send + 'static) -> Result<Self, TableError> {
        TableFile::from_bytes(holder)?.try_into()
    }

    /// The table's file.
    #[must_use]
    pub fn file(&self) -> &TableFile {
        self.entries.file()
    }

    /// What the table is.
    #[inline]
    #[must_use]
    pub fn header(&self) -> &Header {
        self.entries.header()
    }

    #[inline]
    pub(super) fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The distance of the board with this index.
    ///
    /// # Errors
    ///
    /// If the bytes do not match their checksum, or stand for no distance. The second error cannot occur in a table
    /// that [`verify`](Self::verify) accepts.
    ///
    /// # Panics
    ///
    /// If the index comes from a space with more boards than the table has.
    pub fn distance(&self, index: Index) -> Result<u32, LookupError> {
        assert!(index.get() < self.header().boards, "the index is of another space");
        match self.header().encoding {
            Encoding::Distance => self.entries.entry(index),
            Encoding::Bit => self.walk(self.entries.space().state(index)),
        }
    }

    /// The distance of a state, in a table with one bit per board.
    #[inline]
    pub(super) fn walk(&self, state: State) -> Result<u32, LookupError> {
        Walk::new(&self.entries, state).finish()
    }

    /// All distances in index order. `None` unless the table has one byte per board and is in one file.
    ///
    /// The whole payload is compared with its checksums first. If a block does not match, the answer is also `None`:
    /// [`distance`](Self::distance) then gives an error for each affected board.
    #[must_use]
    pub fn distances(&self) -> Option<&[u8]> {
        if self.header().encoding != Encoding::Distance {
            return None;
        }
        let distances = self.file().payload()?;
        self.file().check_payload(Threads::ALL).ok().map(|()| distances)
    }

    /// Proves every distance in the table, on up to `threads` threads.
    ///
    /// For a table with one bit per board, the proof needs additional memory of about the size of the table.
    ///
    /// # Errors
    ///
    /// The first flaw, which does not depend on the number of threads. The order of the checks is:
    ///
    /// 1. Damaged bytes.
    /// 2. With one byte per board: first bytes that are not distances, then bytes that contradict their neighbours,
    ///    each in index order. With one bit per board: first bits that belong to no board, then bits that contradict a
    ///    search, level by level, then walks that do not reach the goal.
    /// 3. The histogram.
    pub fn verify(&self, threads: impl Into<Threads>) -> Result<(), Flaw> {
        self.verify_watched(threads, |_| {})
    }

    /// Proves every distance in the table as [`verify`](Self::verify) does. If the table has one bit per board, `watch`
    /// receives each level that is proved.
    ///
    /// # Errors
    ///
    /// As [`verify`](Self::verify).
    pub fn verify_watched(
        &self,
        threads: impl Into<Threads>,
        watch: impl FnMut(Advance),
    ) -> Result<(), Flaw> {
        Proof::new(&self.entries, threads.into()).run(watch)
    }
}

impl TryFrom<TableFile> for Table {
    type Error = TableError;

    fn try_from(file: TableFile) -> Result<Self, TableError> {
        match file.header().kind {
            Kind::Full => Ok(Self { entries: Entries::new(file) }),
            found => Err(file.error(TableErrorKind::Kind { expected: Kind::Full, found })),
        }
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("header", self.header()).finish_non_exhaustive()
    }
}
