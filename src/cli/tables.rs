//! Table files: opened, listed, and fetched from the store with a word on how.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result};
use tilebase::{Board, BuildError, Encoding, Orbit, Origin, Store, Table, TableError};

use super::{Global, console::Console};

/// The tables that are named, or else those of the store.
pub(super) fn named_or_stored(named: Vec<PathBuf>, global: &Global) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named);
    }
    let store = global.store()?;
    store.tables().with_context(|| store.dir().display().to_string())
}

/// Opens a table file for as long as the program runs.
pub(super) fn open(path: &Path) -> Result<Table, TableError> {
    // SAFETY: nothing in this program changes or truncates a table file: they are written under another
    // name and renamed. That nobody else does so while it runs is asked of the user, in the README.
    unsafe { Table::map(path) }
}

/// The table for a goal from the store, built on the way if need be.
pub(super) fn fetch(store: &Store, goal: &Board, console: &mut Console) -> Result<Table> {
    let start = Instant::now();
    let shape = goal.shape();
    let fetched = store
        .fetch(Orbit::of(goal), Encoding::Distance, open)
        // Of the shape that was asked for, not the tall one.
        .map_err(|_| BuildError(shape))?;
    let path = fetched.path.display();
    let took = start.elapsed();
    let built = format!("built the table for goal {goal} ({shape}) in {took:.0?}");
    let wrong =
        |error: Option<TableError>| error.map_or_else(String::new, |e| format!("{path} {e}; "));
    match fetched.origin {
        Origin::Found => {}
        Origin::Built { replaced } => {
            console.note(format_args!("{}{built}: {path}", wrong(replaced)));
        }
        Origin::InMemory { found, error: None } => {
            console.note(format_args!(
                "{}{built}, in memory only, and left the file alone",
                wrong(found)
            ));
        }
        Origin::InMemory { found, error: Some(error) } => console.note(format_args!(
            "{}{built}, in memory only, as {path} cannot be written: {error}",
            wrong(found)
        )),
    }
    Ok(fetched.table)
}
