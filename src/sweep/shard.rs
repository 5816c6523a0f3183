//! The shard: a stretch of blocks of every plane, where several processes search together.
//!
//! A shard sweeps its own blocks as a search of a single process does. The boards that it finds for other shards are
//! sent by [mail](crate::sweep::mail), which is one more source of candidates for their next level.

use std::{io, ops::Range, sync::Arc};

use crate::{
    index::{space::Space, word::BLOCK},
    puzzle::orbit::Orbit,
    sweep::{
        board::{self, Links},
        link::Link,
        mail::{Inbox, Letter, Outbox},
        planes::{Gain, Planes},
        record::Record,
    },
    system::{memory::Memory, threads::Threads},
};

/// One of several shards.
pub(crate) struct Shard {
    links: Arc<Links>,
    /// The blocks of each plane that are here.
    blocks: Range<usize>,
    planes: Planes<BLOCK>,
    outbox: Outbox,
}

/// The blocks of each plane that one of `shards` shards has. Shards are as equal as moves across the border allow.
pub(crate) fn blocks(orbit: Orbit, number: usize, shards: usize) -> Range<usize> {
    let space = Space::new(&orbit.goal()).expect("the shape of a search has an index");
    let cells = orbit.shape().cells();
    let steps = (0..cells).flat_map(|place| space.steps(place));
    let grain = steps.map(|step| Link::grain(cells - 1, step.rotation)).max().unwrap_or(1);
    let grains = board::blocks(orbit) as usize / grain;
    let start = |shard| (grains as u128 * shard as u128 / shards as u128) as usize * grain;
    start(number)..start(number + 1)
}

/// The memory that the largest of `shards` shards takes, in bytes, without the memory for record and mail.
pub(crate) fn memory(orbit: Orbit, shards: usize) -> u64 {
    let blocks = blocks(orbit, shards - 1, shards).len() as u64;
    orbit.shape().cells() as u64 * blocks * Planes::<BLOCK>::BYTES_OF_BLOCK
}

/// The size in bytes of [`Shard::kept`] without the record, for a shard that has `blocks` blocks of each plane.
pub(crate) fn kept_bytes(orbit: Orbit, blocks: u64) -> u64 {
    orbit.shape().cells() as u64 * blocks * Planes::<BLOCK>::KEPT_OF_BLOCK
}

/// The number of planes of words that lead from one of `shards` shards to another, all links taken together.
pub(crate) fn crossing(space: &Space, shards: usize) -> f64 {
    /// The number of blocks that are counted, which stand for all.
    const SAMPLE: usize = 4096;
    let links = Links::new(space);
    let shards: Vec<_> = (0..shards).map(|n| blocks(space.orbit(), n, shards)).collect();
    let of = |block| shards.partition_point(|blocks| blocks.end <= block);
    let sample = links.blocks.min(SAMPLE);
    let mut crossing = 0;
    for (_, link) in links.to.iter().flatten() {
        for block in (0..sample).map(|number| number * links.blocks / sample) {
            let here = of(block);
            if link.leaves(&shards[here], block) {
                link.each_run_back(block, &mut [0; BLOCK], |at, run| {
                    crossing += if of(at / BLOCK) == here { 0 } else { run.len() };
                });
            }
        }
    }
    crossing as f64 / (sample * BLOCK) as f64
}

impl Shard {
    /// One of `shards` shards, which divide the blocks among them. No board was seen.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn of(space: &Space, number: usize, shards: usize) -> io::Result<Self> {
        let links = Arc::new(Links::new(space));
        let all: Arc<[_]> = (0..shards).map(|n| blocks(space.orbit(), n, shards)).collect();
        let blocks = all[number].clone();
        let planes = links.planes(blocks.clone(), Memory::zeroed)?;
        let outbox = Outbox::new(Arc::clone(&links), number, all);
        Ok(Self { links, blocks, planes, outbox })
    }

    /// Finds the goal, if its block is here.
    pub(crate) fn start(&mut self, record: &mut Record<'_>) -> Gain {
        self.planes.start(record, &mut self.outbox)
    }

    /// Finds the boards of the level `depth`, without those that come from other shards.
    pub(crate) fn sweep(&mut self, record: &mut Record<'_>, depth: u8, threads: Threads) -> Gain {
        self.links.find(&mut self.planes, record, &mut self.outbox, depth, threads)
    }

    /// Finds those boards of the level `depth` that come from other shards.
    pub(crate) fn receive(
        &mut self,
        inbox: &Inbox,
        record: &mut Record<'_>,
        depth: u8,
        threads: Threads,
    ) -> Gain {
        if inbox.is_empty() {
            return Gain::default();
        }
        self.planes.sweep(record, &mut self.outbox, depth, threads, |_| inbox)
    }

    /// Takes out the letters with what was found for other shards.
    pub(crate) fn letters(&mut self) -> Vec<Letter> {
        self.outbox.take()
    }

    /// An empty inbox for letters to this shard.
    pub(crate) fn inbox(&self) -> Inbox {
        Inbox::new(self.blocks.clone(), self.links.to.len())
    }

    /// The bytes from which [`resume`](Self::resume) continues the search after a level, in pieces.
    pub(crate) fn kept<'a>(&'a self, record: &'a Record<'_>) -> [&'a [u8]; 3] {
        let [seen, newest] = self.planes.kept();
        [seen, newest, record.bytes()]
    }

    /// Continues a search after the level `depth` from what it [kept](Self::kept). Returns whether these bytes may
    /// come from such a search.
    ///
    /// The letters of the level are written again. Boards of earlier levels are sent, too; all their neighbours have
    /// been seen, so they change nothing.
    #[must_use]
    pub(crate) fn resume(&mut self, kept: &[u8], record: &mut Record<'_>, depth: u8) -> bool {
        let searched = self.planes.kept().iter().map(|kept| kept.len()).sum();
        let Some((searched, recorded)) = kept.split_at_checked(searched) else { return false };
        let is_right = self.planes.restore(searched) && record.restore(recorded);
        if is_right {
            self.planes.repeat(depth, &mut self.outbox);
        }
        is_right
    }

    /// Ends the search, and brings the record into the order of a table.
    pub(crate) fn finish(&mut self, record: Record<'_>, threads: Threads) {
        self.planes.finish(record, self.links.to.len(), threads);
    }
}
