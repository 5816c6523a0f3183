//! The table in parts: several files, each with some blocks of every plane, that a manifest names.

use std::{ops::Range, path::Path};

use crate::{
    puzzle::orbit::Orbit,
    system::threads::Threads,
    table::{
        encoding::{Encoding, Kind},
        error::{PartsError, TableErrorKind},
        header::Header,
        manifest::{Manifest, ManifestEntry},
        part::Part,
        seals::Damage,
        whole::WholeFile,
    },
};

/// The open parts of a table.
pub(super) struct Parts {
    /// The header of the whole table.
    header: Header,
    files: Vec<WholeFile>,
    /// The stretches of all parts, in the order of the whole table's payload.
    stretches: Vec<Stretch>,
}

/// Bytes that are contiguous both in the whole table's payload and in the payload of a part.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The position of the first byte in the whole table's payload.
    start: usize,
    length: usize,
    /// The number of the part.
    file: usize,
    /// The position of the first byte in the part's payload.
    at: usize,
}

impl Parts {
    /// Opens the parts that a manifest names, each by `open`.
    pub(super) fn open(
        manifest: &Path,
        open: impl Fn(&Path) -> Result<WholeFile, TableErrorKind>,
    ) -> Result<Self, TableErrorKind> {
        let folder = manifest.parent().unwrap_or(Path::new(""));
        let entries = Manifest::read(manifest)?.parts;
        let mut files: Vec<WholeFile> = Vec::with_capacity(entries.len());
        for (number, entry) in entries.iter().enumerate() {
            let path = folder.join(&entry.file);
            let file = match open(&path) {
                Ok(file) => file,
                Err(kind) => Err(PartsError::Part { path: path.clone(), kind: kind.into() })?,
            };
            let other = files.first().map(WholeFile::header);
            if let Some(found) = mismatch(&file, number, entries.len(), entry, other) {
                Err(PartsError::Foreign { number, of: entries.len(), path, found })?;
            }
            files.push(file);
        }
        Ok(Self::new(files))
    }

    fn new(files: Vec<WholeFile>) -> Self {
        let mut stretches = vec![];
        for (file, header) in files.iter().map(WholeFile::header).enumerate() {
            let Some(part) = header.part else { continue };
            let mut at = 0;
            for Range { start, end } in part.stretches(header.orbit, header.encoding) {
                let length = (end - start) as usize;
                if length > 0 {
                    stretches.push(Stretch { start: start as usize, length, file, at });
                }
                at += length;
            }
        }
        stretches.sort_unstable_by_key(|stretch| stretch.start);
        let header = Header { kind: Kind::Full, part: None, ..files[0].header().clone() };
        Self { header, files, stretches }
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The number of parts.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// The pieces of the whole payload, each with its start.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.stretches.iter().map(|stretch| {
            let bytes = self.files[stretch.file].payload();
            (stretch.start, &bytes[stretch.at..][..stretch.length])
        })
    }

    /// A byte of the whole payload, after its block was compared with its checksum.
    #[inline(never)]
    pub(super) fn byte(&self, at: usize) -> Result<u8, Damage> {
        let (file, at) = self.find(at).expect("the parts have all bytes of the payload");
        file.byte(at)
    }

    /// A byte of the whole payload, unchecked.
    #[inline(never)]
    pub(super) fn peek(&self, at: usize) -> Option<&u8> {
        let (file, at) = self.find(at)?;
        file.payload().get(at)
    }

    /// The part that has a byte of the whole payload, and the position of the byte in the part's payload.
    fn find(&self, at: usize) -> Option<(&WholeFile, usize)> {
        let behind = self.stretches.partition_point(|stretch| stretch.start <= at);
        let stretch = self.stretches[..behind].last()?;
        let within = at - stretch.start;
        (within < stretch.length).then(|| (&self.files[stretch.file], stretch.at + within))
    }

    /// Compares the blocks of all parts with their checksums, on up to `threads` threads.
    pub(super) fn check_payload(&self, threads: Threads) -> Result<(), Damage> {
        self.files.iter().try_for_each(|file| file.check_payload(threads))
    }

    /// The CRC-32 of the parts' checksums.
    pub(super) fn checksum(&self) -> u32 {
        let own = self.files.iter().map(|file| file.checksum().to_le_bytes());
        crc32fast::hash(&own.collect::<Vec<_>>().concat())
    }
}

/// Checks that a file is part `number` of `of`, and of the same table as the part with the header `other`. If it is
/// not, returns a text that says what the file is.
fn mismatch(
    file: &WholeFile,
    number: usize,
    of: usize,
    entry: &ManifestEntry,
    other: Option<&Header>,
) -> Option<String> {
    fn table(header: &Header) -> (Orbit, Encoding, &[u64]) {
        (header.orbit, header.encoding, &header.histogram)
    }

    let header = file.header();
    let is = |part: Part| (part.number as usize, part.of as usize) == (number, of);
    match (header.kind, header.part) {
        (Kind::Part, Some(part)) if is(part) => {}
        (Kind::Part, Some(Part { number, of })) => {
            return Some(format!("is part {number} of {of}"));
        }
        (kind, _) => return Some(format!("is a {}", kind.noun())),
    }
    let (checksum, expected) = (format!("{:08x}", file.checksum()), &entry.checksum);
    if !checksum.eq_ignore_ascii_case(expected) {
        return Some(format!("has the checksum {checksum}, and the manifest says {expected}"));
    }
    match other {
        Some(other) if table(other) != table(header) => {
            Some(format!("is part of a table for {}", header.orbit))
        }
        _ => None,
    }
}
