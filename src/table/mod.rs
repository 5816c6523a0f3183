//! The table: the exact distance of every board of an orbit, as the bytes of a file.
//!
//! A file has a header page, the payload and its checksums; FORMAT.md specifies every byte. A [`Table`] answers only
//! from bytes that match their checksums: it refuses flipped bits, files that are cut off, and foreign files.
//!
//! | file | its noun |
//! |---|---|
//! | `layout`, `encoding`, `header` | the meaning of the bytes of a file |
//! | `error`, `flaw` | the errors of files and of their distances |
//! | `seals` | the checksums of the payload |
//! | `whole` | one file |
//! | `part`, `manifest`, `parts` | several files that make up a table |
//! | `file` | a [`TableFile`], in one file or in several |
//! | `entries`, `walk`, `lookup` | the distance of a board, from a byte or a bit |
//! | `proof` | the proof that the distances are right |
//! | `full` | the [`Table`] |
//! | `builder` | makes a table |
//! | `oracle`, `sample` | answers for one goal |

pub(crate) mod builder;
pub(crate) mod encoding;
mod entries;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod flaw;
pub(crate) mod full;
pub(crate) mod header;
pub(crate) mod layout;
mod lookup;
pub(crate) mod manifest;
pub(crate) mod oracle;
pub(crate) mod part;
mod parts;
mod proof;
mod sample;
pub(crate) mod seals;
mod walk;
mod whole;

pub use builder::{BuildCost, BuildError, Builder};
pub use encoding::{Encoding, Kind, Metric, UnknownEncoding};
pub use error::{LookupError, OracleError, PartsError, SampleError, TableError, TableErrorKind};
pub use file::TableFile;
pub use flaw::Flaw;
pub use full::Table;
pub use header::{Header, mean_distance};
pub use manifest::{Manifest, ManifestEntry};
pub use oracle::{NextMove, Oracle};
pub use part::Part;
pub use seals::Damage;
