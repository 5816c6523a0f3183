//! Threads that share work.

use std::{
    num::NonZero,
    sync::{Mutex, OnceLock, PoisonError},
    thread,
};

/// A limit for the number of threads: one for each core, or fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threads(Option<NonZero<usize>>);

impl Threads {
    /// One thread for each core.
    pub const ALL: Self = Self(None);

    /// At most `limit` threads.
    pub const fn at_most(limit: NonZero<usize>) -> Self {
        Self(Some(limit))
    }

    /// The number of threads that run: at least one, and at most one for each core.
    pub fn count(self) -> usize {
        match self.0 {
            Some(limit) if limit == NonZero::<usize>::MIN => 1,
            Some(limit) => limit.get().min(cores()),
            None => cores(),
        }
    }
}

/// At most this many threads, and one instead of none.
impl From<usize> for Threads {
    fn from(limit: usize) -> Self {
        Self::at_most(NonZero::new(limit).unwrap_or(NonZero::<usize>::MIN))
    }
}

/// Calls `each` for each piece of work on several threads. Returns the results in the order of the pieces.
///
/// An idle thread takes the next piece. The calling thread is one of the threads.
pub(crate) fn share<T: Send, R: Send>(
    threads: Threads,
    work: Vec<T>,
    each: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = if work.len() > 1 { threads.count().min(work.len()) } else { 1 };
    if threads == 1 {
        return work.into_iter().map(each).collect();
    }
    let queue = Mutex::new(work.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Vec<_> {
        std::iter::from_fn(next).map(|(number, piece)| (number, each(piece))).collect()
    };
    let mut done = thread::scope(|scope| {
        // If the system provides no further thread, there are fewer.
        let others =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let others: Vec<_> = others.collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, done)| done).collect()
}

/// The number of threads that can run at once.
fn cores() -> usize {
    // The system reads files to answer, so it is asked once.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}
