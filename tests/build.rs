//! The builder, against published counts and the proof.

use std::collections::HashMap;

use tilebase::{Orbit, Shape, Space, Table};

mod naive;

/// Shapes whose tables are built here: those of up to ten cells.
fn buildable() -> Vec<Shape> {
    (4..=10).flat_map(Shape::with_cells).collect()
}

#[test]
fn boards_by_distance_are_those_that_others_have_counted() {
    let mut tables: HashMap<Orbit, Vec<u64>> = HashMap::new();
    let mut compared = 0;
    let rows = include_str!("../data/histograms.tsv").lines();
    for row in rows.filter(|row| !row.starts_with('#')).skip(1) {
        let [shape, home, counts] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let shape: Shape = shape.parse().unwrap();
        if shape.cells() > 10 {
            continue;
        }
        let orbit = Orbit::of(&naive::goal(shape, home.parse().unwrap()));
        let histogram = tables
            .entry(orbit)
            .or_insert_with(|| Table::build(orbit).unwrap().header().histogram.clone());
        let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        assert_eq!(*histogram, counts, "{shape}, home {home}");
        compared += 1;
    }
    assert_eq!(compared, 18, "rows of up to ten cells in data/histograms.tsv");
}

#[test]
fn every_orbit_up_to_ten_cells_is_built_and_proved() {
    for orbit in buildable().into_iter().flat_map(Orbit::all) {
        let table = Table::build(orbit).unwrap();
        assert_eq!(table.header().boards, Space::new(&orbit.goal()).unwrap().boards());
        table.verify(2).unwrap_or_else(|flaw| panic!("{orbit}: {flaw}"));
    }
}

#[test]
fn larger_shapes_are_refused_with_those_that_can_be_built() {
    let error = Table::build(Orbit::of(&naive::goal(Shape::new(3, 4).unwrap(), 0))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no table for 4x3 can be built; tables are for 2x2, 2x3, 3x2, 2x4, 4x2, 3x3, 2x5, 5x2"
    );
}
