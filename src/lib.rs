//! A tablebase for sliding-tile puzzles: the exact distance of every board, at once.
//!
//! A [`Tablebase`] answers for any board of up to 100 cells: how far it is from the goal, or that it is unsolvable, or
//! what is proven; which moves are best; optimal solutions and their number; what a solver's claim is worth. Up to 14 cells
//! it looks the answer up in a table of all boards (181,440 for the 8-puzzle), which it builds when it is first needed.
//! Up to 25 cells it searches with a pattern database. Beyond, it gives a lower bound.
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
//! Many threads can ask one tablebase at once. A [`Listener`] hears what happens meanwhile ([`ignore`] does not care), and
//! can stop it. A [`Policy`] says what is built on the way, and how long a search may take.
//!
//! What one needs to ask stands here. The rest stands in modules, each of which imports only modules above it:
//!
//! | module | what it knows |
//! |---|---|
//! | [`puzzle`] | shapes, boards, moves, goals and their symmetries |
//! | [`notation`] | boards and moves as text |
//! | [`index`] | the numbering of the boards that can reach a goal, and of the states of a pattern |
//! | [`search`] | heuristics and the classic searches |
//! | [`sweep`] | breadth-first search over all boards, sixty at a time |
//! | [`table`] | the distance of every board, as the bytes of a file, and the answers for one goal |
//! | [`pattern`] | pattern databases, and IDA* with them |
//! | [`judge`] | what solvers claim and heuristics estimate, compared with the truth |
//! | [`tablebase`] | who answers: a table, a pattern database, or a bound; the store, the policy, the costs |
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

/// The examples of the pages are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/judge-your-solver.md")]
struct Pages;
