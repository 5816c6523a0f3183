//! Ctrl-C: whether the user has interrupted the program, and whether the program may still stop cleanly.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Whether the user has interrupted the program, so that all work must stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the current work checks for an interruption, and then stops cleanly.
static ENDS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// From now on, an interruption does not exit this process: the caller must stop cleanly.
///
/// A second interruption that comes two seconds later or more exits the process at once.
pub(crate) fn stop_when_interrupted() {
    ENDS_IN_ORDER.store(true, Ordering::SeqCst);
}

/// Does `work`, which checks for an interruption and then stops cleanly.
///
/// If no interruption came during the work, a later one has the same effect as before this call.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let _good_order = GoodOrder::begin();
    work()
}

/// A guard that lives during work that checks for an interruption, and then stops cleanly.
pub(crate) struct GoodOrder {
    /// Whether such work was already in progress.
    before: bool,
}

impl GoodOrder {
    pub(crate) fn begin() -> Self {
        Self { before: ENDS_IN_ORDER.swap(true, Ordering::SeqCst) }
    }
}

impl Drop for GoodOrder {
    fn drop(&mut self) {
        ENDS_IN_ORDER.store(self.before || is_interrupted(), Ordering::SeqCst);
    }
}

/// Whether the user has interrupted the program, so that all work must stop.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Records an interruption, and returns whether this process must exit at once.
pub(crate) fn record() -> bool {
    /// The time in which a further signal is ignored. Some shells send a signal twice, to a process and to its group.
    const PATIENCE: Duration = Duration::from_secs(2);
    static FIRST: OnceLock<Instant> = OnceLock::new();
    INTERRUPTED.store(true, Ordering::SeqCst);
    let first = *FIRST.get_or_init(Instant::now);
    !ENDS_IN_ORDER.load(Ordering::SeqCst) || first.elapsed() > PATIENCE
}
