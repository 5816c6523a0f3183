//! The lookup: reads a board's distance in steps, so that many lookups can take turns.

use crate::{
    index::space::{Index, State},
    table::{entries::Entries, error::LookupError, walk::Walk},
};

/// A lookup that has begun. The bytes that its next step reads are prefetched.
pub(super) enum Lookup<'a> {
    /// A lookup in a table with one byte per board.
    Byte(&'a Entries, Index),
    /// A lookup in a table with one bit per board.
    Walk(Walk<'a>),
}

impl<'a> Lookup<'a> {
    /// Begins a lookup in a table with one byte per board.
    #[inline]
    pub(super) fn of_byte(entries: &'a Entries, index: Index) -> Self {
        entries.prefetch(index);
        Self::Byte(entries, index)
    }

    /// Begins a lookup in a table with one bit per board.
    #[inline]
    pub(super) fn of_bit(entries: &'a Entries, state: State) -> Self {
        Self::Walk(Walk::new(entries, state))
    }

    /// Does a step. The last step returns the distance.
    #[inline]
    fn advance(&mut self) -> Result<Option<u32>, LookupError> {
        match self {
            Self::Byte(entries, index) => entries.entry(*index).map(Some),
            Self::Walk(walk) => walk.advance(),
        }
    }
}

/// Does many lookups in turn: while one lookup waits for memory, the others continue. `done` receives the number of
/// each lookup with its result, in any order.
pub(super) fn interleave<'a>(
    mut lookups: impl Iterator<Item = (usize, Lookup<'a>)>,
    mut done: impl FnMut(usize, Result<u32, LookupError>),
) {
    /// The number of lookups in progress. More would not help, because memory serves only some loads at a time.
    const ABREAST: usize = 16;
    let mut underway = Vec::with_capacity(ABREAST);
    loop {
        underway.extend(lookups.by_ref().take(ABREAST - underway.len()));
        if underway.is_empty() {
            return;
        }
        let mut at = 0;
        while let Some((number, lookup)) = underway.get_mut(at) {
            match lookup.advance().transpose() {
                None => at += 1,
                Some(result) => {
                    done(*number, result);
                    underway.swap_remove(at);
                }
            }
        }
    }
}
