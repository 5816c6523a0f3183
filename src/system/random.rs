//! Random numbers: the same seed gives the same numbers in every version.

use std::collections::HashMap;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Random numbers: the key stream of ChaCha8 as 64-bit words. The key is the little-endian seed, padded with zeros.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, which is not 0. Words at the top, which would make some remainders more frequent than
    /// others, are passed over.
    fn below(&mut self, bound: u64) -> u64 {
        let even = u64::MAX - u64::MAX % bound;
        loop {
            match self.0.next_u64() {
                word if word < even => return word % bound,
                _ => {}
            }
        }
    }

    /// Draws `count` different numbers below `all`. This is the start of Fisher and Yates' shuffle of all numbers. Only
    /// the numbers that have changed places are stored.
    pub(crate) fn draw(&mut self, all: u64, count: u64) -> Vec<u64> {
        let mut moved = HashMap::new();
        let mut drawn = Vec::new();
        for here in 0..count {
            let there = here + self.below(all - here);
            let mine = moved.remove(&here).unwrap_or(here);
            drawn.push(if there == here {
                mine
            } else {
                moved.insert(there, mine).unwrap_or(there)
            });
        }
        drawn
    }
}
