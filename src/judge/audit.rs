//! The audit of a heuristic: its values for all boards, compared with the distances.

use std::fmt;

use crate::{
    index::space::Index,
    puzzle::board::Board,
    table::{error::OracleError, oracle::Oracle},
};

/// By how much a value may exceed a bound before it counts: the sum of a few roundings of decimals.
const SLACK: f64 = 1e-9;

/// What a heuristic is worth, over all boards for which it has a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// The number of boards with a value.
    pub boards: u64,
    /// The number of boards without a value.
    pub missing: u64,
    /// The number of boards whose value is greater than the distance.
    pub overestimated: u64,
    /// The overestimated board that is nearest to the goal; of several, the least.
    pub smallest_overestimate: Option<Estimate>,
    /// The board that is overestimated most; of several, the nearest and least.
    pub largest_overestimate: Option<Estimate>,
    /// The number of pairs of neighbours that both have a value.
    pub edges: u64,
    /// The number of these pairs whose values differ by more than the one move between them.
    pub inconsistent: u64,
    /// Of these pairs, the one whose first board is the nearest and least.
    pub smallest_inconsistency: Option<[Estimate; 2]>,
    /// The value of the goal.
    pub at_goal: Option<f64>,
    /// The mean value; NaN if no board has a value.
    pub mean: f64,
    /// The mean of value divided by distance, over the boards other than the goal; NaN if none of them has a value.
    pub mean_ratio: f64,
    /// The board whose value is farthest below its distance; of several, the nearest and least.
    pub largest_gap: Option<Estimate>,
    /// The values of the boards at each distance, from 0 to the radius.
    pub levels: Vec<Level>,
}

/// A board, its distance, and the value that a heuristic has for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Level {
    /// The number of boards with a value.
    pub boards: u64,
    /// The least value; infinity if no board has a value.
    pub least: f64,
    /// The greatest value; negative infinity if no board has a value.
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
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.boards as f64
    }
}

impl Estimate {
    /// By how much the value exceeds the distance.
    #[must_use]
    pub fn excess(&self) -> f64 {
        self.value - f64::from(self.distance)
    }
}

impl Audit {
    /// Compares a heuristic with the distances of all solvable boards, in the order of the index. A value of NaN means
    /// that the heuristic has no value for a board, which is then left out.
    ///
    /// # Errors
    ///
    /// If the table is damaged or wrong.
    ///
    /// ```
    /// use tilebase::{Board, Goal, judge::Audit, Shape, table::Oracle};
    ///
    /// let oracle = Oracle::build(&Goal::BlankLast.board(Shape::new(3, 3)?))?;
    /// let counts_the_blank = |board: &Board| {
    ///     board.tiles().iter().zip([1, 2, 3, 4, 5, 6, 7, 8, 0]).filter(|(tile, goal)| **tile != *goal).count() as f64
    /// };
    /// let audit = Audit::of(&oracle, counts_the_blank)?;
    /// assert!(!audit.is_admissible() && !audit.is_consistent());
    /// assert_eq!(audit.overestimated, 78);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        oracle: &Oracle,
        mut heuristic: impl FnMut(&Board) -> f64,
    ) -> Result<Self, OracleError> {
        let mut values = Vec::with_capacity(oracle.space().boards() as usize);
        let mut audit = Self::empty(oracle.table().header().histogram.len());
        let mut ratios = 0.0;
        for found in oracle.boards(..) {
            let (board, distance) = found?;
            let value = heuristic(&board);
            values.push(value);
            if !value.is_nan() {
                ratios += if distance > 0 { value / f64::from(distance) } else { 0.0 };
                audit.add_value(Estimate { board, distance, value });
            }
        }
        audit.add_edges(oracle, &values)?;

        let goal = audit.levels[0];
        audit.boards = audit.levels.iter().map(|level| level.boards).sum();
        audit.missing = oracle.space().boards() - audit.boards;
        audit.at_goal = (goal.boards == 1).then_some(goal.sum);
        audit.mean = audit.levels.iter().map(|level| level.sum).sum::<f64>() / audit.boards as f64;
        audit.mean_ratio = ratios / (audit.boards - goal.boards) as f64;
        Ok(audit)
    }

    /// The audit of no boards.
    fn empty(levels: usize) -> Self {
        Self {
            boards: 0,
            missing: 0,
            overestimated: 0,
            smallest_overestimate: None,
            largest_overestimate: None,
            edges: 0,
            inconsistent: 0,
            smallest_inconsistency: None,
            at_goal: None,
            mean: f64::NAN,
            mean_ratio: f64::NAN,
            largest_gap: None,
            levels: vec![Level::EMPTY; levels],
        }
    }

    /// Compares the value of a board with its distance.
    fn add_value(&mut self, estimate: Estimate) {
        self.levels[estimate.distance as usize].add(estimate.value);
        if estimate.excess() > SLACK {
            self.overestimated += 1;
            keep(&mut self.smallest_overestimate, &estimate, |_| 0.0);
            keep(&mut self.largest_overestimate, &estimate, Estimate::excess);
        }
        keep(&mut self.largest_gap, &estimate, |estimate| -estimate.excess());
    }

    /// Compares the values of neighbours. `values` has a value for each index.
    fn add_edges(&mut self, oracle: &Oracle, values: &[f64]) -> Result<(), OracleError> {
        let space = oracle.space();
        let value = |index: Index| values[index.get() as usize];
        let estimate = |index| {
            let board = space.board(index);
            let distance =
                oracle.distance(&board)?.ok_or_else(|| OracleError::Wrong(board.clone()))?;
            Ok::<_, OracleError>(Estimate { board, distance, value: value(index) })
        };
        let mut nearest = None;
        for index in space.indices() {
            let state = space.state(index);
            for step in space.steps(state.place) {
                let next = space.index_of(space.after(state, step));
                let difference = (value(index) - value(next)).abs();
                // Each pair once.
                if next < index || difference.is_nan() {
                    continue;
                }
                self.edges += 1;
                if difference > 1.0 + SLACK {
                    self.inconsistent += 1;
                    let mut ends = [estimate(index)?, estimate(next)?];
                    ends.sort_by_key(|end| end.distance);
                    if keep(&mut nearest, &ends[0], |_| 0.0) {
                        self.smallest_inconsistency = Some(ends);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether no board is overestimated.
    #[must_use]
    pub fn is_admissible(&self) -> bool {
        self.overestimated == 0
    }

    /// Whether no move changes the value by more than one, where both boards have a value.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.inconsistent == 0
    }
}

/// Keeps the estimate with the greatest size; of several, the board nearest to the goal, and of these the least.
/// Returns whether that is the candidate.
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

/// A line for each fact, and a table of the values by distance.
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

/// A number with as few decimals as it needs, and at most four.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns a negative zero into zero.
        let rounded = (self.0 * 1e4).round() / 1e4 + 0.0;
        rounded.fmt(f)
    }
}
