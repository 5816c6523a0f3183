//! `tilebase check`: judges the answers of others.

use std::{ops::ControlFlow, time::Duration};

use anyhow::{Result, bail, ensure};
use clap::Args;
use indicatif::HumanDuration;
use tilebase::Tablebase;

use crate::{
    check::{
        case::Case,
        choice::Choice,
        claims::Claims,
        convention::Convention,
        failure::Failure,
        finding::Finding,
        judge::judge,
        order::Event,
        reply::Reply,
        ruling::Ruling,
        run::Run,
        solver::Solver,
        trial::{Show, Trial},
    },
    console::Console,
    global::Global,
    interruption,
    positions::Positions,
    progress::Progress,
    question::Question,
    records,
};

/// Judge the answers of other solvers, or a solver program
///
/// Reads lines of POSITION<TAB>CLAIM, or JSON objects with the keys position and claim. Each operand stands
/// for such a line. A claim is a length, moves, the boards of a solution, or `unsolvable`. With --solver it
/// runs a program instead, on all solvable positions, the nearest first, or on those given (`-f -` takes them
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
        let tablebase = self.question.tablebase(global, None)?;
        let usual = if console.is_terminal() { Show::Failed } else { Show::All };
        let (show, json) = (self.show.unwrap_or(usual), self.question.json);
        let mut trial = Trial::new(show, json, self.fail_fast);
        let ended = match self.run.solver(global.threads())? {
            Some(solver) => self.try_solver(&solver, &mut trial, &tablebase, console),
            None => self.read_claims(&mut trial, &tablebase, console),
        };
        if interruption::is_interrupted() {
            console.interrupted();
        }
        // Also after a failure, the user sees the results so far.
        if ended.is_ok() || trial.summary.positions() > 0 {
            trial.finish(console)?;
        }
        ended
    }

    /// Judges the claims of the input.
    fn read_claims(
        &self,
        trial: &mut Trial,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<()> {
        let notation = self.positions.notation(tablebase.goals().shape());
        let longest = records::LONGEST_LINE;
        self.positions.lines("claims", longest, console, |line, console| {
            let Some(claims) = Claims::of_line(&line, &notation) else {
                return Ok(ControlFlow::Continue(()));
            };
            let board = match &claims.board {
                Ok(board) => board.clone(),
                Err(complaint) => return trial.reject(&claims.text, complaint, console),
            };
            let case = Case::of(board, tablebase, console)?;
            if let Some(other) = claims.other_goal(&case.goal) {
                let goal = &case.goal;
                let complaint = format!(
                    "{}: this is about goal {other}, and the run about {goal}: say --goal {other}",
                    line.place()
                );
                return trial.reject(&claims.text, &complaint, console);
            }
            let finding = judge(&claims.reply, &case, self.moves);
            if let Some(line) = trial.count(&case, &claims.reply, &finding, tablebase, console)? {
                console.line(line)?;
            }
            Ok(trial.next())
        })?;
        if trial.summary.positions() == 0 {
            bail!("no claim in the input: expected lines of a position, a tab and a claim");
        }
        Ok(())
    }

    /// Puts positions to a solver, and judges its answers.
    fn try_solver(
        &self,
        solver: &Solver,
        trial: &mut Trial,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<()> {
        let cases = self.choice.cases(
            &self.positions,
            tablebase,
            console,
            |text, complaint, console| {
                // The solver has not been started yet, so there is nothing to stop.
                trial.reject(text, complaint, console).map(drop)
            },
        )?;
        if trial.next().is_break() {
            return Ok(());
        }
        trial.summary.expect(trial.summary.positions() + cases.len() as u64, self.run.stream);
        interruption::stop_when_interrupted();
        let mut progress = Progress::new(cases.len() as u64, !console.is_quiet());
        let mut tally = Tally::default();
        let gives_up = self.choice.is_all(&self.positions);
        let judge = |case: &Case, reply: Reply<'static>| {
            let finding = judge(&reply, case, self.moves);
            (finding, reply.shortened())
        };
        solver.run(&cases, judge, |event| {
            let Event::Next(case, (finding, reply)) = event else {
                console.flush()?;
                return Ok(ControlFlow::Continue(()));
            };
            tally.add(&finding);
            if let Some(line) = trial.count(case, &reply, &finding, tablebase, console)? {
                progress.print(console, |console| console.line(line))?;
            }
            progress.step(|| trial.summary.counts());
            if let Some(whole) = progress.estimate() {
                self.advise(cases.len(), whole, console);
            }
            if gives_up && tally.is_hopeless() {
                let first = tally.positions;
                console.error(format_args!("no answer to the first {first} positions: stopped"));
                return Ok(ControlFlow::Break(()));
            }
            Ok(trial.next())
        })?;
        solver.complain(console);
        if tally.has_unreadable && self.run.answer.is_none() {
            console.note(
                "in prose, say by --answer where the answer stands, such as --answer 'moves: (\\d+)', or try \
                 --protocol prose",
            );
        }
        Ok(())
    }

    /// Tells how long all positions take, and what takes less time.
    fn advise(&self, positions: usize, whole: Duration, console: &mut Console) {
        let advice = if self.run.stream { "" } else { ", and --stream is faster" };
        console.note(format_args!(
            "all {positions} positions will take about {}; -n 100 --spread tries fewer{advice}",
            HumanDuration(whole)
        ));
    }
}

/// Whether a solver gives answers at all.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// The number of answers that could be judged.
    answers: u64,
    has_unreadable: bool,
}

impl Tally {
    fn add(&mut self, finding: &Finding) {
        self.positions += 1;
        match &finding.ruling {
            Ruling::Verdict(_) => self.answers += 1,
            Ruling::Failure(Failure::Unreadable(_)) => self.has_unreadable = true,
            Ruling::Failure(_) => {}
        }
    }

    /// Whether enough positions had no answer, so that no answer will come.
    fn is_hopeless(&self) -> bool {
        const ENOUGH: u64 = 20;
        self.answers == 0 && self.positions == ENOUGH
    }
}
