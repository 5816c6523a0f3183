//! `tilebase audit`: what a heuristic is worth.

use anyhow::Result;
use clap::Args;

use super::{Global, console::Console};

/// Judge a heuristic over every board
#[derive(Debug, Args)]
pub(super) struct Audit {}

impl Audit {
    pub(super) fn run(self, _: &Global, _: &mut Console) -> Result<()> {
        Ok(())
    }
}
