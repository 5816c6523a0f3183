//! The verbs of the program, one file per verb.

pub(crate) mod audit;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod packaging;
pub(crate) mod query;
pub(crate) mod sample;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod verify;
