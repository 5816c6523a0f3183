//! Positions of the input: from operands, a file, or standard input.

use std::ops::ControlFlow;

use anyhow::{Result, bail};
use clap::Args;
use tilebase::{
    Notation, NotationError, Shape,
    notation::{Position, Reader},
};

use crate::{
    console::Console,
    input::{Input, Line, Source},
};

/// The options that choose the source of positions.
#[derive(Debug, Args)]
pub(crate) struct Positions {
    /// Positions such as 867254301, "8 6 7 2 5 4 3 _ 1" or 867/254/301 [default: standard input]
    #[arg(value_name = "POSITION", conflicts_with = "file")]
    operands: Vec<String>,
    #[command(flatten)]
    input: Input,
}

/// A position, or a text that should be one.
pub(crate) struct Item<'t> {
    pub(crate) position: Position,
    source: Source<'t>,
}

impl Item<'_> {
    /// Where the position begins.
    pub(crate) fn place(&self) -> String {
        self.source.place(self.position.line)
    }

    /// A message that says what is wrong with the position, and where.
    pub(crate) fn complaint(&self, error: &NotationError) -> String {
        self.source.complaint(error) + &self.source.advice(&self.position.text)
    }
}

impl Positions {
    /// Whether operands or a file are given.
    pub(crate) fn are_given(&self) -> bool {
        !self.operands.is_empty() || self.input.is_given()
    }

    /// How positions are read. All must have this `shape`, if it is given.
    pub(crate) fn notation(&self, shape: Option<Shape>) -> Notation {
        self.input.notation(shape)
    }

    /// Calls `answer` for each position in order, until `answer` breaks. All must have this `shape`, if it is given.
    pub(crate) fn each(
        &self,
        shape: Option<Shape>,
        console: &mut Console,
        answer: impl FnMut(Item<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let notation = self.notation(shape);
        match self.operands.is_empty() {
            true => self.each_of_input(notation, console, answer),
            false => self.each_operand(&notation, console, answer),
        }
    }

    fn each_operand(
        &self,
        notation: &Notation,
        console: &mut Console,
        mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        if self.operands.len() > 3 && self.operands.iter().all(|operand| operand.len() < 3) {
            bail!("a position is one operand; quote it: {:?}", self.operands.join(" "));
        }
        for (number, text) in (1..).zip(&self.operands) {
            let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let board = notation.read(text);
            let position = Position { line: 1, text: first_line.to_owned(), board };
            if answer(Item { position, source: Source::Operand(number) }, console)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn each_of_input(
        &self,
        notation: Notation,
        console: &mut Console,
        mut answer: impl FnMut(Item<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
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

    /// Calls `take` for each operand as a line, or for each line of the input if there are no operands. Ends when
    /// `take` breaks.
    ///
    /// The parameters are those of [`Input::lines`].
    pub(crate) fn lines(
        &self,
        what: &str,
        longest: usize,
        console: &mut Console,
        mut take: impl FnMut(Line<'_>, &mut Console) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        if self.operands.is_empty() {
            return self.input.lines(what, longest, console, take);
        }
        for (number, text) in (1..).zip(&self.operands) {
            if take(Line::of_operand(number, text), console)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
