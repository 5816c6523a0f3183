//! `tilebase build --hosts`: a table that several machines make together.

use std::{
    io::{self, IsTerminal},
    num::NonZero,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use indicatif::{DecimalBytes, HumanCount};
use tilebase::{
    Advance, Board, Cluster, ClusterError, Encoding, Event, Every, Hosts, Kind, Orbit, Shape,
    TableErrorKind,
};

use crate::{console::Console, progress::Progress, tables};

/// With which others, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for several machines (docs/cluster.md)")]
pub(crate) struct Together {
    /// Make the table together with the processes at these addresses: a file with a line HOST:PORT for each. Each makes and
    /// keeps a part; process 0 writes the table's file, which names them
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["pattern", "no_table"])]
    hosts: Option<PathBuf>,
    /// Which of the lines of the host file is this process, from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,
    /// How many threads sweep in this process [default: one a core]
    #[arg(long, value_name = "W", requires = "hosts", conflicts_with = "threads", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,
    /// How many seconds to wait for the others to come
    #[arg(long, value_name = "SECONDS", requires = "hosts", default_value = "60")]
    wait: u32,
    /// Write down what this process holds, to go on from there: after so many levels (10), so much time (30m, 90s), or never
    #[arg(long, value_name = "EVERY", requires = "hosts", default_value = "30m", value_parser = every)]
    checkpoint: Every,
    /// Go on from the last level that all processes have written down
    #[arg(long, requires = "hosts")]
    resume: bool,
}

/// How often a checkpoint is written.
fn every(text: &str) -> Result<Every, String> {
    let number = |digits: &str| digits.parse::<u32>().ok().and_then(NonZero::new);
    let seconds = |digits, unit: u64| {
        number(digits).map(|n| Every::Time(Duration::from_secs(u64::from(n.get()) * unit)))
    };
    let read = match text.strip_suffix('m') {
        Some(minutes) => seconds(minutes, 60),
        None => match text.strip_suffix('s') {
            Some(digits) => seconds(digits, 1),
            None if text == "never" => Some(Every::Never),
            None => number(text).map(Every::Levels),
        },
    };
    read.ok_or_else(|| {
        "expected a number of levels such as 10, a time such as 30m or 90s, or never".into()
    })
}

impl Together {
    /// What this process is to do, if it is one of several.
    pub(crate) fn cluster(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
        threads: usize,
    ) -> Result<Option<Cluster>> {
        let (orbit, shape) = (Orbit::of(goal), goal.shape());
        let (Some(path), Some(process)) = (&self.hosts, self.process) else { return Ok(None) };
        let hosts = Hosts::read(path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let of_shape = |error| of_shape(error, shape);
        let mut cluster = Cluster::new(orbit, hosts, process).map_err(of_shape)?;
        if let Some(encoding) = encoding {
            cluster = cluster.with_encoding(encoding).map_err(of_shape)?;
        }
        if self.resume {
            cluster = cluster.resuming();
        }
        let threads = self.workers.map_or(threads, Into::into);
        let cluster = cluster.with_threads(threads).with_checkpoints(self.checkpoint);
        Ok(Some(cluster.with_patience(Duration::from_secs(self.wait.into()))))
    }
}

/// An error about the shape that was asked for, not its tall form.
pub(crate) fn of_shape(error: ClusterError, shape: Shape) -> ClusterError {
    match error {
        ClusterError::Shape(_) => ClusterError::Shape(shape),
        ClusterError::Encoding(_) => ClusterError::Encoding(shape),
        error => error,
    }
}

/// Refuses to put a part in the place of what is something else.
pub(crate) fn check_part(cluster: &Cluster, path: &Path, force: bool) -> Result<()> {
    let path = cluster.part_path(path);
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
        Ok(_) => Ok(()),
    }
}

/// Makes a part of a table; says where that is, or in process 0 where the table is, if it was not interrupted.
pub(crate) fn build(
    cluster: &Cluster,
    path: &Path,
    console: &mut Console,
) -> Result<Option<PathBuf>> {
    let speaks = cluster.process() == 0;
    if let (Some(depth), false) = (cluster.last_checkpoint(path), cluster.resumes()) {
        console.note(format_args!(
            "there is a checkpoint of level {depth}, which is not gone on from without --resume"
        ));
    }
    let mut report = Report::new(cluster, speaks && !console.is_quiet());
    let built = cluster.build(path, |event| {
        report.tell(event, console);
        tables::go_on()
    });
    let Report { progress, sent, .. } = report;
    drop(progress);
    let built = match built {
        Ok(built) => built,
        Err(ClusterError::Stopped) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Some(part) = built.part else {
        if speaks {
            return Ok(Some(path.to_owned()));
        }
        console.note("process 0 has the table already; --force there makes it anew");
        return Ok(Some(cluster.part_path(path)));
    };
    if !speaks {
        return Ok(Some(part));
    }
    console.note(format_args!(
        "{} processes found all boards in {:.2?}, and sent {}",
        cluster.hosts().count(),
        built.took,
        DecimalBytes(sent)
    ));
    Ok(Some(path.to_owned()))
}

/// What is said while a table is made.
struct Report {
    progress: Progress,
    /// Whether progress is for this process to show.
    speaks: bool,
    resumes: bool,
    sent: u64,
    /// How many boards were found before an earlier run ended.
    before: Option<u64>,
    start: Instant,
    last: Instant,
}

impl Report {
    fn new(cluster: &Cluster, speaks: bool) -> Self {
        let progress = Progress::uneven(cluster.orbit().boards(), speaks);
        let start = Instant::now();
        Self {
            progress,
            speaks,
            resumes: cluster.resumes(),
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
            Event::PassedOver { error, .. } => {
                console.note(format_args!("{error}; it is passed over"));
            }
            Event::Begun { depth } => {
                self.start = Instant::now();
                self.last = self.start;
                if self.resumes && self.speaks {
                    console.note(match depth {
                        Some(depth) => format!("going on from level {depth}"),
                        None => "there is no checkpoint that all have: from the start".into(),
                    });
                }
            }
            Event::NotKept { depth, error } => {
                console
                    .note(format_args!("no checkpoint of level {depth} can be written: {error}"));
            }
            Event::Level { advance, sent } => {
                self.sent = sent;
                self.level(&advance, console);
            }
            _ => {}
        }
    }

    /// Shows a level: on a terminal in the bar, else a line now and then.
    fn level(&mut self, advance: &Advance, console: &mut Console) {
        const PAUSE: Duration = Duration::from_secs(10);
        if !self.speaks {
            return;
        }
        let Advance { depth, boards, found, .. } = *advance;
        let before = *self.before.get_or_insert(found - boards);
        let rate = (found - before) as f64 / self.start.elapsed().as_secs_f64();
        let [boards, all, rate] = [boards, found, rate as u64].map(HumanCount);
        let sent = DecimalBytes(self.sent);
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
