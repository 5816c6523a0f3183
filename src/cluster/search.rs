//! The search of one process: the same sweeps, over its own blocks, in rounds with the others.
//!
//! A round brings two things: the words that others have found for this process, and how many boards each has found in
//! the last level. The next level is swept while it is on its way.

use std::{
    io,
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering, mpsc::Sender},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use crate::cluster::{
    ClusterError, Event, Every, Told,
    checkpoint::{Checkpoint, Checkpoints},
    exchange::Exchange,
    line::Traffic,
};
use crate::{
    index::space::Space,
    puzzle::orbit::Orbit,
    sweep::{levels::Advance, record::Record, shard::Shard},
    system::threads::Threads,
    table::{
        file::TableFile,
        header::{Encoding, Header, Kind},
        parts::Part,
    },
};

/// What processes tell one another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum News {
    /// Words that were found for the one who is told.
    Letter(#[serde(with = "serde_bytes")] Vec<u8>),
    /// How far one has come.
    Tally(Tally),
    /// A part has been written: to a file of this name, with this checksum, and a histogram with that.
    Written { process: usize, file: PathBuf, checksum: u32, histogram: u32 },
}

/// How far a process has come.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Tally {
    /// How many boards it has found in the last level.
    boards: u64,
    /// How many bytes it has sent so far.
    sent: u64,
    /// The last level of which it has a checkpoint.
    kept: Option<u32>,
    /// Whether the next level is to be kept; the first process says so.
    keep_next: bool,
}

/// What all processes have told of a level.
#[derive(Default)]
struct Total {
    boards: u64,
    sent: u64,
    /// The last level of which all have a checkpoint.
    kept: Option<u32>,
    keep_next: bool,
    letters: Vec<Vec<u8>>,
}

impl Total {
    fn of(news: Vec<News>) -> Self {
        let mut total = Self::default();
        let mut all_kept: Vec<Option<u32>> = vec![];
        for news in news {
            match news {
                News::Letter(letter) => total.letters.push(letter),
                News::Tally(Tally { boards, sent, kept, keep_next }) => {
                    total.boards += boards;
                    total.sent += sent;
                    total.keep_next |= keep_next;
                    all_kept.push(kept);
                }
                News::Written { .. } => {}
            }
        }
        total.kept = all_kept.into_iter().min().flatten();
        total
    }
}

/// What a process is to do.
pub(super) struct Task {
    pub(super) orbit: Orbit,
    pub(super) encoding: Encoding,
    pub(super) part: Part,
    pub(super) threads: Threads,
    pub(super) every: Every,
    pub(super) checkpoints: Checkpoints,
    /// Where to go on from.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) traffic: Arc<Traffic>,
    pub(super) told: Sender<Told>,
}

/// What came of a task.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) part: TableFile,
    /// Of the search, without what came before and after.
    pub(super) took: Duration,
}

impl Task {
    /// Finds all boards of this process's blocks, together with the others.
    pub(super) fn search(
        &mut self,
        exchange: &mut Exchange<'_, News>,
    ) -> Result<Outcome, ClusterError> {
        let payload = self.part.payload_bytes(self.orbit, self.encoding);
        let mut took = Duration::ZERO;
        let part = TableFile::fill(payload, self.threads, ClusterError::Memory, |payload| {
            let record = match self.encoding {
                Encoding::Bit => Record::Bits(bytemuck::cast_slice_mut(payload)),
                Encoding::Distance => Record::Distances(payload),
            };
            let start = Instant::now();
            let histogram = self.find_all(record, exchange)?;
            took = start.elapsed();
            let header = Header::new(self.orbit, self.encoding, histogram);
            Ok(header.of_part(Kind::Part, self.part))
        })?;
        Ok(Outcome { part, took })
    }

    /// Finds level after level, and says how many boards there are at each distance.
    fn find_all(
        &mut self,
        mut record: Record<'_>,
        exchange: &mut Exchange<'_, News>,
    ) -> Result<Vec<u64>, ClusterError> {
        let space = Space::new(&self.orbit.goal()).expect("what is searched has an index");
        let (process, processes) = (exchange.process(), exchange.processes());
        let mut shard = Shard::of(&space, process, processes).map_err(ClusterError::Memory)?;
        let mut inbox = shard.inbox();
        let mut histogram = vec![];
        let mut kept = None;
        let mut gain = 0;
        match self.checkpoint.take() {
            None => gain = shard.start(&mut record).boards,
            Some(checkpoint) => {
                kept = Some(checkpoint.depth);
                histogram = checkpoint
                    .resume(&mut shard, &mut record)
                    .ok_or(ClusterError::Checkpoint(self.part))?;
            }
        }
        let mut found: u64 = histogram.iter().sum();
        // The last level is counted already, if it comes from a checkpoint.
        let mut is_counted = kept.is_some();
        let mut depth = kept.unwrap_or(0) as u8;
        let mut pace = Pace { every: self.every, level: kept.unwrap_or(0), time: Instant::now() };
        let (mut keep, mut retained) = (false, [None; 2]);
        loop {
            // The first process decides for all, a level ahead.
            let keep_next = process == 0 && pace.is_due(u32::from(depth) + 1);
            let tally = Tally { boards: gain, sent: self.traffic.sent(), kept, keep_next };
            let tallies = (0..processes).map(|to| (to as u64, News::Tally(tally)));
            let letters = shard.letters().into_iter();
            let letters = letters.map(|letter| (letter.to as u64, News::Letter(letter.bytes)));
            exchange.send(letters.chain(tallies));
            // What is to be kept must not be ahead of itself.
            let ahead = (!keep).then(|| shard.sweep(&mut record, depth + 1, self.threads));
            let total =
                Total::of(exchange.receive(|| self.is_wanted()).ok_or(ClusterError::Stopped)?);
            if is_counted {
                is_counted = false;
            } else if total.boards == 0 {
                break;
            } else {
                histogram.push(total.boards);
                found += total.boards;
                let all = space.boards();
                let advance = Advance { depth: depth.into(), boards: total.boards, found, all };
                let _ = self.told.send(Told::Level { advance, sent: total.sent, kept: total.kept });
            }
            if keep && self.keep(&shard, &record, &histogram)? {
                kept = Some(depth.into());
            }
            // One that all have, and one that all may have soon: the disk has room for these.
            let wanted = [total.kept, kept];
            if wanted != retained {
                self.checkpoints.retain(&wanted.into_iter().flatten().collect::<Vec<_>>());
                retained = wanted;
            }
            let swept = ahead.unwrap_or_else(|| shard.sweep(&mut record, depth + 1, self.threads));
            inbox.clear();
            if !total.letters.iter().all(|letter| inbox.open(letter)) {
                return Err(ClusterError::Letter);
            }
            let received = shard.receive(&inbox, &mut record, depth + 1, self.threads);
            gain = swept.boards + received.boards;
            (keep, depth) = (total.keep_next, depth + 1);
        }
        if found != space.boards() {
            return Err(ClusterError::Wrong);
        }
        shard.finish(record, self.threads);
        Ok(histogram)
    }

    /// Writes a checkpoint of the last level; says whether it could be written.
    fn keep(
        &self,
        shard: &Shard,
        record: &Record<'_>,
        histogram: &[u64],
    ) -> Result<bool, ClusterError> {
        match self.checkpoints.write(shard, record, histogram, |_| self.go_on()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(ClusterError::Stopped),
            // The work is worth more than what would keep it.
            Err(error) => {
                let depth = histogram.len() as u32 - 1;
                let _ = self.told.send(Told::Event(Event::NotKept { depth, error }));
                Ok(false)
            }
        }
    }

    fn is_wanted(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// When the next checkpoint is due.
struct Pace {
    every: Every,
    /// The last that was due: of which level, and when.
    level: u32,
    time: Instant,
}

impl Pace {
    /// Whether a level is to be kept.
    fn is_due(&mut self, level: u32) -> bool {
        let is_due = match self.every {
            Every::Levels(levels) => level >= self.level.saturating_add(levels.get()),
            Every::Time(time) => self.time.elapsed() >= time,
            Every::Never => false,
        };
        if is_due {
            (self.level, self.time) = (level, Instant::now());
        }
        is_due
    }
}
