//! What the machine gives: memory, threads, files.

pub(crate) mod file;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod random;
pub(crate) mod threads;
