//! The search over the states of a pattern.
//!
//! A plane of a [pattern](crate::index::footprints) has at most one block of even arrangements and one block of odd
//! ones. There are thousands of such planes, so the blocks of all light planes make one plane of the sweep, and the
//! blocks of all dark planes the other.

use std::{cmp::Ordering, ops::ControlFlow};

use crate::{
    index::{
        arrangement::{Rotation, Window},
        digits::MOST_TILES,
        footprints::{self, Footprints, Places, is_dark},
        word::{arrangements, words},
    },
    sweep::{
        levels::{Advance, Break, levels},
        link::Link,
        planes::{Bring, Planes, Source},
        record::Record,
    },
    system::{memory::Memory, threads::Threads},
};

/// The memory that a search takes, in bytes, without the memory for its record.
pub(crate) fn memory(footprints: &Footprints) -> u64 {
    /// An estimate of the number of jumps that lead to a plane.
    const JUMPS: usize = 8;
    let words = words(footprints.tiles());
    let blocks = 2 * (size_of::<u64>() * words + size_of::<u8>() + size_of::<u16>());
    footprints.planes() as u64 * (blocks + JUMPS * size_of::<Jump>()) as u64
}

/// Finds all states of a pattern, level by level. Returns the number of states at each distance.
///
/// At distance 0 the tiles are in order on `home`, and the blank is at `blank`. Recorded bits have the order of a
/// table: for each word of a block all planes, and of each plane first the even arrangements and then the odd ones.
/// Recorded distances follow one another plane by plane, first those of the even arrangements and then those of the
/// odd ones, with 60 bytes for each word.
pub(crate) fn search(
    footprints: &Footprints,
    home: Places,
    blank: u32,
    threads: Threads,
    record: Record<'_>,
    watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
) -> Result<Vec<u64>, Break> {
    let jumps = Jumps::new(footprints);
    let color = usize::from(is_dark(home));
    let plane = footprints.plane(home, blank) as usize - color * footprints.light_planes();
    let goal = (color, 2 * plane);
    match words(footprints.tiles()) {
        336 => jumps.search::<336>(goal, threads, record, watch),
        42 => jumps.search::<42>(goal, threads, record, watch),
        6 => jumps.search::<6>(goal, threads, record, watch),
        _ => jumps.search::<1>(goal, threads, record, watch),
    }
}

/// A move of a tile that leads to a plane.
#[derive(Clone, Copy)]
struct Jump {
    /// The plane from which it comes, numbered among those of its colour.
    from: u32,
    /// The positions of the tile in the arrangement before and after.
    positions: [u8; 2],
}

/// All moves between the planes of a pattern.
struct Jumps<'a> {
    footprints: &'a Footprints,
    /// The jumps to the first plane, then those to the next, and so on.
    to: Vec<Jump>,
    /// For each plane the number of its first jump.
    begin: Vec<u32>,
    /// For each pair of positions the links from even and from odd arrangements.
    links: Vec<Option<[Link; 2]>>,
}

impl Jump {
    /// The number of its link.
    fn link(self) -> usize {
        usize::from(self.positions[0]) * MOST_TILES + usize::from(self.positions[1])
    }

    /// The number of tiles over which the tile jumps.
    fn swaps(self) -> usize {
        self.positions[0].abs_diff(self.positions[1]).into()
    }

    fn rotation(self) -> Rotation {
        let [from, to] = self.positions;
        match from.cmp(&to) {
            Ordering::Less => Rotation::FrontToLast(Window { start: from, end: to + 1 }),
            Ordering::Equal => Rotation::None,
            Ordering::Greater => Rotation::LastToFront(Window { start: to, end: from + 1 }),
        }
    }
}

impl<'a> Jumps<'a> {
    fn new(footprints: &'a Footprints) -> Self {
        let light = footprints.light_planes() as u32;
        let (mut jumps, mut begin) = (vec![], vec![0]);
        for (footprint, region) in footprints.all() {
            // Where a tile beside the blank's region went into it, it came from there when taken back.
            footprints.moves(footprint, region, |to, from| {
                let rest = footprint & !(1 << to);
                let source = rest | 1 << from;
                let plane = footprints.plane(source, to);
                jumps.push(Jump {
                    from: if is_dark(source) { plane - light } else { plane },
                    positions: [from, to].map(|place| footprints::position(rest, place) as u8),
                });
            });
            begin.push(jumps.len() as u32);
        }
        let mut links: Vec<_> = (0..MOST_TILES * MOST_TILES).map(|_| None).collect();
        for jump in &jumps {
            let link = |odd| Link::new(footprints.tiles(), jump.rotation(), odd);
            links[jump.link()].get_or_insert_with(|| [false, true].map(link));
        }
        Self { footprints, to: jumps, begin, links }
    }

    fn search<const W: usize>(
        &self,
        goal: (usize, usize),
        threads: Threads,
        mut record: Record<'_>,
        watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Vec<u64>, Break> {
        let (all, light) = (self.footprints.planes(), self.footprints.light_planes());
        let arrangements = arrangements(self.footprints.tiles());
        let missing = arrangements.map(|states| states as u16).repeat(all);
        let lengths = vec![2 * light, 2 * (all - light)];
        let mut planes: Planes<W> =
            Planes::new(0, lengths, goal, missing, Memory::zeroed).map_err(Break::Memory)?;
        let states = all as u64 * arrangements.iter().sum::<u64>();
        let histogram = levels(states, watch, |depth| {
            let bring = |sources| LastLevel { jumps: self, sources, depth };
            let gain = match depth {
                0 => planes.start(&mut record, &mut ()),
                _ => planes.sweep(&mut record, &mut (), depth, threads, bring),
            };
            Ok(gain.boards)
        })?;
        planes.finish(record, 2 * all, threads);
        Ok(histogram)
    }
}

/// The jumps bring the states of the last level.
struct LastLevel<'a, const W: usize> {
    jumps: &'a Jumps<'a>,
    sources: Vec<Source<'a, W>>,
    /// The level that is searched.
    depth: u8,
}

impl<const W: usize> Bring<W> for LastLevel<'_, W> {
    #[inline(always)]
    fn bring(&self, color: usize, block: usize, candidates: &mut [u64; W]) -> bool {
        let Jumps { footprints, to, begin, links } = self.jumps;
        let plane = block / 2 + color * footprints.light_planes();
        let source = &self.sources[1 - color];
        let mut any = false;
        for jump in &to[begin[plane] as usize..begin[plane + 1] as usize] {
            let odd = (block + jump.swaps()) % 2;
            let block = 2 * jump.from as usize + odd;
            if source.is_fresh(block, self.depth) {
                if let Some(links) = &links[jump.link()] {
                    let source = std::slice::from_ref(&source.seen[block]);
                    any |= links[odd].carry(source, 0, |_| true, 0, candidates);
                }
            }
        }
        any
    }
}
