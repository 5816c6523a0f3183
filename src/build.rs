//! The builder: the distance of every board of a space, by breadth-first search from the goal.
//!
//! The search runs over the numbers of the boards alone. A move from one plane to another either
//! leaves a board's rank in its plane as it is, or takes it through a table with the rank of every
//! rotated arrangement; so a neighbour costs one look into that table and one into the distances.

use crate::{
    Orbit, Shape, Space,
    space::{Rotation, Window},
};

/// The entry of a board that was not reached.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// The most cells of a shape whose table can be built.
const MAX_CELLS: usize = 10;

/// No table of the shape can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no table for {0} can be built; tables are for {list}", list = buildable())]
pub struct BuildError(pub Shape);

/// The shapes that can be built, for people.
fn buildable() -> String {
    let shapes = (4..=MAX_CELLS).flat_map(Shape::with_cells).map(|shape| shape.to_string());
    shapes.collect::<Vec<_>>().join(", ")
}

/// The distance from the orbit's goal of every board, in the order of their numbers.
pub(crate) fn distances(orbit: Orbit) -> Result<Vec<u8>, BuildError> {
    if orbit.shape().cells() > MAX_CELLS {
        return Err(BuildError(orbit.shape()));
    }
    let space = Space::new(&orbit.goal()).map_err(|error| BuildError(error.0))?;
    let plane = space.plane() as usize;
    let rotations = Rotations::new(&space);
    let mut distances = vec![UNREACHED; space.boards() as usize];

    // The boards of the level, as ranks, plane by plane.
    let mut level = vec![Vec::<u32>::new(); orbit.shape().cells()];
    let goal = space.locate(space.goal()).expect("a goal reaches itself");
    level[goal.place].push(goal.rank as u32);
    distances[space.index_of(goal).get() as usize] = 0;

    for depth in 1..UNREACHED {
        let mut next = vec![Vec::new(); level.len()];
        for (place, ranks) in level.iter().enumerate() {
            for step in space.steps(place) {
                let to = usize::from(step.to);
                let target = &mut distances[to * plane..][..plane];
                let found = &mut next[to];
                let mut reach = |rank: u32| {
                    let distance = &mut target[rank as usize];
                    if *distance == UNREACHED {
                        *distance = depth;
                        found.push(rank);
                    }
                };
                match rotations.table(step.rotation) {
                    None => ranks.iter().for_each(|&rank| reach(rank)),
                    Some(table) => ranks.iter().for_each(|&rank| reach(table[rank as usize])),
                }
            }
        }
        if next.iter().all(Vec::is_empty) {
            break;
        }
        level = next;
    }
    Ok(distances)
}

/// For every window of a space, the rank of each arrangement after the window is rotated.
struct Rotations(Vec<(Rotation, Vec<u32>)>);

impl Rotations {
    fn new(space: &Space) -> Self {
        let arrangements: Vec<_> = (0..space.plane()).map(|rank| space.unrank(rank)).collect();
        let mut tables = Vec::new();
        for window in windows(space) {
            let rotation = Rotation::LastToFront(window);
            let forth: Vec<u32> = arrangements
                .iter()
                .map(|tiles| space.rank(tiles.rotated(rotation)) as u32)
                .collect();
            let mut back = vec![0; forth.len()];
            for (rank, &rotated) in (0..).zip(&forth) {
                back[rotated as usize] = rank;
            }
            tables.push((rotation, forth));
            tables.push((Rotation::FrontToLast(window), back));
        }
        Self(tables)
    }

    /// The table of a rotation, if it changes anything.
    fn table(&self, rotation: Rotation) -> Option<&[u32]> {
        if rotation == Rotation::None {
            return None;
        }
        let table = self.0.iter().find(|(of, _)| *of == rotation);
        Some(&table.expect("every window has its tables").1)
    }
}

/// The windows of the moves down the snake, each once.
fn windows(space: &Space) -> impl Iterator<Item = Window> {
    let places = 0..space.goal().shape().cells();
    places.flat_map(|place| space.steps(place)).filter_map(|step| match step.rotation {
        Rotation::LastToFront(window) => Some(window),
        _ => None,
    })
}
