//! The link: a move from one plane to another, compiled to operations on words.

use std::ops::Range;

use crate::{
    index::{
        arrangement::Rotation,
        word::{self, BLOCK, SIX, TILES},
    },
    sweep::swap,
};

/// The effect of a move on the words of a plane.
///
/// A move rotates a window of the arrangement: one tile jumps over the others, [swap](swap) by swap. This chain of
/// swaps has at most three parts. The swaps in front of the border move **words**, all of them together by one table.
/// The swap across the border moves **fields**, and the swaps behind it move **bits**. The parts are in this order
/// where the first tile of the window jumps to its end, and in reverse order where the last tile jumps to its front. A
/// move along the snake has no part.
#[derive(Debug)]
pub(super) struct Link {
    words: Words,
    fields: bool,
    /// Whether fields move within blocks and words between blocks. Then no bits move.
    is_wide: bool,
    /// The swaps behind the border, by the positions of their first tiles.
    bits: Range<usize>,
    /// Whether the chain begins with the first tile of the window.
    forward: bool,
    /// All ones if an odd number of swaps comes before the swap of the third to last tile, which uses it.
    odd: u64,
}

/// The order in which words move to a plane.
#[derive(Debug)]
struct Words {
    /// The number of words in a run. The words of a run stay side by side.
    run: usize,
    /// For each run of a stretch of the target, the number of the source's run in the same stretch. The stretches
    /// divide the plane, and no word leaves its stretch.
    from: Vec<u32>,
}

impl Link {
    /// The link of a move with this rotation, among `tiles` tiles. `odd` says whether it leads from odd arrangements.
    pub(super) fn new(tiles: usize, rotation: Rotation, odd: bool) -> Self {
        let (window, forward): (Range<usize>, _) = match rotation {
            Rotation::None => (0..0, true),
            Rotation::FrontToLast(window) => (window.start.into()..window.end.into(), true),
            Rotation::LastToFront(window) => (window.start.into()..window.end.into(), false),
        };
        // A swap has the position of its first tile.
        let swaps = window.start..window.end.saturating_sub(1);
        let border = word::border(tiles);
        let fields = border > 0 && swaps.contains(&(border - 1));
        // A word orders five tiles. Where there are fewer, the front positions are missing.
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

    /// Adds to the candidates for a block of the target all boards that the move brings there. Returns whether there
    /// may be any.
    ///
    /// `source` has the blocks of a plane from the block number `first` on. `fresh` tells which blocks are there and
    /// have something to give.
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
        // Here fields, bits and words stay in their block.
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
    /// [`carry`](Self::carry) for a chain across the border that takes words from several blocks.
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

/// Whether a chain across the border begins in front of the three digits that number the words of a block.
///
/// On boards of two or three columns none does. With four columns one move has such a chain.
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

    /// Calls `take` with each run of a block of the target, and the first word of the source from which it came. The
    /// move back leads there.
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
    /// The part of a chain in front of the border, which rotates this window.
    fn new(tiles: usize, border: usize, window: Range<usize>, forward: bool) -> Self {
        let window = if window.len() < 2 { 0..0 } else { window };
        let radices: Vec<_> = (0..border).map(|position| tiles - position).collect();
        let run = radices[window.end..].iter().product();
        let back = swap::rotation(&radices[window]);
        let from = if forward { inverse(&back) } else { back };
        Self { run, from }
    }

    /// Calls `take` with each run of a block of the target, and the number of the first word of its source.
    #[inline(always)]
    fn each_run<const W: usize>(
        &self,
        start: usize,
        block: &mut [u64; W],
        take: impl FnMut(usize, &mut [u64]),
    ) {
        // A constant length halves the time for short runs.
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
        // A block holds whole stretches, or a stretch holds whole blocks.
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

/// The inverse of a permutation.
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

    /// Every move of a space: the place from which the blank goes, and the step.
    fn moves(space: &Space) -> impl Iterator<Item = (usize, Step)> {
        let from = 0..space.goal().shape().cells();
        from.flat_map(|from| space.steps(from).iter().map(move |step| (from, *step)))
    }

    /// Ranks that are spread over a plane without regularity: about half of them, where there are few.
    fn ranks(plane: u64, most: u64) -> BTreeSet<u64> {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        if plane <= most {
            return (0..plane).filter(|rank| rank.wrapping_mul(ODD) >> 63 == 0).collect();
        }
        // The first and the last rank are included.
        let spread =
            (1..most).map(|n| ((u128::from(n.wrapping_mul(ODD)) * u128::from(plane)) >> 64) as u64);
        spread.chain([0, plane - 1]).collect()
    }

    /// Carries boards over every link of a shape, and compares them with arrangements that are unranked, rotated and
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
            // Where there are many blocks, those without boards are not compared.
            let looked_at: Vec<_> = if blocks < 10 {
                (0..blocks).collect()
            } else {
                expected.keys().copied().collect()
            };
            // The later half alone, as a shard has it.
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
            // From fresh blocks alone comes what would come if the others were empty.
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
