//! A program that answers a line with a line.
//!
//! All lines are written ahead, and answers are taken as they come: so a program is kept busy, and one that
//! holds its output back until its input ends is answered by as well as one that does not. The price is
//! that nobody can tell which line a program died of. So after a failure the first line that was not
//! answered is sent alone to a new process, and only if it fails there again it is to blame.

use std::{
    io::{BufWriter, Write},
    ops::ControlFlow,
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use crate::{
    console::Console,
    process::{
        ending::Ending,
        program::{self, Output, Program},
    },
};

/// What came of a line.
pub(crate) enum Answer {
    Line(Vec<u8>),
    /// The program ended before it answered.
    Ended(Ending),
    /// It did not answer in time.
    Late,
    /// Its line did not end.
    Long,
}

/// A command that is run as often as it takes to have all lines answered.
pub(crate) struct Lines<'a> {
    command: &'a str,
    timeout: Duration,
    longest: usize,
    oddities: Oddities,
}

/// What was odd about a program that answered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Oddities {
    /// How often it was started anew.
    restarts: usize,
    /// Whether it was seen to print more lines than it was sent.
    surplus: bool,
}

impl Oddities {
    /// Adds what was odd about another program.
    pub(crate) fn add(&mut self, other: Self) {
        self.restarts += other.restarts;
        self.surplus |= other.surplus;
    }

    pub(crate) fn complain(self, console: &mut Console) {
        if self.surplus {
            console.error(
                "the program printed more lines than it was sent, so its answers may have been taken for the wrong \
                 positions: expected one line for each, and none before",
            );
        }
        if self.restarts > 0 {
            let restarts = self.restarts;
            console.note(format_args!(
                "the program ended or hung before it had answered all; restarts: {restarts}"
            ));
        }
    }
}

/// How a program ended that was to answer some lines.
enum End {
    /// It answered all.
    Done,
    /// It failed to answer the next in this time.
    Failed(Answer, Duration),
    /// Nobody wants more answers.
    Stopped,
}

impl<'a> Lines<'a> {
    /// Lines for a command of the shell, each to be answered in time and with no more bytes than the longest
    /// line has.
    pub(crate) fn new(command: &'a str, timeout: Duration, longest: usize) -> Self {
        Self { command, timeout, longest, oddities: Oddities::default() }
    }

    /// Whether a command can be sent all positions: none has a place of its own in it.
    pub(crate) fn check(command: &str) -> Result<()> {
        for place in ["{}", "{file}"] {
            ensure!(
                !command.contains(place),
                "a program that is sent all positions reads them from standard input: there is no place for {place}"
            );
        }
        Ok(())
    }

    /// What was odd about the program so far.
    pub(crate) fn oddities(&self) -> Oddities {
        self.oddities
    }

    /// Asks the `line` of each number, and hands on the answers with the time since the last one, until
    /// `take` breaks off.
    pub(crate) fn ask(
        &mut self,
        numbers: &[usize],
        line: impl Fn(usize) -> String + Sync,
        stop: &AtomicBool,
        mut take: impl FnMut(usize, Answer, Duration) -> ControlFlow<()>,
    ) -> Result<()> {
        /// How the next batch compares with the one before, if all goes well.
        const GROWTH: usize = 8;
        let mut rest = numbers;
        let (mut most, mut limit) = (rest.len(), rest.len());
        // The batch that was late, until its next line has been tried alone.
        let mut late = None;
        while !rest.is_empty() {
            let batch = &rest[..most.min(rest.len())];
            let mut answered = 0;
            let ending = self.run(batch, &line, stop, |number, answer, time| {
                answered += 1;
                take(number, answer, time)
            })?;
            let alone = batch.len() == 1;
            most = match ending {
                End::Done => {
                    // It was no line's fault: the program holds its output back, and is slow to fill it.
                    if let Some(late) = late.take() {
                        limit = limit.min(late / GROWTH).max(1);
                    }
                    most.saturating_mul(GROWTH).min(limit)
                }
                End::Failed(answer, time) if alone => {
                    late = None;
                    answered = 1;
                    if take(batch[0], answer, time).is_break() {
                        return Ok(());
                    }
                    1
                }
                End::Failed(answer, _) => {
                    self.oddities.restarts += 1;
                    late = matches!(answer, Answer::Late).then_some(batch.len());
                    1
                }
                End::Stopped => return Ok(()),
            };
            rest = &rest[answered..];
        }
        Ok(())
    }

    /// Runs the command for some lines.
    fn run(
        &mut self,
        numbers: &[usize],
        line: &(impl Fn(usize) -> String + Sync),
        stop: &AtomicBool,
        mut take: impl FnMut(usize, Answer, Duration) -> ControlFlow<()>,
    ) -> Result<End> {
        let mut program = Program::start(self.command, &[]).context("cannot run the shell")?;
        let input = program.input();
        thread::scope(|scope| {
            scope.spawn(move || {
                let Some(input) = input else { return };
                let mut input = BufWriter::with_capacity(16 * 1024, input);
                // A program that reads no more will be found out by its answers.
                let mut lines = numbers.iter().map(|&number| line(number));
                let _ = lines.try_for_each(|line| input.write_all(line.as_bytes()));
            });
            let ending = self.answers(&mut program, numbers, stop, &mut take);
            // With the program ends the writing to it.
            drop(program);
            ending
        })
    }

    fn answers(
        &mut self,
        program: &mut Program,
        numbers: &[usize],
        stop: &AtomicBool,
        take: &mut impl FnMut(usize, Answer, Duration) -> ControlFlow<()>,
    ) -> Result<End> {
        let mut numbers = numbers.iter();
        let mut last = Instant::now();
        let failed = |answer, last: Instant| Ok(End::Failed(answer, last.elapsed()));
        let mut held = Vec::new();
        while numbers.len() > 0 {
            let until = last + self.timeout;
            match program.receive(until, stop) {
                Output::Bytes(bytes) => held.extend(bytes),
                Output::End => match program.wait(until, stop) {
                    // The last line of all may lack its end; any other is a half one.
                    program::End::Status(status)
                        if status.success() && !held.is_empty() && numbers.len() == 1 =>
                    {
                        held.push(b'\n');
                    }
                    program::End::Status(status) => {
                        return failed(Answer::Ended(program.ending(status)), last);
                    }
                    program::End::Late => return failed(Answer::Late, last),
                    program::End::Interrupted => return Ok(End::Stopped),
                },
                Output::Late => return failed(Answer::Late, last),
                Output::Interrupted => return Ok(End::Stopped),
            }
            let mut start = 0;
            while let Some(length) = held[start..].iter().position(|&byte| byte == b'\n') {
                let Some(&number) = numbers.next() else {
                    self.oddities.surplus = true;
                    return Ok(End::Done);
                };
                let line = held[start..=start + length].to_vec();
                if take(number, Answer::Line(line), last.elapsed()).is_break() {
                    return Ok(End::Stopped);
                }
                last = Instant::now();
                start += length + 1;
            }
            held.drain(..start);
            if held.len() > self.longest {
                return failed(Answer::Long, last);
            }
            // Bytes come, but no line does.
            if start == 0 && Instant::now() >= until {
                return failed(Answer::Late, last);
            }
        }
        // It has nothing left to answer.
        let more = !held.is_empty() || {
            let until = Instant::now() + Duration::from_millis(200);
            matches!(program.receive(until, stop), Output::Bytes(_))
        };
        self.oddities.surplus |= more;
        Ok(End::Done)
    }
}
