//! Heuristics, and the audit that proves them.

use tilebase::{
    Board, Goal, Shape,
    judge::Audit,
    search::{Blind, Heuristic, LinearConflict, Manhattan, Misplaced},
    table::Oracle,
};

mod naive;

fn oracle(rows: usize, cols: usize) -> Oracle {
    Oracle::build(&Goal::BlankLast.board(Shape::new(rows, cols).unwrap())).unwrap()
}

fn audit(oracle: &Oracle, heuristic: &dyn Heuristic) -> Audit {
    Audit::of(oracle, |board| heuristic.estimate(board).into()).unwrap()
}

#[track_caller]
fn has(audit: &Audit, mean: &str, mean_ratio: &str, largest_gap: f64) {
    let gap = audit.largest_gap.as_ref().unwrap();
    let facts = (format!("{:.4}", audit.mean), format!("{:.4}", audit.mean_ratio), -gap.excess());
    assert_eq!(facts, (mean.to_owned(), mean_ratio.to_owned(), largest_gap));
    assert_eq!(audit.boards, 181_440);
    assert_eq!(audit.edges, 241_920);
}

#[test]
fn the_published_figures_of_3x3() {
    let oracle = oracle(3, 3);
    has(&audit(&oracle, &Misplaced::new(oracle.goal())), "7.1111", "0.3311", 25.0);
    has(&audit(&oracle, &Manhattan::new(oracle.goal())), "14.0000", "0.6420", 18.0);
    has(&audit(&oracle, &oracle), "21.9724", "1.0000", 0.0);
}

#[test]
fn every_heuristic_is_admissible_and_consistent() {
    for (rows, cols) in [(2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
        let shape = Shape::new(rows, cols).unwrap();
        for home in [0, 1, shape.cells() / 2] {
            let goal = naive::goal(shape, home);
            let oracle = Oracle::build(&goal).unwrap();
            let heuristics: [(&str, &dyn Heuristic); 5] = [
                ("none", &Blind),
                ("misplaced", &Misplaced::new(&goal)),
                ("manhattan", &Manhattan::new(&goal)),
                ("linear conflict", &LinearConflict::new(&goal)),
                ("table", &oracle),
            ];
            let mut last = -1.0;
            for (name, heuristic) in heuristics {
                let audit = audit(&oracle, heuristic);
                assert!(
                    audit.is_admissible() && audit.is_consistent(),
                    "{name} of {goal}: {audit}"
                );
                assert_eq!(audit.at_goal, Some(0.0), "{name} of {goal}");
                assert!(audit.mean > last, "{name} of {goal} is no better than the one before");
                last = audit.mean;
            }
        }
    }
}

/// This holds for any goal, and for boards without a table: each heuristic's estimate is at least the one before, and
/// has the parity of the distance.
#[test]
fn heuristics_of_large_boards_agree() {
    let shape = Shape::new(4, 5).unwrap();
    let goal = naive::goal(shape, 7);
    let mut board = goal.clone();
    let (manhattan, conflict) = (Manhattan::new(&goal), LinearConflict::new(&goal));
    let mut state = 1u32;
    for step in 1..=10_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let moves = tilebase::Move::ALL.into_iter().filter_map(|step| board.step(step));
        let moves: Vec<_> = moves.collect();
        board = moves[(state >> 16) as usize % moves.len()].clone();
        let (least, most) = (manhattan.estimate(&board), conflict.estimate(&board));
        assert!(Misplaced::new(&goal).estimate(&board) <= least && least <= most, "{board}");
        assert!(least % 2 == step % 2 && most % 2 == step % 2 && most <= step, "{board}");
    }
}

#[test]
fn counting_the_blank_overestimates() {
    let oracle = oracle(3, 3);
    let goal = oracle.goal().clone();
    let misplaced = |board: &Board| {
        board.tiles().iter().zip(goal.tiles()).filter(|(tile, goal)| tile != goal).count() as f64
    };
    let audit = Audit::of(&oracle, misplaced).unwrap();
    assert_eq!((audit.overestimated, audit.inconsistent), (78, 5040), "{audit}");
    assert_eq!(audit.largest_overestimate.as_ref().unwrap().excess(), 1.0);
    assert_eq!(audit.smallest_overestimate.as_ref().unwrap().board.to_string(), "123450786");

    let manhattan = |board: &Board| {
        let distance = |(cell, tile): (usize, &u8)| {
            let home = goal.tiles().iter().position(|other| other == tile).unwrap();
            ((cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3)) as f64
        };
        board.tiles().iter().enumerate().map(distance).sum()
    };
    assert_eq!(Audit::of(&oracle, manhattan).unwrap().overestimated, 4650);
}

#[test]
fn adding_two_for_every_reversed_pair_overestimates_on_seven_boards() {
    let oracle = oracle(3, 3);
    let manhattan = Manhattan::new(oracle.goal());
    let reversed = |tiles: [u8; 3], line_of: fn(u8) -> u8, line: u8| {
        let tiles = tiles.map(|tile| if tile == 0 { None } else { Some(tile - 1) });
        let here: Vec<_> =
            tiles.into_iter().flatten().filter(|&tile| line_of(tile) == line).collect();
        let pairs = |at: usize| here[at + 1..].iter().filter(|&&later| later < here[at]).count();
        (0..here.len()).map(pairs).sum::<usize>() as u32
    };
    let audit = Audit::of(&oracle, |board| {
        let tiles = board.tiles();
        let rows = (0..3).map(|row| {
            reversed([0, 1, 2].map(|column| tiles[3 * row + column]), |tile| tile / 3, row as u8)
        });
        let columns = (0..3).map(|column| {
            reversed([0, 1, 2].map(|row| tiles[3 * row + column]), |tile| tile % 3, column as u8)
        });
        f64::from(manhattan.estimate(board) + 2 * (rows.sum::<u32>() + columns.sum::<u32>()))
    })
    .unwrap();
    assert_eq!(audit.overestimated, 7, "{audit}");
}

/// The audit gives the same result as a naive one.
#[test]
fn the_audit_agrees_with_its_naive_twin() {
    let oracle = oracle(2, 3);
    let distances = naive::distances(oracle.goal());
    let value = |board: &Board| {
        board.tiles().iter().zip(0..).map(|(&t, c)| f64::from(t * c % 7)).sum::<f64>()
    };
    let audit = Audit::of(&oracle, value).unwrap();
    let over = distances.iter().filter(|(board, distance)| value(board) > f64::from(**distance));
    assert_eq!(audit.overestimated, over.clone().count() as u64);
    let smallest = over.min_by_key(|(board, distance)| (**distance, (*board).clone())).unwrap();
    assert_eq!(audit.smallest_overestimate.as_ref().unwrap().board, *smallest.0);
    let edges = distances.keys().flat_map(|board| {
        let next = tilebase::Move::ALL.into_iter().filter_map(|step| board.step(step));
        next.map(move |next| (board, next)).filter(|(board, next)| **board < *next)
    });
    assert_eq!(audit.edges, edges.clone().count() as u64);
    let violated = edges.filter(|(board, next)| (value(board) - value(next)).abs() > 1.0);
    assert_eq!(audit.inconsistent, violated.count() as u64);
    let mean = distances.keys().map(value).sum::<f64>() / distances.len() as f64;
    assert!((audit.mean - mean).abs() < 1e-9);
}

#[test]
fn boards_without_a_value_are_left_out() {
    let oracle = oracle(2, 2);
    let goal = oracle.goal().clone();
    let audit = Audit::of(&oracle, |board| if *board == goal { f64::NAN } else { 1.0 }).unwrap();
    assert_eq!((audit.boards, audit.at_goal), (11, None));
    assert_eq!(audit.edges, 10);
    assert_eq!(audit.mean, 1.0);
}

#[test]
fn roundings_of_decimals_are_no_overestimates() {
    let oracle = oracle(2, 2);
    let almost = |board: &Board| f64::from(oracle.estimate(board)) * (0.1 + 0.2) / 0.3;
    let audit = Audit::of(&oracle, almost).unwrap();
    assert!(audit.is_admissible() && audit.is_consistent(), "{audit}");
}
