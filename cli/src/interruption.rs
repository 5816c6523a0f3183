//! Ctrl-C: whether the user has interrupted the program, and whether the program may still end in good order.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Whether all work is to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the current work looks for an interruption and ends in good order.
static ENDS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// From now on, an interruption leaves it to the caller to end this process in good order.
///
/// This does not hold for a second interruption that comes much later than the first.
pub(crate) fn stop_when_interrupted() {
    ENDS_IN_ORDER.store(true, Ordering::SeqCst);
}

/// Does `work`, which looks for an interruption and then ends in good order.
///
/// If none came meanwhile, a later interruption acts as it did before this call.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let _good_order = GoodOrder::begin();
    work()
}

/// Lives as long as work is done that looks for an interruption, and then ends in good order.
pub(crate) struct GoodOrder {
    /// Whether such work was being done before.
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

/// Whether all work is to end.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Records an interruption, and tells whether this process has to exit at once.
pub(crate) fn record() -> bool {
    /// The time that it takes to end in good order. Some shells send a signal twice, to a process and to its group.
    const PATIENCE: Duration = Duration::from_secs(2);
    static FIRST: OnceLock<Instant> = OnceLock::new();
    INTERRUPTED.store(true, Ordering::SeqCst);
    let first = *FIRST.get_or_init(Instant::now);
    !ENDS_IN_ORDER.load(Ordering::SeqCst) || first.elapsed() > PATIENCE
}
