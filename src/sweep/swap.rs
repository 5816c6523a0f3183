//! The swap: two tiles that lie side by side change places.
//!
//! A move along the snake leaves the arrangement as it is. Any other takes one tile from one end of a window of three
//! or five to the other end (see [`space`](crate::space)), where it passes the others one by one: it is a chain of swaps.
//! So what a swap does to the rank is all that there is to know about moves.
//!
//! Everything here *pulls*: it asks for each place of the target where in the source its contents come from. A swap undoes
//! itself, so the answer is where it would go.
//!
//! # Digits
//!
//! Digit k of an arrangement counts the tiles behind position k that are smaller than the tile there. Swap k
//! exchanges the tiles at the positions k and k + 1. It changes the digits k and k + 1, and what they become depends on
//! these two alone: [`swapped`]. All tiles before and behind see the same tiles as they did.
//!
//! # Words
//!
//! The last five tiles have 120 orders, 60 of them even and 60 odd. Whether the even or the odd ones make a board depends on
//! the tiles in front; either way 60 boards differ in the last five tiles alone, and they are the bits of a word. The digits
//! in front of these five number the words. The *border* lies before position B = tiles - 5:
//!
//! ```text
//!   position      0   1  …  B-3  B-2  B-1 │  B   B+1  B+2  B+3  B+4
//!   radix                      8    7    6 │  5    4    3    2    1
//!   one step is               42    6    1 │ 12    3    1    –    –
//!                                    words │ bits
//! ```
//!
//! So there are three kinds of swap:
//!
//! - In front of the border (k + 1 < B) whole **words** change places. [`rotation`] has a whole chain of them.
//! - Across it (k = B - 1) the two digits have the radices 6 and 5. A value of both is a **field** of twelve bits, one
//!   of five in one of six words. These 30 fields change places, with what is in them: [`swap_fields`].
//! - Behind it (k >= B) the **bits** of each word change places, as [`swap_bits`] has it.
//!
//! # The digit that is not there
//!
//! The digits of an arrangement add up to the number of its inversions, so to an even number if it is even. The
//! rank leaves out the digit of radix 2, at B + 3, which this gives back. (That of radix 1 is always 0.) A swap makes an
//! even arrangement odd and an odd one even. So in the midst of a chain, after an odd number of swaps, a bit stands for the
//! odd arrangement with the same digits but for the one that is left out; and this one is the parity of all the others, the
//! word's number among them, and of the swaps so far.
//!
//! Two swaps have to do with it. The last one, B + 3, exchanges the last two tiles: it changes this digit and no other, so all words
//! stay as they are. The one before, B + 2, takes it into account. Let q be the parity of all that is the same for a
//! word: its own number's digits (those of the block's number, and of its number in the block) and the swaps so far. Then with the
//! digits e, f, g at B, B + 1, B + 2 the missing one is (q + e + f + g) mod 2. Where q + e + f is even, the swap takes g from 0 to 1, from 1
//! to 2 and from 2 to 0; where it is odd, the other way round. So there are two sets of masks, for words with even and with odd q.

/// How many tiles a word is about.
pub(super) const TILES: usize = 5;
/// How many boards a word holds: half of the orders of five tiles.
pub(crate) const BOARDS: usize = 60;
/// How many words swap fields: the radix of the last digit of a word's number.
pub(super) const SIX: usize = 6;
/// How many bits a field has: half of the orders of four tiles.
const FIELD: usize = 12;

/// The position in front of which the border lies, among so many tiles. A move whose window begins behind it changes no
/// word's number.
pub(crate) fn border(tiles: usize) -> usize {
    tiles.saturating_sub(TILES)
}

/// How many words make a block: as many as three digits number. A chain that crosses the border stays in its block if its window
/// begins no more than three positions before, as all do on boards of two or three columns. With four columns, one move has a longer
/// chain, which takes words from several blocks.
pub(crate) const BLOCK: usize = 8 * 7 * SIX;
pub(super) type Block = [u64; BLOCK];

/// What becomes of the digits of two neighbours that change places.
///
/// If the first is the smaller tile, the second also counts all that the first does, so `first <=
/// second`; after the swap it counts the smaller one, too. Otherwise the first has counted the second,
/// and does so no longer. A second swap undoes it.
pub(crate) const fn swapped(first: usize, second: usize) -> (usize, usize) {
    if first <= second { (second + 1, first) } else { (second, first - 1) }
}

/// What the last tile of a window does that jumps to its front: for each number that the window's digits have afterwards,
/// the number that they had before.
///
/// The digits have these radices, which fall by one from each to the next, and number the orders of the window from the first
/// digit on: with the radices 3 and 2, digits 2 and 1 are number 5.
pub(super) fn rotation(radices: &[usize]) -> Vec<u32> {
    let [first, rest @ ..] = radices else { return vec![0] };
    if rest.is_empty() {
        return (0..*first as u32).collect();
    }
    // The jump over the tiles behind the first comes before the swap with it.
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

/// Swaps the last tile before the border with the first behind it.
#[inline(always)]
pub(super) fn swap_fields(words: &mut [u64]) {
    for six in words.chunks_exact_mut(SIX) {
        let after: [u64; SIX] = std::array::from_fn(|word| swap_fields_into(word, six));
        six.copy_from_slice(&after);
    }
}

/// What [`swap_fields`] makes of one of six words.
#[inline(always)]
pub(super) fn swap_fields_into(word: usize, six: &[u64]) -> u64 {
    const MASK: u64 = (1 << FIELD) - 1;
    let mut after = 0;
    for field in 0..TILES {
        // A swap undoes itself: where this field would go is where it comes from.
        let (from, at) = swapped(word, field);
        after |= (six[from] >> (FIELD * at) & MASK) << (FIELD * field);
    }
    after
}

/// Swaps a tile behind the border with the next, in each word of a block: those at `position` and `position + 1`, counted from
/// the border.
///
/// `odd` is all ones if the digits of the block's number and the swaps so far add up to an odd number. Only swap 2 asks for it.
#[inline(always)]
pub(super) fn swap_bits(position: usize, words: &mut [u64], odd: u64) {
    match position {
        0 => shift_bits::<0>(words, odd),
        1 => shift_bits::<1>(words, odd),
        2 => shift_bits::<2>(words, odd),
        // The last two tiles are in no digit that a word knows.
        _ => {}
    }
}

/// [`swap_bits`] with masks and shifts as constants.
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

/// Bits that go the same way.
#[derive(Clone, Copy)]
struct Shift {
    /// How many places up; down, if negative.
    by: isize,
    /// Which bits do where the digits of the word's number and the swaps so far add up to an even number.
    even: u64,
    /// And where to an odd one.
    odd: u64,
}

/// What a swap within a word does to its bits. Eight shifts are the most that it takes.
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
        // With the others that go this way, or in the first place that is free.
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
const ODD: Block = {
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

    /// Every order of so many tiles.
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

    /// How many of the tiles behind each are smaller.
    fn digits(tiles: &[usize]) -> Vec<usize> {
        let smaller = |k| tiles[k..].iter().filter(|tile| **tile < tiles[k]).count();
        (0..tiles.len()).map(smaller).collect()
    }

    #[test]
    fn swapped_is_what_becomes_of_the_digits_of_tiles_that_change_places() {
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
