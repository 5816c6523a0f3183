//! The index and the orbits of boards, compared with exhaustive search.

use tilebase::{Board, Goal, Shape, index::Space, puzzle::Orbit};

mod naive;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// The shapes of at most 10 cells. All their boards can be enumerated.
const SHAPES: [&str; 8] = ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5", "5x2"];

/// One goal for each home.
fn goals(shape: Shape) -> impl Iterator<Item = Board> {
    (0..shape.cells()).map(move |home| naive::goal(shape, home))
}

#[test]
fn rank_and_unrank_are_inverse_for_all_boards_and_homes() {
    for goal in SHAPES.into_iter().flat_map(|text| goals(shape(text))) {
        let space = Space::new(&goal).unwrap();
        let cells = goal.shape().cells() as u64;
        assert_eq!(space.boards(), (1..=cells).product::<u64>() / 2, "{goal}");
        for index in space.indices() {
            let board = space.board(index);
            assert_eq!(space.index(&board), Some(index), "{board} for goal {goal}");
        }
    }
}

#[test]
fn a_board_has_an_index_exactly_when_moves_lead_to_the_goal() {
    for text in ["2x2", "2x3", "3x2", "2x4", "4x2"] {
        for goal in goals(shape(text)) {
            let space = Space::new(&goal).unwrap();
            let reached = naive::distances(&goal);
            for board in naive::permutations(goal.shape()) {
                let reachable = reached.contains_key(&board);
                assert_eq!(space.index(&board).is_some(), reachable, "{board} for goal {goal}");
                assert_eq!(board.can_reach(&goal), reachable, "{board} for goal {goal}");
            }
        }
    }
}

#[test]
fn solvability_agrees_with_the_index_for_every_home_of_3x3() {
    for goal in goals(shape("3x3")) {
        let space = Space::new(&goal).unwrap();
        let mut solvable = 0;
        for board in naive::permutations(goal.shape()) {
            assert_eq!(space.index(&board).is_some(), board.can_reach(&goal), "{board}");
            solvable += u32::from(board.can_reach(&goal));
        }
        assert_eq!(solvable, 181_440);
    }
}

#[test]
fn the_index_of_sixteen_cells_goes_to_the_end() {
    for text in ["4x4", "2x8", "8x2", "3x5"] {
        let goal = Goal::BlankFirst.board(shape(text));
        let space = Space::new(&goal).unwrap();
        for number in [0, 1, space.boards() / 3, space.boards() - 1] {
            let board = space.board(space.nth(number).unwrap());
            assert!(board.can_reach(&goal), "{board}");
            assert_eq!(space.index(&board).unwrap().get(), number);
        }
        assert_eq!(space.nth(space.boards()), None);
    }
    let error = Space::new(&Goal::BlankLast.board(shape("3x6"))).unwrap_err();
    assert_eq!(error.to_string(), "the boards of 3x6 have no index: it ends at 16 cells");
}

#[test]
fn solvability_of_the_largest_boards_survives_moves_and_not_an_exchange() {
    let goal = Goal::BlankLast.board(shape("10x10"));
    let mut board = goal.clone();
    for turn in 0..1000 {
        let step = tilebase::Move::ALL[turn * turn % 7 % 4];
        board = board.step(step).unwrap_or(board);
        assert!(board.can_reach(&goal));
        let mut tiles = board.tiles().to_vec();
        let [first, second] = [20, 21].map(|tile| tiles.iter().position(|&t| t == tile).unwrap());
        tiles.swap(first, second);
        assert!(!Board::new(board.shape(), &tiles).unwrap().can_reach(&goal));
    }
}

#[test]
fn orbits_are_those_of_the_design() {
    let homes = |text| Orbit::all(shape(text)).into_iter().map(Orbit::home).collect::<Vec<_>>();
    assert_eq!(homes("2x2"), [3]);
    assert_eq!(homes("2x3"), [5, 3]);
    assert_eq!(homes("3x3"), [8, 7, 4]);
    assert_eq!(homes("3x4"), [11, 10, 8, 7]);
    assert_eq!(homes("4x3"), [11, 10, 8, 7]);
    assert_eq!(homes("4x4"), [15, 14, 10]);
    for orbit in SHAPES.into_iter().flat_map(|text| Orbit::all(shape(text))) {
        assert_eq!(Orbit::of(&orbit.goal()), orbit);
    }
}
