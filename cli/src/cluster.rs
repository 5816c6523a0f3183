//! `tilebase build --hosts`: a table that several processes make together.

use std::{
    io::{self, IsTerminal},
    num::NonZero,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use clap::Args;
use tilebase::{
    Board, Shape, Store, Threads,
    cluster::{CheckpointInterval, ClusterBuilder, ClusterError, Event, Hosts, Plan},
    puzzle::Orbit,
    sweep::Advance,
    table::{Encoding, Header, Kind, TableErrorKind},
    tablebase::{
        cost::{Cost, Share},
        quantity::{Bytes, Count},
    },
};

use crate::{console::Console, listening::go_on, progress::Progress, tables, work::Work};

/// The options of a process that makes a table together with other processes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for several machines (docs/cluster.md)")]
pub(crate) struct ClusterOptions {
    /// Make the table together with the processes at the addresses in this file, one line HOST:PORT per process.
    /// Each process makes and keeps a part. Process 0 also writes the table's file, which names the parts
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["pattern", "no_table"])]
    hosts: Option<PathBuf>,
    /// The number of this process: the number of its line in the host file, from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,
    /// Number of threads that sweep in this process [default: one per core]
    #[arg(long, value_name = "W", requires = "hosts", conflicts_with = "threads", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,
    /// Number of seconds to wait until the other processes connect
    #[arg(long, value_name = "SECONDS", requires = "hosts", default_value = "60")]
    wait: u32,
    /// Write a checkpoint, from which --resume continues: after a number of levels (10), after a time (30m, 90s), or
    /// never
    #[arg(long, value_name = "EVERY", requires = "hosts", default_value = "30m", value_parser = interval)]
    checkpoint: CheckpointInterval,
    /// Continue from the last level of which all processes have a checkpoint
    #[arg(long, requires = "hosts")]
    resume: bool,
}

/// Reads how often a checkpoint is written.
fn interval(text: &str) -> Result<CheckpointInterval, String> {
    let number = |digits: &str| digits.parse::<u32>().ok().and_then(NonZero::new);
    let seconds = |digits, unit: u64| {
        let seconds = number(digits).map(|number| u64::from(number.get()) * unit);
        seconds.map(|seconds| CheckpointInterval::Time(Duration::from_secs(seconds)))
    };
    let read = match text.strip_suffix('m') {
        Some(minutes) => seconds(minutes, 60),
        None => match text.strip_suffix('s') {
            Some(digits) => seconds(digits, 1),
            None if text == "never" => Some(CheckpointInterval::Never),
            None => number(text).map(CheckpointInterval::Levels),
        },
    };
    read.ok_or_else(|| {
        "expected a number of levels such as 10, a time such as 30m or 90s, or never".into()
    })
}

impl ClusterOptions {
    /// The builder of this process; `None` if no host file is given.
    pub(crate) fn builder(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
        threads: Threads,
    ) -> Result<Option<ClusterBuilder>> {
        let (orbit, shape) = (Orbit::of(goal), goal.shape());
        let (Some(path), Some(process)) = (&self.hosts, self.process) else { return Ok(None) };
        let of_shape = |error| of_shape(error, shape);
        let mut builder =
            ClusterBuilder::new(orbit, Hosts::read(path)?, process).map_err(of_shape)?;
        if let Some(encoding) = encoding {
            builder = builder.with_encoding(encoding).map_err(of_shape)?;
        }
        if self.resume {
            builder = builder.resuming();
        }
        let threads = self.workers.map_or(threads, |most| usize::from(most).into());
        let builder = builder.with_threads(threads).with_checkpoints(self.checkpoint);
        Ok(Some(builder.with_patience(Duration::from_secs(self.wait.into()))))
    }
}

/// Replaces the tall form in an error by the shape that the user gave.
pub(crate) fn of_shape(error: ClusterError, shape: Shape) -> ClusterError {
    match error {
        ClusterError::Shape(_) => ClusterError::Shape(shape),
        ClusterError::Encoding(_) => ClusterError::Encoding(shape),
        error => error,
    }
}

/// Refuses to replace a file that is not a part of a table by a part, unless `force` is true.
fn check_part(builder: &ClusterBuilder, path: &Path, force: bool) -> Result<()> {
    let path = builder.part_path(path);
    let shown = path.display();
    match tables::open_file(&path) {
        Err(error) => match error.kind() {
            TableErrorKind::NotAFile => bail!(error),
            TableErrorKind::NotATable | TableErrorKind::Empty if !force => {
                bail!("{shown} is there and is not a part of a table; --force replaces it")
            }
            // A damaged part is replaced.
            _ => Ok(()),
        },
        Ok(file) if file.header().kind != Kind::Part && !force => {
            bail!("{shown} is there and is not a part of a table; --force replaces it")
        }
        // A part is always replaced.
        _ => Ok(()),
    }
}

impl Work for ClusterBuilder {
    fn path(&self, store: &Store) -> PathBuf {
        store.path(self.orbit(), self.encoding())
    }

    fn is(&self, header: &Header) -> bool {
        let wanted = (self.orbit(), self.encoding());
        header.kind == Kind::Full && (header.orbit, header.encoding) == wanted
    }

    fn cost(&self, path: &Path) -> Result<Cost> {
        let machines = u16::try_from(self.hosts().count()).unwrap_or(u16::MAX);
        let machines = NonZero::new(machines).unwrap_or(NonZero::<u16>::MIN);
        let plan = Plan::new(self.orbit(), self.encoding(), machines)?;
        // The files that this process has stored already need no further disk space.
        let disk = plan.disk.saturating_sub(self.stored(path));
        let boards = self.orbit().boards();
        let share = Share { boards, machines: machines.get().into(), threads: self.threads() };
        Ok(Cost::of_share(self.orbit().shape(), &share, plan.memory, disk, plan.part))
    }

    fn entries(&self) -> u64 {
        self.orbit().boards()
    }

    fn describe(&self, shape: Shape) -> String {
        format!("boards of {shape} by {} processes; each takes", self.hosts().count())
    }

    // A user who starts several processes has already decided.
    fn is_quick(&self) -> bool {
        true
    }

    fn is_first(&self) -> bool {
        self.process() == 0
    }

    fn begin(&mut self, path: &Path, is_there: bool, replaces: bool) -> Result<bool> {
        check_part(self, path, replaces)?;
        *self = self.clone().with_table(is_there);
        Ok(true)
    }

    fn build(&self, path: &Path, _: Shape, console: &mut Console) -> Result<Option<PathBuf>> {
        let is_first = self.process() == 0;
        if let (Some(depth), false) = (self.last_checkpoint(path), self.resumes()) {
            console.note(format_args!(
                "there is a checkpoint of level {depth}; it is used only with --resume"
            ));
        }
        let mut narrator = Narrator::new(self, is_first && !console.is_quiet());
        let built = ClusterBuilder::build(self, path, |event| {
            narrator.tell(event, console);
            go_on()
        });
        let Narrator { progress, sent, .. } = narrator;
        drop(progress);
        let built = match built {
            Ok(built) => built,
            Err(ClusterError::Stopped) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(part) = built.part else {
            if is_first {
                return Ok(Some(path.to_owned()));
            }
            console.note("process 0 has the table already; --force there makes it anew");
            return Ok(Some(self.part_path(path)));
        };
        if !is_first {
            return Ok(Some(part));
        }
        console.note(format_args!(
            "{} processes found all boards in {:.2?}, and sent {}",
            self.hosts().count(),
            built.took,
            Bytes(sent)
        ));
        Ok(Some(path.to_owned()))
    }
}

/// Shows the user the events while a table is made.
struct Narrator {
    progress: Progress,
    /// Whether this process shows the progress of all processes.
    shows_progress: bool,
    resumes: bool,
    /// The number of bytes that all processes have sent so far.
    sent: u64,
    /// The number of boards that were found before this run; `None` before the first level.
    before: Option<u64>,
    /// The time when the search began.
    start: Instant,
    /// The time when a level was last shown.
    last: Instant,
}

impl Narrator {
    fn new(builder: &ClusterBuilder, shows_progress: bool) -> Self {
        let progress = Progress::uneven(builder.orbit().boards(), shows_progress);
        let start = Instant::now();
        Self {
            progress,
            shows_progress,
            resumes: builder.resumes(),
            sent: 0,
            before: None,
            start,
            last: start,
        }
    }

    fn tell(&mut self, event: Event, console: &mut Console) {
        match event {
            Event::Missing { missing } => {
                console.note(format_args!("waiting for process {missing}"));
            }
            Event::CheckpointSkipped { path, error } => {
                console.note(format_args!("{} {error}; it is passed over", path.display()));
            }
            Event::Begun { depth } => {
                self.start = Instant::now();
                self.last = self.start;
                if self.resumes && self.shows_progress {
                    console.note(match depth {
                        Some(depth) => format!("going on from level {depth}"),
                        None => "there is no checkpoint that all have: from the start".into(),
                    });
                }
            }
            Event::CheckpointFailed { depth, error } => {
                console
                    .note(format_args!("no checkpoint of level {depth} can be written: {error}"));
            }
            Event::Level { advance, sent, .. } => {
                self.sent = sent;
                self.level(&advance, console);
            }
            _ => {}
        }
    }

    /// Shows a level: in the progress bar on a terminal, else as a line every ten seconds at most.
    fn level(&mut self, advance: &Advance, console: &mut Console) {
        const PAUSE: Duration = Duration::from_secs(10);
        if !self.shows_progress {
            return;
        }
        let Advance { depth, boards, found, .. } = *advance;
        let before = *self.before.get_or_insert(found - boards);
        let rate = (found - before) as f64 / self.start.elapsed().as_secs_f64();
        let [boards, all, rate] = [boards, found, rate as u64].map(Count);
        let sent = Bytes(self.sent);
        let line = format!(
            "{boards} boards at distance {depth}, {all} in all, {rate} a second, {sent} sent"
        );
        if io::stderr().is_terminal() {
            self.progress.at(found, || line);
        } else if self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            console.note(line);
        }
    }
}
