//! Samples: which boards of a table are drawn at random, by their numbers within each distance.

use std::collections::HashSet;

use crate::system::random::Random;

/// The number of boards to draw at each distance: the same from each of `depths` as far as it has enough boards.
/// `histogram` counts the boards at each distance; those at `depths` are at least `count` together.
fn quotas(random: &mut Random, histogram: &[u64], depths: &[usize], count: u64) -> Vec<u64> {
    let mut quotas = vec![0; histogram.len()];
    let mut left = count;
    // First the same number from each distance that has enough boards, as often as possible; then one from some.
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

/// Boards that are drawn evenly from some distances, to be picked out of all boards in index order.
pub(super) struct Spread {
    /// For each distance: the numbers of the drawn boards among those at that distance.
    drawn: Vec<HashSet<u64>>,
    /// For each distance: the number of boards that were seen.
    seen: Vec<u64>,
}

impl Spread {
    /// Draws `count` boards. `histogram` counts the boards at each distance; those at `depths` are at least `count`
    /// together.
    pub(super) fn draw(seed: u64, histogram: &[u64], depths: &[usize], count: u64) -> Self {
        let mut random = Random::new(seed);
        let quotas = quotas(&mut random, histogram, depths, count);
        let levels = histogram.iter().zip(quotas);
        let drawn = levels.map(|(boards, quota)| random.draw(*boards, quota).into_iter().collect());
        Self { drawn: drawn.collect(), seen: vec![0; histogram.len()] }
    }

    /// Whether the next board is drawn, which has this distance.
    pub(super) fn takes(&mut self, distance: u32) -> bool {
        let (drawn, seen) = (&mut self.drawn[distance as usize], &mut self.seen[distance as usize]);
        *seen += 1;
        drawn.remove(&(*seen - 1))
    }
}
