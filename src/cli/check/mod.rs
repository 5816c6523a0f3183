//! `tilebase check`: the oracle judges what others say.

mod cases;
mod claims;
mod judge;
mod judgement;
mod protocol;
mod report;
mod solver;

use std::{fmt, ops::ControlFlow, time::Duration};

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tilebase::{Board, MoveNotation, Truth};

use super::{
    Global,
    answer::Status,
    console::Console,
    positions::Positions,
    process,
    progress::Progress,
    question::{Oracles, Question},
    records,
};
use cases::{Case, Choice};
use judge::{Convention, Finding, Outcome, judge};
use judgement::Judgement;
use report::{Facts, Report};
pub(super) use solver::seconds;
use solver::{Reply, Run, Solver};

/// Judge the answers of other solvers, or a solver program
///
/// Reads lines of POSITION<TAB>CLAIM, or JSON objects with the keys position and claim; so does each operand. A claim
/// is a length, moves, the boards of a solution, or `unsolvable`. With --solver it runs a program instead, on all
/// solvable positions, the nearest first, or on those given. Prints POSITION<TAB>VERDICT<TAB>DETAIL for each: optimal, unknown (no table knows), longer,
/// impossible (shorter than any solution), illegal, unfinished, wrongly unsolvable, wrongly solvable, unreadable,
/// crashed or timed out; then, on standard error, a report with the smallest position for each that is wrong.
///
/// The exit code is 1 if anything is wrong, and 2 if a position is invalid.
#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// How moves are read: blank (U D L R or words as the blank goes), tile (as the tile goes), numbers (of the
    /// tiles), or auto: as they come out right
    #[arg(long, value_name = "MOVES", default_value = "auto")]
    moves: Convention,
    /// Which verdicts to print [default: all; on a terminal, failed]
    #[arg(long, value_name = "WHICH")]
    show: Option<Show>,
    /// Stop at the first failure
    #[arg(long)]
    fail_fast: bool,
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Show {
    All,
    Failed,
    None,
}

impl Check {
    pub(super) fn run(mut self: Box<Self>, global: &Global, console: &mut Console) -> Result<()> {
        let protocol = self.run.protocol;
        if self.run.solver.is_some() {
            self.question.target.or(protocol.goal, protocol.shape.map(str::parse).transpose()?);
        }
        let oracles = self.question.oracles(global)?;
        let terminal = console.is_terminal();
        let mut trial = Trial {
            oracles,
            convention: self.moves,
            show: self.show.unwrap_or(if terminal { Show::Failed } else { Show::All }),
            json: self.question.json,
            fail_fast: self.fail_fast,
            report: Report::default(),
        };
        match self.run.solver(global.threads())? {
            Some(solver) => self.try_solver(&solver, &mut trial, console)?,
            None => self.read_claims(&mut trial, console)?,
        }
        if process::is_interrupted() {
            console.interrupted();
        }
        trial.finish(console)
    }

    /// Judges the claims of the input.
    fn read_claims(&self, trial: &mut Trial, console: &mut Console) -> Result<()> {
        let notation = self.positions.notation(trial.oracles.frame.shape);
        let longest = records::LONGEST_LINE;
        self.positions.lines("claims", longest, console, |line, console| {
            let Some(claimed) = claims::claimed(&line, &notation) else {
                return Ok(ControlFlow::Continue(()));
            };
            let board = match claimed.board {
                Ok(board) => board,
                Err(complaint) => return trial.reject(&claimed.text, &complaint, console),
            };
            let (goal, truth) = trial.oracles.truth(&board, console)?;
            let case = Case { goal: goal.clone(), board, truth };
            if let Some(other) = claimed.goal.filter(|goal| *goal != case.goal.to_string()) {
                let goal = &case.goal;
                let complaint = format!(
                    "{}: this is about goal {other}, and the run about {goal}: say --goal {other}",
                    line.place()
                );
                return trial.reject(&claimed.text, &complaint, console);
            }
            let finding = judge(&claimed.claims, &case, trial.convention);
            if let Some(line) = trial.rule(&case, &claimed.claims, &finding, None, console)? {
                console.line(line)?;
            }
            Ok(trial.next())
        })?;
        if trial.report.positions() == 0 {
            bail!("no claim in the input: expected lines of a position, a tab and a claim");
        }
        Ok(())
    }

    /// Puts positions to a solver, and judges its answers.
    fn try_solver(
        &self,
        solver: &Solver<'_>,
        trial: &mut Trial,
        console: &mut Console,
    ) -> Result<()> {
        /// So many failures to answer at all say that there will be no answer.
        const ENOUGH: u64 = 20;
        let cases = self.choice.cases(&self.positions, &mut trial.oracles, console)?;
        ensure!(!cases.is_empty(), "no position to try the solver on");
        let is_all = self.choice.is_all(&self.positions);
        trial.report.of(cases.len() as u64);
        process::stop_when_interrupted();
        let progress = Progress::new(cases.len() as u64, !console.is_quiet());
        let mut answers = 0;
        solver.run(&cases, |case, Reply { claims, time }| {
            let finding = match &claims {
                Ok(claims) => judge(claims, case, trial.convention),
                Err(outcome) => outcome.clone().into(),
            };
            answers += u64::from(matches!(finding.outcome, Outcome::Judged(_)));
            let claims = claims.unwrap_or_default();
            if let Some(line) = trial.rule(case, &claims, &finding, Some(time), console)? {
                progress.print(console, |console| console.line(line))?;
            }
            progress.step(|| trial.report.counts());
            if is_all && answers == 0 && trial.report.positions() == ENOUGH {
                console.note(format_args!("no answer to the first {ENOUGH} positions: stopped"));
                return Ok(ControlFlow::Break(()));
            }
            Ok(trial.next())
        })?;
        if solver.has_surplus() {
            console.note(
                "the solver printed more lines than it was sent: if it answers with several lines, or begins with \
                 some, the answers were taken for the wrong positions",
            );
        }
        Ok(())
    }
}

/// The judging of one position after another.
struct Trial {
    oracles: Oracles,
    convention: Convention,
    show: Show,
    json: bool,
    fail_fast: bool,
    report: Report,
}

impl Trial {
    /// Counts a finding, and gives the line that tells of it, if it is to be shown.
    fn rule<'f>(
        &mut self,
        case: &'f Case,
        claims: &[impl AsRef<str>],
        finding: &'f Finding,
        time: Option<Duration>,
        console: &mut Console,
    ) -> Result<Option<Line<'f>>> {
        let right = finding.outcome.is_right();
        let distance = match case.truth {
            Truth::Distance(distance) => Some(distance),
            _ => None,
        };
        let smallest = self.report.add(&finding.outcome, Some(&case.board), distance, time);
        if !right {
            console.no();
        }
        let shown = self.show == Show::All || self.show == Show::Failed && !right;
        if shown && !self.json && !smallest {
            return Ok(Some(Line::Finding(&case.board, finding)));
        }
        if !shown && !smallest {
            return Ok(None);
        }
        let solution = match self.oracles.of(case.board.shape(), console) {
            Some(oracle) if !right => oracle.solution(&case.board)?,
            _ => None,
        };
        let judgement = Judgement {
            board: Some(case.board.clone()),
            position: case.board.to_string(),
            shape: Some(case.board.shape()),
            goal: Some(case.goal.clone()),
            status: match case.truth {
                Truth::Distance(_) => Status::Solvable,
                Truth::Unsolvable => Status::Unsolvable,
                Truth::AtLeast(_) => Status::Unknown,
            },
            distance,
            claim: claims
                .iter()
                .map(AsRef::as_ref)
                .map(str::to_owned)
                .reduce(|all, next| all + "; " + &next),
            verdict: finding.outcome.name(),
            detail: finding.to_string(),
            solution: solution.map(|path| MoveNotation::Blank.show(&case.board, &path).to_string()),
            seconds: time.map(|time| time.as_secs_f64()),
        };
        self.note_down(judgement, smallest, shown)
    }

    /// Counts what is no position, and says so.
    fn reject(
        &mut self,
        text: &str,
        complaint: &str,
        console: &mut Console,
    ) -> Result<ControlFlow<()>> {
        console.error(complaint);
        let outcome = Outcome::Unreadable("the position is invalid".to_owned());
        let smallest = self.report.add(&outcome, None, None, None);
        let judgement = Judgement {
            board: None,
            // Control characters are no business of whoever reads the answers; a tab may stay.
            position: text.replace(|c: char| c.is_control() && c != '\t', "\u{FFFD}"),
            shape: None,
            goal: None,
            status: Status::Invalid,
            distance: None,
            claim: None,
            verdict: outcome.name(),
            detail: complaint.to_owned(),
            solution: None,
            seconds: None,
        };
        if let Some(line) = self.note_down(judgement, smallest, self.show != Show::None)? {
            console.line(line)?;
        }
        Ok(self.next())
    }

    /// The line that tells of a judgement, which is kept if it is the smallest of its kind.
    fn note_down(
        &mut self,
        judgement: Judgement,
        smallest: bool,
        shown: bool,
    ) -> Result<Option<Line<'static>>> {
        let line = match self.json {
            _ if !shown => None,
            true => Some(Line::Text(serde_json::to_string(&judgement)?)),
            false => {
                let Judgement { position, verdict, detail, .. } = &judgement;
                Some(Line::Text(format!("{position}\t{verdict}\t{detail}")))
            }
        };
        if smallest {
            self.report.keep(judgement);
        }
        Ok(line)
    }

    /// Whether to go on.
    fn next(&self) -> ControlFlow<()> {
        match self.fail_fast && self.report.failed() > 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Reports on all that was judged.
    fn finish(&self, console: &mut Console) -> Result<()> {
        #[derive(Serialize)]
        struct Last<'r> {
            report: Facts<'r>,
        }
        if self.json {
            return console.json(&Last { report: self.report.facts() });
        }
        console.report(&self.report);
        Ok(())
    }
}

/// What is written about a position.
enum Line<'f> {
    Finding(&'f Board, &'f Finding),
    Text(String),
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding(board, finding) => {
                board.fmt(f)?;
                f.write_str("\t")?;
                f.write_str(finding.outcome.name())?;
                f.write_str("\t")?;
                finding.fmt(f)
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}
