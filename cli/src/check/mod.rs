//! The oracle judges what others say.

pub(crate) mod cases;
pub(crate) mod claims;
pub(crate) mod judge;
pub(crate) mod judgement;
pub(crate) mod protocol;
pub(crate) mod report;
pub(crate) mod solver;
pub(crate) mod trial;
