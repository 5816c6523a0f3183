//! Boards from text and back.

use proptest::prelude::*;
use tilebase::{Board, Shape};

#[track_caller]
fn reads(text: &str, normal: &str) {
    match text.parse::<Board>() {
        Ok(board) => assert_eq!(board.to_string(), normal, "{text:?}"),
        Err(error) => panic!("{text:?}: {error}"),
    }
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    assert_eq!(text.parse::<Board>().unwrap_err().to_string(), message, "{text:?}");
}

#[test]
fn digits_and_lists() {
    reads("867254301", "867254301");
    reads("8 6 7 2 5 4 3 0 1", "867254301");
    reads(" 8\t6, 7;2  5,4,3 0 1 \r\n", "867254301");
    reads("(8, 6, 7, 2, 5, 4, 3, 0, 1)", "867254301");
    reads("FE169B4C0A73D852", "15,14,1,6,9,11,4,12,0,10,7,3,13,8,5,2");
    reads("fe169b4c0a73d852", "15,14,1,6,9,11,4,12,0,10,7,3,13,8,5,2");
}

#[test]
fn refusals_name_token_and_place() {
    refuses("", "no position here: expected the tiles row by row, 0 for the blank");
    refuses(
        "1 1 1 2 2 2 3 3 0",
        "column 3: tile 1 stands twice, at row 1 column 1 and row 1 column 2; tile 4 is missing",
    );
    refuses(
        "1 2 3 4 5 6 7 9 0",
        "column 15: tile 9 at row 3 column 2 is out of range: 3x3 has the tiles 1 to 8 and a blank; tile 8 is missing",
    );
    refuses(
        "123406780",
        "column 9: the blank stands twice, at row 2 column 2 and row 3 column 3; tile 5 is missing",
    );
    refuses(
        "1 2 3 4 5 6 7 99999999999999999999 0",
        "column 15: \"99999999999999999999\" is out of range: the largest board has the tiles 1 to 99",
    );
    refuses(
        "1 2 3 4 5 6 7 -1 8",
        "column 15: \"-1\" is no tile: expected a number, 0 for the blank",
    );
    refuses("hello world", "column 1: \"hello\" is no tile: expected a number, 0 for the blank");
    refuses(
        "1 2 3 4 5 6 7 8 9 10 11 0",
        "12 cells are no square: could be 2x6, 3x4, 4x3, 6x2; say which with --shape 2x6",
    );
    refuses("1 2 3 4 5", "5 cells are no square: expected as many as a board has, such as 9");
}

fn any_board() -> impl Strategy<Value = Board> {
    (2..=10usize, 2..=10usize).prop_flat_map(|(rows, cols)| {
        let shape = Shape::new(rows, cols).unwrap();
        let tiles: Vec<u8> = (0..shape.cells() as u8).collect();
        Just(tiles).prop_shuffle().prop_map(move |tiles| Board::new(shape, &tiles).unwrap())
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(board in any_board()) {
        let read = Board::parse(&board.to_string(), Some(board.shape()));
        prop_assert_eq!(read, Ok(board));
    }

    #[test]
    fn no_text_is_too_strange(text in ".{0,300}", rows in 2..=10usize, cols in 2..=10usize) {
        let shape = Shape::new(rows, cols).unwrap();
        for read in [text.parse(), Board::parse(&text, Some(shape))] {
            match read {
                Ok(board) => prop_assert_eq!(
                    Board::parse(&board.to_string(), Some(board.shape())), Ok(board)
                ),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}
