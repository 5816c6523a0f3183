//! The attempt of a solver at one position, in a process of its own.

use std::{
    ffi::OsStr,
    io::{self, Write},
    path::Path,
    process::ExitStatus,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use crate::{
    check::{
        answers::excerpt,
        failure::Failure,
        solver_command::{FILE, POSITION, SolverCommand},
    },
    process::{
        ending::Ending,
        program::{End, Output, Program},
    },
    stream::mishap::Mishap,
};

/// The most bytes that an answer may have.
pub(crate) const MOST_OUTPUT: usize = 1 << 20;

/// A solver that runs for one position.
pub(crate) struct Attempt {
    /// Dropped before the file that it reads.
    program: Program,
    _file: Option<NamedTempFile>,
    start: Instant,
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
        let file = if command.to_file { Some(file_of(position)?) } else { None };
        let path = file.as_ref().map_or(Path::new(""), NamedTempFile::path);
        let word: &OsStr = position.trim_end_matches('\n').as_ref();
        let variables = [(POSITION, word), (FILE, path.as_os_str())];
        let start = Instant::now();
        let mut program =
            Program::start(&command.text, &variables).context("cannot run the shell")?;
        if let (Some(mut input), true) = (program.input(), command.to_input) {
            // The position fits into the pipe, so this does not block. A program need not read it.
            let _ = input.write_all(position.as_bytes());
        }
        Ok(Self { program, _file: file, start, timeout, output: vec![] })
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Waits for the end of the solver. `None` if the wait was interrupted.
    pub(crate) fn finish(&mut self, stop: &AtomicBool) -> Option<Result<ExitStatus, Failure>> {
        let until = self.start + self.timeout;
        loop {
            match self.program.receive(until, stop) {
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
        match self.program.wait(until, stop) {
            End::Status(status) => Some(Ok(status)),
            End::Late => Some(Err(self.timed_out())),
            End::Interrupted => None,
        }
    }

    /// How a solver failed that ended with this status.
    pub(crate) fn ending(&self, status: ExitStatus) -> Ending {
        self.program.ending(status)
    }

    fn timed_out(&self) -> Failure {
        let printed = match excerpt(&String::from_utf8_lossy(&self.output)).as_str() {
            "" => "printed nothing".to_owned(),
            text => format!("had printed {text:?}"),
        };
        Failure::TimedOut(format!("after {:?}, it {printed}", self.timeout))
    }
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
