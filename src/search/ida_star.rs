//! IDA*: depth-first search within a bound on f, again and again, with a greater bound each time.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial Intelligence 27, 1985.

use crate::search::{
    Found,
    successors::Successors,
    tally::{Stopped, Tally, Watch},
};
use crate::{
    puzzle::{board::Board, moves::Move},
    search::heuristic::Heuristic,
};

/// The deepest way: deeper ones could use up the stack. No search gets there but one of few boards without a solution.
const DEEPEST: u32 = 2500;

/// One depth-first search.
struct DepthFirst<'a, H, W> {
    goal: &'a Board,
    heuristic: &'a H,
    tally: &'a mut Tally<W>,
    /// The greatest f that is expanded.
    bound: u32,
    /// The least f beyond it that was met.
    next_bound: u32,
    /// The moves to the board that is visited.
    path: Vec<Move>,
}

/// Remembers no board but those on the way from the start, and so may expand one many times.
pub(super) fn search(
    start: &Board,
    goal: &Board,
    heuristic: &impl Heuristic,
    tally: &mut Tally<impl Watch>,
) -> Found {
    let h = heuristic.estimate(start);
    let mut bound = h;
    // Beyond the greatest bound there are only boards that cannot reach the goal.
    while bound < u32::MAX {
        tally.at_least(bound);
        let (next_bound, path) = (u32::MAX, vec![]);
        let mut search = DepthFirst { goal, heuristic, tally, bound, next_bound, path };
        if search.visit(start, h)? {
            return Ok(Some(search.path));
        }
        bound = search.next_bound;
    }
    Ok(None)
}

impl<H: Heuristic, W: Watch> DepthFirst<'_, H, W> {
    /// Whether there is a solution within the bound by way of this board. If so, `path` is one.
    fn visit(&mut self, board: &Board, h: u32) -> Result<bool, Stopped> {
        let g = self.path.len() as u32;
        let f = g.saturating_add(h);
        if f > self.bound {
            self.next_bound = self.next_bound.min(f);
            return Ok(false);
        }
        if g > DEEPEST {
            return Err(Stopped);
        }
        let step = self.path.last().copied();
        self.tally.hold(g + 1);
        self.tally.expand(board, step, f.into(), g, h)?;
        if board == self.goal {
            return Ok(true);
        }
        let mut successors = Successors::of(board, step);
        while let Some((step, next)) = successors.next() {
            self.tally.generate();
            self.path.push(step);
            if self.visit(next, self.heuristic.estimate_after(h, step, next))? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }
}
