//! A solver: positions are put to a program, and its answers are taken, whatever it does.

use std::{
    ops::ControlFlow,
    process::ExitStatus,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use anyhow::{Result, ensure};
use tilebase::{Claim, MoveNotation, Shape};

use crate::{
    check::{
        answers::AnswerReader,
        assertion::Assertion,
        attempt::{Attempt, MOST_OUTPUT},
        case::Case,
        failure::Failure,
        order::{Event, in_order},
        reply::Reply,
        solver_command::SolverCommand,
    },
    console::Console,
    process::ending::Ending,
    stream::{lines::Lines, oddities::Oddities},
    template::Template,
};

/// The most bytes that are sent for a position. Any pipe holds more.
const MOST_INPUT: usize = 4096;

/// A program that solves positions.
pub(crate) struct Solver {
    pub(crate) command: SolverCommand,
    pub(crate) template: Template,
    pub(crate) answers: AnswerReader,
    /// The most time that an answer may take.
    pub(crate) timeout: Duration,
    /// Whether a process answers many positions.
    pub(crate) stream: bool,
    /// The number of processes that run at a time.
    pub(crate) jobs: usize,
    /// What was odd about the streams so far.
    pub(crate) oddities: Mutex<Oddities>,
}

impl Solver {
    /// Tells the user what was odd about the program, beside its answers.
    pub(crate) fn complain(&self, console: &mut Console) {
        self.oddities.lock().unwrap_or_else(PoisonError::into_inner).complain(console);
    }

    /// Puts all cases to the solver, and judges the replies.
    ///
    /// `judge` runs on many threads. `take` gets the results in the order of the cases, until it breaks off or the run
    /// is interrupted.
    ///
    /// # Errors
    ///
    /// If the template does not suit the cases, the shell cannot be run, or `take` fails.
    pub(crate) fn run<T: Send>(
        &self,
        cases: &[Case],
        judge: impl Fn(&Case, Reply<'static>) -> T + Sync,
        take: impl FnMut(Event<'_, T>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        /// The number of results that may wait to be put in order.
        const WAITING: usize = 1024;
        self.check_template(cases)?;
        let stop = &AtomicBool::new(false);
        let next = &AtomicUsize::new(0);
        let judge = &judge;
        let (sender, results) = mpsc::sync_channel(WAITING);
        thread::scope(|scope| {
            for job in 0..self.jobs.min(cases.len()) {
                let sender = sender.clone();
                scope.spawn(move || {
                    let hand_on = |number: usize, reply| {
                        let result = judge(&cases[number], reply);
                        // The receiver is gone only when the run is to end.
                        match sender.send(Ok((number, result))) {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(_) => ControlFlow::Break(()),
                        }
                    };
                    let ended = match self.stream {
                        true => self.ask_all(cases, job, stop, hand_on),
                        false => self.ask_each(cases, next, stop, hand_on),
                    };
                    if let Err(error) = ended {
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let taken = in_order(cases, &results, take);
            stop.store(true, Ordering::Relaxed);
            // Frees the threads that wait to send a result.
            drop(results);
            taken
        })
    }

    /// Checks that the text for a position is short and, in a stream, a single line. This depends on the shape only.
    fn check_template(&self, cases: &[Case]) -> Result<()> {
        let mut shape = None;
        for case in cases {
            if shape.replace(case.board.shape()) == Some(case.board.shape()) {
                continue;
            }
            let text = self.template.fill(&case.board, &case.goal);
            ensure!(text.len() <= MOST_INPUT, "--send sends more than {MOST_INPUT} bytes");
            if self.stream {
                self.template.check_line(&case.board, &case.goal)?;
            }
        }
        Ok(())
    }

    /// Runs the command once for each of the `next` cases, until there are no more.
    fn ask_each(
        &self,
        cases: &[Case],
        next: &AtomicUsize,
        stop: &AtomicBool,
        hand_on: impl Fn(usize, Reply<'static>) -> ControlFlow<()>,
    ) -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else { return Ok(()) };
            let Some(reply) = self.ask(case, stop)? else { return Ok(()) };
            if hand_on(number, reply).is_break() {
                return Ok(());
            }
        }
    }

    /// Runs the command for one case. `None` if that was interrupted.
    fn ask(&self, case: &Case, stop: &AtomicBool) -> Result<Option<Reply<'static>>> {
        let position = self.template.fill(&case.board, &case.goal);
        let mut attempt = Attempt::start(&self.command, &position, self.timeout)?;
        let Some(status) = attempt.finish(stop) else { return Ok(None) };
        let said = status.and_then(|status| self.said(&attempt, status, case.board.shape()));
        Ok(Some(Reply { said, time: Some(attempt.elapsed()) }))
    }

    /// What a program said that has ended.
    ///
    /// It crashed if its exit code is not 0. But many programs exit so after they said that a position is unsolvable.
    fn said(
        &self,
        attempt: &Attempt,
        status: ExitStatus,
        shape: Shape,
    ) -> Result<Vec<Assertion<'static>>, Failure> {
        let said = self.read(&attempt.output);
        let is_unsolvable = |assertion: &Assertion<'_>| {
            Claim::read(assertion.text(), shape, MoveNotation::Blank) == Ok(Claim::Unsolvable)
        };
        let says_so = || said.as_ref().is_ok_and(|said| said.iter().all(is_unsolvable));
        if status.success() || status.code().is_some() && says_so() {
            return said;
        }
        let last = || Some(format!("it had said {:?}", said.as_ref().ok()?.first()?.text()));
        let ending = attempt.ending(status);
        let ending = Ending { error: ending.error.or_else(last), ..ending };
        Err(Failure::Crashed(ending.to_string()))
    }

    /// The assertions in what a program printed.
    fn read(&self, output: &[u8]) -> Result<Vec<Assertion<'static>>, Failure> {
        if output.is_empty() {
            return Err(Failure::Unreadable("it printed nothing".to_owned()));
        }
        let text = String::from_utf8_lossy(output);
        let said = self.answers.read(&text).map_err(Failure::Unreadable)?;
        Ok(said.into_iter().map(|assertion| assertion.map(|text| text.into_owned())).collect())
    }

    /// Runs the command as a stream for every case of a job.
    fn ask_all(
        &self,
        cases: &[Case],
        job: usize,
        stop: &AtomicBool,
        hand_on: impl Fn(usize, Reply<'static>) -> ControlFlow<()>,
    ) -> Result<()> {
        let numbers: Vec<_> = (job..cases.len()).step_by(self.jobs).collect();
        let line = |number: usize| {
            let case = &cases[number];
            self.template.line(&case.board, &case.goal)
        };
        let mut lines = Lines::new(&self.command.text, self.timeout, MOST_OUTPUT);
        lines.ask(&numbers, line, stop, |number, answer, time| {
            let said = answer.map_err(Failure::from).and_then(|line| self.read(&line));
            hand_on(number, Reply { said, time: Some(time) })
        })?;
        let mut oddities = self.oddities.lock().unwrap_or_else(PoisonError::into_inner);
        oddities.add(lines.oddities());
        Ok(())
    }
}
