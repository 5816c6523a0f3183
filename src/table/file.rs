//! The table file: a header page, a payload and its checksums, whatever they stand for.

use std::{
    borrow::Cow,
    fmt,
    fs::{self, File},
    io::{self, Read},
    ops::{ControlFlow, Deref},
    path::Path,
};

use crate::system::{file::write_pieces, memory::Memory, threads::Threads};
#[cfg(feature = "cluster")]
use crate::table::parts::Parts;
use crate::table::{
    BLOCK, TableError,
    header::{self, Header},
    seals::{Damage, Seals},
};

/// The bytes of a table file, in memory or mapped: they are whole, and match their checksums. With the feature `cluster`, those
/// of several files that are the parts of a table.
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
    /// Other files do.
    #[cfg(feature = "cluster")]
    Parts(Parts),
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
        threads: Threads,
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
        Self::whole_or_in_parts(path.as_ref(), |path| {
            let (file, length) = regular(path)?;
            // The header first: a foreign file is refused before anything of its size is allocated.
            let mut bytes = Vec::new();
            (&file).take(header::PAGE as u64).read_to_end(&mut bytes)?;
            Header::decode(&bytes, length)?;
            (&file).take(length).read_to_end(&mut bytes)?;
            Self::checked(Bytes::Owned(bytes))
        })
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
        Self::whole_or_in_parts(path.as_ref(), |path| {
            let (file, length) = regular(path)?;
            if length == 0 {
                return Err(TableError::Empty);
            }
            // SAFETY: the caller answers for the file.
            let map = unsafe { memmap2::Mmap::map(&file)? };
            Self::checked(Bytes::Mapped(map))
        })
    }

    /// What `open` makes of a file; where that is a manifest, of each of its parts.
    fn whole_or_in_parts(
        path: &Path,
        open: impl Fn(&Path) -> Result<Self, TableError>,
    ) -> Result<Self, TableError> {
        let whole = open(path);
        #[cfg(feature = "cluster")]
        if matches!(whole, Err(TableError::NotATable)) {
            let parts = Parts::open(path, open)?;
            let header = parts.header();
            let payload = header.payload_bytes() as usize;
            return Ok(Self {
                bytes: Bytes::Parts(parts),
                header,
                seals: Seals::matched(),
                payload,
            });
        }
        whole
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
    pub fn check_payload(&self, threads: impl Into<Threads>) -> Result<(), Damage> {
        let threads = threads.into();
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            return parts.files().iter().try_for_each(|part| part.check_payload(threads));
        }
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
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(_) = &self.bytes {
            // What is damaged must not get a checksum that says it is right.
            self.check_payload(Threads::ALL).map_err(io::Error::other)?;
        }
        let pieces = self.written();
        let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
        write_pieces(path.as_ref(), &pieces, watch)
    }

    /// All bytes, as they stand in a file, in pieces that follow one another.
    fn written(&self) -> Vec<Cow<'_, [u8]>> {
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            let payload: Vec<_> = parts.pieces().map(|(_, piece)| piece).collect();
            return enclosed(&self.header, &payload);
        }
        vec![Cow::Borrowed(&self.bytes)]
    }

    /// Writes a file with a payload that is in pieces, as [`save_watched`](Self::save_watched) does.
    #[cfg(feature = "cluster")]
    pub(crate) fn save_pieces(
        path: &Path,
        header: &Header,
        payload: &[&[u8]],
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let pieces = enclosed(header, payload);
        let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
        write_pieces(path, &pieces, watch)
    }

    /// What the table is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many bytes there are, as they stand in a file.
    pub fn length(&self) -> u64 {
        file_bytes(self.payload as u64)
    }

    /// All bytes, as they stand in a file. Those of a table in parts are put together.
    pub fn as_bytes(&self) -> Cow<'_, [u8]> {
        let mut pieces = self.written();
        if pieces.len() == 1 { pieces.remove(0) } else { pieces.concat().into() }
    }

    /// In how many parts the table is: 0 if it is whole.
    #[cfg(feature = "cluster")]
    pub fn parts(&self) -> usize {
        if let Bytes::Parts(parts) = &self.bytes {
            return parts.files().len();
        }
        0
    }

    /// The CRC-32 of the list of checksums: tables with the same have the same payload. Of a table in parts, that of the
    /// parts' own.
    pub fn checksum(&self) -> u32 {
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            let own = parts.files().iter().map(|part| part.checksum().to_le_bytes());
            return crc32fast::hash(&own.collect::<Vec<_>>().concat());
        }
        u32::from_le_bytes(self.checksums().1.try_into().expect("four bytes"))
    }

    /// Compares the block of a byte of the payload with its checksum, if that has not been done.
    #[inline(always)]
    pub(crate) fn check_block_of(&self, at: usize) -> Result<(), Damage> {
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            return parts.locate(at).map_or(Ok(()), |(part, at)| part.check_block_of(at));
        }
        let block = at / BLOCK;
        if self.seals.is_matched(block) {
            return Ok(());
        }
        self.seals.check(self.payload(), self.checksums().0, block)
    }

    /// The payload of a table that is not in parts.
    #[inline(always)]
    pub(crate) fn payload(&self) -> &[u8] {
        &self.bytes[header::PAGE..][..self.payload]
    }

    /// The payload from one of its bytes on, as far as it lies side by side; nothing behind its end.
    #[inline(always)]
    pub(crate) fn payload_from(&self, at: usize) -> &[u8] {
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            return parts.from(at);
        }
        self.payload().get(at..).unwrap_or_default()
    }

    /// The pieces of the payload that lie side by side, with where each begins.
    pub(crate) fn pieces(&self) -> Vec<(usize, &[u8])> {
        #[cfg(feature = "cluster")]
        if let Bytes::Parts(parts) = &self.bytes {
            return parts.pieces().collect();
        }
        vec![(0, self.payload())]
    }

    /// The list of checksums, and its own.
    fn checksums(&self) -> (&[u8], &[u8]) {
        let list = &self.bytes[header::PAGE + self.payload().len()..];
        list.split_at(list.len() - 4)
    }
}

/// The pieces of a payload between the header's page and the checksums.
#[cfg(feature = "cluster")]
fn enclosed<'a>(header: &Header, payload: &[&'a [u8]]) -> Vec<Cow<'a, [u8]>> {
    let checksums = Seals::list(payload.iter().copied());
    let payload = payload.iter().map(|piece| Cow::Borrowed(*piece));
    [header.encode().into()].into_iter().chain(payload).chain([checksums.into()]).collect()
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
            #[cfg(feature = "cluster")]
            Self::Parts(_) => &[],
        }
    }
}
