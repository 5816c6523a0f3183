//! The frontier, or open list: the boards that a best-first search has met and not expanded.

use std::collections::{BTreeMap, VecDeque};

/// Boards that wait to be expanded, by their numbers in the tree.
///
/// The least f comes first; of equal f the least h, which seems nearest to the goal; of equal h the board that
/// came first. That leaves no choice, so counts can be reproduced.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    queues: BTreeMap<Priority, VecDeque<u32>>,
}

/// Where a board stands in a frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Priority {
    /// The bits of f, which are ordered as f is, for that is not negative.
    f: u64,
    pub(super) h: u32,
}

impl Priority {
    /// `f` is 0 or positive.
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

    /// Takes the first.
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
