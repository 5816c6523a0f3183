//! The errors of tables: files that cannot be used, and boards without an answer.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use crate::{
    index::{partition::Partition, space::TooFewBoards},
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
    table::{
        encoding::{Encoding, Kind},
        seals::Damage,
    },
};

/// A file, or some bytes, are not a table that can be used.
///
/// The error is displayed as a sentence about the file, or about "the table" if there is no path. The sentence includes
/// all causes, so there is no [`source`](std::error::Error::source).
#[derive(Debug)]
pub struct TableError {
    path: Option<PathBuf>,
    kind: TableErrorKind,
}

impl TableError {
    /// The error about a file, or about bytes in memory if `path` is `None`.
    pub(super) fn new(path: Option<PathBuf>, kind: TableErrorKind) -> Self {
        Self { path, kind }
    }

    /// The path of the file; `None` for bytes in memory. For a table in several parts, it is the manifest's path.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &TableErrorKind {
        &self.kind
    }

    /// Whether there is no file at the path.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(&self.kind, TableErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{} {}", path.display(), self.kind),
            None => write!(f, "the table {}", self.kind),
        }
    }
}

impl std::error::Error for TableError {}

/// What is wrong with a table file.
///
/// It is displayed as a sentence without its subject, such as `is empty`. [`TableError`] puts the path in front.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The path leads to a directory, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// The file has no bytes.
    #[error("is empty")]
    Empty,
    /// The first bytes are not those of a table.
    #[error("is not a tilebase table")]
    NotATable,
    /// This library does not read this version of the format.
    #[error("is of format version {found}; this program reads version {known}")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that this library reads.
        known: u32,
    },
    /// The file is shorter than its header says, or shorter than a header.
    #[error("is cut off: {found} of {expected} bytes")]
    Truncated {
        /// The length that the file should have, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The file is longer than its header says.
    #[error("is too long: {found} bytes where its header says {expected}")]
    TooLong {
        /// The length that the file should have, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// The header page does not match its checksum.
    #[error("has a damaged header: bytes 0 to 4095 do not match their checksum")]
    Header,
    /// The header matches its checksum, but has a code that this library does not know.
    #[error("has {field} {code}, which this program does not know")]
    Unknown {
        /// The header's field: kind, metric or encoding.
        field: &'static str,
        /// The value of the field.
        code: u8,
    },
    /// The header matches its checksum, but contradicts itself.
    #[error("has a header that cannot be right: {0}")]
    Contradiction(&'static str),
    /// The file is intact, but of another kind.
    #[error("is a {}, and not a {}", found.noun(), expected.noun())]
    Kind {
        /// The kind that was expected.
        expected: Kind,
        /// The kind of the file.
        found: Kind,
    },
    /// The file is an intact table, but its name in a store is the name of another table.
    #[error("is the table for {orbit} ({}), and not what its name says", encoding.name())]
    Misnamed {
        /// The goals that the table serves.
        orbit: Orbit,
        /// The table's encoding.
        encoding: Encoding,
    },
    /// The file is an intact pattern database, but its name in a store is the name of another table.
    #[error("is the pattern database {0} for {orbit}, and not what its name says", orbit = .0.orbit())]
    MisnamedPatterns(Partition),
    /// The list of checksums does not match its own checksum.
    #[error("has a damaged list of checksums")]
    Checksums,
    /// A block of the payload does not match its checksum.
    #[error("has a damaged payload: {0}")]
    Payload(Damage),
    /// The file is a manifest, and something is wrong with it or with the parts that it names.
    #[error("{0}")]
    Parts(PartsError),
}

impl TableErrorKind {
    /// The error about a file.
    #[must_use]
    pub fn at(self, path: impl Into<PathBuf>) -> TableError {
        TableError::new(Some(path.into()), self)
    }
}

impl From<io::Error> for TableErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<PartsError> for TableErrorKind {
    fn from(error: PartsError) -> Self {
        Self::Parts(error)
    }
}

/// What is wrong with a manifest or with the parts that it names.
///
/// It is displayed like [`TableErrorKind`]: as a sentence without its subject, which is the manifest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// The manifest cannot be parsed.
    #[error("is not a manifest of parts: {0}")]
    Manifest(serde_json::Error),
    /// This library does not read this version of the manifest.
    #[error("is a manifest of version {found}; this program reads version {known}")]
    Version {
        /// The manifest's version.
        found: u32,
        /// The version that this library reads.
        known: u32,
    },
    /// The manifest names no parts.
    #[error("is a manifest that names no parts")]
    None,
    /// A part is missing or damaged.
    #[error("has a part that {what}: {}", path.display(), what = within_a_sentence(kind))]
    Part {
        /// The path where the part should be.
        path: PathBuf,
        /// What is wrong with it.
        kind: Box<TableErrorKind>,
    },
    /// The file is intact, but is not the part that the manifest says.
    #[error("has for part {number} of {of} a file that is not it: {} {found}", path.display())]
    Foreign {
        /// The number of the part that the file should be.
        number: usize,
        /// The number of parts.
        of: usize,
        /// The path of the file.
        path: PathBuf,
        /// What the file is instead.
        found: String,
    },
}

/// The text about a part, worded so that the sentence has no second colon.
fn within_a_sentence(kind: &TableErrorKind) -> String {
    match kind {
        TableErrorKind::Io(error) => format!("cannot be read ({error})"),
        kind => kind.to_string(),
    }
}

/// A table cannot tell the distance of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// The bytes do not match their checksum.
    #[error("the table has a damaged payload: {0}")]
    Damaged(Damage),
    /// The bytes match their checksum, but stand for no possible distance.
    #[error("the table has no right distance for the board: it was not made by tilebase")]
    Wrong,
}

impl From<Damage> for LookupError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

/// There is no exact answer about a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The board is of another shape than the goal.
    #[error("the board is {found}; the goal is {expected}")]
    Shape {
        /// The goal's shape.
        expected: Shape,
        /// The board's shape.
        found: Shape,
    },
    /// The table serves other goals.
    #[error(
        "the table is for {table}, as for goal {}; goal {goal} needs {}",
        table.goal(),
        Orbit::of(goal)
    )]
    Table {
        /// The goals that the table serves.
        table: Orbit,
        /// The goal of the question.
        goal: Board,
    },
    /// The bytes of the answer do not match their checksum.
    #[error("the table has a damaged payload: {0}")]
    Damaged(Damage),
    /// The bytes of the answer match their checksum, but contradict each other.
    #[error("the table has no right distance for {0}: it was not made by tilebase")]
    Wrong(Board),
}

impl OracleError {
    /// The error about a board.
    #[cold]
    pub(super) fn about(board: Board, error: LookupError) -> Self {
        match error {
            LookupError::Damaged(damage) => Self::Damaged(damage),
            LookupError::Wrong => Self::Wrong(board),
        }
    }
}

impl From<Damage> for OracleError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

/// A sample cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There are fewer boards than were asked for.
    #[error(transparent)]
    TooFew(#[from] TooFewBoards),
    /// The table has no right distance for a board.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}
