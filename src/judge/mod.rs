//! Comparison with the truth: of the claims of solvers, and of the values of heuristics.

pub(crate) mod audit;
pub(crate) mod claim;
pub(crate) mod verdict;

pub use audit::{Audit, Estimate, Level};
pub use claim::{Claim, ClaimError};
pub use verdict::{Misstep, Truth, Verdict};
