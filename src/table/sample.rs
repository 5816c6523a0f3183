//! Boards drawn at random: the same seed gives the same boards in every version.

use std::{
    collections::{HashMap, HashSet},
    ops::RangeBounds,
};

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::{
    index::space::Space,
    puzzle::board::Board,
    table::oracle::{Oracle, OracleError},
};

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

impl Space {
    /// Draws `count` different boards, uniformly from all that can reach the goal, in random order. The same as
    /// [`Oracle::sample`] draws of any distance.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` boards.
    pub fn sample(&self, count: u64, seed: u64) -> Result<Vec<Board>, SampleError> {
        let drawn = draw(&mut Random::new(seed), enough(count, self.boards())?, count);
        let indices = drawn.into_iter().filter_map(|number| self.nth(number));
        Ok(indices.map(|index| self.board(index)).collect())
    }
}

impl Oracle {
    /// Draws `count` different boards, uniformly from all solvable ones whose distance is in a range,
    /// each with its distance, in random order.
    ///
    /// Of all boards it takes as long as there are boards to draw, of those in a range as long as there are boards.
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
        let histogram = &self.table().header().histogram;
        let levels = || (0..).zip(histogram).filter(|(depth, _)| depths.contains(depth));
        if levels().count() == histogram.len() {
            let boards = self.space().sample(count, seed)?.into_iter();
            let known = |board: Board| {
                Ok((board.clone(), self.distance(&board)?.expect("what has a number is solvable")))
            };
            return boards.map(known).collect();
        }
        let there = enough(count, levels().map(|(_, boards)| boards).sum())?;
        let drawn = draw(&mut Random::new(seed), there, count);
        // In the order of the index, and back into that in which they were drawn.
        let mut order: Vec<_> = (0..drawn.len()).collect();
        order.sort_unstable_by_key(|&at| drawn[at]);
        let mut boards = self.boards(depths);
        let mut passed = 0;
        let mut found = Vec::with_capacity(drawn.len());
        for at in order {
            let board = boards.nth((drawn[at] - passed) as usize);
            passed = drawn[at] + 1;
            found.push((
                at,
                board.ok_or(SampleError::TooFew { wanted: count, there: passed - 1 })??,
            ));
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, board)| board).collect())
    }

    /// Draws `count` different boards, as many from each distance in a range as from any other that still has
    /// some; uniformly from those of a distance. Each comes with its distance, in index order.
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
        let mut random = Random::new(seed);
        let boards = |depth: u32| self.table().header().histogram[depth as usize];
        let radius = self.table().header().radius();
        let levels: Vec<_> = (0..=radius).filter(|depth| depths.contains(depth)).collect();
        let mut left = count.min(enough(count, levels.iter().map(|&depth| boards(depth)).sum())?);

        // First the same number from each that has so many, as often as that goes; then one from some of them.
        let mut quotas = vec![0; radius as usize + 1];
        while left > 0 {
            let has_more = |depth: &&u32| quotas[**depth as usize] < boards(**depth);
            let open: Vec<_> = levels.iter().filter(has_more).copied().collect();
            let room = |&depth: &u32| boards(depth) - quotas[depth as usize];
            let each = open.iter().map(room).min().unwrap_or(0).min(left / open.len() as u64);
            let some = if each == 0 { left } else { open.len() as u64 };
            for at in draw(&mut random, open.len() as u64, some) {
                quotas[open[at as usize] as usize] += each.max(1);
            }
            left -= some * each.max(1);
        }

        let mut drawn: Vec<HashSet<_>> = (0..=radius)
            .map(|depth| draw(&mut random, boards(depth), quotas[depth as usize]))
            .map(|numbers| numbers.into_iter().collect())
            .collect();
        let mut passed = vec![0; drawn.len()];
        let mut found = Vec::new();
        for board in self.boards(depths) {
            let (board, depth) = board?;
            let number = &mut passed[depth as usize];
            if drawn[depth as usize].remove(&*number) {
                found.push((board, depth));
            }
            *number += 1;
        }
        Ok(found)
    }
}

/// How many boards there are, if these are enough.
fn enough(wanted: u64, there: u64) -> Result<u64, SampleError> {
    if wanted > there { Err(SampleError::TooFew { wanted, there }) } else { Ok(there) }
}

/// Draws `count` different numbers below `all`: the start of Fisher and Yates' shuffle of all of them, of which only
/// those are written down that have changed places.
fn draw(random: &mut Random, all: u64, count: u64) -> Vec<u64> {
    let mut moved = HashMap::new();
    let mut drawn = Vec::new();
    for here in 0..count {
        let there = here + random.below(all - here);
        let mine = moved.remove(&here).unwrap_or(here);
        drawn.push(if there == here { mine } else { moved.insert(there, mine).unwrap_or(there) });
    }
    drawn
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
