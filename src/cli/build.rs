//! `tilebase build`: a table for a shape and a goal.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tilebase::{Board, BuildError, Encoding, Fetched, Orbit, Origin, Store, Table, TableError};

use super::{Global, console::Console, question::Target, tables};

/// Build a table, and print its path
///
/// One table serves every goal whose blank comes to the same cell when the board is turned or mirrored
/// (three tables serve all goals of 3x3). A table that is there and right is left alone.
#[derive(Debug, Args)]
pub(super) struct Build {
    #[command(flatten)]
    target: Target,
    /// How the table stores distances: distance, a byte a board
    #[arg(long, value_name = "ENCODING", default_value = "distance")]
    encoding: Encoding,
    /// Write to this file instead of the store
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build anew what is there, and replace any file
    #[arg(long)]
    force: bool,
}

impl Build {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let goal = self.target.frame()?.only_goal();
        let path = match &self.output {
            Some(path) => {
                self.build_file(path, &goal, console)?;
                path.clone()
            }
            None => self.build_stored(&global.store()?, &goal, console)?,
        };
        console.line(path.display())
    }

    /// Builds a table in the store, and says where.
    fn build_stored(&self, store: &Store, goal: &Board, console: &mut Console) -> Result<PathBuf> {
        let orbit = Orbit::of(goal);
        let path = store.path(orbit, self.encoding);
        if self.force {
            let table = build(goal, console)?;
            store.keep(&table).with_context(|| path.display().to_string())?;
            return Ok(path);
        }
        let Fetched { table, origin, .. } = store
            .fetch(orbit, self.encoding, tables::open)
            .map_err(|_| BuildError(goal.shape()))?;
        let path = path.display();
        match origin {
            Origin::Found => {}
            Origin::Built { .. } => note(&table, console),
            Origin::InMemory { error: Some(error), .. } => bail!("{path}: {error}"),
            Origin::InMemory { found, .. } => {
                let found = found.map_or_else(String::new, |found| found.to_string());
                bail!("{path} {found}; --force replaces it")
            }
        }
        Ok(store.path(orbit, self.encoding))
    }

    /// Builds a table in a file of the user's, who may have something else there.
    fn build_file(&self, path: &Path, goal: &Board, console: &mut Console) -> Result<()> {
        let orbit = Orbit::of(goal);
        let there = match tables::open(path) {
            _ if self.force => false,
            Ok(table) if table.header().orbit == orbit => true,
            Ok(table) => {
                let other = table.header().orbit;
                bail!("{} is a table for {other}; --force replaces it", path.display())
            }
            Err(TableError::Io(error)) if error.kind() == io::ErrorKind::NotFound => false,
            Err(
                error @ (TableError::NotATable | TableError::Empty | TableError::Version { .. }),
            ) => {
                bail!("{} {error}; --force replaces it", path.display())
            }
            Err(error @ (TableError::Io(_) | TableError::NotAFile)) => {
                bail!("{} {error}", path.display())
            }
            // What is left of a table.
            Err(_) => false,
        };
        if there {
            return Ok(());
        }
        build(goal, console)?.save(path).with_context(|| path.display().to_string())
    }
}

fn build(goal: &Board, console: &mut Console) -> Result<Table> {
    let table = Table::build(Orbit::of(goal)).map_err(|_| BuildError(goal.shape()))?;
    note(&table, console);
    Ok(table)
}

fn note(table: &Table, console: &mut Console) {
    let header = table.header();
    console.note(format_args!("built {} boards of {}", header.boards, header.orbit));
}
