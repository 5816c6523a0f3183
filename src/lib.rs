//! A tablebase for sliding-tile puzzles: the exact distance of every board, at once.
//!
//! A [`Table`] is built once, by a breadth-first search backwards from a goal, and holds the distance
//! of every board from which the goal can be reached: 181,440 for the 8-puzzle. An [`Oracle`] answers
//! from it: how far a [`Board`] is from the goal or that it is unsolvable, which moves are best, how
//! many optimal solutions there are, and what a solver's path is worth.
//!
//! ```
//! use tilebase::{Board, Claim, Goal, Move, Oracle, Shape, Truth, Verdict};
//!
//! let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
//! let oracle = Oracle::build(&goal)?; // or keep the table in a file: see `Table` and `Store`
//!
//! let board: Board = "123456708".parse()?;
//! assert_eq!(oracle.distance(&board)?, Some(1));
//! assert_eq!(oracle.solution(&board)?, Some(vec![Move::Right]));
//! let path = vec![Move::Left, Move::Right, Move::Right];
//! assert_eq!(Claim::from(path).judge(&board, &goal, Truth::Distance(1)), Verdict::Longer { moves: 3, by: 2 });
//! assert_eq!(oracle.distance(&"123456870".parse()?)?, None); // unsolvable
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The layers; none knows one behind it, but that a [`Board`] is parsed and shown as text:
//!
//! | layer | what it knows |
//! |---|---|
//! | [`Shape`], [`Move`], [`Board`], [`Goal`] | the puzzle |
//! | [`Notation`], [`Reader`], [`BoardNotation`], [`MoveNotation`] | text |
//! | [`Orbit`], [`Space`], [`Index`] | the numbering of the boards that can reach a goal |
//! | [`Table`] | the distances, as the bytes of a file |
//! | [`Oracle`] | the answers for one goal |
//! | [`PatternSolver`], [`PatternDatabase`], [`Partition`] | solutions where there are too many boards for a table |
//! | [`Claim`], [`Verdict`] | what a solver says, and what that is worth |
//! | [`Heuristic`], [`Audit`] | estimates of the distance, and what they are worth |
//! | [`Search`], [`Algorithm`] | the classic searches |
//! | [`Store`] | a folder of tables |
//!
//! The feature `cli` (on by default) builds the `tilebase` program. Without it the library has none
//! of the program's dependencies.

#[cfg(feature = "cluster")]
pub mod cluster;
pub mod index;
pub mod judge;
pub mod notation;
pub mod pattern;
pub mod puzzle;
pub mod search;
pub mod sweep;
mod system;
pub mod table;
pub mod tablebase;

#[cfg(feature = "cluster")]
pub use cluster::{
    Built, CheckpointInterval, ClusterBuilder, ClusterError, Event as ClusterEvent, Hosts,
    HostsError, HostsFlaw, Plan,
};
pub use index::{
    partition::{Partition, PartitionError},
    space::{Index, Space, SpaceError, TooFewBoards},
};
pub use judge::{
    audit::{Audit, Estimate, Level},
    claim::{Claim, ClaimError},
    verdict::{Misstep, Truth, Verdict},
};
pub use notation::{
    BoardNotation, MoveNotation, Notation, NotationError, NotationFlaw, Position, Reader,
    RowLength, Sides, UnknownNotation,
};
pub use pattern::{PatternBuilder, PatternDatabase, PatternSolver, SolverProgress};
pub use puzzle::{
    board::{Board, BoardError, Tile},
    goal::{Goal, UnknownGoal},
    moves::Move,
    orbit::Orbit,
    shape::{Shape, ShapeError},
};
pub use search::{
    Algorithm, Expansion, Outcome, Report, Search, Suite, UnknownSuite,
    heuristic::{Blind, Heuristic, LinearConflict, Manhattan, Misplaced},
    method::{AlgorithmName, HeuristicName, Method},
};
pub use sweep::levels::Advance;
pub use system::{file::write_whole, threads::Threads};
pub use table::{
    BuildCost, BuildError, Builder, Damage, Encoding, Flaw, Header, Kind, LookupError, Manifest,
    ManifestEntry, Metric, NextMove, Oracle, OracleError, Part, PartsError, SampleError, Table,
    TableError, TableErrorKind, TableFile, UnknownEncoding, mean_distance,
};
pub use tablebase::{
    answer::{Answer, By, Next},
    event::{Event, Listener, Note, ignore},
    goals::{GoalError, Goals},
    limit::{Limit, Limits, Searched},
    policy::{Policy, Refusal},
    source::Source,
    statement::{BestMove, Effort, Statement, Status},
    store::{Fetched, Origin, Store},
    tablebase::Tablebase,
};

/// The examples of the pages are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/judge-your-solver.md")]
struct Pages;
