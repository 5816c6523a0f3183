//! The shard: some blocks of each plane, the same of all, and what a sweep does to them.
//!
//! Planes of one colour are written and those of the other read, so threads share the targets, block
//! by block, and need not know of one another. Two facts about a block spare most of the work. One that
//! gained nothing in the last level has nothing to give: it has given all. And one with no board missing takes nothing.
//!
//! A shard has all blocks, or a stretch of them where several machines search together. What others find for it comes
//! by [mail](super::mail), and is taken by the same sweep.

use std::{io, ops::Range};

use crate::sweep::{
    link::Link,
    plane::{NEVER, Plane, Source},
    record::Record,
    swap::Block,
};
use crate::{
    index::{
        space::Space,
        word::{BLOCK, BOARDS},
    },
    system::{memory::Memory, threads},
};

/// A stretch of blocks of every plane, and which of their boards were seen.
pub(crate) struct Shard {
    pub(super) network: Network,
    /// Which blocks of each plane they are.
    pub(super) blocks: Range<usize>,
    /// Those of the first plane, then those of the next.
    pub(super) seen: Memory,
    pub(super) newest: Vec<u8>,
    pub(super) missing: Vec<u16>,
    /// What is found for others.
    #[cfg(feature = "cluster")]
    pub(super) outbox: Option<super::mail::Outbox>,
}

/// All links of a shape, compiled: for each plane those that lead to it, with the plane that each comes from.
pub(super) struct Network {
    pub(super) links: Vec<Vec<(usize, Link)>>,
    /// How many boards a plane has.
    boards: u64,
    /// How many blocks they fill. The only block of a small plane may be filled in part.
    pub(super) blocks: usize,
    /// The blank's place in the goal.
    home: usize,
}

/// Some blocks of all planes that a sweep leads to.
pub(super) struct Piece<'a> {
    /// The number of the first of them in its plane.
    first: usize,
    targets: Vec<Plane<'a>>,
    record: Record<'a>,
    gain: Gain,
    #[cfg(feature = "cluster")]
    outbox: Option<super::mail::Outbox>,
}

/// What came of a sweep, or of a part of one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Gain {
    pub(crate) boards: u64,
    /// The number of the first board that the [`Record`] denies.
    pub(crate) denied: Option<u64>,
}

/// Whoever brings candidates for the blocks of a shard.
pub(super) trait Bring: Sync {
    /// Has memory bring what the candidates for a block of all planes are made of; says whether there may be any.
    fn prefetch(&self, block: usize) -> bool;

    /// Adds the candidates for a block of the plane at `place`, and says whether there may be any.
    fn bring(&self, place: usize, block: usize, candidates: &mut Block) -> bool;
}

/// The links bring what the last level found.
struct Links<'a> {
    network: &'a Network,
    sources: Vec<Source<'a>>,
    /// The level that is searched.
    depth: u8,
}

impl Bring for Links<'_> {
    #[inline(always)]
    fn prefetch(&self, block: usize) -> bool {
        // Each of them, not only the first that gives something.
        self.sources.iter().filter(|source| source.prefetch(block, self.depth)).count() > 0
    }

    #[inline(always)]
    fn bring(&self, place: usize, block: usize, candidates: &mut Block) -> bool {
        let mut any = false;
        for (from, link) in &self.network.links[place] {
            let Source { first, seen, newest } = self.sources[*from];
            let fresh = |block: usize| {
                block.checked_sub(first).and_then(|block| newest.get(block))
                    == Some(&(self.depth - 1))
            };
            any |= link.carry(seen, first, fresh, block, candidates);
        }
        any
    }
}

impl Shard {
    /// How many bytes of a block have to be kept for the search to be taken up again.
    #[cfg(feature = "cluster")]
    pub(super) const KEPT_OF_BLOCK: usize = size_of::<Block>() + size_of::<u8>();

    /// The shard of all blocks.
    ///
    /// # Errors
    ///
    /// If there is not the memory.
    pub(crate) fn new(space: &Space) -> io::Result<Self> {
        let network = Network::new(space);
        let all = 0..network.blocks;
        Self::with(network, all, Memory::zeroed)
    }

    /// The shard of some blocks, in such memory.
    pub(super) fn with(
        network: Network,
        blocks: Range<usize>,
        memory: impl FnOnce(u64) -> io::Result<Memory>,
    ) -> io::Result<Self> {
        let all = network.links.len() * blocks.len();
        let seen = memory((all * size_of::<Block>()) as u64)?;
        let missing = vec![(network.boards / network.blocks as u64) as u16; all];
        Ok(Self {
            network,
            blocks,
            seen,
            newest: vec![NEVER; all],
            missing,
            #[cfg(feature = "cluster")]
            outbox: None,
        })
    }

    /// Finds the goal, which is the first board of its plane, if it is here.
    pub(crate) fn start(&mut self, record: &mut Record<'_>) -> Gain {
        if self.blocks.start > 0 || self.blocks.is_empty() {
            return Gain::default();
        }
        let Self { network, blocks, .. } = self;
        let mut goal = [0; BLOCK];
        goal[0] = 1;
        let seen = bytemuck::cast_slice_mut(&mut self.seen);
        let mut all = Plane::new(0, seen, &mut self.newest, &mut self.missing);
        let boards = all.take(network.home * blocks.len(), &mut goal, 0);
        let denied = record.note(network.links.len(), network.home, 0, &goal, 0);
        #[cfg(feature = "cluster")]
        if let Some(outbox) = &mut self.outbox {
            outbox.post(network, network.home, 0, &mut goal);
        }
        let first = network.home as u64 * network.boards;
        Gain { boards, denied: denied.map(|board| first + board as u64) }
    }

    /// Finds the boards of a level, but for those that come from other shards.
    pub(crate) fn sweep(&mut self, record: &mut Record<'_>, depth: u8, threads: usize) -> Gain {
        self.take(record, depth, threads, |network, sources| Links { network, sources, depth })
    }

    /// Takes what is new of what is brought for a level, and records it.
    pub(super) fn take<'a, B: Bring>(
        &'a mut self,
        record: &mut Record<'_>,
        depth: u8,
        threads: usize,
        bring: impl FnOnce(&'a Network, Vec<Source<'a>>) -> B,
    ) -> Gain {
        /// So many pieces of work for each thread, and no fewer than that, keep all of them busy to the end of a level.
        const PIECES_OF_THREAD: usize = 16;
        const PIECES: usize = 64;
        if self.blocks.is_empty() {
            return Gain::default();
        }
        let Self { network, blocks, .. } = self;
        let pieces = (PIECES_OF_THREAD * threads.min(threads::cores())).max(PIECES);
        let length = blocks.len().div_ceil(pieces);
        let seen = bytemuck::cast_slice_mut(&mut self.seen);
        let all = Plane::new(blocks.start, seen, &mut self.newest, &mut self.missing);
        let (mut sources, mut targets) = (vec![Source::default(); network.links.len()], vec![]);
        for (place, plane) in all.planes(blocks.len()).enumerate() {
            // With each move the blank's place turns from odd to even, or back.
            if (place + network.home + usize::from(depth)) % 2 == 0 {
                targets.push(plane.parts(length));
            } else {
                sources[place] = plane.source();
            }
        }
        // Block by block through all targets: what one of them reads of a source, the next reads again.
        let records = record.parts(blocks.len(), length, network.links.len());
        let firsts = blocks.clone().step_by(length);
        let pieces: Vec<_> = firsts
            .zip(records)
            .map(|(first, record)| Piece {
                first,
                targets: targets.iter_mut().filter_map(Iterator::next).collect(),
                record,
                gain: Gain::default(),
                #[cfg(feature = "cluster")]
                outbox: self.outbox.as_ref().map(super::mail::Outbox::another),
            })
            .collect();
        // To wake threads for less takes longer than the work.
        let threads = if pieces.len() < PIECES / 2 { 1 } else { threads };
        let bring = bring(network, sources);
        let pieces = threads::share(threads, pieces, |mut piece| {
            network.sweep_piece(&bring, &mut piece, depth);
            piece
        });
        let mut gain = Gain::default();
        for piece in pieces {
            gain = gain.with(piece.gain);
            #[cfg(feature = "cluster")]
            if let (Some(outbox), Some(posted)) = (&mut self.outbox, piece.outbox) {
                outbox.append(posted);
            }
        }
        gain
    }
}

impl Network {
    pub(super) fn new(space: &Space) -> Self {
        let planes = space.goal().shape().cells();
        let mut links: Vec<Vec<_>> = (0..planes).map(|_| vec![]).collect();
        for from in 0..planes {
            for step in space.steps(from) {
                links[usize::from(step.to)]
                    .push((from, Link::new(planes - 1, step.rotation, false)));
            }
        }
        let blocks = super::blocks(space.orbit()) as usize;
        Self { links, boards: space.plane(), blocks, home: space.home() }
    }

    /// Sweeps over a piece, with the widest instructions that the processor has.
    fn sweep_piece<B: Bring>(&self, bring: &B, piece: &mut Piece<'_>, depth: u8) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "avx2,popcnt")]
            unsafe fn with_avx2<B: Bring>(
                network: &Network,
                bring: &B,
                piece: &mut Piece<'_>,
                depth: u8,
            ) {
                network.sweep_blocks(bring, piece, depth);
            }
            // SAFETY: the processor has all that the function is compiled for.
            return unsafe { with_avx2(self, bring, piece, depth) };
        }
        self.sweep_blocks(bring, piece, depth);
    }

    #[inline(always)]
    fn sweep_blocks<B: Bring>(&self, bring: &B, piece: &mut Piece<'_>, depth: u8) {
        for block in 0..piece.targets.first().map_or(0, Plane::blocks) {
            // The words of the next blocks are far apart, and no processor guesses where.
            if bring.prefetch(piece.first + block + 1) {
                piece.targets.iter().for_each(|target| target.prefetch(block + 1));
            }
            for target in piece.targets.iter_mut().filter(|target| target.is_missing(block)) {
                let mut candidates = [0; BLOCK];
                if !bring.bring(target.place, piece.first + block, &mut candidates) {
                    continue;
                }
                let boards = target.take(block, &mut candidates, depth);
                if boards == 0 {
                    continue;
                }
                let planes = self.links.len();
                let denied = piece.record.note(planes, target.place, block, &candidates, depth);
                let start = target.place as u64 * self.boards;
                let first = start + (piece.first * BLOCK * BOARDS) as u64;
                let denied = denied.map(|board| first + board as u64);
                piece.gain = piece.gain.with(Gain { boards, denied });
                #[cfg(feature = "cluster")]
                if let Some(outbox) = &mut piece.outbox {
                    outbox.post(self, target.place, piece.first + block, &mut candidates);
                }
            }
        }
    }
}

impl Gain {
    pub(crate) fn with(self, other: Self) -> Self {
        let denied = self.denied.into_iter().chain(other.denied).min();
        Self { boards: self.boards + other.boards, denied }
    }
}
