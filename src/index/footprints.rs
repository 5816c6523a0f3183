//! The index of a pattern: a numbering of all its states, where only the blank and the tiles of the pattern are known.
//!
//! Places are numbered along the snake (`snake.rs`). A state of a pattern is then
//!
//! - the *footprint*: the places of the tiles;
//! - the *region* of the blank: the places that it can reach without moving one of these tiles;
//! - the *arrangement*: the tiles in the order of the snake, kept as its digits (`digits.rs`).
//!
//! ```text
//!   . 2 . .      The tiles 2, 5 and 6. Two of them cut off the corner, so this footprint has
//!   5 6 . .      two regions, and the pattern two planes for it, of 3! arrangements each.
//!   . . . .
//!   . . . .
//! ```
//!
//! Moves of the blank within its region do not count; only moves of the pattern's tiles do. So a footprint with a
//! region is a *plane*, as the place of the blank is in a [`Space`](crate::index::Space). A move of a tile leads from plane
//! to plane, and does the same to all arrangements: the tile jumps over those between its old place and its new one
//! along the snake.
//!
//! On a chequered board a move takes a tile to a cell of the other colour. So the number of tiles on dark cells tells
//! the parity of the distance, and planes are light or dark. The light planes are numbered before the dark ones.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    index::{
        digits::{Digits, MOST_TILES},
        snake,
    },
    puzzle::{moves::Move, shape::Shape},
};

/// The most cells of a shape.
pub(crate) const MOST_CELLS: usize = 25;

/// A bit for each place of the snake.
pub(crate) type Places = u32;

/// The footprints of a number of tiles on a shape, and the numbering of their planes.
#[derive(Debug)]
pub(crate) struct Footprints {
    tiles: usize,
    /// The number of places in the lower half. A footprint is ranked by its upper half, and then by its lower one.
    half: u32,
    /// For each place, the places beside it.
    beside: Vec<Places>,
    /// The rank of a footprint is the sum of two numbers: one for its upper half, and one for its lower half.
    upper: Vec<u32>,
    lower: Vec<u32>,
    /// The planes of each footprint, by its rank.
    known: Vec<Known>,
    /// The number of bits for the region of a place. The greatest number stands for that region and all further ones.
    width: u32,
    /// The number of planes, and how many of them are light.
    planes: u32,
    light: u32,
}

/// The planes of a footprint: the number of the first in the upper half, and the region of each place in the lower.
#[derive(Clone, Copy, Debug)]
struct Known(u64);

/// The numbers of planes, as a value that a hot loop can hold in registers.
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
    /// The footprints of 1 to 8 tiles on a shape of up to 25 cells. They are numbered once, and kept.
    pub(crate) fn shared(shape: Shape, tiles: usize) -> Arc<Self> {
        static KNOWN: Mutex<BTreeMap<(Shape, usize), Arc<Footprints>>> =
            Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let footprints = known.entry((shape, tiles));
        Arc::clone(footprints.or_insert_with(|| Arc::new(Self::new(shape, tiles))))
    }

    fn new(shape: Shape, tiles: usize) -> Self {
        let cells = shape.cells();
        let place_of = snake::places(shape);
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
        // Lower halves with equally many tiles are numbered from 0.
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

    /// The number of tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.tiles
    }

    /// The number of planes.
    pub(crate) fn planes(&self) -> usize {
        self.planes as usize
    }

    /// The number of light planes, which are the first ones.
    pub(crate) fn light_planes(&self) -> usize {
        self.light as usize
    }

    /// The dark or the light footprints, in the order of their planes.
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

    /// All planes in order: the footprint and the region of each.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Places, Places)> {
        let footprints = [false, true].into_iter().flat_map(|dark| self.of_color(dark));
        footprints.flat_map(|footprint| {
            self.regions(footprint).into_iter().map(move |region| (footprint, region))
        })
    }

    /// The rank of a footprint.
    fn rank(&self, footprint: Places) -> usize {
        let (upper, lower) = (footprint >> self.half, footprint & ((1 << self.half) - 1));
        (self.upper[upper as usize] + self.lower[lower as usize]) as usize
    }

    /// The numbers of all planes.
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

    /// The regions of a footprint, the largest first. Regions of equal size are in the order of their first places.
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

    /// The region of a place.
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

    /// Calls `each` with the old and the new place of every move of a tile into a region.
    pub(crate) fn moves(&self, footprint: Places, region: Places, mut each: impl FnMut(u32, u32)) {
        each_place(region, |to| {
            each_place(self.beside[to as usize] & footprint, |from| each(from, to));
        });
    }

    /// The footprint and the digits after the tile at one place has gone to another.
    #[inline(always)]
    pub(crate) fn after(
        &self,
        footprint: Places,
        digits: Digits,
        from: u32,
        to: u32,
    ) -> (Places, Digits) {
        let rest = footprint & !(1 << from);
        let missing = (MOST_TILES - self.tiles) as u32;
        let [before, after] = [from, to].map(|place| missing + position(rest, place));
        (rest | 1 << to, digits.jump(before, after))
    }
}

/// The position in the arrangement of a tile at a place: the number of tiles before it.
#[inline(always)]
pub(crate) fn position(footprint: Places, place: u32) -> u32 {
    (footprint & ((1 << place) - 1)).count_ones()
}

/// Whether a footprint is dark: an odd number of its places is.
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
