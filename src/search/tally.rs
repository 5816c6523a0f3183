//! The tally: what is counted while a search runs.

use std::ops::ControlFlow;

use crate::puzzle::{board::Board, moves::Move};
use crate::search::{Expansion, Report};

/// Whoever watches a search.
pub(super) trait Watch: FnMut(&Expansion<'_>) -> ControlFlow<()> {}

impl<W: FnMut(&Expansion<'_>) -> ControlFlow<()>> Watch for W {}

/// Whoever watches broke off.
pub(super) struct Stopped;

/// The report on a search that still runs.
pub(super) struct Tally<W> {
    watch: W,
    pub(super) report: Report,
    held: u64,
    open: u64,
}

impl<W: Watch> Tally<W> {
    /// The most boards that are held: their numbers have 32 bits, and a board has four successors at most. They
    /// fill some 200 GB.
    const MOST: u64 = u32::MAX as u64 - 4;

    pub(super) fn new(watch: W) -> Self {
        Self { watch, report: Report::new(), held: 0, open: 0 }
    }

    /// A board is expanded, unless whoever watches breaks off.
    pub(super) fn expand(
        &mut self,
        board: &Board,
        step: Option<Move>,
        f: f64,
        g: u32,
        h: u32,
    ) -> Result<(), Stopped> {
        let (number, held) = (self.report.expanded + 1, self.held);
        let expansion = Expansion { number, board, step, f, g, h, held };
        if held > Self::MOST || (self.watch)(&expansion).is_break() {
            return Err(Stopped);
        }
        self.report.expanded = number;
        self.open = self.open.saturating_sub(1);
        Ok(())
    }

    /// A board is made by a move.
    pub(super) fn generate(&mut self) {
        self.report.generated += 1;
    }

    /// A board is met for the first time, and waits from now on.
    pub(super) fn meet(&mut self) {
        self.held += 1;
        self.wait();
    }

    /// A board that was expanded waits once more.
    pub(super) fn reopen(&mut self) {
        self.report.reopened += 1;
        self.wait();
    }

    fn wait(&mut self) {
        self.open += 1;
        self.report.largest_open = self.report.largest_open.max(self.open);
    }

    /// So many boards are held now, and no others.
    pub(super) fn hold(&mut self, boards: u32) {
        self.held = boards.into();
        self.report.largest_open = self.report.largest_open.max(self.held);
    }

    /// It is proven that a solution has so many moves at least.
    pub(super) fn at_least(&mut self, moves: u32) {
        self.report.at_least = self.report.at_least.max(moves);
    }
}
