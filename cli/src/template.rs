//! Templates: the text about a board that is sent to a program.

use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};
use tilebase::Board;

use crate::form::Form;

/// A text with placeholders for a board and its goal.
#[derive(Clone, Debug)]
pub(crate) struct Template(Vec<Piece>);

/// A fixed text, or a placeholder.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// The number of rows of the board.
    Size,
    Board {
        form: Form,
        goal: bool,
        blank: String,
    },
}

impl FromStr for Template {
    type Err = Error;

    fn from_str(template: &str) -> Result<Self> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(first) = rest.chars().next() {
            let (taken, escaped) = match rest.get(..2) {
                Some(r"\n") => (2, "\n"),
                Some(r"\t") => (2, "\t"),
                Some(r"\\") => (2, r"\"),
                Some("{{") => (2, "{"),
                Some("}}") => (2, "}"),
                _ if first == '{' => (0, ""),
                _ => (first.len_utf8(), &rest[..first.len_utf8()]),
            };
            text.push_str(escaped);
            rest = &rest[taken..];
            if taken == 0 {
                let (name, behind) = rest[1..]
                    .split_once('}')
                    .with_context(|| format!("{rest:?} has no }}; a brace of its own is {{{{"))?;
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(name.parse()?);
                rest = behind;
            }
        }
        pieces.push(Piece::Text(text));
        Ok(Self(pieces))
    }
}

impl FromStr for Piece {
    type Err = Error;

    /// Parses the inside of a placeholder: `size`, or `FORM` with an optional `goal.` before it and `:BLANK` after it.
    fn from_str(name: &str) -> Result<Self> {
        if name == "size" {
            return Ok(Self::Size);
        }
        let (board, blank) = name.split_once(':').unwrap_or((name, "0"));
        let (goal, form) = match board.strip_prefix("goal.") {
            Some(form) => (true, form),
            None => (false, board),
        };
        match Form::ALL.into_iter().find(|(name, _)| *name == form) {
            Some((_, form)) => Ok(Self::Board { form, goal, blank: blank.to_owned() }),
            None => bail!(
                "{{{name}}} is no placeholder: expected {{size}} or one of {}, such as {{rows}}, {{rows:#}} with # \
                 for the blank, or {{goal.rows}}; a brace of its own is {{{{",
                Form::ALL.map(|(name, _)| name).join(", ")
            ),
        }
    }
}

impl Template {
    /// The text about a board.
    pub(crate) fn fill(&self, board: &Board, goal: &Board) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Size => text.push_str(&board.shape().rows().to_string()),
                Piece::Board { form, goal: true, blank } => form.write(goal, blank, &mut text),
                Piece::Board { form, goal: false, blank } => form.write(board, blank, &mut text),
            }
        }
        text
    }

    /// The text about a board as a line, with one line feed at its end.
    pub(crate) fn line(&self, board: &Board, goal: &Board) -> String {
        let mut text = self.fill(board, goal);
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        text
    }

    /// Checks that the text about a board is a single line.
    pub(crate) fn check_line(&self, board: &Board, goal: &Board) -> Result<()> {
        let line = self.line(board, goal);
        ensure!(
            line.lines().count() == 1,
            "a line is sent for each position, and this is not one: {line:?}"
        );
        Ok(())
    }
}
