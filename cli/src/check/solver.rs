//! A solver program: positions are put to it, and its answers are taken, whatever it does.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    num::NonZeroU16,
    ops::ControlFlow,
    path::Path,
    process::ExitStatus,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use tempfile::NamedTempFile;
use tilebase::{Claim, MoveNotation, Shape};

use crate::check::{
    cases::Case,
    judge::{Outcome, Said},
    protocol::{Answers, Protocol, excerpt},
};
use crate::{
    console::Console,
    process::{
        ending::Ending,
        program::{End, Output, Program},
    },
    seconds,
    stream::{self, Lines, Oddities},
    template::{Form, Template},
};

/// As much as an answer may take.
const MOST_OUTPUT: usize = 1 << 20;

/// As much as is sent for a position: less than any pipe holds.
const MOST_INPUT: usize = 4096;

/// How a solver is run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running a solver")]
pub(crate) struct Run {
    /// Run this command of the shell for each position, which goes to its standard input; or, as it would be sent
    /// there, to where {} stands in the command; or into a file whose name {file} becomes
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// Run the command once: a line out, a line in
    #[arg(long, requires = "solver")]
    pub(crate) stream: bool,
    /// How positions are sent and answers read, and the goal: line (digits out; a length, moves or boards in), prose
    /// (digits out, prose in), boj1525, poj1077, leetcode773, hackerrank, princeton, 42, or goal-start (the rows of
    /// goal and start with # as the blank out, prose in); --send, --answer and --goal change a part of it
    #[arg(long, default_value = "line", requires = "solver")]
    pub(crate) protocol: Protocol,
    /// Send this instead: a text with {digits}, {list}, {rows}, {digit-rows}, {column} or {json} for the board,
    /// {rows:x} for x as the blank, {goal.rows} for the goal, {size} for the number of rows, and \n
    #[arg(long, value_name = "TEMPLATE", requires = "solver")]
    send: Option<Template>,
    /// Find the answer by this regular expression where it first matches: its groups `length` and `moves`, or its first
    /// group, or all of it; `unsolvable` as a group says just that. ^ and $ stand for the ends of lines
    #[arg(long, value_name = "REGEX", requires = "solver")]
    pub(crate) answer: Option<String>,
    /// Seconds that an answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds::parse, requires = "solver")]
    timeout: Duration,
    /// How many to run at a time [default: one a core; one with --stream]
    #[arg(long, value_name = "N", requires = "solver")]
    jobs: Option<NonZeroU16>,
}

/// What came of a position.
pub(crate) struct Reply {
    /// What the solver said, or what befell it.
    pub(crate) said: Result<Vec<Said<'static>>, Outcome>,
    pub(crate) time: Duration,
}

/// What happens to who waits for results.
pub(crate) enum Event<'c, T> {
    /// The next case has come to this.
    Next(&'c Case, T),
    /// There is nothing to be done until the next result.
    Idle,
}

/// Where a position goes, beside the variable that holds it.
#[derive(Clone, Copy, Debug)]
struct To {
    file: bool,
    input: bool,
}

/// The variables of the shell for {} and {file}.
const POSITION: &str = "TILEBASE_POSITION";
const FILE: &str = "TILEBASE_FILE";

/// A solver, ready to be asked.
pub(crate) struct Solver {
    /// With variables of the shell for what stands in braces.
    command: String,
    /// Where a position goes.
    to: To,
    template: Template,
    answers: Answers,
    timeout: Duration,
    stream: bool,
    jobs: usize,
    /// What was odd about it as a stream.
    oddities: Mutex<Oddities>,
}

impl Run {
    /// The solver; `threads` is the most that may run at a time.
    pub(crate) fn solver(&self, threads: usize) -> Result<Option<Solver>> {
        let Some(command) = self.solver.as_deref() else { return Ok(None) };
        let template = match &self.send {
            Some(template) => template.clone(),
            None => self.protocol.template()?,
        };
        let answers = match &self.answer {
            Some(pattern) => Answers::by(pattern).context("--answer")?,
            None => self.protocol.answers()?,
        };
        let cores = || thread::available_parallelism().map_or(1, usize::from).min(threads);
        let jobs = match self.jobs {
            Some(jobs) => usize::from(jobs.get()),
            None if self.stream => 1,
            None => cores(),
        };
        ensure!(!command.trim().is_empty(), "--solver: expected a command");
        for (name, _) in Form::ALL {
            let place = format!("{{{name}}}");
            ensure!(
                !command.contains(&place),
                "{place} belongs into --send; in the command, {{}} becomes what is sent"
            );
        }
        if self.stream {
            Lines::check(command)?;
        }
        let with_position = put(command, "{}", POSITION);
        let filled = put(&with_position, "{file}", FILE);
        let to = To { file: filled != with_position, input: filled == command };
        let command = filled;
        let (timeout, stream) = (self.timeout, self.stream);
        let oddities = Mutex::default();
        Ok(Some(Solver { command, to, template, answers, timeout, stream, jobs, oddities }))
    }
}

impl Solver {
    /// Says what was odd about it, beside its answers.
    pub(crate) fn complain(&self, console: &mut Console) {
        self.oddities.lock().unwrap_or_else(PoisonError::into_inner).complain(console);
    }

    /// Puts all cases to the solver, has what comes of each judged, and hands that on in the order of the cases,
    /// until `take` breaks off or the run is interrupted.
    pub(crate) fn run<T: Send>(
        &self,
        cases: &[Case],
        judge: impl Fn(&Case, Reply) -> T + Sync,
        mut take: impl FnMut(Event<'_, T>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        /// As many as may wait to be put in order.
        const WAITING: usize = 1024;
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
        let stop = &AtomicBool::new(false);
        let next = &AtomicUsize::new(0);
        let judge = &judge;
        let (sender, results) = mpsc::sync_channel(WAITING);
        thread::scope(|scope| {
            for job in 0..self.jobs.min(cases.len()) {
                let sender = sender.clone();
                scope.spawn(move || {
                    // Nobody listens any more only when all is to end.
                    let hand_on = |number: usize, reply| match sender
                        .send(Ok((number, judge(&cases[number], reply))))
                    {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
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
            let taken = in_order(cases, &results, &mut take);
            stop.store(true, Ordering::Relaxed);
            // Whoever waits to hand on a result need not.
            drop(results);
            taken
        })
    }

    /// Starts the command for each position, until there are no more.
    fn ask_each(
        &self,
        cases: &[Case],
        next: &AtomicUsize,
        stop: &AtomicBool,
        hand_on: impl Fn(usize, Reply) -> ControlFlow<()>,
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

    /// Runs the command for one position; `None` if that was interrupted.
    fn ask(&self, case: &Case, stop: &AtomicBool) -> Result<Option<Reply>> {
        let text = self.template.fill(&case.board, &case.goal);
        let file = if self.to.file { Some(file_of(&text)?) } else { None };
        let path = file.as_ref().map_or(Path::new(""), NamedTempFile::path);
        let variables =
            [(POSITION, text.trim_end_matches('\n').as_ref()), (FILE, path.as_os_str())];
        let start = Instant::now();
        let until = start + self.timeout;
        let mut program =
            Program::start(&self.command, &variables).context("cannot run the shell")?;
        if let (Some(mut input), true) = (program.input(), self.to.input) {
            // It is less than a pipe holds, so nothing waits; who does not read it may have a reason.
            let _ = input.write_all(text.as_bytes());
        }
        let mut output = Vec::new();
        let reply = |said| Ok(Some(Reply { said, time: start.elapsed() }));
        loop {
            match program.receive(until, stop) {
                Output::Bytes(_) if Instant::now() >= until => {
                    return reply(Err(self.timed_out(&output)));
                }
                Output::Bytes(bytes) => output.extend(bytes),
                Output::End => break,
                Output::Late => return reply(Err(self.timed_out(&output))),
                Output::Interrupted => return Ok(None),
            }
            if output.len() > MOST_OUTPUT {
                return reply(Err(too_much()));
            }
        }
        match program.wait(until, stop) {
            End::Status(status) => {
                let shape = case.board.shape();
                reply(self.said(&output, shape, status, || program.ending(status)))
            }
            End::Late => reply(Err(self.timed_out(&output))),
            End::Interrupted => Ok(None),
        }
    }

    /// What a program has said that ended. It crashed if its exit code is not 0; but many programs tell so
    /// of an unsolvable position.
    fn said(
        &self,
        output: &[u8],
        shape: Shape,
        status: ExitStatus,
        ending: impl FnOnce() -> Ending,
    ) -> Result<Vec<Said<'static>>, Outcome> {
        let said = self.read(output);
        let is_unsolvable = |said: &Said<'_>| {
            Claim::read(said.text(), shape, MoveNotation::Blank) == Ok(Claim::Unsolvable)
        };
        let says_so = || said.as_ref().is_ok_and(|said| said.iter().all(is_unsolvable));
        if status.success() || status.code().is_some() && says_so() {
            return said;
        }
        let last = || Some(format!("it had said {:?}", said.as_ref().ok()?.first()?.text()));
        let ending = ending();
        Err(Outcome::Crashed(Ending { error: ending.error.or_else(last), ..ending }.to_string()))
    }

    /// What a program has said in what it printed.
    fn read(&self, output: &[u8]) -> Result<Vec<Said<'static>>, Outcome> {
        if output.is_empty() {
            return Err(Outcome::Unreadable("it printed nothing".to_owned()));
        }
        let text = String::from_utf8_lossy(output);
        let said = self.answers.said(&text).map_err(Outcome::Unreadable)?;
        Ok(said.into_iter().map(Said::into_owned).collect())
    }

    fn timed_out(&self, output: &[u8]) -> Outcome {
        let printed = match excerpt(&String::from_utf8_lossy(output)).as_str() {
            "" => "printed nothing".to_owned(),
            text => format!("had printed {text:?}"),
        };
        Outcome::TimedOut(format!("after {:?}, it {printed}", self.timeout))
    }

    /// Runs the command for all positions of a job, and again for those that are left when it fails.
    fn ask_all(
        &self,
        cases: &[Case],
        job: usize,
        stop: &AtomicBool,
        hand_on: impl Fn(usize, Reply) -> ControlFlow<()>,
    ) -> Result<()> {
        let numbers: Vec<_> = (job..cases.len()).step_by(self.jobs).collect();
        let line = |number: usize| {
            let case = &cases[number];
            self.template.line(&case.board, &case.goal)
        };
        let mut lines = Lines::new(&self.command, self.timeout, MOST_OUTPUT);
        lines.ask(&numbers, line, stop, |number, answer, time| {
            let said = match answer {
                stream::Answer::Line(line) => self.read(&line),
                stream::Answer::Ended(ending) => Err(match ending.status.success() {
                    true => Outcome::Unreadable("it ended without an answer".to_owned()),
                    false => Outcome::Crashed(ending.to_string()),
                }),
                stream::Answer::Late => Err(self.timed_out(&[])),
                stream::Answer::Long => Err(too_much()),
            };
            hand_on(number, Reply { said, time })
        })?;
        let mut oddities = self.oddities.lock().unwrap_or_else(PoisonError::into_inner);
        oddities.add(lines.oddities());
        Ok(())
    }
}

/// Hands on what comes in any order in the order of its numbers; what is left behind a gap, at the end.
fn in_order<T>(
    cases: &[Case],
    results: &Receiver<Result<(usize, T)>>,
    take: &mut impl FnMut(Event<'_, T>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    const PAUSE: Duration = Duration::from_micros(200);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        let result = match results.try_recv() {
            Ok(result) => result,
            Err(_) => {
                if take(Event::Idle)?.is_break() {
                    return Ok(());
                }
                // To be woken for each of many results costs more than to judge it.
                thread::sleep(PAUSE);
                let Ok(result) = results.recv() else { break };
                result
            }
        };
        let (number, result) = result?;
        if number != next {
            waiting.insert(number, result);
            continue;
        }
        let mut ready = Some(result);
        while let Some(result) = ready {
            if take(Event::Next(&cases[next], result))?.is_break() {
                return Ok(());
            }
            next += 1;
            ready = waiting.remove(&next);
        }
    }
    for (number, result) in waiting {
        if take(Event::Next(&cases[number], result))?.is_break() {
            break;
        }
    }
    Ok(())
}

fn too_much() -> Outcome {
    Outcome::Unreadable(format!("it printed more than {} KiB", MOST_OUTPUT / 1024))
}

/// A new file that holds a position.
fn file_of(text: &str) -> Result<NamedTempFile> {
    let write = || {
        let mut file = NamedTempFile::new()?;
        file.write_all(text.as_bytes())?;
        Ok::<_, io::Error>(file)
    };
    write().context("cannot write a temporary file for {file}")
}

/// A command of the shell with a variable in all places of a kind, so that its value is one word of the command,
/// whatever quotes stand around.
fn put(command: &str, place: &str, variable: &str) -> String {
    if cfg!(windows) {
        return command.replace(place, &format!("%{variable}%"));
    }
    let mut filled = String::new();
    let mut quote = None;
    let mut rest = command;
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix(place) {
            filled.push_str(&match quote {
                None => format!("\"${variable}\""),
                Some('\'') => format!("'\"${variable}\"'"),
                Some(_) => format!("${{{variable}}}"),
            });
            rest = behind;
            continue;
        }
        match (quote, first) {
            (None, '\'' | '"') => quote = Some(first),
            (Some(open), _) if open == first => quote = None,
            _ => {}
        }
        // A backslash takes the meaning from what follows, but in single quotes.
        let escaped = first == '\\' && quote != Some('\'');
        let taken = rest.chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum();
        filled.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    filled
}
