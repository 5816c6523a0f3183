//! The work of `build`: a table, a pattern database, or one process's part of a table.

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

/// What is to be made, and how.
pub(crate) trait Work {
    /// Where a store keeps it.
    fn path(&self, store: &Store) -> PathBuf;

    /// Whether a file with this header is it.
    fn is(&self, header: &Header) -> bool;

    /// What it takes to make the file at a path.
    fn cost(&self, path: &Path) -> Result<Cost>;

    /// The number of entries that are computed.
    fn entries(&self) -> u64;

    /// What the entries are, for people.
    fn describe(&self, shape: Shape) -> String;

    /// Whether it is made without asking.
    fn is_quick(&self) -> bool;

    /// Whether this process speaks for all that make it.
    fn is_first(&self) -> bool {
        true
    }

    /// Takes note of whether the file is there already; says whether there is anything to do. `replaces` tells that a
    /// file of another kind may be replaced.
    fn begin(&mut self, _path: &Path, is_there: bool, _replaces: bool) -> Result<bool> {
        Ok(!is_there)
    }

    /// Makes and writes the file; gives the path to be printed, or `None` after an interruption.
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

    // The time is not known well enough to decide: the same command has to ask each time, or never.
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
        /// This number of entries takes less than a minute on any machine.
        const FEW: u64 = 10_000_000_000;
        self.entries() < FEW
    }

    fn build(&self, path: &Path, shape: Shape, console: &mut Console) -> Result<Option<PathBuf>> {
        let build = |watch: &mut Watch<'_>| self.build_watched(watch);
        make(path, self.entries(), shape, console, build, PatternDatabase::file)
    }
}

/// Is told of each level, and says whether to go on.
pub(crate) type Watch<'a> = dyn FnMut(Advance) -> ControlFlow<()> + 'a;

/// Makes a file in memory and writes it; gives its path, or `None` after an interruption.
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

/// Searches, and shows how far the search has come; `None` after an interruption.
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
