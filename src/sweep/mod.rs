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
mod swap;

use std::{io, ops::ControlFlow};

use link::Link;
pub(crate) use swap::BOARDS;
use swap::{BLOCK, Block};

use crate::{Index, Orbit, Shape, Space, memory::Memory, threads};

/// The greatest distance that is told from none at all.
const NEVER: u8 = u8::MAX;

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

/// What is done with the boards of a level.
pub(crate) enum Record<'a> {
    /// They are counted, and no more.
    Count,
    /// A bit a board: the last but one of its distance. Sixty boards a word, as in the planes.
    Bits(&'a mut [u64]),
    /// A byte a board: its distance.
    Distances(&'a mut [u8]),
    /// The bits that were recorded are compared. Eight bytes a word.
    Compare(&'a [u8]),
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
    /// How many words a plane has. They fill whole blocks, or are but a part of one.
    words: usize,
    blocks: usize,
    /// The blank's place in the goal.
    home: usize,
}

/// A plane, or some blocks of one.
struct Plane<'a> {
    /// The number of its first board.
    start: u64,
    seen: &'a mut [Block],
    /// The level in which each block has last gained boards.
    newest: &'a mut [u8],
    /// How many boards of each block are still to be found.
    missing: &'a mut [u16],
    record: Record<'a>,
}

/// What came of a sweep, or of a part of one.
#[derive(Clone, Copy, Default)]
struct Gain {
    boards: u64,
    /// The first board that [`Record::Compare`] denies.
    denied: Option<u64>,
}

/// How many bytes of memory a search takes, but for what it records.
pub(crate) fn memory(shape: Shape) -> u64 {
    let planes = shape.cells() as u64;
    let blocks = (3..planes).product::<u64>().div_ceil((BLOCK * BOARDS) as u64);
    // The bits of each, the level in which it last gained boards, and how many are missing.
    planes * blocks * (size_of::<Block>() + size_of::<u8>() + size_of::<u16>()) as u64
}

/// Finds all boards of an orbit, level by level, on up to `threads` threads, and says how many there are
/// at each distance.
pub(crate) fn search(
    orbit: Orbit,
    threads: usize,
    record: Record<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let space = Space::new(&orbit.goal()).expect("what is searched has an index");
    let network = Network::new(&space);
    let blocks = network.links.len() * network.blocks;
    let mut seen = Memory::zeroed(blocks * size_of::<Block>()).map_err(Break::Memory)?;
    let mut newest = vec![NEVER; blocks];
    let mut missing = vec![(space.plane() / network.blocks as u64) as u16; blocks];
    let seen = bytemuck::cast_slice_mut(&mut seen);
    let all = Plane { start: 0, seen, newest: &mut newest, missing: &mut missing, record };
    let mut planes = all.split(network.blocks, network.words, space.plane());

    // The goal is the first board of its plane.
    let mut candidates = [0; BLOCK];
    candidates[0] = 1;
    let mut gain = planes[network.home].take(0, &mut candidates, 0);
    let (mut histogram, mut found) = (vec![], 0);
    for depth in 0..NEVER {
        if depth > 0 {
            gain = network.sweep(&mut planes, depth, threads);
        }
        if let Some(index) = gain.denied.and_then(|number| space.nth(number)) {
            return Err(Break::Denied { index, depth: depth.into() });
        }
        if gain.boards == 0 {
            break;
        }
        histogram.push(gain.boards);
        found += gain.boards;
        let level =
            Advance { depth: depth.into(), boards: gain.boards, found, all: space.boards() };
        if watch(level).is_break() {
            return Err(Break::Stopped);
        }
    }
    Ok(histogram)
}

impl Network {
    fn new(space: &Space) -> Self {
        let planes = space.goal().shape().cells();
        let mut links: Vec<Vec<_>> = (0..planes).map(|_| vec![]).collect();
        for from in 0..planes {
            for step in space.steps(from) {
                links[usize::from(step.to)].push((from, Link::new(planes - 1, step.rotation)));
            }
        }
        let words = (space.plane() as usize).div_ceil(swap::BOARDS);
        Self { links, words, blocks: words.div_ceil(BLOCK), home: space.home() }
    }

    /// Finds the boards of a level.
    fn sweep(&self, planes: &mut [Plane<'_>], depth: u8, threads: usize) -> Gain {
        let piece = self.blocks.div_ceil(PIECES);
        let mut sources = vec![Source::default(); planes.len()];
        let mut targets = Vec::with_capacity(planes.len());
        for (number, plane) in planes.iter_mut().enumerate() {
            // With each move the blank's place turns from odd to even, or back.
            if (number + self.home + usize::from(depth)) % 2 == 0 {
                let parts = plane.reborrow().split(
                    piece,
                    piece * BLOCK,
                    (piece * BLOCK * swap::BOARDS) as u64,
                );
                targets.push((&*self.links[number], parts.into_iter()));
            } else {
                sources[number] = Source { seen: plane.seen, newest: plane.newest };
            }
        }
        // Block by block through all targets: what one of them reads of a source, the next reads again.
        let pieces = (0..self.blocks).step_by(piece).map(|first| {
            let parts =
                targets.iter_mut().filter_map(|(links, parts)| Some((*links, parts.next()?)));
            (first, parts.collect::<Vec<_>>())
        });
        let pieces: Vec<_> = pieces.collect();
        // To wake threads for less takes longer than the work.
        let threads = if pieces.len() < PIECES / 2 { 1 } else { threads };
        let gains = threads::share(threads, pieces, |(first, mut parts)| {
            sweep_piece(&sources, first, &mut parts, depth)
        });
        gains.into_iter().fold(Gain::default(), Gain::with)
    }
}

/// So many pieces of work keep threads busy to the end of a level.
const PIECES: usize = 64;

/// A plane, or some blocks of one, with the links that lead to it.
type Target<'a> = (&'a [(usize, Link)], Plane<'a>);

/// What a sweep reads of a plane.
#[derive(Clone, Copy, Default)]
struct Source<'a> {
    seen: &'a [Block],
    newest: &'a [u8],
}

/// Sweeps over some blocks of all targets, with the widest instructions that the processor has.
fn sweep_piece(
    sources: &[Source<'_>],
    first: usize,
    targets: &mut [Target<'_>],
    depth: u8,
) -> Gain {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[target_feature(enable = "avx2,popcnt")]
        unsafe fn with_avx2(
            sources: &[Source<'_>],
            first: usize,
            targets: &mut [Target<'_>],
            depth: u8,
        ) -> Gain {
            sweep_blocks(sources, first, targets, depth)
        }
        // SAFETY: the processor has all that the function is compiled for.
        return unsafe { with_avx2(sources, first, targets, depth) };
    }
    sweep_blocks(sources, first, targets, depth)
}

#[inline(always)]
fn sweep_blocks(
    sources: &[Source<'_>],
    first: usize,
    targets: &mut [Target<'_>],
    depth: u8,
) -> Gain {
    let mut gain = Gain::default();
    let blocks = targets.first().map_or(0, |(_, plane)| plane.newest.len());
    for block in 0..blocks {
        for (links, target) in &mut *targets {
            if target.missing[block] == 0 {
                continue;
            }
            let mut candidates = [0; BLOCK];
            let mut any = false;
            for (from, link) in links.iter() {
                let Source { seen, newest } = sources[*from];
                let fresh = |block: usize| newest[block] == depth - 1;
                any |= link.carry(seen, fresh, first + block, &mut candidates);
            }
            if any {
                gain = gain.with(target.take(block, &mut candidates, depth));
            }
        }
    }
    gain
}

impl<'a> Plane<'a> {
    fn reborrow(&mut self) -> Plane<'_> {
        Plane {
            start: self.start,
            seen: self.seen,
            newest: self.newest,
            missing: self.missing,
            record: self.record.reborrow(),
        }
    }

    /// Cuts it into parts of so many blocks, words and boards each.
    fn split(self, blocks: usize, words: usize, boards: u64) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self;
        while rest.seen.len() > blocks {
            let (seen, more_seen) = rest.seen.split_at_mut(blocks);
            let (newest, more_newest) = rest.newest.split_at_mut(blocks);
            let (missing, more_missing) = rest.missing.split_at_mut(blocks);
            let (record, more_record) = rest.record.split_at(words, boards);
            parts.push(Plane { start: rest.start, seen, newest, missing, record });
            rest = Plane {
                start: rest.start + boards,
                seen: more_seen,
                newest: more_newest,
                missing: more_missing,
                record: more_record,
            };
        }
        parts.push(rest);
        parts
    }

    /// Takes what is new of the candidates for a block.
    #[inline(always)]
    fn take(&mut self, block: usize, candidates: &mut Block, depth: u8) -> Gain {
        let seen = &mut self.seen[block];
        let mut any = 0;
        for (candidate, seen) in candidates.iter_mut().zip(&*seen) {
            *candidate &= !seen;
            any |= *candidate;
        }
        if any == 0 {
            return Gain::default();
        }
        let mut boards = 0;
        for (new, seen) in candidates.iter().zip(seen) {
            *seen |= new;
            boards += new.count_ones();
        }
        self.newest[block] = depth;
        self.missing[block] -= boards as u16;
        let denied = self.record.note(block * BLOCK, candidates, depth);
        Gain { boards: boards.into(), denied: denied.map(|board| self.start + board) }
    }
}

impl<'a> Record<'a> {
    fn reborrow(&mut self) -> Record<'_> {
        match self {
            Self::Count => Record::Count,
            Self::Bits(words) => Record::Bits(words),
            Self::Distances(bytes) => Record::Distances(bytes),
            Self::Compare(bytes) => Record::Compare(bytes),
        }
    }

    /// What is about the first so many words and boards, and the rest.
    fn split_at(self, words: usize, boards: u64) -> (Self, Self) {
        match self {
            Self::Count => (Self::Count, Self::Count),
            Self::Bits(all) => {
                let (first, rest) = all.split_at_mut(words);
                (Self::Bits(first), Self::Bits(rest))
            }
            Self::Distances(all) => {
                let (first, rest) = all.split_at_mut(boards as usize);
                (Self::Distances(first), Self::Distances(rest))
            }
            Self::Compare(all) => {
                let (first, rest) = all.split_at(8 * words);
                (Self::Compare(first), Self::Compare(rest))
            }
        }
    }

    /// Notes the new boards in words from `first` on; says which is denied, if one is.
    #[inline(always)]
    fn note(&mut self, first: usize, new: &Block, depth: u8) -> Option<u64> {
        let bit = depth >> 1 & 1 == 1;
        match self {
            Self::Count => None,
            Self::Bits(words) if bit => {
                words[first..].iter_mut().zip(new).for_each(|(word, new)| *word |= new.to_le());
                None
            }
            Self::Bits(_) => None,
            Self::Distances(bytes) => {
                for (word, &new) in (first..).zip(new) {
                    each_bit(new, |bit| bytes[word * swap::BOARDS + bit] = depth);
                }
                None
            }
            Self::Compare(bytes) => {
                let words = bytes[8 * first..].chunks_exact(8);
                (first..).zip(words).zip(new).find_map(|((number, bytes), &new)| {
                    let word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                    let wrong = if bit { new & !word } else { new & word };
                    let bit = u64::from(wrong.trailing_zeros());
                    (wrong != 0).then_some((number * swap::BOARDS) as u64 + bit)
                })
            }
        }
    }
}

/// Calls `take` for each bit of a word that is set.
#[inline(always)]
fn each_bit(mut word: u64, mut take: impl FnMut(usize)) {
    while word != 0 {
        take(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

impl Gain {
    fn with(self, other: Self) -> Self {
        let denied = self.denied.into_iter().chain(other.denied).min();
        Self { boards: self.boards + other.boards, denied }
    }
}
