//! The schedule: when the next checkpoint is due.

use std::{
    num::NonZero,
    time::{Duration, Instant},
};

/// How often a process writes a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointInterval {
    /// After this many levels.
    Levels(NonZero<u32>),
    /// At the end of the first level that is complete after this time.
    Time(Duration),
    /// No checkpoint is written.
    Never,
}

/// When the next checkpoint is due.
pub(super) struct Schedule {
    interval: CheckpointInterval,
    /// The level of the last checkpoint that was due.
    level: u32,
    /// When that was.
    time: Instant,
}

impl Schedule {
    /// The schedule of a search that begins now, behind `level`.
    pub(super) fn new(interval: CheckpointInterval, level: u32) -> Self {
        Self { interval, level, time: Instant::now() }
    }

    /// Whether a checkpoint of this level is due. If it is, the next one counts from here.
    pub(super) fn is_due(&mut self, level: u32) -> bool {
        let is_due = match self.interval {
            CheckpointInterval::Levels(levels) => level >= self.level.saturating_add(levels.get()),
            CheckpointInterval::Time(time) => self.time.elapsed() >= time,
            CheckpointInterval::Never => false,
        };
        if is_due {
            (self.level, self.time) = (level, Instant::now());
        }
        is_due
    }
}
