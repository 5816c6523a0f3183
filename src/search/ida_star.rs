//! IDA*: repeated depth-first search within a bound on f, with a greater bound each time.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial Intelligence 27, 1985.

use crate::{
    puzzle::{board::Board, moves::Move},
    search::{
        heuristic::Heuristic,
        successors::Successors,
        tally::{Found, Stopped, Tally, Watch},
    },
};

/// The length of the longest path. Longer ones could overflow the stack. Only a search for a goal that cannot be
/// reached, among few boards, gets this deep.
const DEEPEST: u32 = 2500;

/// One depth-first search.
struct DepthFirst<'a, H, W> {
    goal: &'a Board,
    heuristic: &'a H,
    tally: &'a mut Tally<W>,
    /// The greatest f that is expanded.
    bound: u32,
    /// The least f beyond the bound that was met.
    next_bound: u32,
    /// The moves from the start to the board that is visited.
    path: Vec<Move>,
}

/// Remembers only the boards on the path from the start, and so may expand a board many times.
pub(super) fn search(
    start: &Board,
    goal: &Board,
    heuristic: &impl Heuristic,
    tally: &mut Tally<impl Watch>,
) -> Found {
    let h = heuristic.estimate(start);
    let mut bound = h;
    // An f of `u32::MAX` means that the goal cannot be reached.
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
    /// Whether there is a solution within the bound through this board. If there is, `path` is that solution.
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
