//! Best-first search: A*, uniform-cost, weighted A* and greedy search, which differ in the weights of g and h.

use crate::{
    puzzle::board::Board,
    search::{
        frontier::{Frontier, Priority},
        heuristic::Heuristic,
        successors::Successors,
        tally::{Found, Tally, Watch},
        tree::{ROOT, Tree},
    },
};

/// The weights of g and h in f.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    g: f64,
    h: f64,
}

impl Weights {
    pub(super) const GREEDY: Self = Self { g: 0.0, h: 1.0 };
    pub(super) const A_STAR: Self = Self { g: 1.0, h: 1.0 };

    /// The weights of weighted A*. A negative weight counts as 0, because values of f must not be negative.
    pub(super) fn weighted(weight: f64) -> Self {
        Self { g: 1.0, h: weight.max(0.0) }
    }

    fn priority(self, g: u32, h: u32) -> Priority {
        Priority::new(self.g * f64::from(g) + self.h * f64::from(h), h)
    }

    /// The number of moves that a solution has at least, if no open board has a lesser f. One of the open boards lies
    /// on an optimal solution; its g is exact, and its h is at most the number of moves that are left.
    fn at_least(self, f: f64) -> u32 {
        const ROUNDING: f64 = 1e-9;
        (self.g * f / self.h.max(1.0) - ROUNDING).ceil() as u32
    }
}

/// Always expands the board with the least f.
///
/// A board is closed when it is *expanded*, not when it is met, because a shorter path to it may be found until then.
/// With weights or an inconsistent heuristic a shorter path may be found even later; then the board is re-opened. For
/// the same reason the search ends when the goal is expanded, not when it is met.
pub(super) fn search(
    start: &Board,
    goal: &Board,
    heuristic: &impl Heuristic,
    weights: Weights,
    tally: &mut Tally<impl Watch>,
) -> Found {
    let h = heuristic.estimate(start);
    tally.at_least(h);
    let mut tree = Tree::new(start);
    tally.meet();
    let mut open = Frontier::default();
    open.push(weights.priority(0, h), ROOT);
    while let Some((priority, id)) = open.pop() {
        let (f, h) = (priority.f(), priority.h);
        let Some(node) = tree.close(id) else {
            continue; // It was expanded already, by a shorter path that was found later.
        };
        tally.at_least(weights.at_least(f));
        tally.expand(tree.board(id), node.step, f, node.g, h)?;
        if tree.board(id) == goal {
            return Ok(Some(tree.path(goal)));
        }
        let mut successors = Successors::of(tree.board(id), node.step);
        while let Some((step, next)) = successors.next() {
            tally.generate();
            let new = node.then(step);
            let (id, known) = tree.meet(next, new);
            match known {
                None => tally.meet(),
                Some(known) if weights.g == 0.0 || known.g <= new.g => continue,
                Some(known) => {
                    if !known.is_open {
                        tally.reopen();
                    }
                    *known = new;
                }
            }
            let h = heuristic.estimate_after(h, step, next);
            open.push(weights.priority(new.g, h), id);
        }
    }
    Ok(None)
}
