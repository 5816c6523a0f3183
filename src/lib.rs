//! A tablebase for sliding-tile puzzles: the exact distance of every board, at once.
//!
//! A [`Tablebase`] answers questions about any board of up to 100 cells:
//!
//! - What is its distance from the goal, or is it unsolvable? If the distance is unknown, which lower bound is proven?
//! - Which moves are best? What are the optimal solutions, and how many are there?
//! - Is a solver's claim about the board right?
//!
//! Up to 14 cells, the answer is looked up in a table of all boards (181,440 for the 8-puzzle). Up to 12 cells, the
//! table is built when it is first needed. Up to 25 cells, the answer is found by a search with a pattern database. For
//! larger boards, it is a lower bound.
//!
//! ```
//! use tilebase::{Board, Claim, ignore, Move, Store, Tablebase, Truth, Verdict};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let tablebase = Tablebase::new(Store::new(folder));
//!
//! let board: Board = "123456708".parse()?;
//! let answer = tablebase.solve(&board, &mut ignore)?;
//! assert_eq!(answer.truth, Truth::Distance(1));
//! assert_eq!(answer.solution, Some(vec![Move::Right]));
//!
//! let path = vec![Move::Left, Move::Right, Move::Right];
//! let verdict = tablebase.judge(&board, &Claim::Moves(path), &mut ignore)?;
//! assert_eq!(verdict, Verdict::Longer { moves: 3, by: 2 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Many threads can ask one tablebase at the same time. A [`Listener`] receives the events during the work, and can
//! stop the work; [`ignore`] is a listener that does nothing. A [`Policy`] says what is built when needed, and how long
//! a search may take.
//!
//! The names that most callers need are exported here. The rest is in modules, and each imports only modules above it:
//!
//! | module | its contents |
//! |---|---|
//! | [`puzzle`] | shapes, boards, moves, goals and their symmetries |
//! | [`notation`] | boards and moves as text |
//! | [`index`] | the numbering of the boards that can reach a goal, and of the states of a pattern |
//! | [`search`] | heuristics and the classic searches |
//! | [`sweep`] | breadth-first search over all boards, which handles sixty boards at once |
//! | [`table`] | the distance of every board, as the bytes of a file, and the answers for one goal |
//! | [`pattern`] | pattern databases, and IDA* with them |
//! | [`judge`] | claims of solvers and estimates of heuristics, compared with the truth |
//! | [`tablebase`] | answers from a table, a pattern database, or a bound; the store, the policy, the costs |
//!
//! The feature `cluster` adds the module `cluster`: several processes that make one table together over a network.

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

pub use judge::{Claim, Truth, Verdict};
pub use notation::{BoardNotation, MoveNotation, Notation, NotationError};
pub use puzzle::{Board, BoardError, Goal, Move, Shape, ShapeError};
pub use system::{file::write_whole, threads::Threads};
pub use tablebase::{
    Answer, By, Event, Goals, Listener, Next, Policy, Refusal, Source, Store, Tablebase, ignore,
};

/// The examples in these pages run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/judge-your-solver.md")]
struct Pages;
