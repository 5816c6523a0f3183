//! The store: a folder of tables, each built when it is first asked for.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    index::partition::Partition,
    pattern::{builder::PatternBuilder, database::PatternDatabase},
    puzzle::orbit::Orbit,
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

/// A folder of tables, one file for an orbit and an encoding, and of pattern databases, one for a partition.
///
/// Any number of processes may use a store at once. A table is built in memory and takes its name by
/// a rename, so two that build the same one both succeed, and leave the same bytes.
///
/// ```no_run
/// use tilebase::{Builder, Goal, Orbit, Shape, Store, Table};
///
/// let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(3, 3)?));
/// let fetched = Store::new("tables").fetch(&Builder::new(orbit)?, |path| Table::open(path))?;
/// assert_eq!(fetched.table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// A table or a pattern database from the store, and how it came about.
#[derive(Debug)]
pub struct Fetched<T = Table> {
    /// The table.
    pub table: T,
    /// Its file, or where it would be.
    pub path: PathBuf,
    /// How it came about.
    pub origin: Origin,
}

/// How a table came about.
#[derive(Debug)]
pub enum Origin {
    /// It was in the store.
    Found,
    /// It was built, and is in the store now.
    Built {
        /// What was wrong with the file that it replaces, if there was one.
        replaced: Option<TableError>,
    },
    /// It was built, and is in memory only.
    InMemory {
        /// What was wrong with the file that it would have replaced, if there was one.
        found: Option<TableError>,
        /// Why the store could not take it; `None` if the file was left alone, being of a later version
        /// of the format, which another program has use for, or naming parts that are not there.
        error: Option<io::Error>,
    },
}

impl Store {
    /// The store in a folder, which need not be there yet.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of a table, there or not.
    pub fn path(&self, orbit: Orbit, encoding: Encoding) -> PathBuf {
        let (shape, home, encoding) = (orbit.shape(), orbit.home(), encoding.name());
        self.dir.join(format!("{shape}-home{home}-{encoding}.{EXTENSION}"))
    }

    /// The file of a pattern database, there or not.
    pub fn pattern_path(&self, partition: &Partition) -> PathBuf {
        let (shape, home) = (partition.orbit().shape(), partition.orbit().home());
        let name = partition.name().replace('/', "_").replace(',', ".");
        self.dir.join(format!("{shape}-home{home}-pattern-{name}.{EXTENSION}"))
    }

    /// Where a file with this header is kept.
    pub fn path_of(&self, header: &Header) -> PathBuf {
        match &header.partition {
            Some(partition) => self.pattern_path(partition),
            None => self.path(header.orbit, header.encoding),
        }
    }

    /// The files of all tables, in the order of their names. A folder that is not there has none.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn tables(&self) -> io::Result<Vec<PathBuf>> {
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

    /// The table of an orbit that is there in whatever encoding, one that is read at once before one that is walked;
    /// `None` if there is none that is right.
    pub fn find(
        &self,
        orbit: Orbit,
        open: impl Fn(&Path) -> Result<Table, TableError>,
    ) -> Option<Table> {
        let mut encodings = [Encoding::Distance, Encoding::Bit].into_iter();
        encodings.find_map(|encoding| self.open(orbit, encoding, &open).ok())
    }

    /// Opens a table that is there, by `open` (as by [`Table::open`] or [`Table::map`]).
    ///
    /// # Errors
    ///
    /// If there is none, or another than its name says, or it is damaged.
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

    /// The table that `builder` makes: opened by `open` (as by [`Table::open`] or [`Table::map`]) if the store
    /// has a whole one, else built, and kept if the store can be written.
    ///
    /// # Errors
    ///
    /// If the table is not there and cannot be built.
    pub fn fetch(
        &self,
        builder: &Builder,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
    ) -> Result<Fetched, BuildError> {
        let (orbit, encoding) = (builder.orbit(), builder.encoding());
        let found = self.open(orbit, encoding, open);
        let path = self.path(orbit, encoding);
        self.find_or_build(path, found, || builder.build(), Table::file)
    }

    /// The largest pattern database for an orbit that is there and right; `None` if there is none.
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
        let mut paths: Vec<_> = self.tables().ok()?.into_iter().filter(is_named).collect();
        paths.sort_by_cached_key(|path| fs::metadata(path).map_or(0, |file| file.len()));
        paths.into_iter().rev().find_map(|path| self.open_patterns(&path, None, &open).ok())
    }

    /// Opens a pattern database that is there, by `open`.
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

    /// The pattern database that `builder` makes, as [`fetch`](Self::fetch) does for tables.
    ///
    /// # Errors
    ///
    /// If it is not there and cannot be built.
    pub fn fetch_patterns(
        &self,
        builder: &PatternBuilder,
        open: impl FnOnce(&Path) -> Result<PatternDatabase, TableError>,
    ) -> Result<Fetched<PatternDatabase>, BuildError> {
        let path = self.pattern_path(builder.partition());
        let found = self.open_patterns(&path, Some(builder.partition()), open);
        self.find_or_build(path, found, || builder.build(), PatternDatabase::file)
    }

    /// What was found at a path, or else is built and kept there.
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
            // Another program can use a file of a later version, and parts that are missing may come back.
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

    /// Makes the folder, if it is not there.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.dir).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::other("the store is not a folder"),
            _ => error,
        })
    }

    /// Writes a table or a pattern database into the store, in place of any file that is there.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn keep(&self, file: &TableFile) -> io::Result<()> {
        self.create()?;
        file.save(self.path_of(file.header()))
    }
}
