//! The forms in which boards are sent to a program.

use tilebase::Board;

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
    /// All forms, with their names.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("digits", Self::Digits),
        ("list", Self::List),
        ("rows", Self::Rows),
        ("digit-rows", Self::DigitRows),
        ("column", Self::Column),
        ("json", Self::Json),
    ];

    /// The text between two cells, the text between two rows, and the opening and closing marks of a row and a board.
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

    /// Appends a board to a text, with `blank` on the blank cell.
    pub(crate) fn write(self, board: &Board, blank: &str, text: &mut String) {
        let [cell, row, open, close] = self.marks();
        let digits = matches!(self, Self::Digits | Self::DigitRows);
        // There are 36 digits from 0 to Z. The numbers on larger boards need a separator.
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
