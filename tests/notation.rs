//! Boards and moves as text: what is read and what is written.

use proptest::prelude::*;
use tilebase::{
    Board, BoardNotation, Goal, Move, MoveNotation, Notation, Shape,
    notation::{Position, Reader},
    table::Oracle,
};

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
fn one_line() {
    reads("867254301", "867254301");
    reads("8 6 7 2 5 4 3 0 1", "867254301");
    reads("8 6 7/2 5 4/3 _ 1", "867254301");
    reads(" 8\t6, 7;2  5,4,3 0 1 \r\n", "867254301");
    reads("(8, 6, 7, 2, 5, 4, 3, 0, 1)", "867254301");
    reads("FE169B4C0A73D852", "15,14,1,6,9,11,4,12,0,10,7,3,13,8,5,2");
    reads("fe169b4c0a73d852", "15,14,1,6,9,11,4,12,0,10,7,3,13,8,5,2");
    for blank in ["0", "_", "__", "x", "X", ".", "b", "*", "#"] {
        reads(&format!("8 6 7 2 5 4 3 {blank} 1"), "867254301");
    }
    for blank in ["0", "_", "x", "X", ".", "b", "*", "#"] {
        reads(&format!("8672543{blank}1"), "867254301");
        reads(&format!("867/254/3{blank}1"), "867254301");
    }
}

#[test]
fn a_text_is_one_position() {
    refuses("", "line 1: no position here: expected the tiles row by row, 0 for the blank");
    refuses("123456780\n123456780", "line 2: a second position begins here: expected one alone");
    refuses("1 2\n3 0\n\n3", "line 4: a second position begins here: expected one alone");
}

#[test]
fn refusals_name_word_and_place() {
    refuses(
        "123406780",
        "line 1, column 9: the blank stands twice, at row 2 column 2 and row 3 column 3; tile 5 is missing",
    );
    refuses("1 2 3 4 5", "line 1: 5 cells in a row: expected as many as a board has, such as 9");
    refuses("1 2 3/4 5 6/7 8", "line 1: row 3 has 2 cells, row 1 has 3");
    refuses("1/2/3/0", "line 1: 4 rows of 1 cell: expected 2 to 10 of each");
}

#[test]
fn long_lines_are_refused_and_short_ones_behind_them_are_read() {
    let mut reader = Reader::new(Notation::default());
    let long = "1 ".repeat(Reader::LONGEST_LINE);
    let found: Vec<Position> = reader.line(&long).collect();
    assert_eq!(
        found[0].board.as_ref().unwrap_err().to_string(),
        "line 1: the line is longer than any position: it has more than 4096 bytes"
    );
    assert!(reader.line("123456780").next().unwrap().board.is_ok());
}

#[test]
fn what_is_beyond_the_longest_line_is_not_dropped_unseen() {
    let mut reader = Reader::new(Notation::default());
    let blanks = " ".repeat(Reader::LONGEST_LINE);
    assert!(reader.line(&format!("867254301{blanks}junk")).next().unwrap().board.is_err());
    let comment = "c".repeat(Reader::LONGEST_LINE);
    assert!(reader.line(&format!("867254301 # {comment}")).next().unwrap().board.is_ok());
}

#[test]
fn brackets_with_a_hash_for_the_blank_are_answered_at_once() {
    let mut reader = Reader::new(Notation::default());
    for line in ["[[8,6,7],[2,5,4],[3,#,1]]", "(8 6 7 2 5 4 3 # 1)", "1 2 3 4 5 6 7 8 # # last"] {
        assert!(reader.line(line).next().unwrap().board.is_ok(), "{line}");
    }
    refuses("1 2 3 0/ # (x)", "line 1: 4 cells in a row: the board could be 2x2");
}

#[test]
fn moves_are_written_in_every_notation() {
    let start: Board = "123456708".parse().unwrap();
    let path = [Move::Up, Move::Left, Move::Down, Move::Right, Move::Right];
    let written =
        [MoveNotation::Blank, MoveNotation::Tile, MoveNotation::Numbers, MoveNotation::Words]
            .map(|notation| notation.show(&start, &path).to_string());
    assert_eq!(written, ["ULDRR", "DRULL", "5 4 7 5 8", "up left down right right"]);
}

#[test]
fn named_goals_are_drawn_as_documented() {
    let rows = |goal: Goal, text: &str| {
        BoardNotation::Rows.show(&goal.board(text.parse().unwrap())).to_string()
    };
    assert_eq!(rows(Goal::Snail, "3x3"), "1 2 3\n8 0 4\n7 6 5");
    assert_eq!(rows(Goal::Snail, "2x2"), "1 2\n0 3");
    assert_eq!(rows(Goal::Snail, "3x4"), " 1  2  3  4\n10 11  0  5\n 9  8  7  6");
    assert_eq!(rows(Goal::BlankFirst, "2x3"), "0 1 2\n3 4 5");
}

#[test]
fn published_boards_are_read_and_their_lengths_come_out() {
    let mut answered = 0;
    for row in include_str!("../data/princeton.tsv").lines().skip(2) {
        let [shape, tiles, moves] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let shape: Shape = shape.parse().unwrap();
        let board =
            Notation::of(shape).read(tiles).unwrap_or_else(|error| panic!("{row}: {error}"));
        let goal = Goal::BlankLast.board(shape);
        assert_eq!(board.can_reach(&goal), moves != "unsolvable", "{row}");
        if shape.cells() <= 10 {
            let distance = Oracle::build(&goal).unwrap().distance(&board).unwrap();
            assert_eq!(distance, moves.parse().ok(), "{row}");
            answered += 1;
        }
    }
    assert_eq!(answered, 33, "rows of 2x2 and 3x3");
}

fn any_board() -> impl Strategy<Value = Board> {
    (2..=10usize, 2..=10usize).prop_flat_map(|(rows, cols)| {
        let shape = Shape::new(rows, cols).unwrap();
        let tiles: Vec<u8> = (0..shape.cells() as u8).collect();
        Just(tiles).prop_shuffle().prop_map(move |tiles| Board::new(shape, &tiles).unwrap())
    })
}

fn any_notation() -> impl Strategy<Value = BoardNotation> {
    use BoardNotation::{Digits, List, Normal, Rows};
    prop::sample::select(vec![Normal, Rows, List, Digits])
}

/// The positions that a reader finds in a text.
fn found(text: &str, notation: Notation) -> Vec<Position> {
    let mut reader = Reader::new(notation);
    let mut found: Vec<_> = text.lines().flat_map(|line| reader.line(line)).collect();
    found.extend(reader.end());
    found
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(board in any_board(), notation in any_notation()) {
        let text = notation.show(&board).to_string();
        prop_assert_eq!(Notation::of(board.shape()).read(&text), Ok(board));
    }

    #[test]
    fn rows_between_brackets_or_slashes_tell_their_shape(board in any_board()) {
        let row = |tiles: &[u8]| tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let rows: Vec<_> = board.tiles().chunks(board.shape().cols()).map(row).collect();
        for text in [rows.join("/"), format!("[[{}]]", rows.join("],\n[")), format!("(({}))", rows.join("),("))] {
            prop_assert_eq!(text.parse(), Ok(board.clone()), "{}", text);
        }
    }

    #[test]
    fn sizes_allow_any_line_breaks(
        board in any_board().prop_filter("square", |board| board.shape().rows() == board.shape().cols()),
        breaks in prop::collection::vec(any::<bool>(), 100),
    ) {
        let mut text = format!("{}\n", board.shape().rows());
        for (tile, newline) in board.tiles().iter().zip(breaks) {
            text += &format!("{tile}{}", if newline { "\n" } else { "  " });
        }
        prop_assert_eq!(text.parse(), Ok(board), "{}", text);
    }

    #[test]
    fn a_stream_of_any_notations_is_read_in_order(
        boards in prop::collection::vec((any::<prop::sample::Index>(), any_notation()), 1..20)
    ) {
        let shape = Shape::new(3, 3).unwrap();
        let mut text = String::new();
        let mut expected = vec![];
        let all: Vec<u8> = (0..9).collect();
        for (index, notation) in boards {
            let mut tiles = all.clone();
            tiles.rotate_left(index.index(9));
            let board = Board::new(shape, &tiles).unwrap();
            text += &format!("{}\n\n", notation.show(&board));
            expected.push(board);
        }
        let boards: Vec<_> =
            found(&text, Notation::default()).into_iter().map(|position| position.board.unwrap()).collect();
        prop_assert_eq!(boards, expected);
    }

    #[test]
    fn no_text_is_too_strange(
        text in "(?s)[0-9 \n,;/()\\[\\]#xb_*.-]{0,120}|(?s).{0,200}",
        shape in prop::option::of((2..=10usize, 2..=10usize)),
    ) {
        let shape = shape.map(|(rows, cols)| Shape::new(rows, cols).unwrap());
        let lines = text.lines().count();
        let positions = found(&text, Notation { shape, blank: None });
        prop_assert!(positions.is_sorted_by_key(|position| position.line));
        for position in positions {
            prop_assert!((1..=lines).contains(&position.line));
            match position.board {
                Ok(board) => {
                    prop_assert!(shape.is_none_or(|shape| shape == board.shape()));
                    prop_assert_eq!(Notation::of(board.shape()).read(&board.to_string()), Ok(board));
                }
                Err(error) => {
                    prop_assert!((1..=lines).contains(&error.line), "{}", error);
                    prop_assert!(!error.flaw.to_string().contains('\n'));
                }
            }
        }
    }
}
