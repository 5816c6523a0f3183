//! A command that answers lines, and that is started again until all lines have an answer or a mishap.
//!
//! All lines are written ahead, and answers are taken as they come. So the program is never idle, and a program that
//! holds its output back until its input ends works as well as one that does not. But then it is not known
//! which line made a program fail. So after a failure, the first line without an answer is sent alone to a new process.
//! Only if the program fails there again, that line is to blame.

use std::{
    io::{BufWriter, Write},
    ops::ControlFlow,
    sync::atomic::AtomicBool,
    thread,
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use crate::{
    process::program::Program,
    stream::{
        mishap::Mishap,
        oddities::Oddities,
        replies::{Next, Replies},
    },
};

/// A reply with its line feed, or why there is none.
pub(crate) type Answer = Result<Vec<u8>, Mishap>;

/// A command of the shell that is sent lines.
pub(crate) struct Lines<'a> {
    command: &'a str,
    /// The most time that an answer may take, and the most bytes that it may have.
    timeout: Duration,
    longest: usize,
    oddities: Oddities,
}

/// How a batch of lines ended.
enum End {
    /// The program answered all.
    Done,
    /// The program failed to answer the next line, after this time.
    Failed(Mishap, Duration),
    /// No more answers are wanted.
    Stopped,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(command: &'a str, timeout: Duration, longest: usize) -> Self {
        Self { command, timeout, longest, oddities: Oddities::default() }
    }

    /// Checks that a command has no place for a position of its own, because it is sent all positions.
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

    /// Sends the `line` of each number, and calls `take` with each answer and the time since the last one.
    ///
    /// Ends when `take` breaks off or `stop` is set.
    ///
    /// # Errors
    ///
    /// If the shell cannot be run.
    pub(crate) fn ask(
        &mut self,
        numbers: &[usize],
        line: impl Fn(usize) -> String + Sync,
        stop: &AtomicBool,
        mut take: impl FnMut(usize, Answer, Duration) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut size = BatchSize::new(numbers.len());
        let mut rest = numbers;
        while !rest.is_empty() {
            let batch = &rest[..size.next.min(rest.len())];
            let mut answered = 0;
            let end = self.run(batch, &line, stop, |number, answer, time| {
                answered += 1;
                take(number, answer, time)
            })?;
            match end {
                End::Done => size.grow(),
                End::Failed(mishap, time) if batch.len() == 1 => {
                    size.restart();
                    answered = 1;
                    if take(batch[0], Err(mishap), time).is_break() {
                        return Ok(());
                    }
                }
                End::Failed(mishap, _) => {
                    self.oddities.restarts += 1;
                    let is_late = matches!(mishap, Mishap::Late(_));
                    size.single_out(is_late.then_some(batch.len()));
                }
                End::Stopped => return Ok(()),
            }
            rest = &rest[answered..];
        }
        Ok(())
    }

    /// Runs the command for a batch of lines.
    fn run(
        &mut self,
        batch: &[usize],
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
                let mut lines = batch.iter().map(|&number| line(number));
                // A program that reads no more is noticed by its answers.
                let _ = lines.try_for_each(|line| input.write_all(line.as_bytes()));
            });
            let mut replies = Replies::new(program, self.timeout, self.longest, stop);
            let end = take_all(&mut replies, batch, &mut take);
            self.oddities.surplus |= matches!(end, End::Done) && replies.is_surplus();
            // Here the program is dropped and killed, which ends the thread that writes to it.
            drop(replies);
            Ok(end)
        })
    }
}

/// Takes the reply to each line of a batch.
fn take_all(
    replies: &mut Replies<'_>,
    batch: &[usize],
    take: &mut impl FnMut(usize, Answer, Duration) -> ControlFlow<()>,
) -> End {
    for (index, &number) in batch.iter().enumerate() {
        match replies.next(index + 1 == batch.len()) {
            Next::Reply(reply, time) => {
                if take(number, Ok(reply), time).is_break() {
                    return End::Stopped;
                }
            }
            Next::Failed(mishap, time) => return End::Failed(mishap, time),
            Next::Stopped => return End::Stopped,
        }
        replies.restart_clock();
    }
    End::Done
}

/// The number of lines that a process is sent.
struct BatchSize {
    next: usize,
    limit: usize,
    /// The size of a batch that was late, until its first line without an answer has been tried alone.
    late: Option<usize>,
}

impl BatchSize {
    /// The ratio of a batch to the one before, if all goes well.
    const GROWTH: usize = 8;

    fn new(lines: usize) -> Self {
        Self { next: lines, limit: lines, late: None }
    }

    /// A batch was answered.
    fn grow(&mut self) {
        // If the line alone was in time, the batch was too large for a slow program that holds its output back.
        if let Some(late) = self.late.take() {
            self.limit = self.limit.min(late / Self::GROWTH).max(1);
        }
        self.next = self.next.saturating_mul(Self::GROWTH).min(self.limit);
    }

    /// A line failed alone.
    fn restart(&mut self) {
        self.late = None;
        self.next = 1;
    }

    /// A batch of several lines failed. If it was late, this tells its size.
    fn single_out(&mut self, late: Option<usize>) {
        self.late = late;
        self.next = 1;
    }
}
