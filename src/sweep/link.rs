//! The link: a move from one plane to another, compiled into operations on words.

use std::ops::Range;

use crate::{
    index::{
        arrangement::Rotation,
        word::{self, BLOCK, SIX, TILES},
    },
    sweep::swap,
};

/// What a move does to the words of a plane.
///
/// A move rotates a window of the arrangement: one tile jumps over the others, [swap](swap) by swap. It is a
/// chain of at most three parts. The swaps in front of the border carry **words** to other places, all of
/// them together as one table says; the one across it moves **fields**; those behind it move **bits**.
/// The parts follow one another in this order where the first tile of the window jumps to its end, and in
/// the opposite one where the last jumps to its front. A move along the snake has none.
#[derive(Debug)]
pub(super) struct Link {
    words: Words,
    fields: bool,
    /// Whether fields move, and words between blocks. No bits do then.
    is_wide: bool,
    /// Which tiles behind the border change places with the one behind them.
    bits: Range<usize>,
    /// Whether the chain begins in front.
    forward: bool,
    /// All ones if an odd number of swaps comes before the one that asks for it, which is that of the third to last
    /// tile.
    odd: u64,
}

/// Where the words of a plane come from.
#[derive(Debug)]
struct Words {
    /// How many lie side by side and stay so.
    run: usize,
    /// For each run of a stretch, which of the source's stretch comes there. The stretches follow one
    /// another through the plane, and no word leaves its own.
    from: Vec<u32>,
}

impl Link {
    /// The link of a move that does this to arrangements of so many tiles.
    ///
    /// `odd` says whether the arrangements are odd from which it leads.
    pub(super) fn new(tiles: usize, rotation: Rotation, odd: bool) -> Self {
        let (window, forward): (Range<usize>, _) = match rotation {
            Rotation::None => (0..0, true),
            Rotation::FrontToLast(window) => (window.start.into()..window.end.into(), true),
            Rotation::LastToFront(window) => (window.start.into()..window.end.into(), false),
        };
        // A swap is known by the position of its first tile.
        let swaps = window.start..window.end.saturating_sub(1);
        let border = word::border(tiles);
        let fields = border > 0 && swaps.contains(&(border - 1));
        // Where there are fewer tiles than a word is about, those that are missing would be in front.
        let behind = |position: usize| position.max(border) + TILES - tiles;
        let asking = tiles.saturating_sub(3);
        let before = match forward {
            true => asking.saturating_sub(swaps.start),
            false => swaps.end.saturating_sub(asking + 1),
        };
        let is_wide = fields && is_wide(window.start, border);
        assert!(!is_wide || behind(swaps.end) == 0, "a wide chain moves bits");
        Self {
            words: Words::new(tiles, border, window.start..window.end.min(border), forward),
            is_wide,
            fields,
            bits: behind(swaps.start)..behind(swaps.end),
            forward,
            odd: if (before % 2 == 1) != odd { u64::MAX } else { 0 },
        }
    }

    /// Adds to the candidates for a block of the target all boards that the move brings there, and says
    /// whether there may be any.
    ///
    /// `source` are the blocks of a plane from the one with the number `first`; `fresh` knows which are there and have
    /// something to give.
    #[inline(always)]
    pub(super) fn carry<const W: usize>(
        &self,
        source: &[[u64; W]],
        first: usize,
        fresh: impl Fn(usize) -> bool,
        block: usize,
        candidates: &mut [u64; W],
    ) -> bool {
        if !self.fields && self.bits.is_empty() {
            let mut any = false;
            self.words.each_run(block * W, candidates, |from, run| {
                if fresh(from / W) {
                    add(run, &source.as_flattened()[from - first * W..][..run.len()]);
                    any = true;
                }
            });
            return any;
        }
        if self.is_wide {
            return self.carry_wide(source, first, fresh, block, candidates);
        }
        // What fields and bits are concerned with stays in the block.
        if !fresh(block) {
            return false;
        }
        let odd = self.odd ^ swap::odd_block(block);
        if self.forward {
            let mut buffer = [0; W];
            let source = &source[block - first];
            self.words.each_run(0, &mut buffer, |from, run| {
                run.copy_from_slice(&source[from..][..run.len()]);
            });
            if self.fields {
                swap::swap_fields(&mut buffer);
            }
            for position in self.bits.clone() {
                swap::swap_bits(position, &mut buffer, odd);
            }
            add(candidates, &buffer);
        } else {
            let mut buffer = source[block - first];
            for position in self.bits.clone().rev() {
                swap::swap_bits(position, &mut buffer, odd);
            }
            if self.fields {
                swap::swap_fields(&mut buffer);
            }
            self.words.each_run(0, candidates, |from, run| {
                add(run, &buffer[from..][..run.len()]);
            });
        }
        true
    }
}

impl Link {
    /// [`carry`](Self::carry) for a chain that crosses the border and takes words from several blocks.
    fn carry_wide<const W: usize>(
        &self,
        source: &[[u64; W]],
        first: usize,
        fresh: impl Fn(usize) -> bool,
        block: usize,
        candidates: &mut [u64; W],
    ) -> bool {
        let source = source.as_flattened();
        let mut any = false;
        if self.forward {
            let mut buffer = [0; W];
            self.words.each_run(block * W, &mut buffer, |from, run| {
                if fresh(from / W) {
                    run[0] = source[from - first * W];
                    any = true;
                }
            });
            swap::swap_fields(&mut buffer);
            add(candidates, &buffer);
        } else {
            self.words.each_run(block * W, candidates, |from, run| {
                if fresh(from / W) {
                    let (number, six) = (from % SIX, from - from % SIX - first * W);
                    run[0] |= swap::swap_fields_into(number, &source[six..][..SIX]);
                    any = true;
                }
            });
        }
        any
    }

    /// The number of blocks among which a move across the border moves words. One shard has to have all of them.
    pub(super) fn grain(tiles: usize, rotation: Rotation) -> usize {
        let border = word::border(tiles);
        match rotation {
            Rotation::FrontToLast(window) | Rotation::LastToFront(window) => {
                let start = usize::from(window.start);
                let crosses = (start..border).contains(&border.saturating_sub(1))
                    && usize::from(window.end) > border;
                let words: usize = (start..border).map(|position| tiles - position).product();
                if crosses && is_wide(start, border) { words / BLOCK } else { 1 }
            }
            Rotation::None => 1,
        }
    }
}

/// Whether a chain that crosses the border begins in front of what numbers the words of a block.
fn is_wide(start: usize, border: usize) -> bool {
    start + 3 < border
}

impl Link {
    /// Whether the move back may lead from a block out of the stretch of `blocks`.
    pub(super) fn leaves(&self, blocks: &Range<usize>, block: usize) -> bool {
        let reached = self.words.run * self.words.from.len() / BLOCK;
        let start = block - block % reached.max(1);
        let stays = blocks.start <= start && start + reached <= blocks.end;
        self.words.from.len() > 1 && reached > 1 && !stays
    }

    /// Calls `take` with each run of a block of the target, and the first word of the source from which it came. The move
    /// back leads there.
    pub(super) fn each_run_back(
        &self,
        block: usize,
        words: &mut [u64; BLOCK],
        take: impl FnMut(usize, &mut [u64]),
    ) {
        self.words.each_run(block * BLOCK, words, take);
    }
}

#[inline(always)]
fn add(candidates: &mut [u64], words: &[u64]) {
    candidates.iter_mut().zip(words).for_each(|(candidate, word)| *candidate |= word);
}

impl Words {
    /// The part of a chain that rotates a window in front of the border.
    fn new(tiles: usize, border: usize, window: Range<usize>, forward: bool) -> Self {
        let window = if window.len() < 2 { 0..0 } else { window };
        let radices: Vec<_> = (0..border).map(|position| tiles - position).collect();
        let run = radices[window.end..].iter().product();
        let back = swap::rotation(&radices[window]);
        let from = if forward { inverse(&back) } else { back };
        Self { run, from }
    }

    /// Shows each run of a block of the target, with the word of the source at which it comes from.
    #[inline(always)]
    fn each_run<const W: usize>(
        &self,
        start: usize,
        block: &mut [u64; W],
        take: impl FnMut(usize, &mut [u64]),
    ) {
        // With a length that is known to the compiler, the short ones take half the time.
        match self.run {
            1 => self.each_run_of(1, start, block, take),
            6 => self.each_run_of(6, start, block, take),
            run => self.each_run_of(run, start, block, take),
        }
    }

    #[inline(always)]
    fn each_run_of<const W: usize>(
        &self,
        run: usize,
        start: usize,
        block: &mut [u64; W],
        mut take: impl FnMut(usize, &mut [u64]),
    ) {
        // A block holds whole stretches, or a stretch whole blocks.
        let stretch = run * self.from.len();
        let offset = start % stretch;
        let mut base = start - offset;
        for part in block.chunks_mut(stretch) {
            let from = &self.from[offset / run..];
            for (words, &from) in part.chunks_exact_mut(run.min(W)).zip(from) {
                take(base + from as usize * run + offset % run, words);
            }
            base += stretch;
        }
    }
}

/// The numbers that undo what these do.
fn inverse(numbers: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; numbers.len()];
    for (to, &from) in (0..).zip(numbers) {
        inverse[from as usize] = to;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{
        index::space::{Space, Step},
        index::word::BOARDS,
        puzzle::{board::Board, shape::Shape},
        system::memory::Memory,
    };

    /// Every move of a shape: the place that the blank comes from, and the step.
    fn moves(space: &Space) -> impl Iterator<Item = (usize, Step)> {
        let from = 0..space.goal().shape().cells();
        from.flat_map(|from| space.steps(from).iter().map(move |step| (from, *step)))
    }

    /// Ranks spread over a plane without a pattern: all of them, where there are few.
    fn ranks(plane: u64, most: u64) -> BTreeSet<u64> {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        if plane <= most {
            return (0..plane).filter(|rank| rank.wrapping_mul(ODD) >> 63 == 0).collect();
        }
        // The first and the last come, too.
        let spread =
            (1..most).map(|n| ((u128::from(n.wrapping_mul(ODD)) * u128::from(plane)) >> 64) as u64);
        spread.chain([0, plane - 1]).collect()
    }

    /// Carries boards over every link of a shape, and holds them against arrangements that are unranked, rotated and
    /// ranked.
    fn compare(shape: Shape, most: u64) {
        let space = Space::new(&Board::in_order(shape, shape.cells() - 1)).unwrap();
        let blocks = space.plane().div_ceil((BLOCK * BOARDS) as u64) as usize;
        for (from, step) in moves(&space) {
            let ranks = ranks(space.plane(), most);
            let mut memory = Memory::sparse((blocks * size_of::<[u64; BLOCK]>()) as u64);
            let source: &mut [[u64; BLOCK]] = bytemuck::cast_slice_mut(&mut memory);
            let mut expected = BTreeMap::new();
            for &rank in &ranks {
                let bit =
                    |rank: u64| ((rank / BOARDS as u64) as usize, 1u64 << (rank % BOARDS as u64));
                let (word, mask) = bit(rank);
                source[word / BLOCK][word % BLOCK] |= mask;
                let (word, mask) = bit(space.rank(space.unrank(rank).rotated(step.rotation)));
                let block = expected.entry(word / BLOCK).or_insert([0; BLOCK]);
                block[word % BLOCK] |= mask;
            }
            let link = Link::new(shape.cells() - 1, step.rotation, false);
            // Of many blocks, those where nothing comes are too many to look at.
            let looked_at: Vec<_> = if blocks < 10 {
                (0..blocks).collect()
            } else {
                expected.keys().copied().collect()
            };
            // The later half alone, as another machine may have it.
            let half = blocks / 2;
            for block in looked_at.iter().copied().filter(|block| *block >= half) {
                let [mut by_half, mut by_fresh] = [[0; BLOCK]; 2];
                link.carry(&source[half..], half, |block| block >= half, block, &mut by_half);
                link.carry(source, 0, |block| block >= half, block, &mut by_fresh);
                assert!(by_half == by_fresh, "{shape}, place {from}, {step:?}, block {block}");
            }
            for block in looked_at {
                let mut candidates = [0; BLOCK];
                link.carry(source, 0, |_| true, block, &mut candidates);
                let expected = expected.get(&block).unwrap_or(&[0; BLOCK]);
                assert!(candidates == *expected, "{shape}, place {from}, {step:?}, block {block}");
            }
            // From some blocks alone comes what would come if the others were empty.
            if blocks < 10 {
                let mut some = source.to_vec();
                some.iter_mut().skip(1).step_by(2).for_each(|block| *block = [0; BLOCK]);
                for block in 0..blocks {
                    let [mut by_fresh, mut by_empty] = [[0; BLOCK]; 2];
                    link.carry(source, 0, |block| block % 2 == 0, block, &mut by_fresh);
                    link.carry(&some, 0, |_| true, block, &mut by_empty);
                    assert!(by_fresh == by_empty, "{shape}, place {from}, {step:?}, block {block}");
                }
            }
            let stale = link.carry(source, 0, |_| false, 0, &mut [0; BLOCK]);
            assert!(!stale, "nothing comes from blocks that are not fresh");
        }
    }

    #[test]
    fn links_carry_boards_as_moves_do_on_every_shape_up_to_ten_cells() {
        for shape in (4..=10).flat_map(Shape::with_cells).filter(|shape| *shape == shape.tall()) {
            compare(shape, u64::MAX);
        }
    }

    #[test]
    fn links_carry_boards_as_moves_do_on_twelve_to_sixteen_cells() {
        let shapes = ["4x3", "6x2", "7x2", "5x3", "8x2", "4x4"];
        for (shape, most) in shapes.into_iter().zip([20_000, 20_000, 300, 300, 300, 3000]) {
            compare(shape.parse().unwrap(), most);
        }
    }
}
