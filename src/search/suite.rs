//! The suites: sets of instances with published lengths, by which programs are compared.

use std::{fmt, str::FromStr};

use crate::puzzle::{board::Board, goal::Goal, shape::Shape};

/// A set of boards with the published lengths of their optimal solutions.
///
/// ```
/// use tilebase::search::Suite;
///
/// let (board, moves) = Suite::Korf100.instances().next().unwrap();
/// assert_eq!(board.to_string(), "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3");
/// assert_eq!(moves, 57);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suite {
    /// 100 boards of the 15-puzzle.
    ///
    /// R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial Intelligence 27,
    /// 1985.
    Korf100,
    /// 50 boards of the 24-puzzle.
    ///
    /// R. E. Korf and A. Felner, *Disjoint pattern database heuristics*, Artificial Intelligence 134, 2002.
    Korf24,
}

/// The error for a text that is not the name of a [`Suite`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected korf100 or korf24")]
pub struct UnknownSuite;

impl Suite {
    /// All suites.
    pub const ALL: [Self; 2] = [Self::Korf100, Self::Korf24];

    /// The suite's name: `korf100` or `korf24`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Korf100 => "korf100",
            Self::Korf24 => "korf24",
        }
    }

    /// The shape of all its boards.
    #[must_use]
    pub fn shape(self) -> Shape {
        let side = match self {
            Self::Korf100 => 4,
            Self::Korf24 => 5,
        };
        Shape::new(side, side).expect("4x4 and 5x5 are shapes")
    }

    /// The goal of all its boards.
    #[must_use]
    pub fn goal(self) -> Goal {
        Goal::BlankFirst
    }

    /// Its boards in the published order, each with the number of moves of an optimal solution.
    pub fn instances(self) -> impl Iterator<Item = (Board, u32)> {
        let text = match self {
            Self::Korf100 => include_str!("../../data/korf100.tsv"),
            Self::Korf24 => include_str!("../../data/korf24.tsv"),
        };
        // The first line is a comment, the second names the columns.
        text.lines().skip(2).map(move |line| {
            let instance = instance(self.shape(), line);
            instance.expect("a line has the tiles of a board, a tab and a number")
        })
    }
}

/// The instance in a line of a suite's file.
fn instance(shape: Shape, line: &str) -> Option<(Board, u32)> {
    let (tiles, moves) = line.split_once('\t')?;
    let tiles: Vec<u8> = tiles.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((Board::new(shape, &tiles).ok()?, moves.parse().ok()?))
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Suite {
    type Err = UnknownSuite;

    fn from_str(name: &str) -> Result<Self, UnknownSuite> {
        Self::ALL.into_iter().find(|suite| suite.name() == name).ok_or(UnknownSuite)
    }
}
