//! `tilebase audit`: judges a heuristic.

use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use tilebase::{Listener, search::HeuristicName, table::Oracle, tablebase::cost};

use crate::{
    audit::{json::AuditJson, program, values},
    console::Console,
    global::Global,
    input::Input,
    interruption,
    listening::listening,
    question::Question,
    search, seconds,
    template::Template,
};

/// Judge a heuristic over every board
///
/// The heuristic is one that tilebase knows by name, or a program, or else its values are read, a line
/// POSITION<TAB>VALUE for each of some or all boards. Says whether it is admissible (it never exceeds the distance) and
/// consistent (no move changes it by more than one), with the smallest counterexample, and how good it is.
///
/// The exit code is 1 if it is not admissible or not consistent.
#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// A heuristic by name [default: values from standard input]
    #[arg(value_name = "HEURISTIC", value_parser = search::heuristic(), conflicts_with_all = ["file", "program"])]
    heuristic: Option<HeuristicName>,
    /// Run this command of the shell, which reads a position in each line and prints a number for each
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    program: Option<String>,
    /// Send this to the program: a line with {digits}, {list} or {json} for the board, {list:x} for x as the blank
    #[arg(long, value_name = "TEMPLATE", default_value = r"{digits}\n", requires = "program")]
    send: Template,
    /// Seconds that the program may take for a number
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds::parse, requires = "program")]
    timeout: Duration,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    question: Question,
}

impl Audit {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let tablebase = self.question.tablebase(global, None)?;
        let shape = tablebase.goals().only().shape();
        let oracle = listening(console, |listener| tablebase.oracle(shape, listener))?;
        // All values are in memory at once, one for each board.
        cost::check_memory(size_of::<f64>() as u64 * oracle.table().header().boards)?;
        let oracle = listening(console, |listener| tablebase.every_distance(shape, listener))?;
        let audit = match (self.heuristic, &self.program) {
            (Some(name), _) => {
                let named = |listener: Listener<'_>| tablebase.heuristic(name, shape, listener);
                let heuristic = listening(console, named)?;
                tilebase::judge::Audit::of(oracle, |board| heuristic.estimate(board).into())?
            }
            (None, Some(command)) => {
                let values = program::ask(command, &self.send, self.timeout, oracle, console)?;
                of_values(&values, oracle)?
            }
            (None, None) => of_values(&values::read(&self.input, oracle, console)?, oracle)?,
        };
        if interruption::is_interrupted() {
            console.note("interrupted: this is what is known so far");
            console.interrupted();
        } else {
            ensure!(audit.boards > 0, "no board has a value");
        }
        if !audit.is_admissible() || !audit.is_consistent() {
            console.no();
        }
        if self.question.json {
            console.json(&AuditJson::new(oracle.goal(), &audit))
        } else {
            console.line(&audit)
        }
    }
}

/// Audits values in the order of the index.
fn of_values(values: &[f64], oracle: &Oracle) -> Result<tilebase::judge::Audit> {
    let mut values = values.iter();
    // The boards come in the order of the index.
    Ok(tilebase::judge::Audit::of(oracle, |_| values.next().copied().unwrap_or(f64::NAN))?)
}
