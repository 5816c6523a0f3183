//! Positions as they come: from operands, a file, or standard input.

use std::{
    borrow::Cow,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tilebase::{Board, Notation, NotationError, NotationFlaw, Position, Reader, Shape};

use crate::console::Console;

/// Where positions come from.
#[derive(Debug, Args)]
pub(crate) struct Positions {
    /// Positions such as 867254301, "8 6 7 2 5 4 3 _ 1" or 867/254/301 [default: standard input]
    #[arg(value_name = "POSITION", conflicts_with = "file")]
    operands: Vec<String>,
    #[command(flatten)]
    input: Input,
}

/// Where lines come from, and how the positions in them are read.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Read the positions from a file; `-` is standard input
    #[arg(short = 'f', long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A word that stands for the blank, beside 0 _ x X . b * and #
    #[arg(long, value_name = "TOKEN", allow_hyphen_values = true, value_parser = word)]
    blank: Option<String>,
}

fn word(token: &str) -> Result<String> {
    ensure!(Notation::is_word(token), "expected a word, such as -1, that can stand on a cell");
    Ok(token.to_owned())
}

/// One position, or what stands where one should be.
pub(crate) struct Item<'t> {
    pub(crate) position: Position,
    source: Source<'t>,
}

#[derive(Clone, Copy)]
pub(crate) enum Source<'t> {
    /// An operand, by its number from 1.
    Operand(usize),
    Stdin,
    File(&'t Path),
}

impl Item<'_> {
    /// Where the position begins.
    pub(crate) fn place(&self) -> String {
        self.source.place(self.position.line)
    }

    /// What is wrong with the position, and where.
    pub(crate) fn complaint(&self, error: &NotationError) -> String {
        self.source.complaint(error) + &self.source.advice(&self.position.text)
    }
}

impl Source<'_> {
    /// What is wrong with the position, and where.
    fn complaint(self, error: &NotationError) -> String {
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

    /// Where a line stands, or the operand that is one.
    fn place(self, line: usize) -> String {
        match self {
            Self::Operand(number) => format!("position {number}"),
            source => format!("{source}line {line}"),
        }
    }

    /// What to do with an operand that is no position, but a file.
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
    /// What goes before the line in a message.
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
    /// Whether it was longer.
    pub(crate) is_cut: bool,
    number: usize,
    pub(crate) source: Source<'t>,
}

impl<'t> Line<'t> {
    /// Reads a position that is part of the line, or says what is wrong with it, and where.
    pub(crate) fn board(&self, text: &str, notation: &Notation) -> Result<Board, String> {
        notation.read(text).map_err(|error| {
            let error = NotationError { line: self.number, ..error };
            self.source.complaint(&error)
        })
    }

    /// Where the line stands.
    pub(crate) fn place(&self) -> String {
        self.source.place(self.number)
    }
}

impl Positions {
    /// Whether there are positions, or a file with them.
    pub(crate) fn are_given(&self) -> bool {
        !self.operands.is_empty() || self.input.file.is_some()
    }

    /// How positions are read. `shape` is the shape that all must have, if any.
    pub(crate) fn notation(&self, shape: Option<Shape>) -> Notation {
        self.input.notation(shape)
    }

    /// Calls `answer` for each position in order, until it breaks off.
    pub(crate) fn each(
        &self,
        shape: Option<Shape>,
        console: &mut Console,
        mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let notation = self.notation(shape);
        if self.operands.len() > 3 && self.operands.iter().all(|operand| operand.len() < 3) {
            bail!("a position is one operand; quote it: {:?}", self.operands.join(" "));
        }
        for (number, text) in (1..).zip(&self.operands) {
            let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let board = notation.read(text);
            let position = Position { line: 1, text: first_line.to_owned(), board };
            if answer(Item { position, source: Source::Operand(number) }, console)?.is_break() {
                return Ok(());
            }
        }
        if !self.operands.is_empty() {
            return Ok(());
        }
        let mut reader = Reader::new(notation);
        let (mut empty, mut flow) = (true, ControlFlow::Continue(()));
        let source = self.input.source();
        let mut answer = |position, console: &mut Console| {
            empty = false;
            answer(Item { position, source }, console)
        };
        self.input.lines("positions", Reader::LONGEST_LINE, console, |line, console| {
            for position in reader.line(line.text) {
                flow = answer(position, console)?;
                if flow.is_break() {
                    break;
                }
            }
            Ok(flow)
        })?;
        if let Some(position) = reader.end().filter(|_| flow.is_continue()) {
            let _ = answer(position, console)?;
        }
        if empty {
            bail!("no position in the input: expected the tiles row by row, 0 for the blank");
        }
        Ok(())
    }

    /// Calls `take` for each operand as if it were a line, or else for each line of the input, until it breaks
    /// off.
    pub(crate) fn lines(
        &self,
        what: &str,
        longest: usize,
        console: &mut Console,
        mut take: impl FnMut(Line<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        for (number, text) in (1..).zip(&self.operands) {
            let source = Source::Operand(number);
            let line = Line { text, is_cut: false, number: 1, source };
            if take(line, console)?.is_break() {
                return Ok(());
            }
        }
        if self.operands.is_empty() {
            return self.input.lines(what, longest, console, take);
        }
        Ok(())
    }
}

impl Input {
    /// How positions are read. `shape` is the shape that all must have, if any.
    pub(crate) fn notation(&self, shape: Option<Shape>) -> Notation {
        Notation { shape, blank: self.blank.clone() }
    }

    fn source(&self) -> Source<'_> {
        match self.file.as_deref() {
            Some(path) if path != Path::new("-") => Source::File(path),
            _ => Source::Stdin,
        }
    }

    /// Calls `take` for each line in order, until it breaks off. Of a longer line, the rest is lost.
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
        // The next read may wait for whoever writes; he may wait for the answers so far.
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
        // Tried first, as it is three times as fast.
        let text = std::str::from_utf8(&line).map(Cow::from);
        let text = &text.unwrap_or_else(|_| String::from_utf8_lossy(&line));
        if take(Line { text, is_cut, number, source }, console)?.is_break() {
            break;
        }
    }
    Ok(())
}
