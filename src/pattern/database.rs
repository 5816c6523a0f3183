//! The pattern database: for each pattern of a partition, the distance of each arrangement of its tiles and the blank.

use std::{fmt, sync::Arc};

use crate::{
    index::{
        digits::Digits,
        footprints::{Footprints, Places, is_dark},
        partition::{Partition, Pattern},
    },
    system::processor,
    table::{
        encoding::Kind,
        error::{TableError, TableErrorKind},
        file::TableFile,
        header::Header,
    },
};

/// An additive pattern database: for each pattern of a [`Partition`], how many moves *of its own* tiles bring them to
/// their places, wherever the other tiles lie.
///
/// A move moves a tile of one pattern only, so the sum over all patterns is never more than the distance. The blank's
/// region counts: the blank may move freely among the other tiles, but not through the pattern's own. This makes the
/// numbers greater than those of a database that takes the minimum over the blank's cells. Neighbours then differ by
/// exactly one, so one bit for each is enough, as in a table of boards.
///
/// A database is made of a [`TableFile`] by `try_from`.
///
/// R. E. Korf and A. Felner, *Disjoint pattern database heuristics*, Artificial Intelligence 134, 2002; A. Felner, R.
/// E. Korf and S. Hanan, *Additive pattern database heuristics*, Journal of Artificial Intelligence Research 22, 2004.
///
/// ```
/// use tilebase::{Goal, index::Partition, pattern::{PatternBuilder, PatternSolver}, Shape};
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
    sections: Vec<Section>,
}

/// The place of a pattern's bits in the file.
struct Section {
    footprints: Arc<Footprints>,
    home: Places,
    /// The first byte of the payload.
    start: usize,
}

/// The bits of one pattern.
#[derive(Clone, Copy)]
pub(crate) struct PatternTable<'a> {
    pub(crate) footprints: &'a Footprints,
    /// For each word of an arrangement, each plane and each parity a word: eight bytes, little-endian.
    pub(crate) bytes: &'a [u8],
    /// The number of words for each word of an arrangement.
    pub(crate) row: usize,
    /// The places of the tiles at the goal, and of the blank.
    pub(super) home: Places,
    pub(super) blank: u32,
}

impl PatternDatabase {
    /// Its patterns.
    #[must_use]
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Its file.
    #[must_use]
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// What the file is.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.file.header()
    }

    /// The bits of each pattern.
    pub(crate) fn tables(&self) -> impl ExactSizeIterator<Item = PatternTable<'_>> {
        let blank = self.partition.home();
        // A pattern database is in one file: only full tables have parts.
        let payload = self.file.payload().unwrap_or_default();
        self.sections.iter().enumerate().map(move |(number, section)| {
            let end = self.sections.get(number + 1).map_or(payload.len(), |next| next.start);
            PatternTable {
                footprints: &section.footprints,
                bytes: &payload[section.start..end],
                row: 2 * section.footprints.planes(),
                home: section.home,
                blank,
            }
        })
    }
}

impl PatternTable<'_> {
    /// The word and the bit of an arrangement of the tiles in their places.
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

    /// The distance: the number of steps to the goal, each to a neighbour that is nearer by one. `None` if the bits do
    /// not lead there, as in no database that [`PatternDatabase::verify`] accepts.
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
            // All neighbours are prefetched before the first is read.
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
            return Err(file.error(TableErrorKind::Kind { expected: Kind::Pattern, found }));
        };
        let mut start = 0;
        let section = |pattern: &Pattern| {
            let section = Section { footprints: pattern.footprints(), home: pattern.home, start };
            start += 8 * pattern.words();
            section
        };
        let sections = partition.patterns().map(section).collect();
        Ok(Self { file, partition, sections })
    }
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternDatabase").field("header", self.header()).finish_non_exhaustive()
    }
}
