//! The planes: the boards that were seen, and the sweep that finds the next level.
//!
//! A plane has blocks of `W` words. Each move leads from a plane with an even number to one with an odd number, or
//! back. A sweep reads the planes of one kind and writes those of the other, so threads share the written blocks and
//! need no locks. Two facts about a block avoid most of the work: a block that gained nothing in the last level has
//! nothing to give, and a block that misses no board takes nothing.

use std::io;

use crate::{
    index::word::BOARDS,
    sweep::record::{Record, split_off},
    system::{
        memory::Memory,
        processor::{self, Work},
        threads::{self, Threads},
    },
};

/// Stands for the level in which a block has last gained boards, while it has none. No board is at this distance.
const NEVER: u8 = u8::MAX;

/// The planes of a search, or a stretch of blocks of each plane.
pub(super) struct Planes<const W: usize> {
    /// The number of the first block here, which is the same in each plane.
    first: usize,
    /// The number of blocks here of each plane.
    lengths: Vec<usize>,
    /// The plane of the goal, and its block. The goal is the first board of this block.
    goal: (usize, usize),
    /// A bit for each board: the blocks of the first plane, then those of the next, and so on.
    seen: Memory,
    /// The level in which each block has last gained boards.
    newest: Vec<u8>,
    /// The number of boards of each block that are still to be found.
    missing: Vec<u16>,
}

/// The result of a sweep, or of a part of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Gain {
    /// The number of new boards.
    pub(crate) boards: u64,
    /// The first board that contradicts the [`Record`]: its plane, and its number there.
    pub(super) denied: Option<(usize, u64)>,
}

/// The source of candidates for the next level.
pub(super) trait Bring<const W: usize>: Sync {
    /// Prefetches what the candidates for a block of all planes are made of. Returns whether there may be any.
    fn prefetch(&self, _block: usize) -> bool {
        false
    }

    /// Adds the candidates for a block of a plane. Returns whether there may be any.
    fn bring(&self, plane: usize, block: usize, candidates: &mut [u64; W]) -> bool;
}

/// A listener for new boards, one for each piece of work.
pub(super) trait Listen<const W: usize>: Send + Sized {
    /// A listener for a piece of the work.
    fn for_piece(&self) -> Self;

    /// Takes the new boards of a block of a plane. The words may be used as a buffer.
    fn hear(&mut self, plane: usize, block: usize, new: &mut [u64; W]);

    /// Adds what a listener for a piece has heard.
    fn join(&mut self, piece: Self);
}

/// Nobody listens.
impl<const W: usize> Listen<W> for () {
    fn for_piece(&self) -> Self {}
    fn hear(&mut self, _: usize, _: usize, _: &mut [u64; W]) {}
    fn join(&mut self, (): Self) {}
}

/// The part of a plane that a sweep reads.
#[derive(Clone, Copy, Default)]
pub(super) struct Source<'a, const W: usize> {
    /// The number of the first block.
    pub(super) first: usize,
    pub(super) seen: &'a [[u64; W]],
    newest: &'a [u8],
}

impl<const W: usize> Source<'_, W> {
    /// Whether a block is here and gained boards in the level before `depth`.
    #[inline(always)]
    pub(super) fn is_fresh(&self, block: usize, depth: u8) -> bool {
        self.newest.get(block.wrapping_sub(self.first)) == Some(&(depth - 1))
    }

    /// Prefetches a block if it is fresh. Returns whether it is.
    #[inline(always)]
    pub(super) fn prefetch(&self, block: usize, depth: u8) -> bool {
        let is_fresh = self.is_fresh(block, depth);
        if is_fresh {
            prefetch(&self.seen[block - self.first]);
        }
        is_fresh
    }
}

#[inline(always)]
fn prefetch<const W: usize>(block: &[u64; W]) {
    for line in block.chunks(8) {
        processor::prefetch(&line[0]);
    }
}

/// The part of a plane that a sweep writes, with the record about it.
struct Target<'a, const W: usize> {
    plane: usize,
    /// The number of the first block.
    first: usize,
    seen: &'a mut [[u64; W]],
    newest: &'a mut [u8],
    missing: &'a mut [u16],
    record: Record<'a>,
}

impl<'a, const W: usize> Target<'a, W> {
    /// Splits the first `count` blocks off, or all blocks if there are fewer.
    fn split_off(&mut self, count: usize) -> Self {
        let all = self.seen.len();
        let count = count.min(all);
        let first = self.first;
        self.first += count;
        Target {
            plane: self.plane,
            first,
            seen: split_off(&mut self.seen, count),
            newest: split_off(&mut self.newest, count),
            missing: split_off(&mut self.missing, count),
            record: self.record.split_off(count, all.max(1)),
        }
    }

    fn source(self) -> Source<'a, W> {
        Source { first: self.first, seen: self.seen, newest: self.newest }
    }

    /// Prefetches the block at `at` if it is there and misses boards.
    #[inline(always)]
    fn prefetch(&self, at: usize) {
        if self.missing.get(at).is_some_and(|boards| *boards > 0) {
            prefetch(&self.seen[at]);
        }
    }

    /// Takes the new ones of the candidates for the block at `at`, adds them to the gain, records them, and has
    /// `listener` hear of them.
    #[inline(always)]
    fn take(
        &mut self,
        at: usize,
        candidates: &mut [u64; W],
        depth: u8,
        gain: &mut Gain,
        listener: &mut impl Listen<W>,
    ) {
        let seen = &mut self.seen[at];
        let mut any = 0;
        for (candidate, seen) in candidates.iter_mut().zip(&*seen) {
            *candidate &= !seen;
            any |= *candidate;
        }
        if any == 0 {
            return;
        }
        let mut boards = 0;
        for (new, seen) in candidates.iter().zip(seen) {
            *seen |= new;
            boards += new.count_ones();
        }
        self.newest[at] = depth;
        self.missing[at] -= boards as u16;
        let (plane, block) = (self.plane, self.first + at);
        gain.boards += u64::from(boards);
        if let Some(number) = self.record.note(at, plane, block, candidates, depth) {
            let denied = (plane, number);
            gain.denied = Some(gain.denied.map_or(denied, |other| other.min(denied)));
        }
        listener.hear(plane, block, candidates);
    }
}

/// A piece of a sweep: the blocks with the same numbers of all planes that are written.
struct Piece<'a, B, L, const W: usize> {
    bring: &'a B,
    targets: Vec<Target<'a, W>>,
    depth: u8,
    listener: L,
}

impl<B: Bring<W>, L: Listen<W>, const W: usize> Work for Piece<'_, B, L, W> {
    type Output = (Gain, L);

    /// Goes block by block through all targets, since they read the same blocks of the sources.
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { bring, mut targets, depth, mut listener } = self;
        let mut gain = Gain::default();
        let Some(Target { first, seen, .. }) = targets.first() else { return (gain, listener) };
        let (first, blocks) = (*first, seen.len());
        for at in 0..blocks {
            // The words of the next blocks are far apart, and no processor foresees where.
            if bring.prefetch(first + at + 1) {
                targets.iter().for_each(|target| target.prefetch(at + 1));
            }
            for target in targets.iter_mut().filter(|target| target.missing[at] > 0) {
                let mut candidates = [0; W];
                if bring.bring(target.plane, first + at, &mut candidates) {
                    target.take(at, &mut candidates, depth, &mut gain, &mut listener);
                }
            }
        }
        (gain, listener)
    }
}

impl<const W: usize> Planes<W> {
    /// The memory that a block takes, in bytes.
    pub(super) const BYTES_OF_BLOCK: u64 = Self::KEPT_OF_BLOCK + size_of::<u16>() as u64;
    /// The part of it that [`kept`](Self::kept) returns, in bytes.
    pub(super) const KEPT_OF_BLOCK: u64 = (size_of::<[u64; W]>() + size_of::<u8>()) as u64;

    /// Planes where no board was seen. Of each plane the blocks from `first` on are here, as many as `lengths` says.
    ///
    /// `goal` is the plane and the block of the goal, and `missing` the number of boards of each block. `memory`
    /// provides zeroed memory of a size in bytes.
    ///
    /// # Errors
    ///
    /// Those of `memory`.
    pub(super) fn new(
        first: usize,
        lengths: Vec<usize>,
        goal: (usize, usize),
        missing: Vec<u16>,
        memory: impl FnOnce(u64) -> io::Result<Memory>,
    ) -> io::Result<Self> {
        let all = missing.len();
        let seen = memory((all * size_of::<[u64; W]>()) as u64)?;
        Ok(Self { first, lengths, goal, seen, newest: vec![NEVER; all], missing })
    }

    /// The planes, with the record about them.
    fn targets<'a>(
        &'a mut self,
        record: &'a mut Record<'_>,
    ) -> impl Iterator<Item = Target<'a, W>> {
        let mut rest = Target {
            plane: 0,
            first: 0,
            seen: bytemuck::cast_slice_mut(&mut self.seen),
            newest: &mut self.newest,
            missing: &mut self.missing,
            record: record.reborrow(),
        };
        let first = self.first;
        let planes = self.lengths.iter().enumerate();
        planes.map(move |(plane, length)| Target { plane, first, ..rest.split_off(*length) })
    }

    /// Finds the goal, if its block is here.
    pub(super) fn start(&mut self, record: &mut Record<'_>, listener: &mut impl Listen<W>) -> Gain {
        let (plane, block) = self.goal;
        let mut planes = self.targets(record);
        let mut plane = planes.nth(plane).expect("the goal has a plane");
        if !(plane.first..plane.first + plane.seen.len()).contains(&block) {
            return Gain::default();
        }
        let (mut goal, mut gain) = ([0; W], Gain::default());
        goal[0] = 1;
        plane.take(block - plane.first, &mut goal, 0, &mut gain, listener);
        gain
    }

    /// Finds the boards of the level `depth` among the candidates that `bring` makes from the planes of the other
    /// kind, on up to `threads` threads.
    pub(super) fn sweep<'a, B: Bring<W>>(
        &'a mut self,
        record: &'a mut Record<'_>,
        listener: &mut impl Listen<W>,
        depth: u8,
        threads: Threads,
        bring: impl FnOnce(Vec<Source<'a, W>>) -> B,
    ) -> Gain {
        /// So many pieces of work for each thread, and at least [`PIECES`], keep all threads busy to the end of a
        /// level.
        const PIECES_OF_THREAD: usize = 16;
        const PIECES: usize = 64;
        /// Work on fewer blocks takes less time than to wake a thread.
        const FEW: usize = 256;
        let (home, _) = self.goal;
        let (mut sources, mut targets) = (vec![], vec![]);
        for plane in self.targets(record) {
            if (plane.plane + home + usize::from(depth)) % 2 == 0 {
                sources.push(Source::default());
                targets.push(plane);
            } else {
                sources.push(plane.source());
            }
        }
        let longest = targets.iter().map(|target| target.seen.len()).max().unwrap_or(0);
        let all: usize = targets.iter().map(|target| target.seen.len()).sum();
        let pieces = (PIECES_OF_THREAD * threads.count()).max(PIECES);
        let length = longest.div_ceil(pieces).max(1);
        let bring = &bring(sources);
        let pieces = (0..longest.div_ceil(length)).map(|_| Piece {
            bring,
            targets: targets.iter_mut().map(|target| target.split_off(length)).collect(),
            depth,
            listener: listener.for_piece(),
        });
        let threads = if all < FEW { 1.into() } else { threads };
        let mut gain = Gain::default();
        for (gained, heard) in threads::share(threads, pieces.collect(), processor::run) {
            gain = gain.with(gained);
            listener.join(heard);
        }
        gain
    }

    /// Ends the search, and brings the record into the order of a table with `planes` planes.
    pub(super) fn finish(&mut self, record: Record<'_>, planes: usize, threads: Threads) {
        record.finish(planes, bytemuck::cast_slice_mut(&mut self.seen), threads);
    }

    /// The bytes from which [`restore`](Self::restore) continues a search.
    pub(super) fn kept(&self) -> [&[u8]; 2] {
        [&self.seen, &self.newest]
    }

    /// Continues a search from what it [kept](Self::kept). Returns whether these bytes may come from such a search.
    #[must_use]
    pub(super) fn restore(&mut self, kept: &[u8]) -> bool {
        let Some((seen, newest)) = kept.split_at_checked(self.seen.len()) else { return false };
        if newest.len() != self.newest.len() {
            return false;
        }
        self.seen.copy_from_slice(seen);
        self.newest.copy_from_slice(newest);
        let seen: &[[u64; W]] = bytemuck::cast_slice(&self.seen);
        seen.iter().zip(&mut self.missing).all(|(block, missing)| {
            let boards: u32 = block.iter().map(|word| word.count_ones()).sum();
            let rest = missing.checked_sub(boards as u16);
            *missing = rest.unwrap_or(0);
            rest.is_some() && block.iter().all(|word| word >> BOARDS == 0)
        })
    }

    /// Has `listener` hear of each block that gained boards in the level `depth`. It hears of the boards of earlier
    /// levels, too.
    pub(super) fn repeat(&mut self, depth: u8, listener: &mut impl Listen<W>) {
        for target in self.targets(&mut Record::Count) {
            for (at, block) in target.seen.iter().enumerate() {
                if target.newest[at] == depth {
                    listener.hear(target.plane, target.first + at, &mut block.clone());
                }
            }
        }
    }
}

impl Gain {
    fn with(self, other: Self) -> Self {
        let denied = match (self.denied, other.denied) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { boards: self.boards + other.boards, denied }
    }
}
