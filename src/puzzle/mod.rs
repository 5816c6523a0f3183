//! The puzzle: what a legal board is, where a blank can go, which boards can reach which.

pub mod board;
pub mod goal;
pub mod moves;
pub mod orbit;
pub mod shape;
