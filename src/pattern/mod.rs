//! Pattern databases: exact distances for some of the tiles, which add up to an estimate for all tiles.
//!
//! | file | its noun |
//! |---|---|
//! | `database` | the bytes, and the distance of each placement |
//! | `builder` | how a database is built |
//! | `proof` | how a database is proved right |
//! | `solver` | estimates and optimal solutions of boards, for one goal |
//! | `deepening` | the searches of one board, bound after bound, on several threads |
//! | `walker` | one depth-first search within a bound |
//! | `placement` | where the tiles of a pattern are, and the bit that a move reads |
//! | `transposition` | the boards that a search has met |

pub(crate) mod builder;
pub(crate) mod database;
pub(crate) mod deepening;
mod placement;
mod proof;
pub(crate) mod solver;
mod transposition;
mod walker;

pub use builder::PatternBuilder;
pub use database::PatternDatabase;
pub use deepening::SolverProgress;
pub use solver::PatternSolver;
