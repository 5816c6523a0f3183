//! The values of a heuristic, a number for each board of a table.

use std::ops::ControlFlow;

use anyhow::{Result, bail};
use tilebase::{index::Space, table::Oracle};

use crate::{
    console::Console,
    input::{Input, Line},
    records::{self, Record},
};

/// Reads the values of the input. They are in the order of the index, NaN for a board without a value.
pub(crate) fn read(input: &Input, oracle: &Oracle, console: &mut Console) -> Result<Vec<f64>> {
    let space = oracle.space();
    let mut read =
        Read { values: vec![f64::NAN; space.boards() as usize], given: 0, unsolvable: 0 };
    let notation = input.notation(Some(oracle.goal().shape()));
    input.lines("values", records::LONGEST_LINE, console, |line, console| {
        if let Some(record) = records::record(&line, "a value", &notation) {
            read.add(&record, &line, space, console);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if read.given == 0 {
        bail!("no value in the input: expected lines of a position, a tab and a number");
    }
    if read.unsolvable > 0 {
        console.note(format_args!("unsolvable positions, left out: {}", read.unsolvable));
    }
    Ok(read.values)
}

/// A number that can be a value.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// The values that have been read.
struct Read {
    values: Vec<f64>,
    /// The number of records.
    given: u64,
    /// The number of records about a board that cannot reach the goal.
    unsolvable: u64,
}

impl Read {
    /// Adds the value of a record, or complains about it.
    fn add(&mut self, record: &Record<'_>, line: &Line<'_>, space: &Space, console: &mut Console) {
        self.given += 1;
        let text = record.value.unwrap_or_default().trim();
        let (board, value) = match (&record.board, number(text)) {
            (Err(complaint), _) => return console.error(complaint),
            (Ok(_), None) => {
                let place = line.place();
                return console
                    .error(format_args!("{place}: {text:?} is no value: expected a number"));
            }
            (Ok(board), Some(value)) => (board, value),
        };
        let Some(index) = space.index(board) else {
            self.unsolvable += 1;
            return;
        };
        let known = &mut self.values[index.get() as usize];
        if !known.is_nan() && *known != value {
            console.error(format_args!(
                "{}: {board} has the value {value} here, and {known} before; the last one counts",
                line.place()
            ));
        }
        *known = value;
    }
}
