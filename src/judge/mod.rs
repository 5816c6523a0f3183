//! Comparison with the truth: of the claims of solvers, and of the values of heuristics.

pub mod audit;
pub mod claim;
pub mod verdict;
