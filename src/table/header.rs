//! The first page of a table file: what the table is. FORMAT.md specifies every byte.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    index::partition::Partition,
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
    table::{
        encoding::{Encoding, Kind, Metric},
        error::TableErrorKind,
        flaw::Flaw,
        layout::{PAGE, UNREACHED, file_bytes},
        part::Part,
    },
};

/// As in PNG: a byte that is not ASCII, a name, and line ends. A transfer as text would change these bytes.
const MAGIC: [u8; 8] = *b"\x89TLB\r\n\x1A\n";
const VERSION: u32 = 1;
/// The position of the page's own checksum, after all fields.
const CRC_AT: usize = PAGE - 4;

/// The mean distance over the boards of a histogram, which gives the number of boards at each distance, from 0.
#[must_use]
pub fn mean_distance(histogram: &[u64]) -> f64 {
    let moves: u64 = (0..).zip(histogram).map(|(depth, boards)| depth * boards).sum();
    moves as f64 / histogram.iter().sum::<u64>() as f64
}

/// The description of a table in its first page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// What the file holds.
    pub kind: Kind,
    /// What counts as one move.
    pub metric: Metric,
    /// How the entries are stored.
    pub encoding: Encoding,
    /// The goals that the table serves.
    pub orbit: Orbit,
    /// The patterns of a pattern database.
    pub partition: Option<Partition>,
    /// The number of the part, if the file is a part of a table.
    pub part: Option<Part>,
    /// The number of boards with an entry. In a pattern database: the number of arrangements of each pattern's tiles
    /// and the blank, summed up over the patterns.
    pub boards: u64,
    /// The number of boards at each distance, from 0 to the radius.
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

/// The field that follows in the page of a pattern database: the number of each cell's pattern. The list is written
/// with its length before it.
#[derive(Serialize, Deserialize)]
struct Patterns(Vec<u8>);

/// The fields that follow in the pages of some kinds.
#[derive(Default)]
struct Annex {
    patterns: Option<Patterns>,
    part: Option<Part>,
}

fn bincode_config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<CRC_AT>()
}

/// Takes fields from the front of some bytes.
fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T, TableErrorKind> {
    let (fields, length) = bincode::serde::decode_from_slice(bytes, bincode_config())
        .map_err(|_| TableErrorKind::Contradiction("its fields do not fit the page"))?;
    *bytes = &bytes[length..];
    Ok(fields)
}

/// The bytes of some fields.
fn bytes_of(fields: impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(fields, bincode_config())
        .expect("the fields of any table are shorter than the page")
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

    /// The header of a part of this table, or of a checkpoint of that part.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_part(self, kind: Kind, part: Part) -> Self {
        Self { kind, part: Some(part), ..self }
    }

    /// The greatest distance.
    #[must_use]
    pub fn radius(&self) -> u32 {
        self.histogram.len() as u32 - 1
    }

    /// The mean distance over all boards.
    #[must_use]
    pub fn mean(&self) -> f64 {
        mean_distance(&self.histogram)
    }

    /// The error about a file that has this header, but the name of another table in a store.
    #[must_use]
    pub fn misnamed(&self) -> TableErrorKind {
        let &Self { orbit, encoding, .. } = self;
        match &self.partition {
            Some(partition) => TableErrorKind::MisnamedPatterns(partition.clone()),
            None => TableErrorKind::Misnamed { orbit, encoding },
        }
    }

    /// Compares the histogram with a count of the entries.
    ///
    /// # Errors
    ///
    /// [`Flaw::Histogram`] for the first distance at which they differ.
    pub(crate) fn compare(&self, counted: &[u64]) -> Result<(), Flaw> {
        for depth in 0..counted.len().max(self.histogram.len()) {
            let boards = |counts: &[u64]| counts.get(depth).copied().unwrap_or(0);
            let (header, found) = (boards(&self.histogram), boards(counted));
            if header != found {
                return Err(Flaw::Histogram { depth, header, found });
            }
        }
        Ok(())
    }

    /// The length of the payload in bytes.
    pub(super) fn payload_bytes(&self) -> u64 {
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

    /// The page: [`PAGE`] bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let payload_bytes = self.payload_bytes();
        let mut bytes = bytes_of(Page {
            magic: MAGIC,
            version: VERSION,
            kind: self.kind.code(),
            metric: self.metric.code(),
            encoding: self.encoding.code(),
            rows: self.orbit.shape().rows() as u8,
            cols: self.orbit.shape().cols() as u8,
            home: self.orbit.home() as u8,
            radius: self.radius() as u16,
            boards: self.boards,
            payload_bytes,
            file_bytes: file_bytes(payload_bytes),
            histogram: self.histogram.clone(),
        });
        if let Some(partition) = &self.partition {
            bytes.extend(bytes_of(Patterns(partition.to_numbers())));
        }
        if let Some(part) = self.part {
            bytes.extend(bytes_of(part));
        }
        bytes.resize(CRC_AT, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads and checks the page at the start of a file of `length` bytes.
    ///
    /// `start` holds the file's first [`PAGE`] bytes, or the whole file if it is shorter.
    pub(super) fn decode(start: &[u8], length: u64) -> Result<Self, TableErrorKind> {
        if start.is_empty() {
            return Err(TableErrorKind::Empty);
        }
        if !start.starts_with(&MAGIC[..MAGIC.len().min(start.len())]) {
            return Err(TableErrorKind::NotATable);
        }
        if let Some(version) = start.get(8..12) {
            let version = u32::from_le_bytes(version.try_into().expect("four bytes"));
            if version != VERSION {
                return Err(TableErrorKind::Version { found: version, known: VERSION });
            }
        }
        let Some(bytes) = start.get(..PAGE) else {
            return Err(TableErrorKind::Truncated { expected: PAGE as u64, found: length });
        };
        let (fields, crc) = bytes.split_at(CRC_AT);
        if crc != crc32fast::hash(fields).to_le_bytes() {
            return Err(TableErrorKind::Header);
        }
        let mut rest = fields;
        let page: Page = take(&mut rest)?;
        let mut annex = Annex::default();
        match Kind::from_code(page.kind) {
            Some(Kind::Pattern) => annex.patterns = Some(take(&mut rest)?),
            Some(Kind::Part | Kind::Checkpoint) => annex.part = Some(take(&mut rest)?),
            Some(Kind::Full) | None => {}
        }
        if rest.iter().any(|&byte| byte != 0) {
            return Err(TableErrorKind::Contradiction("its page has bytes behind the last field"));
        }
        let header = page.header(&annex)?;
        page.check_counts(&header)?;
        page.check_lengths(&header, length)?;
        Ok(header)
    }
}

fn contradiction<T>(what: &'static str) -> Result<T, TableErrorKind> {
    Err(TableErrorKind::Contradiction(what))
}

impl Page {
    /// The header with these fields. Refuses codes that this version does not know, and values that no table can have.
    fn header(&self, annex: &Annex) -> Result<Header, TableErrorKind> {
        let unknown = |field, code| TableErrorKind::Unknown { field, code };
        let kind = Kind::from_code(self.kind).ok_or(unknown("kind", self.kind))?;
        let metric = Metric::from_code(self.metric).ok_or(unknown("metric", self.metric))?;
        let encoding =
            Encoding::from_code(self.encoding).ok_or(unknown("encoding", self.encoding))?;
        let orbit = self.orbit()?;
        let mut partition = None;
        if let Some(Patterns(numbers)) = &annex.patterns {
            partition = Partition::from_numbers(orbit, numbers);
            if partition.is_none() {
                return contradiction("its patterns are not those of its shape");
            }
            if encoding != Encoding::Bit {
                return contradiction("its encoding is not that of a pattern database");
            }
        } else if orbit.shape().cells() > encoding.most_cells_of_a_file() {
            return contradiction("its shape has more cells than its encoding is for");
        }
        if annex.part.is_some_and(|part| part.number >= part.of) {
            return contradiction("its part has a number that is too large");
        }
        let (boards, histogram) = (self.boards, self.histogram.clone());
        Ok(Header { kind, metric, encoding, orbit, partition, part: annex.part, boards, histogram })
    }

    fn orbit(&self) -> Result<Orbit, TableErrorKind> {
        let Ok(shape) = Shape::new(self.rows.into(), self.cols.into()) else {
            return contradiction("its sides are not from 2 to 10");
        };
        if usize::from(self.home) >= shape.cells() {
            return contradiction("its home is outside its shape");
        }
        let orbit = Orbit::of(&Board::in_order(shape, self.home.into()));
        if (orbit.shape(), orbit.home()) != (shape, self.home.into()) {
            return contradiction("its shape and home do not stand for their orbit");
        }
        Ok(orbit)
    }

    fn check_counts(&self, header: &Header) -> Result<(), TableErrorKind> {
        let partition = header.partition.as_ref();
        let most = partition.map_or_else(|| header.orbit.boards(), Partition::entries);
        if self.boards > most || header.kind.counts_all() && self.boards < most {
            return contradiction("its number of boards is not that of its shape");
        }
        let is_last = self.histogram.last().is_some_and(|boards| *boards > 0);
        if !is_last || self.histogram.len() != usize::from(self.radius) + 1 {
            return contradiction("its histogram does not end at its radius");
        }
        if self.radius >= UNREACHED.into() {
            return contradiction("its radius is greater than an entry can say");
        }
        let total = self.histogram.iter().try_fold(0u64, |sum, &boards| sum.checked_add(boards));
        if total != Some(self.boards) {
            return contradiction("its histogram does not add up to its boards");
        }
        Ok(())
    }

    /// Compares the lengths in the page with those that follow from the header, and with the length of the file.
    fn check_lengths(&self, header: &Header, found: u64) -> Result<(), TableErrorKind> {
        if self.payload_bytes != header.payload_bytes() {
            return contradiction("its payload does not have the length that its boards need");
        }
        let expected = self.file_bytes;
        if expected != file_bytes(self.payload_bytes) {
            return contradiction("its lengths do not add up");
        }
        if found < expected {
            return Err(TableErrorKind::Truncated { expected, found });
        }
        if found > expected {
            return Err(TableErrorKind::TooLong { expected, found });
        }
        Ok(())
    }
}
