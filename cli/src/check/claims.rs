//! Claims of the input: lines of a position and what is said about it, as TSV or NDJSON.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tilebase::{Board, Goal, Notation, Shape};

use crate::check::{assertion::Assertion, reply::Reply};
use crate::{
    input::Line,
    records::{self, Record},
};

/// A line of claims.
pub(crate) struct Claims<'t> {
    /// The position as it is written.
    pub(crate) text: Cow<'t, str>,
    /// The board, or what is wrong with the line, and where.
    pub(crate) board: Result<Board, String>,
    /// What is said about the board.
    pub(crate) reply: Reply<'t>,
    /// The goal of the claims, if the line names one.
    pub(crate) goal: Option<String>,
}

impl<'t> Claims<'t> {
    /// The claims of a line, if it is neither empty nor a comment.
    pub(crate) fn of_line(line: &Line<'t>, notation: &Notation) -> Option<Self> {
        // A board may stand in braces, too; then a number comes next.
        let inside = line.text.trim_start_matches(['\u{feff}', ' ']).strip_prefix('{');
        let is_object = inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '}']));
        if is_object && !line.is_cut {
            return Some(Self::of_object(line, notation));
        }
        let Record { text, board, value } = records::record(line, "a claim", notation)?;
        let said = value.into_iter().map(|value| Assertion::Claim(value.into())).collect();
        Some(Self { text: text.into(), board, reply: Reply::untimed(said), goal: None })
    }

    fn of_object(line: &Line<'t>, notation: &Notation) -> Self {
        let no_board = |text: &str, why: String| {
            let board = Err(format!("{}: {why}", line.place()));
            Self { text: text.to_owned().into(), board, reply: Reply::untimed(vec![]), goal: None }
        };
        let object: Object = match serde_json::from_str(line.text.trim_start_matches('\u{feff}')) {
            Ok(object) => object,
            Err(error) => {
                // The parser sees a single line, and the number of the line is told already.
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
        let reply = Reply::untimed(object.assertions());
        Self { text: text.into(), board, reply, goal: object.goal.as_ref().map(self::text) }
    }

    /// The goal of the claims, if it is not the goal of the run.
    pub(crate) fn other_goal(&self, goal: &Board) -> Option<&str> {
        let said = self.goal.as_deref()?;
        let board = match said.parse::<Goal>() {
            Ok(named) => Some(named.board(goal.shape())),
            Err(_) => Notation::of(goal.shape()).read(said).ok(),
        };
        (board.as_ref() != Some(goal)).then_some(said)
    }
}

/// A line of NDJSON. Beside `claim`, it may have the keys that tilebase itself writes.
#[derive(Deserialize)]
struct Object {
    position: Value,
    shape: Option<String>,
    goal: Option<Value>,
    /// Null is a claim that cannot be read.
    #[serde(default, deserialize_with = "some")]
    claim: Option<Value>,
    status: Option<String>,
    #[serde(alias = "solution")]
    moves: Option<Value>,
    boards: Option<Value>,
    #[serde(alias = "length")]
    distance: Option<Value>,
}

/// A value that is there, even if it is null.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Object {
    /// What the object says about its position.
    fn assertions<'t>(&self) -> Vec<Assertion<'t>> {
        let claim = |value: &Value| Assertion::Claim(text(value).into());
        let length = |value: &Value| Assertion::Length(text(value).into());
        if let Some(only) = &self.claim {
            return vec![claim(only)];
        }
        let is_unsolvable = self.status.as_deref() == Some("unsolvable")
            // Some write an empty list of moves with it.
            || self.distance.as_ref().is_some_and(|distance| *distance == -1);
        if is_unsolvable {
            return vec![Assertion::Claim("unsolvable".into())];
        }
        let paths = [&self.moves, &self.boards].into_iter().flatten().map(claim);
        paths.chain(self.distance.as_ref().map(length)).collect()
    }
}

/// A value as it would stand in TSV.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
