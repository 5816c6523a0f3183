//! `tilebase audit`: judges a heuristic.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use tilebase::Oracle;

use crate::{
    audit::{json::AuditJson, program, values},
    console::Console,
    cost,
    global::Global,
    input::Input,
    interruption,
    question::Question,
    search::HeuristicName,
    seconds, tables,
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
    #[arg(value_name = "HEURISTIC", conflicts_with_all = ["file", "program"])]
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
        let oracle = self.question.oracle(global, console)?;
        // All values are in memory at once, one for each board.
        cost::check_memory(size_of::<f64>() as u64 * oracle.table().header().boards)?;
        let oracle = tables::legible(&oracle, global.threads(), console)?;
        let audit = match (self.heuristic, &self.program) {
            (Some(named), _) => self.of_named(named, &oracle, global, console)?,
            (None, Some(command)) => {
                let values = program::ask(command, &self.send, self.timeout, &oracle, console)?;
                of_values(&values, &oracle)?
            }
            (None, None) => of_values(&values::read(&self.input, &oracle, console)?, &oracle)?,
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

    /// Audits a heuristic that has a name.
    fn of_named(
        &self,
        name: HeuristicName,
        oracle: &Oracle,
        global: &Global,
        console: &mut Console,
    ) -> Result<tilebase::Audit> {
        let mut oracles = self.question.oracles(global)?;
        let patterns = match name {
            HeuristicName::Pattern => {
                let shape = oracle.goal().shape();
                Some(&*oracles.patterns(shape, console).map_err(|why| anyhow!("{why}"))?)
            }
            _ => None,
        };
        let heuristic = name.heuristic(oracle.goal(), Some(oracle), patterns)?;
        let heuristic = heuristic.expect("there are a table and patterns");
        Ok(oracle.audit(|board| heuristic.estimate(board).into())?)
    }
}

/// Audits values in the order of the index.
fn of_values(values: &[f64], oracle: &Oracle) -> Result<tilebase::Audit> {
    let mut values = values.iter();
    // The boards come in the order of the index.
    Ok(oracle.audit(|_| values.next().copied().unwrap_or(f64::NAN))?)
}
