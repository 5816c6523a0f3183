//! `tilebase build`: a table for a shape and a goal.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tilebase::{Encoding, Orbit, Table, TableError};

use super::{
    Global,
    console::Console,
    question::{self, Target},
};

/// Build a table, and print its path
///
/// One table serves every goal whose blank comes to the same cell when the board is turned or mirrored
/// (three tables serve all goals of 3x3). A table that is there and right is left alone.
#[derive(Debug, Args)]
pub(super) struct Build {
    #[command(flatten)]
    target: Target,
    /// How the table stores distances
    #[arg(long, value_name = "ENCODING", default_value = "distance", value_parser = ["distance"])]
    encoding: String,
    /// Write to this file instead of the store
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build anew what is there, and replace any file
    #[arg(long)]
    force: bool,
}

impl Build {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let orbit = Orbit::of(&self.target.frame()?.only_goal());
        let path = match &self.output {
            Some(path) => path.clone(),
            None => global.store()?.path(orbit, Encoding::Distance),
        };
        if self.force || !self.is_there(&path, orbit)? {
            let start = Instant::now();
            let table = Table::build(orbit)?;
            if let (None, Some(folder)) = (&self.output, path.parent()) {
                fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            }
            table.save(&path).with_context(|| path.display().to_string())?;
            let boards = table.header().boards;
            console.note(format_args!("{boards} boards of {orbit} in {:.0?}", start.elapsed()));
        }
        console.line(path.display())
    }

    /// Whether the path holds the table already. A file that it is not for us to replace is an error.
    fn is_there(&self, path: &Path, orbit: Orbit) -> Result<bool> {
        match question::open(path) {
            Ok(table) if table.header().orbit == orbit => Ok(true),
            Err(TableError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            // The store is ours, and so is what is left of a table.
            _ if self.output.is_none() => Ok(false),
            Ok(table) => {
                let other = table.header().orbit;
                bail!("{} is a table for {other}; --force replaces it", path.display())
            }
            Err(
                error @ (TableError::NotATable | TableError::Empty | TableError::Version { .. }),
            ) => {
                bail!("{} {error}; --force replaces it", path.display())
            }
            Err(error @ (TableError::Io(_) | TableError::NotAFile)) => {
                bail!("{} {error}", path.display())
            }
            Err(_) => Ok(false),
        }
    }
}
