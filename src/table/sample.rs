//! Samples: boards of a table that are drawn at random, by their numbers within each distance.

use std::collections::HashSet;

use crate::system::random::Random;

/// The number of boards to draw at each distance: the same from each of `depths`, as far as it has enough boards.
/// `histogram` counts the boards at each distance. All of `depths` together have at least `count` boards.
fn quotas(random: &mut Random, histogram: &[u64], depths: &[usize], count: u64) -> Vec<u64> {
    let mut quotas = vec![0; histogram.len()];
    let mut left = count;
    // Each round gives the same number to each distance that has boards left. A last round may give one to some of
    // them.
    while left > 0 {
        let room = |depth: &usize| histogram[*depth] - quotas[*depth];
        let open: Vec<_> = depths.iter().copied().filter(|depth| room(depth) > 0).collect();
        let least = open.iter().map(room).min().unwrap_or(0);
        let each = least.min(left / open.len() as u64);
        let some = if each == 0 { left } else { open.len() as u64 };
        for at in random.draw(open.len() as u64, some) {
            quotas[open[at as usize]] += each.max(1);
        }
        left -= some * each.max(1);
    }
    quotas
}

/// Boards that are drawn evenly from some distances. They are found by a pass over all boards in index order.
pub(super) struct Spread {
    /// For each distance: the numbers of the drawn boards among those at that distance.
    drawn: Vec<HashSet<u64>>,
    /// For each distance: the number of boards that were seen.
    seen: Vec<u64>,
}

impl Spread {
    /// Draws `count` boards. `histogram` counts the boards at each distance. All of `depths` together have at least
    /// `count` boards.
    pub(super) fn draw(seed: u64, histogram: &[u64], depths: &[usize], count: u64) -> Self {
        let mut random = Random::new(seed);
        let quotas = quotas(&mut random, histogram, depths, count);
        let levels = histogram.iter().zip(quotas);
        let drawn = levels.map(|(boards, quota)| random.draw(*boards, quota).into_iter().collect());
        Self { drawn: drawn.collect(), seen: vec![0; histogram.len()] }
    }

    /// Whether the next board of the pass is drawn. `distance` is its distance.
    pub(super) fn takes(&mut self, distance: u32) -> bool {
        let (drawn, seen) = (&mut self.drawn[distance as usize], &mut self.seen[distance as usize]);
        *seen += 1;
        drawn.remove(&(*seen - 1))
    }
}
