//! The puzzle: shapes, boards, moves, goals and their symmetries.

pub(crate) mod board;
pub(crate) mod goal;
pub(crate) mod moves;
pub(crate) mod orbit;
pub(crate) mod shape;

pub use board::{Board, BoardError, Tile};
pub use goal::{Goal, UnknownGoal};
pub use moves::Move;
pub use orbit::Orbit;
pub use shape::{Shape, ShapeError};
