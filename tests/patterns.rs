//! Pattern databases, compared with a simple second program, with tables, and with published lengths.

use std::{
    collections::{HashMap, VecDeque},
    io::{Seek, Write},
    ops::ControlFlow,
    path::Path,
    process::Command,
};

use tilebase::{
    Board, Goal, Move, Shape,
    index::Partition,
    pattern::{PatternBuilder, PatternDatabase, PatternSolver, SolverProgress},
    puzzle::Orbit,
    search::{Algorithm, Heuristic, Outcome, Search, Suite},
    table::{Flaw, Oracle, OracleError, Table, TableError, TableErrorKind, TableFile},
};

mod forge;
mod naive;

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

fn build(goal: &Board, partition: &str) -> PatternDatabase {
    PatternBuilder::new(Partition::new(goal, partition).unwrap()).build().unwrap()
}

fn solver(goal: &Board, partition: &str) -> PatternSolver {
    PatternSolver::new(build(goal, partition), goal).unwrap()
}

fn from_bytes(bytes: Vec<u8>) -> Result<PatternDatabase, TableError> {
    TableFile::from_bytes(bytes)?.try_into()
}

/// About every fifth board of a shape, solvable or not.
fn some_boards(shape: Shape) -> Vec<Board> {
    naive::permutations(shape).into_iter().step_by(if shape.cells() > 8 { 41 } else { 5 }).collect()
}

/// The least number of moves of these tiles that bring them to their cells on the goal. It is given for all cells of
/// these tiles and of the blank, and found with a queue in which moves of other tiles cost nothing.
fn distances(goal: &Board, tiles: &[u8]) -> HashMap<(Vec<usize>, usize), u32> {
    let cell_of = |tile: u8| goal.tiles().iter().position(|at| *at == tile).unwrap();
    let start = (tiles.iter().map(|tile| cell_of(*tile)).collect::<Vec<_>>(), goal.blank());
    let mut distances = HashMap::new();
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((cells, blank), distance)) = queue.pop_front() {
        if distances.contains_key(&(cells.clone(), blank)) {
            continue;
        }
        distances.insert((cells.clone(), blank), distance);
        for to in Move::ALL.into_iter().filter_map(|step| goal.shape().neighbor(blank, step)) {
            match cells.iter().position(|cell| *cell == to) {
                Some(tile) => {
                    let mut cells = cells.clone();
                    cells[tile] = blank;
                    queue.push_back(((cells, to), distance + 1));
                }
                None => queue.push_front(((cells.clone(), to), distance)),
            }
        }
    }
    distances
}

/// For each board, the sum of the patterns' distances, which are found by [`distances`].
fn sums(goal: &Board, patterns: &[Vec<u8>], boards: &[Board]) -> Vec<u32> {
    let mut sums = vec![0; boards.len()];
    for tiles in patterns {
        let distances = distances(goal, tiles);
        for (board, sum) in boards.iter().zip(&mut sums) {
            let cell_of = |tile: &u8| board.tiles().iter().position(|at| at == tile).unwrap();
            let cells = tiles.iter().map(cell_of).collect::<Vec<_>>();
            *sum += distances[&(cells, board.blank())];
        }
    }
    sums
}

/// The patterns that a list of tiles names.
fn patterns(text: &str) -> Vec<Vec<u8>> {
    let tiles = |group: &str| group.split(',').map(|tile| tile.parse().unwrap()).collect();
    text.split('/').map(tiles).collect()
}

#[track_caller]
fn compare(goal: &Board, partition: &str, mirrored: Option<&str>) {
    let solver = solver(goal, partition);
    let boards = some_boards(goal.shape());
    let boards: Vec<_> = boards.into_iter().filter(|board| board.can_reach(goal)).collect();
    let own = sums(goal, &patterns(partition), &boards);
    let other = mirrored.map(|text| sums(goal, &patterns(text), &boards));
    for (number, board) in boards.iter().enumerate() {
        let expected = own[number].max(other.as_ref().map_or(0, |other| other[number]));
        assert_eq!(solver.estimate(board).unwrap(), Some(expected), "{board}, {partition}");
    }
}

#[test]
fn estimates_are_sums_over_patterns_as_it_is_and_mirrored() {
    let last = |text: &str| Goal::BlankLast.board(shape(text));
    compare(&last("3x3"), "1,2,4,5/3,6,7,8", Some("1,4,2,5/7,8,3,6"));
    compare(&last("3x3"), "1,2,3/4,5,6/7,8", Some("1,4,7/2,5,8/3,6"));
    compare(&last("3x3"), "1,2,3,4,5,6,7,8", None);
    compare(&last("3x3"), "1/2/3/4/5/6/7/8", None);
    compare(&last("2x4"), "1,2,5,6/3,4,7", None);
    compare(&last("4x2"), "1,3,5,7/2,4,6", None);
    let first = Goal::BlankFirst.board(shape("3x3"));
    compare(&first, "1,2,4,5/3,6,7,8", Some("3,6,4,7/1,2,5,8"));
    let edge = naive::goal(shape("3x3"), 7);
    compare(&edge, "1,2,4,5/3,6,7,8", Some("3,2,6,5/1,4,8,7"));
    let own: Board = "432/071/865".parse().unwrap();
    // The mirror image that keeps the blank's cell exchanges the rows above and below it.
    compare(&own, "4,3,2/7,1/8,6,5", None);
    compare(&own, "4,3,7/2,1/8,6,5", Some("8,6,7/5,1/4,3,2"));
    let centre = naive::goal(shape("3x3"), 4);
    let solver = solver(&centre, "1,2,3,4/5,6,7,8");
    assert_eq!(solver.estimate(&centre).unwrap(), Some(0));
}

#[test]
fn solutions_are_as_long_as_tables_say() {
    for (text, partition) in [("3x3", "4-4"), ("3x3", "6-2"), ("2x4", "4-3"), ("5x2", "5-4")] {
        for goal in [Goal::BlankLast, Goal::BlankFirst, Goal::Snail] {
            let goal = goal.board(shape(text));
            let (oracle, solver) = (Oracle::build(&goal).unwrap(), solver(&goal, partition));
            let boards = oracle.space().sample(150, 7).unwrap();
            for board in &boards {
                let (report, distance) = (solver.solve(board).unwrap(), oracle.distance(board));
                assert_eq!(report.cost(), distance.unwrap(), "{board}");
                let distance = report.cost().unwrap();
                let on = |_| ControlFlow::Continue(());
                assert_eq!(
                    solver.best_moves(board, distance, on).unwrap(),
                    oracle.best_moves(board).unwrap(),
                    "{board}"
                );
                assert_eq!(
                    solver.count_solutions(board, distance, on).unwrap(),
                    oracle.count_solutions(board).unwrap(),
                    "{board}"
                );
            }
            // The textbook's search with the same estimates.
            let search = Search::new(Algorithm::IdaStar, &goal, &solver);
            for board in boards.iter().take(10) {
                assert_eq!(search.run(board).cost(), solver.solve(board).unwrap().cost());
            }
        }
    }
}

#[test]
fn what_cannot_be_solved_is_said() {
    let goal = Goal::BlankLast.board(shape("4x4"));
    let solver = solver(&goal, "4-4-4-3");
    let unsolvable = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0".parse().unwrap();
    assert_eq!(solver.solve(&unsolvable).unwrap().outcome, Outcome::Unsolvable);
    assert_eq!(solver.estimate(&unsolvable).unwrap(), None);
    assert_eq!(Heuristic::estimate(&solver, &unsolvable), u32::MAX);
    let small: Board = "123456780".parse().unwrap();
    assert!(matches!(solver.solve(&small), Err(OracleError::Shape { .. })));
    let first = Goal::BlankFirst.board(shape("3x3"));
    let database = build(&naive::goal(shape("3x3"), 4), "4-4");
    let error = PatternSolver::new(database, &first).unwrap_err();
    assert!(matches!(error, OracleError::Table { .. }), "{error}");
}

#[test]
fn a_search_can_be_stopped_and_says_what_is_proven() {
    let goal = Goal::BlankLast.board(shape("5x5"));
    let solver = solver(&goal, "3-3-3-3-3-3-3-3");
    let far = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0".parse().unwrap();
    let mut last = 0;
    let report = solver.solve_watched(&far, |progress| {
        assert!(progress.at_least >= last);
        last = progress.at_least;
        if progress.expanded > 100_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let report = report.unwrap();
    assert_eq!((report.outcome, report.at_least), (Outcome::Stopped, last));
    assert!(report.at_least >= 100 && report.expanded > 100_000);
    let near = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 24 19 21 22 23 20 0".parse().unwrap();
    assert_eq!(solver.solve(&near).unwrap().cost(), Some(4));
}

#[test]
fn the_bytes_are_the_same_from_any_number_of_threads_and_any_goal() {
    let goal = Goal::BlankLast.board(shape("4x4"));
    let partition = Partition::new(&goal, "6-6-3").unwrap();
    let by = |threads| {
        let builder = PatternBuilder::new(partition.clone()).with_threads(threads);
        builder.build().unwrap().file().as_bytes().to_vec()
    };
    let one = by(1);
    assert!(by(2) == one && by(5) == one);
    let other: Board = "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15".parse().unwrap();
    // A pattern is a set of cells of the goal. So the tiles of this goal have other numbers, but the bytes are the
    // same.
    let tiles = "15,14,11,10,7,6/13,12,9,8,5,4/3,1,2";
    assert!(build(&other, tiles).file().as_bytes() == one);
    let golden = from_bytes(one.clone()).unwrap();
    assert_eq!(format!("{:08x}", golden.file().checksum()), "46a1e657");
    assert_eq!(golden.header().boards, golden.partition().entries());
    assert_eq!(golden.header().radius(), 27);
    assert_eq!(golden.verify(2).map_err(|flaw| flaw.to_string()), Ok(()));
}

#[test]
fn golden_bytes_are_read_by_a_program_that_knows_the_format_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = root.join("data/4x2-home7-pattern-4-3.tilebase");
    let goal = Goal::BlankLast.board(shape("4x2"));
    let database = build(&goal, "4-3");
    assert!(database.file().as_bytes() == std::fs::read(&golden).unwrap());
    let solver = PatternSolver::new(database, &goal).unwrap();
    let boards = Oracle::build(&goal).unwrap().space().sample(100, 1).unwrap();
    let text = |board: &Board| {
        let tiles: Vec<_> = board.tiles().iter().map(u8::to_string).collect();
        tiles.join(" ") + "\n"
    };
    let mut positions = tempfile::tempfile().unwrap();
    positions.write_all(boards.iter().map(text).collect::<String>().as_bytes()).unwrap();
    positions.rewind().unwrap();
    let reader = root.join("tests/read_patterns.py");
    let output = Command::new("python3").arg(reader).arg(golden).stdin(positions).output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let read = String::from_utf8(output.stdout).unwrap();
    let known = boards.iter().map(|board| solver.estimate(board).unwrap().unwrap().to_string());
    assert_eq!(read.lines().collect::<Vec<_>>(), known.collect::<Vec<_>>());
}

#[test]
fn the_proof_finds_every_kind_of_wrong_bit() {
    let goal = Goal::BlankLast.board(shape("3x3"));
    let database = build(&goal, "1,2,3/4,5,6,7,8");
    assert_eq!(database.verify(2).map_err(|flaw| flaw.to_string()), Ok(()));
    let bytes = database.file().as_bytes();
    let flaw = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.to_vec();
        change(&mut bytes);
        forge::seal(&mut bytes);
        from_bytes(bytes).unwrap().verify(2).unwrap_err()
    };
    let payload = u64::from_le_bytes(bytes[28..36].try_into().unwrap()) as usize;
    let (mut distances, mut spare) = (0, 0);
    // Every 997th bit: a prime, so that all bits of a byte and both patterns are tested.
    for bit in (0..8 * payload).step_by(997) {
        match flaw(&|bytes| bytes[forge::PAGE + bit / 8] ^= 1 << (bit % 8)) {
            Flaw::Pattern { place, .. } => {
                assert_eq!(place.split(['/', ' ']).count(), 9, "{place}");
                distances += 1;
            }
            Flaw::Unproved(_) => spare += 1,
            flaw => panic!("bit {bit}: {flaw}"),
        }
    }
    assert!(distances > 30 && spare > 3, "{distances}, {spare}");
    // The histogram has one placement too many at distance 1, and one too few at distance 2.
    let histogram = flaw(&|bytes| {
        let [one, two] =
            [60, 68].map(|at| u64::from_le_bytes(bytes[at..][..8].try_into().unwrap()));
        bytes[60..68].copy_from_slice(&(one + 1).to_le_bytes());
        bytes[68..76].copy_from_slice(&(two - 1).to_le_bytes());
    });
    assert!(matches!(histogram, Flaw::Histogram { depth: 1, .. }), "{histogram}");
}

#[test]
fn wrong_bits_never_lead_to_a_wrong_length_or_a_panic() {
    let goal = Goal::BlankLast.board(shape("3x3"));
    let oracle = Oracle::build(&goal).unwrap();
    let bytes = build(&goal, "4-4").file().as_bytes().to_vec();
    let boards = oracle.space().sample(20, 3).unwrap();
    for step in [3, 64, 1009] {
        let mut bytes = bytes.clone();
        let end = bytes.len() - 100;
        bytes[forge::PAGE..end].iter_mut().step_by(step).for_each(|byte| *byte = !*byte);
        forge::seal(&mut bytes);
        let solver = PatternSolver::new(from_bytes(bytes).unwrap(), &goal).unwrap();
        for board in &boards {
            let stop = |progress: SolverProgress| match progress.at_least > 40 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            if let Ok(report) = solver.solve_watched(board, stop) {
                // The solution may be longer than optimal, but it must reach the goal.
                assert!(
                    report
                        .cost()
                        .is_none_or(|cost| cost >= oracle.distance(board).unwrap().unwrap())
                );
            }
        }
    }
}

#[test]
fn a_file_is_opened_for_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("patterns");
    let goal = Goal::BlankLast.board(shape("3x3"));
    let database = build(&goal, "4-4");
    database.file().save(&path).unwrap();
    let error = Table::open(&path).unwrap_err();
    let words = "is a pattern database, and not a full table";
    assert_eq!(error.to_string(), format!("{} {words}", path.display()));
    let again = PatternDatabase::try_from(TableFile::open(&path).unwrap()).unwrap();
    assert_eq!(again.partition(), database.partition());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/3x2-home5-bit.tilebase");
    let error = PatternDatabase::try_from(TableFile::open(golden).unwrap()).unwrap_err();
    assert_eq!(error.kind().to_string(), "is a full table, and not a pattern database");

    let bytes = database.file().as_bytes();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.to_vec();
        change(&mut bytes);
        forge::seal(&mut bytes);
        from_bytes(bytes).map(|_| ()).unwrap_err()
    };
    let length = bytes.len();
    let cut = from_bytes(bytes[..length - 9].to_vec()).unwrap_err();
    assert!(matches!(cut.kind(), TableErrorKind::Truncated { .. }), "{cut}");
    // The numbers of the patterns follow the histogram, with their length before them.
    let radius = usize::from(bytes[18]);
    let numbers = 52 + 8 * (radius + 1) + 8;
    assert_eq!(
        bytes[numbers - 8..][..17],
        [&[9, 0, 0, 0, 0, 0, 0, 0][..], &[1, 1, 1, 2, 2, 1, 2, 2, 0]].concat()
    );
    let is_contradiction = |change: &dyn Fn(&mut Vec<u8>)| {
        matches!(refused(change).kind(), TableErrorKind::Contradiction(_))
    };
    for number in [0, 2, 9] {
        let error = refused(&|bytes| bytes[numbers] = number);
        assert!(matches!(error.kind(), TableErrorKind::Contradiction(_)), "{number}: {error}");
    }
    assert!(is_contradiction(&|bytes| bytes[numbers - 8] = 8));
    assert!(is_contradiction(&|bytes| bytes[14] = 1));
    assert!(is_contradiction(&|bytes| bytes[12] = 1));
    assert!(is_contradiction(&|bytes| bytes[12] = 3));
    for at in (0..length).step_by(101) {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 4;
        assert!(from_bytes(bytes).is_err(), "byte {at}");
    }
}

#[test]
fn partitions_are_read_and_named() {
    let goal = Goal::BlankLast.board(shape("4x4"));
    let read = |text: &str| Partition::new(&goal, text);
    let name = |text: &str| read(text).unwrap().name();
    assert_eq!(name("8-7"), "7-8");
    assert_eq!(name("1,2,3,4,5,6,7,8/9,10,11,12,13,14,15"), "7-8");
    assert_eq!(name("3-6-6"), "6-6-3");
    assert_eq!(name("4-4-4-3"), "4-4-4-3");
    assert_eq!(name("1,2,3/4,5"), "1,2,3/4,5/8/7/6/9/10/11/12/15/14/13");
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(error("7-7"), "the patterns of 7-7 have 14 tiles; 4x4 has 15");
    assert_eq!(error("9-6"), "a pattern has 1 to 8 tiles, not 9");
    assert_eq!(error("1,2/2,3"), "tile 2 is in the list twice");
    assert_eq!(error("1,16"), "16 is not a tile: 4x4 has 1 to 15");
    assert_eq!(error("1,0"), "0 is not a tile: 4x4 has 1 to 15");
    assert!(error("many").starts_with("\"many\" is no partition: expected sizes such as 7-8"));
    assert!(error("").starts_with("\"\" is no partition"));
    assert!(error("0-7-8").starts_with("\"0-7-8\" is no partition"));
    let large = Goal::BlankLast.board(shape("6x6"));
    assert_eq!(
        Partition::new(&large, "6-6").unwrap_err().to_string(),
        "there are no pattern databases for 6x6: they end at 25 cells"
    );
    for text in ["2x2", "3x3", "2x7", "3x5", "4x4", "4x5", "3x8", "5x5"] {
        for goal in Orbit::all(shape(text)).into_iter().map(Orbit::goal) {
            for partition in [Partition::small(&goal), Partition::large(&goal)] {
                let partition = partition.unwrap();
                let again = Partition::new(&goal, &partition.name());
                assert_eq!(again.as_ref(), Ok(&partition), "{text} {}", partition.name());
            }
        }
    }
}

/// The solvable boards of Princeton's assignment with their lengths.
fn princeton() -> Vec<(Board, u32)> {
    let lines = include_str!("../data/princeton.tsv").lines().filter_map(|line| {
        let mut fields = line.rsplit('\t');
        let moves = fields.next()?.parse().ok()?;
        Some((fields.next()?.parse().ok()?, moves))
    });
    lines.collect()
}

#[test]
fn published_lengths_of_the_15_puzzle_come_out() {
    let goals = [Goal::BlankFirst, Goal::BlankLast].map(|goal| goal.board(shape("4x4")));
    let database = std::sync::Arc::new(build(&goals[0], "7-8"));
    let [first, last] =
        goals.map(|goal| PatternSolver::new(std::sync::Arc::clone(&database), &goal).unwrap());
    let mut sum = 0;
    for (board, moves) in Suite::Korf100.instances() {
        assert_eq!(first.solve(&board).unwrap().cost(), Some(moves), "{board}");
        sum += moves;
    }
    assert_eq!(sum, 5305);
    let of_15 = |(board, _): &(Board, u32)| board.shape() == shape("4x4");
    let princeton: Vec<_> = princeton().into_iter().filter(of_15).collect();
    assert!(princeton.len() > 10);
    // Some of the boards at the greatest distance: Brüngger, Marzetta, Fukuda and Nievergelt, 1999.
    let farthest = [
        "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1",
        "0 12 10 13 15 11 14 9 3 7 2 5 4 8 6 1",
        "0 11 9 13 12 15 10 14 3 7 6 2 4 8 5 1",
        "0 15 9 13 11 12 10 14 3 7 6 2 4 8 5 1",
    ];
    let farthest = farthest.map(|board| (board.parse().unwrap(), 80));
    for (board, moves) in princeton.iter().chain(&farthest) {
        assert_eq!(last.solve(board).unwrap().cost(), Some(*moves), "{board}");
    }
}
