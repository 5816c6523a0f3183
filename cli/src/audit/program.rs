//! A program that gives the values of a heuristic.

use std::{ops::ControlFlow, sync::atomic::AtomicBool, time::Duration};

use anyhow::{Result, ensure};
use tilebase::table::Oracle;

use crate::{
    audit::values,
    console::Console,
    interruption,
    progress::Progress,
    stream::lines::{Answer, Lines},
    template::Template,
};

/// The most bytes that an answer may have.
const LONGEST: usize = 64 * 1024;

/// The number of boards without a value that are complained about one by one. If these are the first boards, the
/// program is given up.
const ENOUGH: usize = 5;

/// Asks a command of the shell for the value of each board, a line each, with `timeout` for each.
///
/// The values are in the order of the index, NaN for a board without a value.
pub(crate) fn ask(
    command: &str,
    template: &Template,
    timeout: Duration,
    oracle: &Oracle,
    console: &mut Console,
) -> Result<Vec<f64>> {
    Lines::check(command)?;
    template.check_line(oracle.goal(), oracle.goal())?;
    let space = oracle.space();
    let indices: Vec<_> = space.indices().collect();
    let board = |number: usize| space.board(indices[number]);
    let line = |number| template.line(&board(number), oracle.goal());
    interruption::stop_when_interrupted();
    let progress = Progress::new(indices.len() as u64, !console.is_quiet());
    let numbers: Vec<_> = (0..indices.len()).collect();
    let mut asked = Asked { values: vec![f64::NAN; indices.len()], valued: 0, failed: 0 };
    let mut lines = Lines::new(command, timeout, LONGEST);
    lines.ask(&numbers, line, &AtomicBool::new(false), |number, answer, _| {
        let complaint = asked.add(number, answer);
        progress.step(String::new);
        let Some(complaint) = complaint.filter(|_| asked.failed <= ENOUGH) else {
            return ControlFlow::Continue(());
        };
        let told = progress.print(console, |console| {
            console.error(format_args!("{}: {complaint}", board(number)));
            Ok(())
        });
        match told {
            Ok(()) if !asked.is_hopeless() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    })?;
    let failed = asked.failed;
    ensure!(!asked.is_hopeless(), "gave up after {failed} boards without a number");
    if failed > ENOUGH {
        console.error(format_args!("boards without a number in all: {failed}"));
    }
    lines.oddities().complain(console);
    Ok(asked.values)
}

/// The values that the program has given.
struct Asked {
    values: Vec<f64>,
    /// The number of boards with a value.
    valued: usize,
    /// The number of boards without one.
    failed: usize,
}

impl Asked {
    /// Takes the value from an answer, or tells why there is none.
    fn add(&mut self, number: usize, answer: Answer) -> Option<String> {
        let value = match answer {
            Ok(line) => {
                let text = String::from_utf8_lossy(&line);
                let text = text.rsplit('\t').next().unwrap_or_default().trim();
                values::number(text).ok_or_else(|| format!("{text:?} is no number"))
            }
            Err(mishap) => Err(mishap.to_string()),
        };
        match value {
            Ok(value) => {
                self.values[number] = value;
                self.valued += 1;
                None
            }
            Err(complaint) => {
                self.failed += 1;
                Some(complaint)
            }
        }
    }

    fn is_hopeless(&self) -> bool {
        self.valued == 0 && self.failed >= ENOUGH
    }
}
