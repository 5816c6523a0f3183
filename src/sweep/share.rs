//! The share: the blocks of every plane that one of several processes has.

use std::ops::Range;

use crate::{
    index::space::Space,
    puzzle::orbit::Orbit,
    sweep::{self, link::Link, shard::Shard},
};

/// The blocks of each plane that belong to share `number` of `shards`. The shares are as equal as possible.
pub(crate) fn shard(orbit: Orbit, number: usize, shards: usize) -> Range<usize> {
    let space = Space::new(&orbit.goal()).expect("what is searched has an index");
    let cells = orbit.shape().cells();
    let steps = (0..cells).flat_map(|place| space.steps(place));
    let grain = steps.map(|step| Link::grain(cells - 1, step.rotation)).max().unwrap_or(1);
    let grains = sweep::blocks(orbit) as usize / grain;
    let start = |shard| (grains as u128 * shard as u128 / shards as u128) as usize * grain;
    start(number)..start(number + 1)
}

/// The length in bytes of what a checkpoint keeps of a search with `blocks` blocks in each plane.
pub(crate) fn shard_bytes(orbit: Orbit, blocks: u64) -> u64 {
    orbit.shape().cells() as u64 * blocks * Shard::KEPT_OF_BLOCK as u64
}
