//! The pattern database: for each of a goal's patterns, and each way for its tiles and the blank to lie, how far that is.

use std::{fmt, ops::Deref, sync::Arc};

use crate::index::{
    digits::Digits,
    footprints::{Footprints, Places, is_dark},
    partition::{self, Partition},
};
use crate::{
    system::processor,
    table::{TableError, file::TableFile, header::Kind},
};

/// An additive pattern database: for each pattern of a [`Partition`] how many moves *of its own* tiles it takes to bring them
/// to their places, wherever the other tiles lie.
///
/// No move is one of two patterns, so the sum over all patterns never is more than the distance. The blank's region
/// counts: it may wander for nothing, but not through the pattern's tiles. This makes the numbers greater than those of a
/// database that takes the minimum over the blank's places, and lets neighbours differ by one exactly, so that a bit is enough for each, as
/// in a table of boards.
///
/// A [`TableFile`] holds it, which has opened it and is told to become one by `try_into`.
///
/// R. E. Korf and A. Felner, *Disjoint pattern database heuristics*, Artificial Intelligence 134, 2002; A. Felner, R. E.
/// Korf and S. Hanan, *Additive pattern database heuristics*, Journal of Artificial Intelligence Research 22, 2004.
///
/// ```
/// use tilebase::{Goal, Partition, PatternBuilder, PatternSolver, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(4, 4)?);
/// let database = PatternBuilder::new(Partition::new(&goal, "5-5-5")?).build()?;
/// let solver = PatternSolver::new(database, &goal)?;
/// let report = solver.solve(&"1 2 3 4 5 6 7 8 9 10 15 14 13 12 11 0".parse()?)?;
/// assert_eq!(report.cost(), Some(14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PatternDatabase {
    file: TableFile,
    partition: Partition,
    tables: Vec<Part>,
}

/// Where a pattern's bits are.
struct Part {
    footprints: Arc<Footprints>,
    home: Places,
    /// The first byte of the payload.
    start: usize,
}

/// One pattern of a database.
#[derive(Clone, Copy)]
pub(crate) struct PatternTable<'a> {
    pub(crate) footprints: &'a Footprints,
    /// A word for each word of an arrangement, each plane, and either parity: eight bytes, little-endian.
    pub(crate) bytes: &'a [u8],
    /// How many words there are for each word of an arrangement.
    pub(crate) row: usize,
    /// The places of the tiles at the goal, and of the blank.
    pub(super) home: Places,
    pub(super) blank: u32,
}

impl PatternDatabase {
    /// Its patterns.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The patterns' tables.
    pub(crate) fn tables(&self) -> impl ExactSizeIterator<Item = PatternTable<'_>> {
        let blank = self.partition.home();
        self.tables.iter().enumerate().map(move |(number, part)| {
            let end = self.tables.get(number + 1).map_or(self.payload().len(), |next| next.start);
            PatternTable {
                footprints: &part.footprints,
                bytes: &self.payload()[part.start..end],
                row: 2 * part.footprints.planes(),
                home: part.home,
                blank,
            }
        })
    }
}

impl PatternTable<'_> {
    /// The word and the bit of a way to lie.
    #[inline(always)]
    fn find(&self, footprint: Places, arrangement: Digits, blank: u32) -> (usize, u32) {
        let plane = 2 * self.footprints.plane(footprint, blank) + arrangement.parity();
        (arrangement.word() as usize * self.row + plane as usize, arrangement.bit())
    }

    /// The distance modulo four.
    pub(crate) fn modulo(&self, footprint: Places, arrangement: Digits, blank: u32) -> u8 {
        let (word, bit) = self.find(footprint, arrangement, blank);
        let bit = self.bytes[8 * word + bit as usize / 8] >> (bit % 8) & 1;
        2 * bit + u8::from(is_dark(footprint) != is_dark(self.home))
    }

    /// The distance: how many steps lead to the goal, each to what is nearer by one. None, if the bits do not lead there, as in no
    /// database that [`PatternDatabase::verify`] accepts.
    pub(crate) fn distance(
        &self,
        mut footprint: Places,
        mut arrangement: Digits,
        mut blank: u32,
    ) -> Option<u32> {
        for distance in 0..u8::MAX.into() {
            let region = self.footprints.region(footprint, blank);
            let is_home = footprint == self.home && arrangement == Digits::SORTED;
            if is_home && region >> self.blank & 1 == 1 {
                return Some(distance);
            }
            let nearer = self.modulo(footprint, arrangement, blank).wrapping_sub(1) % 4;
            // All are asked for before one is waited for.
            let mut neighbors = vec![];
            self.footprints.moves(footprint, region, |from, to| {
                let (footprint, arrangement) =
                    self.footprints.after(footprint, arrangement, from, to);
                let (word, _) = self.find(footprint, arrangement, from);
                processor::prefetch(&self.bytes[8 * word]);
                neighbors.push((footprint, arrangement, from));
            });
            let next = neighbors.into_iter().find(|(footprint, arrangement, blank)| {
                self.modulo(*footprint, *arrangement, *blank) == nearer
            });
            (footprint, arrangement, blank) = next?;
        }
        None
    }
}

impl TryFrom<TableFile> for PatternDatabase {
    type Error = TableError;

    fn try_from(file: TableFile) -> Result<Self, TableError> {
        let Some(partition) = file.header().partition.clone() else {
            let found = file.header().kind;
            return Err(TableError::Kind { expected: Kind::Pattern, found });
        };
        let mut start = 0;
        let part = |pattern: &partition::Pattern| {
            let part = Part { footprints: pattern.footprints(), home: pattern.home, start };
            start += 8 * pattern.words();
            part
        };
        let tables = partition.patterns().map(part).collect();
        Ok(Self { file, partition, tables })
    }
}

/// A pattern database is a file of a certain kind.
impl Deref for PatternDatabase {
    type Target = TableFile;

    fn deref(&self) -> &TableFile {
        &self.file
    }
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternDatabase").field("header", self.header()).finish_non_exhaustive()
    }
}
