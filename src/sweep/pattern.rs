//! The sweep over the planes of a pattern: as many as there are footprints and regions, of one block for either parity.

use std::ops::ControlFlow;

use crate::sweep::{Advance, Break, link::Link, plane::NEVER, record::each_bit};
use crate::{
    index::{
        arrangement::{Rotation, Window},
        digits::MOST_TILES,
        footprints::{self, Footprints, Places, is_dark},
        word::{BOARDS, arrangements, words},
    },
    system::{memory::Memory, threads},
};

/// What is done with the ways to lie of a level.
pub(crate) enum PatternRecord<'a> {
    /// The second lowest bit of the distance is written: for each word of a plane all planes, and of each first the even
    /// arrangements and then the odd ones.
    Bits(&'a mut [u64]),
    /// The distance is written: for each plane a byte for each of its even arrangements, and then for the odd ones, with room
    /// for as many.
    Distances(&'a mut [u8]),
}

/// How many arrangements of so many tiles a block has room for.
pub(crate) fn room(tiles: usize) -> usize {
    (3..=tiles).product()
}

/// How many bytes of memory a search takes, but for what it records.
pub(crate) fn pattern_memory(footprints: &Footprints) -> u64 {
    let words = words(footprints.tiles()) as u64;
    // A plane has some eight links.
    footprints.planes() as u64 * (2 * (2 * 8 * words + 3) + 8 * 8)
}

/// Finds all ways in which a pattern's tiles and the blank can lie, level by level, and says how many there are at each distance.
///
/// At distance 0 the tiles lie in order on `home`, and the blank at `blank`.
pub(crate) fn search_pattern(
    footprints: &Footprints,
    home: Places,
    blank: u32,
    threads: usize,
    record: PatternRecord<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let mut network = Network::new(footprints);
    let start = footprints.plane(home, blank) as usize;
    let parity = is_dark(home);
    match words(footprints.tiles()) {
        336 => network.search::<336>(start, parity, threads, record, watch),
        42 => network.search::<42>(start, parity, threads, record, watch),
        6 => network.search::<6>(start, parity, threads, record, watch),
        _ => network.search::<1>(start, parity, threads, record, watch),
    }
}

/// A move of a tile that leads to a plane.
#[derive(Clone, Copy)]
struct Step {
    /// The plane that it comes from.
    from: u32,
    /// The positions in the arrangement between which the tile jumps.
    jump: [u8; 2],
}

/// All moves of a pattern, compiled.
struct Network<'a> {
    footprints: &'a Footprints,
    /// The moves to all planes, one plane after another, and where those of each begin.
    steps: Vec<Step>,
    begin: Vec<u32>,
    /// The link of a jump from an arrangement that is even or odd.
    links: Vec<Option<[Link; 2]>>,
}

/// Planes of one color, or some of them: for each, and either parity, a block.
struct Part<'a, const W: usize> {
    /// The number of the first plane.
    first: usize,
    seen: &'a mut [[u64; W]],
    /// The level in which each block has last gained boards.
    newest: &'a mut [u8],
    /// How many boards of each are still to be found.
    missing: &'a mut [u16],
    /// What is recorded of each: bits, or else distances.
    bits: &'a mut [[u64; W]],
    distances: &'a mut [u8],
    /// How many distances a block has.
    room: usize,
}

impl<const W: usize> Part<'_, W> {
    /// The first planes, so many, and the others.
    fn split(&mut self, planes: usize) -> [Part<'_, W>; 2] {
        let blocks = 2 * planes;
        let (seen, other_seen) = self.seen.split_at_mut(blocks);
        let (newest, other_newest) = self.newest.split_at_mut(blocks);
        let (missing, other_missing) = self.missing.split_at_mut(blocks);
        let (bits, other_bits) = self.bits.split_at_mut(blocks.min(self.bits.len()));
        let of_distances = (blocks * self.room).min(self.distances.len());
        let (distances, other_distances) = self.distances.split_at_mut(of_distances);
        let (first, room) = (self.first, self.room);
        [
            Part { first, seen, newest, missing, bits, distances, room },
            Part {
                first: first + planes,
                seen: other_seen,
                newest: other_newest,
                missing: other_missing,
                bits: other_bits,
                distances: other_distances,
                room,
            },
        ]
    }

    /// The planes in parts of so many.
    fn parts(&mut self, planes: usize) -> impl Iterator<Item = Part<'_, W>> {
        let (first, room) = (self.first, self.room);
        let mut bits = self.bits.chunks_mut(2 * planes);
        let mut distances = self.distances.chunks_mut(2 * planes * room);
        let facts = self.newest.chunks_mut(2 * planes).zip(self.missing.chunks_mut(2 * planes));
        let blocks = self.seen.chunks_mut(2 * planes).zip(facts);
        blocks.enumerate().map(move |(number, (seen, (newest, missing)))| Part {
            first: first + number * planes,
            seen,
            newest,
            missing,
            bits: bits.next().unwrap_or_default(),
            distances: distances.next().unwrap_or_default(),
            room,
        })
    }

    /// Takes those candidates for a block that are new, records them, and says how many they are.
    #[inline(always)]
    fn take(&mut self, block: usize, candidates: &mut [u64; W], depth: u8) -> u64 {
        let seen = &mut self.seen[block];
        let (mut any, mut boards) = (0, 0);
        for (candidate, seen) in candidates.iter_mut().zip(&*seen) {
            *candidate &= !seen;
            any |= *candidate;
        }
        if any == 0 {
            return 0;
        }
        for (new, seen) in candidates.iter().zip(seen) {
            *seen |= new;
            boards += new.count_ones();
        }
        self.newest[block] = depth;
        self.missing[block] -= boards as u16;
        if let Some(bits) = self.bits.get_mut(block) {
            let record = if depth >> 1 & 1 == 1 { u64::MAX } else { 0 };
            bits.iter_mut().zip(candidates).for_each(|(bits, new)| *bits |= *new & record);
        } else {
            let distances = self.distances[block * self.room..].chunks_mut(BOARDS);
            distances
                .zip(candidates)
                .for_each(|(distances, new)| each_bit(*new, |bit| distances[bit] = depth));
        }
        boards.into()
    }
}

impl<'a> Network<'a> {
    fn new(footprints: &'a Footprints) -> Self {
        let tiles = footprints.tiles();
        let mut steps = vec![];
        let mut begin = vec![0];
        for (footprint, region) in footprints.all() {
            // Where a tile went that is beside the blank's region, it came from there.
            footprints.moves(footprint, region, |to, from| {
                let rest = footprint & !(1 << to);
                let jump = [from, to].map(|place| footprints::position(rest, place) as u8);
                steps.push(Step { from: footprints.plane(rest | 1 << from, to), jump });
            });
            begin.push(steps.len() as u32);
        }
        let mut links: Vec<_> = (0..MOST_TILES * MOST_TILES).map(|_| None).collect();
        for step in &steps {
            let [from, to] = step.jump;
            links[step.link()].get_or_insert_with(|| {
                let rotation = match from.cmp(&to) {
                    std::cmp::Ordering::Less => {
                        Rotation::FrontToLast(Window { start: from, end: to + 1 })
                    }
                    std::cmp::Ordering::Equal => Rotation::None,
                    std::cmp::Ordering::Greater => {
                        Rotation::LastToFront(Window { start: to, end: from + 1 })
                    }
                };
                [false, true].map(|odd| Link::new(tiles, rotation, odd))
            });
        }
        Self { footprints, steps, begin, links }
    }

    fn search<const W: usize>(
        &mut self,
        start: usize,
        dark: bool,
        threads: usize,
        record: PatternRecord<'_>,
        watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Vec<u64>, Break> {
        let planes = self.footprints.planes();
        let arrangements = arrangements(self.footprints.tiles());
        let bytes = 2 * planes as u64 * size_of::<[u64; W]>() as u64;
        let mut seen = Memory::zeroed(bytes).map_err(Break::Memory)?;
        let mut newest = vec![NEVER; 2 * planes];
        let mut missing = arrangements.map(|boards| boards as u16).repeat(planes);
        let of_bits = if matches!(record, PatternRecord::Bits(_)) { bytes } else { 8 * W as u64 };
        let mut by_block = Memory::zeroed(of_bits).map_err(Break::Memory)?;
        let (bits, distances, rows): (&mut [[u64; W]], &mut [u8], _) = match record {
            PatternRecord::Bits(rows) => (bytemuck::cast_slice_mut(&mut by_block), &mut [], rows),
            PatternRecord::Distances(distances) => (&mut [], distances, &mut [][..]),
        };
        let mut all: Part<'_, W> = Part {
            first: 0,
            seen: bytemuck::cast_slice_mut(&mut seen),
            newest: &mut newest,
            missing: &mut missing,
            bits,
            distances,
            room: room(self.footprints.tiles()),
        };
        let mut candidates = [0; W];
        candidates[0] = 1;
        let mut gain = all.take(2 * start, &mut candidates, 0);
        let light = self.footprints.light_planes();
        let (mut histogram, mut found) = (vec![], 0);
        let boards = planes as u64 * (arrangements[0] + arrangements[1]);
        for depth in 1..=NEVER {
            if gain == 0 {
                break;
            }
            histogram.push(gain);
            found += gain;
            let advance = Advance { depth: u32::from(depth - 1), boards: gain, found, all: boards };
            if watch(advance).is_break() {
                return Err(Break::Stopped);
            }
            let [light, shade] = all.split(light);
            let (mut targets, sources) =
                if dark == (depth % 2 == 1) { (light, shade) } else { (shade, light) };
            gain = self.sweep(&mut targets, &sources, depth, threads);
        }
        // From a block after another to a word after another.
        let blocks: &[[u64; W]] = all.bits;
        let rows = rows.chunks_mut(2 * planes).enumerate().collect();
        threads::share(threads, rows, |(word, row)| {
            row.iter_mut().zip(blocks).for_each(|(to, block)| *to = block[word].to_le());
        });
        Ok(histogram)
    }

    /// Finds what is new in the planes of one color.
    fn sweep<const W: usize>(
        &self,
        targets: &mut Part<'_, W>,
        sources: &Part<'_, W>,
        depth: u8,
        threads: usize,
    ) -> u64 {
        const PIECES: usize = 64;
        /// To wake a thread for fewer takes longer than the work.
        const FEWEST: usize = 64;
        let planes = targets.newest.len() / 2;
        let pieces = targets.parts(planes.div_ceil(PIECES).max(FEWEST)).collect();
        let gains = threads::share(threads, pieces, |mut piece| {
            self.sweep_piece(&mut piece, sources, depth)
        });
        gains.into_iter().sum()
    }

    /// Sweeps over a piece, with the widest instructions that the processor has.
    fn sweep_piece<const W: usize>(
        &self,
        piece: &mut Part<'_, W>,
        sources: &Part<'_, W>,
        depth: u8,
    ) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "avx2,popcnt")]
            unsafe fn with_avx2<const W: usize>(
                network: &Network<'_>,
                piece: &mut Part<'_, W>,
                sources: &Part<'_, W>,
                depth: u8,
            ) -> u64 {
                network.sweep_planes(piece, sources, depth)
            }
            // SAFETY: the processor has all that the function is compiled for.
            return unsafe { with_avx2(self, piece, sources, depth) };
        }
        self.sweep_planes(piece, sources, depth)
    }

    #[inline(always)]
    fn sweep_planes<const W: usize>(
        &self,
        piece: &mut Part<'_, W>,
        sources: &Part<'_, W>,
        depth: u8,
    ) -> u64 {
        let mut gain = 0;
        for block in 0..piece.newest.len() {
            if piece.missing[block] == 0 {
                continue;
            }
            let plane = piece.first + block / 2;
            let mut candidates = [0; W];
            let mut any = false;
            for step in &self.steps[self.begin[plane] as usize..self.begin[plane + 1] as usize] {
                let odd = (block + step.swaps()) % 2;
                let source = 2 * (step.from as usize - sources.first) + odd;
                if sources.newest[source] == depth - 1 {
                    if let Some(links) = &self.links[step.link()] {
                        let source = std::slice::from_ref(&sources.seen[source]);
                        any |= links[odd].carry(source, 0, |_| true, 0, &mut candidates);
                    }
                }
            }
            if any {
                gain += piece.take(block, &mut candidates, depth);
            }
        }
        gain
    }
}

impl Step {
    /// The number of its link.
    fn link(self) -> usize {
        usize::from(self.jump[0]) * MOST_TILES + usize::from(self.jump[1])
    }

    /// How many tiles the one that moves jumps over.
    fn swaps(self) -> usize {
        self.jump[0].abs_diff(self.jump[1]).into()
    }
}
