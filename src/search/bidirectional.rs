//! Bidirectional breadth-first search: from the start and from the goal, until the two meet.

use crate::puzzle::{board::Board, moves::Move};
use crate::search::{
    Found,
    successors::Successors,
    tally::{Tally, Watch},
    tree::{ROOT, Tree},
};

/// One of the two searches.
struct Side {
    tree: Tree,
    /// The first board of the last level; all that were met after it belong to that level.
    level: u32,
    depth: u32,
}

impl Side {
    fn new(root: &Board) -> Self {
        Self { tree: Tree::new(root), level: ROOT, depth: 0 }
    }

    /// How many boards the last level has.
    fn width(&self) -> u32 {
        self.tree.len() - self.level
    }
}

/// Expands a whole level at a time, of the side where it is the smaller one.
///
/// That makes the first meeting the best. As long as the sides have not met, a solution is longer than the sum of their
/// depths; and where one of them meets a board of the other, it is one move longer.
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
