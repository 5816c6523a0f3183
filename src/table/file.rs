//! Table files: read or mapped.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use super::{Bytes, Table, TableError, header};
use crate::Header;

pub(super) fn read(path: &Path) -> Result<Table, TableError> {
    let (file, length) = regular(path)?;
    // The header first: a foreign file is refused before anything of its size is allocated.
    let mut bytes = Vec::new();
    (&file).take(header::PAGE as u64).read_to_end(&mut bytes)?;
    Header::decode(&bytes, length)?;
    (&file).take(length).read_to_end(&mut bytes)?;
    Table::checked(Bytes::Owned(bytes))
}

/// # Safety
///
/// Nobody may change or truncate the file while the table lives.
pub(super) unsafe fn map(path: &Path) -> Result<Table, TableError> {
    let (file, length) = regular(path)?;
    if length == 0 {
        return Err(TableError::Empty);
    }
    // SAFETY: the caller answers for the file.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Table::checked(Bytes::Mapped(map))
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
