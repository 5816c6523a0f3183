//! A progress bar, for work that takes longer than a second.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use anyhow::Result;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilebase::sweep::Advance;

use crate::console::Console;

/// A progress bar on standard error, if standard error is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    wanted: bool,
    estimated: bool,
}

impl Progress {
    /// The time before the bar appears.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// A bar of this length. If `wanted` is false, it never appears.
    pub(crate) fn new(length: u64, wanted: bool) -> Self {
        Self::with(Some(length), "{wide_bar} {human_pos}/{human_len}, {eta} left: {msg}", wanted)
    }

    /// A bar that shows a percentage and no remaining time, for work with an uneven pace.
    pub(crate) fn uneven(length: u64, wanted: bool) -> Self {
        Self::with(Some(length), "{wide_bar} {percent}%: {msg}", wanted)
    }

    /// A message and no bar, for work of unknown length.
    pub(crate) fn endless(wanted: bool) -> Self {
        Self::with(None, "{spinner} {msg}", wanted)
    }

    fn with(length: Option<u64>, look: &str, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(look) {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now(), wanted, estimated: false }
    }

    /// Adds one to the position. `message` describes the results so far.
    pub(crate) fn step(&self, message: impl FnOnce() -> String) {
        self.bar.inc(1);
        // The bar limits how often it is drawn, but making a message also takes time.
        if self.bar.position() % 64 == 0 || self.bar.per_sec() < 1000.0 {
            self.show(message);
        }
    }

    /// Sets the position. `message` describes the results so far.
    pub(crate) fn at(&self, position: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(position);
        self.show(message);
    }

    /// Shows that all boards up to a level are found.
    pub(crate) fn advance(&self, advance: &Advance) {
        let Advance { depth, boards, found, .. } = *advance;
        self.at(found, || {
            let rate = found as f64 / self.start.elapsed().as_secs_f64();
            let [boards, found, rate] = [boards, found, rate as u64].map(HumanCount);
            format!("{boards} boards at distance {depth}, {found} in all, {rate} a second")
        });
    }

    fn show(&self, message: impl FnOnce() -> String) {
        if !self.wanted || self.start.elapsed() < Self::PATIENCE {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(message());
    }

    /// An estimate of the time for the whole work, if that is more than a minute and standard error is not a terminal.
    /// It is given only once, three seconds after the start or later.
    pub(crate) fn estimate(&mut self) -> Option<Duration> {
        const LONG: Duration = Duration::from_secs(60);
        let (elapsed, done) = (self.start.elapsed(), self.bar.position());
        let early = elapsed < 3 * Self::PATIENCE || done == 0;
        if self.estimated || early || io::stderr().is_terminal() {
            return None;
        }
        self.estimated = true;
        let all = self.bar.length().unwrap_or(done) as f64 / done as f64;
        let whole = Duration::try_from_secs_f64(elapsed.as_secs_f64() * all).ok()?;
        (whole > LONG).then_some(whole)
    }

    /// Hides the bar while `print` writes an answer.
    pub(crate) fn print(
        &self,
        console: &mut Console,
        print: impl FnOnce(&mut Console) -> Result<()>,
    ) -> Result<()> {
        if self.bar.is_hidden() {
            return print(console);
        }
        self.bar.suspend(|| print(console).and_then(|()| console.flush()))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
