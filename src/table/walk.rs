//! The walk: a path to the goal, in a table with one bit per board.
//!
//! The blank's place shows whether a distance is odd, and the bit is the next bit of the distance. Together they are
//! the distance modulo four. The distances of neighbours differ by one, so this shows which neighbours are nearer. Each
//! step of a walk goes to a nearer neighbour. The number of steps to the goal is the distance.
//!
//! A walk spends most of its time waiting for memory. So it prefetches the words of all neighbours before it needs
//! them. Moves along the snake and among the last five tiles lead to a word close by. Those neighbours are read first.
//! The last neighbour is not read at all: it must be nearer if no other neighbour is.

use crate::{
    index::space::State,
    table::{
        entries::{Entries, word_of},
        error::LookupError,
    },
};

/// A walk that is on its way from a state to the goal.
pub(super) struct Walk<'a> {
    entries: &'a Entries,
    state: State,
    /// The number of moves since the start.
    moves: u32,
    /// The distance of the state, modulo four. It is not known before the first call of `advance`.
    residue: u8,
    /// The neighbours, without the one that the walk came from. At least one of them is nearer.
    neighbors: [State; 4],
    count: usize,
}

impl<'a> Walk<'a> {
    /// A walk that begins at a state of any space of the table's orbit.
    #[inline]
    pub(super) fn new(entries: &'a Entries, state: State) -> Self {
        entries.prefetch_around(state);
        let mut walk =
            Self { entries, state, moves: 0, residue: 0, neighbors: [state; 4], count: 0 };
        walk.look_around(usize::MAX);
        walk
    }

    /// Walks to the goal and returns the number of moves.
    pub(super) fn finish(mut self) -> Result<u32, LookupError> {
        loop {
            if let Some(moves) = self.advance()? {
                return Ok(moves);
            }
        }
    }

    /// Makes a move. At the goal, it makes no move and returns the number of moves.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<Option<u32>, LookupError> {
        let Self { entries, state, .. } = *self;
        if self.moves == 0 {
            self.residue = 2 * u8::from(entries.bit(state)?) + u8::from(entries.is_odd(state));
        }
        if entries.is_goal(state) {
            return if self.residue == 0 { Ok(Some(self.moves)) } else { Err(LookupError::Wrong) };
        }
        // In a table with wrong bits, a walk may never reach the goal.
        if self.moves >= entries.radius() {
            return Err(LookupError::Wrong);
        }
        self.residue = (self.residue + 3) % 4;
        let bit = self.residue >= 2;
        let (last, others) = self.neighbors[..self.count].split_last().ok_or(LookupError::Wrong)?;
        self.state = *last;
        for neighbor in others {
            if entries.bit(*neighbor)? == bit {
                self.state = *neighbor;
                break;
            }
        }
        self.moves += 1;
        self.look_around(state.place);
        Ok(None)
    }

    /// Finds the neighbours of the state, without the one whose blank is in the place `back`.
    #[inline]
    fn look_around(&mut self, back: usize) {
        let Self { entries, state, .. } = *self;
        let onward = entries.steps(state.place).iter().filter(|step| usize::from(step.to) != back);
        self.count = 0;
        for (step, neighbor) in onward.zip(&mut self.neighbors) {
            *neighbor = entries.space().after(state, step);
            if word_of(*neighbor) != word_of(state) {
                entries.prefetch_around(*neighbor);
            }
            self.count += 1;
        }
    }
}
