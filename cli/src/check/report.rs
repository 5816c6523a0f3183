//! The report: verdicts counted, and the smallest position of each that is wrong.

use std::{collections::BTreeMap, fmt, time::Duration};

use serde::Serialize;

use tilebase::Board;

use crate::check::{
    judge::{Finding, Kind, Remark},
    judgement::Judgement,
};

/// What a run has come to so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    counts: [u64; Kind::ALL.len()],
    /// Moves too many, summed up and at most.
    excess: u128,
    worst_excess: u64,
    /// How many were read otherwise than as the ways of the blank, and how.
    readings: BTreeMap<&'static str, u64>,
    time: Option<Time>,
    /// By distance; without one, the unsolvable and those whose distance is not known.
    depths: BTreeMap<Option<u32>, Depth>,
    /// The smallest position of each verdict that is wrong.
    smallest: BTreeMap<Kind, Judgement>,
    /// How many positions there were to judge, if that is known.
    all: Option<u64>,
    stream: bool,
    /// How many paths are right as the ways of the blank only.
    blank_only: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Depth {
    positions: u64,
    failed: u64,
}

/// How long answers took.
#[derive(Clone, Debug)]
struct Time {
    answers: u32,
    total: Duration,
    longest: Duration,
    /// The board that took longest.
    board: Board,
}

impl Report {
    /// Counts a verdict about a board, or about what is none; whether it is the smallest of its kind that
    /// is wrong, and is to be [kept](Self::keep).
    pub(crate) fn add(
        &mut self,
        finding: &Finding,
        board: Option<&Board>,
        distance: Option<u32>,
        time: Option<Duration>,
    ) -> bool {
        let outcome = &finding.outcome;
        match finding.remark {
            Some(Remark::Read(meaning)) => *self.readings.entry(meaning).or_default() += 1,
            Some(Remark::Blank) => self.blank_only += 1,
            Some(Remark::Also(_)) | None => {}
        }
        let kind = outcome.kind();
        self.counts[kind as usize] += 1;
        if let Some(by) = outcome.excess() {
            self.excess += u128::from(by);
            self.worst_excess = self.worst_excess.max(by);
        }
        let depth = self.depths.entry(distance).or_default();
        depth.positions += 1;
        if let (Some(took), Some(board)) = (time, board) {
            let time = self.time.get_or_insert_with(|| Time {
                answers: 0,
                total: Duration::ZERO,
                longest: took,
                board: board.clone(),
            });
            time.answers += 1;
            time.total += took;
            if took > time.longest {
                (time.longest, time.board) = (took, board.clone());
            }
        }
        if outcome.is_right() {
            return false;
        }
        depth.failed += 1;
        let size = (distance.is_none(), distance, board);
        self.smallest.get(&kind).is_none_or(|least| size < least.size())
    }

    /// Keeps the smallest position of a verdict.
    pub(crate) fn keep(&mut self, judgement: Judgement) {
        self.smallest.insert(judgement.verdict, judgement);
    }

    /// Says how many positions there are to judge, and whether a stream answers: how long it took for each, nobody
    /// can tell then, as answers may come many at a time.
    pub(crate) fn expect(&mut self, all: u64, stream: bool) {
        self.all = Some(all);
        self.stream = stream;
    }

    /// Whether moves were read as the ways of the blank and of tiles, and only so.
    pub(crate) fn is_mixed(&self) -> bool {
        self.blank_only > 0 && !self.readings.is_empty()
    }

    /// How many positions were judged.
    pub(crate) fn positions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many of them failed.
    pub(crate) fn failed(&self) -> u64 {
        self.depths.values().map(|depth| depth.failed).sum()
    }

    /// The verdicts so far, on a line.
    pub(crate) fn counts(&self) -> String {
        let counts = self.counts.iter().zip(Kind::ALL).filter(|(count, _)| **count > 0);
        let counts: Vec<_> = counts.map(|(count, kind)| format!("{count} {kind}")).collect();
        counts.join(", ")
    }

    fn mean_excess(&self) -> Option<f64> {
        let count = self.counts[Kind::Longer as usize];
        (count > 0).then(|| self.excess as f64 / count as f64)
    }

    /// The same for machines.
    pub(crate) fn facts(&self) -> Facts<'_> {
        let seconds = self.time.as_ref().map(|time| Seconds {
            mean: time.total.as_secs_f64() / f64::from(time.answers),
            longest: if self.stream { None } else { Some(time.longest.as_secs_f64()) },
            position: (!self.stream).then(|| time.board.to_string()),
        });
        Facts {
            positions: self.positions(),
            failed: self.failed(),
            verdicts: Kind::ALL.map(Kind::name).into_iter().zip(self.counts).collect(),
            readings: &self.readings,
            mean_excess: self.mean_excess(),
            worst_excess: (self.worst_excess > 0).then_some(self.worst_excess),
            seconds,
            depths: self
                .depths
                .iter()
                .map(|(&distance, &depth)| FactsOfDepth { distance, depth })
                .collect(),
            smallest: self.smallest.values().collect(),
        }
    }
}

/// What a report says, as JSON.
#[derive(Serialize)]
pub(crate) struct Facts<'r> {
    positions: u64,
    failed: u64,
    verdicts: BTreeMap<&'static str, u64>,
    readings: &'r BTreeMap<&'static str, u64>,
    mean_excess: Option<f64>,
    worst_excess: Option<u64>,
    seconds: Option<Seconds>,
    depths: Vec<FactsOfDepth>,
    smallest: Vec<&'r Judgement>,
}

#[derive(Serialize)]
struct Seconds {
    mean: f64,
    longest: Option<f64>,
    position: Option<String>,
}

#[derive(Serialize)]
struct FactsOfDepth {
    distance: Option<u32>,
    #[serde(flatten)]
    depth: Depth,
}

/// The report for people.
impl fmt::Display for Report {
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
