//! `tilebase verify`: the proof that tables are right.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tilebase::{Advance, Builder, Encoding, Flaw, Header, Table, TableError};

use super::{Global, console::Console, cost, progress::Progress, tables};

/// Prove that tables are right: those of the store, or the files named
///
/// Reads every byte and compares it with its checksum, then proves every distance. A table of a byte a board is proved
/// from the neighbours, without trusting the builder: only the goal has 0, every other board has a neighbour that is
/// nearer by one, and neighbours always differ by one. One of a bit a board is compared, level by level, with a search
/// from the goal. Prints PATH<TAB>ok, or what is wrong and where.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Table files [default: all of the store]
    #[arg(value_name = "TABLE")]
    tables: Vec<PathBuf>,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Finding {
    path: String,
    ok: bool,
    flaw: Option<String>,
}

impl Verify {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let stored = self.tables.is_empty();
        let tables = tables::named_or_stored(self.tables, global)?;
        if tables.is_empty() {
            bail!("no table in {}: `tilebase build` makes one", global.store()?.dir().display());
        }
        for path in tables {
            let flaw = match tables::open(&path) {
                Ok(table) if stored && path != proper_path(&table, global)? => {
                    let Header { orbit, encoding, .. } = *table.header();
                    Some(TableError::Misnamed { orbit, encoding }.to_string())
                }
                Ok(table) => {
                    if let Err(error) = check_memory(&table) {
                        console.error(format_args!("{}: {error}", path.display()));
                        continue;
                    }
                    let progress = Progress::uneven(table.header().boards, !console.is_quiet());
                    let watch = |advance: Advance| progress.advance(&advance);
                    match table.verify_watched(global.threads(), watch) {
                        Err(flaw @ Flaw::Memory(_)) => {
                            drop(progress);
                            console.error(format_args!("{} {flaw}", path.display()));
                            continue;
                        }
                        proof => proof.err().map(|flaw| flaw.to_string()),
                    }
                }
                Err(error @ (TableError::Io(_) | TableError::NotAFile)) => {
                    console.error(format_args!("{} {error}", path.display()));
                    continue;
                }
                Err(error) => Some(error.to_string()),
            };
            if flaw.is_some() {
                console.no();
            }
            let path = path.display();
            if self.json {
                console.json(&Finding { path: path.to_string(), ok: flaw.is_none(), flaw })?;
            } else {
                console.line(format_args!("{path}\t{}", flaw.as_deref().unwrap_or("ok")))?;
            }
        }
        Ok(())
    }
}

/// Refuses what the machine has not the memory to prove.
fn check_memory(table: &Table) -> Result<()> {
    let Header { orbit, encoding, .. } = *table.header();
    match encoding {
        Encoding::Bit => cost::check_memory(Builder::new(orbit)?.census_memory()),
        _ => Ok(()),
    }
}

/// Where the store would keep a table.
fn proper_path(table: &Table, global: &Global) -> Result<PathBuf> {
    Ok(global.store()?.path(table.header().orbit, table.header().encoding))
}
