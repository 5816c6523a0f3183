//! The attempt of a solver at one position, in a process of its own.

use std::{
    process::ExitStatus,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::{
    check::{
        answers::excerpt,
        command::{SolverCommand, Started},
        failure::Failure,
    },
    process::{
        ending::Ending,
        program::{End, Output},
    },
    stream::mishap::Mishap,
};

/// The most bytes that an answer may have.
pub(crate) const MOST_OUTPUT: usize = 1 << 20;

/// A solver that runs for one position.
pub(crate) struct Attempt {
    started: Started,
    timeout: Duration,
    /// What the solver has printed so far.
    pub(crate) output: Vec<u8>,
}

impl Attempt {
    /// Starts a command for a position, which is given as it is sent.
    pub(crate) fn start(
        command: &SolverCommand,
        position: &str,
        timeout: Duration,
    ) -> Result<Self> {
        Ok(Self { started: command.start(position)?, timeout, output: vec![] })
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.at.elapsed()
    }

    /// Waits for the end of the solver. `None` if the wait was interrupted.
    pub(crate) fn finish(&mut self, stop: &AtomicBool) -> Option<Result<ExitStatus, Failure>> {
        let until = self.started.at + self.timeout;
        loop {
            match self.started.program.receive(until, stop) {
                Output::Bytes(_) if Instant::now() >= until => return Some(Err(self.timed_out())),
                Output::Bytes(bytes) => self.output.extend(bytes),
                Output::End => break,
                Output::Late => return Some(Err(self.timed_out())),
                Output::Interrupted => return None,
            }
            if self.output.len() > MOST_OUTPUT {
                return Some(Err(Mishap::Long(MOST_OUTPUT).into()));
            }
        }
        match self.started.program.wait(until, stop) {
            End::Status(status) => Some(Ok(status)),
            End::Late => Some(Err(self.timed_out())),
            End::Interrupted => None,
        }
    }

    /// How a solver failed that ended with this status.
    pub(crate) fn ending(&self, status: ExitStatus) -> Ending {
        self.started.program.ending(status)
    }

    fn timed_out(&self) -> Failure {
        let printed = match excerpt(&String::from_utf8_lossy(&self.output)).as_str() {
            "" => "printed nothing".to_owned(),
            text => format!("had printed {text:?}"),
        };
        Failure::TimedOut(format!("after {:?}, it {printed}", self.timeout))
    }
}
