//! How a program ended.

use std::{fmt, process::ExitStatus};

/// The status of a program that has ended, and the last line of its error output.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub(crate) status: ExitStatus,
    pub(crate) error: Option<String>,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status.code() {
            Some(code) => write!(f, "exit code {code}")?,
            // "signal: 11 (SIGSEGV)", where the platform has signals.
            None => self.status.fmt(f)?,
        }
        match &self.error {
            Some(error) => write!(f, ": {error}"),
            None => Ok(()),
        }
    }
}
