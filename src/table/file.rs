//! Table files: read or mapped, and written once.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    time::Duration,
};

use super::{Bytes, Table, TableError, header};
use crate::Header;

/// Temporary files begin and end like this; nothing that does is taken for a table.
const TEMPORARY: (&str, &str) = (".tilebase-", ".tmp");
/// A temporary file that nobody has written to for so long was left by a process that was killed.
const ABANDONED: Duration = Duration::from_secs(600);

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

pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("is there and is not a regular file"));
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    sweep(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // What others may do with the file is for the umask to say, as with any other program's files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The name is safe on the disk once the folder is.
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        // A folder that can be written and not read cannot be synced either.
        _ => Ok(()),
    }
}

/// Removes temporary files that killed processes have left. What cannot be removed stays.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if ours && age().is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
