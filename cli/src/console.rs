//! The console: standard output, standard error, and the exit code that follows from them.

use std::{
    collections::BTreeSet,
    fmt::Display,
    io::{self, BufWriter, IsTerminal, Stdout, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::ColorChoice;
use serde::Serialize;
use tilebase::Refusal;

/// Writes answers to standard output and everything else to standard error. It also keeps the exit code.
pub(crate) struct Console {
    out: BufWriter<Stdout>,
    quiet: bool,
    exit: Exit,
    /// The errors that [`error_once`](Self::error_once) has written.
    said: BTreeSet<String>,
}

/// How a run ended, in increasing importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every position is solvable, and every check passed.
    Yes,
    /// A position is unsolvable, an answer is wrong, or a table is damaged.
    No,
    /// A question could not be answered.
    Trouble,
    /// The user interrupted the run.
    Interrupted = 130,
}

/// An answer could not be written to standard output.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct OutputError(#[from] io::Error);

impl Console {
    pub(crate) fn new(quiet: bool, color: ColorChoice) -> Self {
        match color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        let out = BufWriter::with_capacity(64 * 1024, io::stdout());
        Self { out, quiet, exit: Exit::Yes, said: BTreeSet::new() }
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.out.get_ref().is_terminal()
    }

    /// Writes a line of an answer.
    pub(crate) fn line(&mut self, line: impl Display) -> Result<()> {
        writeln!(self.out, "{line}").map_err(OutputError)?;
        Ok(())
    }

    /// Writes an answer as a line of JSON.
    pub(crate) fn json(&mut self, answer: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.out, answer)
            .map_err(io::Error::from)
            .map_err(OutputError)?;
        self.line("")
    }

    /// Writes raw bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(OutputError)?;
        Ok(())
    }

    /// Flushes standard output.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(OutputError)?;
        Ok(())
    }

    /// Writes a note for the user, unless notes are silenced.
    pub(crate) fn note(&mut self, note: impl Display) {
        if !self.quiet {
            self.say("\x1b[1;36mnote\x1b[0m", note);
        }
    }

    /// Writes a summary of several lines to standard error, unless notes are silenced.
    pub(crate) fn report(&mut self, report: impl Display) {
        if !self.quiet {
            let _ = self.out.flush();
            let _ = write!(anstream::stderr(), "{report}");
        }
    }

    /// Records that a question could not be answered.
    pub(crate) fn trouble(&mut self) {
        self.exit = self.exit.max(Exit::Trouble);
    }

    /// Writes an error, and records that a question could not be answered.
    pub(crate) fn error(&mut self, error: impl Display) {
        self.trouble();
        self.say("\x1b[1;31merror\x1b[0m", error);
    }

    /// Writes an error as [`error`](Self::error) does, but the same error only once. It is recorded each time.
    pub(crate) fn error_once(&mut self, error: impl Display) {
        let error = error.to_string();
        self.trouble();
        if !self.said.contains(&error) {
            self.error(&error);
            self.said.insert(error);
        }
    }

    /// Records that the user interrupted the run.
    pub(crate) fn interrupted(&mut self) {
        self.exit = Exit::Interrupted;
    }

    /// Whether notes are silenced.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Records that an answer was negative.
    pub(crate) fn no(&mut self) {
        self.exit = self.exit.max(Exit::No);
    }

    fn say(&mut self, kind: &str, message: impl Display) {
        // Answers that were written earlier must come first. An error of standard output appears at the next answer.
        let _ = self.out.flush();
        let _ = writeln!(anstream::stderr(), "{kind}: {message}");
    }

    /// The exit code of a run that ended with this result. A closed pipe is not an error.
    pub(crate) fn finish(mut self, result: Result<()>) -> ExitCode {
        if let Err(error) = result.and_then(|()| self.flush()) {
            if error.chain().any(is_stop) {
                self.interrupted();
                let _ = self.flush();
                return ExitCode::from(self.exit as u8);
            }
            let pipe = error.downcast_ref::<OutputError>().map(|error| error.0.kind());
            if pipe != Some(io::ErrorKind::BrokenPipe) {
                self.error(format_args!("{error:#}"));
            }
        }
        ExitCode::from(self.exit as u8)
    }
}

/// Whether the error is that of work that an interruption stopped.
fn is_stop(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(Refusal::is_stop)
}
