//! The lookup: the distance of a board, as it is read from a table in steps.

use crate::table::{LookupError, Table, header::Encoding, walk::Walk};
use crate::{
    index::space::{Index, State},
    system::processor,
};

/// A lookup that has begun: memory is about to bring what the next step needs.
pub(crate) enum Lookup<'a> {
    /// A byte says it.
    Byte(&'a Table, Index),
    /// The way to the goal does.
    Walk(Walk<'a>),
}

impl<'a> Lookup<'a> {
    /// The lookup of a board, by whichever of these the encoding wants.
    #[inline]
    pub(crate) fn begin(
        table: &'a Table,
        index: impl FnOnce() -> Option<Index>,
        state: impl FnOnce() -> Option<State>,
    ) -> Option<Self> {
        Some(match table.header().encoding {
            Encoding::Distance => {
                let index = index()?;
                table.payload_from(index.get() as usize).first().map(processor::prefetch);
                Self::Byte(table, index)
            }
            Encoding::Bit => Self::Walk(Walk::new(table, state()?)),
        })
    }

    /// Does a step; at the end, says what the distance is.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<u32>, LookupError> {
        match self {
            Self::Byte(table, index) => table.entry(*index).map(Some),
            Self::Walk(walk) => walk.advance(),
        }
    }
}
