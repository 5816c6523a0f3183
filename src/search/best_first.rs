//! Best-first search: A*, uniform-cost, weighted A* and greedy search, by what g and h weigh.

use crate::search::{
    Found,
    frontier::{Frontier, Priority},
    successors::Successors,
    tally::{Tally, Watch},
    tree::{ROOT, Tree},
};
use crate::{puzzle::board::Board, search::heuristic::Heuristic};

/// What g and h weigh in f.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    g: f64,
    h: f64,
}

impl Weights {
    pub(super) const GREEDY: Self = Self { g: 0.0, h: 1.0 };
    pub(super) const A_STAR: Self = Self { g: 1.0, h: 1.0 };

    /// A* with h weighted. Negative values of f could not be ordered.
    pub(super) fn weighted(weight: f64) -> Self {
        Self { g: 1.0, h: weight.max(0.0) }
    }

    fn priority(self, g: u32, h: u32) -> Priority {
        Priority::new(self.g * f64::from(g) + self.h * f64::from(h), h)
    }

    /// How many moves a solution has at least, if no board that waits has a lesser f: one of these lies on
    /// an optimal solution, with its g exact and its h at most the rest.
    fn at_least(self, f: f64) -> u32 {
        const ROUNDING: f64 = 1e-9;
        (self.g * f / self.h.max(1.0) - ROUNDING).ceil() as u32
    }
}

/// Always expands the board with the least f.
///
/// A board is closed when it is *expanded*, not when it is met: until then a better way to it may still turn up. With
/// weights or an inconsistent heuristic one may turn up even later; then the board is re-opened. And the goal counts
/// when it is expanded, for the same reason.
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
            continue; // It was expanded already, by a better way that turned up after this one.
        };
        tally.at_least(weights.at_least(f));
        tally.expand(tree.board(id), node.step, f, node.g, h)?;
        if tree.board(id) == goal {
            return Ok(Some(tree.path(goal)));
        }
        let mut successors = Successors::of(tree.board(id), node.step);
        while let Some((step, next)) = successors.next() {
            tally.generate();
            let way = node.then(step);
            let (id, known) = tree.meet(next, way);
            match known {
                None => tally.meet(),
                Some(known) if weights.g == 0.0 || known.g <= way.g => continue,
                Some(known) => {
                    if !known.is_open {
                        tally.reopen();
                    }
                    *known = way;
                }
            }
            let h = heuristic.estimate_after(h, step, next);
            open.push(weights.priority(way.g, h), id);
        }
    }
    Ok(None)
}
