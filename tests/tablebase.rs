//! The tablebase: where its answers come from, its notes, and its refusals.

use std::{
    collections::BTreeMap,
    fs,
    ops::ControlFlow,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tilebase::{
    Board, By, Claim, Event, Goal, Goals, Move, Policy, Shape, Source, Store, Tablebase, Truth,
    Verdict, ignore,
    puzzle::Orbit,
    search::HeuristicName,
    table::Builder,
    tablebase::{Limit, Reason},
};

mod naive;

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("store"));
    (folder, store)
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// Asks with a listener that keeps all notes.
fn notes<T>(ask: impl FnOnce(tilebase::Listener<'_>) -> T) -> (T, Vec<String>) {
    let mut notes = vec![];
    let answer = ask(&mut |event| {
        if let Event::Note(note) = event {
            notes.push(note.to_string());
        }
        ControlFlow::Continue(())
    });
    (answer, notes)
}

/// Boards with their distances. The one of the 24-puzzle is near its goal.
const KNOWN: [(&str, u32); 4] = [
    ("867254301", 31),
    ("7,8,6,5,4,3,2,1,11,10,9,0", 48),
    ("2 3 4 0/1 5 6 8/9 10 7 11/13 14 15 12", 9),
    ("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/0 21 22 23 24", 4),
];

#[test]
fn eight_threads_ask_one_tablebase_about_every_shape() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store);
    let notes = Mutex::new(vec![]);
    thread::scope(|scope| {
        for first in 0..8 {
            let (tablebase, notes) = (&tablebase, &notes);
            scope.spawn(move || {
                for number in 0..KNOWN.len() {
                    let (text, distance) = KNOWN[(first + number) % KNOWN.len()];
                    let notation = tilebase::Notation { shape: three_by_four(text), blank: None };
                    let board = notation.read(text).unwrap();
                    let answer = tablebase.solve(&board, &mut |event| {
                        if let Event::Note(note) = event {
                            notes.lock().unwrap().push(note.to_string());
                        }
                        ControlFlow::Continue(())
                    });
                    let answer = answer.unwrap();
                    assert_eq!(answer.truth, Truth::Distance(distance), "{text}");
                    let goal = Goal::BlankLast.board(board.shape());
                    let path = answer.solution.unwrap();
                    let end = path.iter().fold(board, |board, step| board.step(*step).unwrap());
                    assert_eq!((path.len() as u32, end), (distance, goal), "{text}");
                }
            });
        }
    });
    let built: Vec<_> = notes.into_inner().unwrap();
    let built: Vec<_> = built.iter().filter(|note| note.starts_with("built ")).collect();
    assert_eq!(built.len(), 4, "each is built once: {built:?}");
}

/// Twelve cells in one row are read as a board of 3x4, because they could also be of 2x6.
fn three_by_four(text: &str) -> Option<Shape> {
    text.starts_with("7,8").then(|| shape("3x4"))
}

#[test]
fn every_board_of_3x2_is_answered_for_every_goal_from_few_tables() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store.clone());
    let boards = naive::permutations(shape("3x2"));
    for goal in &boards {
        let expected = naive::distances(goal);
        let tablebase = tablebase.with_goals(goal.clone().into()).unwrap();
        for board in &boards {
            let truth = tablebase.answer(board, &mut ignore).unwrap().truth;
            let known = expected
                .get(board)
                .map_or(Truth::Unsolvable, |distance| Truth::Distance(*distance));
            assert_eq!(truth, known, "{board} for {goal}");
        }
    }
    assert_eq!(store.files().unwrap().len(), 2, "a corner and an edge");
}

#[test]
fn the_next_moves_are_all_legal_ones_best_first() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store);
    let goal = Goal::BlankLast.board(shape("3x3"));
    let boards: BTreeMap<_, _> = naive::distances(&goal).into_iter().collect();
    for (board, distance) in boards.into_iter().step_by(97) {
        let next = tablebase.next(&board, &mut ignore).unwrap();
        let legal: Vec<_> =
            Move::ALL.into_iter().filter(|step| board.step(*step).is_some()).collect();
        assert_eq!(next.len(), legal.len(), "{board}");
        let mut last = (0, Move::Up);
        for next in next {
            assert_eq!(Some(&next.board), board.step(next.step).as_ref());
            assert_eq!(next.tile.0, next.board.tiles()[board.blank()]);
            let Truth::Distance(left) = next.truth else { panic!("{board}: {next:?}") };
            assert_eq!(left.abs_diff(distance), 1, "{board}");
            assert!((left, next.step) > last || last == (0, Move::Up), "{board}");
            last = (left, next.step);
        }
    }
}

#[test]
fn a_claim_is_judged_by_whoever_knows() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store);
    let judge = |text: &str, claim| tablebase.judge(&board(text), &claim, &mut ignore).unwrap();
    assert_eq!(judge("867254301", Claim::Length(31)), Verdict::Optimal { moves: Some(31) });
    assert_eq!(judge("867254301", Claim::Length(33)), Verdict::Longer { moves: 33, by: 2 });
    let fifteen = KNOWN[2].0;
    assert_eq!(judge(fifteen, Claim::Length(11)), Verdict::Longer { moves: 11, by: 2 });
    // Beyond 25 cells there is neither a table nor a pattern database, and a bound is given instead of the distance.
    let mut tiles: Vec<u8> = (1..36).chain([0]).collect();
    tiles.swap(35, 34);
    let large = Board::new(shape("6x6"), &tiles).unwrap();
    let claim = Claim::Length(3);
    let (verdict, told) = notes(|listener| tablebase.judge(&large, &claim, listener).unwrap());
    assert_eq!(verdict, Verdict::Unknown { moves: 3 });
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("; whether fewer moves would do is unknown"), "{told:?}");
    let (_, told) = notes(|listener| tablebase.judge(&large, &claim, listener).unwrap());
    assert!(told.is_empty(), "it is told once: {told:?}");
}

#[test]
fn a_search_is_stopped_from_outside_and_by_the_policy() {
    // A search cannot solve this board of the 24-puzzle in such a short time.
    let far = board("14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13");
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store.clone()).with_goals(Goal::BlankFirst.into()).unwrap();
    let mut heard = 0;
    let answer = tablebase.answer(&far, &mut |event| match event {
        Event::Search(_) => {
            heard += 1;
            if heard > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    let answer = answer.unwrap();
    assert!(matches!(answer.truth, Truth::AtLeast(71..)), "{answer:?}");
    assert_eq!(answer.limit(), Some(Limit::Listener));

    let most = Duration::from_millis(50);
    let policy = Policy { timeout: Some(most), ..Policy::default() };
    let tablebase = Tablebase::open(store, Goal::BlankFirst.into(), policy).unwrap();
    let clock = Instant::now();
    let answer = tablebase.answer(&far, &mut ignore).unwrap();
    assert_eq!(answer.limit(), Some(Limit::Time(most)));
    assert!(clock.elapsed() < Duration::from_secs(20), "{:?}", clock.elapsed());
}

#[test]
fn a_damaged_table_is_renewed_and_one_that_is_named_is_not() {
    let (_folder, store) = store();
    Tablebase::new(store.clone()).answer(&board("867254301"), &mut ignore).unwrap();
    let path = &store.files().unwrap()[0];
    let whole = fs::read(path).unwrap();
    let mut damaged = whole.clone();
    damaged[5000] ^= 1;
    fs::write(path, &damaged).unwrap();
    let named = Tablebase::open(Source::File(path.clone()), Goals::default(), Policy::default());
    let error = named.err().unwrap().to_string();
    assert!(
        error.ends_with("has a damaged payload: bytes 4096 to 69631 do not match their checksum"),
        "{error}"
    );
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    let tablebase = Tablebase::new(store);
    let ask =
        |listener: tilebase::Listener<'_>| tablebase.answer(&board("867254301"), listener).unwrap();
    let (answer, told) = notes(ask);
    assert_eq!(answer.truth, Truth::Distance(31));
    assert!(
        told[0].contains("has a damaged payload") && told[0].contains("; built the table"),
        "{told:?}"
    );
    assert!(fs::read(path).unwrap() == whole);
}

#[test]
fn what_takes_long_is_refused_with_the_command_that_builds_it() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store.clone());
    let ask = |text: &str, tablebase: &Tablebase| {
        let answer = tablebase.answer(&board(text), &mut ignore).unwrap();
        let By::Bound(refusal) = answer.by else { panic!("{answer:?}") };
        (answer.truth, refusal.to_string())
    };
    let (truth, sentence) = ask("1 2 3 4 5 6 7/8 9 10 11 12 13 0", &tablebase);
    assert_eq!(truth, Truth::AtLeast(0));
    let start =
        "the table for 2x7 is not in the store: `tilebase build --shape 2x7` builds it (about ";
    assert!(sentence.starts_with(start), "{sentence}");
    let (truth, _) = ask("2 1 3 4 5 6 7/8 9 10 11 12 13 0", &tablebase);
    assert_eq!(truth, Truth::Unsolvable);
    // With this policy, a table of nine cells is not built.
    let policy = Policy { most_cells: 8, ..Policy::default() };
    let small = Tablebase::open(store.clone(), Goals::default(), policy).unwrap();
    let (_, sentence) = ask("123456708", &small);
    assert!(sentence.starts_with("the table for 3x3 is not in the store: `"), "{sentence}");
    let policy =
        Policy { most_entries: 1000, partition: Some("5-5-5".into()), ..Policy::default() };
    let tablebase = Tablebase::open(store.clone(), Goals::default(), policy).unwrap();
    let (_, sentence) = ask(KNOWN[2].0, &tablebase);
    assert!(
        sentence.contains("`tilebase build --shape 4x4 --pattern 5-5-5` builds it"),
        "{sentence}"
    );
    assert_eq!(store.files().unwrap().len(), 0, "nothing was built");
    // Once the table is there, the refusal is over.
    Tablebase::new(store).answer(&board("123456708"), &mut ignore).unwrap();
    let policy = Policy { most_cells: 8, ..Policy::default() };
    assert_eq!(small.answer(&board("123456708"), &mut ignore).unwrap().truth, Truth::Distance(1));
    assert_eq!(*small.policy(), policy);
}

#[test]
fn a_build_on_the_way_is_told_level_by_level_and_can_be_stopped() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store.clone());
    let mut levels = 0;
    let stopped = tablebase.answer(&board("123456708"), &mut |event| match event {
        Event::Level(_) => {
            levels += 1;
            if levels == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    assert!(stopped.err().unwrap().is_stop());
    assert_eq!((levels, store.files().unwrap().len()), (5, 0));
    // The next caller is answered.
    let answer = tablebase.answer(&board("123456708"), &mut ignore).unwrap();
    assert_eq!(answer.truth, Truth::Distance(1));
}

#[test]
fn a_table_in_memory_is_shared() {
    let orbit = Orbit::of(&Goal::BlankLast.board(shape("3x3")));
    let table = Arc::new(Builder::new(orbit).unwrap().build().unwrap());
    let source = Source::Table(Arc::clone(&table));
    let tablebase = Tablebase::open(source.clone(), Goals::default(), Policy::default()).unwrap();
    let answer = tablebase.answer(&board("867254301"), &mut ignore).unwrap();
    assert_eq!(answer.truth, Truth::Distance(31));
    let refused = Tablebase::open(source, board(KNOWN[2].0).into(), Policy::default());
    let sentence = refused.err().unwrap().to_string();
    assert_eq!(sentence, "the table is for 3x3; the question is for 4x4");
}

#[test]
fn a_file_serves_its_goals_and_no_others() {
    let golden = |name: &str| {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        Source::File(data.join(name))
    };
    let open = |name: &str, goals: Goals| Tablebase::open(golden(name), goals, Policy::default());
    let table = "3x2-home5-bit.tilebase";
    let tablebase = open(table, Goals::default()).unwrap();
    assert_eq!(tablebase.goals().shape(), Some(shape("3x2")));
    let wide = open(table, Goals::from(Goal::BlankFirst).of_shape(shape("2x3"))).unwrap();
    let near = Board::new(shape("2x3"), &[1, 0, 2, 3, 4, 5]).unwrap();
    assert_eq!(wide.answer(&near, &mut ignore).unwrap().truth, Truth::Distance(1));
    let refused = |goals| open(table, goals).err().unwrap();
    assert!(matches!(
        refused(board("1 2 3/4 5 6/7 8 0").into()).reason(),
        Reason::OtherShape { .. }
    ));
    let edge = Board::new(shape("3x2"), &[1, 2, 0, 3, 4, 5]).unwrap();
    assert!(matches!(refused(edge.into()).reason(), Reason::Foreign { .. }));
    let patterns = open("4x2-home7-pattern-4-3.tilebase", Goals::default()).unwrap();
    let answer = patterns.answer(&Goal::BlankLast.board(shape("4x2")), &mut ignore).unwrap();
    assert!(matches!((answer.truth, answer.by), (Truth::Distance(0), By::Patterns(_))));
}

#[test]
fn a_board_of_another_shape_than_the_goal_is_refused() {
    let (_folder, store) = store();
    let tablebase = Tablebase::new(store.clone()).with_goals(board("123804765").into()).unwrap();
    let other = board(KNOWN[2].0);
    let refused = |refusal: Option<tilebase::Refusal>| {
        assert_eq!(refusal.unwrap().to_string(), "the board is 4x4; the goal is 3x3");
    };
    refused(tablebase.answer(&other, &mut ignore).err());
    refused(tablebase.best_moves(&other, 9, &mut ignore).err());
    refused(tablebase.count_solutions(&other, 9, &mut ignore).err());
    refused(tablebase.patterns(other.shape(), &mut ignore).err());
    refused(tablebase.heuristic(HeuristicName::Manhattan, other.shape(), &mut ignore).err());
    assert_eq!(store.files().unwrap().len(), 0, "nothing was built");
}
