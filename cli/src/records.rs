//! Lines of a position, a tab, and what somebody says about it.

use tilebase::{Board, Notation};

use crate::positions::Line;

/// The longest line, in bytes: a solution of many boards is longer than a position.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// What a line says about a position.
pub(crate) struct Record<'t> {
    /// The position as it is written.
    pub(crate) text: &'t str,
    /// The board, or what is wrong, and where.
    pub(crate) board: Result<Board, String>,
    /// What stands behind the tab; none, if there is a position and nothing else.
    pub(crate) value: Option<&'t str>,
}

/// The line as a record; none if it is empty or a comment.
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
        // A comment may have a tab in it; a board may begin with `#` as its blank.
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
