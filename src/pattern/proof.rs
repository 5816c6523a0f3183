//! The proof that a pattern database is right.
//!
//! The bits mean nothing by themselves. So a search finds the distances of all ways to lie; and whatever search that is, these are then
//! proved from the neighbours, as in [`table::proof`](crate::table::Flaw): the goal alone has 0, every other way has a neighbour
//! nearer by one, and neighbours differ by one. Neighbours are found by moving one tile of an arrangement and ranking it
//! anew, not by sweeps and links. Last the bits are compared.

use std::ops::ControlFlow;

use crate::{
    index::{
        digits::{Digits, MOST_TILES},
        footprints::{Places, position},
        snake,
        word::{self, BOARDS},
    },
    pattern::{
        builder::add_levels,
        database::{PatternDatabase, PatternTable},
    },
};
use crate::{
    puzzle::board::Board,
    sweep::{
        levels::{Advance, Break},
        pattern,
        record::Record,
    },
    system::{
        memory::Memory,
        threads::{self, Threads},
    },
    table::flaw::Flaw,
};

/// What stands for the distance of a way to lie that cannot be.
const UNREACHED: u8 = u8::MAX;

/// The distances of one pattern: for each plane a byte for each even arrangement, and then for each odd one.
struct Distances<'a> {
    goal: Board,
    table: PatternTable<'a>,
    bytes: &'a [u8],
    /// How many bytes the arrangements of either parity have.
    room: usize,
    /// For each jump of a tile from one position to another, which arrangement comes of each.
    jumps: Vec<Vec<u32>>,
    arrangements: Vec<Digits>,
}

impl PatternDatabase {
    /// Proves every distance, on up to `threads` threads. It takes a byte of memory for each entry of a pattern.
    ///
    /// # Errors
    ///
    /// The first flaw: damaged bytes; a bit that is not that of the distance, in the order of the planes; then the
    /// histogram. The number of threads changes nothing.
    pub fn verify(&self, threads: impl Into<Threads>) -> Result<(), Flaw> {
        self.verify_watched(threads, |_| {})
    }

    /// Proves every distance as [`verify`](Self::verify) does. `watch` is told of each level that is found.
    ///
    /// # Errors
    ///
    /// As [`verify`](Self::verify).
    pub fn verify_watched(
        &self,
        threads: impl Into<Threads>,
        mut watch: impl FnMut(Advance),
    ) -> Result<(), Flaw> {
        let threads = threads.into();
        self.file().check_payload(threads)?;
        let goal = self.partition().orbit().goal();
        let (mut counted, mut before) = (vec![], 0);
        let all = self.partition().entries();
        for table in self.tables() {
            let mut found = before;
            let watch = &mut |advance: Advance| {
                found = before + advance.found;
                watch(Advance { found, all, ..advance });
            };
            let levels = prove(goal.clone(), table, threads, watch)?;
            before = found;
            add_levels(&mut counted, &levels);
        }
        self.header().compare(&counted)
    }

    /// How many bytes of memory the proof takes.
    pub fn verify_memory(&self) -> u64 {
        let memory = |table: PatternTable<'_>| {
            (table.row * room(table)) as u64 + pattern::memory(table.footprints)
        };
        self.tables().map(memory).max().unwrap_or(0)
    }
}

/// The number of bytes for the distances of either parity: 60 for each word.
fn room(table: PatternTable<'_>) -> usize {
    word::words(table.footprints.tiles()) * BOARDS
}

/// Proves a pattern's distances, and says how many ways to lie have each.
fn prove(
    goal: Board,
    table: PatternTable<'_>,
    threads: Threads,
    watch: &mut dyn FnMut(Advance),
) -> Result<Vec<u64>, Flaw> {
    let footprints = table.footprints;
    let room = room(table);
    let mut bytes = Memory::zeroed((table.row * room) as u64).map_err(Flaw::Memory)?;
    threads::share(threads, bytes.chunks_mut(1 << 20).collect(), |bytes| bytes.fill(UNREACHED));
    let record = Record::Distances(&mut bytes);
    let watch = &mut |advance| {
        watch(advance);
        ControlFlow::Continue(())
    };
    let found = pattern::search(footprints, table.home, table.blank, threads, record, watch);
    found.map_err(|ended| match ended {
        Break::Memory(error) => Flaw::Memory(error),
        Break::Stopped | Break::Denied { .. } => unreachable!("nobody stops it"),
    })?;
    let distances = Distances::new(goal, table, &bytes, room);
    let planes: Vec<_> = footprints.all().collect();
    const PIECE: usize = 256;
    let pieces = planes.chunks(PIECE).enumerate().collect();
    let prove = |(number, planes): (usize, &[(Places, Places)])| {
        (number * PIECE..).zip(planes).try_for_each(|(plane, (footprint, region))| {
            distances.prove(plane, *footprint, *region)
        })
    };
    threads::share(threads, pieces, prove).into_iter().collect::<Result<(), _>>()?;
    // What is counted are the distances that were proved.
    let pieces = threads::share(threads, bytes.chunks(1 << 20).collect(), histogram);
    let radius = pieces.iter().map(Vec::len).max().unwrap_or(0);
    Ok((0..radius).map(|depth| pieces.iter().filter_map(|piece| piece.get(depth)).sum()).collect())
}

impl<'a> Distances<'a> {
    fn new(goal: Board, table: PatternTable<'a>, bytes: &'a [u8], room: usize) -> Self {
        let tiles = table.footprints.tiles();
        let arrangements = Digits::all(tiles);
        let at = |arrangement: Digits| arrangement.number(room) as u32;
        let missing = MOST_TILES - tiles;
        let jump = |from: usize, to: usize| {
            let mut jump: Vec<_> = (0..2 * room as u32).collect();
            for arrangement in &arrangements {
                let after = arrangement.jump((missing + from) as u32, (missing + to) as u32);
                jump[at(*arrangement) as usize] = at(after);
            }
            jump
        };
        let positions = 0..tiles;
        let jumps = positions.clone().flat_map(|from| positions.clone().map(move |to| (from, to)));
        let jumps = jumps.map(|(from, to)| jump(from, to)).collect();
        Self { goal, table, bytes, room, jumps, arrangements }
    }

    /// The distances of a plane.
    fn of(&self, plane: usize) -> &[u8] {
        &self.bytes[2 * self.room * plane..][..2 * self.room]
    }

    /// Holds the distances of a plane against those of its neighbours, and the bits against these.
    fn prove(&self, plane: usize, footprint: Places, region: Places) -> Result<(), Flaw> {
        let Self { table, room, .. } = self;
        let tiles = table.footprints.tiles();
        let distances = self.of(plane);
        let mut nearer = vec![false; 2 * room];
        let mut contradicts = vec![false; 2 * room];
        table.footprints.moves(footprint, region, |from, to| {
            let rest = footprint & !(1 << from);
            let others = self.of(table.footprints.plane(rest | 1 << to, from) as usize);
            let [from, to] = [from, to].map(|place| position(rest, place) as usize);
            if from == to {
                // Along the snake, where nothing is jumped over.
                let others = others.iter().copied();
                compare(distances, others, &mut nearer, &mut contradicts);
            } else {
                let jump = self.jumps[from * tiles + to].iter();
                let others = jump.map(|number| others[*number as usize]);
                compare(distances, others, &mut nearer, &mut contradicts);
            }
        });
        for arrangement in &self.arrangements {
            let number = arrangement.number(*room);
            let distance = distances[number];
            let is_goal = footprint == table.home
                && *arrangement == Digits::SORTED
                && region >> table.blank & 1 == 1;
            let is_right = match distance {
                UNREACHED => !is_goal,
                0 => is_goal,
                _ => nearer[number],
            };
            if contradicts[number] || !is_right {
                let place = self.show(footprint, *arrangement);
                return Err(Flaw::Unproved(place));
            }
            let blank = region.trailing_zeros();
            let bit = table.modulo(footprint, *arrangement, blank) >> 1;
            if distance == UNREACHED && bit != 0
                || distance != UNREACHED && distance >> 1 & 1 != bit
            {
                let place = self.show(footprint, *arrangement);
                return Err(Flaw::Pattern { place, distance });
            }
        }
        let [even, odd] = word::arrangements(tiles);
        for (parity, boards) in [even, odd].into_iter().enumerate() {
            for word in 0..room / BOARDS {
                let start = 8 * (word * table.row + 2 * plane + parity);
                let bits = self.table.bytes[start..][..8].try_into().expect("eight bytes");
                let boards = (boards as usize).saturating_sub(word * BOARDS).min(BOARDS);
                if u64::from_le_bytes(bits) >> boards != 0 {
                    return Err(Flaw::Unproved(format!("word {word} of plane {plane}")));
                }
            }
        }
        Ok(())
    }

    /// A way to lie, for people: the tiles of the table's own goal in rows, and dots elsewhere.
    fn show(&self, footprint: Places, arrangement: Digits) -> String {
        let labels = arrangement.labels(self.table.footprints.tiles());
        let (goal, shape) = (&self.goal, self.goal.shape());
        let places = snake::places(shape);
        let home = |label: u8| {
            let mut places = self.table.home;
            (0..label).for_each(|_| places &= places - 1);
            places.trailing_zeros() as usize
        };
        let tile_at = |place: usize| {
            let label = labels[position(footprint, place as u32) as usize];
            let cell = places.iter().position(|at| *at == home(label));
            cell.map_or_else(String::new, |cell| goal.tiles()[cell].to_string())
        };
        let cell = |cell: usize| match footprint >> places[cell] & 1 {
            1 => tile_at(places[cell]),
            _ => ".".to_owned(),
        };
        let row = |row: usize| {
            let cells = (0..shape.cols()).map(|col| cell(row * shape.cols() + col));
            cells.collect::<Vec<_>>().join(" ")
        };
        (0..shape.rows()).map(row).collect::<Vec<_>>().join("/")
    }
}

/// How many ways to lie have each distance, but for those that cannot be.
fn histogram(distances: &[u8]) -> Vec<u64> {
    let mut histogram = vec![0; usize::from(UNREACHED) + 1];
    distances.iter().for_each(|distance| histogram[usize::from(*distance)] += 1);
    histogram.pop();
    let radius = histogram.iter().rposition(|&ways| ways > 0).map_or(0, |radius| radius + 1);
    histogram.truncate(radius);
    histogram
}

/// Holds distances against those of neighbours, and notes where one is nearer, and where they do not differ by one.
fn compare(
    distances: &[u8],
    others: impl Iterator<Item = u8>,
    nearer: &mut [bool],
    contradicts: &mut [bool],
) {
    for (((&distance, other), nearer), contradicts) in
        distances.iter().zip(others).zip(nearer).zip(contradicts)
    {
        // What is not reached is no neighbour of what is.
        let is_right = (distance == other) & (distance == UNREACHED)
            | (distance.abs_diff(other) == 1) & (distance != UNREACHED) & (other != UNREACHED);
        *contradicts |= !is_right;
        *nearer |= other < distance;
    }
}
