//! The classic algorithms, and a search by one of them.

use std::{ops::ControlFlow, time::Instant};

use crate::{
    puzzle::board::Board,
    search::{
        best_first::{self, Weights},
        bidirectional, breadth_first,
        heuristic::Heuristic,
        ida_star,
        report::{Expansion, Outcome, Report},
        tally::{Stopped, Tally},
    },
};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// Breadth-first search: the boards nearest to the start first. It uses no heuristic.
    BreadthFirst,
    /// Breadth-first search from the start and from the goal, level by level, until the two meet. It uses no heuristic.
    Bidirectional,
    /// Greedy best-first search: the boards with the least estimate first, however far they are from the start.
    Greedy,
    /// A*. With [`Blind`](crate::search::Blind) as the heuristic it is uniform-cost search.
    ///
    /// P. E. Hart, N. J. Nilsson and B. Raphael, *A formal basis for the heuristic determination of minimum cost
    /// paths*, IEEE Transactions on Systems Science and Cybernetics 4, 1968.
    AStar,
    /// Weighted A*: f = g + `weight` · h in double precision. It expands fewer boards, and finds longer solutions.
    ///
    /// I. Pohl, *Heuristic search viewed as path finding in a graph*, Artificial Intelligence 1, 1970.
    WeightedAStar {
        /// The weight of h, at least 1. With 1 it is A*.
        weight: f64,
    },
    /// Iterative-deepening A*: depth-first search, with memory for one path only. On an unsolvable board it never ends,
    /// unless the heuristic recognises the board.
    IdaStar,
}

impl Algorithm {
    /// Whether its solutions are optimal, if the heuristic is admissible.
    #[must_use]
    pub fn is_optimal(self) -> bool {
        match self {
            Self::BreadthFirst | Self::Bidirectional | Self::AStar | Self::IdaStar => true,
            Self::Greedy => false,
            Self::WeightedAStar { weight } => weight <= 1.0,
        }
    }

    /// Whether it uses the heuristic.
    #[must_use]
    pub fn is_informed(self) -> bool {
        !matches!(self, Self::BreadthFirst | Self::Bidirectional)
    }
}

/// A search for solutions of boards, for one goal.
///
/// ```
/// use tilebase::{Goal, search::{Algorithm, Manhattan, Outcome, Search}, Shape};
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

impl<H: Heuristic> Search<H> {
    /// A search for `goal`, with a heuristic for this goal.
    pub fn new(algorithm: Algorithm, goal: &Board, heuristic: H) -> Self {
        Self { algorithm, goal: goal.clone(), heuristic, checks_parity: true }
    }

    /// Omits the check whether the goal can be reached. On an unsolvable board the search then expands every board that
    /// it can reach.
    #[must_use]
    pub fn without_parity_check(self) -> Self {
        Self { checks_parity: false, ..self }
    }

    /// Searches for a solution of `start`, without a limit.
    #[must_use]
    pub fn run(&self, start: &Board) -> Report {
        self.watch(start, |_| ControlFlow::Continue(()))
    }

    /// Searches for a solution of `start`, and calls `watch` before it expands each board. If `watch` breaks, the
    /// search stops.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tilebase::{Goal, search::{Algorithm, Blind, Outcome, Search}, Shape};
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
