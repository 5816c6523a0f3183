//! Lines of the input, from a file or from standard input. An operand counts as a line.

use std::{
    borrow::Cow,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use tilebase::{Board, Notation, NotationError, Shape, notation::NotationFlaw};

use crate::console::Console;

/// The options that say where lines come from, and how the positions in them are read.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Read the positions from a file; `-` is standard input
    #[arg(short = 'f', long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A word for the blank, in addition to 0 _ x X . b * and #
    #[arg(long, value_name = "TOKEN", allow_hyphen_values = true, value_parser = word)]
    blank: Option<String>,
}

/// Checks that a token can stand for a cell.
fn word(token: &str) -> Result<String> {
    ensure!(Notation::is_word(token), "expected a word, such as -1, that can stand on a cell");
    Ok(token.to_owned())
}

impl Input {
    /// Whether a file is given, or standard input by its name `-`.
    pub(crate) fn is_given(&self) -> bool {
        self.file.is_some()
    }

    /// How positions are read. All must have this `shape`, if it is given.
    pub(crate) fn notation(&self, shape: Option<Shape>) -> Notation {
        Notation { shape, blank: self.blank.clone() }
    }

    pub(crate) fn source(&self) -> Source<'_> {
        match self.file.as_deref() {
            Some(path) if path != Path::new("-") => Source::File(path),
            _ => Source::Stdin,
        }
    }

    /// Calls `take` for each line in order, until `take` breaks. `what` names the lines for the user.
    ///
    /// A line with more than `longest` bytes is cut.
    pub(crate) fn lines(
        &self,
        what: &str,
        longest: usize,
        console: &mut Console,
        take: impl FnMut(Line<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let source = self.source();
        if let Source::File(path) = source {
            let name = || path.display().to_string();
            let file = File::open(path).with_context(name)?;
            return read(file, source, longest, console, take).with_context(name);
        }
        let stdin = io::stdin().lock();
        if stdin.is_terminal() {
            console.note(format_args!("reading {what} until Ctrl-D"));
        }
        read(stdin, source, longest, console, take)
    }
}

/// Where a line comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'t> {
    /// An operand, by its number from 1.
    Operand(usize),
    Stdin,
    File(&'t Path),
}

impl Source<'_> {
    /// A message that says what is wrong with a position, and where.
    pub(crate) fn complaint(self, error: &NotationError) -> String {
        let NotationError { line, column, flaw } = error;
        let advice = match flaw {
            NotationFlaw::Shape { cells } => Shape::with_cells(*cells).next(),
            _ => None,
        };
        let advice = advice.map_or_else(String::new, |shape| format!(": say --shape {shape}"));
        let column = column.map_or_else(String::new, |column| format!(", column {column}"));
        match self {
            Source::Operand(number) if *line == 1 => {
                format!("position {number}{column}: {flaw}{advice}")
            }
            source => format!("{source}line {line}{column}: {flaw}{advice}"),
        }
    }

    /// The number of a line with its file, or the number of the operand.
    pub(crate) fn place(self, line: usize) -> String {
        match self {
            Self::Operand(number) => format!("position {number}"),
            source => format!("{source}line {line}"),
        }
    }

    /// Advice for an operand that is not a position but the name of a file. Empty in all other cases.
    pub(crate) fn advice(self, text: &str) -> String {
        match self {
            Self::Operand(_) if Path::new(text).is_file() => {
                format!("; to read a file, say -f {text}")
            }
            _ => String::new(),
        }
    }
}

impl fmt::Display for Source<'_> {
    /// The words before the number of the line in a message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand(number) => write!(f, "position {number}, "),
            Self::Stdin => Ok(()),
            Self::File(path) => write!(f, "{}: ", path.display()),
        }
    }
}

/// A line of the input, or an operand.
#[derive(Clone, Copy)]
pub(crate) struct Line<'t> {
    pub(crate) text: &'t str,
    /// Whether the end of the line was cut off, because the line was too long.
    pub(crate) is_cut: bool,
    /// The number of the line, from 1.
    number: usize,
    pub(crate) source: Source<'t>,
}

impl<'t> Line<'t> {
    /// The operand with this number, from 1.
    pub(crate) fn of_operand(number: usize, text: &'t str) -> Self {
        Self { text, is_cut: false, number: 1, source: Source::Operand(number) }
    }

    /// Reads a position that is part of the line. The error is a message that says what is wrong with it, and where.
    pub(crate) fn board(&self, text: &str, notation: &Notation) -> Result<Board, String> {
        notation.read(text).map_err(|error| {
            let error = NotationError { line: self.number, ..error };
            self.source.complaint(&error)
        })
    }

    /// The place of the line, for messages.
    pub(crate) fn place(&self) -> String {
        self.source.place(self.number)
    }
}

/// Reads line by line, in constant memory.
fn read(
    input: impl Read,
    source: Source<'_>,
    longest: usize,
    console: &mut Console,
    mut take: impl FnMut(Line<'_>, &mut Console) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    for number in 1.. {
        // The next read may wait for a program that itself waits for the answers so far.
        if !input.buffer().contains(&b'\n') {
            console.flush()?;
        }
        line.clear();
        let limit = longest as u64 + 2;
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let is_cut = line.len() as u64 == limit && !line.ends_with(b"\n");
        if is_cut {
            input.skip_until(b'\n')?;
        }
        // This check comes first, because it is three times as fast as the lossy conversion.
        let text = std::str::from_utf8(&line).map(Cow::from);
        let text = &text.unwrap_or_else(|_| String::from_utf8_lossy(&line));
        if take(Line { text, is_cut, number, source }, console)?.is_break() {
            break;
        }
    }
    Ok(())
}
