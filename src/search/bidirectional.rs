//! Bidirectional breadth-first search: from the start and from the goal, until the two meet.

use crate::{
    puzzle::{board::Board, moves::Move},
    search::{
        successors::Successors,
        tally::{Found, Tally, Watch},
        tree::{ROOT, Tree},
    },
};

/// One of the two searches.
struct Side {
    tree: Tree,
    /// The number of the first board of the last level. All boards met after it are of this level.
    level: u32,
    depth: u32,
}

impl Side {
    fn new(root: &Board) -> Self {
        Self { tree: Tree::new(root), level: ROOT, depth: 0 }
    }

    /// The number of boards of the last level.
    fn width(&self) -> u32 {
        self.tree.len() - self.level
    }
}

/// Expands a whole level at a time, on the side whose last level is smaller.
///
/// So the first solution found is optimal: until the sides meet, each solution is longer than the sum of their depths,
/// and when one side meets a board of the other, the solution is one move longer than that sum.
pub(super) fn search(start: &Board, goal: &Board, tally: &mut Tally<impl Watch>) -> Found {
    if start == goal {
        return Ok(Some(vec![]));
    }
    let (mut forth, mut back) = (Side::new(start), Side::new(goal));
    tally.meet();
    tally.meet();
    while forth.width() > 0 && back.width() > 0 {
        tally.at_least(forth.depth + back.depth + 1);
        let is_forth = forth.width() <= back.width();
        let (side, other) = if is_forth { (&mut forth, &back) } else { (&mut back, &forth) };
        let level = side.level..side.tree.len();
        side.level = level.end;
        side.depth += 1;
        for id in level {
            let Some(node) = side.tree.close(id) else { continue };
            tally.expand(side.tree.board(id), node.step, node.g.into(), node.g, 0)?;
            let mut successors = Successors::of(side.tree.board(id), node.step);
            while let Some((step, next)) = successors.next() {
                tally.generate();
                if let (_, Some(_)) = side.tree.meet(next, node.then(step)) {
                    continue;
                }
                tally.meet();
                if other.tree.find(next).is_some() {
                    let mut path = forth.tree.path(next);
                    let from_goal = back.tree.path(next);
                    path.extend(from_goal.into_iter().rev().map(Move::opposite));
                    return Ok(Some(path));
                }
            }
        }
    }
    Ok(None)
}
