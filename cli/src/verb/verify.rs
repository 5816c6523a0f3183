//! `tilebase verify`: proves that tables are right.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use tilebase::{
    Threads,
    pattern::PatternDatabase,
    sweep::Advance,
    table::{Builder, Encoding, Flaw, Table, TableError, TableErrorKind, TableFile},
    tablebase::cost,
};

use crate::{console::Console, global::Global, progress::Progress, tables};

/// Prove that tables are right: those in the store, or the named files
///
/// Reads all bytes and compares them with their checksums, then proves every distance. A table with one byte per board
/// is proved from the neighbours, without trust in the builder. Only the goal has distance 0, every other board has a
/// neighbour that is nearer by one, and neighbours always differ by one. A table with one bit per board is compared,
/// level by level, with a new search from the goal. The distances of a pattern database are computed again, proved from
/// the neighbours, and compared. Prints PATH<TAB>ok, or what is wrong and where.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Table files [default: all in the store]
    #[arg(value_name = "TABLE")]
    tables: Vec<PathBuf>,
    /// Write one JSON object per line
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
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let stored = self.tables.is_empty();
        let tables = tables::named_or_stored(self.tables, global)?;
        if tables.is_empty() {
            bail!("no table in {}: `tilebase build` makes one", global.store()?.dir().display());
        }
        for path in tables {
            let flaw = match tables::open_file(&path) {
                Ok(file) if stored && path != global.store()?.path_of(file.header()) => {
                    Some(file.header().misnamed().to_string())
                }
                Ok(file) => {
                    let progress = Progress::uneven(file.header().boards, !console.is_quiet());
                    let proof = prove(file, global.threads(), &progress);
                    drop(progress);
                    match proof {
                        Ok(()) => None,
                        Err(error) => match error.downcast::<Flaw>() {
                            // Without enough memory, the table is proved neither right nor wrong.
                            Ok(Flaw::Memory(error)) => {
                                console.error(format_args!(
                                    "{} cannot be proved, because there is not enough memory: {error}",
                                    path.display()
                                ));
                                continue;
                            }
                            Ok(Flaw::Bytes(damage)) => {
                                Some(format!("has a damaged payload: {damage}"))
                            }
                            Ok(flaw) => Some(flaw.to_string()),
                            Err(error) => {
                                console.error(format_args!("{}: {error}", path.display()));
                                continue;
                            }
                        },
                    }
                }
                Err(error) => match error.kind() {
                    TableErrorKind::Io(_) | TableErrorKind::NotAFile => {
                        console.error(error);
                        continue;
                    }
                    kind => Some(kind.to_string()),
                },
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

/// Proves a table or a pattern database, if the machine has the memory.
fn prove(file: TableFile, threads: Threads, progress: &Progress) -> Result<()> {
    let watch = |advance: Advance| progress.advance(&advance);
    if file.header().partition.is_some() {
        let database = PatternDatabase::try_from(file).map_err(without_path)?;
        cost::check_memory(database.verify_memory())?;
        return Ok(database.verify_watched(threads, watch)?);
    }
    let table = Table::try_from(file).map_err(without_path)?;
    if table.header().encoding == Encoding::Bit {
        cost::check_memory(Builder::new(table.header().orbit)?.census_memory())?;
    }
    Ok(table.verify_watched(threads, watch)?)
}

/// An error about a file, without the path, which the caller prints.
fn without_path(error: TableError) -> anyhow::Error {
    anyhow!("{}", error.kind())
}
