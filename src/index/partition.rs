//! The partition: how the tiles of a goal are divided into patterns.

use std::{collections::BTreeMap, fmt, sync::Arc};

use crate::{
    index::{
        digits::MOST_TILES,
        footprints::{Footprints, MOST_CELLS, Places},
        snake, word,
    },
    puzzle::{
        board::Board,
        orbit::{Orbit, Symmetry},
        shape::Shape,
    },
};

/// The tiles of a goal in groups, each of which is a *pattern*.
///
/// A pattern has up to eight tiles. The usual partitions have names, which give the number of tiles of each pattern:
///
/// ```text
///   7-8          6-6-3        5-5-5        6-6-6-6
///   A A A A      A A B B      A A A B      A A A A A
///   A A A A      A A B B      A A B B      A B B C C
///   B B B B      A A B B      C C B B      D B B C C
///   B B B .      C C C .      C C C .      D B B C C
///                                          D D D D .
/// ```
///
/// ```
/// use tilebase::{Goal, index::Partition, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(4, 4)?);
/// let partition = Partition::new(&goal, "6-6-3")?;
/// assert_eq!(partition.name(), "6-6-3");
/// assert_eq!(partition, Partition::new(&goal, "1,2,5,6,9,10/3,4,7,8,11,12/13,14,15")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    orbit: Orbit,
    /// In the order of their first places.
    patterns: Vec<Pattern>,
}

/// Some tiles of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    shape: Shape,
    /// The places of the tiles at the goal, along the snake.
    pub(crate) home: Places,
}

/// The error of a text that is not a partition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// The shape has too many cells.
    #[error("there are no pattern databases for {0}: they end at {MOST_CELLS} cells")]
    Shape(Shape),
    /// The text is neither a row of sizes nor a list of tiles.
    #[error("{0:?} is no partition: expected sizes such as 7-8, or tiles such as 1,2,5,6/3,4,7,8")]
    Text(String),
    /// The sizes do not add up to the number of tiles.
    #[error("the patterns of {text} have {found} tiles; {shape} has {}", shape.cells() - 1)]
    Sizes {
        /// The text.
        text: String,
        /// The sum of the sizes.
        found: usize,
        /// The shape.
        shape: Shape,
    },
    /// A pattern has too many tiles.
    #[error("a pattern has 1 to {MOST_TILES} tiles, not {0}")]
    TooMany(usize),
    /// A number is not a tile of the goal.
    #[error("{0} is not a tile: {1} has 1 to {last}", last = .1.cells() - 1)]
    NoTile(usize, Shape),
    /// A tile is in the list twice.
    #[error("tile {0} is in the list twice")]
    Twice(u8),
}

/// The partitions with a name, for the goal with the blank in the last cell: a letter for each other cell.
const NAMED: [(&str, &str); 6] = [
    ("7-8", "AAAAAAAABBBBBBB"),
    ("7-7-1", "AAAAAABABBBCBBB"),
    ("6-6-3", "AABBAABBAABBCCC"),
    ("5-5-5", "AAABAABBCCBBCCC"),
    ("6-6-6-6", "AAAAAABBCCDBBCCDBBCCDDDD"),
    ("5-5-5-5-4", "AAABBAABBBCCDDDCCDDECEEE"),
];

impl Partition {
    /// The partition of the tiles of `goal` that a text describes.
    ///
    /// The text is a list of sizes, such as `7-8`: the partition with this name, or else one that takes the tiles in
    /// the order of the snake. Or the text lists the tiles of the patterns, such as `1,2,5,6/3,4,7,8`. Each tile that
    /// is not listed is a pattern of its own, whose distance is the number of rows and columns to its place.
    ///
    /// # Errors
    ///
    /// If the text is not a partition of the goal's tiles, a pattern has more than eight tiles, or the shape has more
    /// than 25 cells.
    pub fn new(goal: &Board, text: &str) -> Result<Self, PartitionError> {
        let shape = goal.shape();
        if shape.cells() > MOST_CELLS {
            return Err(PartitionError::Shape(shape));
        }
        let (orbit, symmetry) = Orbit::with_symmetry(goal);
        let wrong = || PartitionError::Text(text.to_owned());
        let is_sizes = !text.contains([',', '/']);
        if is_sizes {
            return Self::of_text(orbit, text);
        }
        let mut letters = vec![None; shape.cells()];
        for (letter, tiles) in text.split('/').enumerate() {
            for tile in tiles.split(',') {
                let tile = tile.trim().parse::<usize>().map_err(|_| wrong())?;
                let cell = goal.tiles().iter().position(|at| tile > 0 && usize::from(*at) == tile);
                let cell = symmetry.image(shape, cell.ok_or(PartitionError::NoTile(tile, shape))?);
                if letters[cell].replace(letter).is_some() {
                    return Err(PartitionError::Twice(tile as u8));
                }
            }
        }
        let alone = letters.len()..;
        let letters = letters.into_iter().zip(alone);
        Self::of_letters(orbit, letters.map(|(letter, alone)| letter.unwrap_or(alone)))
    }

    /// The partition with sizes such as 7-8.
    fn of_text(orbit: Orbit, text: &str) -> Result<Self, PartitionError> {
        let shape = orbit.shape();
        let cells = shape.cells();
        let sizes = |text: &str| -> Option<Vec<usize>> {
            text.split('-')
                .map(|size| size.trim().parse().ok().filter(|n| (1..cells).contains(n)))
                .collect()
        };
        let sizes = sizes(text).ok_or_else(|| PartitionError::Text(text.to_owned()))?;
        let found = sizes.iter().sum();
        if found != cells - 1 {
            return Err(PartitionError::Sizes { text: text.to_owned(), found, shape });
        }
        if shape.rows() == shape.cols() && orbit.home() == cells - 1 {
            let sorted = |sizes: &[usize]| {
                let mut sizes = sizes.to_vec();
                sizes.sort_unstable();
                sizes
            };
            for (_, letters) in NAMED.iter().filter(|(_, letters)| letters.len() == cells - 1) {
                let named = Self::of_letters(orbit, letters.bytes().map(usize::from))?;
                let its_sizes: Vec<_> = named.patterns().map(Pattern::tiles).collect();
                if sorted(&its_sizes) == sorted(&sizes) {
                    return Ok(named);
                }
            }
        }
        let mut by_place =
            sizes.iter().enumerate().flat_map(|(n, size)| std::iter::repeat_n(n, *size));
        let places = snake::places(shape);
        let mut cells: Vec<_> = (0..cells).collect();
        cells.sort_by_key(|cell| places[*cell]);
        let mut letters = vec![0; cells.len()];
        for cell in cells.into_iter().filter(|cell| *cell != orbit.home()) {
            letters[cell] = by_place.next().expect("there are as many as tiles");
        }
        Self::of_letters(orbit, letters.into_iter())
    }

    /// The partition with a letter for each cell of the orbit's goal. The letter of the blank is ignored.
    fn of_letters(
        orbit: Orbit,
        letters: impl Iterator<Item = usize>,
    ) -> Result<Self, PartitionError> {
        let shape = orbit.shape();
        let places = snake::places(shape);
        let mut homes = BTreeMap::new();
        for (cell, letter) in letters.enumerate().filter(|(cell, _)| *cell != orbit.home()) {
            *homes.entry(letter).or_insert(0) |= 1 << places[cell];
        }
        let mut patterns: Vec<_> =
            homes.into_values().map(|home| Pattern { shape, home }).collect();
        patterns.sort_by_key(|pattern| pattern.home.trailing_zeros());
        match patterns.iter().find(|pattern| pattern.tiles() > MOST_TILES) {
            Some(pattern) => Err(PartitionError::TooMany(pattern.tiles())),
            None => Ok(Self { orbit, patterns }),
        }
    }

    /// The partition in the form of a header: for each cell the number of its pattern, and 0 for the blank. Patterns
    /// are numbered from 1 in the order of their first places.
    pub(crate) fn to_numbers(&self) -> Vec<u8> {
        let places = snake::places(self.orbit.shape());
        let number = |place: &usize| {
            let at = self.patterns.iter().position(|pattern| pattern.home >> place & 1 == 1);
            at.map_or(0, |at| at as u8 + 1)
        };
        places.iter().map(number).collect()
    }

    /// The partition in the form of a header, or `None` if no goal has this one.
    pub(crate) fn from_numbers(orbit: Orbit, numbers: &[u8]) -> Option<Self> {
        let shape = orbit.shape();
        let fits = shape.cells() <= MOST_CELLS && numbers.len() == shape.cells();
        let letters = numbers.iter().map(|number| usize::from(*number));
        let partition = fits.then(|| Self::of_letters(orbit, letters))?.ok()?;
        (partition.to_numbers() == numbers).then_some(partition)
    }

    /// A partition whose database is built in less than a second: 6-6-3 on 4x4, 5-5-5-5-4 on 5x5.
    ///
    /// # Errors
    ///
    /// If the shape has more than 25 cells.
    pub fn small(goal: &Board) -> Result<Self, PartitionError> {
        let most = if goal.shape().cells() > 16 { 5 } else { 6 };
        Self::even(goal, most)
    }

    /// A partition with better estimates, whose database is built in seconds: 7-8 on 4x4, 6-6-6-6 on 5x5.
    ///
    /// # Errors
    ///
    /// If the shape has more than 25 cells.
    pub fn large(goal: &Board) -> Result<Self, PartitionError> {
        let most = if goal.shape().cells() > 16 { 6 } else { 8 };
        Self::even(goal, most)
    }

    /// Patterns of `most` tiles, and one of the remaining tiles.
    fn even(goal: &Board, most: usize) -> Result<Self, PartitionError> {
        let tiles = goal.shape().cells() - 1;
        let mut sizes = vec![most.to_string(); tiles / most];
        sizes.extend(Some(tiles % most).filter(|rest| *rest > 0).map(|rest| rest.to_string()));
        Self::new(goal, &sizes.join("-"))
    }

    /// The orbit of the goals that the partition is for.
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    /// The name, or the tiles of each pattern at [`Orbit::goal`] if there is no name.
    pub fn name(&self) -> String {
        let sizes: Vec<_> = self.patterns().map(|pattern| pattern.tiles().to_string()).collect();
        let names = NAMED.iter().map(|(name, _)| (*name).to_owned()).chain([sizes.join("-")]);
        let is_named =
            |name: &String| Self::of_text(self.orbit, name).is_ok_and(|named| named == *self);
        names.into_iter().find(is_named).unwrap_or_else(|| self.tiles())
    }

    /// The tiles of each pattern at [`Orbit::goal`].
    fn tiles(&self) -> String {
        let goal = self.orbit.goal();
        let places = snake::places(self.orbit.shape());
        let tiles = |pattern: &Pattern| {
            let cells = goal.tiles().iter().zip(&places);
            let tiles = cells.filter(|(_, place)| pattern.home >> *place & 1 == 1);
            tiles.map(|(tile, _)| tile.to_string()).collect::<Vec<_>>().join(",")
        };
        self.patterns().map(tiles).collect::<Vec<_>>().join("/")
    }

    /// The place of the blank at the goal.
    pub(crate) fn home(&self) -> u32 {
        snake::places(self.orbit.shape())[self.orbit.home()] as u32
    }

    pub(crate) fn patterns(&self) -> impl ExactSizeIterator<Item = &Pattern> {
        self.patterns.iter()
    }

    /// The number of the pattern of the tile that has this place at the goal.
    pub(crate) fn pattern_of(&self, place: usize) -> Option<usize> {
        self.patterns.iter().position(|pattern| pattern.home >> place & 1 == 1)
    }

    /// The symmetries under which the database gives different estimates for boards of this goal. The first is that of
    /// the goal. The second is a mirror image that keeps the cell of the blank and changes the patterns, if there is
    /// one.
    pub(crate) fn views(&self, goal: &Board) -> Vec<Symmetry> {
        let symmetries = Orbit::symmetries(goal);
        let shape = goal.shape();
        let places = snake::places(self.orbit.shape());
        let seen_by = |symmetry: Symmetry| {
            let cells = 0..shape.cells();
            let mut patterns = vec![0; self.patterns.len() + 1];
            for cell in cells {
                let pattern = self.pattern_of(places[symmetry.image(shape, cell)]);
                patterns[pattern.unwrap_or(self.patterns.len())] |= 1u32 << cell;
            }
            patterns.sort_unstable();
            patterns
        };
        let first = symmetries[0];
        let other = symmetries.iter().find(|symmetry| seen_by(**symmetry) != seen_by(first));
        [first].into_iter().chain(other.copied()).collect()
    }

    /// The number of states of all patterns.
    pub fn entries(&self) -> u64 {
        self.patterns().map(Pattern::entries).sum()
    }

    /// The size of the database's payload in bytes.
    pub(crate) fn payload_bytes(&self) -> u64 {
        self.patterns().map(|pattern| 8 * pattern.words() as u64).sum()
    }
}

impl Pattern {
    /// The number of tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.home.count_ones() as usize
    }

    /// The footprints of as many tiles.
    pub(crate) fn footprints(&self) -> Arc<Footprints> {
        Footprints::shared(self.shape, self.tiles())
    }

    /// The number of words that the states fill.
    pub(crate) fn words(&self) -> usize {
        word::words(self.tiles()) * 2 * self.footprints().planes()
    }

    /// The number of states.
    pub(crate) fn entries(&self) -> u64 {
        self.footprints().planes() as u64 * word::arrangements(self.tiles()).iter().sum::<u64>()
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
