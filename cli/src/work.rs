//! The work of `build`: to make a table, a pattern database, or one process's part of a table.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result};
use tilebase::{
    Shape, Store,
    pattern::{PatternBuilder, PatternDatabase},
    sweep::Advance,
    table::{BuildError, Builder, Header, Kind, Table, TableFile},
    tablebase::{
        cost::{self, Cost},
        quantity::Bytes,
    },
};

use crate::{console::Console, listening::go_on, progress::Progress};

/// A file to be made.
pub(crate) trait Work {
    /// The path of the file in a store.
    fn path(&self, store: &Store) -> PathBuf;

    /// Whether a file with this header is the file to be made.
    fn is(&self, header: &Header) -> bool;

    /// The cost of making the file at a path.
    fn cost(&self, path: &Path) -> Result<Cost>;

    /// The number of entries that are computed.
    fn entries(&self) -> u64;

    /// A noun phrase for the entries, for messages.
    fn describe(&self, shape: Shape) -> String;

    /// Whether the file is made without asking the user.
    fn is_quick(&self) -> bool;

    /// Whether this process writes the messages. If several processes make the file, only the first does.
    fn is_first(&self) -> bool {
        true
    }

    /// Prepares the work, and returns whether anything has to be done. `is_there` says that the file already exists,
    /// and `replaces` that a file of another kind may be replaced.
    fn begin(&mut self, _path: &Path, is_there: bool, _replaces: bool) -> Result<bool> {
        Ok(!is_there)
    }

    /// Makes and writes the file. Returns the path to be printed, or `None` after an interruption.
    fn build(&self, path: &Path, shape: Shape, console: &mut Console) -> Result<Option<PathBuf>>;
}

impl Work for Builder {
    fn path(&self, store: &Store) -> PathBuf {
        store.path(self.orbit(), self.encoding())
    }

    fn is(&self, header: &Header) -> bool {
        let wanted = (self.orbit(), self.encoding());
        header.kind == Kind::Full && (header.orbit, header.encoding) == wanted
    }

    fn cost(&self, _: &Path) -> Result<Cost> {
        Ok(Cost::of_table(self))
    }

    fn entries(&self) -> u64 {
        self.orbit().boards()
    }

    fn describe(&self, shape: Shape) -> String {
        format!("boards of {shape}")
    }

    // The shape decides, and not the estimated time. The estimate differs from run to run, but a command should either
    // always ask or never ask.
    fn is_quick(&self) -> bool {
        cost::is_quick(self.orbit().shape())
    }

    fn build(&self, path: &Path, shape: Shape, console: &mut Console) -> Result<Option<PathBuf>> {
        let build = |watch: &mut Watch<'_>| self.build_watched(watch);
        make(path, self.entries(), shape, console, build, Table::file)
    }
}

impl Work for PatternBuilder {
    fn path(&self, store: &Store) -> PathBuf {
        store.pattern_path(self.partition())
    }

    fn is(&self, header: &Header) -> bool {
        header.partition.as_ref() == Some(self.partition())
    }

    fn cost(&self, _: &Path) -> Result<Cost> {
        Ok(Cost::of_patterns(self))
    }

    fn entries(&self) -> u64 {
        self.partition().entries()
    }

    fn describe(&self, shape: Shape) -> String {
        format!("entries of {} on {shape}", self.partition())
    }

    fn is_quick(&self) -> bool {
        /// An average core needs about a minute for this number of entries.
        const FEW: u64 = 10_000_000_000;
        self.entries() < FEW
    }

    fn build(&self, path: &Path, shape: Shape, console: &mut Console) -> Result<Option<PathBuf>> {
        let build = |watch: &mut Watch<'_>| self.build_watched(watch);
        make(path, self.entries(), shape, console, build, PatternDatabase::file)
    }
}

/// Receives each level, and returns whether to continue.
pub(crate) type Watch<'a> = dyn FnMut(Advance) -> ControlFlow<()> + 'a;

/// Makes a file in memory and writes it. Returns its path, or `None` after an interruption.
fn make<T>(
    path: &Path,
    entries: u64,
    shape: Shape,
    console: &mut Console,
    build: impl FnOnce(&mut Watch<'_>) -> Result<T, BuildError>,
    file: impl FnOnce(&T) -> &TableFile,
) -> Result<Option<PathBuf>> {
    let clock = Instant::now();
    let Some(made) = search(entries, shape, console, build)? else { return Ok(None) };
    let file = file(&made);
    let progress = Progress::uneven(file.length(), !console.is_quiet());
    let saved = file.save_watched(path, |written| {
        progress.at(written, || format!("{} written", Bytes(written)));
        go_on()
    });
    drop(progress);
    match saved {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
        saved => saved.with_context(|| path.display().to_string())?,
    }
    console.note(format_args!("built in {:.2?}", clock.elapsed()));
    Ok(Some(path.to_owned()))
}

/// Searches, and shows the progress. Returns `None` after an interruption.
pub(crate) fn search<T>(
    entries: u64,
    shape: Shape,
    console: &mut Console,
    search: impl FnOnce(&mut Watch<'_>) -> Result<T, BuildError>,
) -> Result<Option<T>> {
    let progress = Progress::uneven(entries, !console.is_quiet());
    let found = search(&mut |advance| {
        progress.advance(&advance);
        go_on()
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(BuildError::Stopped) => Ok(None),
        Err(error) => Err(error.of_shape(shape).into()),
    }
}
