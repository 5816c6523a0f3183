//! Pattern databases: exact distances for some of the tiles, which add up to an estimate for all.
//!
//! | file | its noun |
//! |---|---|
//! | `database` | the bytes that tell the distance of each |
//! | `builder` | how they are found |
//! | `proof` | why they are right |
//! | `solver` | what they tell about boards, for one goal |
//! | `walker` | the depth-first search |

pub(crate) mod builder;
pub(crate) mod database;
mod proof;
pub(crate) mod solver;
mod walker;

pub use builder::PatternBuilder;
pub use database::PatternDatabase;
pub use solver::{Bound, PatternSolver};

/// Adds how many there are at each distance.
fn add_levels(sum: &mut Vec<u64>, levels: &[u64]) {
    sum.resize(levels.len().max(sum.len()), 0);
    sum.iter_mut().zip(levels).for_each(|(sum, boards)| *sum += boards);
}
