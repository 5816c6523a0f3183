//! The store: a folder of tables, each built when it is first asked for.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{BuildError, Encoding, Orbit, Table, TableError};

/// The end of a table's file name.
const EXTENSION: &str = "tilebase";

/// A folder of tables, one file for an orbit and an encoding.
///
/// Any number of processes may use a store at once. A table is built in memory and takes its name by
/// a rename, so two that build the same one both succeed, and leave the same bytes.
///
/// ```no_run
/// use tilebase::{Encoding, Goal, Orbit, Shape, Store, Table};
///
/// let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(3, 3)?));
/// let fetched = Store::new("tables").fetch(orbit, Encoding::Distance, |path| Table::open(path))?;
/// assert_eq!(fetched.table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// A table from the store, and how it came about.
#[derive(Debug)]
pub struct Fetched {
    /// The table.
    pub table: Table,
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
        /// of the format, which another program has use for.
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

    /// The table of an orbit: opened by `open` (as by [`Table::open`] or [`Table::map`]) if the store
    /// has a whole one, else built, and kept if the store can be written.
    ///
    /// # Errors
    ///
    /// If the table is not there and no table of that shape can be built.
    pub fn fetch(
        &self,
        orbit: Orbit,
        encoding: Encoding,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
    ) -> Result<Fetched, BuildError> {
        let path = self.path(orbit, encoding);
        let found = match open(&path) {
            Ok(table) if (table.header().orbit, table.header().encoding) == (orbit, encoding) => {
                return Ok(Fetched { table, path, origin: Origin::Found });
            }
            Ok(table) => Some(TableError::Misnamed(table.header().orbit)),
            Err(TableError::Io(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(error),
        };
        let table = Table::build(orbit)?;
        let origin = match found {
            Some(TableError::Version { .. }) => Origin::InMemory { found, error: None },
            _ => match self.keep(&table) {
                Ok(()) => Origin::Built { replaced: found },
                Err(error) => Origin::InMemory { found, error: Some(error) },
            },
        };
        Ok(Fetched { table, path, origin })
    }

    /// Writes a table into the store, in place of any file that is there.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn keep(&self, table: &Table) -> io::Result<()> {
        fs::create_dir_all(&self.dir).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::other("the store is not a folder"),
            _ => error,
        })?;
        table.save(self.path(table.header().orbit, table.header().encoding))
    }
}
