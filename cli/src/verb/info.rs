//! `tilebase info`: the facts in the headers of table files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilebase::table::TableFile;

use crate::{console::Console, global::Global, tables};

/// Show the facts about tables: those in the store, or the named files
#[derive(Debug, Args)]
pub(crate) struct Info {
    /// Table files [default: all in the store]
    #[arg(value_name = "TABLE")]
    tables: Vec<PathBuf>,
    /// Write one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Facts {
    shape: String,
    home: usize,
    kind: &'static str,
    /// The partition of a pattern database.
    pattern: Option<String>,
    encoding: &'static str,
    /// The number of boards; for a pattern database, the number of entries.
    boards: u64,
    radius: u32,
    mean: f64,
    bytes: u64,
    /// The number of parts that the table is in; 0 if it is one file.
    parts: usize,
    checksum: String,
    path: String,
}

impl Info {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let named = !self.tables.is_empty();
        let tables = tables::named_or_stored(self.tables, global)?;
        if !named {
            let empty =
                if tables.is_empty() { "; `tilebase build` makes a table there" } else { "" };
            console.note(format_args!("the store is {}{empty}", global.store()?.dir().display()));
        }
        for (number, path) in tables.iter().enumerate() {
            match tables::open_file(path) {
                Ok(table) if self.json => console.json(&Facts::new(path, &table))?,
                Ok(table) => {
                    if number > 0 {
                        console.line("")?;
                    }
                    Facts::new(path, &table).print(console)?;
                }
                Err(error) => console.error(error),
            }
        }
        Ok(())
    }
}

impl Facts {
    fn new(path: &Path, table: &TableFile) -> Self {
        let header = table.header();
        Self {
            shape: header.orbit.shape().to_string(),
            home: header.orbit.home(),
            kind: header.kind.name(),
            pattern: header.partition.as_ref().map(ToString::to_string),
            encoding: header.encoding.name(),
            boards: header.boards,
            radius: header.radius(),
            mean: header.mean(),
            bytes: table.length(),
            parts: table.parts(),
            checksum: format!("{:08x}", table.checksum()),
            path: path.display().to_string(),
        }
    }

    fn print(&self, console: &mut Console) -> Result<()> {
        let mut line =
            |key, value: &dyn std::fmt::Display| console.line(format_args!("{key:<15}{value}"));
        line("shape", &self.shape)?;
        line("home", &self.home)?;
        line("kind", &self.kind)?;
        if let Some(pattern) = &self.pattern {
            line("pattern", pattern)?;
        }
        line("encoding", &self.encoding)?;
        line(if self.pattern.is_some() { "entries" } else { "boards" }, &self.boards)?;
        line("radius", &self.radius)?;
        line("mean distance", &format_args!("{:.4}", self.mean))?;
        line("bytes", &self.bytes)?;
        if self.parts > 0 {
            line("parts", &self.parts)?;
        }
        line("checksum", &self.checksum)?;
        line("path", &self.path)
    }
}
