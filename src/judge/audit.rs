//! The audit of a heuristic: its value for every board, beside the truth.

use std::fmt;

use crate::{
    index::space::Index,
    puzzle::board::Board,
    table::oracle::{Oracle, OracleError},
};

/// How far a value may lie above a bound before it counts: what a few roundings of decimals add up to.
const SLACK: f64 = 1e-9;

/// What a heuristic is worth, over all boards for which it has a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// How many boards have a value.
    pub boards: u64,
    /// How many have none.
    pub missing: u64,
    /// How many have a value that is greater than the distance.
    pub overestimated: u64,
    /// The board among these that is nearest to the goal, and of several such the least.
    pub smallest_overestimate: Option<Estimate>,
    /// The board among these that is overestimated most; of several, the nearest and least.
    pub largest_overestimate: Option<Estimate>,
    /// How many pairs of neighbours have a value each.
    pub edges: u64,
    /// How many of these pairs have values that differ by more than the one move between them.
    pub inconsistent: u64,
    /// Of these pairs, the one whose first board is the nearest and least.
    pub smallest_inconsistency: Option<[Estimate; 2]>,
    /// The value of the goal.
    pub at_goal: Option<f64>,
    /// The mean value; NaN if there is none.
    pub mean: f64,
    /// The mean of value by distance, over the boards other than the goal; NaN if none of them has a value.
    pub mean_ratio: f64,
    /// The board whose value is farthest below its distance; of several, the nearest and least.
    pub largest_gap: Option<Estimate>,
    /// The values of the boards at each distance, from 0 to the radius.
    pub levels: Vec<Level>,
}

/// A board, its distance, and the value that a heuristic has for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The board.
    pub board: Board,
    /// Its distance.
    pub distance: u32,
    /// Its value.
    pub value: f64,
}

/// The values of the boards at one distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// How many boards have a value.
    pub boards: u64,
    /// The least value; infinite if there is none.
    pub least: f64,
    /// The greatest value; negative infinite if there is none.
    pub greatest: f64,
    /// The sum of all values.
    pub sum: f64,
}

impl Level {
    const EMPTY: Self =
        Self { boards: 0, least: f64::INFINITY, greatest: f64::NEG_INFINITY, sum: 0.0 };

    fn add(&mut self, value: f64) {
        self.boards += 1;
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.sum += value;
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.sum / self.boards as f64
    }
}

impl Estimate {
    /// How much the value lies above the distance.
    pub fn excess(&self) -> f64 {
        self.value - f64::from(self.distance)
    }
}

impl Audit {
    /// Whether no board is overestimated.
    pub fn is_admissible(&self) -> bool {
        self.overestimated == 0
    }

    /// Whether no move changes the value by more than one, as far as there are values on both sides.
    pub fn is_consistent(&self) -> bool {
        self.inconsistent == 0
    }
}

impl Oracle {
    /// Compares a heuristic with the truth, over every solvable board in the order of the index. Where the
    /// heuristic has no value it gives NaN, and the board is left out.
    ///
    /// # Errors
    ///
    /// If the table is wrong.
    ///
    /// ```
    /// use tilebase::{Goal, Oracle, Shape};
    ///
    /// let oracle = Oracle::build(&Goal::BlankLast.board(Shape::new(3, 3)?))?;
    /// let counts_the_blank = |board: &tilebase::Board| {
    ///     board.tiles().iter().zip([1, 2, 3, 4, 5, 6, 7, 8, 0]).filter(|(tile, goal)| **tile != *goal).count() as f64
    /// };
    /// let audit = oracle.audit(counts_the_blank)?;
    /// assert!(!audit.is_admissible() && !audit.is_consistent());
    /// assert_eq!(audit.overestimated, 78);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn audit(&self, mut heuristic: impl FnMut(&Board) -> f64) -> Result<Audit, OracleError> {
        let mut values = Vec::with_capacity(self.space().boards() as usize);
        let mut levels = vec![Level::EMPTY; self.table().header().histogram.len()];
        let (mut overestimated, mut ratios) = (0, 0.0);
        let (mut smallest, mut largest, mut largest_gap) = (None, None, None);
        for found in self.boards(..) {
            let (board, distance) = found?;
            let value = heuristic(&board);
            values.push(value);
            if value.is_nan() {
                continue;
            }
            levels[distance as usize].add(value);
            if distance > 0 {
                ratios += value / f64::from(distance);
            }
            let estimate = Estimate { board, distance, value };
            if estimate.excess() > SLACK {
                overestimated += 1;
                keep(&mut smallest, &estimate, |_| 0.0);
                keep(&mut largest, &estimate, Estimate::excess);
            }
            keep(&mut largest_gap, &estimate, |estimate| -estimate.excess());
        }

        let (mut edges, mut inconsistent) = (0, 0);
        let (mut nearest, mut pair) = (None, None);
        let value = |index: Index| values[index.get() as usize];
        let estimate = |index| {
            let board = self.space().board(index);
            let distance =
                self.distance(&board)?.ok_or_else(|| OracleError::Wrong(board.clone()))?;
            Ok::<_, OracleError>(Estimate { board, distance, value: value(index) })
        };
        for index in self.space().indices() {
            let state = self.space().state(index);
            for step in self.space().steps(state.place) {
                let next = self.space().index_of(self.space().after(state, step));
                let difference = (value(index) - value(next)).abs();
                // Each pair once.
                if next < index || difference.is_nan() {
                    continue;
                }
                edges += 1;
                if difference > 1.0 + SLACK {
                    inconsistent += 1;
                    let mut ends = [estimate(index)?, estimate(next)?];
                    ends.sort_by_key(|end| end.distance);
                    if keep(&mut nearest, &ends[0], |_| 0.0) {
                        pair = Some(ends);
                    }
                }
            }
        }

        let boards = levels.iter().map(|level| level.boards).sum::<u64>();
        let beyond_goal = boards - levels.first().map_or(0, |level| level.boards);
        Ok(Audit {
            boards,
            missing: self.space().boards() - boards,
            overestimated,
            smallest_overestimate: smallest,
            largest_overestimate: largest,
            edges,
            inconsistent,
            smallest_inconsistency: pair,
            at_goal: levels.first().filter(|goal| goal.boards == 1).map(|goal| goal.sum),
            mean: levels.iter().map(|level| level.sum).sum::<f64>() / boards as f64,
            mean_ratio: ratios / beyond_goal as f64,
            largest_gap,
            levels,
        })
    }
}

/// Keeps the estimate with the greatest size; of several, the board nearest to the goal, and of these the
/// least. Tells whether that is the candidate.
fn keep(best: &mut Option<Estimate>, candidate: &Estimate, size: fn(&Estimate) -> f64) -> bool {
    let is_better = best.as_ref().is_none_or(|best| {
        let nearer = || (candidate.distance, &candidate.board) < (best.distance, &best.board);
        size(candidate) > size(best) || size(candidate) == size(best) && nearer()
    });
    if is_better {
        *best = Some(candidate.clone());
    }
    is_better
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} away and has {}", self.board, self.distance, self.value)
    }
}

/// Facts, a line each, with a table of the values by distance.
impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fact = |name: &str, value: &dyn fmt::Display| writeln!(f, "{name:<17}{value}");
        let Self { boards, missing, edges, .. } = self;
        match missing {
            0 => fact("boards", boards)?,
            _ => fact("boards", &format_args!("{boards} of {}", boards + missing))?,
        }
        let yes = if *missing == 0 { "yes" } else { "yes, as far as there are values" };
        match (&self.smallest_overestimate, &self.largest_overestimate) {
            (Some(smallest), Some(largest)) => {
                fact("admissible", &format_args!("no, not on {} boards", self.overestimated))?;
                fact("  by at most", &format_args!("{}: {largest}", Rounded(largest.excess())))?;
                fact("  smallest", smallest)?;
            }
            _ => fact("admissible", &yes)?,
        }
        match &self.smallest_inconsistency {
            Some([near, far]) => {
                let pairs = self.inconsistent;
                fact("consistent", &format_args!("no, not on {pairs} of {edges} edges"))?;
                fact("  smallest", near)?;
                fact("  neighbour", far)?;
            }
            None if *edges == 0 => fact("consistent", &"unknown: no neighbours have values")?,
            None => fact("consistent", &yes)?,
        }
        if let Some(value) = self.at_goal {
            fact("value at goal", &value)?;
        }
        fact("mean", &format_args!("{:.4}", self.mean))?;
        if !self.mean_ratio.is_nan() {
            fact("mean h/distance", &format_args!("{:.4}", self.mean_ratio))?;
        }
        if let Some(gap) = &self.largest_gap {
            fact("largest gap", &format_args!("{}: {gap}", Rounded(-gap.excess())))?;
        }
        writeln!(f, "\ndistance     boards     least      mean  greatest")?;
        for (distance, level) in
            self.levels.iter().enumerate().filter(|(_, level)| level.boards > 0)
        {
            let Level { boards, least, greatest, .. } = level;
            let (least, greatest, mean) = (Rounded(*least), Rounded(*greatest), level.mean());
            writeln!(f, "{distance:>8} {boards:>10} {least:>9} {mean:>9.4} {greatest:>9}")?;
        }
        Ok(())
    }
}

/// A number with no more decimals than it needs, and four at most.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The sum has no negative zero.
        let rounded = (self.0 * 1e4).round() / 1e4 + 0.0;
        rounded.fmt(f)
    }
}
