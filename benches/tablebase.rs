//! The speed of the tablebase. Every benchmark asserts its answers.
//!
//! `cargo bench` runs all of them. Each uses one core.
#![allow(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tilebase::{
    Board, Claim, Goal, MoveNotation, Notation, Shape, Truth,
    index::{Partition, Space},
    judge::Audit,
    notation::Reader,
    pattern::{PatternBuilder, PatternSolver},
    puzzle::Orbit,
    search::{Algorithm, Blind, Heuristic, LinearConflict, Manhattan, Search},
    table::{Builder, Encoding, Oracle},
};

fn goal() -> Board {
    Goal::BlankLast.board(Shape::new(3, 3).expect("3x3 is a shape"))
}

/// Boards of 3x3 in random order, the same in every run.
fn boards(count: u64) -> Vec<(Board, u32)> {
    let oracle = Oracle::build(&goal()).expect("3x3 can be built");
    oracle.sample(count, .., 1).expect("there are enough boards")
}

/// Builds in memory.
fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    let mut build = |shape: &str, encoding: Encoding, threads, radius| {
        let orbit = Orbit::of(&Goal::BlankLast.board(shape.parse().expect("a shape")));
        let builder = Builder::new(orbit).and_then(|builder| builder.with_encoding(encoding));
        let builder = builder.expect("it can be built").with_threads(threads);
        group.bench_function(format!("{shape} {}, threads: {threads}", encoding.name()), |b| {
            b.iter(|| {
                let table = builder.build().expect("there is memory");
                assert_eq!(table.header().radius(), radius);
                table
            });
        });
    };
    build("3x3", Encoding::Distance, 1, 31);
    build("3x3", Encoding::Bit, 1, 31);
    for (encoding, threads) in
        [(Encoding::Bit, 1), (Encoding::Bit, 2), (Encoding::Distance, 1), (Encoding::Distance, 2)]
    {
        build("3x4", encoding, threads, 53);
    }
    group.finish();
}

/// The 15-puzzle by pattern databases.
fn patterns(c: &mut Criterion) {
    let goal = Goal::BlankFirst.board(Shape::new(4, 4).expect("4x4 is a shape"));
    let mut group = c.benchmark_group("patterns");
    group.sample_size(10);
    let text = include_str!("../data/korf100.tsv");
    let korf: Vec<(Board, u32)> = text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(board, moves)| Some((board.parse().ok()?, moves.parse().ok()?)))
        .collect();
    assert_eq!(korf.len(), 100);
    for (name, entries) in [("6-6-3", 23_637_072), ("7-8", 1_565_040_960)] {
        let partition = Partition::new(&goal, name).expect("it is a partition");
        let builder = PatternBuilder::new(partition).with_threads(2);
        group.bench_function(format!("build {name}, threads: 2"), |b| {
            b.iter(|| {
                let database = builder.build().expect("there is memory");
                assert_eq!(database.header().boards, entries);
                database
            });
        });
        let database = builder.build().expect("there is memory");
        let solver = PatternSolver::new(database, &goal).expect("it is for the goal");
        let solver = solver.with_threads(1);
        group.bench_function(format!("Korf's 100 boards, {name}"), |b| {
            b.iter(|| {
                for (board, moves) in &korf {
                    let report = solver.solve(black_box(board)).expect("the database is right");
                    assert_eq!(report.cost(), Some(*moves));
                }
            });
        });
    }
    group.finish();
}

/// Random boards of a shape whose tables are larger than most caches.
fn large_tables(c: &mut Criterion) {
    const BOARDS: u64 = 100_000;
    let goal = Goal::BlankLast.board(Shape::new(3, 4).expect("3x4 is a shape"));
    for encoding in [Encoding::Bit, Encoding::Distance] {
        let builder = Builder::new(Orbit::of(&goal)).and_then(|b| b.with_encoding(encoding));
        let table = builder.and_then(|builder| builder.build()).expect("3x4 can be built");
        // The table is mapped from a file, as in normal use. A table in memory is on pages of another size.
        let file = tempfile::NamedTempFile::new().expect("there is a folder for files");
        table.file().save(file.path()).expect("the file can be written");
        // SAFETY: no other program knows the name of the temporary file.
        let table = unsafe { tilebase::table::Table::map(file.path()) }.expect("it is a table");
        let oracle = Oracle::new(table, &goal).expect("the table is for the goal");
        let (boards, distances): (Vec<_>, Vec<_>) =
            oracle.sample(BOARDS, .., 1).expect("there are enough boards").into_iter().unzip();
        let moves: u64 = distances.into_iter().map(u64::from).sum();
        let mut group = c.benchmark_group(format!("random boards of 3x4, {}", encoding.name()));
        group.throughput(Throughput::Elements(BOARDS)).sample_size(10);
        group.bench_function("distance", |b| {
            b.iter(|| {
                let distances = boards.iter().map(|board| oracle.distance(black_box(board)));
                let sum: u64 =
                    distances.map(|found| found.unwrap().unwrap_or(0)).map(u64::from).sum();
                assert_eq!(sum, moves);
            });
        });
        group.bench_function("distances of a batch", |b| {
            b.iter(|| {
                let distances = oracle.distances(black_box(&boards)).into_iter();
                let distances = distances.map(|found| found.expect("the table is right"));
                let sum: u64 = distances.flatten().map(u64::from).sum();
                assert_eq!(sum, moves);
            });
        });
        group.bench_function("optimal path", |b| {
            b.iter(|| {
                let paths = boards.iter().map(|board| oracle.solution(black_box(board)));
                let sum: usize = paths.map(|path| path.unwrap().map_or(0, |path| path.len())).sum();
                assert_eq!(sum as u64, moves);
            });
        });
        group.finish();
    }
}

/// Random boards, one after another. They fit into the cache, as does a board that a program has just made. They are
/// enough to read from all parts of the table.
fn boards_at_random(c: &mut Criterion) {
    let space = Space::new(&goal()).expect("3x3 has an index");
    let oracle = Oracle::build(&goal()).expect("3x3 can be built");
    let boards = boards(1024);
    let moves: u64 = boards.iter().map(|(_, distance)| u64::from(*distance)).sum();
    let mut group = c.benchmark_group("random boards of 3x3");
    group.throughput(Throughput::Elements(boards.len() as u64));

    group.bench_function("index", |b| {
        b.iter(|| {
            let found = boards.iter().filter(|(board, _)| space.index(black_box(board)).is_some());
            assert_eq!(found.count(), boards.len());
        });
    });
    group.bench_function("distance", |b| {
        b.iter(|| {
            let distances = boards.iter().map(|(board, _)| oracle.distance(black_box(board)));
            let sum: u64 = distances.map(|found| found.unwrap().unwrap_or(0)).map(u64::from).sum();
            assert_eq!(sum, moves);
        });
    });
    group.bench_function("optimal path", |b| {
        b.iter(|| {
            let paths = boards.iter().map(|(board, _)| oracle.solution(black_box(board)));
            let sum: usize = paths.map(|path| path.unwrap().map_or(0, |path| path.len())).sum();
            assert_eq!(sum as u64, moves);
        });
    });
    group.finish();
}

/// A million positions as text, each read and answered.
fn batch(c: &mut Criterion) {
    const BATCH: usize = 1_000_000;
    let oracle = Oracle::build(&goal()).expect("3x3 can be built");
    let boards = boards(100_000);
    let text: Vec<String> = boards.iter().map(|(board, _)| board.to_string()).collect();
    let moves: u64 = boards.iter().map(|(_, distance)| u64::from(*distance)).sum();
    let mut group = c.benchmark_group("a million positions of 3x3");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    group.bench_function("distance of text", |b| {
        b.iter(|| {
            let mut reader = Reader::new(Notation::default());
            let mut sum = 0;
            for line in text.iter().cycle().take(BATCH) {
                for position in reader.line(line) {
                    let board = position.board.expect("a normal form is a board");
                    sum += u64::from(oracle.distance(&board).expect("right").expect("solvable"));
                }
            }
            assert_eq!(sum, moves * (BATCH / boards.len()) as u64);
        });
    });
    group.finish();
}

/// A million claims of lengths as text, each read and judged.
fn claims(c: &mut Criterion) {
    const BATCH: usize = 1_000_000;
    let oracle = Oracle::build(&goal()).expect("3x3 can be built");
    let boards = boards(100_000);
    let claims: Vec<String> = boards.iter().map(|(_, distance)| distance.to_string()).collect();
    let mut group = c.benchmark_group("a million claims about 3x3");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    group.bench_function("verdict on a length", |b| {
        b.iter(|| {
            let claims = boards.iter().zip(&claims).cycle().take(BATCH);
            let right = claims.filter(|((board, _), text)| {
                let claim = Claim::read(text, board.shape(), MoveNotation::Blank);
                let truth = oracle.distance(board).expect("right");
                let truth = truth.map_or(Truth::Unsolvable, Truth::Distance);
                claim.expect("a length").judge(board, oracle.goal(), truth).is_right()
            });
            assert_eq!(right.count(), BATCH);
        });
    });
    group.finish();
}

fn audit(c: &mut Criterion) {
    let oracle = Oracle::build(&goal()).expect("3x3 can be built");
    let manhattan = Manhattan::new(&goal());
    c.bench_function("audit manhattan over 3x3", |b| {
        b.iter(|| {
            let audit =
                Audit::of(&oracle, |board| manhattan.estimate(board).into()).expect("right");
            assert!(audit.is_admissible() && audit.is_consistent());
        });
    });
}

/// Searches for a solution of one of the two farthest boards. The throughput is in expanded boards.
fn searches(c: &mut Criterion) {
    let goal = goal();
    let oracle = Oracle::build(&goal).expect("3x3 can be built");
    let (manhattan, conflict) = (Manhattan::new(&goal), LinearConflict::new(&goal));
    search(c, "breadth-first", Algorithm::BreadthFirst, &Blind, 181_439);
    search(c, "bidirectional", Algorithm::Bidirectional, &Blind, 9990);
    search(c, "A* with manhattan", Algorithm::AStar, &manhattan, 6745);
    search(c, "A* with linear conflict", Algorithm::AStar, &conflict, 3836);
    search(c, "A* with the table", Algorithm::AStar, &oracle, 32);
    search(c, "IDA* with manhattan", Algorithm::IdaStar, &manhattan, 14_196);
}

fn search(
    c: &mut Criterion,
    name: &str,
    algorithm: Algorithm,
    heuristic: &impl Heuristic,
    expanded: u64,
) {
    let start: Board = "867254301".parse().expect("a board");
    let search = Search::new(algorithm, &goal(), heuristic);
    let mut group = c.benchmark_group("search for 867254301");
    group.throughput(Throughput::Elements(expanded));
    group.bench_function(name, |b| {
        b.iter(|| {
            let report = search.run(black_box(&start));
            assert_eq!((report.cost(), report.expanded), (Some(31), expanded));
            report
        });
    });
    group.finish();
}

criterion_group!(
    benches,
    build,
    boards_at_random,
    large_tables,
    patterns,
    batch,
    claims,
    audit,
    searches
);
criterion_main!(benches);
