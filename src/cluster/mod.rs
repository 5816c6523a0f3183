//! The cluster: several processes that make one table together, each of its own blocks.
//!
//! Every plane is cut into as many stretches of blocks as there are processes. Most moves keep a board in its block; those whose
//! window begins in front of the last digits of a block's number lead to another, and few of these out of the stretch. So in a level
//! nothing crosses the network but words of some planes that have just been found ([mail](crate::sweep)).
//!
//! The sweeps are those of a single process. [Timely dataflow](https://docs.rs/timely) brings the words, and its tracking of
//! progress says when a level is complete. It is fail-stop: when one process is lost the others end, and begin
//! again at the last level of which all have a [checkpoint].

mod checkpoint;
mod error;
mod exchange;
mod greeting;
mod hosts;
mod line;
mod plan;
mod search;

use std::{
    io,
    num::NonZero,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use timely::{
    WorkerConfig,
    communication::{
        AllocatorBuilder, Hooks,
        allocator::{ProcessBuilder, zero_copy::initialize::initialize_networking_from_sockets},
        initialize_from,
    },
    worker::Worker,
};

use checkpoint::{Checkpoint, Checkpoints};
pub use error::ClusterError;
use exchange::Exchange;
use greeting::{Greeting, Met};
pub use hosts::{Hosts, HostsError};
use line::{Line, Traffic};
pub use plan::Plan;
use search::{News, Task};

use crate::{
    puzzle::orbit::Orbit,
    sweep::levels::Advance,
    system::{file::write_whole, threads::Threads},
    table::{
        TableError,
        header::Encoding,
        parts::{Entry, Manifest, Part},
    },
};

/// How long whoever has told an end may take to come to his own.
const GRACE: Duration = Duration::from_secs(2);

/// Makes a table together with other processes.
#[derive(Clone, Debug)]
pub struct Cluster {
    orbit: Orbit,
    encoding: Encoding,
    hosts: Hosts,
    process: usize,
    threads: Threads,
    patience: Duration,
    every: Every,
    resume: bool,
    is_there: bool,
}

/// How often a process writes down what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Every {
    /// Each time after so many levels.
    Levels(NonZero<u32>),
    /// After the first level that ends so late.
    Time(Duration),
    /// Not at all.
    Never,
}

/// What happens while a table is made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// Nothing: whoever watches is asked whether to go on.
    Waiting,
    /// Some processes have not come yet.
    Missing {
        /// Their numbers and addresses, and why they cannot be reached, where that is known.
        missing: String,
    },
    /// A checkpoint is damaged, or is none, and is not gone on from.
    PassedOver {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
    /// All processes are there. The search begins behind a level of which all have a checkpoint, or at the goal.
    Begun {
        /// The level.
        depth: Option<u32>,
    },
    /// A level has been found.
    Level {
        /// How far the search has come, in all processes.
        advance: Advance,
        /// How many bytes all have sent so far.
        sent: u64,
    },
    /// There is no checkpoint of a level, for it cannot be written.
    NotKept {
        /// The level.
        depth: u32,
        /// Why.
        error: io::Error,
    },
}

/// A table that has been made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Built {
    /// The part of this process; `None` if the table was there already.
    pub part: Option<PathBuf>,
    /// How long it took to find all boards, from when all processes were there until the last level was complete.
    pub took: Duration,
}

/// What the threads of a process tell its first.
#[derive(Debug)]
enum Told {
    Level {
        advance: Advance,
        sent: u64,
        kept: Option<u32>,
    },
    Event(Event),
    /// A line to a process is cut.
    Gone(usize),
    Done(Result<Built, ClusterError>),
}

impl Cluster {
    /// What the process with this number, from 0, does to make the table of an orbit.
    ///
    /// # Errors
    ///
    /// If there is no such process, or the shape has too many cells.
    pub fn new(orbit: Orbit, hosts: Hosts, process: usize) -> Result<Self, ClusterError> {
        const PATIENCE: Duration = Duration::from_secs(60);
        const EVERY: Duration = Duration::from_secs(30 * 60);
        let shape = orbit.shape();
        if shape.cells() > Self::most_cells() {
            return Err(ClusterError::Shape(shape));
        }
        if process >= hosts.count() {
            return Err(ClusterError::Process { process, hosts: hosts.count() });
        }
        let (encoding, every) = (Encoding::usual(shape), Every::Time(EVERY));
        let (threads, patience) = (Threads::ALL, PATIENCE);
        let (resume, is_there) = (false, false);
        Ok(Self { orbit, encoding, hosts, process, threads, patience, every, resume, is_there })
    }

    /// The most cells of a shape whose table is made so.
    pub fn most_cells() -> usize {
        crate::index::space::MAX_CELLS
    }

    /// With another encoding than a byte a board up to ten cells, and a bit beyond.
    ///
    /// # Errors
    ///
    /// If the shape has too many cells for it.
    pub fn with_encoding(self, encoding: Encoding) -> Result<Self, ClusterError> {
        let shape = self.orbit.shape();
        if encoding == Encoding::Distance && shape.cells() > encoding.most_cells() {
            return Err(ClusterError::Encoding(shape));
        }
        Ok(Self { encoding, ..self })
    }

    /// On at most so many threads, instead of one a core.
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// Waiting so long for the others to come, instead of a minute.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// With checkpoints every so often, instead of every half hour.
    pub fn with_checkpoints(self, every: Every) -> Self {
        Self { every, ..self }
    }

    /// Going on from the last level of which all have a checkpoint; from the start, if there is none.
    pub fn resuming(self) -> Self {
        Self { resume: true, ..self }
    }

    /// Where the table is there already: if the first process says so, there is nothing to be done.
    pub fn with_table(self, is_there: bool) -> Self {
        Self { is_there, ..self }
    }

    /// Where the processes are.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// On how many threads at most this process works.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// The number of this process, from 0.
    pub fn process(&self) -> usize {
        self.process
    }

    /// Whether it goes on from a checkpoint, if there is one.
    pub fn resumes(&self) -> bool {
        self.resume
    }

    /// Which goals the table is for.
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    /// How the table stores distances.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Where this process keeps its part of a table whose manifest is at `table`.
    pub fn part_path(&self, table: &Path) -> PathBuf {
        self.part().path(table)
    }

    /// How many bytes of disk are taken by this process's part of a table, and by its checkpoints, that are there already.
    pub fn stored(&self, table: &Path) -> u64 {
        self.checkpoints(table).stored()
    }

    /// The level of the last checkpoint of this process that is there, right or not.
    pub fn last_checkpoint(&self, table: &Path) -> Option<u32> {
        self.checkpoints(table).depths().ok()?.first().copied()
    }

    fn checkpoints(&self, table: &Path) -> Checkpoints {
        Checkpoints::new(self.orbit, self.encoding, self.part(), &self.part_path(table))
    }

    fn part(&self) -> Part {
        Part { number: self.process as u32, of: self.hosts.count() as u32 }
    }

    /// Makes this process's part of the table. The first process names all of them in the manifest at `path`; each keeps its
    /// part, and its checkpoints until then, beside where that is. `watch` is told what happens, and can stop it.
    ///
    /// When a process is lost, threads that wait for it stay until the program ends.
    ///
    /// # Errors
    ///
    /// If the others do not come, mean to do other work, or are lost; if there is not the memory; if a file cannot be
    /// written; if `watch` breaks it off.
    pub fn build(
        &self,
        path: &Path,
        mut watch: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Built, ClusterError> {
        let (checkpoints, part_path) = (self.checkpoints(path), self.part_path(path));
        let failed = |error| ClusterError::File { path: part_path.clone(), error };
        let folder = part_path.parent().filter(|folder| *folder != Path::new(""));
        // Better found now than after the work.
        tempfile::tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
        let mut found = vec![];
        if self.resume {
            let passed_over = |path, error| {
                let _ = watch(Event::PassedOver { path, error });
            };
            found = checkpoints.find(self.threads, passed_over).map_err(failed)?;
        }
        let own = Greeting::new(self, found.iter().map(|found| found.depth).collect());
        let met = greeting::meet(&self.hosts, &own, self.patience, &mut watch)?;
        let others = || met.iter().flatten().map(|(_, other)| other);
        if own.is_there || others().any(|other| other.is_there) {
            checkpoints.retain(&[]);
            return Ok(Built { part: None, took: Duration::ZERO });
        }
        let have_all = |depth| others().all(|other| other.levels.contains(&depth));
        // It has been read already: when all have met, others begin to send.
        let checkpoint = found.into_iter().find(|found| have_all(found.depth));
        let _ = watch(Event::Begun { depth: checkpoint.as_ref().map(|found| found.depth) });
        self.work(path, checkpoint, met, watch)
    }

    /// Makes the part, once all have met.
    fn work(
        &self,
        path: &Path,
        checkpoint: Option<Checkpoint>,
        met: Vec<Option<Met>>,
        mut watch: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Built, ClusterError> {
        let checkpoints = self.checkpoints(path);
        let begun = checkpoint.as_ref().map(|found| found.depth);
        let (told, news) = mpsc::channel();
        let (stop, traffic) = (Arc::new(AtomicBool::new(false)), Arc::new(Traffic::default()));
        let task = Task {
            orbit: self.orbit,
            encoding: self.encoding,
            part: self.part(),
            threads: self.threads,
            every: self.every,
            checkpoints: checkpoints.clone(),
            checkpoint,
            stop: Arc::clone(&stop),
            traffic: Arc::clone(&traffic),
            told: told.clone(),
        };
        let lines = met.into_iter().enumerate().map(|(other, met)| {
            let line = |(stream, _)| Line::new(stream, &traffic, other, &told);
            met.map(line).transpose()
        });
        let lines = lines
            .collect::<io::Result<_>>()
            .map_err(|error| ClusterError::Network(error.to_string()))?;
        let work = Work { task, path: path.into(), part_path: self.part_path(path), told };
        let threads = begin(work, lines, self.process).map_err(ClusterError::Network)?;
        let done = self.attend(&news, begun, &mut watch);
        match done {
            Ok(built) => {
                checkpoints.retain(&[]);
                // What others wait for has to be sent. Whoever does not listen any more is not waited for.
                let (closed, closing) = mpsc::channel();
                thread::spawn(move || {
                    drop(threads);
                    let _ = closed.send(());
                });
                let _ = closing.recv_timeout(GRACE);
                Ok(built)
            }
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                // What is being written is taken back, if that is soon done.
                let end = Instant::now() + GRACE;
                while let Ok(told) =
                    news.recv_timeout(end.saturating_duration_since(Instant::now()))
                {
                    if let Told::Done(_) = told {
                        break;
                    }
                }
                std::mem::forget(threads);
                Err(error)
            }
        }
    }

    /// Listens to what the threads tell, until the part is made or cannot be.
    fn attend(
        &self,
        news: &mpsc::Receiver<Told>,
        begun: Option<u32>,
        watch: &mut impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Built, ClusterError> {
        /// How long it may take to notice that all is to be stopped.
        const TICK: Duration = Duration::from_millis(50);
        let (mut gone, mut last_kept) = (None, begun);
        loop {
            let event = match news.recv_timeout(TICK) {
                Ok(Told::Done(done)) => return done,
                Ok(Told::Gone(process)) => {
                    gone.get_or_insert((process, Instant::now()));
                    Event::Waiting
                }
                Ok(Told::Level { advance, sent, kept }) => {
                    last_kept = kept;
                    Event::Level { advance, sent }
                }
                Ok(Told::Event(event)) => event,
                Err(RecvTimeoutError::Timeout) => Event::Waiting,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ClusterError::Network("a thread has died".into()));
                }
            };
            if watch(event).is_break() {
                return Err(ClusterError::Stopped);
            }
            // A process that has finished is gone, too, and then this one soon finishes.
            match gone {
                Some((process, since)) if since.elapsed() > GRACE => {
                    let address = self.hosts.address(process).into();
                    return Err(ClusterError::Lost { process, address, kept: last_kept });
                }
                _ => {}
            }
        }
    }
}

/// What a process does once all are connected.
struct Work {
    task: Task,
    /// Of the manifest.
    path: PathBuf,
    part_path: PathBuf,
    told: Sender<Told>,
}

/// Begins the work on a thread of its own.
fn begin(
    work: Work,
    lines: Vec<Option<Line>>,
    process: usize,
) -> Result<timely::communication::WorkerGuards<()>, String> {
    // Timely has one worker a process, which shares its sweeps among threads.
    const WORKERS: usize = 1;
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(WORKERS, hooks.refill.clone(), None);
    let (builders, guard) =
        initialize_networking_from_sockets(local, lines, process, WORKERS, hooks)
            .map_err(|error| error.to_string())?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let work = Mutex::new(Some(work));
    initialize_from(builders, Box::new(guard), move |allocator| {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut work) = work else { return };
        // Without a clock, a worker never sleeps.
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        // Whoever waits for this thread has to be told, whatever becomes of it.
        let run = AssertUnwindSafe(|| work.run(&mut Exchange::new(&mut worker)));
        let done = panic::catch_unwind(run).unwrap_or_else(|_| {
            Err(ClusterError::Network("a thread has ended for no reason that is known".into()))
        });
        let _ = work.told.send(Told::Done(done));
    })
}

impl Work {
    fn run(&mut self, exchange: &mut Exchange<'_, News>) -> Result<Built, ClusterError> {
        let outcome = self.task.search(exchange)?;
        let failed = |path: &Path, error: io::Error| match error.kind() {
            io::ErrorKind::Interrupted => ClusterError::Stopped,
            _ => ClusterError::File { path: path.into(), error },
        };
        let save = outcome.part.save_watched(&self.part_path, |_| self.task.go_on());
        save.map_err(|error| failed(&self.part_path, error))?;

        let process = exchange.process();
        let checksum = outcome.part.checksum();
        let counts = outcome.part.header().histogram.iter().flat_map(|boards| boards.to_le_bytes());
        let histogram = crc32fast::hash(&counts.collect::<Vec<_>>());
        let file = self.part_path.file_name().map(PathBuf::from).unwrap_or_default();
        exchange.send([(0, News::Written { process, file, checksum, histogram })]);
        let wait = || self.task.go_on().is_continue();
        let written = exchange.receive(wait).ok_or(ClusterError::Stopped)?;
        if process == 0 {
            let manifest =
                Self::manifest(written, histogram).ok_or(ClusterError::Wrong)?.to_bytes();
            write_whole(&self.path, &manifest, |_| self.task.go_on())
                .map_err(|error| failed(&self.path, error))?;
        }
        // Nobody takes his checkpoints away before there is a table.
        exchange.send([]);
        exchange.receive(wait).ok_or(ClusterError::Stopped)?;
        Ok(Built { part: Some(self.part_path.clone()), took: outcome.took })
    }

    /// The manifest of the parts that have been written; `None` if they do not all have the same histogram.
    fn manifest(written: Vec<News>, same: u32) -> Option<Manifest> {
        let mut parts = vec![];
        for news in written {
            match news {
                News::Written { process, file, checksum, histogram } if histogram == same => {
                    let checksum = format!("{checksum:08x}");
                    parts.push((process, Entry { file, checksum }));
                }
                _ => return None,
            }
        }
        parts.sort_unstable_by_key(|(process, _)| *process);
        Some(Manifest::new(parts.into_iter().map(|(_, entry)| entry).collect()))
    }
}
