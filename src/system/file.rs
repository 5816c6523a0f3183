//! Files that are written as a whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    ops::ControlFlow,
    path::Path,
    thread,
    time::Duration,
};

/// The start and the end of the names of temporary files. No table has such a name.
const TEMPORARY: (&str, &str) = (".tilebase-", ".tmp");
/// A temporary file that was not changed for this time is abandoned: its process was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Writes a file as a whole, or not at all. The bytes are written under another name and synced, and then the file is
/// renamed. An existing file stays as it is until the rename replaces it.
///
/// `watch` receives the number of bytes that were written so far, and can stop the writing.
///
/// # Errors
///
/// If the folder cannot be written, if the path exists and is not a regular file, or if `watch` stops the writing
/// ([`io::ErrorKind::Interrupted`]).
pub fn write_whole(
    path: &Path,
    bytes: &[u8],
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> io::Result<()> {
    write_pieces(path, &[bytes], watch)
}

/// Writes a file as [`write_whole`] does. The pieces are written one after another.
pub(crate) fn write_pieces(
    path: &Path,
    pieces: &[&[u8]],
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("is there and is not a regular file"));
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    remove_abandoned(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // The umask sets the permissions, as it does for the files of other programs.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    write_and_sync(file.as_file(), pieces, watch)?;
    file.persist(path)?;
    // The new name is safely on the disk only when the folder is synced.
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        // A folder that can be written but not read cannot be synced.
        _ => Ok(()),
    }
}

/// Writes bytes piece by piece, and syncs them meanwhile, so that the disk is busy from the first piece on.
fn write_and_sync(
    file: &File,
    pieces: &[&[u8]],
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> io::Result<()> {
    const PIECE: usize = 16 << 20;
    let length: usize = pieces.iter().map(|piece| piece.len()).sum();
    let mut pieces = pieces.iter().flat_map(|piece| piece.chunks(PIECE));
    let (mut out, mut written) = (file, 0);
    let mut write = || -> io::Result<bool> {
        let Some(piece) = pieces.next() else { return Ok(false) };
        out.write_all(piece)?;
        written += piece.len() as u64;
        if watch(written).is_break() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(true) }
    };
    thread::scope(|scope| {
        while write()? {
            if length <= PIECE {
                continue;
            }
            // One thread syncs the pieces written so far, while this one writes the next pieces.
            let syncing = thread::Builder::new().spawn_scoped(scope, || file.sync_data());
            let Ok(syncing) = syncing else { continue };
            while !syncing.is_finished() && write()? {}
            syncing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok::<_, io::Error>(())
    })?;
    file.sync_all()?;
    // This is the last chance to stop: after this, the file is renamed.
    if watch(written).is_break() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

/// Removes the temporary files of killed processes. A file that cannot be removed stays.
fn remove_abandoned(folder: &Path) {
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
