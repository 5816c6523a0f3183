//! The classic searches, as textbooks define them.
//!
//! A search *meets* a board when it generates the board for the first time. The board then waits on the *open list*. To
//! *expand* a board is to take it from this list, to test whether it is the goal and, if it is not, to generate its
//! successors. The goal that is found counts as expanded.
//!
//! The *successors* of a board are the boards one move away, without the one before the last move. Each of them counts
//! as *generated*, whether it was met before or not. The start does not count. Moves are tried in the order of
//! [`Move::ALL`](crate::Move::ALL): up, down, left, right, as directions of the blank.
//!
//! | [`Algorithm`] | always expands | a solution is |
//! |---|---|---|
//! | breadth-first | the board with the least g | optimal |
//! | bidirectional | the same, from the start and from the goal | optimal |
//! | greedy | the board with the least h | of any length |
//! | A* | the board with the least f = g + h | optimal if the heuristic is admissible |
//! | weighted A* | the board with the least f = g + w·h | then at most w times as long as an optimal one |
//! | IDA* | depth first, the boards with f within a bound that grows | optimal if the heuristic is admissible |
//!
//! Here g is the number of moves to a board, and h the heuristic's estimate of the moves that are left. Of boards with
//! equal f, the one with the least h comes first; of these, the one that has waited longest.

pub(crate) mod algorithm;
mod best_first;
mod bidirectional;
mod breadth_first;
mod frontier;
pub(crate) mod heuristic;
mod ida_star;
pub(crate) mod method;
pub(crate) mod report;
mod successors;
mod suite;
mod tally;
mod tree;

pub use algorithm::{Algorithm, Search};
pub use heuristic::{Blind, Heuristic, LinearConflict, Manhattan, Misplaced};
pub use method::{AlgorithmName, HeuristicName, Method, UnknownName};
pub use report::{Expansion, Outcome, Report};
pub use suite::{Suite, UnknownSuite};
