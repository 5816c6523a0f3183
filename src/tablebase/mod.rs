//! Who answers.

pub mod store;
