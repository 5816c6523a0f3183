//! The walker: a depth-first search within a bound, which reads of each pattern one bit a move.
//!
//! A move changes how one pattern lies, by one tile, and its distance by one, up or down. So the sum over all
//! patterns, which is the estimate h, changes by one, and f = g + h by two or not at all. What a walker knows of a board is how
//! each pattern lies, and of its distance the number modulo four. The bit of the pattern after the move tells which
//! way it goes. A board has one or two *views*, as it is and mirrored, each with an estimate of its own; it is passed over if one of them
//! is beyond the bound.
//!
//! A bit of a large database is one wait for memory, which takes longer than all that a walker does for a board. So the walk is cut
//! into *steps* that end where a bit has been asked for, and several walkers take turns.

use std::mem;

use crate::index::footprints::{Places, Planes, position};
use crate::system::processor;
use crate::{
    index::digits::{Digits, MOST_TILES},
    pattern::database::PatternTable,
};

/// Cells and tiles are numbered below this, so that they need no check of bounds.
pub(super) const ROOM: usize = 32;

/// How a pattern lies in a view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lie {
    /// The footprint, and in the highest bits the distance modulo four.
    places: u32,
    arrangement: Digits,
}

impl Lie {
    const SHIFT: u32 = 30;

    #[inline(always)]
    pub(super) fn new(footprint: Places, arrangement: Digits, modulo: u32) -> Self {
        Self { places: footprint | modulo << Self::SHIFT, arrangement }
    }

    #[inline(always)]
    fn footprint(self) -> Places {
        self.places & ((1 << Self::SHIFT) - 1)
    }

    #[inline(always)]
    fn modulo(self) -> u32 {
        self.places >> Self::SHIFT
    }
}

/// What is looked up of a pattern.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    planes: Planes<'a>,
    bytes: &'a [u8],
    row: u64,
    missing: u32,
}

/// How a board is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The place of each cell along the snake.
    pub(super) place_of: [u8; ROOM],
    /// The pattern of each tile.
    pub(super) pattern_of: [u8; ROOM],
}

/// What all walkers know.
pub(super) struct Terrain<'a, const VIEWS: usize> {
    pub(super) views: [View; VIEWS],
    pub(super) probes: [Probe<'a>; ROOM],
    /// The cells beside each cell, and how many they are.
    pub(super) beside: [([u8; 4], u8); ROOM],
}

/// A move that a walker may make, as one view has it.
#[derive(Clone, Copy, Debug, Default)]
struct Chance {
    /// How the tile's pattern lies then.
    lie: Lie,
    /// Where the bit is.
    bit: u64,
    pattern: u8,
    /// Where the tile is now.
    cell: u8,
    tile: u8,
}

/// A move that stays within the bound.
#[derive(Clone, Copy, Debug)]
struct Branch<const VIEWS: usize> {
    lies: [Lie; VIEWS],
    patterns: [u8; VIEWS],
    /// How far f is below the bound, in each view.
    slack: [i8; VIEWS],
    /// The estimate of the first view.
    h: u8,
    cell: u8,
    tile: u8,
}

/// A board on the way, with the moves from it that are still to be made; the last comes first.
#[derive(Clone, Copy, Debug)]
struct Fork<const VIEWS: usize> {
    branches: [Branch<VIEWS>; 4],
    left: u8,
    blank: u8,
    /// Where the blank was before; of the start, nowhere.
    before: u8,
    /// What the move that was made has replaced.
    patterns: [u8; VIEWS],
    lies: [Lie; VIEWS],
}

impl<const VIEWS: usize> Branch<VIEWS> {
    const NONE: Self = Self {
        lies: [Lie { places: 0, arrangement: Digits::SORTED }; VIEWS],
        patterns: [0; VIEWS],
        slack: [0; VIEWS],
        h: 0,
        cell: 0,
        tile: 0,
    };
}

impl<const VIEWS: usize> Fork<VIEWS> {
    const NONE: Self = Self {
        branches: [Branch::NONE; 4],
        left: 0,
        blank: 0,
        before: 0,
        patterns: [0; VIEWS],
        lies: Branch::<VIEWS>::NONE.lies,
    };
}

/// Where a step has led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// On.
    On,
    /// To the goal.
    Goal,
    /// Nowhere: the walk is over.
    End,
}

/// A depth-first search on its way.
#[derive(Clone, Debug)]
pub(super) struct Walker<const VIEWS: usize> {
    pub(super) tiles: [u8; ROOM],
    pub(super) lies: [[Lie; ROOM]; VIEWS],
    pub(super) key: Key,
    pub(super) blank: u8,
    pub(super) before: u8,
    pub(super) slack: [i8; VIEWS],
    pub(super) h: u8,
    /// The boards before this one, so many of them; then some of no meaning any more.
    forks: Vec<Fork<VIEWS>>,
    depth: usize,
    /// How many of them were there when the walk began.
    base: usize,
    /// The moves whose bits have been asked for: by how many views, and how many moves.
    view: usize,
    count: usize,
    chances: [[Chance; 4]; VIEWS],
    firsts: [(i8, u8); 4],
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

/// A board, in five bits for each of the first 24 cells; the last is known from them.
pub(super) type Key = [u64; 2];

/// What tile 1 in a cell adds to the key.
static KEYS: [Key; ROOM] = {
    let mut keys = [[0; 2]; ROOM];
    let mut cell = 0;
    while cell < 24 {
        keys[cell][cell / 12] = 1 << (5 * (cell % 12));
        cell += 1;
    }
    keys
};

/// A board that was met.
#[derive(Clone, Copy)]
struct Meeting {
    key: Key,
    /// By how many moves.
    g: u8,
    /// How much room there was within the bound.
    room: u8,
}

/// Some of the boards that were met: whoever meets one again by as many moves or more need not go on.
///
/// Of all that have a place in common two are kept: the one that had the most room, for much is spared where it is met
/// again, and the last one.
///
/// A. Reinefeld and T. A. Marsland, *Enhanced iterative-deepening search*, IEEE Transactions on Pattern Analysis and
/// Machine Intelligence 16, 1994.
pub(super) struct Met {
    places: Vec<[Meeting; 2]>,
}

impl Met {
    /// As many as fit beside the rest in the nearer caches.
    const PLACES_LOG: u32 = 11;

    pub(super) fn new() -> Self {
        let none = Meeting { key: [0; 2], g: 0, room: 0 };
        Self { places: vec![[none; 2]; 1 << Self::PLACES_LOG] }
    }

    /// Remembers none, for whoever wants all ways.
    pub(super) fn none() -> Self {
        Self { places: vec![] }
    }

    /// Whether a board was met with no more than `g` moves; else it is now.
    #[inline(always)]
    fn has(&mut self, key: Key, g: u8, room: u8) -> bool {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let hash = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(ODD);
        let place = self.places.get_mut((hash >> (64 - Self::PLACES_LOG)) as usize);
        let Some([first, last]) = place else { return false };
        if first.key == key && first.g <= g || last.key == key && last.g <= g {
            return true;
        }
        let now = Meeting { key, g, room };
        *last = if room < first.room { now } else { mem::replace(first, now) };
        false
    }
}

impl<'a> Probe<'a> {
    pub(super) fn new(table: PatternTable<'a>) -> Self {
        let PatternTable { footprints, bytes, row, .. } = table;
        let missing = (MOST_TILES - footprints.tiles()) as u32;
        Self { planes: footprints.numbers(), bytes, row: row as u64, missing }
    }

    /// How the pattern lies when the tile at one place has gone to another, and where the bit of that is. Until that is read, the
    /// distance is the old one.
    #[inline(always)]
    fn after(&self, lie: Lie, from: u32, to: u32) -> (Lie, u64) {
        let rest = lie.footprint() & !(1 << from);
        let footprint = rest | 1 << to;
        let (first, last) = (position(rest, from), position(rest, to));
        let mut arrangement = lie.arrangement;
        if first != last {
            arrangement = arrangement.jump(self.missing + first, self.missing + last);
        }
        let plane = 2 * self.planes.plane(footprint, from) + arrangement.parity();
        let word = u64::from(arrangement.word()) * self.row + u64::from(plane);
        if let Some(byte) = self.bytes.get(8 * word as usize) {
            processor::prefetch(byte);
        }
        (Lie::new(footprint, arrangement, lie.modulo()), 64 * word + u64::from(arrangement.bit()))
    }

    /// Whether a pattern is farther than before, and how it lies, now that this is known.
    #[inline(always)]
    fn read(&self, Chance { lie, bit, .. }: &Chance) -> (bool, Lie) {
        let byte = self.bytes.get((bit / 8) as usize);
        let set = byte.map_or(0, |byte| u32::from(byte >> (bit % 8) & 1));
        let (before, after) = (lie.modulo(), 2 * set + (lie.modulo() + 1) % 2);
        (after == (before + 1) % 4, Lie::new(lie.footprint(), lie.arrangement, after))
    }
}

impl<const VIEWS: usize> Terrain<'_, VIEWS> {
    #[inline(always)]
    fn probe(&self, pattern: u8) -> &Probe<'_> {
        &self.probes[usize::from(pattern) % ROOM]
    }
}

impl<const VIEWS: usize> Walker<VIEWS> {
    /// A walker at a board whose patterns lie so, with the estimates of all views; it has no room yet.
    pub(super) fn new(
        tiles: [u8; ROOM],
        blank: u8,
        lies: [[Lie; ROOM]; VIEWS],
        estimates: [u8; VIEWS],
    ) -> Self {
        let add =
            |sum: Key, (tile, key): (u8, &Key)| [0, 1].map(|n| sum[n] ^ (u64::from(tile) * key[n]));
        let key = tiles.into_iter().zip(&KEYS).fold([0; 2], add);
        Self {
            tiles,
            lies,
            key,
            blank,
            before: u8::MAX,
            slack: [0; VIEWS],
            h: estimates[0],
            forks: vec![],
            depth: 0,
            base: 0,
            view: 0,
            count: 0,
            chances: [[Chance::default(); 4]; VIEWS],
            firsts: [(0, 0); 4],
            expanded: 0,
            generated: 0,
        }
    }

    /// The cells that the blank has gone to, from the start on.
    pub(super) fn way(&self) -> impl Iterator<Item = u8> {
        let blanks = self.forks[..self.depth].iter().map(|fork| fork.blank);
        blanks.chain([self.blank]).skip(1)
    }

    /// Begins to expand the board that it is at.
    #[inline(always)]
    pub(super) fn begin(&mut self, terrain: &Terrain<'_, VIEWS>) {
        let (beside, count) = terrain.beside[usize::from(self.blank) % ROOM];
        self.expanded += 1;
        (self.view, self.count) = (0, 0);
        for cell in beside.into_iter().take(count.into()) {
            if cell != self.before {
                let tile = self.tiles[usize::from(cell) % ROOM];
                self.chances[0][self.count % 4] = self.chance(terrain, 0, cell, tile);
                self.count += 1;
            }
        }
        self.generated += self.count as u64;
    }

    /// Asks for the bit of a move.
    #[inline(always)]
    fn chance(&self, terrain: &Terrain<'_, VIEWS>, view: usize, cell: u8, tile: u8) -> Chance {
        let View { place_of, pattern_of } = &terrain.views[view];
        let pattern = pattern_of[usize::from(tile) % ROOM];
        let lie = self.lies[view][usize::from(pattern) % ROOM];
        let place = |cell: u8| u32::from(place_of[usize::from(cell) % ROOM]) % 32;
        let (lie, bit) = terrain.probe(pattern).after(lie, place(cell), place(self.blank));
        Chance { lie, bit, pattern, cell, tile }
    }

    /// Goes on to where the next bit has to be waited for.
    #[inline(always)]
    pub(super) fn step(&mut self, terrain: &Terrain<'_, VIEWS>, met: &mut Met) -> Step {
        if self.view == 0 && self.read_first(terrain) {
            return Step::On;
        }
        self.fork(terrain);
        loop {
            let fork = &mut self.forks[self.depth - 1];
            if fork.left == 0 {
                self.depth -= 1;
                if self.depth <= self.base {
                    return Step::End;
                }
                self.go_back();
                continue;
            }
            fork.left -= 1;
            let branch = fork.branches[usize::from(fork.left) % 4];
            self.go(&branch);
            if self.h == 0 {
                // Nothing lies behind the goal for whoever walks on.
                (self.view, self.count) = (1, 0);
                return Step::Goal;
            }
            if met.has(self.key, self.depth as u8, self.room()) {
                self.go_back();
                continue;
            }
            self.begin(terrain);
            return Step::On;
        }
    }

    /// Reads the bits of the first view, and asks for those of the second, if there is one. Says whether any have been asked for.
    #[inline(always)]
    fn read_first(&mut self, terrain: &Terrain<'_, VIEWS>) -> bool {
        let mut count = 0;
        for number in 0..self.count {
            let chance = self.chances[0][number % 4];
            let (is_farther, lie) = terrain.probe(chance.pattern).read(&chance);
            let slack = self.slack[0] - 2 * i8::from(is_farther);
            let h = if is_farther { self.h.wrapping_add(1) } else { self.h.wrapping_sub(1) };
            // All are written, and those beyond the bound are written over.
            self.chances[0][count % 4] = Chance { lie, ..chance };
            self.firsts[count % 4] = (slack, h);
            count += usize::from(slack >= 0);
        }
        (self.view, self.count) = (1, count);
        if VIEWS == 1 {
            return false;
        }
        for number in 0..count {
            let Chance { cell, tile, .. } = self.chances[0][number % 4];
            self.chances[VIEWS - 1][number % 4] = self.chance(terrain, VIEWS - 1, cell, tile);
        }
        count > 0
    }

    /// Makes out which moves stay within the bound, those first that leave the most room.
    #[inline(always)]
    fn fork(&mut self, terrain: &Terrain<'_, VIEWS>) {
        if self.forks.len() == self.depth {
            self.forks.push(Fork::NONE);
        }
        let fork = &mut self.forks[self.depth];
        let mut left = 0;
        for number in 0..self.count {
            let Chance { lie, pattern, cell, tile, .. } = self.chances[0][number % 4];
            let (slack, h) = self.firsts[number % 4];
            let mut branch = Branch { h, cell, tile, ..Branch::NONE };
            (branch.lies[0], branch.patterns[0], branch.slack[0]) = (lie, pattern, slack);
            if VIEWS > 1 {
                let chance = &self.chances[VIEWS - 1][number % 4];
                let (is_farther, lie) = terrain.probe(chance.pattern).read(chance);
                let slack = self.slack[VIEWS - 1] - 2 * i8::from(is_farther);
                branch.lies[VIEWS - 1] = lie;
                branch.patterns[VIEWS - 1] = chance.pattern;
                branch.slack[VIEWS - 1] = slack;
                if slack < 0 {
                    continue;
                }
            }
            let room = |branch: &Branch<VIEWS>| branch.slack.iter().sum::<i8>();
            let mut at = left;
            while at > 0 && room(&fork.branches[(at - 1) % 4]) > room(&branch) {
                fork.branches[at % 4] = fork.branches[(at - 1) % 4];
                at -= 1;
            }
            fork.branches[at % 4] = branch;
            left += 1;
        }
        (fork.left, fork.blank, fork.before) = (left as u8, self.blank, self.before);
        self.depth += 1;
    }

    /// Makes a move from the last fork.
    #[inline(always)]
    fn go(&mut self, branch: &Branch<VIEWS>) {
        let fork = &mut self.forks[self.depth - 1];
        for view in 0..VIEWS {
            let lie = &mut self.lies[view][usize::from(branch.patterns[view]) % ROOM];
            fork.lies[view] = mem::replace(lie, branch.lies[view]);
        }
        fork.patterns = branch.patterns;
        self.tiles[usize::from(self.blank) % ROOM] = branch.tile;
        self.before = self.blank;
        (self.blank, self.slack, self.h) = (branch.cell, branch.slack, branch.h);
        self.change_key(branch.tile);
    }

    /// Takes the last move back.
    #[inline(always)]
    fn go_back(&mut self) {
        let fork = &self.forks[self.depth - 1];
        for view in 0..VIEWS {
            self.lies[view][usize::from(fork.patterns[view]) % ROOM] = fork.lies[view];
        }
        let tile = self.tiles[usize::from(fork.blank) % ROOM];
        self.tiles[usize::from(self.blank) % ROOM] = tile;
        let (blank, before) = (fork.blank, fork.before);
        self.before = blank;
        self.change_key(tile);
        (self.blank, self.before) = (blank, before);
    }

    /// A tile went from where the blank is to where it was before, or back.
    #[inline(always)]
    fn change_key(&mut self, tile: u8) {
        let [one, other] = [self.blank, self.before].map(|cell| KEYS[usize::from(cell) % ROOM]);
        self.key = [0, 1].map(|n| self.key[n] ^ (u64::from(tile) * (one[n] ^ other[n])));
    }

    /// All walkers that go on from here, where this one has begun; `Err` with one that is at the goal.
    pub(super) fn split(mut self, terrain: &Terrain<'_, VIEWS>) -> Result<Vec<Self>, Box<Self>> {
        (self.expanded, self.generated) = (0, 0);
        self.read_first(terrain);
        self.fork(terrain);
        self.base += 1;
        let mut walkers = vec![];
        let fork = self.forks[self.depth - 1];
        self.forks[self.depth - 1].left = 0;
        for branch in fork.branches[..fork.left.into()].iter().rev() {
            let mut walker = self.clone();
            walker.go(branch);
            if walker.h == 0 {
                return Err(Box::new(walker));
            }
            walkers.push(walker);
        }
        Ok(walkers)
    }

    /// How much room there is within the bound, over all views.
    #[inline(always)]
    fn room(&self) -> u8 {
        self.slack.iter().fold(0, |room, slack| slack.unsigned_abs().saturating_add(room))
    }
}
