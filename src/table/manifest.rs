//! The manifest: the file that names the parts of a table. FORMAT.md specifies it.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::Error};

use crate::table::error::{PartsError, TableErrorKind};

/// The file that names the parts of a table, in JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Manifest {
    /// The words that mark the file as a manifest.
    pub tilebase: String,
    /// The version of the manifest's format.
    pub version: u32,
    /// The parts, in order.
    pub parts: Vec<ManifestEntry>,
}

/// The entry of a part in the manifest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestEntry {
    /// The path of the part's file. A relative path begins at the manifest's folder.
    pub file: PathBuf,
    /// The part's [`TableFile::checksum`](crate::table::TableFile::checksum), as eight hexadecimal digits.
    pub checksum: String,
}

impl Manifest {
    const NAME: &'static str = "table in parts";
    const VERSION: u32 = 1;

    /// The manifest of these parts.
    #[must_use]
    pub fn new(parts: Vec<ManifestEntry>) -> Self {
        Self { tilebase: Self::NAME.into(), version: Self::VERSION, parts }
    }

    /// Reads a manifest.
    pub(super) fn read(path: &Path) -> Result<Self, TableErrorKind> {
        /// The greatest number of bytes that are read. Every manifest is shorter.
        const MOST: u64 = 16 << 20;
        let mut bytes = vec![];
        File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(TableErrorKind::NotATable);
        }
        Ok(Self::parse(&bytes)?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, PartsError> {
        /// The field that every version has.
        #[derive(Deserialize)]
        struct AnyVersion {
            version: u32,
        }

        let wrong = |what: &str| PartsError::Manifest(serde_json::Error::custom(what));
        if let Ok(AnyVersion { version: found }) = serde_json::from_slice(bytes) {
            if found != Self::VERSION {
                return Err(PartsError::Version { found, known: Self::VERSION });
            }
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(PartsError::Manifest)?;
        if manifest.tilebase != Self::NAME {
            let (expected, found) = (Self::NAME, &manifest.tilebase);
            return Err(wrong(&format!("expected {expected:?}, found {found:?}")));
        }
        let is_checksum = |text: &str| text.len() == 8 && u32::from_str_radix(text, 16).is_ok();
        if !manifest.parts.iter().all(|part| is_checksum(&part.checksum)) {
            return Err(wrong("expected eight hexadecimal digits for each checksum"));
        }
        if manifest.parts.is_empty() {
            return Err(PartsError::None);
        }
        Ok(manifest)
    }

    /// The bytes of a manifest.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}
