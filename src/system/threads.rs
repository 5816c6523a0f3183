//! Threads that share work.

use std::{
    num::NonZero,
    sync::{Mutex, OnceLock, PoisonError},
    thread,
};

/// Does the work on up to `threads` threads, no more than there are cores, and gives what came of each piece, in order.
///
/// Whoever is idle takes the next piece; a single thread is this one.
pub(crate) fn share<T: Send, R: Send>(
    threads: usize,
    work: Vec<T>,
    each: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(work.len());
    let threads = if threads > 1 { threads.min(cores()) } else { threads };
    if threads <= 1 {
        return work.into_iter().map(each).collect();
    }
    let queue = Mutex::new(work.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Vec<_> {
        std::iter::from_fn(next).map(|(number, piece)| (number, each(piece))).collect()
    };
    let mut done = thread::scope(|scope| {
        // Where the system has no thread to give, there are fewer.
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

/// How many threads can run at once.
pub(crate) fn cores() -> usize {
    // Asked once: the system reads files to answer.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}
