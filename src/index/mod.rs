//! Perfect, gap-free numberings: of the boards that can reach a goal, and of the ways in which a pattern's tiles can lie.

pub mod footprints;
pub mod partition;
pub mod space;
