//! The types of the puzzle and its answers in JSON: what is written, and that it is read back.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use tilebase::{Board, Goal, Move, Shape};

/// A value is written as this JSON, and the JSON is read as the value.
#[track_caller]
fn is_written_as<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

/// The JSON is refused with this message.
#[track_caller]
fn is_refused<T: DeserializeOwned + Debug>(json: &str, message: &str) {
    let error = serde_json::from_str::<T>(json).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn a_shape_is_a_text() {
    is_written_as(&Shape::new(3, 4).unwrap(), r#""3x4""#);
    is_refused::<Shape>(r#""1x4""#, "1x4 is no shape: rows and columns go from 2 to 10");
}

#[test]
fn a_move_is_its_letter() {
    for step in Move::ALL {
        is_written_as(&step, &format!(r#""{step}""#));
    }
    is_refused::<Move>(r#""X""#, "unknown variant `X`");
}

#[test]
fn a_goal_is_its_name() {
    for goal in Goal::ALL {
        is_written_as(&goal, &format!(r#""{goal}""#));
    }
}

#[test]
fn a_board_is_an_object_that_is_checked() {
    let board: Board = "3 0 1/4 5 2".parse().unwrap();
    is_written_as(&board, r#"{"shape":"2x3","tiles":[3,0,1,4,5,2]}"#);
    is_refused::<Board>(
        r#"{"shape":"2x2","tiles":[1,1,2,0]}"#,
        "tile 1 stands twice, at row 1 column 1 and row 1 column 2; tile 3 is missing",
    );
    is_refused::<Board>(r#"{"shape":"2x2","tiles":[1,2,0]}"#, "3 cells given; 2x2 has 4");
}
