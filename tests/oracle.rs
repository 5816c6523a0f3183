//! The oracle's answers, compared with simple methods that replay and count.

use std::collections::HashMap;

use tilebase::{
    Board, Claim, Goal, Move, Shape, Truth, Verdict,
    table::{Oracle, OracleError},
};

mod naive;

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn usual() -> Oracle {
    Oracle::build(&Goal::BlankLast.board(Shape::new(3, 3).unwrap())).unwrap()
}

/// The boards one move away, with the move.
fn neighbors(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    Move::ALL.into_iter().filter_map(|step| Some((step, board.step(step)?)))
}

#[test]
fn every_solution_of_3x3_is_optimal_and_every_best_move_is_found() {
    for goal in ["123456780", "012345678", "123405678", "354102687"].map(board) {
        let oracle = Oracle::build(&goal).unwrap();
        for found in oracle.boards(..) {
            let (start, distance) = found.unwrap();
            let path = oracle.solution(&start).unwrap().unwrap();
            assert_eq!(path.len(), distance as usize, "{start}");
            let end = path.iter().fold(start.clone(), |board, &step| board.step(step).unwrap());
            assert_eq!(end, goal, "{start}");
            let nearer = |next: &Board| oracle.distance(next).unwrap().unwrap() < distance;
            let best: Vec<_> =
                neighbors(&start).filter(|(_, next)| nearer(next)).map(|(step, _)| step).collect();
            assert_eq!(oracle.best_moves(&start).unwrap().unwrap(), best, "{start}");
            assert_eq!(path.first(), best.first(), "{start}");
            let mut all: Vec<_> = neighbors(&start)
                .map(|(step, next)| (oracle.distance(&next).unwrap().unwrap(), step, next))
                .collect();
            all.sort_by_key(|(distance, ..)| *distance);
            let next = oracle.next(&start).unwrap().unwrap().into_iter();
            let next: Vec<_> = next.map(|next| (next.distance, next.step, next.board)).collect();
            assert_eq!(next, all, "{start}");
        }
    }
}

#[test]
fn solutions_are_counted_as_one_by_one() {
    fn ways(board: &Board, twin: &HashMap<Board, u32>, known: &mut HashMap<Board, u128>) -> u128 {
        if twin[board] == 0 {
            return 1;
        }
        if let Some(&ways) = known.get(board) {
            return ways;
        }
        let nearer = neighbors(board).filter(|(_, next)| twin[next] < twin[board]);
        let sum = nearer.map(|(_, next)| ways(&next, twin, known)).sum();
        known.insert(board.clone(), sum);
        sum
    }
    for goal in [naive::goal(Shape::new(2, 4).unwrap(), 1), board("123456780")] {
        let oracle = Oracle::build(&goal).unwrap();
        let twin = naive::distances(&goal);
        let mut known = HashMap::new();
        for (start, _) in oracle.boards(..).map(Result::unwrap) {
            let expected = ways(&start, &twin, &mut known);
            assert_eq!(oracle.count_solutions(&start).unwrap(), Some(expected), "{start}");
        }
    }
}

#[test]
fn a_claim_is_judged_by_the_distance() {
    let oracle = usual();
    let judge = |start, claim: Claim| {
        let truth = oracle.distance(&board(start)).unwrap();
        let truth = truth.map_or(Truth::Unsolvable, Truth::Distance);
        claim.judge(&board(start), oracle.goal(), truth)
    };
    assert_eq!(judge("123456708", Claim::Length(1)), Verdict::Optimal { moves: Some(1) });
    assert_eq!(judge("123456870", Claim::Unsolvable), Verdict::Optimal { moves: None });
    assert_eq!(judge("123456870", Claim::Length(1)), Verdict::WronglySolvable);
    let path = oracle.solution(&board("867254301")).unwrap().unwrap();
    assert_eq!(judge("867254301", path.into()), Verdict::Optimal { moves: Some(31) });
}

#[test]
fn boards_that_cannot_be_answered() {
    let oracle = usual();
    assert_eq!(oracle.distance(&board("123456870")).unwrap(), None);
    assert_eq!(oracle.solution(&board("123456870")).unwrap(), None);
    assert_eq!(oracle.best_moves(&board("123456870")).unwrap(), None);
    assert_eq!(oracle.next(&board("123456870")).unwrap(), None);
    assert_eq!(oracle.count_solutions(&board("123456870")).unwrap(), None);
    let wide = Goal::BlankLast.board(Shape::new(2, 4).unwrap());
    let error = oracle.distance(&wide).unwrap_err();
    assert_eq!(error, OracleError::Shape { expected: oracle.goal().shape(), found: wide.shape() });
    assert_eq!(error.to_string(), "the board is 2x4; the goal is 3x3");
}

#[test]
fn samples_are_the_same_in_every_version() {
    let draw = |count, depths, seed| {
        let boards = usual().sample(count, depths, seed).unwrap();
        boards.into_iter().map(|(board, _)| board.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(draw(3, 0..=31, 1), ["243165870", "430617582", "847536012"]);
    assert_eq!(draw(3, 20..=20, 1), ["428163750", "031568427", "052418673"]);
}

#[test]
fn a_sample_of_all_is_all_and_one_more_is_too_many() {
    let oracle = usual();
    let mut all: Vec<_> =
        oracle.sample(181_440, .., 7).unwrap().into_iter().map(|(board, _)| board).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 181_440);
    let error = oracle.sample(3, 31..=31, 7).unwrap_err();
    assert_eq!(error.to_string(), "3 boards were asked for; there are 2");
    assert_eq!(oracle.sample(0, 99.., 7).unwrap(), []);
}

#[test]
fn a_spread_sample_has_as_many_of_each_distance_as_there_are() {
    let drawn = usual().sample_spread(100, 28..=31, 1).unwrap();
    let at = |depth| drawn.iter().filter(|(_, distance)| *distance == depth).count();
    assert_eq!((at(31), drawn.len()), (2, 100));
    let others = [at(28), at(29), at(30)];
    assert!(others.iter().all(|&boards| boards == 32 || boards == 33), "{others:?}");
    let mut boards: Vec<_> = drawn.into_iter().map(|(board, _)| board).collect();
    boards.sort();
    boards.dedup();
    assert_eq!(boards.len(), 100);
}

#[test]
fn samples_are_uniform() {
    // 1,200 draws of 3 from the 12 boards of 2x2: each board is expected 300 times, with a standard deviation of 15.
    let oracle = Oracle::build(&Goal::BlankLast.board(Shape::new(2, 2).unwrap())).unwrap();
    let mut drawn = HashMap::<Board, u32>::new();
    for seed in 0..1200 {
        for (board, _) in oracle.sample(3, .., seed).unwrap() {
            *drawn.entry(board).or_default() += 1;
        }
    }
    assert_eq!(drawn.len(), 12);
    assert!(drawn.values().all(|&times| (225..375).contains(&times)), "{drawn:?}");
}
