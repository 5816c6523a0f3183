//! Gap-free numberings of the boards that can reach a goal, and of the states of a pattern.

pub(crate) mod arrangement;
pub(crate) mod digits;
pub mod footprints;
pub mod partition;
pub(crate) mod snake;
pub mod space;
pub(crate) mod word;
