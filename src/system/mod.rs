//! Services of the machine: memory, processor, threads, files.

pub(crate) mod file;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod processor;
pub(crate) mod random;
pub(crate) mod threads;
