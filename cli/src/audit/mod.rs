//! The audit of a heuristic: where its values come from, and what was found as JSON.

pub(crate) mod json;
pub(crate) mod program;
pub(crate) mod values;
