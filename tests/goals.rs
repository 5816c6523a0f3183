//! A few tables serve every goal.

use std::{collections::HashMap, sync::Arc};

use proptest::prelude::*;
use tilebase::{
    Board, Shape,
    puzzle::Orbit,
    table::{Builder, Oracle, Table},
};

mod naive;

/// One table for each orbit that is needed, as in a store.
#[derive(Default)]
struct Tables(HashMap<Orbit, Arc<Table>>);

impl Tables {
    fn oracle(&mut self, goal: &Board) -> Oracle {
        let orbit = Orbit::of(goal);
        let table = self
            .0
            .entry(orbit)
            .or_insert_with(|| Builder::new(orbit).unwrap().build().unwrap().into());
        Oracle::new(table.clone(), goal).unwrap()
    }
}

/// Compares every answer for a goal with that of a naive search, and replays every solution.
#[track_caller]
fn compare(oracle: &Oracle, goal: &Board) {
    let twin = naive::distances(goal);
    for (board, distance) in &twin {
        let about = || format!("{board} for goal {goal}");
        assert_eq!(oracle.distance(board).unwrap(), Some(*distance), "{}", about());
        let path = oracle.solution(board).unwrap().unwrap();
        assert_eq!(path.len(), *distance as usize, "{}", about());
        let end = path.iter().try_fold(board.clone(), |board, &step| board.step(step));
        assert_eq!(end.as_ref(), Some(goal), "{}", about());
    }
}

#[test]
fn every_pair_of_start_and_goal_of_the_smallest_shapes() {
    for (text, orbits) in [("2x2", 1), ("2x3", 2), ("3x2", 2)] {
        let shape: Shape = text.parse().unwrap();
        let boards = naive::permutations(shape);
        let mut tables = Tables::default();
        for goal in &boards {
            let oracle = tables.oracle(goal);
            compare(&oracle, goal);
            for board in boards.iter().filter(|board| !board.can_reach(goal)) {
                assert_eq!(oracle.distance(board).unwrap(), None, "{board} for goal {goal}");
            }
        }
        assert_eq!(tables.0.len(), orbits, "{text}");
    }
}

#[test]
fn every_home_of_3x3_from_three_tables() {
    let mut tables = Tables::default();
    for home in 0..9 {
        let goal = naive::goal(Shape::new(3, 3).unwrap(), home);
        compare(&tables.oracle(&goal), &goal);
    }
    assert_eq!(tables.0.len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_goal_of_3x3(tiles in Just((0..9).collect::<Vec<u8>>()).prop_shuffle()) {
        let goal = Board::new(Shape::new(3, 3).unwrap(), &tiles).unwrap();
        compare(&Tables::default().oracle(&goal), &goal);
    }

    #[test]
    fn any_goal_of_eight_cells(
        tall in any::<bool>(),
        tiles in Just((0..8).collect::<Vec<u8>>()).prop_shuffle(),
    ) {
        let shape = if tall { Shape::new(4, 2) } else { Shape::new(2, 4) };
        let goal = Board::new(shape.unwrap(), &tiles).unwrap();
        compare(&Tables::default().oracle(&goal), &goal);
    }
}
