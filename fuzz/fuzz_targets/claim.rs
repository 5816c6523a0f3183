//! Any text is a claim or an error, and any claim is judged. A path that is judged optimal or longer ends at the goal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase::{Claim, Goal, Move, MoveNotation, Shape, Truth, Verdict};

fuzz_target!(|input: ((u8, u8), u8, Vec<u8>, u32, &str)| {
    let ((rows, cols), notation, walk, distance, text) = input;
    let Ok(shape) = Shape::new(usize::from(rows % 11), usize::from(cols % 11)) else { return };
    let notation = match notation % 3 {
        0 => MoveNotation::Blank,
        1 => MoveNotation::Tile,
        _ => MoveNotation::Numbers,
    };
    let goal = Goal::BlankLast.board(shape);
    let step = |board: tilebase::Board, way: u8| {
        board.step(Move::ALL[usize::from(way % 4)]).unwrap_or(board)
    };
    let start = walk.into_iter().fold(goal.clone(), step);
    match Claim::read(text, shape, notation) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(claim) => {
            for truth in [Truth::Distance(distance), Truth::AtLeast(distance), Truth::Unsolvable] {
                let verdict = claim.judge(&start, &goal, truth);
                assert!(!verdict.to_string().is_empty());
                if let (Claim::Moves(path), Verdict::Optimal { .. } | Verdict::Longer { .. }) =
                    (&claim, &verdict)
                {
                    let end = path.iter().try_fold(start.clone(), |board, &step| board.step(step));
                    assert_eq!(end.as_ref(), Some(&goal));
                }
            }
        }
    }
});
