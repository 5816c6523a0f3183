//! Claims: how they are read and judged.

use proptest::prelude::*;
use tilebase::{
    Board, Claim, Goal, Move, MoveNotation, Shape, Truth, Verdict,
    judge::Misstep,
    puzzle::Tile,
    search::{Heuristic, LinearConflict},
    table::Oracle,
};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

#[track_caller]
fn read(text: &str, moves: MoveNotation) -> Claim {
    Claim::read(text, shape(3, 3), moves).unwrap()
}

#[track_caller]
fn blank(text: &str) -> Claim {
    read(text, MoveNotation::Blank)
}

#[test]
fn lengths_and_unsolvable() {
    assert_eq!(blank("31"), Claim::Length(31));
    assert_eq!(blank(" 0 \r\n"), Claim::Length(0));
    for text in ["unsolvable", "-1", "Unsolvable", "no solution", "IMPOSSIBLE"] {
        assert_eq!(blank(text), Claim::Unsolvable, "{text}");
    }
}

#[test]
fn moves_in_every_writing() {
    use Move::{Down, Left, Right, Up};
    let path = Claim::Moves(vec![Up, Right, Right, Down, Left]);
    for text in [
        "URRDL",
        "urrdl",
        "UR2DL",
        "U R R D L",
        "U, R, R, D, L",
        "U-R-R-D-L",
        "U -> R -> R -> D -> L",
        "up right right down left",
        "Up\nRight\nRight\nDown\nLeft\n",
        r#"["up","right","right","down","left"]"#,
        "['U', 'R', 'R', 'D', 'L']",
    ] {
        assert_eq!(blank(text), path, "{text}");
    }
    assert_eq!(read("DLLUR", MoveNotation::Tile), path);
    assert_eq!(read("down left left up right", MoveNotation::Tile), path);
    for text in ["", "  ", "[]"] {
        assert_eq!(blank(text), Claim::Moves(vec![]), "{text:?}");
    }
    // Ten moves in one direction lead out of any board.
    assert_eq!(blank("R99999999999999999999"), Claim::Moves(vec![Right; 10]));
}

#[test]
fn tiles_by_their_numbers() {
    let path = Claim::Tiles(vec![Tile(8), Tile(5), Tile(4)]);
    for text in ["8 5 4", "[8, 5, 4]", "8-5-4"] {
        assert_eq!(read(text, MoveNotation::Numbers), path, "{text}");
    }
    assert_eq!(read("8", MoveNotation::Numbers), Claim::Tiles(vec![Tile(8)]));
    // Eight numbers of two digits are not the sixteen digits of a board.
    let path = "12 14 15 12 11 10 14 15";
    let claim = Claim::read(path, shape(4, 4), MoveNotation::Numbers).unwrap();
    assert_eq!(claim, Claim::Tiles([12, 14, 15, 12, 11, 10, 14, 15].map(Tile).to_vec()));
    assert!(Claim::read(path, shape(4, 4), MoveNotation::Blank).is_err());
    assert_eq!(blank("8"), Claim::Length(8));
}

#[test]
fn boards_in_every_writing() {
    let boards = Claim::Boards(vec![board("123456708"), board("123456780")]);
    for text in [
        "123456708 123456780",
        "123456708,123456780",
        "123456708 -> 123456780",
        "123/456/708 123/456/780",
        "[[[1,2,3],[4,5,6],[7,0,8]],[[1,2,3],[4,5,6],[7,8,0]]]",
        r#"["1234567_8", "12345678_"]"#,
    ] {
        assert_eq!(blank(text), boards, "{text}");
    }
    let rows = "1 2 3\n4 5 6\n7 _ 8\n\n1 2 3\n4 5 6\n7 8 _\n";
    assert_eq!(blank(rows), boards);
    assert_eq!(blank("123456780"), Claim::Boards(vec![board("123456780")]));
}

#[test]
fn what_is_no_claim_says_why() {
    let error = |text, moves| Claim::read(text, shape(3, 3), moves).unwrap_err().to_string();
    let blank = |text| error(text, MoveNotation::Blank);
    assert_eq!(blank("foo"), "\"foo\" is no claim: expected a length, moves, boards or unsolvable");
    assert_eq!(blank("-2"), "\"-2\" is no claim: expected a length, moves, boards or unsolvable");
    assert_eq!(blank("R0"), "\"R0\" is no claim: expected a length, moves, boards or unsolvable");
    assert_eq!(blank("RUX"), "\"RUX\" is no claim: expected a length, moves, boards or unsolvable");
    assert_eq!(blank("8 5 4"), "\"8\", word 1, is no move: expected letters U D L R or words");
    assert_eq!(blank("up top"), "\"top\", word 2, is no move: expected letters U D L R or words");
    assert_eq!(
        error("8 R", MoveNotation::Numbers),
        "\"R\", word 2, is no move: expected the number of a tile"
    );
    assert_eq!(
        blank("123456708 123456700"),
        "board 2 is not a board: the blank stands twice, at row 3 column 2 and row 3 column 3; tile 8 is missing"
    );
}

#[test]
fn verdicts() {
    let goal = board("123456780");
    let judge = |start: &str, claim: &str, truth| blank(claim).judge(&board(start), &goal, truth);
    let one = Truth::Distance(1);
    assert_eq!(judge("123456780", "", Truth::Distance(0)), Verdict::Optimal { moves: Some(0) });
    assert_eq!(judge("123456708", "R", one), Verdict::Optimal { moves: Some(1) });
    assert_eq!(judge("123456708", "LRR", one), Verdict::Longer { moves: 3, by: 2 });
    assert_eq!(judge("123456708", "5", one), Verdict::Longer { moves: 5, by: 4 });
    assert_eq!(judge("123456708", "0", one), Verdict::Impossible { moves: 0, least: 1 });
    let edge = Misstep::Edge(Move::Down);
    assert_eq!(judge("123456708", "RD", one), Verdict::Illegal { at: 1, misstep: edge });
    let end = board("123456078");
    assert_eq!(judge("123456708", "L", one), Verdict::Unfinished { moves: 1, end });
    assert_eq!(judge("123456708", "-1", one), Verdict::WronglyUnsolvable { distance: Some(1) });
    assert_eq!(judge("123456870", "-1", Truth::Unsolvable), Verdict::Optimal { moves: None });
    assert_eq!(judge("123456870", "R", Truth::Unsolvable), Verdict::WronglySolvable);

    let tiles = read("8", MoveNotation::Numbers);
    assert_eq!(tiles.judge(&board("123456708"), &goal, one), Verdict::Optimal { moves: Some(1) });
    let tiles = read("7 5 1", MoveNotation::Numbers);
    assert_eq!(
        tiles.judge(&board("123456708"), &goal, one),
        Verdict::Illegal { at: 1, misstep: Misstep::Apart(Tile(5)) }
    );

    // A list of boards may begin with the start or with the board after it.
    let right = Verdict::Optimal { moves: Some(1) };
    assert_eq!(judge("123456708", "123456708 123456780", one), right);
    assert_eq!(judge("123456708", "123456780", one), right);
    let jump = Verdict::Illegal { at: 0, misstep: Misstep::Jump };
    assert_eq!(judge("123406758", "123456780", Truth::Distance(2)), jump);
}

#[test]
fn verdicts_without_a_table() {
    let goal = Goal::BlankLast.board(shape(4, 4));
    let start = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15".parse::<Board>().unwrap();
    let truth = Truth::AtLeast(LinearConflict::new(&goal).estimate(&start));
    let judge = |claim: &str| {
        let claim = Claim::read(claim, shape(4, 4), MoveNotation::Blank).unwrap();
        claim.judge(&start, &goal, truth)
    };
    assert_eq!(judge("R"), Verdict::Unknown { moves: 1 });
    assert_eq!(judge("LRR"), Verdict::Unknown { moves: 3 });
    assert_eq!(judge("57"), Verdict::Unknown { moves: 57 });
    assert_eq!(judge("0"), Verdict::Impossible { moves: 0, least: 1 });
    assert_eq!(judge("56"), Verdict::Impossible { moves: 56, least: 1 });
    assert_eq!(judge("56").to_string(), "56 moves, and every solution has an odd number");
    assert_eq!(judge("RD").name(), "illegal");
    assert_eq!(judge("L").name(), "unfinished");
    assert_eq!(judge("unsolvable"), Verdict::WronglyUnsolvable { distance: None });
}

/// An optimal solution is judged optimal in every notation, and a solution with a detour is not.
#[test]
fn all_writings_of_all_solutions_agree() {
    for goal in ["123456780", "123804765"].map(board) {
        let oracle = Oracle::build(&goal).unwrap();
        for (start, distance) in oracle.sample(2000, .., 1).unwrap() {
            let path = oracle.solution(&start).unwrap().unwrap();
            let truth = Truth::Distance(distance);
            let right = Verdict::Optimal { moves: Some(distance) };
            for notation in [
                MoveNotation::Blank,
                MoveNotation::Tile,
                MoveNotation::Words,
                MoveNotation::Numbers,
            ] {
                let text = notation.show(&start, &path).to_string();
                let claim = Claim::read(&text, shape(3, 3), notation).unwrap();
                assert_eq!(claim.judge(&start, &goal, truth), right, "{start}: {text}");
            }
            let boards = path.iter().scan(start.clone(), |board, &step| {
                *board = board.step(step)?;
                Some(board.to_string())
            });
            let text =
                std::iter::once(start.to_string()).chain(boards).collect::<Vec<_>>().join(" ");
            let claim = blank(&text);
            assert_eq!(claim.judge(&start, &goal, truth), right, "{start}: {text}");

            let (step, _) = start.neighbors().next().unwrap();
            let detour: Vec<_> = [step, step.opposite()].into_iter().chain(path).collect();
            let longer = Verdict::Longer { moves: u64::from(distance) + 2, by: 2 };
            assert_eq!(Claim::from(detour).judge(&start, &goal, truth), longer, "{start}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), tiles in any::<bool>()) {
        let notation = if tiles { MoveNotation::Tile } else { MoveNotation::Numbers };
        let goal = Goal::BlankLast.board(shape(3, 3));
        if let Ok(claim) = Claim::read(&text, goal.shape(), notation) {
            let _ = claim.judge(&goal, &goal, Truth::Distance(0));
        }
    }

    #[test]
    fn any_almost_claim_is_read_or_refused(text in "[UDLRudlr0-9 ,\\[\\]>-]{0,40}") {
        let start = board("123456708");
        let goal = Goal::BlankLast.board(shape(3, 3));
        for notation in [MoveNotation::Blank, MoveNotation::Numbers] {
            if let Ok(claim) = Claim::read(&text, goal.shape(), notation) {
                let _ = claim.judge(&start, &goal, Truth::Distance(1));
            }
        }
    }
}
