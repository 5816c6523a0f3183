//! The search of one process: the same sweeps, over its own blocks, in rounds with the other processes.
//!
//! A round brings two things: the words that others have found for this process, and how many boards each
//! process has found in the last level. While a round is on its way, the next level is swept.

use std::{
    io,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    time::{Duration, Instant},
};

use crate::{
    cluster::{
        checkpoint::{Checkpoint, Checkpoints},
        connection::Traffic,
        error::ClusterError,
        event::{Event, Notice},
        exchange::Exchange,
        message::{Message, Round, Status},
        schedule::{CheckpointInterval, Schedule},
    },
    index::space::Space,
    puzzle::orbit::Orbit,
    sweep::{levels::Advance, mail::Inbox, planes::Gain, record::Record, shard::Shard},
    system::threads::Threads,
    table::{
        encoding::{Encoding, Kind},
        file::TableFile,
        header::Header,
        part::Part,
    },
};

/// One process's share of a search.
pub(super) struct Share {
    pub(super) orbit: Orbit,
    pub(super) encoding: Encoding,
    pub(super) part: Part,
    pub(super) threads: Threads,
    pub(super) interval: CheckpointInterval,
    pub(super) checkpoints: Checkpoints,
    /// The checkpoint to resume from.
    pub(super) checkpoint: Option<Checkpoint>,
    /// Whether the main thread wants the search to stop.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) traffic: Arc<Traffic>,
    /// To the main thread.
    pub(super) notices: Sender<Notice>,
}

impl Share {
    /// Finds all boards of this process's blocks, together with the other processes. The time is that of the
    /// search alone.
    pub(super) fn search(
        &mut self,
        exchange: &mut Exchange<'_>,
    ) -> Result<(TableFile, Duration), ClusterError> {
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
        Ok((part, took))
    }

    /// Finds level after level, and gives the number of boards at each distance.
    fn find_all(
        &mut self,
        record: Record<'_>,
        exchange: &mut Exchange<'_>,
    ) -> Result<Vec<u64>, ClusterError> {
        let space = Space::new(&self.orbit.goal()).expect("what is searched has an index");
        let checkpoint = self.checkpoint.take();
        let shard = Shard::of(&space, exchange.process(), exchange.processes())
            .map_err(ClusterError::Memory)?;
        let mut levels = Levels::new(self, shard, record, checkpoint)?;
        while levels.step(exchange)? {}
        if levels.histogram.iter().sum::<u64>() != self.orbit.boards() {
            return Err(ClusterError::WrongBoards);
        }
        let Levels { mut shard, record, histogram, .. } = levels;
        shard.finish(record, self.threads);
        Ok(histogram)
    }

    /// Whether the main thread wants the search to go on.
    pub(super) fn is_wanted(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// The same, for those who can be stopped.
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// A search that is between two levels.
struct Levels<'a> {
    share: &'a Share,
    shard: Shard,
    inbox: Inbox,
    record: Record<'a>,
    /// The number of boards of each level that is complete in all processes.
    histogram: Vec<u64>,
    /// The last level that this process has swept.
    depth: u8,
    /// How many boards this process has found in that level.
    boards: u64,
    schedule: Schedule,
    /// Whether a checkpoint of that level is due.
    is_due: bool,
    /// The last level of which this process has a checkpoint.
    checkpoint: Option<u32>,
    /// The levels whose checkpoints are not removed.
    retained: [Option<u32>; 2],
}

impl<'a> Levels<'a> {
    /// Begins at the goal, or behind the level of a checkpoint.
    fn new(
        share: &'a Share,
        mut shard: Shard,
        mut record: Record<'a>,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Self, ClusterError> {
        let depth = checkpoint.as_ref().map(|checkpoint| checkpoint.depth);
        let (histogram, boards) = match checkpoint {
            None => (vec![], shard.start(&mut record).boards),
            Some(checkpoint) => {
                let histogram = checkpoint.resume(&mut shard, &mut record);
                (histogram.ok_or(ClusterError::Checkpoint(share.part))?, 0)
            }
        };
        let level = depth.unwrap_or(0);
        Ok(Self {
            share,
            inbox: shard.inbox(),
            shard,
            record,
            histogram,
            depth: level as u8,
            boards,
            schedule: Schedule::new(share.interval, level),
            is_due: false,
            checkpoint: depth,
            retained: [None; 2],
        })
    }

    /// Completes the last level together with the others, and sweeps the next; says whether the last level had
    /// any boards.
    fn step(&mut self, exchange: &mut Exchange<'_>) -> Result<bool, ClusterError> {
        self.send(exchange);
        // A checkpoint of the last level must not contain boards of the next.
        let ahead = if self.is_due { None } else { Some(self.sweep()) };
        let messages = exchange.receive(|| self.share.is_wanted()).ok_or(ClusterError::Stopped)?;
        let round = Round::of(messages);
        if !self.count(&round) {
            return Ok(false);
        }
        if self.is_due && self.keep()? {
            self.checkpoint = Some(self.depth.into());
        }
        self.remove_old_checkpoints(&round);
        let swept = ahead.unwrap_or_else(|| self.sweep());
        let received = self.receive(&round.letters)?;
        self.boards = swept.boards + received.boards;
        (self.is_due, self.depth) = (round.keep_next, self.depth + 1);
        Ok(true)
    }

    /// Sends what this process has found in the last level: words to those they are for, and the number of
    /// boards to all.
    fn send(&mut self, exchange: &mut Exchange<'_>) {
        // The first process decides for all, a level ahead.
        let keep_next = exchange.process() == 0 && self.schedule.is_due(u32::from(self.depth) + 1);
        let (boards, sent) = (self.boards, self.share.traffic.sent());
        let status = Status { boards, sent, checkpoint: self.checkpoint, keep_next };
        let letters = self.shard.letters().into_iter();
        let letters = letters.map(|letter| (letter.to as u64, Message::Letter(letter.bytes)));
        let statuses = (0..exchange.processes()).map(|to| (to as u64, Message::Status(status)));
        exchange.send(letters.chain(statuses));
    }

    /// Finds those boards of the next level that moves within the shard lead to.
    fn sweep(&mut self) -> Gain {
        self.shard.sweep(&mut self.record, self.depth + 1, self.share.threads)
    }

    /// Finds those boards of the next level that others have sent.
    fn receive(&mut self, letters: &[Vec<u8>]) -> Result<Gain, ClusterError> {
        self.inbox.clear();
        if !letters.iter().all(|letter| self.inbox.open(letter)) {
            return Err(ClusterError::Unreadable);
        }
        let (depth, threads) = (self.depth + 1, self.share.threads);
        Ok(self.shard.receive(&self.inbox, &mut self.record, depth, threads))
    }

    /// Counts the boards of the last level in all processes; says whether there are any.
    fn count(&mut self, round: &Round) -> bool {
        // The level of a checkpoint is counted already.
        if self.histogram.len() > usize::from(self.depth) {
            return true;
        }
        if round.boards == 0 {
            return false;
        }
        self.histogram.push(round.boards);
        let advance = Advance {
            depth: self.depth.into(),
            boards: round.boards,
            found: self.histogram.iter().sum(),
            all: self.share.orbit.boards(),
        };
        let Round { sent, checkpoint, .. } = *round;
        let level = Event::Level { advance, sent, checkpoint };
        let _ = self.share.notices.send(Notice::Event(level));
        true
    }

    /// Writes a checkpoint of the last level; says whether that was possible.
    fn keep(&self) -> Result<bool, ClusterError> {
        let Self { share, shard, record, histogram, .. } = self;
        match share.checkpoints.write(shard, record, histogram, |_| share.go_on()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(ClusterError::Stopped),
            // The search itself is worth more than a checkpoint of it.
            Err(error) => {
                let depth = self.depth.into();
                let failed = Event::CheckpointFailed { depth, error };
                let _ = share.notices.send(Notice::Event(failed));
                Ok(false)
            }
        }
    }

    /// Removes all checkpoints but two: the last that all processes have, and the last of this process. The
    /// disk has room for these two.
    fn remove_old_checkpoints(&mut self, round: &Round) {
        let wanted = [round.checkpoint, self.checkpoint];
        if wanted != self.retained {
            let levels: Vec<_> = wanted.into_iter().flatten().collect();
            self.share.checkpoints.retain(&levels);
            self.retained = wanted;
        }
    }
}
