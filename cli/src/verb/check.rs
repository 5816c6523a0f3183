//! `tilebase check`: the oracle judges what others say.

use std::ops::ControlFlow;

use anyhow::{Result, bail, ensure};
use clap::Args;
use indicatif::HumanDuration;

use crate::check::cases::{Case, Choice};
use crate::check::judge::{Convention, Outcome, Said, judge};
use crate::check::solver::{Event, Reply, Run, Solver};
use crate::check::trial::{Show, Trial};
use crate::{
    console::Console, global::Global, interruption, positions::Positions, progress::Progress,
    question::Question, records,
};

/// Judge the answers of other solvers, or a solver program
///
/// Reads lines of POSITION<TAB>CLAIM, or JSON objects with the keys position and claim; so does each
/// operand. A claim is a length, moves, the boards of a solution, or `unsolvable`. With --solver it runs a
/// program instead, on all solvable positions, the nearest first, or on those given (`-f -` takes them
/// from standard input).
///
/// Prints POSITION<TAB>VERDICT<TAB>DETAIL for each: optimal, unknown (no table knows), longer, impossible
/// (shorter than any solution), illegal, unfinished, wrongly unsolvable, wrongly solvable, unreadable,
/// crashed or timed out; then, on standard error, a report with the smallest position for each verdict that
/// is wrong. docs/judge-your-solver.md in the sources shows all that by examples.
///
/// The exit code is 1 if anything is wrong, and 2 if a position is invalid.
#[derive(Debug, Args)]
pub(crate) struct Check {
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

impl Check {
    pub(crate) fn run(mut self: Box<Self>, global: &Global, console: &mut Console) -> Result<()> {
        let protocol = self.run.protocol;
        if self.run.solver.is_some() {
            self.question.target.or(protocol.goal, protocol.shape.map(str::parse).transpose()?);
        }
        ensure!(
            self.run.solver.is_some() || !self.choice.draw.is_given(),
            "-n and --depth choose positions for a --solver"
        );
        let oracles = self.question.oracles(global)?;
        let usual = if console.is_terminal() { Show::Failed } else { Show::All };
        let (show, json) = (self.show.unwrap_or(usual), self.question.json);
        let mut trial = Trial::new(oracles, show, json, self.fail_fast);
        let ended = match self.run.solver(global.threads())? {
            Some(solver) => self.try_solver(&solver, &mut trial, console),
            None => self.read_claims(&mut trial, console),
        };
        if interruption::is_interrupted() {
            console.interrupted();
        }
        // What is known is told, however it ended.
        if ended.is_ok() || trial.report.positions() > 0 {
            trial.finish(console)?;
        }
        ended
    }

    /// Judges the claims of the input.
    fn read_claims(&self, trial: &mut Trial, console: &mut Console) -> Result<()> {
        let notation = self.positions.notation(trial.oracles.frame.shape);
        let longest = records::LONGEST_LINE;
        self.positions.lines("claims", longest, console, |line, console| {
            let Some(claimed) = crate::check::claims::claimed(&line, &notation) else {
                return Ok(ControlFlow::Continue(()));
            };
            let board = match &claimed.board {
                Ok(board) => board.clone(),
                Err(complaint) => return trial.reject(&claimed.text, complaint, console),
            };
            let (goal, truth) = trial.oracles.truth(&board, console)?;
            let case = Case { goal, board, truth };
            if let Some(other) = claimed.goal_beside(&case.goal) {
                let goal = &case.goal;
                let complaint = format!(
                    "{}: this is about goal {other}, and the run about {goal}: say --goal {other}",
                    line.place()
                );
                return trial.reject(&claimed.text, &complaint, console);
            }
            let finding = judge(&claimed.said, &case, self.moves);
            let claims = claimed.said.iter().map(Said::text);
            if let Some(line) = trial.rule(&case, claims, &finding, None, console)? {
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
    fn try_solver(&self, solver: &Solver, trial: &mut Trial, console: &mut Console) -> Result<()> {
        /// So many failures to answer at all say that there will be no answer.
        const ENOUGH: u64 = 20;
        let cases = self.choice.cases(&self.positions, trial, console)?;
        let is_all = self.choice.is_all(&self.positions);
        if trial.next().is_break() {
            return Ok(());
        }
        trial.report.expect(trial.report.positions() + cases.len() as u64, self.run.stream);
        interruption::stop_when_interrupted();
        let mut progress = Progress::new(cases.len() as u64, !console.is_quiet());
        let (mut answers, mut unreadable) = (0, false);
        let judge = |case: &Case, Reply { said, time }| match said {
            Ok(said) => {
                let claims: Vec<_> = said.iter().map(|said| shortened(said.text())).collect();
                (judge(&said, case, self.moves), claims, time)
            }
            Err(outcome) => (outcome.into(), vec![], time),
        };
        solver.run(&cases, judge, |event| {
            let Event::Next(case, (finding, claims, time)) = event else {
                console.flush()?;
                return Ok(ControlFlow::Continue(()));
            };
            answers += u64::from(matches!(finding.outcome, Outcome::Judged(_)));
            unreadable |= matches!(finding.outcome, Outcome::Unreadable(_));
            let claims = claims.iter().map(String::as_str);
            if let Some(line) = trial.rule(case, claims, &finding, Some(time), console)? {
                progress.print(console, |console| console.line(line))?;
            }
            progress.step(|| trial.report.counts());
            if let Some(whole) = progress.estimate() {
                let advice = if self.run.stream { "" } else { ", and --stream is faster" };
                console.note(format_args!(
                    "all {} positions will take about {}; -n 100 --spread tries fewer{advice}",
                    cases.len(),
                    HumanDuration(whole)
                ));
            }
            if is_all && answers == 0 && trial.report.positions() == ENOUGH {
                console.error(format_args!("no answer to the first {ENOUGH} positions: stopped"));
                return Ok(ControlFlow::Break(()));
            }
            Ok(trial.next())
        })?;
        solver.complain(console);
        if unreadable && self.run.answer.is_none() {
            console.note(
                "in prose, say by --answer where the answer stands, such as --answer 'moves: (\\d+)', or try \
                 --protocol prose",
            );
        }
        Ok(())
    }
}

/// A claim, no longer than anybody wants to see it; many may have to wait.
fn shortened(claim: &str) -> String {
    const LONGEST: usize = 1000;
    match claim.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &claim[..end]),
        None => claim.to_owned(),
    }
}
