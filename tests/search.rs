//! The searches: the optimal ones find optimal solutions, and all count the same boards as a simple program.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    ops::ControlFlow,
};

use tilebase::{
    Board, Claim, Goal, Move, Shape, Truth, Verdict,
    search::{
        Algorithm, Blind, Heuristic, LinearConflict, Manhattan, Misplaced, Outcome, Report, Search,
        Suite,
    },
    table::Oracle,
};

mod naive;

const INFORMED: [Algorithm; 4] = [
    Algorithm::Greedy,
    Algorithm::AStar,
    Algorithm::WeightedAStar { weight: 1.5 },
    Algorithm::IdaStar,
];

fn goal() -> Board {
    Goal::BlankLast.board(Shape::new(3, 3).unwrap())
}

fn oracle() -> Oracle {
    Oracle::build(&goal()).unwrap()
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// A heuristic that is admissible like Manhattan, but not consistent: for a third of the boards it is 0.
struct Forgetful(Manhattan);

impl Heuristic for Forgetful {
    fn estimate(&self, board: &Board) -> u32 {
        let sum: usize =
            board.tiles().iter().enumerate().map(|(i, &tile)| i * usize::from(tile)).sum();
        if sum % 3 == 0 { 0 } else { self.0.estimate(board) }
    }
}

/// Every heuristic for a goal.
fn heuristics(oracle: &Oracle) -> Vec<(&'static str, Box<dyn Heuristic + '_>)> {
    let goal = oracle.goal();
    vec![
        ("none", Box::new(Blind)),
        ("misplaced", Box::new(Misplaced::new(goal))),
        ("manhattan", Box::new(Manhattan::new(goal))),
        ("linear conflict", Box::new(LinearConflict::new(goal))),
        ("table", Box::new(oracle)),
        ("forgetful", Box::new(Forgetful(Manhattan::new(goal)))),
    ]
}

/// Checks the properties of every report, and returns the length of the solution.
#[track_caller]
fn is_sound(report: &Report, algorithm: Algorithm, start: &Board, oracle: &Oracle) -> u32 {
    let distance = oracle.distance(start).unwrap().unwrap();
    let cost = report.cost().unwrap_or_else(|| panic!("{start} by {algorithm:?}: {report:?}"));
    let truth = oracle.distance(start).unwrap().map_or(Truth::Unsolvable, Truth::Distance);
    let claim = Claim::from(report.path().unwrap().to_vec());
    let verdict = claim.judge(start, oracle.goal(), truth);
    match verdict {
        Verdict::Optimal { .. } => {}
        Verdict::Longer { .. } => {
            assert!(!algorithm.is_optimal(), "{start} by {algorithm:?}: {verdict}");
        }
        _ => panic!("{start} by {algorithm:?}: {verdict}"),
    }
    if let Algorithm::WeightedAStar { weight } = algorithm {
        assert!(
            f64::from(cost) <= weight * f64::from(distance),
            "{start}: {cost} by weight {weight}"
        );
    }
    assert!(report.at_least <= distance, "{start} by {algorithm:?}: {} at least", report.at_least);
    if algorithm.is_optimal() {
        assert_eq!(report.at_least, distance, "{start} by {algorithm:?}");
    }
    cost
}

#[test]
fn optimal_with_every_admissible_heuristic() {
    let oracle = oracle();
    let mut reopened = 0;
    for (number, (start, distance)) in oracle.sample(1000, .., 5).unwrap().into_iter().enumerate() {
        for (name, heuristic) in heuristics(&oracle) {
            for algorithm in INFORMED {
                // With a weak heuristic, a search goes through most of the boards, so every eighth start is enough; and
                // IDA* takes seconds for the farthest boards.
                let knows_little = ["none", "misplaced", "forgetful"].contains(&name);
                let takes_long = number % 8 > 0 || algorithm == Algorithm::IdaStar && distance > 18;
                if knows_little && takes_long {
                    continue;
                }
                let report = Search::new(algorithm, oracle.goal(), &*heuristic).run(&start);
                is_sound(&report, algorithm, &start, &oracle);
                if algorithm == Algorithm::AStar {
                    let is_consistent = name != "forgetful";
                    assert!(!is_consistent || report.reopened == 0, "{start} with {name}");
                    reopened += report.reopened;
                }
            }
        }
    }
    assert!(reopened > 1000, "an inconsistent heuristic has boards re-opened, not only {reopened}");
}

#[test]
fn optimal_without_a_heuristic() {
    let oracle = oracle();
    for (start, _) in oracle.sample(250, .., 6).unwrap() {
        for algorithm in [Algorithm::BreadthFirst, Algorithm::Bidirectional] {
            let report = Search::new(algorithm, oracle.goal(), Blind).run(&start);
            is_sound(&report, algorithm, &start, &oracle);
        }
    }
}

#[test]
fn optimal_from_every_board_of_small_shapes() {
    for (rows, cols, home) in [(2, 2, 0), (2, 3, 5), (3, 2, 2), (2, 3, 1)] {
        let goal = naive::goal(Shape::new(rows, cols).unwrap(), home);
        let oracle = Oracle::build(&goal).unwrap();
        for found in oracle.boards(..) {
            let (start, _) = found.unwrap();
            for algorithm in [Algorithm::BreadthFirst, Algorithm::Bidirectional] {
                let report = Search::new(algorithm, &goal, Blind).run(&start);
                is_sound(&report, algorithm, &start, &oracle);
            }
            for (name, heuristic) in heuristics(&oracle) {
                for algorithm in INFORMED.into_iter().filter(|_| name != "none") {
                    let report = Search::new(algorithm, &goal, &*heuristic).run(&start);
                    is_sound(&report, algorithm, &start, &oracle);
                }
            }
        }
    }
}

#[test]
fn with_the_table_a_star_expands_one_optimal_path() {
    let oracle = oracle();
    let search = Search::new(Algorithm::AStar, oracle.goal(), &oracle);
    let mut starts = 0;
    for found in oracle.boards(..) {
        let (start, distance) = found.unwrap();
        let mut expanded = Vec::new();
        let report = search.watch(&start, |expansion| {
            expanded.push(expansion.board.clone());
            assert_eq!((expansion.f, expansion.g + expansion.h), (distance.into(), distance));
            ControlFlow::Continue(())
        });
        let mut path = vec![start.clone()];
        for &step in report.path().unwrap() {
            path.push(path.last().unwrap().step(step).unwrap());
        }
        assert_eq!(expanded, path, "{start}");
        assert_eq!(report.expanded, u64::from(distance) + 1);
        assert_eq!(report.path(), oracle.solution(&start).unwrap().as_deref(), "{start}");
        starts += 1;
    }
    assert_eq!(starts, 181_440);
}

/// A best-first search as in a textbook, with a heap and a hash map. Returns the numbers of boards that are expanded,
/// generated and re-opened.
fn textbook(
    start: &Board,
    goal: &Board,
    f: impl Fn(u32, u32) -> u32,
    h: impl Fn(&Board) -> u32,
) -> [u64; 3] {
    let [mut expanded, mut generated, mut reopened] = [0; 3];
    let mut number = 0;
    let mut open =
        BinaryHeap::from([Reverse((f(0, h(start)), h(start), number, 0, start.clone()))]);
    let mut ways = HashMap::from([(start.clone(), (0, None::<Move>))]);
    let mut closed = HashSet::new();
    while let Some(Reverse((_, _, _, g, board))) = open.pop() {
        let (best, last) = ways[&board];
        if g > best || !closed.insert(board.clone()) {
            continue;
        }
        expanded += 1;
        if board == *goal {
            break;
        }
        for (step, next) in board.neighbors().filter(|(step, _)| last != Some(step.opposite())) {
            generated += 1;
            let known = ways.get(&next).map(|(g, _)| *g);
            let (old, new) = (known.map(|g| f(g, h(&next))), f(g + 1, h(&next)));
            if old.is_some_and(|old| old <= new) {
                continue;
            }
            reopened += u64::from(closed.remove(&next));
            ways.insert(next.clone(), (g + 1, Some(step)));
            number += 1;
            open.push(Reverse((new, h(&next), number, g + 1, next)));
        }
    }
    [expanded, generated, reopened]
}

#[test]
fn counts_are_those_of_the_textbook() {
    for (rows, cols, home) in [(3, 3, 8), (3, 3, 1), (2, 4, 7), (4, 2, 3)] {
        let goal = naive::goal(Shape::new(rows, cols).unwrap(), home);
        let oracle = Oracle::build(&goal).unwrap();
        for (start, _) in oracle.sample(8, .., 7).unwrap() {
            for (name, heuristic) in heuristics(&oracle) {
                let h = |board: &Board| heuristic.estimate(board);
                let is = |algorithm, counts: [u64; 3]| {
                    let report = Search::new(algorithm, &goal, &*heuristic).run(&start);
                    let found = [report.expanded, report.generated, report.reopened];
                    assert_eq!(found, counts, "{start} by {algorithm:?} with {name}");
                };
                is(Algorithm::AStar, textbook(&start, &goal, |g, h| g + h, h));
                is(
                    Algorithm::WeightedAStar { weight: 1.5 },
                    textbook(&start, &goal, |g, h| 2 * g + 3 * h, h),
                );
                is(Algorithm::Greedy, textbook(&start, &goal, |_, h| h, h));
            }
            let report = Search::new(Algorithm::BreadthFirst, &goal, Blind).run(&start);
            let counts = textbook(&start, &goal, |g, _| g, |_| 0);
            assert_eq!([report.expanded, report.generated, report.reopened], counts, "{start}");
        }
    }
}

#[test]
fn the_counts_of_the_hardest_board() {
    let oracle = oracle();
    let start = board("867254301");
    let counts = |algorithm, heuristic: &dyn Heuristic| {
        let report = Search::new(algorithm, oracle.goal(), heuristic).run(&start);
        (report.cost().unwrap(), report.expanded, report.generated, report.largest_open)
    };
    let manhattan = Manhattan::new(oracle.goal());
    assert_eq!(counts(Algorithm::BreadthFirst, &Blind), (31, 181_439, 302_399, 25_134));
    assert_eq!(counts(Algorithm::Bidirectional, &Blind).0, 31);
    assert_eq!(counts(Algorithm::AStar, &Misplaced::new(oracle.goal())).1, 121_529);
    assert_eq!(counts(Algorithm::AStar, &manhattan), (31, 6745, 11_005, 3277));
    assert_eq!(counts(Algorithm::AStar, &oracle), (31, 32, 54, 24));
    assert_eq!(counts(Algorithm::IdaStar, &oracle), (31, 32, 40, 32));
    assert_eq!(counts(Algorithm::Greedy, &manhattan).0, 47);
}

#[test]
fn unsolvable_boards_are_known_at_once_or_by_exhaustion() {
    let oracle = oracle();
    let start = board("812043765");
    let all = 181_440;
    for algorithm in [Algorithm::BreadthFirst, Algorithm::Bidirectional].into_iter().chain(INFORMED)
    {
        let search = Search::new(algorithm, oracle.goal(), Manhattan::new(oracle.goal()));
        let report = search.run(&start);
        assert_eq!(
            (report.outcome, report.expanded, report.largest_open),
            (Outcome::Unsolvable, 0, 0)
        );
    }
    for (name, heuristic) in heuristics(&oracle) {
        for algorithm in [Algorithm::BreadthFirst].into_iter().chain(INFORMED) {
            if algorithm == Algorithm::IdaStar {
                continue;
            }
            let search = Search::new(algorithm, oracle.goal(), &*heuristic).without_parity_check();
            let report = search.run(&start);
            let expanded = report.expanded - report.reopened;
            assert_eq!(
                (report.outcome, expanded),
                (Outcome::Unsolvable, all),
                "{algorithm:?} with {name}"
            );
        }
    }
    let search = Search::new(Algorithm::Bidirectional, oracle.goal(), Blind).without_parity_check();
    let report = search.run(&start);
    assert_eq!(report.outcome, Outcome::Unsolvable);
    assert!((all..=2 * all).contains(&report.expanded), "{report:?}");
    // IDA* never ends, unless the heuristic recognises unsolvable boards.
    let search = Search::new(Algorithm::IdaStar, oracle.goal(), &oracle).without_parity_check();
    assert_eq!(search.run(&start).outcome, Outcome::Unsolvable);
    let search = Search::new(Algorithm::IdaStar, oracle.goal(), Blind).without_parity_check();
    let report = search.watch(&start, |expansion| match expansion.number {
        ..=1_000_000 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert_eq!(report.outcome, Outcome::Stopped);
}

#[test]
fn a_goal_of_another_shape_is_never_reached() {
    let other = Goal::BlankLast.board(Shape::new(2, 4).unwrap());
    for algorithm in [Algorithm::BreadthFirst, Algorithm::Bidirectional].into_iter().chain(INFORMED)
    {
        let search = Search::new(algorithm, &other, Manhattan::new(&other)).without_parity_check();
        assert_eq!(search.run(&goal()).outcome, Outcome::Unsolvable);
    }
}

#[test]
fn a_search_that_is_stopped_says_what_is_proven() {
    let oracle = oracle();
    for (start, distance) in oracle.sample(50, 15.., 8).unwrap() {
        for (name, heuristic) in heuristics(&oracle) {
            for algorithm in
                [Algorithm::BreadthFirst, Algorithm::Bidirectional].into_iter().chain(INFORMED)
            {
                for most in [1, 7, 100, 1000] {
                    let search = Search::new(algorithm, oracle.goal(), &*heuristic);
                    let mut seen = 0;
                    let report = search.watch(&start, |expansion| {
                        seen += 1;
                        assert_eq!(expansion.number, seen);
                        if seen <= most {
                            ControlFlow::Continue(())
                        } else {
                            ControlFlow::Break(())
                        }
                    });
                    assert!(
                        report.at_least <= distance,
                        "{start} by {algorithm:?} with {name}: {report:?}"
                    );
                    assert!(report.expanded <= most);
                    if report.outcome == Outcome::Stopped {
                        assert_eq!(report.expanded, most);
                    }
                }
            }
        }
    }
}

#[test]
fn every_shape_can_be_searched() {
    for (rows, cols) in [(4, 4), (3, 5), (4, 5), (5, 5), (5, 6), (10, 10), (2, 10)] {
        let goal = Goal::BlankLast.board(Shape::new(rows, cols).unwrap());
        let start = walk(&goal, 11).last().unwrap();
        let conflict = LinearConflict::new(&goal);
        let shortest =
            Search::new(Algorithm::BreadthFirst, &goal, Blind).run(&start).cost().unwrap();
        assert!(shortest >= 8, "{start} is only {shortest} moves away");
        for algorithm in [Algorithm::Bidirectional].into_iter().chain(INFORMED) {
            let report = Search::new(algorithm, &goal, &conflict).run(&start);
            let mut end = start.clone();
            for &step in report.path().unwrap() {
                end = end.step(step).unwrap();
            }
            assert_eq!(end, goal);
            if algorithm.is_optimal() {
                assert_eq!(report.cost(), Some(shortest), "{start} by {algorithm:?}");
            }
        }
    }
}

/// Boards of a random walk that never undoes its last move.
fn walk(goal: &Board, moves: usize) -> impl Iterator<Item = Board> {
    let mut state = 1u64;
    let (mut board, mut last) = (goal.clone(), None::<Move>);
    (0..moves).map(move |_| {
        loop {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let step = Move::ALL[(state >> 62) as usize];
            if let Some(next) = board.step(step).filter(|_| last != Some(step.opposite())) {
                (board, last) = (next, Some(step));
                return board.clone();
            }
        }
    })
}

#[test]
fn an_estimate_after_a_move_is_the_estimate() {
    for (rows, cols) in [(2, 2), (3, 3), (2, 5), (4, 4), (5, 3), (10, 10)] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal in Goal::ALL.map(|goal| goal.board(shape)) {
            let heuristics: [&dyn Heuristic; 4] = [
                &Blind,
                &Misplaced::new(&goal),
                &Manhattan::new(&goal),
                &LinearConflict::new(&goal),
            ];
            for board in walk(&goal, 20_000) {
                for (step, next) in board.neighbors() {
                    for heuristic in heuristics {
                        let estimate = heuristic.estimate(&board);
                        let after = heuristic.estimate_after(estimate, step, &next);
                        assert_eq!(after, heuristic.estimate(&next), "{board} to {next}");
                    }
                }
            }
        }
    }
}

#[test]
fn suites_are_read_whole() {
    let sizes = [(Suite::Korf100, 100, 5305), (Suite::Korf24, 50, 5039)];
    for (suite, count, sum) in sizes {
        assert_eq!(suite.name().parse(), Ok(suite));
        let goal = suite.goal().board(suite.shape());
        let instances: Vec<_> = suite.instances().collect();
        assert!(instances.iter().all(|(board, _)| board.can_reach(&goal)));
        assert_eq!(instances.len(), count);
        assert_eq!(instances.iter().map(|(_, moves)| moves).sum::<u32>(), sum);
    }
}
