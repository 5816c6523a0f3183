//! The table file: the bytes of a table, in one file or in several.

use std::{
    borrow::Cow,
    fmt, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use bytes::Bytes;

use crate::{
    system::file::write_pieces,
    system::threads::Threads,
    table::{
        error::{TableError, TableErrorKind},
        header::Header,
        layout::file_bytes,
        parts::Parts,
        seals::{Damage, Seals},
        whole::WholeFile,
    },
};

/// The bytes of a table, in one file or in several parts. Each byte is compared with a checksum before an answer uses
/// it.
///
/// [`Table`](crate::table::Table) and [`PatternDatabase`](crate::pattern::PatternDatabase) are made of a file by
/// `try_from`. The [`header`](Self::header) says which of them the file is.
pub struct TableFile {
    content: Content,
    /// The path of the file; `None` if the table is in memory only.
    path: Option<PathBuf>,
}

enum Content {
    Whole(WholeFile),
    Parts(Parts),
}

impl TableFile {
    /// Makes a file in memory. `fill` writes the payload of `payload` bytes, and returns the header.
    pub(crate) fn fill<E>(
        payload: u64,
        threads: Threads,
        memory: impl FnOnce(io::Error) -> E,
        fill: impl FnOnce(&mut [u8]) -> Result<Header, E>,
    ) -> Result<Self, E> {
        let file = WholeFile::fill(payload, threads, memory, fill)?;
        Ok(Self { content: Content::Whole(file), path: None })
    }

    /// Reads a table file, or the parts that a manifest names, and checks it.
    ///
    /// A payload of up to 16 MiB is checked as a whole now. In a larger file, the header and the list of checksums are
    /// checked now, and each block of the payload is checked when it is first read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an intact table of a known version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::open_by(path.as_ref(), WholeFile::open)
    }

    /// Maps a table file, or the parts that a manifest names, into memory and checks it as [`open`](Self::open) does.
    ///
    /// # Safety
    ///
    /// No program may change or truncate a file as long as it is mapped. Else safe code would see its memory change, or
    /// the system would end the process. This library itself never does so. It writes a table under another name and
    /// renames the new file, which leaves an open map as it was.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::open_by(path.as_ref(), |path| {
            // SAFETY: the caller ensures that no program changes or truncates the files.
            unsafe { WholeFile::map(path) }
        })
    }

    /// Opens a file by `open`. If it is a manifest, opens each of its parts by `open`.
    fn open_by(
        path: &Path,
        open: impl Fn(&Path) -> Result<WholeFile, TableErrorKind>,
    ) -> Result<Self, TableError> {
        let content = match open(path) {
            Err(TableErrorKind::NotATable) => Parts::open(path, open).map(Content::Parts),
            whole => whole.map(Content::Whole),
        };
        let content = content.map_err(|kind| kind.at(path))?;
        Ok(Self { content, path: Some(path.into()) })
    }

    /// The table file whose bytes `holder` holds: a vector, an `Arc<[u8]>`, a memory map, the bytes that
    /// `include_bytes!` gives. They are not copied.
    ///
    /// # Errors
    ///
    /// If the bytes are not an intact table of a known version.
    pub fn from_bytes(holder: impl AsRef<[u8]> + Send + 'static) -> Result<Self, TableError> {
        let file = WholeFile::checked(Bytes::from_owner(holder));
        let file = file.map_err(|kind| TableError::new(None, kind))?;
        Ok(Self { content: Content::Whole(file), path: None })
    }

    /// The path of the file; `None` if the table is in memory only. For a table in parts, it is the manifest's path.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the table is.
    #[inline]
    #[must_use]
    pub fn header(&self) -> &Header {
        match &self.content {
            Content::Whole(file) => file.header(),
            Content::Parts(parts) => parts.header(),
        }
    }

    /// The number of parts that the table is in; 0 if it is in one file.
    #[must_use]
    pub fn parts(&self) -> usize {
        match &self.content {
            Content::Whole(_) => 0,
            Content::Parts(parts) => parts.count(),
        }
    }

    /// The length of the table as one file, in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        file_bytes(self.header().payload_bytes())
    }

    /// The bytes of the table as one file. The bytes of a table in parts are copied together.
    #[must_use]
    pub fn as_bytes(&self) -> Cow<'_, [u8]> {
        match &self.content {
            Content::Whole(file) => Cow::Borrowed(file.bytes()),
            Content::Parts(parts) => {
                Enclosed::new(parts.header(), pieces(parts)).pieces().concat().into()
            }
        }
    }

    /// The CRC-32 of the list of checksums: files with the same number have the same payload. For a table in parts, the
    /// CRC-32 of the parts' numbers.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        match &self.content {
            Content::Whole(file) => file.checksum(),
            Content::Parts(parts) => parts.checksum(),
        }
    }

    /// Compares the whole payload with its checksums, on up to `threads` threads.
    ///
    /// # Errors
    ///
    /// The first block that does not match.
    pub fn check_payload(&self, threads: impl Into<Threads>) -> Result<(), Damage> {
        let threads = threads.into();
        match &self.content {
            Content::Whole(file) => file.check_payload(threads),
            Content::Parts(parts) => parts.check_payload(threads),
        }
    }

    /// Writes the table as one file: whole, or not at all.
    ///
    /// The bytes go to a temporary file in the same folder, are synced, and take the name by a rename. Other programs
    /// that open `path` find the old file or the new one.
    ///
    /// # Errors
    ///
    /// If the file or its folder cannot be written, or if `path` exists and is not a regular file.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.save_watched(path, |_| ControlFlow::Continue(()))
    }

    /// Writes the table as [`save`](Self::save) does. `watch` receives the number of bytes that were written so far,
    /// and can stop the writing.
    ///
    /// # Errors
    ///
    /// As [`save`](Self::save), and [`io::ErrorKind::Interrupted`] if `watch` stops it.
    pub fn save_watched(
        &self,
        path: impl AsRef<Path>,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        match &self.content {
            Content::Whole(file) => write_pieces(path.as_ref(), &[file.bytes()], watch),
            Content::Parts(parts) => {
                // Damaged bytes must not get a checksum that matches them.
                parts.check_payload(Threads::ALL).map_err(io::Error::other)?;
                Enclosed::new(parts.header(), pieces(parts)).save(path.as_ref(), watch)
            }
        }
    }

    /// Writes a file whose payload is in pieces, as [`save_watched`](Self::save_watched) does.
    #[cfg(feature = "cluster")]
    pub(crate) fn save_pieces(
        path: &Path,
        header: &Header,
        payload: &[&[u8]],
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        Enclosed::new(header, payload.to_vec()).save(path, watch)
    }

    /// The error about this file.
    pub(crate) fn error(&self, kind: TableErrorKind) -> TableError {
        TableError::new(self.path.clone(), kind)
    }

    /// A byte of the payload, after its block was compared with its checksum.
    #[inline(always)]
    pub(crate) fn byte(&self, at: usize) -> Result<u8, Damage> {
        match &self.content {
            Content::Whole(file) => file.byte(at),
            Content::Parts(parts) => parts.byte(at),
        }
    }

    /// A byte of the payload, unchecked; `None` beyond its end.
    #[inline(always)]
    pub(crate) fn peek(&self, at: usize) -> Option<&u8> {
        match &self.content {
            Content::Whole(file) => file.payload().get(at),
            Content::Parts(parts) => parts.peek(at),
        }
    }

    /// The payload, unchecked; `None` if it is in several files.
    #[inline]
    pub(crate) fn payload(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Whole(file) => Some(file.payload()),
            Content::Parts(_) => None,
        }
    }

    /// The contiguous pieces of the payload, unchecked, each with its start.
    pub(crate) fn pieces(&self) -> Vec<(usize, &[u8])> {
        match &self.content {
            Content::Whole(file) => vec![(0, file.payload())],
            Content::Parts(parts) => parts.pieces().collect(),
        }
    }
}

fn pieces(parts: &Parts) -> Vec<&[u8]> {
    parts.pieces().map(|(_, piece)| piece).collect()
}

/// A payload in pieces, with the header page before it and the checksums behind it.
struct Enclosed<'a> {
    page: Vec<u8>,
    payload: Vec<&'a [u8]>,
    checksums: Vec<u8>,
}

impl<'a> Enclosed<'a> {
    fn new(header: &Header, payload: Vec<&'a [u8]>) -> Self {
        let checksums = Seals::list(payload.iter().copied());
        Self { page: header.encode(), payload, checksums }
    }

    /// The pieces of the file.
    fn pieces(&self) -> Vec<&[u8]> {
        let page: &[u8] = &self.page;
        [page].into_iter().chain(self.payload.iter().copied()).chain([&*self.checksums]).collect()
    }

    fn save(&self, path: &Path, watch: impl FnMut(u64) -> ControlFlow<()>) -> io::Result<()> {
        write_pieces(path, &self.pieces(), watch)
    }
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile").field("header", self.header()).finish_non_exhaustive()
    }
}
