//! The store: a folder of tables. A table is built when it is first needed.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    index::partition::Partition,
    pattern::{builder::PatternBuilder, database::PatternDatabase},
    puzzle::orbit::Orbit,
    sweep::levels::Advance,
    table::{
        builder::{BuildError, Builder},
        encoding::Encoding,
        error::{TableError, TableErrorKind},
        file::TableFile,
        full::Table,
        header::Header,
        layout::EXTENSION,
    },
};

/// A folder of tables, with one file for each orbit and encoding, and of pattern databases, with one file for each
/// partition.
///
/// Any number of processes may use a store at the same time. A table is built in memory, written under a temporary
/// name, and then renamed. If two processes build the same table, both succeed, and the file has the same bytes.
///
/// A [`Tablebase`](crate::Tablebase) maps the files. So as long as it is open, no other program may change or truncate
/// them in place. To remove them, or to replace them by a rename, does no harm.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use tilebase::{Goal, puzzle::Orbit, Shape, Store, table::{Builder, Table}};
///
/// let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(3, 3)?));
/// let go_on = |_| ControlFlow::Continue(());
/// let fetched = Store::new("tables").fetch(&Builder::new(orbit)?, |path| Table::open(path), go_on)?;
/// assert_eq!(fetched.table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// A table or a pattern database from the store, and whether it was found or built.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fetched<T = Table> {
    /// The table or the pattern database.
    pub table: T,
    /// The path of the file, even if the file could not be written.
    pub path: PathBuf,
    /// Whether it was found or built, and where it is kept.
    pub origin: Origin,
}

/// Whether a table was found or built, and where it is kept.
#[derive(Debug)]
pub enum Origin {
    /// The table was in the store.
    Found,
    /// The table was built, and is now in the store.
    Built {
        /// What was wrong with the file that it replaces, if there was one.
        replaced: Option<TableError>,
    },
    /// The table was built, and is in memory only.
    InMemory {
        /// What is wrong with the file in the store, if there is one.
        found: Option<TableError>,
        /// Why the store could not keep the table. `None` if the store left the old file as it is. The store does so
        /// with files of another format version, which another program can use, and with manifests whose parts are
        /// missing or damaged.
        error: Option<io::Error>,
    },
}

impl Origin {
    /// What was wrong with the old file, if there was one.
    pub fn replaced(&self) -> Option<&TableError> {
        match self {
            Self::Found => None,
            Self::Built { replaced } => replaced.as_ref(),
            Self::InMemory { found, .. } => found.as_ref(),
        }
    }
}

impl Store {
    /// The store in a folder, which need not exist yet.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The path of a table's file, whether the file exists or not.
    #[must_use]
    pub fn path(&self, orbit: Orbit, encoding: Encoding) -> PathBuf {
        let (shape, home, encoding) = (orbit.shape(), orbit.home(), encoding.name());
        self.dir.join(format!("{shape}-home{home}-{encoding}.{EXTENSION}"))
    }

    /// The path of a pattern database's file, whether the file exists or not.
    #[must_use]
    pub fn pattern_path(&self, partition: &Partition) -> PathBuf {
        let (shape, home) = (partition.orbit().shape(), partition.orbit().home());
        let name = partition.name().replace('/', "_").replace(',', ".");
        self.dir.join(format!("{shape}-home{home}-pattern-{name}.{EXTENSION}"))
    }

    /// The path of the file for a table with this header.
    #[must_use]
    pub fn path_of(&self, header: &Header) -> PathBuf {
        match &header.partition {
            Some(partition) => self.pattern_path(partition),
            None => self.path(header.orbit, header.encoding),
        }
    }

    /// The files of all tables and pattern databases, sorted by name. Empty if the folder does not exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            entries => entries?,
        };
        let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        let mut tables: Vec<_> = paths
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == EXTENSION))
            .collect();
        tables.sort();
        Ok(tables)
    }

    /// The table of an orbit in any encoding, if the store has one that can be used. A table with one byte per board is
    /// preferred to one with one bit per board, because its answers are faster.
    #[must_use]
    pub fn find(
        &self,
        orbit: Orbit,
        open: impl Fn(&Path) -> Result<Table, TableError>,
    ) -> Option<Table> {
        let mut encodings = [Encoding::Distance, Encoding::Bit].into_iter();
        encodings.find_map(|encoding| self.open(orbit, encoding, &open).ok())
    }

    /// Opens a table of the store by `open`, such as [`Table::open`] or [`Table::map`].
    ///
    /// # Errors
    ///
    /// If the table does not exist, is damaged, or is not the table that its name says.
    pub fn open(
        &self,
        orbit: Orbit,
        encoding: Encoding,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
    ) -> Result<Table, TableError> {
        let path = self.path(orbit, encoding);
        let table = open(&path)?;
        let header = table.header();
        if (header.orbit, header.encoding) == (orbit, encoding) {
            Ok(table)
        } else {
            Err(header.misnamed().at(path))
        }
    }

    /// The table that `builder` makes. If the store has the table, it is opened by `open`, such as [`Table::open`] or
    /// [`Table::map`]. Else it is built, and kept if the store can be written.
    ///
    /// # Errors
    ///
    /// If the store has no such table that can be used, and the table cannot be built.
    pub fn fetch(
        &self,
        builder: &Builder,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
        watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Fetched, BuildError> {
        let (orbit, encoding) = (builder.orbit(), builder.encoding());
        let found = self.open(orbit, encoding, open);
        let path = self.path(orbit, encoding);
        self.find_or_build(path, found, || builder.build_watched(watch), Table::file)
    }

    /// The largest pattern database for an orbit that can be opened; `None` if the store has no such database.
    #[must_use]
    pub fn find_patterns(
        &self,
        orbit: Orbit,
        open: impl Fn(&Path) -> Result<PatternDatabase, TableError>,
    ) -> Option<PatternDatabase> {
        let (shape, home) = (orbit.shape(), orbit.home());
        let start = format!("{shape}-home{home}-pattern-");
        let is_named = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start))
        };
        let mut paths: Vec<_> = self.files().ok()?.into_iter().filter(is_named).collect();
        paths.sort_by_cached_key(|path| fs::metadata(path).map_or(0, |file| file.len()));
        paths.into_iter().rev().find_map(|path| self.open_patterns(&path, None, &open).ok())
    }

    /// Opens a pattern database by `open`, and checks that it is the one that its name says. If `partition` is given,
    /// the database must be for that partition.
    fn open_patterns(
        &self,
        path: &Path,
        partition: Option<&Partition>,
        open: impl FnOnce(&Path) -> Result<PatternDatabase, TableError>,
    ) -> Result<PatternDatabase, TableError> {
        let database = open(path)?;
        let found = database.partition();
        if partition.is_none_or(|partition| partition == found) && self.pattern_path(found) == path
        {
            Ok(database)
        } else {
            Err(database.header().misnamed().at(path))
        }
    }

    /// The pattern database that `builder` makes: opened or built, as [`fetch`](Self::fetch) does with tables.
    ///
    /// # Errors
    ///
    /// If the store has no such database that can be used, and the database cannot be built.
    pub fn fetch_patterns(
        &self,
        builder: &PatternBuilder,
        open: impl FnOnce(&Path) -> Result<PatternDatabase, TableError>,
        watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Fetched<PatternDatabase>, BuildError> {
        let path = self.pattern_path(builder.partition());
        let found = self.open_patterns(&path, Some(builder.partition()), open);
        self.find_or_build(path, found, || builder.build_watched(watch), PatternDatabase::file)
    }

    /// Returns what was found at a path. If that cannot be used, builds it and keeps it in the store.
    fn find_or_build<T>(
        &self,
        path: PathBuf,
        found: Result<T, TableError>,
        build: impl FnOnce() -> Result<T, BuildError>,
        file: impl FnOnce(&T) -> &TableFile,
    ) -> Result<Fetched<T>, BuildError> {
        let found = match found {
            Ok(table) => return Ok(Fetched { table, path, origin: Origin::Found }),
            Err(error) if error.is_not_found() => None,
            Err(error) => Some(error),
        };
        let table = build()?;
        let origin = match found.as_ref().map(TableError::kind) {
            // Another program can use a file of another version, and missing parts may come back.
            Some(TableErrorKind::Version { .. } | TableErrorKind::Parts(_)) => {
                Origin::InMemory { found, error: None }
            }
            _ => match self.keep(file(&table)) {
                Ok(()) => Origin::Built { replaced: found },
                Err(error) => Origin::InMemory { found, error: Some(error) },
            },
        };
        Ok(Fetched { table, path, origin })
    }

    /// Makes the folder if it does not exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.dir).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::other("the store is not a folder"),
            _ => error,
        })
    }

    /// Writes a table or a pattern database into the store. It replaces any file with the same name.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn keep(&self, file: &TableFile) -> io::Result<()> {
        self.create()?;
        file.save(self.path_of(file.header()))
    }
}
