//! The lines that a program prints, one for each line that it was sent.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use crate::{
    process::program::{End, Output, Program},
    stream::mishap::Mishap,
};

/// The replies of a program, as they come.
pub(crate) struct Replies<'s> {
    program: Program,
    /// The most time that a reply may take, and the most bytes that it may have.
    timeout: Duration,
    longest: usize,
    /// Set when no more replies are wanted.
    stop: &'s AtomicBool,
    /// What the program has printed, read up to `start`.
    printed: Vec<u8>,
    start: usize,
    /// When the last reply was taken.
    last: Instant,
}

/// The result of waiting for a reply.
pub(crate) enum Next {
    /// A reply with its line feed, and the time since the last one.
    Reply(Vec<u8>, Duration),
    /// There is no reply, after this time.
    Failed(Mishap, Duration),
    /// The wait was interrupted.
    Stopped,
}

impl<'s> Replies<'s> {
    pub(crate) fn new(
        program: Program,
        timeout: Duration,
        longest: usize,
        stop: &'s AtomicBool,
    ) -> Self {
        let last = Instant::now();
        Self { program, timeout, longest, stop, printed: vec![], start: 0, last }
    }

    /// Waits for the next reply.
    ///
    /// `is_last` tells that the program was sent one more line only. That reply may lack its line feed.
    pub(crate) fn next(&mut self, is_last: bool) -> Next {
        let until = self.last + self.timeout;
        loop {
            let rest = &self.printed[self.start..];
            if let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
                let reply = rest[..=length].to_vec();
                self.start += length + 1;
                return Next::Reply(reply, self.last.elapsed());
            }
            self.printed.drain(..self.start);
            // In this round bytes came, but no line.
            let is_partial = self.start == 0 && !self.printed.is_empty();
            self.start = 0;
            if self.printed.len() > self.longest {
                return self.failed(Mishap::Long(self.longest));
            }
            if is_partial && Instant::now() >= until {
                return self.failed(Mishap::Late(self.timeout));
            }
            match self.program.receive(until, self.stop) {
                Output::Bytes(bytes) => self.printed.extend(bytes),
                Output::End => match self.end(until, is_last) {
                    Some(next) => return next,
                    None => self.printed.push(b'\n'),
                },
                Output::Late => return self.failed(Mishap::Late(self.timeout)),
                Output::Interrupted => return Next::Stopped,
            }
        }
    }

    /// Waits for the end of a program that prints no more. `None`: what it printed is a reply that lacks its end.
    fn end(&mut self, until: Instant, is_last: bool) -> Option<Next> {
        match self.program.wait(until, self.stop) {
            // Any other partial line was cut off by the end of the program.
            End::Status(status) if status.success() && !self.printed.is_empty() && is_last => None,
            End::Status(status) => Some(self.failed(Mishap::Ended(self.program.ending(status)))),
            End::Late => Some(self.failed(Mishap::Late(self.timeout))),
            End::Interrupted => Some(Next::Stopped),
        }
    }

    fn failed(&self, mishap: Mishap) -> Next {
        Next::Failed(mishap, self.last.elapsed())
    }

    /// Starts the time of the next reply, because the last one has been dealt with.
    pub(crate) fn restart_clock(&mut self) {
        self.last = Instant::now();
    }

    /// Whether the program prints more after its last reply. A program that prints more soon is caught.
    pub(crate) fn is_surplus(&mut self) -> bool {
        const SOON: Duration = Duration::from_millis(200);
        let until = Instant::now() + SOON;
        self.start < self.printed.len()
            || matches!(self.program.receive(until, self.stop), Output::Bytes(_))
    }
}
