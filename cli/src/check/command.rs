//! The command of a solver, and how a position reaches the program.

use std::{
    ffi::OsStr,
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

use crate::{process::program::Program, template::Form};

/// The environment variables that the command reads in place of {} and {file}.
const POSITION: &str = "TILEBASE_POSITION";
const FILE: &str = "TILEBASE_FILE";

/// A command of the shell, with environment variables in place of {} and {file}.
pub(crate) struct SolverCommand {
    text: String,
    /// Whether a position goes into a file.
    to_file: bool,
    /// Whether a position goes to standard input, because the command has no place for it.
    to_input: bool,
}

/// A command that runs for one position. The program is dropped before the file that it reads.
pub(crate) struct Started {
    pub(crate) program: Program,
    pub(crate) at: Instant,
    _file: Option<NamedTempFile>,
}

impl SolverCommand {
    /// # Errors
    ///
    /// If the command is empty, or has a placeholder that belongs into a template.
    pub(crate) fn new(command: &str) -> Result<Self> {
        ensure!(!command.trim().is_empty(), "--solver: expected a command");
        for (name, _) in Form::ALL {
            let place = format!("{{{name}}}");
            ensure!(
                !command.contains(&place),
                "{place} belongs into --send; in the command, {{}} becomes what is sent"
            );
        }
        let with_position = put(command, "{}", POSITION);
        let text = put(&with_position, "{file}", FILE);
        Ok(Self { to_file: text != with_position, to_input: text == command, text })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Starts the command for a position, which is given as it is sent.
    pub(crate) fn start(&self, position: &str) -> Result<Started> {
        let file = if self.to_file { Some(file_of(position)?) } else { None };
        let path = file.as_ref().map_or(Path::new(""), NamedTempFile::path);
        let word: &OsStr = position.trim_end_matches('\n').as_ref();
        let variables = [(POSITION, word), (FILE, path.as_os_str())];
        let at = Instant::now();
        let mut program = Program::start(&self.text, &variables).context("cannot run the shell")?;
        if let (Some(mut input), true) = (program.input(), self.to_input) {
            // The position fits into the pipe, so this does not block. A program need not read it.
            let _ = input.write_all(position.as_bytes());
        }
        Ok(Started { program, at, _file: file })
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

/// A command of the shell with a variable in all places of a kind. The value is a part of one word, whatever quotes
/// stand around the place.
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
        // A backslash escapes the next character, except in single quotes.
        let escaped = first == '\\' && quote != Some('\'');
        let taken = rest.chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum();
        filled.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    filled
}
