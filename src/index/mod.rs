//! Gap-free numberings of the boards that can reach a goal, and of the states of a pattern.

pub(crate) mod arrangement;
pub(crate) mod digits;
pub(crate) mod footprints;
pub(crate) mod partition;
pub(crate) mod snake;
pub(crate) mod space;
pub(crate) mod word;

pub use partition::{Partition, PartitionError};
pub use space::{Index, Space, SpaceError, TooFewBoards};
