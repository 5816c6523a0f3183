//! What others say, held against the truth: the claims of solvers, the values of heuristics.

pub mod audit;
pub mod claim;
