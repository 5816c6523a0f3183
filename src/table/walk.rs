//! The walk: the way to the goal, where the table has one bit a board.
//!
//! The blank's place tells whether a distance is odd, and the bit is the next one of it. Together they are the
//! distance modulo four. Neighbours differ by one, so this tells which of them are nearer, and whoever goes
//! on to one of these each time is at the goal after as many moves as the distance says.

use super::{LookupError, Table};
use crate::space::State;

/// A walk from a state to the goal, somewhere on its way.
#[derive(Clone)]
pub(crate) struct Walk<'a> {
    table: &'a Table,
    state: State,
    /// How many moves it is from the start.
    moves: u32,
    /// The distance of the state, modulo four.
    residue: u8,
    /// The neighbours, but for the one that the walk has come from. One of them is nearer.
    neighbors: [State; 4],
    count: usize,
}

impl<'a> Walk<'a> {
    /// A walk that begins at a state of any space of the table's orbit.
    #[inline]
    pub(crate) fn new(table: &'a Table, state: State) -> Result<Self, LookupError> {
        let odd = (state.place + table.home) as u8 % 2;
        let residue = 2 * u8::from(table.bit(state)?) + odd;
        let mut walk = Self { table, state, moves: 0, residue, neighbors: [state; 4], count: 0 };
        walk.look_around(None);
        Ok(walk)
    }

    /// Goes all the way, and says how many moves it is from the start.
    pub(crate) fn finish(mut self) -> Result<u32, LookupError> {
        loop {
            if let Some(moves) = self.advance()? {
                return Ok(moves);
            }
        }
    }

    /// Makes a move, or says at the goal how many there were.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<u32>, LookupError> {
        if self.state.place == self.table.home && self.state.rank == 0 {
            return if self.residue == 0 { Ok(Some(self.moves)) } else { Err(LookupError::Wrong) };
        }
        // In a table that lies, a walk may go anywhere.
        if self.moves >= self.table.header.radius() {
            return Err(LookupError::Wrong);
        }
        self.residue = (self.residue + 3) % 4;
        let mut nearer = 0;
        // The last is not looked up: if no other is nearer, it is.
        while nearer + 1 < self.count
            && self.table.bit(self.neighbors[nearer])? != (self.residue >= 2)
        {
            nearer += 1;
        }
        let from = std::mem::replace(&mut self.state, self.neighbors[nearer]);
        self.moves += 1;
        self.look_around(Some(from.place));
        Ok(None)
    }

    /// Finds the neighbours of the state.
    #[inline]
    fn look_around(&mut self, back: Option<usize>) {
        self.count = 0;
        for step in self.table.space.steps(self.state.place) {
            if Some(usize::from(step.to)) != back {
                self.neighbors[self.count] = self.table.space.after(self.state, step);
                self.count += 1;
            }
        }
    }
}
