//! The output of a verb for each position: a line, or a JSON object.

use std::{fmt::Display, ops::ControlFlow};

use anyhow::Result;
use tilebase::{
    Answer, Board, BoardNotation, Goal, Refusal, Tablebase,
    tablebase::Reason,
    tablebase::{Statement, Status},
};

use crate::{console::Console, interruption, positions::Positions};

/// Writes POSITION<TAB>DISTANCE, or a word instead of the distance.
pub(crate) fn print(
    statement: &Statement<'_>,
    notation: BoardNotation,
    console: &mut Console,
) -> Result<()> {
    let Some(board) = statement.board else {
        let word = statement.status.word();
        return console.line(format_args!("{}\t{word}", statement.position));
    };
    match (statement.distance, statement.at_least) {
        (Some(distance), _) => print_board(board, notation, format_args!("\t{distance}"), console),
        (None, Some(moves)) => print_board(board, notation, format_args!("\t>={moves}"), console),
        (None, None) => {
            print_board(board, notation, format_args!("\t{}", statement.status.word()), console)
        }
    }
}

/// Replaces the control characters of a text, except tabs.
pub(crate) fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\t', "\u{FFFD}")
}

/// Writes a board and the rest of its line. If the board is written as rows, an empty line follows.
pub(crate) fn print_board(
    board: &Board,
    notation: BoardNotation,
    rest: impl Display,
    console: &mut Console,
) -> Result<()> {
    console.line(format_args!("{}{rest}", notation.show(board)))?;
    if notation == BoardNotation::Rows { console.line("") } else { Ok(()) }
}

/// Records an answer in a statement. If the answer is not complete, an error says why.
pub(crate) fn take(
    statement: &mut Statement<'_>,
    board: &Board,
    answer: &Answer,
    console: &mut Console,
) {
    statement.take(answer);
    if let Some(limit) = answer.limit() {
        let moves = answer.report().map_or(0, |report| report.at_least);
        console.error(format_args!("{board}: {limit}: at least {moves} moves"));
    }
    if let Some(reason) = &statement.error {
        console.error_once(reason);
    }
}

/// Answers every position. `know` completes the statement about a board, and `print` writes the statement as text.
pub(crate) fn each(
    tablebase: &Tablebase,
    positions: &Positions,
    json: bool,
    console: &mut Console,
    know: impl Fn(&mut Statement<'_>, &Board, &mut Console) -> Result<()>,
    print: impl Fn(&Statement<'_>, &mut Console) -> Result<()>,
) -> Result<()> {
    let mut hinted = false;
    let print = |statement: &Statement<'_>, console: &mut Console| {
        if json { console.json(statement) } else { print(statement, console) }?;
        if interruption::is_interrupted() {
            console.interrupted();
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    };
    positions.each(tablebase.goals().shape(), console, |item, console| {
        let board = match &item.position.board {
            Ok(board) => board,
            Err(error) => {
                console.error(item.complaint(error));
                let text = printable(&item.position.text);
                return print(&Statement::invalid(&text, error.to_string()), console);
            }
        };
        let goal = tablebase.goal(board.shape());
        let mut statement = Statement::unknown(board, goal);
        if let Err(error) = know(&mut statement, board, console) {
            // A wrong table makes this answer an error. An interruption leaves it unknown. Any other error ends the
            // run.
            statement = Statement::unknown(board, goal);
            let refusal = error.downcast::<Refusal>()?;
            match refusal.reason() {
                Reason::Stopped => {}
                reason if refusal.is_damage() || matches!(reason, Reason::Oracle(_)) => {
                    console.error(format_args!("{}: {refusal}", item.place()));
                    statement.error = Some(refusal.to_string());
                }
                _ => return Err(refusal.into()),
            }
        }
        if statement.status == Status::Unsolvable {
            console.no();
            if let (false, Some(other)) = (hinted, reachable(board)) {
                hinted = true;
                let place = item.place();
                console.note(format_args!(
                    "{place}: {board} is unsolvable for goal {goal}, but not for --goal {other}"
                ));
            }
        }
        print(&statement, console)
    })
}

/// A named goal that a board can reach, if there is one.
fn reachable(board: &Board) -> Option<Goal> {
    Goal::ALL.into_iter().find(|goal| board.can_reach(&goal.board(board.shape())))
}
