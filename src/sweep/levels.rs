//! The levels of a breadth-first search: one after another, until nothing new is found.

use std::{io, ops::ControlFlow};

use crate::index::space::Index;

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Advance {
    /// The distance of the boards of the last level.
    pub depth: u32,
    /// The number of boards of the last level.
    pub boards: u64,
    /// The number of boards that have been found so far.
    pub found: u64,
    /// The number of all boards that the search will find.
    pub all: u64,
}

/// Why a search ended early.
#[derive(Debug)]
pub(crate) enum Break {
    /// Out of memory.
    Memory(io::Error),
    /// The watcher has stopped the search.
    Stopped,
    /// The bit of a board is not the recorded one. It is the first such board of its level.
    Denied { index: Index, depth: u32 },
}

/// Finds level after level from depth 0 on, and returns the number of boards at each distance.
///
/// `find` finds the level of a depth, and returns its number of boards; `all` is the sum over all levels.
pub(super) fn levels(
    all: u64,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
    mut find: impl FnMut(u8) -> Result<u64, Break>,
) -> Result<Vec<u64>, Break> {
    let (mut histogram, mut found) = (vec![], 0);
    for depth in 0..u8::MAX {
        let boards = find(depth)?;
        if boards == 0 {
            break;
        }
        histogram.push(boards);
        found += boards;
        if watch(Advance { depth: depth.into(), boards, found, all }).is_break() {
            return Err(Break::Stopped);
        }
    }
    Ok(histogram)
}
