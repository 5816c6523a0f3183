//! The source of tables and pattern databases: a store, or one file. All goals and threads share the open files.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    pattern::database::PatternDatabase,
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
    table::full::Table,
    tablebase::{
        event::Listener,
        policy::{Policy, Reason, Refusal, map_file},
        slot::Slot,
        store::Store,
    },
};

/// The source that a tablebase is opened on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A store: the files in it, and the files that are built when needed and kept there.
    Store(Store),
    /// One file only: a table or a pattern database. The file is mapped, with the promise that [`Store`] describes.
    File(PathBuf),
    /// A table that the caller has, such as one of bytes in the program.
    Table(Arc<Table>),
    /// A pattern database that the caller has.
    Patterns(Arc<PatternDatabase>),
}

impl From<Store> for Source {
    fn from(store: Store) -> Self {
        Self::Store(store)
    }
}

/// A source that is open.
#[derive(Debug)]
pub(crate) enum Opened {
    Store(Shelf),
    Table(Arc<Table>),
    Patterns(Arc<PatternDatabase>),
}

/// The open files of a store: at most one table and one pattern database for each orbit.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) store: Store,
    tables: Slots<Table>,
    databases: Slots<PatternDatabase>,
}

/// A slot for each orbit. The lock is held only while the slot is looked up, not while it is filled.
type Slots<T> = Mutex<BTreeMap<Orbit, Arc<Slot<Arc<T>>>>>;

impl Opened {
    pub(crate) fn open(source: Source) -> Result<Self, Refusal> {
        let path = match source {
            Source::Store(store) => {
                let (tables, databases) = Default::default();
                return Ok(Self::Store(Shelf { store, tables, databases }));
            }
            Source::Table(table) => return Ok(Self::Table(table)),
            Source::Patterns(database) => return Ok(Self::Patterns(database)),
            Source::File(path) => path,
        };
        let file = map_file(&path)?;
        Ok(match file.header().partition {
            Some(_) => Self::Patterns(Arc::new(file.try_into()?)),
            None => Self::Table(Arc::new(file.try_into()?)),
        })
    }

    /// If the source is one table or one pattern database, its name in a sentence and the orbit that it is for.
    pub(crate) fn only(&self) -> Option<(String, Orbit)> {
        let (file, noun) = match self {
            Self::Store(_) => return None,
            Self::Table(table) => (table.file(), "the table"),
            Self::Patterns(database) => (database.file(), "the pattern database"),
        };
        let name = file.path().map_or_else(|| noun.to_owned(), |path| path.display().to_string());
        Some((name, file.header().orbit))
    }

    /// The table for a goal.
    pub(crate) fn table(
        &self,
        policy: &Policy,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<Arc<Table>, Refusal> {
        match self {
            Self::Table(table) => Ok(Arc::clone(table)),
            Self::Patterns(_) => Err(Reason::PatternsNamed(self.only().expect("one").0).into()),
            Self::Store(Shelf { store, tables, .. }) => {
                let slot = slot(tables, Orbit::of(goal));
                let make =
                    |listener: Listener<'_>| policy.table(store, goal, listener).map(Arc::new);
                slot.get_or_make(listener, make).cloned()
            }
        }
    }

    /// The pattern database for a goal.
    pub(crate) fn patterns(
        &self,
        policy: &Policy,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<Arc<PatternDatabase>, Refusal> {
        let shape: Shape = goal.shape();
        match self {
            Self::Table(..) => Err(Reason::TableNamed.into()),
            Self::Patterns(database) => match database.header().orbit.shape() {
                served if served == shape.tall() => Ok(Arc::clone(database)),
                served => Err(Reason::OtherPatterns(served).into()),
            },
            Self::Store(Shelf { store, databases, .. }) => {
                let make =
                    |listener: Listener<'_>| policy.patterns(store, goal, listener).map(Arc::new);
                // A partition given by its tiles depends on the goal itself, so a slot for the orbit cannot hold it.
                if policy.partition.is_some() {
                    return make(listener);
                }
                let slot = slot(databases, Orbit::of(goal));
                slot.get_or_make(listener, make).cloned()
            }
        }
    }
}

fn slot<T>(slots: &Slots<T>, orbit: Orbit) -> Arc<Slot<Arc<T>>> {
    let mut slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(slots.entry(orbit).or_insert_with(|| Arc::new(Slot::new())))
}
