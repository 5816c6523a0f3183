//! The digits: the arrangement of the tiles of a pattern.

use crate::index::word::{self, BOARDS};

/// The most tiles of a pattern: the arrangements of either parity fill a block of words.
pub(crate) const MOST_TILES: usize = 8;

/// The arrangement of up to eight tiles, as the digits of its rank.
///
/// Each digit has four bits; the first has the lowest ones. Where there are fewer than eight tiles, the digits in front
/// are 0. So the position of the last tile is always 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Digits(u32);

/// For each pair of neighbouring digits, of four bits each, the pair after their tiles have changed places.
static SWAPPED: [u8; 256] = {
    let mut swapped = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        if let (first @ 0..=7, second @ 0..=7) = (pair % 16, pair / 16) {
            let (first, second) = word::swapped(first, second);
            swapped[pair] = (second * 16 + first) as u8;
        }
        pair += 1;
    }
    swapped
};

impl Digits {
    /// The digits of the tiles in ascending order.
    pub(crate) const SORTED: Self = Self(0);

    /// The digits of these tiles, which are eight at most.
    pub(crate) fn new(tiles: &[u8]) -> Self {
        let digit = |k: usize| tiles[k..].iter().filter(|tile| **tile < tiles[k]).count() as u32;
        let missing = MOST_TILES - tiles.len();
        Self((0..tiles.len()).fold(0, |digits, k| digits | digit(k) << (4 * (missing + k))))
    }

    /// The digits after the tile at one position has jumped to another.
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

    /// The digit at a position.
    fn digit(self, position: usize) -> usize {
        (self.0 >> (4 * position) & 15) as usize
    }

    /// 1 if the arrangement is an odd permutation, else 0.
    #[inline(always)]
    pub(crate) fn parity(self) -> u32 {
        (self.0 & 0x1111_1111).count_ones() % 2
    }

    /// The number of the word: the first three digits.
    #[inline(always)]
    pub(crate) fn word(self) -> u32 {
        42 * (self.0 & 15) + 6 * (self.0 >> 4 & 15) + (self.0 >> 8 & 15)
    }

    /// The bit in the word: the next three digits.
    #[inline(always)]
    pub(crate) fn bit(self) -> u32 {
        12 * (self.0 >> 12 & 15) + 3 * (self.0 >> 16 & 15) + (self.0 >> 20 & 15)
    }

    /// The number among all arrangements, first of the even ones and then of the odd ones. Each parity has room for
    /// `room` arrangements.
    pub(crate) fn number(self, room: usize) -> usize {
        self.parity() as usize * room + self.word() as usize * BOARDS + self.bit() as usize
    }

    /// The tiles in the order of the snake, as numbers from 0.
    pub(crate) fn labels(self, tiles: usize) -> Vec<u8> {
        let mut rest: Vec<_> = (0..tiles as u8).collect();
        let digits = (MOST_TILES - tiles..MOST_TILES).map(|position| self.digit(position));
        digits.map(|digit| rest.remove(digit)).collect()
    }

    /// All arrangements of `tiles` tiles.
    pub(crate) fn all(tiles: usize) -> Vec<Self> {
        let mut all = vec![vec![]];
        for tile in 0..tiles as u8 {
            let longer = |order: &Vec<u8>| {
                let with = |at: usize| [&order[..at], &[tile], &order[at..]].concat();
                (0..=order.len()).map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.iter().map(|order| Self::new(order)).collect()
    }
}
