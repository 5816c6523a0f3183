//! `tilebase merge`: makes one file from a table in parts.

use std::{io, path::PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use tilebase::tablebase::{cost, quantity::Bytes};

use crate::{
    console::Console, global::Global, interruption, listening::go_on, progress::Progress, tables,
};

/// Make one file from a table that is in parts, and print its path
///
/// The file has the same bytes as one that a single process builds. All parts are first compared with their
/// checksums. The parts are not deleted, but they are no longer needed.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The table: the file that names the parts. The parts are searched for at the paths in that file, relative to its
    /// folder
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Write to this file instead, and keep the one that names the parts
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace any file
    #[arg(long)]
    force: bool,
}

impl Merge {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let shown = self.table.display().to_string();
        let table = tables::open_file(&self.table)?;
        ensure!(table.parts() > 0, "{shown} is not in parts");
        let path = self.output.as_ref().unwrap_or(&self.table);
        let is_new = self.output.is_none() || !path.exists();
        ensure!(is_new || self.force, "{} is there; --force replaces it", path.display());
        cost::check_disk(table.length(), path)?;
        let damage = table.check_payload(global.threads());
        damage.map_err(|damage| anyhow!("{shown} has a damaged payload: {damage}"))?;
        let progress = Progress::uneven(table.length(), !console.is_quiet());
        let saved = interruption::interruptible(|| {
            table.save_watched(path, |written| {
                progress.at(written, || format!("{} written", Bytes(written)));
                go_on()
            })
        });
        drop(progress);
        match saved {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                console.interrupted();
                Ok(())
            }
            saved => {
                saved.with_context(|| path.display().to_string())?;
                console.line(path.display())
            }
        }
    }
}
