//! The first page of a table file: what the table is. Specified byte by byte in FORMAT.md.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::table::TableError;
#[cfg(feature = "cluster")]
use crate::table::parts::Part;
use crate::{
    index::{partition::Partition, word},
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
};

/// The length of the header page in bytes; the payload begins there.
pub(super) const PAGE: usize = 4096;
/// In the manner of PNG: a byte that is no ASCII, a name, and line ends that a text transfer changes.
const MAGIC: [u8; 8] = *b"\x89TLB\r\n\x1A\n";
const VERSION: u32 = 1;
const CRC_AT: usize = PAGE - 4;

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The distance of every board that can reach the goal.
    Full,
    /// For groups of tiles how many moves of their own they need at least, however the others lie.
    Pattern,
    /// What one of several processes has of a full table.
    #[cfg(feature = "cluster")]
    Part,
    /// What one of several processes holds in the midst of making a full table.
    #[cfg(feature = "cluster")]
    Checkpoint,
}

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// One tile goes one cell.
    SingleTile,
}

/// How the entries are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// One byte a board: its distance.
    Distance,
    /// One bit a board: the second lowest of its distance. The lowest is known from the blank's cell, and the
    /// two together tell which neighbours are nearer; the way to the goal has as many moves as the distance says.
    Bit,
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name {
            "distance" => Ok(Self::Distance),
            "bit" => Ok(Self::Bit),
            _ => Err(UnknownEncoding),
        }
    }
}

/// The text is not the name of an [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected distance or bit")]
pub struct UnknownEncoding;

impl Encoding {
    /// Its name, as in `--encoding NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Bit => "bit",
        }
    }

    /// How a table is encoded unless it is said otherwise: with a byte for each board up to ten cells, with a bit beyond.
    pub fn usual(shape: Shape) -> Self {
        const MOST_CELLS_BY_DISTANCE: usize = 10;
        if shape.cells() > MOST_CELLS_BY_DISTANCE { Self::Bit } else { Self::Distance }
    }

    /// The most cells of a shape whose table is so encoded: 12 by distance, 14 by bit.
    pub fn most_cells(self) -> usize {
        match self {
            Self::Distance => 12,
            Self::Bit => 14,
        }
    }

    /// The most cells of a shape of which there can be a file. Beyond what is built in one go, there is the index, which
    /// ends at 16.
    fn most_cells_of_a_file(self) -> usize {
        match self {
            Self::Distance => self.most_cells(),
            Self::Bit => crate::index::space::MAX_CELLS,
        }
    }

    /// How many bytes the payload has that stands for the boards of an orbit.
    pub(crate) fn payload_bytes(self, orbit: Orbit) -> u64 {
        let planes = orbit.shape().cells() as u64;
        match self {
            Self::Distance => orbit.boards(),
            Self::Bit => planes * (orbit.boards() / planes).div_ceil(word::BOARDS as u64) * 8,
        }
    }
}

impl Kind {
    /// What is of this kind.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Full => "full table",
            Self::Pattern => "pattern database",
            #[cfg(feature = "cluster")]
            Self::Part => "part of a table",
            #[cfg(feature = "cluster")]
            Self::Checkpoint => "checkpoint",
        }
    }

    /// Whether all boards are counted that can reach the goal.
    fn counts_all(self) -> bool {
        match self {
            Self::Full => true,
            Self::Pattern => false,
            #[cfg(feature = "cluster")]
            Self::Part => true,
            #[cfg(feature = "cluster")]
            Self::Checkpoint => false,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Pattern => "pattern",
            #[cfg(feature = "cluster")]
            Self::Part => "part",
            #[cfg(feature = "cluster")]
            Self::Checkpoint => "checkpoint",
        }
    }
}

/// The mean distance of boards, of which there are so many at each distance from 0.
pub fn mean_distance(histogram: &[u64]) -> f64 {
    let moves: u64 = (0..).zip(histogram).map(|(depth, boards)| depth * boards).sum();
    moves as f64 / histogram.iter().sum::<u64>() as f64
}

/// What a table is, read from its first page and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// What the table holds.
    pub kind: Kind,
    /// What counts as one move.
    pub metric: Metric,
    /// How the entries are stored.
    pub encoding: Encoding,
    /// Which goals the table serves.
    pub orbit: Orbit,
    /// The patterns of a pattern database.
    pub partition: Option<Partition>,
    /// Which part of a table this is.
    #[cfg(feature = "cluster")]
    pub part: Option<Part>,
    /// How many boards have an entry; in a pattern database, how many ways for a pattern's tiles and the blank to lie.
    pub boards: u64,
    /// How many of them there are at each distance, from 0 to the radius.
    pub histogram: Vec<u64>,
}

/// The page as bincode lays it out: fields in this order, little-endian, without padding.
#[derive(Serialize, Deserialize)]
struct Page {
    magic: [u8; 8],
    version: u32,
    kind: u8,
    metric: u8,
    encoding: u8,
    rows: u8,
    cols: u8,
    home: u8,
    radius: u16,
    boards: u64,
    payload_bytes: u64,
    file_bytes: u64,
    /// Written with its length, a u64, before it.
    histogram: Vec<u64>,
}

/// What follows in the page of a pattern database: the number of each cell's pattern, with how many they are before.
#[derive(Serialize, Deserialize)]
struct Patterns(Vec<u8>);

/// What follows the fields in the page of some kinds.
#[derive(Default)]
struct Annex {
    patterns: Option<Patterns>,
    #[cfg(feature = "cluster")]
    part: Option<Part>,
}

/// Takes fields from the front of some bytes.
fn take<T: serde::de::DeserializeOwned>(bytes: &mut &[u8]) -> Result<T, TableError> {
    let (fields, length) = bincode::serde::decode_from_slice(bytes, layout())
        .map_err(|_| TableError::Contradiction("its fields do not fit the page"))?;
    *bytes = &bytes[length..];
    Ok(fields)
}

fn layout() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<CRC_AT>()
}

impl Header {
    /// The header of a full table.
    pub(crate) fn new(orbit: Orbit, encoding: Encoding, histogram: Vec<u64>) -> Self {
        Self {
            kind: Kind::Full,
            metric: Metric::SingleTile,
            encoding,
            orbit,
            partition: None,
            #[cfg(feature = "cluster")]
            part: None,
            boards: histogram.iter().sum(),
            histogram,
        }
    }

    /// The header of a pattern database.
    pub(crate) fn of_patterns(partition: Partition, histogram: Vec<u64>) -> Self {
        let header = Self::new(partition.orbit(), Encoding::Bit, histogram);
        Self { kind: Kind::Pattern, partition: Some(partition), ..header }
    }

    /// The header of what one of several processes has.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_part(self, kind: Kind, part: Part) -> Self {
        Self { kind, part: Some(part), ..self }
    }

    /// The greatest distance.
    pub fn radius(&self) -> u32 {
        self.histogram.len() as u32 - 1
    }

    /// The mean distance over all boards.
    pub fn mean(&self) -> f64 {
        mean_distance(&self.histogram)
    }

    /// How many bytes the payload has.
    pub(super) fn payload_bytes(&self) -> u64 {
        #[cfg(feature = "cluster")]
        if let Some(part) = self.part {
            let is_checkpoint = self.kind == Kind::Checkpoint;
            let search = if is_checkpoint { part.search_bytes(self.orbit) } else { 0 };
            return search + part.payload_bytes(self.orbit, self.encoding);
        }
        match &self.partition {
            Some(partition) => partition.payload_bytes(),
            None => self.encoding.payload_bytes(self.orbit),
        }
    }

    /// The page of [`PAGE`] bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Self { metric: Metric::SingleTile, .. } = self;
        let page = Page {
            magic: MAGIC,
            version: VERSION,
            kind: match self.kind {
                Kind::Full => 1,
                Kind::Pattern => 2,
                #[cfg(feature = "cluster")]
                Kind::Part => 3,
                #[cfg(feature = "cluster")]
                Kind::Checkpoint => 4,
            },
            metric: 1,
            encoding: match self.encoding {
                Encoding::Distance => 1,
                Encoding::Bit => 2,
            },
            rows: self.orbit.shape().rows() as u8,
            cols: self.orbit.shape().cols() as u8,
            home: self.orbit.home() as u8,
            radius: self.radius() as u16,
            boards: self.boards,
            payload_bytes: self.payload_bytes(),
            file_bytes: super::file_bytes(self.payload_bytes()),
            histogram: self.histogram.clone(),
        };
        let mut bytes = bincode::serde::encode_to_vec(&page, layout())
            .expect("the fields of any histogram are shorter than the page");
        if let Some(partition) = &self.partition {
            let patterns =
                bincode::serde::encode_to_vec(Patterns(partition.to_numbers()), layout());
            bytes.extend(patterns.expect("so are the numbers of 25 cells"));
        }
        #[cfg(feature = "cluster")]
        if let Some(part) = self.part {
            let part = bincode::serde::encode_to_vec(part, layout());
            bytes.extend(part.expect("two numbers are shorter than the page"));
        }
        bytes.resize(CRC_AT, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads and checks the page at the start of a file of `file_bytes` bytes.
    ///
    /// `start` holds the file's first [`PAGE`] bytes, or all of it if it is shorter.
    pub(super) fn decode(start: &[u8], file_bytes: u64) -> Result<Self, TableError> {
        if start.is_empty() {
            return Err(TableError::Empty);
        }
        if !start.starts_with(&MAGIC[..MAGIC.len().min(start.len())]) {
            return Err(TableError::NotATable);
        }
        if let Some(version) = start.get(8..12) {
            let version = u32::from_le_bytes(version.try_into().expect("four bytes"));
            if version != VERSION {
                return Err(TableError::Version { found: version, known: VERSION });
            }
        }
        let Some(bytes) = start.get(..PAGE) else {
            return Err(TableError::Truncated { expected: PAGE as u64, found: file_bytes });
        };
        let (fields, crc) = bytes.split_at(CRC_AT);
        if crc != crc32fast::hash(fields).to_le_bytes() {
            return Err(TableError::Header);
        }
        let mut rest = fields;
        let page: Page = take(&mut rest)?;
        let mut annex = Annex::default();
        match page.kind {
            2 => annex.patterns = Some(take(&mut rest)?),
            #[cfg(feature = "cluster")]
            3 | 4 => annex.part = Some(take(&mut rest)?),
            _ => {}
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(TableError::Contradiction("its page has bytes behind the last field"));
        }
        page.check(annex, file_bytes)
    }
}

impl Page {
    /// Refuses what this version does not know, and what cannot be.
    fn check(self, annex: Annex, file_bytes: u64) -> Result<Header, TableError> {
        let unknown = |field, code| TableError::Unknown { field, code };
        let kind = match self.kind {
            1 => Kind::Full,
            2 => Kind::Pattern,
            #[cfg(feature = "cluster")]
            3 => Kind::Part,
            #[cfg(feature = "cluster")]
            4 => Kind::Checkpoint,
            code => return Err(unknown("kind", code)),
        };
        let metric = match self.metric {
            1 => Metric::SingleTile,
            code => return Err(unknown("metric", code)),
        };
        let encoding = match self.encoding {
            1 => Encoding::Distance,
            2 => Encoding::Bit,
            code => return Err(unknown("encoding", code)),
        };
        let contradiction = |what| Err(TableError::Contradiction(what));
        let Ok(shape) = Shape::new(self.rows.into(), self.cols.into()) else {
            return contradiction("its shape is none");
        };
        if usize::from(self.home) >= shape.cells() {
            return contradiction("its home is outside its shape");
        }
        let goal = Board::in_order(shape, self.home.into());
        let orbit = Orbit::of(&goal);
        if (orbit.shape(), orbit.home()) != (shape, self.home.into()) {
            return contradiction("its shape and home do not stand for their orbit");
        }
        let mut partition = None;
        if let Some(Patterns(numbers)) = annex.patterns {
            partition = Partition::from_numbers(orbit, &numbers);
            if partition.is_none() {
                return contradiction("its patterns are not those of its shape");
            }
            if encoding != Encoding::Bit {
                return contradiction("its encoding is not that of a pattern database");
            }
        } else if shape.cells() > encoding.most_cells_of_a_file() {
            return contradiction("its shape has more cells than its encoding is for");
        }
        #[cfg(feature = "cluster")]
        if annex.part.is_some_and(|part| part.number >= part.of) {
            return contradiction("it is a part that there is not");
        }
        let most = partition.as_ref().map_or_else(|| orbit.boards(), Partition::entries);
        if self.boards > most || kind.counts_all() && self.boards < most {
            return contradiction("its number of boards is not that of its shape");
        }
        let is_last = self.histogram.last().is_some_and(|boards| *boards > 0);
        if !is_last || self.histogram.len() != usize::from(self.radius) + 1 {
            return contradiction("its histogram does not end at its radius");
        }
        if self.radius >= super::UNREACHED.into() {
            return contradiction("its radius is greater than an entry can say");
        }
        let total = self.histogram.iter().try_fold(0u64, |sum, &boards| sum.checked_add(boards));
        if total != Some(self.boards) {
            return contradiction("its histogram does not add up to its boards");
        }
        let (boards, histogram) = (self.boards, self.histogram);
        let header = Header {
            kind,
            metric,
            encoding,
            orbit,
            partition,
            #[cfg(feature = "cluster")]
            part: annex.part,
            boards,
            histogram,
        };
        if self.payload_bytes != header.payload_bytes() {
            return contradiction("its payload does not have the length that its boards need");
        }
        if self.file_bytes != super::file_bytes(self.payload_bytes) {
            return contradiction("its lengths do not add up");
        }
        match file_bytes {
            found if found < self.file_bytes => {
                Err(TableError::Truncated { expected: self.file_bytes, found })
            }
            found if found > self.file_bytes => {
                Err(TableError::TooLong { expected: self.file_bytes, found })
            }
            _ => Ok(header),
        }
    }
}
