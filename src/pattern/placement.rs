//! The placement: where the tiles of a pattern are, and how a move changes it.

use crate::{
    index::{
        digits::{Digits, MOST_TILES},
        footprints::{Places, Planes, position},
    },
    pattern::database::PatternTable,
    system::processor,
};

/// The length of arrays over cells, tiles or patterns. An index modulo this power of two needs no bounds check.
pub(super) const PADDED: usize = 32;

/// The places of a pattern's tiles in a view, with the pattern's distance modulo four.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    /// The footprint, and in the two highest bits the distance modulo four.
    places: u32,
    arrangement: Digits,
}

impl Placement {
    const SHIFT: u32 = 30;
    /// A value for arrays, of no pattern.
    pub(super) const NONE: Self = Self { places: 0, arrangement: Digits::SORTED };

    #[inline(always)]
    pub(super) fn new(footprint: Places, arrangement: Digits, modulo: u32) -> Self {
        Self { places: footprint | modulo << Self::SHIFT, arrangement }
    }

    #[inline(always)]
    fn footprint(self) -> Places {
        self.places & ((1 << Self::SHIFT) - 1)
    }

    #[inline(always)]
    fn modulo(self) -> u32 {
        self.places >> Self::SHIFT
    }
}

/// The bits of one pattern, with what a search needs to find them quickly.
#[derive(Clone, Copy)]
pub(super) struct PatternBits<'a> {
    planes: Planes<'a>,
    bytes: &'a [u8],
    /// The number of 64-bit words for each word of an arrangement.
    row: u64,
    /// The number of tiles that the pattern has less than the largest one.
    missing: u32,
}

impl<'a> PatternBits<'a> {
    pub(super) fn new(table: PatternTable<'a>) -> Self {
        let PatternTable { footprints, bytes, row, .. } = table;
        let missing = (MOST_TILES - footprints.tiles()) as u32;
        Self { planes: footprints.numbers(), bytes, row: row as u64, missing }
    }

    /// The placement after the tile at the place `from` has gone to the place `to`, and the number of its bit, which is
    /// prefetched. Until the bit is read, the placement has the distance from before the move.
    #[inline(always)]
    pub(super) fn after(&self, placement: Placement, from: u32, to: u32) -> (Placement, u64) {
        let rest = placement.footprint() & !(1 << from);
        let footprint = rest | 1 << to;
        let (first, last) = (position(rest, from), position(rest, to));
        let mut arrangement = placement.arrangement;
        if first != last {
            arrangement = arrangement.jump(self.missing + first, self.missing + last);
        }
        let plane = 2 * self.planes.plane(footprint, from) + arrangement.parity();
        let word = u64::from(arrangement.word()) * self.row + u64::from(plane);
        if let Some(byte) = self.bytes.get(8 * word as usize) {
            processor::prefetch(byte);
        }
        let bit = 64 * word + u64::from(arrangement.bit());
        (Placement::new(footprint, arrangement, placement.modulo()), bit)
    }

    /// Reads the bit of a placement that [`after`](Self::after) has returned. Returns whether the move made the
    /// distance greater, and the placement with its own distance.
    #[inline(always)]
    pub(super) fn read(&self, placement: Placement, bit: u64) -> (bool, Placement) {
        let byte = self.bytes.get((bit / 8) as usize);
        let set = byte.map_or(0, |byte| u32::from(byte >> (bit % 8) & 1));
        let (before, after) = (placement.modulo(), 2 * set + (placement.modulo() + 1) % 2);
        let placement = Placement::new(placement.footprint(), placement.arrangement, after);
        (after == (before + 1) % 4, placement)
    }
}
