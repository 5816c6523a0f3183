//! The slot: a value that many threads need, and one of them makes.

use std::{
    fmt,
    ops::ControlFlow,
    sync::{Mutex, OnceLock, TryLockError},
    thread,
    time::Duration,
};

use crate::tablebase::event::{Event, Listener};

/// A place for a value that is made when it is first needed. Once the value is made, reading it takes no lock.
pub(crate) struct Slot<T> {
    value: OnceLock<T>,
    /// Held by the thread that makes the value.
    making: Mutex<()>,
}

/// The listener stopped the wait for the value.
pub(crate) struct Stopped;

impl<T> Slot<T> {
    pub(crate) const fn new() -> Self {
        Self { value: OnceLock::new(), making: Mutex::new(()) }
    }

    /// The value, if it is made.
    #[inline]
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value. If it is not made yet, `make` makes it, on one thread at a time. The other threads wait, and ask
    /// `listener` whether to continue. After a failure, the next caller tries again.
    pub(crate) fn get_or_make<E: From<Stopped>>(
        &self,
        listener: Listener<'_>,
        make: impl FnOnce(Listener<'_>) -> Result<T, E>,
    ) -> Result<&T, E> {
        const PAUSE: Duration = Duration::from_millis(2);
        loop {
            if let Some(value) = self.value.get() {
                return Ok(value);
            }
            match self.making.try_lock() {
                Ok(_making) => {
                    // Another thread may have made the value before this one took the lock.
                    if self.value.get().is_none() {
                        let value = make(listener)?;
                        return Ok(self.value.get_or_init(|| value));
                    }
                }
                // A thread that panicked left no value and no longer works on it.
                Err(TryLockError::Poisoned(_)) => self.making.clear_poison(),
                Err(TryLockError::WouldBlock) => {
                    if let ControlFlow::Break(()) = listener(Event::Waiting) {
                        return Err(Stopped.into());
                    }
                    thread::sleep(PAUSE);
                }
            }
        }
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("is_filled", &self.value.get().is_some()).finish()
    }
}
