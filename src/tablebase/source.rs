//! Where tables and pattern databases come from: a store, or one file. What is opened is shared by all goals and threads.

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

/// What a tablebase is opened on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A store: its files, and those that are built on the way and kept there.
    Store(Store),
    /// One file, and nothing else: a table or a pattern database.
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

/// The files of a store that are open: one of each kind for an orbit.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) store: Store,
    tables: Slots<Table>,
    databases: Slots<PatternDatabase>,
}

/// A slot for each orbit. The lock is held only to find the slot, not while it is filled.
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

    /// The one file, and the orbit that it serves.
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
                // A partition that is asked for by its tiles depends on the goal and not on its orbit alone.
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
