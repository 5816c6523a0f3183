//! The mail: what one shard has found for blocks of another.
//!
//! A move that changes a block's number may lead out of the shard; all others stay in their block. Such a move
//! moves words as they are, so what is sent are the words that a level has just found, with their places in the plane that the move
//! leads to. Words that have nothing new are left out.
//!
//! A letter is for one plane of one shard: the plane's place in a byte, and then for every six words with the same number but
//! for the last digit
//!
//! ```text
//!   4 bytes   the number of the six in the plane
//!   1 byte    which of the six there are: a bit each
//!   8 bytes   for each of those: the word
//! ```
//!
//! all little-endian.

use std::{io, ops::Range};

use crate::sweep::{
    link::Link,
    plane::Plane,
    record::Record,
    shard::{Bring, Gain, Network, Shard},
    swap::Block,
};
use crate::{
    index::{
        space::Space,
        word::{BLOCK, BOARDS, SIX},
    },
    puzzle::orbit::Orbit,
    system::memory::Memory,
};

/// A letter of so many bytes is closed.
const FULL: usize = 1 << 20;

/// Words for another shard.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// Which shard it is for.
    pub(crate) to: usize,
    pub(crate) bytes: Vec<u8>,
}

/// What a shard has found for others.
pub(super) struct Outbox {
    /// Which shard this is.
    here: usize,
    /// For each shard and plane, the letter that is being written.
    open: Vec<Vec<u8>>,
    closed: Vec<Letter>,
    /// Which blocks each shard has.
    shards: Vec<Range<usize>>,
}

impl Outbox {
    /// A new one of the same shard.
    pub(super) fn another(&self) -> Self {
        let open = vec![vec![]; self.open.len()];
        Self { here: self.here, open, closed: vec![], shards: self.shards.clone() }
    }

    /// Takes over what another has.
    pub(super) fn append(&mut self, mut other: Self) {
        self.closed.extend(other.take());
    }

    /// All letters.
    fn take(&mut self) -> Vec<Letter> {
        let planes = self.open.len() / self.shards.len();
        let open = self.open.iter_mut().enumerate().filter(|(_, bytes)| !bytes.is_empty());
        let open = open.map(|(at, bytes)| Letter { to: at / planes, bytes: std::mem::take(bytes) });
        let mut letters = std::mem::take(&mut self.closed);
        letters.extend(open);
        letters
    }

    /// Sends what is new in a block to wherever moves lead from there, if that is another shard.
    pub(super) fn post(&mut self, network: &Network, place: usize, block: usize, new: &mut Block) {
        let planes = network.links.len();
        let Self { here, open, closed, shards } = self;
        // The links that lead here, the other way round.
        for (to, link) in &network.links[place] {
            if link.stretch(block).is_none_or(|stretch| is_within(&stretch, &shards[*here])) {
                continue;
            }
            link.each_run_back(block, new, |at, run| {
                let shard = shards.partition_point(|blocks| blocks.end <= at / BLOCK);
                if shard == *here || run.iter().all(|word| *word == 0) {
                    return;
                }
                let letter = &mut open[shard * planes + to];
                if letter.is_empty() {
                    letter.push(*to as u8);
                }
                for (six, words) in (at / SIX..).zip(run.chunks(SIX)) {
                    write(letter, six as u32, at % SIX, words);
                }
                if letter.len() >= FULL {
                    closed.push(Letter { to: shard, bytes: std::mem::take(letter) });
                }
            });
        }
    }
}

fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Writes those of some words that are not zero; `first` is the number of the first among its six.
fn write(letter: &mut Vec<u8>, six: u32, first: usize, words: &[u64]) {
    let there = |(_, word): &(usize, &u64)| **word != 0;
    let mask = (first..).zip(words).filter(there).fold(0, |mask, (number, _)| mask | 1 << number);
    if mask != 0 {
        letter.extend(six.to_le_bytes());
        letter.push(mask);
        words.iter().filter(|word| **word != 0).for_each(|word| letter.extend(word.to_le_bytes()));
    }
}

/// What other shards have found for this one, in a level.
pub(crate) struct Inbox {
    /// The number of the first block.
    first: usize,
    /// For each plane to which something has come, the candidates for the blocks.
    planes: Vec<Vec<Option<Box<Block>>>>,
    /// Blocks to be used again.
    #[expect(clippy::vec_box, reason = "they go to and fro as they are")]
    spare: Vec<Box<Block>>,
}

impl Inbox {
    /// Nothing has come.
    pub(crate) fn clear(&mut self) {
        for plane in &mut self.planes {
            self.spare.extend(plane.drain(..).flatten());
        }
    }

    /// Opens a letter; says whether it can be read.
    #[must_use]
    pub(crate) fn open(&mut self, letter: &[u8], shard: &Shard) -> bool {
        self.read(letter, shard.blocks.len()).is_some()
    }

    fn read(&mut self, letter: &[u8], blocks: usize) -> Option<()> {
        let Self { first: first_block, planes, spare } = self;
        let (place, mut rest) = letter.split_first()?;
        let plane = planes.get_mut(usize::from(*place))?;
        plane.resize(blocks, None);
        while let Some((head, words)) = rest.split_first_chunk::<5>() {
            let [six @ .., mask] = head;
            let (bytes, after) = words.split_at_checked(8 * mask.count_ones() as usize)?;
            let first = u32::from_le_bytes(*six) as usize * SIX;
            let block = plane.get_mut((first / BLOCK).checked_sub(*first_block)?)?;
            let block = block.get_or_insert_with(|| {
                let mut block = spare.pop().unwrap_or_else(|| Box::new([0; BLOCK]));
                block.fill(0);
                block
            });
            let there = (0..SIX).filter(|number| mask >> number & 1 == 1);
            for (number, word) in there.zip(bytes.chunks_exact(8)) {
                block[first % BLOCK + number] |=
                    u64::from_le_bytes(word.try_into().expect("eight bytes"));
            }
            rest = after;
        }
        rest.is_empty().then_some(())
    }
}

impl Bring for &Inbox {
    fn prefetch(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn bring(&self, place: usize, block: usize, candidates: &mut Block) -> bool {
        let brought = self.planes[place].get(block - self.first).and_then(Option::as_deref);
        brought.inspect(|brought| *candidates = **brought).is_some()
    }
}

/// Which blocks of each plane one of so many shards has. They are as many for each as can be.
pub(crate) fn shard(orbit: Orbit, number: usize, shards: usize) -> Range<usize> {
    let space = Space::new(&orbit.goal()).expect("what is searched has an index");
    let cells = orbit.shape().cells();
    let steps = (0..cells).flat_map(|place| space.steps(place));
    let grain = steps.map(|step| Link::grain(cells - 1, step.rotation)).max().unwrap_or(1);
    let grains = super::blocks(orbit) as usize / grain;
    let start = |shard| (grains as u128 * shard as u128 / shards as u128) as usize * grain;
    start(number)..start(number + 1)
}

/// How many bytes of memory the search of a shard takes, but for what it records and sends.
pub(crate) fn shard_memory(orbit: Orbit, shards: usize) -> u64 {
    let blocks = shard(orbit, shards - 1, shards).len() as u64;
    orbit.shape().cells() as u64 * blocks * Plane::BYTES_OF_BLOCK as u64
}

/// How many bytes the search of a shard with so many blocks of each plane has to keep for it to be taken up again.
pub(crate) fn shard_bytes(orbit: Orbit, blocks: u64) -> u64 {
    orbit.shape().cells() as u64 * blocks * Shard::KEPT_OF_BLOCK as u64
}

/// How many planes of words lead from one of so many shards to another, all links taken together.
pub(crate) fn crossing(space: &Space, shards: usize) -> f64 {
    /// So many blocks stand for all.
    const SAMPLE: usize = 4096;
    let network = Network::new(space);
    let shards: Vec<_> = (0..shards).map(|n| shard(space.orbit(), n, shards)).collect();
    let of = |block| shards.partition_point(|blocks| blocks.end <= block);
    let sample = network.blocks.min(SAMPLE);
    let mut crossing = 0;
    for (_, link) in network.links.iter().flatten() {
        for block in (0..sample).map(|number| number * network.blocks / sample) {
            let here = of(block);
            if link.stretch(block).is_some_and(|stretch| !is_within(&stretch, &shards[here])) {
                link.each_run_back(block, &mut [0; BLOCK], |at, run| {
                    crossing += if of(at / BLOCK) == here { 0 } else { run.len() };
                });
            }
        }
    }
    crossing as f64 / (sample * BLOCK) as f64
}

impl Shard {
    /// One of so many shards, which divide the blocks among them.
    ///
    /// # Errors
    ///
    /// If there is not the memory.
    pub(crate) fn of(space: &Space, number: usize, shards: usize) -> io::Result<Self> {
        let network = Network::new(space);
        let all: Vec<_> = (0..shards).map(|n| shard(space.orbit(), n, shards)).collect();
        let mut shard = Self::with(network, all[number].clone(), Memory::zeroed)?;
        let open = vec![vec![]; shards * shard.network.links.len()];
        shard.outbox = Some(Outbox { here: number, open, closed: vec![], shards: all });
        Ok(shard)
    }

    /// What has been found for others since this was last asked.
    pub(crate) fn letters(&mut self) -> Vec<Letter> {
        self.outbox.as_mut().map_or_else(Vec::new, Outbox::take)
    }

    /// Where letters are gathered for this shard.
    pub(crate) fn inbox(&self) -> Inbox {
        let planes = vec![vec![]; self.network.links.len()];
        Inbox { first: self.blocks.start, planes, spare: vec![] }
    }

    /// All that has to be kept for the search to be taken up again after a level; what was found for others can be
    /// [found again](Self::resume).
    pub(crate) fn kept(&self) -> [&[u8]; 2] {
        [&self.seen, &self.newest]
    }

    /// How many bytes that is.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.kept().iter().map(|kept| kept.len()).sum()
    }

    /// Takes the search up again after the level `depth`, with what was [kept](Self::kept) of it, one after another; says whether it
    /// can be that.
    #[must_use]
    pub(crate) fn resume(&mut self, kept: &[u8], depth: u8) -> bool {
        let Some((seen, newest)) = kept.split_at_checked(self.seen.len()) else { return false };
        if newest.len() != self.newest.len() {
            return false;
        }
        self.seen.copy_from_slice(seen);
        self.newest.copy_from_slice(newest);
        let Self { network, blocks, seen, newest, missing, outbox } = self;
        let seen: &mut [Block] = bytemuck::cast_slice_mut(seen);
        for (number, block) in seen.iter_mut().enumerate() {
            let boards: u32 = block.iter().map(|word| word.count_ones()).sum();
            if block.iter().any(|word| word >> BOARDS != 0) {
                return false;
            }
            let Some(rest) = missing[number].checked_sub(boards as u16) else { return false };
            missing[number] = rest;
            // Boards of earlier levels go along. All their neighbours have been seen, so they do no harm.
            if let (true, Some(outbox)) = (newest[number] == depth, &mut *outbox) {
                let (place, block_of_plane) = (number / blocks.len(), number % blocks.len());
                outbox.post(network, place, blocks.start + block_of_plane, block);
            }
        }
        true
    }

    /// Finds those boards of a level that come from other shards.
    pub(crate) fn receive(
        &mut self,
        inbox: &Inbox,
        record: &mut Record<'_>,
        depth: u8,
        threads: usize,
    ) -> Gain {
        if inbox.planes.iter().all(Vec::is_empty) {
            return Gain::default();
        }
        self.take(record, depth, threads, |_, _| inbox)
    }
}
