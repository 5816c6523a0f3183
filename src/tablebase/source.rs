//! The source of tables and pattern databases: a store, or one file. All goals and threads share the open files.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    pattern::database::PatternDatabase,
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
    table::{file::TableFile, full::Table},
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
    /// One file only: a table or a pattern database.
    File(PathBuf),
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
    Table(PathBuf, Arc<Table>),
    Patterns(PathBuf, Arc<PatternDatabase>),
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
            Source::File(path) => path,
        };
        let file: TableFile = map_file(&path)?;
        if file.header().partition.is_some() {
            let database = Arc::new(file.try_into()?);
            return Ok(Self::Patterns(path, database));
        }
        let table = Arc::new(file.try_into()?);
        Ok(Self::Table(path, table))
    }

    /// If the source is one file, its path and the orbit that it is for.
    pub(crate) fn file(&self) -> Option<(&Path, Orbit)> {
        match self {
            Self::Store(_) => None,
            Self::Table(path, table) => Some((path, table.header().orbit)),
            Self::Patterns(path, database) => Some((path, database.header().orbit)),
        }
    }

    /// The table for a goal.
    pub(crate) fn table(
        &self,
        policy: &Policy,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<Arc<Table>, Refusal> {
        match self {
            Self::Table(_, table) => Ok(Arc::clone(table)),
            Self::Patterns(path, _) => Err(Reason::PatternsNamed(path.clone()).into()),
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
            Self::Patterns(_, database) => match database.header().orbit.shape() {
                served if served == shape.tall() => Ok(Arc::clone(database)),
                served => Err(Reason::OtherPatterns(served).into()),
            },
            Self::Store(Shelf { store, databases, .. }) => {
                let make =
                    |listener: Listener<'_>| policy.patterns(store, goal, listener).map(Arc::new);
                // A partition given by its tiles depends on the goal itself, so a slot for the orbit cannot hold it.
                if policy.pattern.is_some() {
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
