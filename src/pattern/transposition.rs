//! The transposition table: boards that a search within a bound has met.

use std::mem;

use crate::pattern::placement::PADDED;

/// The key of a board: five bits for each of the first 24 cells, which determine the last cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

/// For each cell, the key of a board with tile 1 there and the blank in all other cells.
static KEYS: [[u64; 2]; PADDED] = {
    let mut keys = [[0; 2]; PADDED];
    let mut cell = 0;
    while cell < 24 {
        keys[cell][cell / 12] = 1 << (5 * (cell % 12));
        cell += 1;
    }
    keys
};

impl Key {
    /// The key of a board with these tiles.
    pub(super) fn new(tiles: &[u8; PADDED]) -> Self {
        let add = |sum: [u64; 2], (tile, key): (&u8, &[u64; 2])| {
            [0, 1].map(|n| sum[n] ^ (u64::from(*tile) * key[n]))
        };
        Self(tiles.iter().zip(&KEYS).fold([0; 2], add))
    }

    /// The key after the tile and the blank, which are in these two cells, have changed places.
    #[inline(always)]
    pub(super) fn after(self, tile: u8, cells: [u8; 2]) -> Self {
        let [one, other] = cells.map(|cell| KEYS[usize::from(cell) % PADDED]);
        Self([0, 1].map(|n| self.0[n] ^ (u64::from(tile) * (one[n] ^ other[n]))))
    }
}

/// A board that was met.
#[derive(Clone, Copy)]
struct Visit {
    key: Key,
    /// The number of moves to it.
    g: u8,
    /// Its slack: how far its values of f are below the bound, as a sum.
    slack: u8,
}

/// Some of the boards that were met. A board that is met again, by as many moves or more, need not be searched again.
///
/// Two boards are kept of all that have the same place in the table: the one with the greatest slack, whose subtree is
/// the largest, and the last one.
///
/// A. Reinefeld and T. A. Marsland, *Enhanced iterative-deepening search*, IEEE Transactions on Pattern Analysis and
/// Machine Intelligence 16, 1994.
pub(super) struct TranspositionTable {
    places: Vec<[Visit; 2]>,
}

impl TranspositionTable {
    /// The logarithm of the number of places. The table fits in the nearer caches, beside the other data of a search.
    const PLACES_LOG: u32 = 11;

    pub(super) fn new() -> Self {
        let none = Visit { key: Key([0; 2]), g: 0, slack: 0 };
        Self { places: vec![[none; 2]; 1 << Self::PLACES_LOG] }
    }

    /// A table that keeps no board, for a search that has to find all paths.
    pub(super) fn disabled() -> Self {
        Self { places: vec![] }
    }

    /// Whether a board was met by at most `g` moves. If it was not, it is added.
    #[inline(always)]
    pub(super) fn meet(&mut self, key: Key, g: u8, slack: u8) -> bool {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let hash = (key.0[0] ^ key.0[1].rotate_left(29)).wrapping_mul(ODD);
        let place = self.places.get_mut((hash >> (64 - Self::PLACES_LOG)) as usize);
        let Some([first, last]) = place else { return false };
        if first.key == key && first.g <= g || last.key == key && last.g <= g {
            return true;
        }
        let now = Visit { key, g, slack };
        *last = if slack < first.slack { now } else { mem::replace(first, now) };
        false
    }
}
