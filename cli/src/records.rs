//! Records: lines of a position, a tab, and a value.

use tilebase::{Board, Notation};

use crate::input::Line;

/// The greatest length of a line, in bytes. A solution that is written as boards is much longer than a position.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// A line with a position and a value.
pub(crate) struct Record<'t> {
    /// The position, as it is written in the line.
    pub(crate) text: &'t str,
    /// The board, or a message that says what is wrong with the line, and where.
    pub(crate) board: Result<Board, String>,
    /// The text after the last tab, if the line has a tab.
    pub(crate) value: Option<&'t str>,
}

/// The line as a record, if it is neither empty nor a comment. `what` names the value for the user.
pub(crate) fn record<'t>(line: &Line<'t>, what: &str, notation: &Notation) -> Option<Record<'t>> {
    let code = line.text.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
    if code.trim().is_empty() {
        return None;
    }
    let (text, value) = match code.rsplit_once('\t') {
        Some((text, value)) => (text, Some(value)),
        None => (code, None),
    };
    if line.is_cut {
        let place = line.place();
        let board = Err(format!("{place}: the line has more than {LONGEST_LINE} bytes"));
        return Some(Record { text: "", board, value });
    }
    match line.board(text, notation) {
        // The line is first read as a board, because a board may begin with `#` for its blank. A comment may contain a
        // tab.
        Err(_) if is_comment(code) => None,
        Err(_) if value.is_none() => {
            let advice = line.source.advice(code);
            let missing = format!(
                "{}: there is no tab: expected a position, a tab and {what}{advice}",
                line.place()
            );
            Some(Record { text, board: Err(missing), value })
        }
        board => Some(Record { text, board, value }),
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}
