//! What is sent to a program: a text with places for boards.

use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};
use tilebase::Board;

/// What is sent: a text with placeholders.
#[derive(Clone, Debug)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    /// How many rows the board has.
    Size,
    Board {
        form: Form,
        goal: bool,
        blank: String,
    },
}

/// How the cells of a board are written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Digits,
    List,
    Rows,
    DigitRows,
    Column,
    Json,
}

impl Form {
    /// All of them, with their names.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("digits", Self::Digits),
        ("list", Self::List),
        ("rows", Self::Rows),
        ("digit-rows", Self::DigitRows),
        ("column", Self::Column),
        ("json", Self::Json),
    ];

    /// What stands between two cells, between two rows, and around a row and all of them.
    fn marks(self) -> [&'static str; 4] {
        match self {
            Self::Digits => ["", "", "", ""],
            Self::List => [" ", " ", "", ""],
            Self::Rows => [" ", "\n", "", ""],
            Self::DigitRows => ["", "\n", "", ""],
            Self::Column => ["\n", "\n", "", ""],
            Self::Json => [",", ",", "[", "]"],
        }
    }

    /// Adds a board to a text.
    fn write(self, board: &Board, blank: &str, text: &mut String) {
        let [cell, row, open, close] = self.marks();
        let digits = matches!(self, Self::Digits | Self::DigitRows);
        // Beyond the digits there are, numbers have to be told apart.
        let compact = digits && board.tiles().len() <= 36;
        let cell = if digits && !compact { "," } else { cell };
        let row = if row.is_empty() { cell } else { row };
        let cols = board.shape().cols();
        text.push_str(open);
        for (number, &tile) in board.tiles().iter().enumerate() {
            let first = number % cols == 0;
            text.push_str(match number {
                0 => "",
                _ if first => row,
                _ => cell,
            });
            text.push_str(if first { open } else { "" });
            match char::from_digit(tile.into(), 36).filter(|_| compact || tile < 10) {
                _ if tile == 0 => text.push_str(blank),
                Some(digit) => text.push(digit.to_ascii_uppercase()),
                None => text.push_str(&tile.to_string()),
            }
            text.push_str(if number % cols == cols - 1 { close } else { "" });
        }
        text.push_str(close);
    }
}

impl FromStr for Template {
    type Err = Error;

    fn from_str(template: &str) -> Result<Self> {
        let mut parts = Vec::new();
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
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(name.parse()?);
                rest = behind;
            }
        }
        parts.push(Part::Text(text));
        Ok(Self(parts))
    }
}

impl FromStr for Part {
    type Err = Error;

    /// The inside of a placeholder: `size`, or a form with `goal.` before and `:BLANK` behind.
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
        for part in &self.0 {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Size => text.push_str(&board.shape().rows().to_string()),
                Part::Board { form, goal: true, blank } => form.write(goal, blank, &mut text),
                Part::Board { form, goal: false, blank } => form.write(board, blank, &mut text),
            }
        }
        text
    }

    /// The text about a board, which is to be a line, with its end.
    pub(crate) fn line(&self, board: &Board, goal: &Board) -> String {
        let mut text = self.fill(board, goal);
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        text
    }

    /// Whether the text about a board is a line.
    pub(crate) fn check_line(&self, board: &Board, goal: &Board) -> Result<()> {
        let line = self.line(board, goal);
        ensure!(
            line.lines().count() == 1,
            "a line is sent for each position, and this is not one: {line:?}"
        );
        Ok(())
    }
}
