//! The swap: two neighbouring tiles change places.
//!
//! A move along the snake does not change the arrangement. Any other move takes one tile from one end of a window of
//! the arrangement to the other end (see [`space`](crate::index::space)), where it passes the other tiles one by one:
//! the move is a chain of swaps. So the effect of a swap on the rank explains all moves.
//!
//! Every function here *pulls*: for each place of the target it asks where in the source the contents come from. A swap
//! undoes itself, so the answer is also where the contents would go.
//!
//! # Three kinds of swap
//!
//! Swap k exchanges the tiles at the positions k and k + 1. It changes the digits k and k + 1, and depends on these two
//! alone: [`swapped`]. All tiles before and behind have the same digits as before. With the border at B = tiles - 5
//! (see `index/word.rs`) there are three kinds:
//!
//! - In front of the border (k + 1 < B) whole **words** change places. [`rotation`] computes a whole chain of these
//!   swaps.
//! - Across the border (k = B - 1) the two digits have the radices 6 and 5. Each pair of values is a **field** of
//!   twelve bits: one of five fields in one of six words. These 30 fields change places as they are: [`swap_fields`].
//! - Behind the border (k >= B) the **bits** of each word change places: [`swap_bits`].
//!
//! # The digit that is not stored
//!
//! The digits of an arrangement add up to the number of its inversions, which is even for an even arrangement. The
//! halved rank leaves out the digit of radix 2, at B + 3, since parity gives it back. (The digit of radix 1 is always
//! 0.) A swap makes an even arrangement odd and an odd one even. So after an odd number of swaps in a chain, a bit
//! stands for the odd arrangement with the same stored digits. The missing digit is then the parity of all stored
//! digits, the digits of the word's number included, and of the number of swaps so far.
//!
//! Two swaps involve the missing digit. The last one, B + 3, exchanges the last two tiles. It changes this digit and
//! no other, so all words stay as they are. The one before, B + 2, depends on it. Let q be the parity of all that is
//! the same for a whole word: the digits of the block's number and of the word's number in the block, and the swaps so
//! far. With the digits e, f, g at B, B + 1, B + 2 the missing digit is (q + e + f + g) mod 2. Where q + e + f is
//! even, the swap takes g from 0 to 1, from 1 to 2 and from 2 to 0. Where it is odd, the swap goes the other way
//! round. So there are two sets of masks, one for words with even q and one for words with odd q.

use crate::index::word::{BLOCK, BOARDS, SIX, TILES, swapped};

/// The number of bits of a field: half of the orders of four tiles.
const FIELD: usize = 12;

/// The effect of a jump of the last tile of a window to its front: for each number of the window's digits after the
/// jump, the number before it.
///
/// `radices` are those of the window's digits, which fall by one from each to the next. The first digit counts most:
/// with the radices 3 and 2, the digits 2 and 1 are number 5.
pub(super) fn rotation(radices: &[usize]) -> Vec<u32> {
    let [first, rest @ ..] = radices else { return vec![0] };
    if rest.is_empty() {
        return (0..*first as u32).collect();
    }
    // The jump over the tiles behind the first one comes before the swap with the first.
    let inner = rotation(rest);
    let (outer, below) = (inner.len(), inner.len() / rest[0]);
    let mut numbers = Vec::with_capacity(first * outer);
    for a in 0..*first {
        for b in 0..rest[0] {
            let (a, b) = swapped(a, b);
            numbers.extend(inner[b * below..][..below].iter().map(|n| (a * outer) as u32 + n));
        }
    }
    numbers
}

/// Swaps the last tile before the border with the first tile behind it.
#[inline(always)]
pub(super) fn swap_fields(words: &mut [u64]) {
    for six in words.chunks_exact_mut(SIX) {
        let after: [u64; SIX] = std::array::from_fn(|word| swap_fields_into(word, six));
        six.copy_from_slice(&after);
    }
}

/// One of six words after [`swap_fields`].
#[inline(always)]
pub(super) fn swap_fields_into(word: usize, six: &[u64]) -> u64 {
    const MASK: u64 = (1 << FIELD) - 1;
    let mut after = 0;
    for field in 0..TILES {
        // A swap undoes itself: this field comes from where it would go.
        let (from, at) = swapped(word, field);
        after |= (six[from] >> (FIELD * at) & MASK) << (FIELD * field);
    }
    after
}

/// Swaps the tiles at `position` and `position + 1` behind the border, in each word of a block.
///
/// `odd` is all ones if the digits of the block's number and the swaps so far add up to an odd number. Only the swap at
/// position 2 uses it.
#[inline(always)]
pub(super) fn swap_bits(position: usize, words: &mut [u64], odd: u64) {
    match position {
        0 => shift_bits::<0>(words, odd),
        1 => shift_bits::<1>(words, odd),
        2 => shift_bits::<2>(words, odd),
        // A swap of the last two tiles changes the missing digit alone.
        _ => {}
    }
}

/// [`swap_bits`] with constant masks and shifts.
#[inline(always)]
fn shift_bits<const POSITION: usize>(words: &mut [u64], odd: u64) {
    for (word, in_block) in words.iter_mut().zip(&ODD) {
        let odd = odd ^ in_block;
        let mut after = 0;
        for shift in const { &shifts(POSITION) } {
            let bits = *word & (shift.even ^ (odd & (shift.even ^ shift.odd)));
            after |= if shift.by < 0 { bits >> -shift.by } else { bits << shift.by };
        }
        *word = after;
    }
}

/// Bits that move by the same distance.
#[derive(Clone, Copy)]
struct Shift {
    /// The number of places upwards, or downwards if negative.
    by: isize,
    /// The bits that move if the digits of the word's number and the swaps so far add up to an even number.
    even: u64,
    /// The bits that move if they add up to an odd number.
    odd: u64,
}

/// The effect on the bits of a word of a swap within it. No swap has more than eight shifts.
const fn shifts(position: usize) -> [Shift; 8] {
    let mut shifts = [Shift { by: 0, even: 0, odd: 0 }; 8];
    let mut bit = 0;
    while bit < 2 * BOARDS {
        let (before, odd) = (bit % BOARDS, bit / BOARDS);
        let mut digits = [before / 12, before / 3 % 4, before % 3, 0];
        digits[3] = (digits[0] + digits[1] + digits[2] + odd) % 2;
        let [first, second] = [digits[position], digits[position + 1]];
        (digits[position], digits[position + 1]) = swapped(first, second);
        let after = 12 * digits[0] + 3 * digits[1] + digits[2];
        let by = after as isize - before as isize;
        // The entry of this distance, or the first free one.
        let mut at = 0;
        while shifts[at].by != by && shifts[at].even | shifts[at].odd != 0 {
            at += 1;
        }
        shifts[at].by = by;
        if odd == 0 {
            shifts[at].even |= 1 << before;
        } else {
            shifts[at].odd |= 1 << before;
        }
        bit += 1;
    }
    shifts
}

/// All ones for each word of a block whose digits add up to an odd number.
const ODD: [u64; BLOCK] = {
    let mut odd = [0; BLOCK];
    let mut word = 0;
    while word < BLOCK {
        if (word / (7 * SIX) + word / SIX % 7 + word % SIX) % 2 == 1 {
            odd[word] = u64::MAX;
        }
        word += 1;
    }
    odd
};

/// All ones if the digits of a block's number add up to an odd number.
pub(super) fn odd_block(mut block: usize) -> u64 {
    let mut sum = 0;
    for radix in 9.. {
        if block == 0 {
            break;
        }
        sum += block % radix;
        block /= radix;
    }
    if sum % 2 == 1 { u64::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of a number of tiles.
    fn arrangements(tiles: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![]];
        for tile in 0..tiles {
            let longer = |tiles: &Vec<usize>| {
                let with = |at| [&tiles[..at], &[tile], &tiles[at..]].concat();
                (0..=tiles.len()).map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// For each tile, the number of smaller tiles behind it.
    fn digits(tiles: &[usize]) -> Vec<usize> {
        let smaller = |k| tiles[k..].iter().filter(|tile| **tile < tiles[k]).count();
        (0..tiles.len()).map(smaller).collect()
    }

    #[test]
    fn swapped_gives_the_digits_after_two_tiles_have_changed_places() {
        for tiles in arrangements(6) {
            for k in 0..5 {
                let mut after = tiles.clone();
                after.swap(k, k + 1);
                let (before, mut expected) = (digits(&tiles), digits(&tiles));
                (expected[k], expected[k + 1]) = swapped(before[k], before[k + 1]);
                assert_eq!(digits(&after), expected, "{tiles:?}, {k}");
            }
        }
    }

    #[test]
    fn rotation_numbers_the_arrangements_before_a_jump_to_the_front() {
        for length in 2..6 {
            let arrangements = arrangements(6);
            let number = |tiles: &[usize]| {
                digits(tiles).iter().zip((1..=6).rev()).take(length).fold(0, |n, (d, r)| n * r + d)
            };
            let radices: Vec<_> = (1..=6).rev().take(length).collect();
            let numbers = rotation(&radices);
            for before in &arrangements {
                let mut after = before.clone();
                after[..length].rotate_right(1);
                assert_eq!(numbers[number(&after)] as usize, number(before), "{before:?}");
            }
        }
    }
}
