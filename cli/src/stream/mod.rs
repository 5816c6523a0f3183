//! A program that answers each line of its input with a line.

pub(crate) mod lines;
pub(crate) mod mishap;
pub(crate) mod oddities;
pub(crate) mod replies;
