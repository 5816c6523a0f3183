//! The method of a search: an algorithm and a heuristic, each by its name.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use crate::search::algorithm::Algorithm;

/// An algorithm by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AlgorithmName {
    /// Breadth-first search.
    Bfs,
    /// Breadth-first search from the start and from the goal.
    Bidirectional,
    /// Greedy best-first search.
    Greedy,
    /// A*.
    Astar,
    /// Weighted A*.
    Weighted,
    /// IDA*.
    Idastar,
}

/// A heuristic by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HeuristicName {
    /// 0 for every board.
    None,
    /// The number of misplaced tiles.
    Misplaced,
    /// The sum of the tiles' Manhattan distances.
    Manhattan,
    /// Manhattan, and two moves for each tile that has to leave its line.
    LinearConflict,
    /// The distance itself, from a table.
    Table,
    /// The estimate of a pattern database.
    Pattern,
}

/// An algorithm with a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Method {
    /// The algorithm.
    pub algorithm: AlgorithmName,
    /// The heuristic; [`HeuristicName::None`] where the algorithm uses none.
    pub heuristic: HeuristicName,
}

/// The text is not the name of an algorithm, or not that of a heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {what}: expected {expected}")]
pub struct UnknownName {
    text: String,
    what: &'static str,
    expected: String,
}

impl AlgorithmName {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Bfs, Self::Bidirectional, Self::Greedy, Self::Astar, Self::Weighted, Self::Idastar];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Greedy => "greedy",
            Self::Astar => "astar",
            Self::Weighted => "weighted",
            Self::Idastar => "idastar",
        }
    }

    /// What it does, in some words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Bfs => "Breadth-first search",
            Self::Bidirectional => "Breadth-first search from the start and from the goal",
            Self::Greedy => "Greedy best-first search: by h",
            Self::Astar => "A*: by f = g + h",
            Self::Weighted => "Weighted A*: by f = g + W·h",
            Self::Idastar => "IDA*: depth-first within a bound on f that grows",
        }
    }

    /// The algorithm. `weight` is that of h in weighted A*.
    pub fn algorithm(self, weight: f64) -> Algorithm {
        match self {
            Self::Bfs => Algorithm::BreadthFirst,
            Self::Bidirectional => Algorithm::Bidirectional,
            Self::Greedy => Algorithm::Greedy,
            Self::Astar => Algorithm::AStar,
            Self::Weighted => Algorithm::WeightedAStar { weight },
            Self::Idastar => Algorithm::IdaStar,
        }
    }

    /// Whether its solutions are optimal, if the heuristic is admissible.
    pub fn is_optimal(self) -> bool {
        self.algorithm(2.0).is_optimal()
    }

    /// Whether it uses a heuristic.
    pub fn is_informed(self) -> bool {
        self.algorithm(1.0).is_informed()
    }
}

impl HeuristicName {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Misplaced,
        Self::Manhattan,
        Self::LinearConflict,
        Self::Table,
        Self::Pattern,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Misplaced => "misplaced",
            Self::Manhattan => "manhattan",
            Self::LinearConflict => "linear-conflict",
            Self::Table => "table",
            Self::Pattern => "pattern",
        }
    }

    /// What it says, in some words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::None => "0 for every board",
            Self::Misplaced => "How many tiles are not in their place",
            Self::Manhattan => "How many rows and columns the tiles are from their places",
            Self::LinearConflict => "Manhattan, and two for each tile that has to leave its line",
            Self::Table => "The distance itself",
            Self::Pattern => "What a pattern database tells",
        }
    }
}

impl Method {
    /// How boards are solved where there is no table.
    pub const BY_PATTERNS: Self =
        Self { algorithm: AlgorithmName::Idastar, heuristic: HeuristicName::Pattern };
}

/// The value with this name.
fn find<T: Copy>(
    what: &'static str,
    text: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|value| name(*value) == text);
    found.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|value| name(*value)).collect();
        UnknownName { text: text.to_owned(), what, expected: names.join(", ") }
    })
}

impl FromStr for AlgorithmName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find("algorithm", text, &Self::ALL, Self::name)
    }
}

impl FromStr for HeuristicName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find("heuristic", text, &Self::ALL, Self::name)
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.heuristic {
            HeuristicName::None => write!(f, "{}", self.algorithm),
            heuristic => write!(f, "{} with {heuristic}", self.algorithm),
        }
    }
}

impl Serialize for AlgorithmName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for HeuristicName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
