//! The table in parts: files of which each has some blocks of every plane, as the processes of a cluster wrote them, and
//! the manifest that names them. FORMAT.md specifies both.

use std::{
    fs::File,
    io::Read,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::table::{
    TableError,
    file::TableFile,
    header::{Encoding, Header, Kind},
};
use crate::{
    index::word::{BLOCK, BOARDS},
    puzzle::orbit::Orbit,
    sweep::shard,
};

/// Which part of a table a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// Its number, from 0.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

/// The file that names the parts of a table, in JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Says what the file is.
    pub tilebase: String,
    /// The version of the format.
    pub version: u32,
    /// The parts, in order.
    pub parts: Vec<Entry>,
}

/// A part, as the manifest names it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its file; where the path is not absolute, from the folder of the manifest on.
    pub file: PathBuf,
    /// Its [`TableFile::checksum`], as eight hexadecimal digits.
    pub checksum: String,
}

/// Why a manifest and its parts are no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// The manifest cannot be read.
    #[error("is not a manifest of parts: {0}")]
    Manifest(serde_json::Error),
    /// The manifest is of a version that this one does not read.
    #[error("is a manifest of version {found}; this program reads version {known}")]
    Version {
        /// The manifest's version.
        found: u32,
        /// The version that is read here.
        known: u32,
    },
    /// It names no parts.
    #[error("is a manifest that names no parts")]
    None,
    /// A part is not there, or is damaged.
    #[error("has a part that {what}: {}", path.display(), what = lower(error))]
    Part {
        /// Where it should be.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<TableError>,
    },
    /// A file is whole, and another part than was asked for, or none.
    #[error("has for part {number} of {of} a file that is not it: {} {found}", path.display())]
    Foreign {
        /// The part that it should be.
        number: usize,
        /// How many there should be.
        of: usize,
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
}

/// An error about a part, within a sentence.
fn lower(error: &TableError) -> String {
    match error {
        TableError::Io(error) => format!("cannot be read ({error})"),
        error => error.to_string(),
    }
}

/// The parts of a table that are open.
pub(super) struct Parts {
    files: Vec<TableFile>,
    /// In the order in which they lie in the whole table's payload.
    stretches: Vec<Stretch>,
}

/// Bytes of the whole table's payload that lie side by side in a part.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Where they begin in the whole payload.
    start: usize,
    length: usize,
    /// In which file they are.
    file: usize,
    /// Where they begin in its payload.
    at: usize,
}

impl Part {
    /// The blocks of each plane that are in the part.
    fn blocks(self, orbit: Orbit) -> Range<u64> {
        let blocks = shard::blocks(orbit, self.number as usize, self.of as usize);
        blocks.start as u64..blocks.end as u64
    }

    /// Which bytes of the whole table's payload are in the part, in order.
    pub(crate) fn stretches(self, orbit: Orbit, encoding: Encoding) -> Vec<Range<u64>> {
        let Range { start, end } = self.blocks(orbit);
        let planes = orbit.shape().cells() as u64;
        match encoding {
            Encoding::Bit => {
                let whole = encoding.payload_bytes(orbit);
                let at = |block: u64| (8 * planes * BLOCK as u64 * block).min(whole);
                std::iter::once(at(start)..at(end)).collect()
            }
            Encoding::Distance => {
                let plane = orbit.boards() / planes;
                let at = |block: u64| ((BLOCK * BOARDS) as u64 * block).min(plane);
                (0..planes)
                    .map(|place| place * plane + at(start)..place * plane + at(end))
                    .collect()
            }
        }
    }

    /// Where the part is kept of a table whose manifest is at `table`: beside it.
    pub fn path(self, table: &Path) -> PathBuf {
        let Self { number, of } = self;
        let is_ours =
            table.extension().is_some_and(|end| end == crate::tablebase::store::EXTENSION);
        let name = if is_ours { table.file_stem() } else { table.file_name() };
        let mut name = name.unwrap_or_default().to_owned();
        name.push(format!(".part-{number}-of-{of}"));
        table.with_file_name(name)
    }

    /// How many bytes of payload the part has.
    pub(crate) fn payload_bytes(self, orbit: Orbit, encoding: Encoding) -> u64 {
        let stretches = self.stretches(orbit, encoding);
        stretches.into_iter().map(|stretch| stretch.end - stretch.start).sum()
    }

    /// How many bytes a search holds to which the part belongs, but for what it records.
    pub(crate) fn search_bytes(self, orbit: Orbit) -> u64 {
        let Range { start, end } = self.blocks(orbit);
        shard::kept_bytes(orbit, end - start)
    }
}

impl Manifest {
    const NAME: &'static str = "table in parts";
    const VERSION: u32 = 1;

    /// The manifest of these parts.
    pub fn new(parts: Vec<Entry>) -> Self {
        Self { tilebase: Self::NAME.into(), version: Self::VERSION, parts }
    }

    /// Reads a manifest.
    fn read(path: &Path) -> Result<Self, TableError> {
        /// None is longer.
        const MOST: u64 = 16 << 20;
        let mut bytes = vec![];
        File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(TableError::NotATable);
        }
        Ok(Self::parse(&bytes)?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, PartsError> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Any {
            version: u32,
        }

        if let Ok(Any { version: found }) = serde_json::from_slice(bytes) {
            if found != Self::VERSION {
                return Err(PartsError::Version { found, known: Self::VERSION });
            }
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(PartsError::Manifest)?;
        if manifest.tilebase != Self::NAME {
            let error = format!("expected {:?}, found {:?}", Self::NAME, manifest.tilebase);
            return Err(PartsError::Manifest(serde::de::Error::custom(error)));
        }
        let is_checksum = |text: &str| text.len() == 8 && u32::from_str_radix(text, 16).is_ok();
        if !manifest.parts.iter().all(|part| is_checksum(&part.checksum)) {
            let error = "expected eight hexadecimal digits for each checksum";
            return Err(PartsError::Manifest(serde::de::Error::custom(error)));
        }
        if manifest.parts.is_empty() {
            return Err(PartsError::None);
        }
        Ok(manifest)
    }

    /// The bytes of a manifest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Parts {
    /// Opens the parts that a manifest names, each by `open`.
    pub(super) fn open(
        manifest: &Path,
        open: impl Fn(&Path) -> Result<TableFile, TableError>,
    ) -> Result<Self, TableError> {
        let folder = manifest.parent().unwrap_or(Path::new(""));
        let entries = Manifest::read(manifest)?.parts;
        Ok(Self::open_all(&entries, folder, open)?)
    }

    fn open_all(
        entries: &[Entry],
        folder: &Path,
        open: impl Fn(&Path) -> Result<TableFile, TableError>,
    ) -> Result<Self, PartsError> {
        let of = entries.len();
        let mut files: Vec<TableFile> = Vec::with_capacity(of);
        for (number, entry) in entries.iter().enumerate() {
            let path = folder.join(&entry.file);
            let file = open(&path)
                .map_err(|error| PartsError::Part { path: path.clone(), error: error.into() })?;
            let foreign = |found| PartsError::Foreign { number, of, path: path.clone(), found };
            let header = file.header();
            let is = |part: Part| (part.number as usize, part.of as usize) == (number, of);
            match (header.kind, header.part) {
                (Kind::Part, Some(part)) if is(part) => {}
                (Kind::Part, Some(Part { number, of })) => {
                    return Err(foreign(format!("is part {number} of {of}")));
                }
                (kind, _) => return Err(foreign(format!("is a {}", kind.noun()))),
            }
            let checksum = format!("{:08x}", file.checksum());
            if !checksum.eq_ignore_ascii_case(&entry.checksum) {
                return Err(foreign(format!(
                    "has the checksum {checksum}, and the manifest says {}",
                    entry.checksum
                )));
            }
            let same = |other: &TableFile| {
                let other = other.header();
                (other.orbit, other.encoding, &other.histogram)
                    == (header.orbit, header.encoding, &header.histogram)
            };
            if !files.first().is_none_or(same) {
                return Err(foreign(format!("is part of a table for {}", header.orbit)));
            }
            files.push(file);
        }
        let mut stretches = vec![];
        for (file, part) in files.iter().enumerate() {
            let header = part.header();
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
        Ok(Self { files, stretches })
    }

    /// The header of the whole table.
    pub(super) fn header(&self) -> Header {
        Header { kind: Kind::Full, part: None, ..self.files[0].header().clone() }
    }

    /// The parts.
    pub(super) fn files(&self) -> &[TableFile] {
        &self.files
    }

    /// The bytes of the whole payload, piece by piece, with where each begins.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.stretches.iter().map(|stretch| (stretch.start, self.bytes(stretch)))
    }

    fn bytes(&self, stretch: &Stretch) -> &[u8] {
        &self.files[stretch.file].payload()[stretch.at..][..stretch.length]
    }

    /// The bytes of the whole payload from one of them to the end of its piece; none behind the end.
    pub(super) fn from(&self, at: usize) -> &[u8] {
        self.find(at)
            .and_then(|stretch| self.bytes(stretch).get(at - stretch.start..))
            .unwrap_or(&[])
    }

    /// In which part a byte of the whole payload is, and where in its payload.
    pub(super) fn locate(&self, at: usize) -> Option<(&TableFile, usize)> {
        let stretch = self.find(at)?;
        Some((&self.files[stretch.file], stretch.at + at - stretch.start))
    }

    fn find(&self, at: usize) -> Option<&Stretch> {
        let behind = self.stretches.partition_point(|stretch| stretch.start <= at);
        self.stretches[..behind].last()
    }
}
