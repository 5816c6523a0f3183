//! The walker: a depth-first search within a bound, which reads one bit in each view for a move.
//!
//! A move changes the placement of one pattern, and its distance by one, up or down. So the estimate h, the sum of the
//! distances of all patterns, changes by one, and f = g + h changes by two or not at all. A walker keeps the placement
//! of each pattern, with its distance modulo four. The bit of the pattern after the move tells whether its distance
//! went up or down.
//!
//! A board has one or two *views*: as it is, and mirrored. Each view has an estimate of its own. A board is beyond the
//! bound if one of its estimates is.
//!
//! To read a bit of a large database is to wait for memory, which takes longer than all other work for a board. So a
//! walk is cut into parts that end when bits are prefetched, and several walkers take turns.

use std::mem;

use crate::{
    pattern::{
        database::PatternTable,
        placement::{PADDED, PatternBits, Placement},
        transposition::{Key, TranspositionTable},
    },
    puzzle::{moves::Move, shape::Shape},
};

/// A view of a board: as it is, or mirrored.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The place of each cell along the snake.
    pub(super) place_of: [u8; PADDED],
    /// The pattern of each tile.
    pub(super) pattern_of: [u8; PADDED],
}

/// What all walkers of a solver share. They only read it.
pub(super) struct Context<'a, const VIEWS: usize> {
    views: [View; VIEWS],
    patterns: [PatternBits<'a>; PADDED],
    /// For each cell, its neighbors and their number.
    neighbors: [([u8; 4], u8); PADDED],
}

/// A move whose bit is prefetched, in one view.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The placement of the tile's pattern after the move.
    placement: Placement,
    /// The number of the placement's bit.
    bit: u64,
    pattern: u8,
    /// The cell of the tile before the move.
    cell: u8,
    tile: u8,
}

/// A move that stays within the bound, with what it changes.
#[derive(Clone, Copy, Debug)]
struct Successor<const VIEWS: usize> {
    placements: [Placement; VIEWS],
    patterns: [u8; VIEWS],
    /// How far f is below the bound, in each view.
    slack: [i8; VIEWS],
    /// The estimate of the first view.
    h: u8,
    cell: u8,
    tile: u8,
}

/// A board on the path, with its successors that are left to visit; the last one is visited first.
#[derive(Clone, Copy, Debug)]
struct StackFrame<const VIEWS: usize> {
    successors: [Successor<VIEWS>; 4],
    left: u8,
    blank: u8,
    /// The cell of the blank before the last move; of the start, none.
    previous: u8,
    /// What the move from this board has replaced.
    patterns: [u8; VIEWS],
    placements: [Placement; VIEWS],
}

impl Candidate {
    const NONE: Self = Self { placement: Placement::NONE, bit: 0, pattern: 0, cell: 0, tile: 0 };
}

impl<const VIEWS: usize> Successor<VIEWS> {
    const NONE: Self = Self {
        placements: [Placement::NONE; VIEWS],
        patterns: [0; VIEWS],
        slack: [0; VIEWS],
        h: 0,
        cell: 0,
        tile: 0,
    };
}

impl<const VIEWS: usize> StackFrame<VIEWS> {
    const EMPTY: Self = Self {
        successors: [Successor::NONE; 4],
        left: 0,
        blank: 0,
        previous: 0,
        patterns: [0; VIEWS],
        placements: [Placement::NONE; VIEWS],
    };
}

impl<'a, const VIEWS: usize> Context<'a, VIEWS> {
    /// The context of a shape's boards, with the tables of all patterns in order.
    pub(super) fn new(
        views: [View; VIEWS],
        tables: impl Iterator<Item = PatternTable<'a>>,
        shape: Shape,
    ) -> Self {
        let tables: Vec<_> = tables.map(PatternBits::new).collect();
        let mut neighbors = [([0; 4], 0); PADDED];
        for (cell, (cells, count)) in neighbors.iter_mut().enumerate().take(shape.cells()) {
            for to in Move::ALL.into_iter().filter_map(|step| shape.neighbor(cell, step)) {
                cells[usize::from(*count)] = to as u8;
                *count += 1;
            }
        }
        // The entries beyond the last pattern are never read.
        let patterns = std::array::from_fn(|number| tables[number % tables.len()]);
        Self { views, patterns, neighbors }
    }

    #[inline(always)]
    fn pattern(&self, number: u8) -> &PatternBits<'_> {
        &self.patterns[usize::from(number) % PADDED]
    }
}

/// The state of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The walk goes on; bits are prefetched.
    Walking,
    /// The walker is at the goal.
    AtGoal,
    /// The walk is over: no board is left within the bound.
    Exhausted,
}

/// A depth-first search within a bound.
#[derive(Clone, Debug)]
pub(super) struct Walker<const VIEWS: usize> {
    tiles: [u8; PADDED],
    placements: [[Placement; PADDED]; VIEWS],
    key: Key,
    blank: u8,
    /// The cell of the blank before the last move; at the start, none.
    previous: u8,
    /// How far f is below the bound, in each view.
    slack: [i8; VIEWS],
    /// The estimate of the first view.
    h: u8,
    /// The boards on the path, `depth` of them. The frames beyond are not in use.
    stack: Vec<StackFrame<VIEWS>>,
    depth: usize,
    /// The depth at which the walk began.
    base: usize,
    /// The number of views whose bits are read.
    views_read: usize,
    /// The number of candidates.
    count: usize,
    candidates: [[Candidate; 4]; VIEWS],
    /// For each candidate the slack and the estimate in the first view.
    first_view: [(i8, u8); 4],
    /// The number of boards that were expanded.
    pub(super) expanded: u64,
    /// The number of boards that were generated.
    pub(super) generated: u64,
}

impl<const VIEWS: usize> Walker<VIEWS> {
    /// A walker at a board, with the placements of the patterns and the estimates in all views. It has no bound yet.
    pub(super) fn new(
        tiles: [u8; PADDED],
        blank: u8,
        placements: [[Placement; PADDED]; VIEWS],
        estimates: [u8; VIEWS],
    ) -> Self {
        Self {
            tiles,
            placements,
            key: Key::new(&tiles),
            blank,
            previous: u8::MAX,
            slack: [0; VIEWS],
            h: estimates[0],
            stack: vec![],
            depth: 0,
            base: 0,
            views_read: 0,
            count: 0,
            candidates: [[Candidate::NONE; 4]; VIEWS],
            first_view: [(0, 0); 4],
            expanded: 0,
            generated: 0,
        }
    }

    /// The same walker with a bound, which is given by the slack in each view.
    pub(super) fn with_slack(&self, slack: [i8; VIEWS]) -> Self {
        Self { slack, ..self.clone() }
    }

    /// Whether the walker is at the goal.
    #[inline(always)]
    pub(super) fn is_at_goal(&self) -> bool {
        self.h == 0
    }

    /// The cells through which the blank has gone from the start, without the first.
    pub(super) fn route(&self) -> Vec<u8> {
        let blanks = self.stack[..self.depth].iter().map(|frame| frame.blank);
        blanks.chain([self.blank]).skip(1).collect()
    }

    /// Begins to expand the board that the walker is at: prefetches the bits of all moves in the first view.
    #[inline(always)]
    pub(super) fn begin(&mut self, context: &Context<'_, VIEWS>) {
        let (neighbors, count) = context.neighbors[usize::from(self.blank) % PADDED];
        self.expanded += 1;
        (self.views_read, self.count) = (0, 0);
        for cell in neighbors.into_iter().take(count.into()) {
            if cell != self.previous {
                let tile = self.tiles[usize::from(cell) % PADDED];
                self.candidates[0][self.count % 4] = self.candidate(context, 0, cell, tile);
                self.count += 1;
            }
        }
        self.generated += self.count as u64;
    }

    /// The candidate for the move of a tile, with its bit prefetched.
    #[inline(always)]
    fn candidate(
        &self,
        context: &Context<'_, VIEWS>,
        view: usize,
        cell: u8,
        tile: u8,
    ) -> Candidate {
        let View { place_of, pattern_of } = &context.views[view];
        let pattern = pattern_of[usize::from(tile) % PADDED];
        let placement = self.placements[view][usize::from(pattern) % PADDED];
        let place = |cell: u8| u32::from(place_of[usize::from(cell) % PADDED]) % 32;
        let bits = context.pattern(pattern);
        let (placement, bit) = bits.after(placement, place(cell), place(self.blank));
        Candidate { placement, bit, pattern, cell, tile }
    }

    /// Walks on until bits are prefetched again.
    #[inline(always)]
    pub(super) fn resume(
        &mut self,
        context: &Context<'_, VIEWS>,
        table: &mut TranspositionTable,
    ) -> Status {
        if self.views_read == 0 && self.read_first_view(context) {
            return Status::Walking;
        }
        self.push(context);
        loop {
            let frame = &mut self.stack[self.depth - 1];
            if frame.left == 0 {
                self.depth -= 1;
                if self.depth <= self.base {
                    return Status::Exhausted;
                }
                self.go_back();
                continue;
            }
            frame.left -= 1;
            let successor = frame.successors[usize::from(frame.left) % 4];
            self.go(&successor);
            if self.is_at_goal() {
                // The goal has no successors, in case the walk goes on.
                (self.views_read, self.count) = (1, 0);
                return Status::AtGoal;
            }
            if table.meet(self.key, self.depth as u8, self.total_slack()) {
                self.go_back();
                continue;
            }
            self.begin(context);
            return Status::Walking;
        }
    }

    /// Reads the bits of the first view, and prefetches those of the second view, if there is one. Returns whether any
    /// were prefetched.
    #[inline(always)]
    fn read_first_view(&mut self, context: &Context<'_, VIEWS>) -> bool {
        let mut count = 0;
        for number in 0..self.count {
            let candidate = self.candidates[0][number % 4];
            let bits = context.pattern(candidate.pattern);
            let (is_farther, placement) = bits.read(candidate.placement, candidate.bit);
            let slack = self.slack[0] - 2 * i8::from(is_farther);
            let h = if is_farther { self.h.wrapping_add(1) } else { self.h.wrapping_sub(1) };
            // Each candidate is written; the next one overwrites it, if it is beyond the bound. That takes no branch.
            self.candidates[0][count % 4] = Candidate { placement, ..candidate };
            self.first_view[count % 4] = (slack, h);
            count += usize::from(slack >= 0);
        }
        (self.views_read, self.count) = (1, count);
        if VIEWS == 1 {
            return false;
        }
        for number in 0..count {
            let Candidate { cell, tile, .. } = self.candidates[0][number % 4];
            self.candidates[VIEWS - 1][number % 4] = self.candidate(context, VIEWS - 1, cell, tile);
        }
        count > 0
    }

    /// Pushes a frame for the board that the walker is at, with the successors within the bound in ascending order of
    /// their slack.
    #[inline(always)]
    fn push(&mut self, context: &Context<'_, VIEWS>) {
        if self.stack.len() == self.depth {
            self.stack.push(StackFrame::EMPTY);
        }
        let frame = &mut self.stack[self.depth];
        let mut left = 0;
        for number in 0..self.count {
            let Candidate { placement, pattern, cell, tile, .. } = self.candidates[0][number % 4];
            let (slack, h) = self.first_view[number % 4];
            let mut successor = Successor { h, cell, tile, ..Successor::NONE };
            successor.placements[0] = placement;
            (successor.patterns[0], successor.slack[0]) = (pattern, slack);
            if VIEWS > 1 {
                let candidate = &self.candidates[VIEWS - 1][number % 4];
                let bits = context.pattern(candidate.pattern);
                let (is_farther, placement) = bits.read(candidate.placement, candidate.bit);
                let slack = self.slack[VIEWS - 1] - 2 * i8::from(is_farther);
                successor.placements[VIEWS - 1] = placement;
                successor.patterns[VIEWS - 1] = candidate.pattern;
                successor.slack[VIEWS - 1] = slack;
                if slack < 0 {
                    continue;
                }
            }
            let total = |successor: &Successor<VIEWS>| successor.slack.iter().sum::<i8>();
            let mut at = left;
            while at > 0 && total(&frame.successors[(at - 1) % 4]) > total(&successor) {
                frame.successors[at % 4] = frame.successors[(at - 1) % 4];
                at -= 1;
            }
            frame.successors[at % 4] = successor;
            left += 1;
        }
        (frame.left, frame.blank, frame.previous) = (left as u8, self.blank, self.previous);
        self.depth += 1;
    }

    /// Makes a move from the board of the last frame.
    #[inline(always)]
    fn go(&mut self, successor: &Successor<VIEWS>) {
        let frame = &mut self.stack[self.depth - 1];
        for view in 0..VIEWS {
            let pattern = usize::from(successor.patterns[view]) % PADDED;
            let placement = &mut self.placements[view][pattern];
            frame.placements[view] = mem::replace(placement, successor.placements[view]);
        }
        frame.patterns = successor.patterns;
        self.tiles[usize::from(self.blank) % PADDED] = successor.tile;
        self.previous = self.blank;
        (self.blank, self.slack, self.h) = (successor.cell, successor.slack, successor.h);
        self.key = self.key.after(successor.tile, [self.blank, self.previous]);
    }

    /// Undoes the last move, except for slack and estimate, which the next move sets.
    #[inline(always)]
    fn go_back(&mut self) {
        let frame = &self.stack[self.depth - 1];
        for view in 0..VIEWS {
            let pattern = usize::from(frame.patterns[view]) % PADDED;
            self.placements[view][pattern] = frame.placements[view];
        }
        let tile = self.tiles[usize::from(frame.blank) % PADDED];
        self.tiles[usize::from(self.blank) % PADDED] = tile;
        self.key = self.key.after(tile, [self.blank, frame.blank]);
        (self.blank, self.previous) = (frame.blank, frame.previous);
    }

    /// Expands the board that the walker is at. Returns a walker for each successor within the bound, in the order in
    /// which this walker would visit them. `Err` is a walker at the goal.
    pub(super) fn split(mut self, context: &Context<'_, VIEWS>) -> Result<Vec<Self>, Box<Self>> {
        (self.expanded, self.generated) = (0, 0);
        self.read_first_view(context);
        self.push(context);
        self.base += 1;
        let mut walkers = vec![];
        let frame = self.stack[self.depth - 1];
        self.stack[self.depth - 1].left = 0;
        for successor in frame.successors[..frame.left.into()].iter().rev() {
            let mut walker = self.clone();
            walker.go(successor);
            if walker.is_at_goal() {
                return Err(Box::new(walker));
            }
            walkers.push(walker);
        }
        Ok(walkers)
    }

    /// The sum of the slack over all views.
    #[inline(always)]
    fn total_slack(&self) -> u8 {
        self.slack.iter().fold(0, |sum, slack| slack.unsigned_abs().saturating_add(sum))
    }
}
