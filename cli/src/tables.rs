//! Table files: those that the user names, or those of the store.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tilebase::table::{TableError, TableFile};

use crate::global::Global;

/// The tables that the user names, or else all tables of the store.
pub(crate) fn named_or_stored(named: Vec<PathBuf>, global: &Global) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named);
    }
    let store = global.store()?;
    store.files().with_context(|| store.dir().display().to_string())
}

/// Opens a table file for as long as the program runs.
pub(crate) fn open_file(path: &Path) -> Result<TableFile, TableError> {
    // SAFETY: nothing in this program changes or truncates a table file. A new file is written under another name and
    // renamed. The page docs/limits.md tells the user that other programs must not do so while this program runs.
    unsafe { TableFile::map(path) }
}
