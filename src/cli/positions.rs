//! Positions as they come: from operands, a file, or standard input.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tilebase::{Notation, NotationError, NotationFlaw, Position, Reader, Shape};

use super::console::Console;

/// Where positions come from.
#[derive(Debug, Args)]
pub(super) struct Positions {
    /// Positions such as 867254301, "8 6 7 2 5 4 3 _ 1" or 867/254/301 [default: standard input]
    #[arg(value_name = "POSITION")]
    operands: Vec<String>,
    /// Read the positions from a file; `-` is standard input
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "operands")]
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
pub(super) struct Item<'t> {
    pub(super) position: Position,
    source: Source<'t>,
}

#[derive(Clone, Copy)]
enum Source<'t> {
    /// An operand, by its number from 1.
    Operand(usize),
    Stdin,
    File(&'t Path),
}

impl Item<'_> {
    /// Where the position begins.
    pub(super) fn place(&self) -> String {
        match self.source {
            Source::Operand(number) => format!("position {number}"),
            _ => format!("{}line {}", self.source, self.position.line),
        }
    }

    /// What is wrong with the position, and where.
    pub(super) fn complaint(&self, error: &NotationError) -> String {
        let NotationError { line, column, flaw } = error;
        let advice = match flaw {
            NotationFlaw::Shape { cells } => Shape::with_cells(*cells).next(),
            _ => None,
        };
        let advice = advice.map_or_else(String::new, |shape| format!(": say --shape {shape}"));
        let column = column.map_or_else(String::new, |column| format!(", column {column}"));
        match self.source {
            Source::Operand(number) if *line == 1 => {
                format!("position {number}{column}: {flaw}{advice}")
            }
            source => format!("{source}line {line}{column}: {flaw}{advice}"),
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

impl Positions {
    /// Calls `answer` for each position in order. `shape` is the shape that all must have, if any.
    pub(super) fn each(
        &self,
        shape: Option<Shape>,
        console: &mut Console,
        mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<()>,
    ) -> Result<()> {
        let notation = Notation { shape, blank: self.blank.clone() };
        if self.operands.len() > 3 && self.operands.iter().all(|operand| operand.len() < 3) {
            bail!("a position is one operand; quote it: {:?}", self.operands.join(" "));
        }
        for (number, text) in (1..).zip(&self.operands) {
            let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let board = notation.read(text);
            let position = Position { line: 1, text: first_line.to_owned(), board };
            answer(Item { position, source: Source::Operand(number) }, console)?;
        }
        if !self.operands.is_empty() {
            return Ok(());
        }
        match self.file.as_deref().filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let name = || path.display().to_string();
                let file = File::open(path).with_context(name)?;
                read(file, Source::File(path), notation, console, answer).with_context(name)
            }
            None => {
                let stdin = io::stdin().lock();
                if stdin.is_terminal() {
                    console.note("reading positions until Ctrl-D");
                }
                read(stdin, Source::Stdin, notation, console, answer)
            }
        }
    }
}

/// Reads positions line by line, in constant memory.
fn read(
    source: impl Read,
    name: Source<'_>,
    notation: Notation,
    console: &mut Console,
    mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<()>,
) -> Result<()> {
    let mut source = BufReader::with_capacity(64 * 1024, source);
    let mut reader = Reader::new(notation);
    let mut line = Vec::new();
    let mut empty = true;
    let mut answer = |position, console: &mut Console| {
        empty = false;
        answer(Item { position, source: name }, console)
    };
    loop {
        // The next read may wait for whoever writes; he may wait for the answers so far.
        if !source.buffer().contains(&b'\n') {
            console.flush()?;
        }
        line.clear();
        let limit = Reader::LONGEST_LINE as u64 + 2;
        if source.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == limit && !line.ends_with(b"\n") {
            source.skip_until(b'\n')?;
        }
        for position in reader.line(&String::from_utf8_lossy(&line)) {
            answer(position, console)?;
        }
    }
    if let Some(position) = reader.end() {
        answer(position, console)?;
    }
    if empty {
        bail!("no position in the input: expected the tiles row by row, 0 for the blank");
    }
    Ok(())
}
