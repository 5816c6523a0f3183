//! Boards drawn at random: the same seed gives the same boards in every version.

use std::ops::RangeBounds;

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
        let mut boards = self.enough(count, depths)?;
        shuffle(&mut boards, count as usize, seed);
        boards.truncate(count as usize);
        Ok(boards)
    }

    /// Draws `count` different boards as [`sample`](Self::sample) does, but as many from each distance as
    /// from any other that still has some.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` such boards, or the table is wrong.
    pub fn sample_spread(
        &self,
        count: u64,
        depths: impl RangeBounds<u32>,
        seed: u64,
    ) -> Result<Vec<(Board, u32)>, SampleError> {
        let mut boards = self.enough(count, depths)?;
        let all = boards.len();
        shuffle(&mut boards, all, seed);
        // First one of each distance, then a second one of each, and so on.
        let mut drawn = vec![0u64; self.table().header().histogram.len()];
        let mut rounds: Vec<_> = boards
            .into_iter()
            .map(|(board, distance)| {
                let round = &mut drawn[distance as usize];
                *round += 1;
                (*round, (board, distance))
            })
            .collect();
        rounds.sort_by_key(|(round, _)| *round);
        rounds.truncate(count as usize);
        Ok(rounds.into_iter().map(|(_, board)| board).collect())
    }

    /// All boards to draw from, which are `count` at least.
    fn enough(
        &self,
        count: u64,
        depths: impl RangeBounds<u32>,
    ) -> Result<Vec<(Board, u32)>, SampleError> {
        let boards = self.boards(depths).collect::<Result<Vec<_>, _>>()?;
        let there = boards.len() as u64;
        if count > there { Err(SampleError::TooFew { wanted: count, there }) } else { Ok(boards) }
    }
}

/// Brings a random choice of the items to the front, in random order: the start of Fisher and Yates'
/// shuffle.
fn shuffle<T>(items: &mut [T], count: usize, seed: u64) {
    let mut random = Random::new(seed);
    for here in 0..count {
        let left = items.len() - here;
        items.swap(here, here + random.below(left as u64) as usize);
    }
}

/// Random numbers: the key stream of ChaCha8 under the little-endian seed, padded with zeros, as 64-bit
/// words; words at the top that would make the remainder uneven are passed over.
struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        let even = u64::MAX - u64::MAX % bound;
        loop {
            match self.0.next_u64() {
                word if word < even => return word % bound,
                _ => {}
            }
        }
    }
}
