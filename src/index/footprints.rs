//! The index of a pattern: a numbering of all ways in which its tiles and the blank can lie.
//!
//! Places are numbered along the snake, as in [`space`](crate::space). Only the pattern's tiles are told apart. A way
//! to lie is then
//!
//! - the *footprint*: which places the tiles take;
//! - the *region* in which the blank is: the places that it can reach without moving one of these tiles;
//! - the *arrangement*: the tiles in the order of the snake.
//!
//! ```text
//!   1 2 . .      The tiles 1, 2 and 6, of which a corner is cut off: this footprint has two
//!   . 6 . .      regions, and so the pattern two planes for it, of 3! arrangements each.
//!   . . . .
//!   . . . .
//! ```
//!
//! The blank wanders about a region for nothing, since only moves of the pattern's tiles count. So a footprint with a region
//! is a *plane*, what the blank's place is in a [`Space`](crate::Space): a move of a tile leads from plane to plane, and does
//! the same to all arrangements. The tile jumps over those that lie between its old place and its new one along the
//! snake.
//!
//! A move takes one tile to a neighbouring cell, of the other colour of a chequered board. So the footprint's number of
//! dark cells tells the parity of the distance, and the planes have two colours: those of one are numbered before those of
//! the other.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    index::space,
    puzzle::{moves::Move, shape::Shape},
    sweep,
};

/// The most tiles of a pattern: their arrangements fill a block of words for either parity.
pub(crate) const MOST_TILES: usize = 8;
/// The most cells of a shape.
pub(crate) const MOST_CELLS: usize = 25;

/// A bit for each place of the snake.
pub(crate) type Places = u32;

/// The ways in which so many tiles can lie on a shape, in whatever order.
#[derive(Debug)]
pub(crate) struct Footprints {
    tiles: usize,
    /// So many places come first, and number the footprints of equal places behind them.
    half: u32,
    /// For each place, those beside it.
    beside: Vec<Places>,
    /// What to add up for the number of a footprint: by its places from `half` on, and by those before.
    upper: Vec<u32>,
    lower: Vec<u32>,
    /// What is known of each footprint, by its number.
    known: Vec<Known>,
    /// So many bits hold the region of a place. The greatest number stands for that region and all further ones.
    width: u32,
    /// How many planes there are, and how many of them are light.
    planes: u32,
    light: u32,
}

/// What is known of a footprint: in the upper half its first plane, in the lower the region of each place.
#[derive(Clone, Copy, Debug)]
struct Known(u64);

/// The order of up to eight tiles along the snake, by the digits of its rank: the digit of a tile counts the smaller ones
/// behind it. Four bits each, the first lowest; where there are fewer than eight tiles, the digits in front are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Arrangement(u32);

/// What becomes of two neighbouring digits, in four bits each, when their tiles change places.
static SWAPPED: [u8; 256] = {
    let mut swapped = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        if let (first @ 0..=7, second @ 0..=7) = (pair % 16, pair / 16) {
            let (first, second) = sweep::swapped(first, second);
            swapped[pair] = (second * 16 + first) as u8;
        }
        pair += 1;
    }
    swapped
};

impl Arrangement {
    /// The tiles in ascending order.
    pub(crate) const SORTED: Self = Self(0);

    /// The arrangement of these tiles, eight at most.
    pub(crate) fn new(tiles: &[u8]) -> Self {
        let digit = |k: usize| tiles[k..].iter().filter(|tile| **tile < tiles[k]).count() as u32;
        let missing = MOST_TILES - tiles.len();
        Self((0..tiles.len()).fold(0, |digits, k| digits | digit(k) << (4 * (missing + k))))
    }

    /// The arrangement when the tile at one position has jumped to another; positions are counted so that the last
    /// tile's is 7.
    #[inline(always)]
    pub(crate) fn jump(self, from: u32, to: u32) -> Self {
        let mut digits = self.0;
        let mut swap = |position: u32| {
            let pair = digits >> (4 * position) & 255;
            digits ^= (pair ^ u32::from(SWAPPED[pair as usize])) << (4 * position);
        };
        if from < to {
            (from..to).for_each(&mut swap);
        } else {
            (to..from).rev().for_each(&mut swap);
        }
        Self(digits)
    }

    /// How many of the tiles behind a position are smaller than the one there.
    pub(crate) fn digit(self, position: usize) -> usize {
        (self.0 >> (4 * position) & 15) as usize
    }

    /// 1 if it is an odd permutation, else 0.
    #[inline(always)]
    pub(crate) fn parity(self) -> u32 {
        (self.0 & 0x1111_1111).count_ones() % 2
    }

    /// The number of its word: the first three digits.
    #[inline(always)]
    pub(crate) fn word(self) -> u32 {
        42 * (self.0 & 15) + 6 * (self.0 >> 4 & 15) + (self.0 >> 8 & 15)
    }

    /// Its bit in the word: the next three.
    #[inline(always)]
    pub(crate) fn bit(self) -> u32 {
        12 * (self.0 >> 12 & 15) + 3 * (self.0 >> 16 & 15) + (self.0 >> 20 & 15)
    }
}

/// The numbers of planes, at hand for who looks up many.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a> {
    half: u32,
    width: u32,
    upper: &'a [u32],
    lower: &'a [u32],
    known: &'a [Known],
    footprints: &'a Footprints,
}

impl Planes<'_> {
    /// The plane of a footprint with the blank at a place.
    #[inline(always)]
    pub(crate) fn plane(&self, footprint: Places, blank: u32) -> u32 {
        let (upper, lower) = (footprint >> self.half, footprint & ((1 << self.half) - 1));
        let rank = self.upper[upper as usize] + self.lower[lower as usize];
        let Known(known) = self.known[rank as usize];
        let further = (1 << self.width) - 1;
        let region = (known >> (self.width * blank)) as u32 & further;
        let plane = (known >> 32) as u32;
        if region == further {
            plane + self.footprints.further(footprint, blank)
        } else {
            plane + region
        }
    }
}

impl Footprints {
    /// Those of so many tiles, 1 to 8, on a shape of up to 25 cells. Numbered once, and kept.
    pub(crate) fn shared(shape: Shape, tiles: usize) -> Arc<Self> {
        static KNOWN: Mutex<BTreeMap<(Shape, usize), Arc<Footprints>>> =
            Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let footprints = known.entry((shape, tiles));
        Arc::clone(footprints.or_insert_with(|| Arc::new(Self::new(shape, tiles))))
    }

    fn new(shape: Shape, tiles: usize) -> Self {
        let cells = shape.cells();
        let place_of = space::places(shape);
        let mut beside = vec![0; cells];
        for cell in 0..cells {
            let cells = Move::ALL.into_iter().filter_map(|step| shape.neighbor(cell, step));
            beside[place_of[cell]] = cells.fold(0, |places, cell| places | 1 << place_of[cell]);
        }
        let mut footprints = Self {
            tiles,
            half: cells.div_ceil(2) as u32,
            beside,
            upper: vec![],
            lower: vec![],
            known: vec![],
            width: 32 / cells as u32,
            planes: 0,
            light: 0,
        };
        footprints.number();
        footprints
    }

    fn number(&mut self) {
        let cells = self.beside.len() as u32;
        // Of the places in front, those of equal number are numbered on their own.
        let mut of_count = vec![0; self.half as usize + 1];
        for places in 0..1u32 << self.half {
            let count = &mut of_count[places.count_ones() as usize];
            self.lower.push(*count);
            *count += 1;
        }
        let mut next = 0;
        for places in 0..1u32 << (cells - self.half) {
            self.upper.push(next);
            let rest = (self.tiles as u32).checked_sub(places.count_ones());
            next += rest.and_then(|rest| of_count.get(rest as usize)).unwrap_or(&0);
        }
        self.known = vec![Known(0); next as usize];
        for dark in [false, true] {
            for footprint in self.of_color(dark) {
                let mut known = u64::from(self.planes) << 32;
                let regions = self.regions(footprint);
                for (number, region) in (0..).zip(&regions) {
                    let number = number.min((1 << self.width) - 1);
                    each_place(*region, |place| known |= number << (self.width * place));
                }
                self.planes += regions.len() as u32;
                let rank = self.rank(footprint);
                self.known[rank] = Known(known);
            }
            if !dark {
                self.light = self.planes;
            }
        }
    }

    /// How many tiles there are.
    pub(crate) fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many planes there are.
    pub(crate) fn planes(&self) -> usize {
        self.planes as usize
    }

    /// How many of the planes are light: the first ones.
    pub(crate) fn light_planes(&self) -> usize {
        self.light as usize
    }

    /// The footprints with an odd number of dark places, or with an even one, in the order in which their planes are
    /// numbered.
    fn of_color(&self, dark: bool) -> impl Iterator<Item = Places> + use<> {
        let cells = self.beside.len();
        let first: Places = (1 << self.tiles) - 1;
        let next = move |footprint: &Places| {
            // The next greater number with as many bits.
            let lowest = footprint & footprint.wrapping_neg();
            let carried = footprint + lowest;
            let next = carried | (((footprint ^ carried) >> 2) / lowest);
            Some(next).filter(|next| next >> cells == 0)
        };
        let all = std::iter::successors(Some(first), next);
        all.filter(move |footprint| is_dark(*footprint) == dark)
    }

    /// All planes in their order: a footprint and a region each.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Places, Places)> {
        let footprints = [false, true].into_iter().flat_map(|dark| self.of_color(dark));
        footprints.flat_map(|footprint| {
            self.regions(footprint).into_iter().map(move |region| (footprint, region))
        })
    }

    /// The number of a footprint.
    fn rank(&self, footprint: Places) -> usize {
        let (upper, lower) = (footprint >> self.half, footprint & ((1 << self.half) - 1));
        (self.upper[upper as usize] + self.lower[lower as usize]) as usize
    }

    /// What numbers the planes.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> Planes<'_> {
        let Self { half, width, upper, lower, known, .. } = self;
        Planes { half: *half, width: *width, upper, lower, known, footprints: self }
    }

    /// The plane of a footprint with the blank at a place.
    #[inline(always)]
    pub(crate) fn plane(&self, footprint: Places, blank: u32) -> u32 {
        self.numbers().plane(footprint, blank)
    }

    #[cold]
    fn further(&self, footprint: Places, blank: u32) -> u32 {
        let regions = self.regions(footprint);
        let region = regions.iter().position(|region| region >> blank & 1 == 1);
        region.expect("the blank is where no tile is") as u32
    }

    /// The regions of a footprint, the largest first; of equal ones that with the first place.
    pub(crate) fn regions(&self, footprint: Places) -> Vec<Places> {
        let mut free = !footprint & ((1 << self.beside.len()) - 1);
        let mut regions = vec![];
        while free != 0 {
            let region = self.region(footprint, free.trailing_zeros());
            free &= !region;
            regions.push(region);
        }
        regions.sort_by_key(|region| Reverse(region.count_ones()));
        regions
    }

    /// The region that a place is in.
    pub(crate) fn region(&self, footprint: Places, place: u32) -> Places {
        let mut region = 1 << place;
        let mut fresh = region;
        while fresh != 0 {
            let mut near = 0;
            each_place(fresh, |place| near |= self.beside[place as usize]);
            fresh = near & !region & !footprint;
            region |= fresh;
        }
        region
    }

    /// Calls `each` for every move of a tile to a place in a region: from where to where.
    pub(crate) fn moves(&self, footprint: Places, region: Places, mut each: impl FnMut(u32, u32)) {
        each_place(region, |to| {
            each_place(self.beside[to as usize] & footprint, |from| each(from, to));
        });
    }

    /// The footprint and the arrangement when the tile at one place has gone to another.
    #[inline(always)]
    pub(crate) fn after(
        &self,
        footprint: Places,
        arrangement: Arrangement,
        from: u32,
        to: u32,
    ) -> (Places, Arrangement) {
        let rest = footprint & !(1 << from);
        let missing = (MOST_TILES - self.tiles) as u32;
        let [before, after] = [from, to].map(|place| missing + position(rest, place));
        (rest | 1 << to, arrangement.jump(before, after))
    }
}

/// The position in the arrangement that a tile at a place has: how many lie before it.
#[inline(always)]
pub(crate) fn position(footprint: Places, place: u32) -> u32 {
    (footprint & ((1 << place) - 1)).count_ones()
}

/// Whether an odd number of places is dark.
pub(crate) fn is_dark(footprint: Places) -> bool {
    (footprint & 0xAAAA_AAAA).count_ones() % 2 == 1
}

/// Calls `each` for each of the places.
#[inline(always)]
fn each_place(mut places: Places, mut each: impl FnMut(u32)) {
    while places != 0 {
        each(places.trailing_zeros());
        places &= places - 1;
    }
}
