//! Positions as they come: from operands, a file, or standard input.

use std::{
    borrow::Cow,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tilebase::{Board, NotationError, Shape};

use super::console::Console;

/// The longest line that can be a position, in bytes: a 10x10 board takes some 400.
const LONGEST_LINE: usize = 4096;

/// Where positions come from.
#[derive(Debug, Args)]
pub(super) struct Positions {
    /// Positions such as 867254301 or "8 6 7 2 5 4 3 0 1" (0 is the blank) [default: standard input]
    #[arg(value_name = "POSITION")]
    operands: Vec<String>,
    /// Read the positions from a file, one a line; `-` is standard input
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "operands")]
    file: Option<PathBuf>,
}

/// One position, or what stands where one should be.
pub(super) struct Item<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) board: Result<Board, NotationError>,
    pub(super) place: Place<'t>,
}

/// Where a position was read.
#[derive(Clone, Copy)]
pub(super) enum Place<'t> {
    Operand { number: usize },
    Line { file: Option<&'t Path>, number: usize },
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand { number } => write!(f, "position {number}"),
            Self::Line { file: None, number } => write!(f, "line {number}"),
            Self::Line { file: Some(file), number } => {
                write!(f, "{}: line {number}", file.display())
            }
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
        for (number, text) in (1..).zip(&self.operands) {
            let place = Place::Operand { number };
            answer(Item { text: text.into(), board: Board::parse(text, shape), place }, console)?;
        }
        if !self.operands.is_empty() {
            return Ok(());
        }
        match self.file.as_deref().filter(|path| *path != Path::new("-")) {
            Some(path) => {
                let file = File::open(path).with_context(|| path.display().to_string())?;
                read(file, Some(path), shape, console, answer)
            }
            None => {
                let stdin = io::stdin().lock();
                if stdin.is_terminal() {
                    console.note("reading positions, one a line, until Ctrl-D");
                }
                read(stdin, None, shape, console, answer)
            }
        }
    }
}

/// Reads positions line by line, in constant memory.
fn read(
    source: impl Read,
    file: Option<&Path>,
    shape: Option<Shape>,
    console: &mut Console,
    mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<()>,
) -> Result<()> {
    let name = || file.map_or("standard input".into(), Path::to_string_lossy);
    let mut source = BufReader::with_capacity(64 * 1024, source);
    let mut line = Vec::new();
    let mut empty = true;
    for number in 1.. {
        // The next read may wait for whoever writes; he may wait for the answers so far.
        if !source.buffer().contains(&b'\n') {
            console.flush()?;
        }
        line.clear();
        let limit = LONGEST_LINE as u64 + 1;
        let read = source.by_ref().take(limit).read_until(b'\n', &mut line);
        if read.with_context(|| name().into_owned())? == 0 {
            break;
        }
        if line.len() > LONGEST_LINE && !line.ends_with(b"\n") {
            source.skip_until(b'\n').with_context(|| name().into_owned())?;
        }
        let text = String::from_utf8_lossy(&line);
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let text = text.trim_end();
        let position = text.split('#').next().unwrap_or_default();
        if position.trim().is_empty() {
            continue;
        }
        empty = false;
        let place = Place::Line { file, number };
        answer(Item { text: text.into(), board: Board::parse(position, shape), place }, console)?;
    }
    if empty {
        bail!("no position in {}: expected one a line, such as 867254301", name());
    }
    Ok(())
}
