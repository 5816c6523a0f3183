//! The command of a solver, and how a position reaches the program.

use anyhow::{Result, ensure};

use crate::form::Form;

/// The environment variables that the command reads in place of {} and {file}.
pub(crate) const POSITION: &str = "TILEBASE_POSITION";
pub(crate) const FILE: &str = "TILEBASE_FILE";

/// A command of the shell, with environment variables in place of {} and {file}.
pub(crate) struct SolverCommand {
    pub(crate) text: String,
    /// Whether a position goes into a file.
    pub(crate) to_file: bool,
    /// Whether a position goes to standard input, because the command has no place for it.
    pub(crate) to_input: bool,
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
