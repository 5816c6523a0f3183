//! The sweep: breadth-first search over whole planes, sixty boards to a word.
//!
//! A board is a bit of its plane: whether it was *seen*. A level is one sweep over the planes of one
//! colour, those that an odd or an even number of moves leads to:
//!
//! ```text
//! candidates = all that the links bring from the planes of the other colour
//! new        = candidates & !seen
//! seen       = seen | new
//! ```
//!
//! The other colour's earlier levels come along, and do no harm: all their neighbours have been seen.
//! So no list of a level's boards is kept. Only what is done with the new ones tells a table from
//! a census: a [`Record`].
//!
//! Planes of one colour are written and those of the other read, so threads share the targets, block
//! by block, and need not know of one another. Two facts about a block spare most of the work. One that
//! gained nothing in the last level has nothing to give: it has given all. And one with no board missing takes nothing.

mod link;
mod pattern;
mod plane;
mod record;
mod swap;

use std::{io, ops::ControlFlow};

use link::Link;
pub(crate) use pattern::{
    PatternRecord, arrangements, pattern_memory, room, search_pattern, words,
};
use plane::{Plane, Source};
pub(crate) use record::Record;
use swap::{BLOCK, Block};
pub(crate) use swap::{BOARDS, border, swapped};

use crate::{Index, Orbit, Space, memory::Memory, threads};

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Advance {
    /// The distance of the boards that were found last.
    pub depth: u32,
    /// How many they are.
    pub boards: u64,
    /// How many have been found so far.
    pub found: u64,
    /// How many there are to be found.
    pub all: u64,
}

/// Why a search has not come to its end.
#[derive(Debug)]
pub(crate) enum Break {
    /// There is not the memory.
    Memory(io::Error),
    /// Whoever watches has stopped it.
    Stopped,
    /// The first board of a level whose bit is not what was recorded.
    Denied { index: Index, depth: u32 },
}

/// All links of a shape, compiled: for each plane those that lead to it, with the plane that each comes from.
struct Network {
    links: Vec<Vec<(usize, Link)>>,
    /// How many boards a plane has.
    boards: u64,
    /// How many blocks they fill. The only block of a small plane may be filled in part.
    blocks: usize,
    /// The blank's place in the goal.
    home: usize,
}

/// Some blocks of all planes that a sweep leads to, from block `first` of each.
struct Piece<'a> {
    first: usize,
    targets: Vec<Plane<'a>>,
    record: Record<'a>,
}

/// What came of a sweep, or of a part of one.
#[derive(Clone, Copy, Default)]
struct Gain {
    boards: u64,
    /// The number of the first board that the [`Record`] denies.
    denied: Option<u64>,
}

/// How many bytes of memory a search takes, but for what it records.
pub(crate) fn memory(orbit: Orbit) -> u64 {
    let planes = orbit.shape().cells() as u64;
    let blocks = (orbit.boards() / planes).div_ceil((BLOCK * BOARDS) as u64);
    planes * blocks * Plane::BYTES_OF_BLOCK as u64
}

/// Finds all boards of an orbit, level by level, on up to `threads` threads, and says how many there are
/// at each distance.
pub(crate) fn search(
    orbit: Orbit,
    threads: usize,
    mut record: Record<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let space = Space::new(&orbit.goal()).expect("what is searched has an index");
    let network = Network::new(&space);
    let blocks = network.links.len() * network.blocks;
    let bytes = blocks as u64 * size_of::<Block>() as u64;
    let mut seen = Memory::zeroed(bytes).map_err(Break::Memory)?;
    let mut newest = vec![plane::NEVER; blocks];
    let mut missing = vec![(network.boards / network.blocks as u64) as u16; blocks];
    let mut all = Plane::new(bytemuck::cast_slice_mut(&mut seen), &mut newest, &mut missing);
    let mut planes: Vec<_> = all.planes(network.blocks).collect();

    let mut gain = network.start(&mut planes, &mut record);
    let (mut histogram, mut found) = (vec![], 0);
    for depth in 1..=plane::NEVER {
        let last = u32::from(depth - 1);
        if let Some(index) = gain.denied.and_then(|number| space.nth(number)) {
            return Err(Break::Denied { index, depth: last });
        }
        if gain.boards == 0 {
            break;
        }
        histogram.push(gain.boards);
        found += gain.boards;
        let all = space.boards();
        if watch(Advance { depth: last, boards: gain.boards, found, all }).is_break() {
            return Err(Break::Stopped);
        }
        gain = network.sweep(&mut planes, &mut record, depth, threads);
    }
    record.finish(network.links.len(), threads);
    Ok(histogram)
}

impl Network {
    fn new(space: &Space) -> Self {
        let planes = space.goal().shape().cells();
        let mut links: Vec<Vec<_>> = (0..planes).map(|_| vec![]).collect();
        for from in 0..planes {
            for step in space.steps(from) {
                links[usize::from(step.to)]
                    .push((from, Link::new(planes - 1, step.rotation, false)));
            }
        }
        let boards = space.plane();
        let blocks = boards.div_ceil((BLOCK * BOARDS) as u64) as usize;
        Self { links, boards, blocks, home: space.home() }
    }

    /// Finds the goal, which is the first board of its plane.
    fn start(&self, planes: &mut [Plane<'_>], record: &mut Record<'_>) -> Gain {
        let mut candidates = [0; BLOCK];
        candidates[0] = 1;
        self.take(0, 0, &mut planes[self.home], &mut candidates, record, 0)
    }

    /// Finds the boards of a level.
    fn sweep(
        &self,
        planes: &mut [Plane<'_>],
        record: &mut Record<'_>,
        depth: u8,
        threads: usize,
    ) -> Gain {
        /// So many pieces of work for each thread, and no fewer than that, keep all of them busy to the end of a level.
        const PIECES_OF_THREAD: usize = 16;
        const PIECES: usize = 64;
        let pieces = (PIECES_OF_THREAD * threads.min(threads::cores())).max(PIECES);
        let length = self.blocks.div_ceil(pieces);
        let mut sources = vec![Source::default(); planes.len()];
        let mut targets = Vec::with_capacity(planes.len());
        for plane in planes {
            // With each move the blank's place turns from odd to even, or back.
            if (plane.place + self.home + usize::from(depth)) % 2 == 0 {
                targets.push(plane.parts(length));
            } else {
                sources[plane.place] = plane.source();
            }
        }
        // Block by block through all targets: what one of them reads of a source, the next reads again.
        let mut records = record.parts(self.blocks, length, self.links.len()).into_iter();
        let firsts = (0..self.blocks).step_by(length);
        let pieces: Vec<_> = firsts
            .zip(&mut records)
            .map(|(first, record)| {
                let targets = targets.iter_mut().filter_map(Iterator::next).collect();
                Piece { first, targets, record }
            })
            .collect();
        // To wake threads for less takes longer than the work.
        let threads = if pieces.len() < PIECES / 2 { 1 } else { threads };
        let gains = threads::share(threads, pieces, |mut piece| {
            self.sweep_piece(&sources, &mut piece, depth)
        });
        gains.into_iter().fold(Gain::default(), Gain::with)
    }

    /// Sweeps over a piece, with the widest instructions that the processor has.
    fn sweep_piece(&self, sources: &[Source<'_>], piece: &mut Piece<'_>, depth: u8) -> Gain {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "avx2,popcnt")]
            unsafe fn with_avx2(
                network: &Network,
                sources: &[Source<'_>],
                piece: &mut Piece<'_>,
                depth: u8,
            ) -> Gain {
                network.sweep_blocks(sources, piece, depth)
            }
            // SAFETY: the processor has all that the function is compiled for.
            return unsafe { with_avx2(self, sources, piece, depth) };
        }
        self.sweep_blocks(sources, piece, depth)
    }

    #[inline(always)]
    fn sweep_blocks(&self, sources: &[Source<'_>], piece: &mut Piece<'_>, depth: u8) -> Gain {
        let mut gain = Gain::default();
        let Piece { first, targets, record } = piece;
        for block in 0..targets.first().map_or(0, Plane::blocks) {
            // The words of the next blocks are far apart, and no processor guesses where.
            let gives = sources.iter().filter(|source| source.prefetch(*first + block + 1, depth));
            if gives.count() > 0 {
                targets.iter().for_each(|target| target.prefetch(block + 1));
            }
            for target in targets.iter_mut().filter(|target| target.is_missing(block)) {
                let mut candidates = [0; BLOCK];
                let mut any = false;
                for (from, link) in &self.links[target.place] {
                    let Source { seen, newest } = sources[*from];
                    let fresh = |block: usize| newest[block] == depth - 1;
                    any |= link.carry(seen, fresh, *first + block, &mut candidates);
                }
                if any {
                    let took = self.take(*first, block, target, &mut candidates, record, depth);
                    gain = gain.with(took);
                }
            }
        }
        gain
    }

    /// Takes what is new of the candidates for a block of a piece, and records it.
    #[inline(always)]
    fn take(
        &self,
        first: usize,
        block: usize,
        target: &mut Plane<'_>,
        candidates: &mut Block,
        record: &mut Record<'_>,
        depth: u8,
    ) -> Gain {
        let boards = target.take(block, candidates, depth);
        if boards == 0 {
            return Gain::default();
        }
        let denied = record.note(self.links.len(), target.place, block, candidates, depth);
        let start = target.place as u64 * self.boards + (first * BLOCK * BOARDS) as u64;
        Gain { boards, denied: denied.map(|board| start + board as u64) }
    }
}

impl Gain {
    fn with(self, other: Self) -> Self {
        let denied = self.denied.into_iter().chain(other.denied).min();
        Self { boards: self.boards + other.boards, denied }
    }
}
