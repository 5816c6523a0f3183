//! The output of rows as they come.

use anyhow::Result;

use crate::{
    comparison::{columns, row::Row},
    console::Console,
};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFormat {
    /// A JSON object for each row.
    Json,
    /// A line of values for each row, under a head.
    Values { delimiter: u8 },
    /// One table at the end.
    Table,
}

/// Writes rows, and keeps them.
pub(crate) struct RowWriter {
    format: RowFormat,
    pub(crate) rows: Vec<Row>,
}

impl RowWriter {
    pub(crate) fn new(format: RowFormat) -> Self {
        Self { format, rows: vec![] }
    }

    /// Takes the rows of a position.
    pub(crate) fn write(&mut self, rows: Vec<Row>, console: &mut Console) -> Result<()> {
        match self.format {
            RowFormat::Json => rows.iter().try_for_each(|row| console.json(row))?,
            RowFormat::Values { delimiter } => {
                if self.rows.is_empty() && !rows.is_empty() {
                    write_values(&Row::HEAD.map(str::to_owned), delimiter, console)?;
                }
                rows.iter().try_for_each(|row| write_values(&row.cells(), delimiter, console))?;
            }
            RowFormat::Table => {}
        }
        self.rows.extend(rows);
        console.flush()
    }

    /// Writes what is written at the end.
    pub(crate) fn finish(&self, console: &mut Console) -> Result<()> {
        match self.format {
            RowFormat::Table => columns::print(&self.rows, console),
            RowFormat::Json | RowFormat::Values { .. } => Ok(()),
        }
    }
}

/// Writes a line of values.
fn write_values(cells: &[String], delimiter: u8, console: &mut Console) -> Result<()> {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(vec![]);
    writer.write_record(cells)?;
    console.bytes(&writer.into_inner()?)
}
