//! `tilebase build --hosts`: a table that several machines make together.

use std::{
    io::{self, IsTerminal},
    num::NonZero,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{DecimalBytes, HumanCount};
use tilebase::{Advance, Cluster, ClusterError, Encoding, Event, Every, Hosts, Orbit};

use super::{console::Console, progress::Progress, tables};

/// With which others, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for several machines (docs/cluster.md)")]
pub(super) struct Together {
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
    pub(super) fn cluster(
        &self,
        orbit: Orbit,
        encoding: Option<Encoding>,
        threads: usize,
    ) -> Result<Option<Cluster>> {
        let (Some(path), Some(process)) = (&self.hosts, self.process) else { return Ok(None) };
        let hosts = Hosts::read(path).with_context(|| path.display().to_string())?;
        let mut cluster = Cluster::new(orbit, hosts, process)?;
        if let Some(encoding) = encoding {
            cluster = cluster.with_encoding(encoding)?;
        }
        if self.resume {
            cluster = cluster.resuming();
        }
        let threads = self.workers.map_or(threads, Into::into);
        let cluster = cluster.with_threads(threads).with_checkpoints(self.checkpoint);
        Ok(Some(cluster.with_patience(Duration::from_secs(self.wait.into()))))
    }
}

/// Makes a part of a table; says where that is, or in process 0 where the table is, if it was not interrupted.
pub(super) fn build(
    cluster: &Cluster,
    path: &Path,
    console: &mut Console,
) -> Result<Option<PathBuf>> {
    let speaks = cluster.process() == 0;
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
    if !speaks {
        return Ok(Some(built.part));
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
    start: Instant,
    last: Instant,
}

impl Report {
    fn new(cluster: &Cluster, speaks: bool) -> Self {
        let progress = Progress::uneven(cluster.orbit().boards(), speaks);
        let start = Instant::now();
        Self { progress, speaks, resumes: cluster.resumes(), sent: 0, start, last: start }
    }

    fn tell(&mut self, event: Event, console: &mut Console) {
        match event {
            Event::PassedOver { path, error } => {
                console.note(format_args!("{} {error}; it is passed over", path.display()));
            }
            Event::Begun { depth } => {
                self.start = Instant::now();
                self.last = self.start;
                if self.resumes && self.speaks {
                    let level = depth.map_or("the start".into(), |depth| format!("level {depth}"));
                    console.note(format_args!("going on from {level}"));
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
        let rate = found as f64 / self.start.elapsed().as_secs_f64();
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
