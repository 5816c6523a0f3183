//! The puzzle: shapes, boards, moves, goals and their symmetries.

pub mod board;
pub mod goal;
pub mod moves;
pub mod orbit;
pub mod shape;
