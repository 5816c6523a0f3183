//! The obvious twin of the builder: a queue and a hash map.

use std::collections::{HashMap, VecDeque};

use tilebase::{Board, Move, Shape};

/// The distance to `goal` of every board that can reach it.
#[allow(dead_code, reason = "each test file uses its part")]
pub(crate) fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal.clone()]);
    while let Some(board) = queue.pop_front() {
        for next in Move::ALL.into_iter().filter_map(|step| board.step(step)) {
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distances[&board] + 1);
                queue.push_back(next);
            }
        }
    }
    distances
}

/// Every board of a shape, solvable or not.
#[allow(dead_code, reason = "each test file uses its part")]
pub(crate) fn permutations(shape: Shape) -> Vec<Board> {
    let mut all = vec![vec![]];
    for tile in 0..shape.cells() as u8 {
        let longer = |tiles: Vec<u8>| {
            (0..=tiles.len()).map(move |at| {
                let mut tiles = tiles.clone();
                tiles.insert(at, tile);
                tiles
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.iter().map(|tiles| Board::new(shape, tiles).unwrap()).collect()
}

/// The tiles in order around a blank in the cell `home`.
#[allow(dead_code, reason = "each test file uses its part")]
pub(crate) fn goal(shape: Shape, home: usize) -> Board {
    let mut tiles: Vec<u8> = (1..shape.cells() as u8).collect();
    tiles.insert(home, 0);
    Board::new(shape, &tiles).unwrap()
}
