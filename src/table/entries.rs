//! The entries: the byte or the bit of each board, read from a table file.

use crate::{
    index::{
        arrangement::Rotation,
        space::{Index, Space, State, Step},
        word::{self, BOARDS},
    },
    system::processor,
    table::{
        encoding::Encoding, error::LookupError, file::TableFile, header::Header, seals::Damage,
    },
};

/// A full table's file, with the index that finds a board's entry in it.
pub(super) struct Entries {
    file: TableFile,
    /// The boards of the table's own goal.
    space: Space,
    /// The blank's place at the goal.
    home: usize,
    /// The moves of a blank in each place. Moves that keep the number of the state's word come first.
    steps: Vec<Vec<Step>>,
    radius: u32,
}

impl Entries {
    /// The entries of a full table.
    pub(super) fn new(file: TableFile) -> Self {
        let Header { orbit, .. } = *file.header();
        let space = Space::new(&orbit.goal()).expect("the shape of a table has an index");
        let (home, planes) = (space.home(), orbit.shape().cells());
        let border = word::border(planes - 1);
        let leaves_word = |step: &Step| match step.rotation {
            Rotation::None => false,
            Rotation::LastToFront(window) | Rotation::FrontToLast(window) => {
                usize::from(window.start) < border
            }
        };
        let mut steps: Vec<_> = (0..planes).map(|place| space.steps(place).to_vec()).collect();
        steps.iter_mut().for_each(|steps| steps.sort_by_key(leaves_word));
        let radius = file.header().radius();
        Self { file, space, home, steps, radius }
    }

    #[inline]
    pub(super) fn file(&self) -> &TableFile {
        &self.file
    }

    #[inline]
    pub(super) fn header(&self) -> &Header {
        self.file.header()
    }

    /// The boards of the table's own goal.
    #[inline]
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// The greatest distance.
    #[inline]
    pub(super) fn radius(&self) -> u32 {
        self.radius
    }

    /// The moves of a blank in a place. Moves that keep the number of the state's word come first.
    #[inline]
    pub(super) fn steps(&self, place: usize) -> &[Step] {
        &self.steps[place]
    }

    /// Whether a state is the goal.
    #[inline]
    pub(super) fn is_goal(&self, state: State) -> bool {
        state.rank == 0 && state.place == self.home
    }

    /// Whether a state is an odd number of moves away from the goal.
    #[inline]
    pub(super) fn is_odd(&self, state: State) -> bool {
        (state.place + self.home) % 2 == 1
    }

    /// The distance of a board, in a table with one byte per board.
    #[inline]
    pub(super) fn entry(&self, index: Index) -> Result<u32, LookupError> {
        let entry = u32::from(self.file.byte(index.get() as usize)?);
        if entry <= self.radius { Ok(entry) } else { Err(LookupError::Wrong) }
    }

    /// The bit of a state, in a table with one bit per board.
    #[inline(always)]
    pub(super) fn bit(&self, state: State) -> Result<bool, Damage> {
        let (at, bit) = self.place_of(state);
        Ok(self.file.byte(at)? >> bit & 1 == 1)
    }

    /// Whether a state has the distance `left`. The state must be a neighbour of one with the distance `left + 1`, so
    /// the only other possible distance is `left + 2`.
    pub(super) fn is_nearer(&self, state: State, left: u32) -> Result<bool, LookupError> {
        match self.header().encoding {
            Encoding::Distance => Ok(self.entry(self.space.index_of(state))? == left),
            Encoding::Bit => Ok(self.bit(state)? == (left >> 1 & 1 == 1)),
        }
    }

    /// Prefetches the byte of a board.
    #[inline]
    pub(super) fn prefetch(&self, index: Index) {
        self.file.peek(index.get() as usize).map(processor::prefetch);
    }

    /// Prefetches the bits of a state, and of the states whose blank is at most two places away.
    #[inline]
    pub(super) fn prefetch_around(&self, state: State) {
        let at = self.place_of(state).0;
        // A cache line has 64 bytes. So the lines of these two bytes contain all words at most two places away.
        for near in [at.saturating_sub(16), at + 16] {
            self.file.peek(near).map(processor::prefetch);
        }
    }

    /// The place of a state's bit: the byte of the payload, and the number of the bit in that byte. Words with the same
    /// number in different planes are next to each other: on 3x4 in 96 bytes, about two cache lines.
    #[inline(always)]
    fn place_of(&self, state: State) -> (usize, u32) {
        let word = word_of(state) * self.steps.len() as u64 + state.place as u64;
        let bit = state.rank % BOARDS as u64;
        ((8 * word + bit / 8) as usize, (bit % 8) as u32)
    }
}

/// The number of the word that holds a state's bit, among the words of its plane.
#[inline]
pub(super) fn word_of(state: State) -> u64 {
    state.rank / BOARDS as u64
}
