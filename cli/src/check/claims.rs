//! Claims as they come: a position and what is said about it, as TSV or NDJSON.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tilebase::{Board, Goal, Notation, Shape};

use crate::check::judge::Said;
use crate::{
    positions::Line,
    records::{self, Record},
};

/// What is said about a position, and where.
pub(crate) struct Claimed<'t> {
    /// The position as it is written.
    pub(crate) text: Cow<'t, str>,
    /// The board, or what is wrong, and where.
    pub(crate) board: Result<Board, String>,
    /// All that is said about it, which may be nothing.
    pub(crate) said: Vec<Said<'t>>,
    /// The goal for which it is said, if that is said too.
    pub(crate) goal: Option<String>,
}

impl Claimed<'_> {
    /// The goal for which it is said, if that is another than the goal of the run.
    pub(crate) fn goal_beside(&self, goal: &Board) -> Option<&str> {
        let said = self.goal.as_deref()?;
        let board = match said.parse::<Goal>() {
            Ok(named) => Some(named.board(goal.shape())),
            Err(_) => Notation::of(goal.shape()).read(said).ok(),
        };
        (board.as_ref() != Some(goal)).then_some(said)
    }
}

/// A line of NDJSON. Besides `claim` it may have the keys that tilebase itself writes.
#[derive(Deserialize)]
struct Object {
    position: Value,
    shape: Option<String>,
    goal: Option<Value>,
    /// Null is a claim that cannot be read; none is none.
    #[serde(default, deserialize_with = "some")]
    claim: Option<Value>,
    status: Option<String>,
    #[serde(alias = "solution")]
    moves: Option<Value>,
    boards: Option<Value>,
    #[serde(alias = "length")]
    distance: Option<Value>,
}

fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The line as a claim; none if it is empty or a comment.
pub(crate) fn claimed<'t>(line: &Line<'t>, notation: &Notation) -> Option<Claimed<'t>> {
    // A board in braces goes on with a number.
    let inside = line.text.trim_start_matches(['\u{feff}', ' ']).strip_prefix('{');
    if !line.is_cut && inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '}'])) {
        return Some(object(line, notation));
    }
    let Record { text, board, value } = records::record(line, "a claim", notation)?;
    let said = value.into_iter().map(|value| Said::Any(value.into())).collect();
    Some(Claimed { text: text.into(), board, said, goal: None })
}

fn object<'t>(line: &Line<'t>, notation: &Notation) -> Claimed<'t> {
    let no_board = |text: &str, why: String| {
        let board = Err(format!("{}: {why}", line.place()));
        Claimed { text: text.to_owned().into(), board, said: vec![], goal: None }
    };
    let object: Object = match serde_json::from_str(line.text.trim_start_matches('\u{feff}')) {
        Ok(object) => object,
        Err(error) => {
            // There is only one line, and its place is said already.
            let error = error.to_string().replace(" at line 1 column ", " at column ");
            return no_board(line.text.trim_end(), format!("no object of claims: {error}"));
        }
    };
    let text = text(&object.position);
    let shape = match object.shape.as_deref().map(str::parse::<Shape>).transpose() {
        Ok(shape) => shape,
        Err(error) => return no_board(&text, error.to_string()),
    };
    let notation = Notation { shape: notation.shape.or(shape), ..notation.clone() };
    let board = line.board(&text, &notation);
    let any = |value: &Value| Said::Any(self::text(value).into());
    let length = |value: &Value| Said::Length(self::text(value).into());
    let distance = object.distance.as_ref();
    let said = match (&object.claim, object.status.as_deref()) {
        (Some(claim), _) => vec![any(claim)],
        (None, Some("unsolvable")) => vec![Said::Any("unsolvable".into())],
        // Then there are no moves, and some write an empty list for them.
        (None, _) if distance.is_some_and(|distance| *distance == -1) => {
            vec![Said::Any("unsolvable".into())]
        }
        (None, _) => {
            let paths = [&object.moves, &object.boards].into_iter().flatten().map(any);
            paths.chain(distance.map(length)).collect()
        }
    };
    Claimed { text: text.into(), board, said, goal: object.goal.as_ref().map(self::text) }
}

/// A value as it would stand in TSV.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
