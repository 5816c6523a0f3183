//! The walk: the way to the goal, where the table has one bit a board.
//!
//! The blank's place tells whether a distance is odd, and the bit is the next one of it. Together they are the
//! distance modulo four. Neighbours differ by one, so this tells which of them are nearer, and whoever goes
//! on to one of these each time is at the goal after as many moves as the distance says.
//!
//! What takes time is to wait for memory. So it is asked early: the words of a neighbour are on their way while the
//! walk is still where it is. Moves along the snake and among the last five tiles lead to a word close by
//! (see [`Table::place_of`]); those neighbours are looked up first, and the last not at all, since it has to be
//! nearer if no other is.

use crate::index::space::State;
use crate::table::{LookupError, Table, word_of};

/// A walk from a state to the goal, somewhere on its way.
pub(crate) struct Walk<'a> {
    table: &'a Table,
    state: State,
    /// How many moves it is from the start.
    moves: u32,
    /// The distance of the state, modulo four; of the start, it is known when the first move is made.
    residue: u8,
    /// The neighbours, but for the one that the walk has come from. One of them is nearer.
    neighbors: [State; 4],
    count: usize,
}

impl<'a> Walk<'a> {
    /// A walk that begins at a state of any space of the table's orbit.
    #[inline]
    pub(crate) fn new(table: &'a Table, state: State) -> Self {
        table.prefetch_around(state);
        let mut walk = Self { table, state, moves: 0, residue: 0, neighbors: [state; 4], count: 0 };
        walk.look_around(usize::MAX);
        walk
    }

    /// Makes a move, or says at the goal how many there were.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<u32>, LookupError> {
        let Self { table, state, .. } = *self;
        if self.moves == 0 {
            let odd = (state.place + table.home) as u8 % 2;
            self.residue = 2 * u8::from(table.bit(state)?) + odd;
        }
        if state.rank == 0 && state.place == table.home {
            return if self.residue == 0 { Ok(Some(self.moves)) } else { Err(LookupError::Wrong) };
        }
        // In a table that lies, a walk may go anywhere.
        if self.moves >= table.header().radius() {
            return Err(LookupError::Wrong);
        }
        self.residue = (self.residue + 3) % 4;
        let bit = self.residue >= 2;
        let (last, others) = self.neighbors[..self.count].split_last().ok_or(LookupError::Wrong)?;
        self.state = *last;
        for neighbor in others {
            if table.bit(*neighbor)? == bit {
                self.state = *neighbor;
                break;
            }
        }
        self.moves += 1;
        self.look_around(state.place);
        Ok(None)
    }

    /// Finds the neighbours of the state, but for the one with the blank in the place `back`.
    #[inline]
    fn look_around(&mut self, back: usize) {
        let Self { table, state, .. } = *self;
        let onward = table.steps[state.place].iter().filter(|step| usize::from(step.to) != back);
        self.count = 0;
        for (step, neighbor) in onward.zip(&mut self.neighbors) {
            *neighbor = table.space.after(state, step);
            if word_of(*neighbor) != word_of(state) {
                table.prefetch_around(*neighbor);
            }
            self.count += 1;
        }
    }
}
