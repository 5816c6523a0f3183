//! The types of the puzzle and its answers are written as JSON and read back.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use tilebase::{Board, Goal, Move, Shape, Truth, Verdict, judge::Misstep, puzzle::Tile};

/// Checks that a value is written as this JSON, and that the JSON is read as the value.
#[track_caller]
fn is_written_as<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

/// Checks that this JSON is refused with this message.
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

#[test]
fn a_verdict_has_its_name_and_its_fields() {
    let end = "123456078".parse().unwrap();
    let verdicts = [
        (Verdict::Optimal { moves: Some(31) }, r#","moves":31"#),
        (Verdict::Optimal { moves: None }, r#","moves":null"#),
        (Verdict::Unknown { moves: 5 }, r#","moves":5"#),
        (Verdict::Longer { moves: 3, by: 2 }, r#","moves":3,"by":2"#),
        (Verdict::Impossible { moves: 0, least: 1 }, r#","moves":0,"least":1"#),
        (
            Verdict::Illegal { at: 1, misstep: Misstep::Edge(Move::Down) },
            r#","at":1,"misstep":{"edge":"D"}"#,
        ),
        (
            Verdict::Illegal { at: 0, misstep: Misstep::Apart(Tile(5)) },
            r#","at":0,"misstep":{"apart":5}"#,
        ),
        (Verdict::Illegal { at: 2, misstep: Misstep::Jump }, r#","at":2,"misstep":"jump""#),
        (
            Verdict::Unfinished { moves: 1, end },
            r#","moves":1,"end":{"shape":"3x3","tiles":[1,2,3,4,5,6,0,7,8]}"#,
        ),
        (Verdict::WronglyUnsolvable { distance: Some(1) }, r#","distance":1"#),
        (Verdict::WronglySolvable, ""),
    ];
    for (verdict, fields) in verdicts {
        is_written_as(&verdict, &format!(r#"{{"verdict":"{}"{fields}}}"#, verdict.name()));
    }
}

#[test]
fn a_truth_has_its_name_and_its_number() {
    is_written_as(&Truth::Distance(31), r#"{"truth":"distance","moves":31}"#);
    is_written_as(&Truth::Unsolvable, r#"{"truth":"unsolvable"}"#);
    is_written_as(&Truth::AtLeast(20), r#"{"truth":"at least","moves":20}"#);
}
