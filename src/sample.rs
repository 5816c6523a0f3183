//! Boards drawn at random: the same seed gives the same boards in every version.

use std::{collections::HashMap, ops::RangeBounds};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::{Board, Oracle, OracleError};

/// Why boards cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There are fewer boards than were asked for.
    #[error("{wanted} boards were asked for; there are {there}")]
    TooFew {
        /// How many boards were asked for.
        wanted: u64,
        /// How many there are.
        there: u64,
    },
    /// The table is wrong.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl Oracle {
    /// Draws `count` different boards, uniformly from all solvable ones whose distance is in a range,
    /// each with its distance.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` such boards, or the table is wrong.
    pub fn sample(
        &self,
        count: u64,
        depths: impl RangeBounds<u32>,
        seed: u64,
    ) -> Result<Vec<(Board, u32)>, SampleError> {
        let candidates = self.boards(depths).collect::<Result<Vec<_>, _>>()?;
        let there = candidates.len() as u64;
        if count > there {
            return Err(SampleError::TooFew { wanted: count, there });
        }
        Ok(Draw::new(there, seed)
            .take(count as usize)
            .map(|n| candidates[n as usize].clone())
            .collect())
    }
}

/// The numbers below `len` in random order, each once: Fisher and Yates' shuffle, of which only the
/// places that were exchanged are kept.
///
/// The random numbers are the key stream of ChaCha8 under the little-endian seed, padded with zeros,
/// as 64-bit words; words at the top that would make the remainder uneven are passed over.
struct Draw {
    rng: ChaCha8Rng,
    drawn: u64,
    len: u64,
    exchanged: HashMap<u64, u64>,
}

impl Draw {
    fn new(len: u64, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { rng: ChaCha8Rng::from_seed(key), drawn: 0, len, exchanged: HashMap::new() }
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        let even = u64::MAX - u64::MAX % bound;
        loop {
            match self.rng.next_u64() {
                word if word < even => return word % bound,
                _ => {}
            }
        }
    }
}

impl Iterator for Draw {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let left = self.len.checked_sub(self.drawn).filter(|&left| left > 0)?;
        let here = self.drawn;
        let there = here + self.below(left);
        self.drawn += 1;
        let at_here = self.exchanged.remove(&here).unwrap_or(here);
        if here == there {
            return Some(at_here);
        }
        Some(self.exchanged.insert(there, at_here).unwrap_or(there))
    }
}
