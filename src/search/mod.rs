//! The classic searches, as the textbooks teach them.
//!
//! To *expand* a board is to take it from those that wait, ask whether it is the goal, and if not, to make all
//! the boards that a move leads to. The goal that is found counts as expanded. Every board that is made is
//! *generated*, whether it was met before or not; only the one that takes the last move back is not made at all. The start
//! is not generated. Moves are tried in the order of [`Move::ALL`]: up, down, left, right, as the blank goes.
//!
//! | [`Algorithm`] | always expands | a solution is |
//! |---|---|---|
//! | breadth-first | the board with the least g | optimal |
//! | bidirectional | the same, from the start and from the goal | optimal |
//! | greedy | the board with the least h | any |
//! | A* | the board with the least f = g + h | optimal if the heuristic is admissible |
//! | weighted A* | the board with the least f = g + w·h | then at most w times as long as an optimal one |
//! | IDA* | depth first, what has f within a bound that grows | optimal if the heuristic is admissible |
//!
//! Here g is how many moves lead to a board, and h the heuristic's estimate of those that are left. Of boards with
//! equal f, the one with the least h comes first; of these, the one that came to wait first.

mod best_first;
mod bidirectional;
mod breadth_first;
mod frontier;
pub mod heuristic;
mod ida_star;
pub mod method;
mod successors;
mod tally;
mod tree;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use crate::{
    puzzle::{board::Board, moves::Move},
    search::heuristic::Heuristic,
};
use best_first::Weights;
use tally::{Stopped, Tally};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// The nearest boards first. It has no use for a heuristic.
    BreadthFirst,
    /// Breadth-first from the start and from the goal, level by level, until the two meet; no heuristic.
    Bidirectional,
    /// Greedy best-first: what seems nearest to the goal first, however far it is from the start.
    Greedy,
    /// A*; without a heuristic ([`Blind`](crate::Blind)), uniform-cost search.
    ///
    /// P. E. Hart, N. J. Nilsson and B. Raphael, *A formal basis for the heuristic determination of minimum cost
    /// paths*, IEEE Transactions on Systems Science and Cybernetics 4, 1968.
    AStar,
    /// A* with the heuristic weighted: f = g + `weight` · h in double precision. Sooner at the goal, by longer ways.
    ///
    /// I. Pohl, *Heuristic search viewed as path finding in a graph*, Artificial Intelligence 1, 1970.
    WeightedAStar {
        /// At least 1, which is A* itself.
        weight: f64,
    },
    /// Iterative-deepening A*: depth first, in next to no memory. On an unsolvable board it never ends.
    IdaStar,
}

impl Algorithm {
    /// Whether a solution is optimal, if the heuristic is admissible.
    pub fn is_optimal(self) -> bool {
        match self {
            Self::BreadthFirst | Self::Bidirectional | Self::AStar | Self::IdaStar => true,
            Self::Greedy => false,
            Self::WeightedAStar { weight } => weight <= 1.0,
        }
    }

    /// Whether it makes use of the heuristic.
    pub fn is_informed(self) -> bool {
        !matches!(self, Self::BreadthFirst | Self::Bidirectional)
    }
}

/// A search for the way to a goal.
///
/// ```
/// use tilebase::{Algorithm, Goal, Manhattan, Outcome, Search, Shape};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let search = Search::new(Algorithm::AStar, &goal, Manhattan::new(&goal));
/// let report = search.run(&"867254301".parse()?);
/// assert_eq!(report.cost(), Some(31));
/// assert!(report.expanded < 20_000);
///
/// assert_eq!(search.run(&"812043765".parse()?).outcome, Outcome::Unsolvable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search<H> {
    algorithm: Algorithm,
    goal: Board,
    heuristic: H,
    checks_parity: bool,
}

/// A board that is about to be expanded.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expansion<'a> {
    /// How many boards are expanded then, with this one.
    pub number: u64,
    /// The board.
    pub board: &'a Board,
    /// The move that led to it; none to the start. In a bidirectional search a board of the goal's side was
    /// reached from the goal, to which none led either.
    pub step: Option<Move>,
    /// By what the algorithm goes: the least f comes first.
    pub f: f64,
    /// How many moves lead to the board.
    pub g: u32,
    /// How many are left, by the heuristic; 0 where the algorithm uses none.
    pub h: u32,
    /// How many boards the search holds in memory, all in all.
    pub held: u64,
}

/// What a search has come to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// A solution has at least so many moves: that much is proven, if the heuristic is admissible. `u32::MAX` if the
    /// heuristic says that there is none.
    pub at_least: u32,
    /// How many boards were expanded, the goal included; over all bounds, for IDA*.
    pub expanded: u64,
    /// How many boards were generated.
    pub generated: u64,
    /// How many boards were expanded, and then found to be reached by a better way, so that they waited once more.
    pub reopened: u64,
    /// How many boards waited to be expanded at most. For IDA*, which has no such list: how many there
    /// were on the longest way.
    pub largest_open: u64,
    /// How long it took.
    pub time: Duration,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With the goal, by these moves.
    Solved(Vec<Move>),
    /// The goal cannot be reached.
    Unsolvable,
    /// It was stopped before it was known.
    Stopped,
}

impl Report {
    /// The report on a search that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            outcome: Outcome::Stopped,
            at_least: 0,
            expanded: 0,
            generated: 0,
            reopened: 0,
            largest_open: 0,
            time: Duration::ZERO,
        }
    }

    /// The solution, if one was found.
    pub fn path(&self) -> Option<&[Move]> {
        match &self.outcome {
            Outcome::Solved(path) => Some(path),
            Outcome::Unsolvable | Outcome::Stopped => None,
        }
    }

    /// How many moves the solution has, if one was found.
    pub fn cost(&self) -> Option<u32> {
        self.path().map(|path| path.len() as u32)
    }
}

impl<H: Heuristic> Search<H> {
    /// A search for `goal` with a heuristic for that goal.
    pub fn new(algorithm: Algorithm, goal: &Board, heuristic: H) -> Self {
        Self { algorithm, goal: goal.clone(), heuristic, checks_parity: true }
    }

    /// Leaves out the check whether the goal can be reached at all, so that the search has to find out by
    /// exhausting all boards that can be.
    #[must_use]
    pub fn without_parity_check(self) -> Self {
        Self { checks_parity: false, ..self }
    }

    /// Searches for a way from `start`, for as long as it takes.
    pub fn run(&self, start: &Board) -> Report {
        self.watch(start, |_| ControlFlow::Continue(()))
    }

    /// Searches for a way from `start`, and shows each board to `watch` before it is expanded. If that breaks off, the
    /// search is stopped.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tilebase::{Algorithm, Blind, Goal, Outcome, Search, Shape};
    ///
    /// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
    /// let search = Search::new(Algorithm::BreadthFirst, &goal, Blind);
    /// let report = search.watch(&"867254301".parse()?, |expansion| match expansion.number {
    ///     ..=1000 => ControlFlow::Continue(()),
    ///     _ => ControlFlow::Break(()),
    /// });
    /// assert_eq!(report.outcome, Outcome::Stopped);
    /// assert_eq!((report.expanded, report.at_least), (1000, 11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(
        &self,
        start: &Board,
        watch: impl FnMut(&Expansion<'_>) -> ControlFlow<()>,
    ) -> Report {
        let clock = Instant::now();
        let (goal, heuristic) = (&self.goal, &self.heuristic);
        let hopeless = match self.checks_parity {
            true => !start.can_reach(goal),
            false => start.shape() != goal.shape(),
        };
        let mut tally = Tally::new(watch);
        let mut best_first =
            |weights| best_first::search(start, goal, heuristic, weights, &mut tally);
        let found = match self.algorithm {
            _ if hopeless => Ok(None),
            Algorithm::BreadthFirst => breadth_first::search(start, goal, &mut tally),
            Algorithm::Bidirectional => bidirectional::search(start, goal, &mut tally),
            Algorithm::Greedy => best_first(Weights::GREEDY),
            Algorithm::AStar => best_first(Weights::A_STAR),
            Algorithm::WeightedAStar { weight } => best_first(Weights::weighted(weight)),
            Algorithm::IdaStar => ida_star::search(start, goal, heuristic, &mut tally),
        };
        let outcome = match found {
            Ok(Some(path)) => Outcome::Solved(path),
            Ok(None) => Outcome::Unsolvable,
            Err(Stopped) => Outcome::Stopped,
        };
        Report { outcome, time: clock.elapsed(), ..tally.report }
    }
}

/// The moves of a solution, or none if there is no solution.
type Found = Result<Option<Vec<Move>>, Stopped>;
