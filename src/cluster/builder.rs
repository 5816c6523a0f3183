//! The builder: the settings of one process of a cluster, and the way to its part of the table.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{self, Sender},
    },
    time::Duration,
};

use crate::{
    cluster::{
        checkpoint::{Checkpoint, Checkpoints},
        connection::{Connection, Traffic},
        error::ClusterError,
        event::{Event, Notice},
        greeting::Greeting,
        hosts::Hosts,
        job::Job,
        meeting::meet,
        monitor::Monitor,
        peer::Peer,
        schedule::CheckpointInterval,
        search::Share,
    },
    index::space::MAX_CELLS,
    puzzle::orbit::Orbit,
    system::threads::Threads,
    table::{encoding::Encoding, part::Part},
};

/// Makes a table together with other processes: the settings of one of them.
///
/// All processes need the same orbit, encoding and hosts, and all or none of them have to be
/// [resuming](Self::resuming).
#[derive(Clone, Debug)]
#[must_use = "it does nothing until `build` is called"]
pub struct ClusterBuilder {
    orbit: Orbit,
    encoding: Encoding,
    hosts: Hosts,
    process: usize,
    threads: Threads,
    patience: Duration,
    interval: CheckpointInterval,
    resume: bool,
    is_there: bool,
}

/// A table that several processes have made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Built {
    /// The file of this process's part; `None` if the table was there already.
    pub part: Option<PathBuf>,
    /// How long the search took, without the meeting before it and the writing after it.
    pub took: Duration,
}

impl ClusterBuilder {
    /// The builder of a process, by its number from 0 in the list of hosts. The encoding is a byte a board up
    /// to ten cells, and a bit beyond.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Shape`] if the shape has more than 16 cells, and [`ClusterError::Process`] if there is
    /// no such process.
    pub fn new(orbit: Orbit, hosts: Hosts, process: usize) -> Result<Self, ClusterError> {
        let shape = orbit.shape();
        if shape.cells() > MAX_CELLS {
            return Err(ClusterError::Shape(shape));
        }
        if process >= hosts.count() {
            return Err(ClusterError::Process { process, hosts: hosts.count() });
        }
        Ok(Self {
            orbit,
            encoding: Encoding::usual(shape),
            hosts,
            process,
            threads: Threads::ALL,
            patience: Duration::from_secs(60),
            interval: CheckpointInterval::Time(Duration::from_secs(30 * 60)),
            resume: false,
            is_there: false,
        })
    }

    /// With another encoding.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Encoding`] for [`Encoding::Distance`] if the shape has more than 12 cells.
    pub fn with_encoding(self, encoding: Encoding) -> Result<Self, ClusterError> {
        let shape = self.orbit.shape();
        if encoding == Encoding::Distance && shape.cells() > encoding.most_cells() {
            return Err(ClusterError::Encoding(shape));
        }
        Ok(Self { encoding, ..self })
    }

    /// On at most this number of threads, instead of one for each core.
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// Waits this time for the other processes to come, instead of a minute.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Writes checkpoints at this interval, instead of every half hour. The interval of the first process holds
    /// for all.
    pub fn with_checkpoints(self, interval: CheckpointInterval) -> Self {
        Self { interval, ..self }
    }

    /// Resumes from the last level of which all processes have a checkpoint, or begins at the goal if there is
    /// no such level.
    pub fn resuming(self) -> Self {
        Self { resume: true, ..self }
    }

    /// Says whether the table is there already. If the first process says so, no process has anything to do.
    pub fn with_table(self, is_there: bool) -> Self {
        Self { is_there, ..self }
    }

    /// Where the processes listen.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The most threads that this process works on.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// The number of this process, from 0.
    pub fn process(&self) -> usize {
        self.process
    }

    /// Whether the process resumes from a checkpoint, if there is one.
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

    /// The disk that this process's part of a table and its checkpoints take already, in bytes.
    pub fn stored(&self, table: &Path) -> u64 {
        self.checkpoints(table).stored()
    }

    /// The level of this process's last checkpoint, whether the file is damaged or not.
    pub fn last_checkpoint(&self, table: &Path) -> Option<u32> {
        self.checkpoints(table).depths().ok()?.first().copied()
    }

    fn checkpoints(&self, table: &Path) -> Checkpoints {
        Checkpoints::new(self.orbit, self.encoding, self.part(), &self.part_path(table))
    }

    fn part(&self) -> Part {
        Part { number: self.process as u32, of: self.hosts.count() as u32 }
    }

    /// Makes this process's part of the table, beside `path`. The first process also writes the manifest that
    /// names all parts, at `path`. Checkpoints are beside the part, and are removed when the table is made.
    /// `watch` is told what happens, and can stop the work.
    ///
    /// When another process is lost, threads that wait for it stay until the program ends.
    ///
    /// # Errors
    ///
    /// If the other processes do not come, mean to do other work, or are lost; if there is not enough memory;
    /// if a file cannot be written; [`ClusterError::Stopped`] if `watch` breaks it off.
    pub fn build(
        &self,
        path: &Path,
        mut watch: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Built, ClusterError> {
        check_folder(&self.part_path(path))?;
        let checkpoints = self.checkpoints(path);
        // They are read before the meeting: as soon as all have met, others begin to send.
        let found = if self.resume { self.find(&checkpoints, &mut watch)? } else { vec![] };
        let own = self.greeting(found.iter().map(|checkpoint| checkpoint.depth).collect());
        let peers = meet(&self.hosts, &own, self.patience, &mut watch)?;
        let others = || peers.iter().flatten().map(|peer| &peer.greeting);
        if own.is_there || others().any(|other| other.is_there) {
            checkpoints.retain(&[]);
            return Ok(Built { part: None, took: Duration::ZERO });
        }
        let have_all = |depth| others().all(|other| other.levels.contains(&depth));
        let checkpoint = found.into_iter().find(|checkpoint| have_all(checkpoint.depth));
        let depth = checkpoint.as_ref().map(|checkpoint| checkpoint.depth);
        let _ = watch(Event::Begun { depth });
        let monitor = self.start(path, checkpoint, peers)?;
        match monitor.attend(&self.hosts, depth, &mut watch) {
            Ok(took) => {
                checkpoints.retain(&[]);
                monitor.finish();
                Ok(Built { part: Some(self.part_path(path)), took })
            }
            Err(error) => {
                monitor.abort();
                Err(error)
            }
        }
    }

    /// The checkpoints that can be resumed from, the last first.
    fn find(
        &self,
        checkpoints: &Checkpoints,
        watch: &mut impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Vec<Checkpoint>, ClusterError> {
        let skipped = |path, error| {
            let _ = watch(Event::CheckpointSkipped { path, error });
        };
        checkpoints.find(self.threads, skipped)
    }

    /// What this process says to the others, if it has checkpoints of these levels.
    fn greeting(&self, levels: Vec<u32>) -> Greeting {
        let beginning = if self.resume { "with --resume" } else { "without --resume" };
        let work = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("byte order", if cfg!(target_endian = "little") { "little" } else { "big" }.into()),
            ("shape", self.orbit.shape().to_string()),
            ("home", self.orbit.home().to_string()),
            ("encoding", self.encoding.name().into()),
            ("number of hosts", self.hosts.count().to_string()),
            ("beginning", beginning.into()),
        ];
        Greeting::new(self.process, work, levels, self.is_there && self.process == 0)
    }

    /// Starts the work, once all have met.
    fn start(
        &self,
        path: &Path,
        checkpoint: Option<Checkpoint>,
        peers: Vec<Option<Peer>>,
    ) -> Result<Monitor, ClusterError> {
        let (notices, receiver) = mpsc::channel();
        let traffic = Arc::default();
        let connections = connect(peers, &traffic, &notices)
            .map_err(|error| ClusterError::Network(error.to_string()))?;
        let share = Share {
            orbit: self.orbit,
            encoding: self.encoding,
            part: self.part(),
            threads: self.threads,
            interval: self.interval,
            checkpoints: self.checkpoints(path),
            checkpoint,
            stop: Arc::new(AtomicBool::new(false)),
            traffic,
            notices,
        };
        let job = Job { share, path: path.into(), part_path: self.part_path(path) };
        Monitor::start(job, connections, self.process, receiver)
    }
}

/// Checks that a file can be written beside `path`: better now than after the work.
fn check_folder(path: &Path) -> Result<(), ClusterError> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    tempfile::tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(|source| ClusterError::Write { path: path.into(), source })?;
    Ok(())
}

/// The connections to the processes that have been met.
fn connect(
    peers: Vec<Option<Peer>>,
    traffic: &Arc<Traffic>,
    notices: &Sender<Notice>,
) -> io::Result<Vec<Option<Connection>>> {
    let connections = peers.into_iter().enumerate().map(|(process, peer)| {
        let connect = |peer: Peer| Connection::new(peer.stream, traffic, process, notices);
        peer.map(connect).transpose()
    });
    connections.collect()
}
