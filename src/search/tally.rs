//! The tally: what is counted while a search runs.

use std::ops::ControlFlow;

use crate::{
    puzzle::{board::Board, moves::Move},
    search::report::{Expansion, Report},
};

/// A function that is called before each board is expanded, and can stop the search.
pub(super) trait Watch: FnMut(&Expansion<'_>) -> ControlFlow<()> {}

impl<W: FnMut(&Expansion<'_>) -> ControlFlow<()>> Watch for W {}

/// The error of a search that was stopped.
pub(super) struct Stopped;

/// The moves of a solution; `None` if there is no solution.
pub(super) type Found = Result<Option<Vec<Move>>, Stopped>;

/// The report of a search that runs, and what is counted only while it runs.
pub(super) struct Tally<W> {
    watch: W,
    pub(super) report: Report,
    /// The number of boards in memory.
    held: u64,
    /// The number of boards on the open list.
    open: u64,
}

impl<W: Watch> Tally<W> {
    /// The most boards that can be held: their numbers have 32 bits, and an expansion adds four boards at most. They
    /// fill about 200 GB.
    const MOST: u64 = u32::MAX as u64 - 4;

    pub(super) fn new(watch: W) -> Self {
        Self { watch, report: Report::new(), held: 0, open: 0 }
    }

    /// Counts a board that is expanded, unless `watch` stops the search.
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

    /// Counts a board that is generated.
    pub(super) fn generate(&mut self) {
        self.report.generated += 1;
    }

    /// Counts a board that is met for the first time, and so is open.
    pub(super) fn meet(&mut self) {
        self.held += 1;
        self.wait();
    }

    /// Counts a board that was expanded and is open again.
    pub(super) fn reopen(&mut self) {
        self.report.reopened += 1;
        self.wait();
    }

    /// Counts a board that is added to the open list.
    fn wait(&mut self) {
        self.open += 1;
        self.report.largest_open = self.report.largest_open.max(self.open);
    }

    /// Sets the number of boards in memory, for a search without an open list.
    pub(super) fn hold(&mut self, boards: u32) {
        self.held = boards.into();
        self.report.largest_open = self.report.largest_open.max(self.held);
    }

    /// Records the proof that a solution has at least this number of moves.
    pub(super) fn at_least(&mut self, moves: u32) {
        self.report.at_least = self.report.at_least.max(moves);
    }
}
