//! The mail: the boards that one shard has found for blocks of another.
//!
//! A move that changes a block's number may lead out of the shard; any other move stays in its block. Such a move
//! carries words as they are. So the words with the new boards of a level are sent, with their places in the plane to
//! which the move leads. Words without new boards are left out.
//!
//! A letter is for one plane of one shard. It has the number of the plane in one byte, and then for every six words
//! that differ in the last digit of their numbers
//!
//! ```text
//!   4 bytes   the number of the six in the plane
//!   1 byte    which of the six follow: a bit for each
//!   8 bytes   for each of those: the word
//! ```
//!
//! All numbers are little-endian.

use std::{mem, ops::Range, sync::Arc};

use crate::{
    index::word::{BLOCK, SIX},
    sweep::{
        board::Links,
        planes::{Bring, Listen},
    },
};

/// The size in bytes at which a letter is closed.
const FULL: usize = 1 << 20;

type Block = [u64; BLOCK];

/// Words for another shard.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// The number of the shard that receives the letter.
    pub(crate) to: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The letters of a shard to the others.
pub(super) struct Outbox {
    links: Arc<Links>,
    /// The number of the shard that writes.
    here: usize,
    /// The blocks of each shard.
    shards: Arc<[Range<usize>]>,
    /// For each shard and plane the letter that is being written.
    open: Vec<Vec<u8>>,
    closed: Vec<Letter>,
}

impl Outbox {
    /// The empty outbox of the shard `here`.
    pub(super) fn new(links: Arc<Links>, here: usize, shards: Arc<[Range<usize>]>) -> Self {
        let open = vec![vec![]; shards.len() * links.to.len()];
        Self { links, here, shards, open, closed: vec![] }
    }

    /// Takes all letters out.
    pub(super) fn take(&mut self) -> Vec<Letter> {
        let planes = self.links.to.len();
        let open = self.open.iter_mut().enumerate().filter(|(_, bytes)| !bytes.is_empty());
        let open = open.map(|(at, bytes)| Letter { to: at / planes, bytes: mem::take(bytes) });
        let mut letters = mem::take(&mut self.closed);
        letters.extend(open);
        letters
    }
}

impl Listen<BLOCK> for Outbox {
    fn for_piece(&self) -> Self {
        Self::new(Arc::clone(&self.links), self.here, Arc::clone(&self.shards))
    }

    fn join(&mut self, mut piece: Self) {
        self.closed.extend(piece.take());
    }

    /// Writes the new boards of a block to the other shards to which moves lead from it.
    fn hear(&mut self, plane: usize, block: usize, new: &mut Block) {
        let Self { links, here, shards, open, closed } = self;
        // A move back from here goes to the plane from which a link leads here.
        for (to, link) in &links.to[plane] {
            if !link.leaves(&shards[*here], block) {
                continue;
            }
            link.each_run_back(block, new, |at, run| {
                let shard = shards.partition_point(|blocks| blocks.end <= at / BLOCK);
                if shard == *here || run.iter().all(|word| *word == 0) {
                    return;
                }
                let letter = &mut open[shard * links.to.len() + to];
                if letter.is_empty() {
                    letter.push(*to as u8);
                }
                for (six, words) in (at / SIX..).zip(run.chunks(SIX)) {
                    write(letter, six as u32, at % SIX, words);
                }
                if letter.len() >= FULL {
                    closed.push(Letter { to: shard, bytes: mem::take(letter) });
                }
            });
        }
    }
}

/// Writes those of some words that are not zero. `first` is the number of the first word among its six.
fn write(letter: &mut Vec<u8>, six: u32, first: usize, words: &[u64]) {
    let there = |(_, word): &(usize, &u64)| **word != 0;
    let mask = (first..).zip(words).filter(there).fold(0, |mask, (number, _)| mask | 1 << number);
    if mask != 0 {
        letter.extend(six.to_le_bytes());
        letter.push(mask);
        words.iter().filter(|word| **word != 0).for_each(|word| letter.extend(word.to_le_bytes()));
    }
}

/// The boards of a level that other shards have found for this one.
pub(crate) struct Inbox {
    /// The blocks of the shard.
    blocks: Range<usize>,
    /// For each plane the candidates for its blocks. Planes without mail have no blocks here.
    planes: Vec<Vec<Option<Box<Block>>>>,
    /// Blocks that can be used again.
    #[expect(clippy::vec_box, reason = "boxes move between here and the planes")]
    spare: Vec<Box<Block>>,
}

impl Inbox {
    /// The empty inbox of a shard with these blocks of each of `planes` planes.
    pub(super) fn new(blocks: Range<usize>, planes: usize) -> Self {
        Self { blocks, planes: vec![vec![]; planes], spare: vec![] }
    }

    /// Removes the mail.
    pub(crate) fn clear(&mut self) {
        for plane in &mut self.planes {
            self.spare.extend(plane.drain(..).flatten());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.planes.iter().all(Vec::is_empty)
    }

    /// Opens a letter. Returns whether it can be read.
    #[must_use]
    pub(crate) fn open(&mut self, letter: &[u8]) -> bool {
        self.read(letter).is_some()
    }

    fn read(&mut self, letter: &[u8]) -> Option<()> {
        let Self { blocks, planes, spare } = self;
        let (plane, mut rest) = letter.split_first()?;
        let plane = planes.get_mut(usize::from(*plane))?;
        plane.resize(blocks.len(), None);
        while let Some((head, words)) = rest.split_first_chunk::<5>() {
            let [six @ .., mask] = head;
            let (bytes, after) = words.split_at_checked(8 * mask.count_ones() as usize)?;
            let first = u32::from_le_bytes(*six) as usize * SIX;
            let block = plane.get_mut((first / BLOCK).checked_sub(blocks.start)?)?;
            let block = block.get_or_insert_with(|| {
                let mut block = spare.pop().unwrap_or_else(|| Box::new([0; BLOCK]));
                block.fill(0);
                block
            });
            let there = (0..SIX).filter(|number| mask >> number & 1 == 1);
            for (number, word) in there.zip(bytes.chunks_exact(8)) {
                block[first % BLOCK + number] |=
                    u64::from_le_bytes(word.try_into().expect("eight bytes"));
            }
            rest = after;
        }
        rest.is_empty().then_some(())
    }
}

impl Bring<BLOCK> for &Inbox {
    #[inline(always)]
    fn bring(&self, plane: usize, block: usize, candidates: &mut Block) -> bool {
        let brought = self.planes[plane].get(block - self.blocks.start).and_then(Option::as_deref);
        brought.inspect(|brought| *candidates = **brought).is_some()
    }
}
