//! The monitor: the main thread of a process, while another thread does the job.

use std::{
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use timely::{
    WorkerConfig,
    communication::{
        AllocatorBuilder, Hooks, WorkerGuards,
        allocator::{ProcessBuilder, zero_copy::initialize::initialize_networking_from_sockets},
        initialize_from,
    },
    worker::Worker,
};

use crate::cluster::{
    connection::Connection,
    error::ClusterError,
    event::{Event, Notice},
    exchange::Exchange,
    hosts::Hosts,
    job::Job,
};

/// How long to wait for what is expected to happen soon: the end of a thread, or of this process's own job.
const GRACE: Duration = Duration::from_secs(2);

/// Starts a job, tells the caller what happens, and ends the job.
pub(super) struct Monitor {
    /// From the job and the connections.
    notices: Receiver<Notice>,
    /// Tells the job to stop.
    stop: Arc<AtomicBool>,
    threads: WorkerGuards<()>,
}

impl Monitor {
    /// Starts a job on a thread of its own.
    ///
    /// # Errors
    ///
    /// If timely cannot start.
    pub(super) fn start(
        job: Job,
        connections: Vec<Option<Connection>>,
        process: usize,
        notices: Receiver<Notice>,
    ) -> Result<Self, ClusterError> {
        // Timely has one worker in each process. The worker shares its sweeps among threads.
        const WORKERS: usize = 1;
        let stop = Arc::clone(&job.share.stop);
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(WORKERS, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(local, connections, process, WORKERS, hooks)
                .map_err(|error| ClusterError::Network(error.to_string()))?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let job = Mutex::new(Some(job));
        let run = move |allocator| {
            let job = job.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(job) = job {
                // Without a clock, a worker never sleeps.
                run(job, Worker::new(WorkerConfig::default(), allocator, Some(Instant::now())));
            }
        };
        let threads = initialize_from(builders, Box::new(guard), run);
        Ok(Self { notices, stop, threads: threads.map_err(ClusterError::Network)? })
    }

    /// Passes events on to the caller, until the part is made or cannot be made. `checkpoint` is the level from
    /// which all processes have resumed. The time is that of the search alone.
    pub(super) fn attend(
        &self,
        hosts: &Hosts,
        mut checkpoint: Option<u32>,
        watch: &mut impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Duration, ClusterError> {
        /// The longest time between two calls of `watch`.
        const TICK: Duration = Duration::from_millis(50);
        let mut gone = None;
        loop {
            let event = match self.notices.recv_timeout(TICK) {
                Ok(Notice::Done(result)) => return result,
                Ok(Notice::Gone(process)) => {
                    gone.get_or_insert((process, Instant::now()));
                    Event::Waiting
                }
                Ok(Notice::Event(event)) => event,
                Err(RecvTimeoutError::Timeout) => Event::Waiting,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ClusterError::Network("a thread has died".into()));
                }
            };
            if let Event::Level { checkpoint: last, .. } = event {
                checkpoint = last;
            }
            if watch(event).is_break() {
                return Err(ClusterError::Stopped);
            }
            // A process that has finished its job is gone, too. Then this process finishes soon.
            match gone {
                Some((process, since)) if since.elapsed() > GRACE => {
                    let address = hosts.address(process).into();
                    return Err(ClusterError::Lost { process, address, checkpoint });
                }
                _ => {}
            }
        }
    }

    /// Ends the threads of a job that is done. First they send what others wait for, if that is soon done.
    pub(super) fn finish(self) {
        let (closed, closing) = mpsc::channel();
        thread::spawn(move || {
            drop(self.threads);
            let _ = closed.send(());
        });
        let _ = closing.recv_timeout(GRACE);
    }

    /// Stops a job that is not done. Threads that wait for another process stay until the program ends.
    pub(super) fn abort(self) {
        self.stop.store(true, Ordering::Relaxed);
        // A file that is half written is removed by its writer, if that is soon done.
        let end = Instant::now() + GRACE;
        while let Ok(notice) =
            self.notices.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            if let Notice::Done(_) = notice {
                break;
            }
        }
        std::mem::forget(self.threads);
    }
}

/// Does a job on the thread of a worker, and reports how it has ended, even by a panic.
fn run(mut job: Job, mut worker: Worker) {
    let run = AssertUnwindSafe(|| job.run(&mut Exchange::new(&mut worker)));
    let result = panic::catch_unwind(run).unwrap_or_else(|_| {
        Err(ClusterError::Network("a thread has ended for no reason that is known".into()))
    });
    let _ = job.share.notices.send(Notice::Done(result));
}
