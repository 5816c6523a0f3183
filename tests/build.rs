//! The builder, compared with published counts, with a queue and with a search.

use std::{collections::HashMap, ops::ControlFlow};

use tilebase::{
    Board, Shape,
    index::Space,
    puzzle::Orbit,
    search::{Algorithm, LinearConflict, Search},
    table::{BuildError, Builder, Encoding, Oracle},
};

mod naive;

const ENCODINGS: [Encoding; 2] = [Encoding::Distance, Encoding::Bit];

fn shapes(cells: usize) -> impl Iterator<Item = Shape> {
    (4..=cells).flat_map(Shape::with_cells)
}

fn orbit(shape: &str) -> Orbit {
    let shape: Shape = shape.parse().unwrap();
    Orbit::of(&naive::goal(shape, shape.cells() - 1))
}

fn builder(orbit: Orbit, encoding: Encoding) -> Builder {
    Builder::new(orbit).unwrap().with_encoding(encoding).unwrap()
}

#[test]
fn boards_by_distance_are_those_that_others_have_counted() {
    let mut counted: HashMap<Orbit, Vec<u64>> = HashMap::new();
    let mut compared = 0;
    let rows = include_str!("../data/histograms.tsv").lines();
    for row in rows.filter(|row| !row.starts_with('#')).skip(1) {
        let [shape, home, counts] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let shape: Shape = shape.parse().unwrap();
        if shape.cells() > 12 {
            continue;
        }
        let orbit = Orbit::of(&naive::goal(shape, home.parse().unwrap()));
        let histogram = counted.entry(orbit).or_insert_with(|| {
            let builder = builder(orbit, Encoding::Bit);
            let histogram = builder.census(|_| ControlFlow::Continue(())).unwrap();
            assert_eq!(builder.build().unwrap().header().histogram, histogram, "{orbit}");
            histogram
        });
        let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        assert_eq!(*histogram, counts, "{shape}, home {home}");
        compared += 1;
    }
    assert_eq!(compared, 27, "rows of up to twelve cells in data/histograms.tsv");
    let orbits: usize = shapes(12).filter(|s| *s == s.tall()).map(|s| Orbit::all(s).len()).sum();
    assert_eq!(counted.len(), orbits, "all orbits of up to twelve cells");
}

/// Takes 12 GB of memory and a few minutes: `cargo test --release --test build -- --ignored`.
#[test]
#[ignore = "it takes 12 GB of memory"]
fn boards_of_fourteen_cells_are_as_many_as_others_have_counted() {
    let rows = include_str!("../data/histograms.tsv").lines();
    let counts = rows.filter_map(|row| row.strip_prefix("7x2\t0\t")).next().unwrap();
    let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
    let table = builder(orbit("7x2"), Encoding::Bit).build().unwrap();
    assert_eq!(table.header().histogram, counts);
    table.verify(usize::MAX).unwrap();
}

#[test]
fn every_orbit_up_to_ten_cells_is_built_and_proved_in_both_encodings() {
    for orbit in shapes(10).flat_map(Orbit::all) {
        for encoding in ENCODINGS {
            let table = builder(orbit, encoding).build().unwrap();
            assert_eq!(table.header().boards, Space::new(&orbit.goal()).unwrap().boards());
            table.verify(2).unwrap_or_else(|flaw| panic!("{orbit}, {encoding:?}: {flaw}"));
        }
    }
}

#[test]
fn every_distance_up_to_ten_cells_is_that_of_a_queue() {
    for (shape, home) in [("2x2", 3), ("2x3", 4), ("4x2", 7), ("3x3", 8), ("3x3", 4), ("2x5", 9)] {
        let goal = naive::goal(shape.parse().unwrap(), home);
        let oracles = ENCODINGS
            .map(|encoding| builder(Orbit::of(&goal), encoding).build().unwrap())
            .map(|table| Oracle::new(table, &goal).unwrap());
        for (board, distance) in naive::distances(&goal) {
            for oracle in &oracles {
                assert_eq!(oracle.distance(&board).unwrap(), Some(distance), "{board}");
            }
        }
    }
}

#[test]
fn distances_of_twelve_cells_are_those_of_a_search() {
    for (shape, home, boards) in [("3x4", 11, 15), ("3x4", 0, 5), ("4x3", 4, 5), ("2x6", 11, 3)] {
        let goal = naive::goal(shape.parse().unwrap(), home);
        let oracle = Oracle::build(&goal).unwrap();
        let heuristic = LinearConflict::new(&goal);
        let search = Search::new(Algorithm::IdaStar, &goal, &heuristic);
        for (board, distance) in oracle.sample(boards, .., 7).unwrap() {
            assert_eq!(search.run(&board).cost(), Some(distance), "{board} for goal {goal}");
            assert_eq!(oracle.solution(&board).unwrap().unwrap().len() as u32, distance);
        }
    }
}

#[test]
fn a_byte_a_board_says_the_same_as_a_bit() {
    let [distances, bits] =
        ENCODINGS.map(|encoding| builder(orbit("3x4"), encoding).build().unwrap());
    assert_eq!(distances.header().histogram, bits.header().histogram);
    let space = Space::new(&orbit("3x4").goal()).unwrap();
    for index in space.indices().step_by(997) {
        assert_eq!(distances.distance(index), bits.distance(index), "{}", space.board(index));
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    for (shape, encoding) in [("3x3", 0), ("2x5", 0), ("2x5", 1), ("3x4", 1)] {
        let builder = builder(orbit(shape), ENCODINGS[encoding]);
        let one = builder.with_threads(1).build().unwrap();
        for threads in [2, 3, usize::MAX] {
            let more = builder.with_threads(threads).build().unwrap();
            assert!(one.file().as_bytes() == more.file().as_bytes(), "{shape}, {threads} threads");
        }
    }
}

#[test]
fn whoever_watches_sees_every_level_and_can_stop() {
    let builder = builder(orbit("3x3"), Encoding::Bit);
    let mut levels = Vec::new();
    let watch = |advance: tilebase::sweep::Advance| {
        assert_eq!(advance.all, 181_440);
        levels.push((advance.depth, advance.boards, advance.found));
        if advance.depth == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(matches!(builder.build_watched(watch), Err(BuildError::Stopped)));
    assert_eq!(levels, [(0, 1, 1), (1, 2, 3), (2, 4, 7), (3, 8, 15)]);
}

#[test]
fn what_is_too_large_is_refused_with_what_can_be_built() {
    let goal = |shape: &str| -> Board { naive::goal(shape.parse().unwrap(), 0) };
    assert_eq!(
        Builder::new(Orbit::of(&goal("4x4"))).unwrap_err().to_string(),
        "no table for 4x4 can be built; tables are for 2x2, 2x3, 3x2, 2x4, 4x2, 3x3, 2x5, 5x2, 2x6, 3x4, 4x3, 6x2, 2x7, \
         7x2"
    );
    let long = Builder::new(Orbit::of(&goal("7x2"))).unwrap();
    assert_eq!(long.encoding(), Encoding::Bit);
    assert_eq!(
        long.with_encoding(Encoding::Distance).unwrap_err().to_string(),
        "no table for 7x2 can have the encoding distance, which is for 2x2, 2x3, 3x2, 2x4, 4x2, 3x3, 2x5, 5x2, 2x6, \
         3x4, 4x3, 6x2"
    );
}

#[test]
fn the_cost_is_known_before() {
    let cost = |shape: &str, encoding| builder(orbit(shape), encoding).cost();
    for (shape, encoding) in
        [("3x3", Encoding::Distance), ("2x5", Encoding::Bit), ("2x2", Encoding::Bit)]
    {
        let table = builder(orbit(shape), encoding).build().unwrap();
        assert_eq!(cost(shape, encoding).disk, table.file().as_bytes().len() as u64, "{shape}");
    }
    // 14 planes of 13!/2 boards, with sixty boards in a word of eight bytes. The search and the table each need this.
    let bits = 14 * 3_113_510_400 / 60 * 8;
    let long = cost("2x7", Encoding::Bit);
    assert!((bits..bits + bits / 1000).contains(&long.disk), "{long:?}");
    assert!((2 * bits..2 * bits + bits / 500).contains(&long.memory), "{long:?}");
}
