//! The arrangement: the tiles of a board in the order of the snake, without the blank.
//!
//! Tiles are known by their labels: at the goal they lie in the order 0, 1, 2, …

/// How many labels there are: each has four bits of a word.
pub(super) const LABELS: usize = 16;

/// Four bits for each label: how many of the labels below it are still to be placed.
pub(super) const SMALLER: u64 = 0xFEDC_BA98_7654_3210;
/// Shifted to a label that is placed, this subtracts one from all labels above it.
pub(super) const PLACED: u64 = 0x1111_1111_1111_1110;

/// The labels of the tiles in the order of the snake. Each has four bits; the first tile has the lowest ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrangement(u64);

impl Arrangement {
    /// The arrangement of these labels, from the last position to the first.
    pub(super) fn from_last(labels: impl Iterator<Item = u8>) -> Self {
        Self(labels.fold(0, |labels, label| labels << 4 | u64::from(label)))
    }

    /// The label of the tile at a position.
    pub(super) fn label(self, position: usize) -> u8 {
        (self.0 >> (4 * position) & 15) as u8
    }

    /// The arrangement after a rotation.
    #[inline]
    pub(crate) fn rotated(self, rotation: Rotation) -> Self {
        let (window, by) = match rotation {
            Rotation::None => return self,
            Rotation::LastToFront(window) => (window, 1),
            Rotation::FrontToLast(window) => (window, window.end - window.start - 1),
        };
        let (shift, bits, by) = (4 * window.start, 4 * (window.end - window.start), 4 * by);
        let mask = (1 << bits) - 1;
        let tiles = self.0 >> shift & mask;
        let turned = tiles << by | tiles >> (bits - by);
        Self(self.0 & !(mask << shift) | (turned & mask) << shift)
    }
}

/// What a move does to an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// Nothing changes: the blank went along the snake.
    None,
    /// The last tile of the window jumps to its front: the blank went down the snake.
    LastToFront(Window),
    /// The first tile of the window jumps to its end: the blank went up the snake.
    FrontToLast(Window),
}

/// The positions `start..end` of an arrangement. Two bytes, so that the steps of a space share cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) start: u8,
    pub(crate) end: u8,
}

/// The ranking of even arrangements of `tiles` tiles, by the weights of their digits.
///
/// Digit k of an arrangement counts the tiles behind position k that are smaller than the tile there. Its radix
/// is `tiles - k`, and its weight in the lexicographic rank is `(tiles - 1 - k)!`. Half the rank has half the
/// weights. This drops the digit of radix 2. The parity of the arrangement gives it back, since the sum of all
/// digits is the number of inversions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) tiles: usize,
    /// For each digit k half of `(tiles - 1 - k)!`, and 0 for the last two digits.
    pub(super) half: [u64; LABELS],
}

impl Weights {
    /// The weights for arrangements of `tiles` tiles, from 3 to 15.
    pub(super) fn new(tiles: usize) -> Self {
        let mut half = [0; LABELS];
        let mut weight = 1;
        for k in (0..tiles - 2).rev() {
            half[k] = weight;
            weight *= (tiles - k) as u64;
        }
        Self { tiles, half }
    }

    /// The number of even arrangements: `tiles! / 2`.
    pub(super) fn even(&self) -> u64 {
        self.half[0] * self.tiles as u64
    }

    /// Half the lexicographic rank of an even arrangement.
    #[inline]
    pub(super) fn rank(&self, arrangement: Arrangement) -> u64 {
        // The sizes that are ranked most have loops of a constant length, as in `Space::index`.
        match self.tiles {
            8 => Self::sum(&self.half[..6], arrangement),
            11 => Self::sum(&self.half[..9], arrangement),
            13 => Self::sum(&self.half[..11], arrangement),
            tiles => Self::sum(&self.half[..tiles - 2], arrangement),
        }
    }

    /// The sum of the digits times their weights.
    #[inline(always)]
    fn sum(weights: &[u64], arrangement: Arrangement) -> u64 {
        let mut smaller = SMALLER;
        let mut labels = arrangement.0;
        let mut rank = 0;
        for &weight in weights {
            let shift = 4 * (labels & 15);
            labels >>= 4;
            rank += (smaller >> shift & 15) * weight;
            smaller -= PLACED << shift;
        }
        rank
    }

    /// The even arrangement whose lexicographic rank is `2 * rank` or one more.
    pub(super) fn unrank(&self, mut rank: u64) -> Arrangement {
        // The labels that are still to be placed, in ascending order, with four bits each.
        let mut rest = SMALLER;
        let mut arrangement = 0;
        let mut inversions = 0;
        for k in 0..self.tiles {
            let digit = match self.half[k] {
                0 if k + 2 == self.tiles => inversions % 2,
                0 => 0,
                weight => {
                    let digit = rank / weight;
                    rank %= weight;
                    digit
                }
            };
            inversions += digit;
            let below = (1 << (4 * digit)) - 1;
            arrangement |= (rest >> (4 * digit) & 15) << (4 * k);
            rest = rest & below | rest >> 4 & !below;
        }
        Arrangement(arrangement)
    }
}
