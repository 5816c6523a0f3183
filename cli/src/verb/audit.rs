//! `tilebase audit`: what a heuristic is worth.

use std::{ops::ControlFlow, sync::atomic::AtomicBool, time::Duration};

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use serde::Serialize;
use tilebase::{Audit as Findings, Estimate, Oracle};

use crate::{
    console::Console,
    cost,
    global::Global,
    interruption,
    positions::Input,
    progress::Progress,
    question::Question,
    records::{self, Record},
    search::HeuristicName,
    seconds,
    stream::{Answer, Lines},
    tables,
    template::Template,
};

/// Judge a heuristic over every board
///
/// The heuristic is one that tilebase knows by name, or a program, or else its values are read: a line
/// POSITION<TAB>VALUE each, for all boards or some. Says whether it is admissible (it never exceeds the distance) and
/// consistent (no move changes it by more than one), with the smallest counterexample, and how good it is.
///
/// The exit code is 1 if it is not admissible or not consistent.
#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// A heuristic by name [default: values from standard input]
    #[arg(value_name = "HEURISTIC", conflicts_with_all = ["file", "program"])]
    heuristic: Option<HeuristicName>,
    /// Run this command of the shell: it reads a position a line, and prints a number a line
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

/// What was found, as JSON.
#[derive(Serialize)]
struct Facts {
    shape: String,
    goal: String,
    boards: u64,
    missing: u64,
    admissible: bool,
    overestimated: u64,
    largest_overestimate: Option<Fact>,
    smallest_overestimate: Option<Fact>,
    /// Null if no two neighbours have values.
    consistent: Option<bool>,
    edges: u64,
    inconsistent: u64,
    smallest_inconsistency: Option<[Fact; 2]>,
    at_goal: Option<f64>,
    mean: f64,
    mean_ratio: f64,
    largest_gap: Option<Fact>,
    levels: Vec<FactsOfLevel>,
}

#[derive(Serialize)]
struct Fact {
    position: String,
    distance: u32,
    value: f64,
}

#[derive(Serialize)]
struct FactsOfLevel {
    distance: usize,
    boards: u64,
    least: f64,
    mean: f64,
    greatest: f64,
}

impl From<&Estimate> for Fact {
    fn from(estimate: &Estimate) -> Self {
        let Estimate { board, distance, value } = estimate;
        Self { position: board.to_string(), distance: *distance, value: *value }
    }
}

impl Audit {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let oracle = self.question.oracle(global, console)?;
        // A value a board, in memory at once.
        cost::check_memory(size_of::<f64>() as u64 * oracle.table().header().boards)?;
        let oracle = tables::legible(&oracle, global.threads(), console)?;
        let findings = match (self.heuristic, &self.program) {
            (Some(named), _) => {
                let mut oracles = self.question.oracles(global)?;
                let patterns = match named {
                    HeuristicName::Pattern => {
                        let shape = oracle.goal().shape();
                        Some(&*oracles.patterns(shape, console).map_err(|why| anyhow!("{why}"))?)
                    }
                    _ => None,
                };
                let heuristic = named.heuristic(oracle.goal(), Some(&oracle), patterns)?;
                let heuristic = heuristic.expect("there are a table and patterns");
                oracle.audit(|board| heuristic.estimate(board).into())?
            }
            (None, Some(program)) => audit(&oracle, &self.ask(program, &oracle, console)?)?,
            (None, None) => audit(&oracle, &self.read(&oracle, console)?)?,
        };
        if interruption::is_interrupted() {
            console.note("interrupted: this is what is known so far");
            console.interrupted();
        } else {
            ensure!(findings.boards > 0, "no board has a value");
        }
        if !findings.is_admissible() || !findings.is_consistent() {
            console.no();
        }
        if self.question.json {
            console.json(&facts(&oracle, &findings))
        } else {
            console.line(&findings)
        }
    }

    /// The values of the input by index, NaN where there is none.
    fn read(&self, oracle: &Oracle, console: &mut Console) -> Result<Vec<f64>> {
        let space = oracle.space();
        let mut values = vec![f64::NAN; space.boards() as usize];
        let notation = self.input.notation(Some(oracle.goal().shape()));
        let (mut given, mut unsolvable) = (0u64, 0u64);
        self.input.lines("values", records::LONGEST_LINE, console, |line, console| {
            let Some(Record { board, value, .. }) = records::record(&line, "a value", &notation)
            else {
                return Ok(ControlFlow::Continue(()));
            };
            given += 1;
            let value = value.unwrap_or_default().trim();
            match (board, number(value)) {
                (Err(complaint), _) => console.error(complaint),
                (Ok(_), None) => {
                    let place = line.place();
                    console.error(format_args!("{place}: {value:?} is no value: expected a number"));
                }
                (Ok(board), Some(value)) => match space.index(&board) {
                    None => unsolvable += 1,
                    Some(index) => {
                        let known = &mut values[index.get() as usize];
                        if !known.is_nan() && *known != value {
                            console.error(format_args!(
                                "{}: {board} has the value {value} here, and {known} before; the last one counts",
                                line.place()
                            ));
                        }
                        *known = value;
                    }
                },
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if given == 0 {
            bail!("no value in the input: expected lines of a position, a tab and a number");
        }
        if unsolvable > 0 {
            console.note(format_args!("unsolvable positions, left out: {unsolvable}"));
        }
        Ok(values)
    }

    /// The values that a program has for all boards, NaN where it has none.
    fn ask(&self, program: &str, oracle: &Oracle, console: &mut Console) -> Result<Vec<f64>> {
        const LONGEST: usize = 64 * 1024;
        /// So many failures and no value say that nothing will come of it; more are not told one by one.
        const ENOUGH: usize = 5;
        let space = oracle.space();
        let indices: Vec<_> = space.indices().collect();
        let mut values = vec![f64::NAN; indices.len()];
        let board = |number: usize| space.board(indices[number]);
        let line = |number| self.send.line(&board(number), oracle.goal());
        Lines::check(program)?;
        self.send.check_line(oracle.goal(), oracle.goal())?;
        interruption::stop_when_interrupted();
        let progress = Progress::new(indices.len() as u64, !console.is_quiet());
        let numbers: Vec<_> = (0..indices.len()).collect();
        let (mut valued, mut failed) = (0u64, 0);
        let mut lines = Lines::new(program, self.timeout, LONGEST);
        lines.ask(&numbers, line, &AtomicBool::new(false), |number_of_board, answer, _| {
            let complaint = match answer {
                Answer::Line(line) => {
                    let text = String::from_utf8_lossy(&line);
                    let text = text.rsplit('\t').next().unwrap_or_default().trim();
                    match number(text) {
                        Some(value) => {
                            values[number_of_board] = value;
                            valued += 1;
                            None
                        }
                        None => Some(format!("{text:?} is no number")),
                    }
                }
                Answer::Ended(ending) => {
                    Some(format!("the program ended without an answer: {ending}"))
                }
                Answer::Late => Some(format!("no answer in {:?}", self.timeout)),
                Answer::Long => Some("the answer does not end".to_owned()),
            };
            progress.step(String::new);
            let Some(complaint) = complaint else { return ControlFlow::Continue(()) };
            failed += 1;
            if failed > ENOUGH {
                return ControlFlow::Continue(());
            }
            let complaint = format!("{}: {complaint}", board(number_of_board));
            let said = progress.print(console, |console| {
                console.error(&complaint);
                Ok(())
            });
            match said {
                Ok(()) if failed < ENOUGH || valued > 0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        ensure!(valued > 0 || failed < ENOUGH, "gave up after {failed} boards without a number");
        if failed > ENOUGH {
            console.error(format_args!("boards without a number in all: {failed}"));
        }
        lines.oddities().complain(console);
        Ok(values)
    }
}

/// Audits values by index.
fn audit(oracle: &Oracle, values: &[f64]) -> Result<Findings> {
    let mut values = values.iter();
    // The boards come in the order of the index.
    Ok(oracle.audit(|_| values.next().copied().unwrap_or(f64::NAN))?)
}

/// A number that can be a value.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

fn facts(oracle: &Oracle, findings: &Findings) -> Facts {
    let levels = findings.levels.iter().enumerate().filter(|(_, level)| level.boards > 0);
    let level = |(distance, level): (usize, &tilebase::Level)| FactsOfLevel {
        distance,
        boards: level.boards,
        least: level.least,
        mean: level.mean(),
        greatest: level.greatest,
    };
    Facts {
        shape: oracle.goal().shape().to_string(),
        goal: oracle.goal().to_string(),
        boards: findings.boards,
        missing: findings.missing,
        admissible: findings.is_admissible(),
        overestimated: findings.overestimated,
        largest_overestimate: findings.largest_overestimate.as_ref().map(Fact::from),
        smallest_overestimate: findings.smallest_overestimate.as_ref().map(Fact::from),
        consistent: (findings.edges > 0).then(|| findings.is_consistent()),
        edges: findings.edges,
        inconsistent: findings.inconsistent,
        smallest_inconsistency: findings
            .smallest_inconsistency
            .as_ref()
            .map(|ends| ends.each_ref().map(Fact::from)),
        at_goal: findings.at_goal,
        mean: findings.mean,
        mean_ratio: findings.mean_ratio,
        largest_gap: findings.largest_gap.as_ref().map(Fact::from),
        levels: levels.map(level).collect(),
    }
}
