//! The comparison of searches: which ones run, and how their results are written.

pub(crate) mod chart;
pub(crate) mod columns;
pub(crate) mod group;
pub(crate) mod pairs;
pub(crate) mod row;
pub(crate) mod searches;
pub(crate) mod suite;
pub(crate) mod writer;
