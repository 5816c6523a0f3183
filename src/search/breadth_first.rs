//! Breadth-first search: the boards nearest to the start first.

use crate::{
    puzzle::board::Board,
    search::{
        successors::Successors,
        tally::{Found, Tally, Watch},
        tree::{ROOT, Tree},
    },
};

/// Expands boards in the order in which they are met, which is the order of their numbers in the tree.
pub(super) fn search(start: &Board, goal: &Board, tally: &mut Tally<impl Watch>) -> Found {
    let mut tree = Tree::new(start);
    tally.meet();
    let mut id = ROOT;
    while let Some(node) = tree.close(id) {
        tally.at_least(node.g);
        tally.expand(tree.board(id), node.step, node.g.into(), node.g, 0)?;
        if tree.board(id) == goal {
            return Ok(Some(tree.path(goal)));
        }
        let mut successors = Successors::of(tree.board(id), node.step);
        while let Some((step, next)) = successors.next() {
            tally.generate();
            if let (_, None) = tree.meet(next, node.then(step)) {
                tally.meet();
            }
        }
        id += 1;
    }
    Ok(None)
}
