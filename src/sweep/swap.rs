//! The swap: two tiles that lie side by side change places.
//!
//! Every move is a chain of swaps: a tile that jumps over a window of others passes them one by one.
//! So what a swap does to the rank is all that there is to know about moves.
//!
//! Digit k of an arrangement counts the tiles behind position k that are smaller than the tile there.
//! A swap of the positions k and k + 1 changes the digits k and k + 1, and what they become depends on
//! these two alone: [`swapped`]. All tiles before and behind see the same tiles as they did.
//!
//! The last five tiles have 60 even orders, which are the bits of a word; the digits before them count
//! words. So there are three kinds of swap, by where k lies:
//!
//! ```text
//!   digit   0   1  …   B-2  B-1 │  B   B+1  B+2  B+3  B+4        B = tiles - 5
//!   radix                7    6 │  5    4    3    2    1
//!                               │
//!   counts     whole words      │ 12    3    1    –    –  bits
//!            └────┬───────────┘ │ └─────────┬──────────┘
//!               words         fields      bits
//! ```
//!
//! - Both in front of the border: whole **words** change places ([`rotation`]).
//! - One on either side: the radices are 6 and 5, and the 30 **fields** of twelve bits in six words change
//!   places, with what is in them: [`swap_fields`].
//! - Both behind it: the **bits** of each word change places, as [`swap_bits`] has it.
//!
//! The digit of radix 2 is not in the rank. It is what makes the sum of all digits even, as that sum is
//! the number of inversions. Two swaps touch it. That of the last two tiles changes nothing else, so it
//! leaves every word as it is. That of the third and second to last depends on it, and so on whether the
//! digits of the word's number add up to an even or an odd number.

/// How many tiles a word is about.
pub(crate) const TILES: usize = 5;
/// How many boards a word holds: the even orders of five tiles.
pub(crate) const BOARDS: usize = 60;
/// How many words swap fields: the radix of the last digit of a word's number.
const SIX: usize = 6;
/// How many bits a field has: the even orders of four tiles.
const FIELD: usize = 12;

/// How many words make a block: as many as three digits count. No swap of fields or bits leaves a block,
/// nor does any chain that goes on from there over two more tiles.
pub(super) const BLOCK: usize = 8 * 7 * SIX;
pub(super) type Block = [u64; BLOCK];

/// What becomes of the digits of two neighbours that change places.
///
/// If the first is the smaller tile, the second also counts all that the first does, so `first <=
/// second`; after the swap it counts the smaller one, too. Otherwise the first has counted the second,
/// and does so no longer. A second swap undoes it.
pub(super) const fn swapped(first: usize, second: usize) -> (usize, usize) {
    if first <= second { (second + 1, first) } else { (second, first - 1) }
}

/// For each number of the digits with these radices, the number that it had before the last of their
/// tiles jumped to the front.
///
/// The radices fall by one from digit to digit.
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
pub(super) fn swap_fields(words: &mut Block) {
    const MASK: u64 = (1 << FIELD) - 1;
    for six in words.chunks_exact_mut(SIX) {
        let mut after = [0; SIX];
        for (word, after) in after.iter_mut().enumerate() {
            for field in 0..TILES {
                let (from, at) = swapped(word, field);
                *after |= (six[from] >> (FIELD * at) & MASK) << (FIELD * field);
            }
        }
        six.copy_from_slice(&after);
    }
}

/// Swaps a tile behind the border with the one behind it, in each word of a block.
///
/// `odd` is all ones if the digits of the block's number and the swaps so far add up to an odd number.
#[inline(always)]
pub(super) fn swap_bits(position: usize, words: &mut Block, odd: u64) {
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
fn shift_bits<const POSITION: usize>(words: &mut Block, odd: u64) {
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
    /// Which bits do in words whose number has an even sum of digits.
    even: u64,
    /// And in the others.
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
