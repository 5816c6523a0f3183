//! The word: sixty arrangements that differ in the order of their last five tiles alone.
//!
//! Digit k of an arrangement counts the tiles behind position k that are smaller than the tile there. The digits are
//! those of the lexicographic rank.
//!
//! The last five tiles have 120 orders, of which 60 are even and 60 odd. The tiles in front decide whether the even or
//! the odd orders make the whole arrangement even. So 60 even arrangements differ in the last five tiles alone: they
//! are the bits of a word. The digits in front of these five number the words. The *border* lies before position
//! B = tiles - 5:
//!
//! ```text
//!   position      0   1  …  B-3  B-2  B-1 │  B   B+1  B+2  B+3  B+4
//!   radix                      8    7    6 │  5    4    3    2    1
//!   one step is               42    6    1 │ 12    3    1    –    –
//!                                    words │ bits
//! ```

/// The number of tiles behind the border.
pub(crate) const TILES: usize = 5;
/// The number of arrangements in a word: half of the orders of five tiles.
pub(crate) const BOARDS: usize = 60;
/// The number of words that differ in their last digit alone.
pub(crate) const SIX: usize = 6;
/// The number of words in a block: three digits number them.
pub(crate) const BLOCK: usize = 8 * 7 * SIX;

/// The position of the first tile behind the border, among `tiles` tiles. A move whose window begins behind the
/// border leaves each board in its word.
pub(crate) fn border(tiles: usize) -> usize {
    tiles.saturating_sub(TILES)
}

/// The number of words that the even arrangements of `tiles` tiles fill. The odd ones fill as many.
pub(crate) fn words(tiles: usize) -> usize {
    (TILES + 1..=tiles).product()
}

/// The numbers of even and of odd arrangements of `tiles` tiles.
pub(crate) fn arrangements(tiles: usize) -> [u64; 2] {
    if tiles == 1 { [1, 0] } else { [(3..=tiles as u64).product(); 2] }
}

/// The digits of two neighbouring tiles after these tiles have changed places.
///
/// If the first tile is the smaller one, the second tile counts all that the first does, so `first <= second`. After
/// the swap it also counts the smaller tile. Otherwise the first tile has counted the second, and no longer does. A
/// second swap undoes the first.
pub(crate) const fn swapped(first: usize, second: usize) -> (usize, usize) {
    if first <= second { (second + 1, first) } else { (second, first - 1) }
}
