//! The frontier, or open list: the boards that a best-first search has met but not expanded.

use std::collections::{BTreeMap, VecDeque};

/// The open boards, by their numbers in the tree.
///
/// The board with the least f comes first. Of boards with equal f, the one with the least h comes first; of these, the
/// one that was added first. This order is complete, so the counts of a search can be reproduced.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    queues: BTreeMap<Priority, VecDeque<u32>>,
}

/// The order of boards in a frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Priority {
    /// The bits of f. For values that are not negative they have the same order as the values.
    f: u64,
    pub(super) h: u32,
}

impl Priority {
    /// The priority by `f`, which is not negative, then by `h`.
    pub(super) fn new(f: f64, h: u32) -> Self {
        Self { f: f.to_bits(), h }
    }

    pub(super) fn f(self) -> f64 {
        f64::from_bits(self.f)
    }
}

impl Frontier {
    pub(super) fn push(&mut self, priority: Priority, id: u32) {
        self.queues.entry(priority).or_default().push_back(id);
    }

    /// Removes and returns the first board.
    pub(super) fn pop(&mut self) -> Option<(Priority, u32)> {
        let mut first = self.queues.first_entry()?;
        let priority = *first.key();
        let id = first.get_mut().pop_front()?;
        if first.get().is_empty() {
            first.remove();
        }
        Some((priority, id))
    }
}
