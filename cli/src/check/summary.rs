//! The summary of a trial: the number of each verdict, and the smallest position for each wrong one.

use std::{collections::BTreeMap, fmt, time::Duration};

use serde::Serialize;
use tilebase::Board;

use crate::check::{
    finding::{Finding, Remark},
    judgement::Judgement,
    ruling::Label,
};

/// The results of a trial so far.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    counts: [u64; Label::ALL.len()],
    /// The moves that solutions have too many, their sum and their greatest.
    excess: u128,
    worst_excess: u64,
    /// The number of solutions that were read otherwise than as the moves of the blank, by the way they were read.
    readings: BTreeMap<&'static str, u64>,
    /// The number of solutions that are right only as the moves of the blank.
    blank_only: u64,
    time: Option<SolverTime>,
    /// By distance. `None` is for positions that are unsolvable, or whose distance is unknown.
    depths: BTreeMap<Option<u32>, Depth>,
    /// The smallest position for each wrong verdict.
    smallest: BTreeMap<Label, Judgement>,
    /// The number of positions to judge, if it is known.
    all: Option<u64>,
    /// Whether a stream answers, so that the time of a single answer is not known.
    stream: bool,
}

/// The positions at a distance.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Depth {
    positions: u64,
    failed: u64,
}

/// The time that answers took.
#[derive(Clone, Debug)]
struct SolverTime {
    answers: u32,
    total: Duration,
    longest: Duration,
    /// The board that took longest.
    board: Board,
}

impl SolverTime {
    fn of_first(took: Duration, board: &Board) -> Self {
        Self { answers: 1, total: took, longest: took, board: board.clone() }
    }

    fn add(&mut self, took: Duration, board: &Board) {
        self.answers += 1;
        self.total += took;
        if took > self.longest {
            (self.longest, self.board) = (took, board.clone());
        }
    }
}

impl Summary {
    /// Counts the finding about a board, or about a text that is no board.
    ///
    /// Returns whether the finding is wrong and its position the smallest for its label, so that it is to be
    /// [kept](Self::keep).
    pub(crate) fn add(
        &mut self,
        finding: &Finding,
        board: Option<&Board>,
        distance: Option<u32>,
        time: Option<Duration>,
    ) -> bool {
        let ruling = &finding.ruling;
        match finding.remark {
            Some(Remark::Read(meaning)) => *self.readings.entry(meaning).or_default() += 1,
            Some(Remark::BlankOnly) => self.blank_only += 1,
            Some(Remark::Also(_)) | None => {}
        }
        let label = ruling.label();
        self.counts[label as usize] += 1;
        if let Some(by) = ruling.excess() {
            self.excess += u128::from(by);
            self.worst_excess = self.worst_excess.max(by);
        }
        let depth = self.depths.entry(distance).or_default();
        depth.positions += 1;
        if let (Some(took), Some(board)) = (time, board) {
            match &mut self.time {
                Some(time) => time.add(took, board),
                None => self.time = Some(SolverTime::of_first(took, board)),
            }
        }
        if ruling.is_right() {
            return false;
        }
        depth.failed += 1;
        let size = (distance.is_none(), distance, board);
        self.smallest.get(&label).is_none_or(|least| size < least.size())
    }

    /// Keeps the smallest position for its verdict.
    pub(crate) fn keep(&mut self, judgement: Judgement) {
        self.smallest.insert(judgement.verdict, judgement);
    }

    /// Sets the number of positions to judge, and whether a stream answers. The answers of a stream may come many at
    /// a time.
    pub(crate) fn expect(&mut self, all: u64, stream: bool) {
        self.all = Some(all);
        self.stream = stream;
    }

    /// Whether some moves are right only as those of the blank, and others only as those of tiles.
    pub(crate) fn is_mixed(&self) -> bool {
        self.blank_only > 0 && !self.readings.is_empty()
    }

    /// The number of positions that were judged.
    pub(crate) fn positions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of positions with a wrong answer.
    pub(crate) fn failed(&self) -> u64 {
        self.depths.values().map(|depth| depth.failed).sum()
    }

    /// The verdicts so far, in a line.
    pub(crate) fn counts(&self) -> String {
        let counts = self.counts.iter().zip(Label::ALL).filter(|(count, _)| **count > 0);
        let counts: Vec<_> = counts.map(|(count, label)| format!("{count} {label}")).collect();
        counts.join(", ")
    }

    fn mean_excess(&self) -> Option<f64> {
        let count = self.counts[Label::Longer as usize];
        (count > 0).then(|| self.excess as f64 / count as f64)
    }

    /// The summary for machines.
    pub(crate) fn json(&self) -> SummaryJson<'_> {
        let seconds = self.time.as_ref().map(|time| TimeJson {
            mean: time.total.as_secs_f64() / f64::from(time.answers),
            longest: if self.stream { None } else { Some(time.longest.as_secs_f64()) },
            position: (!self.stream).then(|| time.board.to_string()),
        });
        SummaryJson {
            positions: self.positions(),
            failed: self.failed(),
            verdicts: Label::ALL.map(Label::name).into_iter().zip(self.counts).collect(),
            readings: &self.readings,
            mean_excess: self.mean_excess(),
            worst_excess: (self.worst_excess > 0).then_some(self.worst_excess),
            seconds,
            depths: self
                .depths
                .iter()
                .map(|(&distance, &depth)| DepthJson { distance, depth })
                .collect(),
            smallest: self.smallest.values().collect(),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct SummaryJson<'r> {
    positions: u64,
    failed: u64,
    verdicts: BTreeMap<&'static str, u64>,
    readings: &'r BTreeMap<&'static str, u64>,
    mean_excess: Option<f64>,
    worst_excess: Option<u64>,
    seconds: Option<TimeJson>,
    depths: Vec<DepthJson>,
    smallest: Vec<&'r Judgement>,
}

/// In seconds. A stream has only a mean.
#[derive(Serialize)]
struct TimeJson {
    mean: f64,
    longest: Option<f64>,
    position: Option<String>,
}

#[derive(Serialize)]
struct DepthJson {
    distance: Option<u32>,
    #[serde(flatten)]
    depth: Depth,
}

/// The summary for people.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions();
        match self.all.filter(|all| *all > positions) {
            Some(all) => write!(f, "{positions} of {} judged", Positions(all))?,
            None => write!(f, "{} judged", Positions(positions))?,
        }
        match self.counts().as_str() {
            "" => writeln!(f)?,
            counts => writeln!(f, ": {counts}")?,
        }
        for (meaning, count) in &self.readings {
            writeln!(f, "{count} read {meaning}")?;
        }
        if let Some(mean) = self.mean_excess() {
            writeln!(f, "longer by {mean:.2} moves on average, by {} at most", self.worst_excess)?;
        }
        if let Some(time) = &self.time {
            let mean = time.total / time.answers;
            let (longest, board) = (time.longest, &time.board);
            write!(f, "{mean:.1?} a position, ")?;
            match self.stream {
                true => writeln!(f, "{:.1?} in all", time.total)?,
                false => writeln!(f, "{longest:.1?} at most ({board})")?,
            }
        }
        if self.failed() == 0 {
            return Ok(());
        }
        writeln!(f, "\ndistance  positions     failed")?;
        for (distance, depth) in self.depths.iter().filter(|(_, depth)| depth.failed > 0) {
            let distance = distance.map_or_else(|| "-".to_owned(), |distance| distance.to_string());
            let Depth { positions, failed } = depth;
            writeln!(f, "{distance:>8} {positions:>10} {failed:>10}")?;
        }
        self.smallest.values().try_for_each(|judgement| write!(f, "\n{judgement}"))
    }
}

/// A number of positions.
struct Positions(u64);

impl fmt::Display for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 position"),
            positions => write!(f, "{positions} positions"),
        }
    }
}
