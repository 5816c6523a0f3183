//! The content of a table: its kind, its metric and the encoding of its entries.

use std::str::FromStr;

use crate::{
    index::{space::MAX_CELLS, word::BOARDS},
    puzzle::{orbit::Orbit, shape::Shape},
};

/// What a table file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The distance of every board that can reach the goal.
    Full,
    /// A pattern database: for each pattern of tiles, how many moves of these tiles a solution needs at least.
    Pattern,
    /// One of several files that make up a full table.
    Part,
    /// The state of one of several processes in the middle of a search.
    Checkpoint,
}

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// One tile moves to the next cell.
    SingleTile,
}

/// How the entries of a table are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// One byte per board: its distance.
    Distance,
    /// One bit per board: the second lowest bit of its distance. The blank's cell gives the lowest bit. Both bits
    /// together show which neighbours are nearer to the goal. The distance is the number of moves of a walk there.
    Bit,
}

/// The text is not the name of an [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected distance or bit")]
#[non_exhaustive]
pub struct UnknownEncoding;

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name {
            "distance" => Ok(Self::Distance),
            "bit" => Ok(Self::Bit),
            _ => Err(UnknownEncoding),
        }
    }
}

impl Encoding {
    /// The header's code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Distance => 1,
            Self::Bit => 2,
        }
    }

    /// The encoding with this code.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        [Self::Distance, Self::Bit].into_iter().find(|encoding| encoding.code() == code)
    }

    /// Its name, as in `--encoding NAME`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Bit => "bit",
        }
    }

    /// The default encoding for a shape: one byte per board up to ten cells, one bit per board beyond.
    #[must_use]
    pub fn usual(shape: Shape) -> Self {
        const MOST_CELLS_BY_DISTANCE: usize = 10;
        if shape.cells() > MOST_CELLS_BY_DISTANCE { Self::Bit } else { Self::Distance }
    }

    /// The greatest number of cells for which a [`Builder`](crate::table::Builder) makes a table with this encoding: 12
    /// by distance, 14 by bit.
    #[must_use]
    pub fn most_cells(self) -> usize {
        match self {
            Self::Distance => 12,
            Self::Bit => 14,
        }
    }

    /// The greatest number of cells for which a file can exist. Several processes together can make larger tables than
    /// one process. The index is limited to 16 cells.
    pub(super) fn most_cells_of_a_file(self) -> usize {
        match self {
            Self::Distance => self.most_cells(),
            Self::Bit => MAX_CELLS,
        }
    }

    /// The length in bytes of the payload for the boards of an orbit.
    pub(crate) fn payload_bytes(self, orbit: Orbit) -> u64 {
        let planes = orbit.shape().cells() as u64;
        match self {
            Self::Distance => orbit.boards(),
            Self::Bit => planes * (orbit.boards() / planes).div_ceil(BOARDS as u64) * 8,
        }
    }
}

impl Metric {
    /// The header's code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::SingleTile => 1,
        }
    }

    /// The metric with this code.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        (code == Self::SingleTile.code()).then_some(Self::SingleTile)
    }
}

impl Kind {
    const ALL: [Self; 4] = [Self::Full, Self::Pattern, Self::Part, Self::Checkpoint];

    /// The header's code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Full => 1,
            Self::Pattern => 2,
            Self::Part => 3,
            // 4 was a checkpoint whose levels stood block by block.
            Self::Checkpoint => 5,
        }
    }

    /// The kind with this code.
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The noun for a file of this kind in a sentence.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Full => "full table",
            Self::Pattern => "pattern database",
            Self::Part => "part of a table",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// Whether the header counts every board that can reach the goal.
    pub(super) fn counts_all(self) -> bool {
        match self {
            Self::Full | Self::Part => true,
            Self::Pattern | Self::Checkpoint => false,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Pattern => "pattern",
            Self::Part => "part",
            Self::Checkpoint => "checkpoint",
        }
    }
}
