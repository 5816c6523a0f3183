//! The tablebase: answers about any board, from a table, a pattern database, or a lower bound.

use std::sync::{Arc, OnceLock};

use crate::{
    judge::{
        claim::Claim,
        verdict::{Truth, Verdict},
    },
    puzzle::{board::Board, moves::Move, shape::Shape},
    search::{
        heuristic::{Blind, Heuristic, LinearConflict, Manhattan, Misplaced},
        method::HeuristicName,
    },
    table::{
        encoding::Encoding,
        error::OracleError,
        oracle::{NextMove, Oracle},
    },
    tablebase::{
        answer::{Answer, By, Next},
        event::{Event, Listener, Note, ignore},
        goals::Goals,
        patterns::Patterns,
        policy::{Policy, Reason, Refusal},
        slot::Slot,
        source::{Opened, Source},
        store::Store,
    },
};

/// Answers about boards of all shapes, for the goals that it is opened for.
///
/// An answer comes from a table, if there is one or if it is built quickly. For shapes too large for tables, it comes
/// from a search with a pattern database. Else it is a lower bound. The [`Policy`] says what is built when needed, and
/// what is refused.
///
/// Many threads can ask at the same time. A [`Listener`] receives the events during the work, and can stop the work.
/// The files are opened once, and shared with the tablebases that [`with_goals`](Self::with_goals) makes. What is only
/// in memory, such as a larger pattern database for a slow search, belongs to one of them.
///
/// ```
/// use tilebase::{Board, ignore, Store, Tablebase, Truth};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let tablebase = Tablebase::new(Store::new(folder));
/// let board: Board = "867254301".parse()?;
/// assert_eq!(tablebase.answer(&board, &mut ignore)?.truth, Truth::Distance(31));
///
/// let next = tablebase.next(&board, &mut ignore)?;
/// assert_eq!(next.len(), 3);
/// assert_eq!(next[0].truth, Truth::Distance(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tablebase {
    source: Arc<Opened>,
    policy: Arc<Policy>,
    goals: Goals,
    /// An entry for each shape that was asked about.
    shapes: Arc<[OnceLock<Box<Entry>>; SHAPES]>,
}

/// The number of shapes.
const SHAPES: usize = (Shape::MAX_SIDE - 1) * (Shape::MAX_SIDE - 1);

/// The open table and the open pattern database for the boards of a shape.
#[derive(Debug)]
struct Entry {
    goal: Board,
    table: Slot<Result<TableOfGoal, Refusal>>,
    patterns: Slot<Result<Patterns, Refusal>>,
    /// Filled when a note has said that the answers for the shape are bounds.
    told: Slot<()>,
}

/// A table for one goal. If it is found damaged, a table that is built again answers instead.
#[derive(Debug)]
struct TableOfGoal {
    oracle: Oracle,
    renewed: Slot<Option<Oracle>>,
    /// A table with one byte per board, if the oracle's table has one bit per board.
    every: Slot<Oracle>,
}

/// What answers for the boards of a shape.
enum Expert<'a> {
    Table(&'a TableOfGoal),
    Patterns(&'a Patterns),
    Nobody(Refusal),
}

/// Many threads share a tablebase.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Tablebase>();
};

impl Tablebase {
    /// The tablebase on a store, with the default goals and the default policy.
    pub fn new(store: Store) -> Self {
        let opened = Opened::open(Source::Store(store)).expect("a store is opened file by file");
        Self::on(Arc::new(opened), Goals::default(), Arc::default())
    }

    /// The tablebase on a store or on a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or is not for these goals. If the policy asks for patterns that are not
    /// a partition of the goal's tiles.
    pub fn open(source: impl Into<Source>, goals: Goals, policy: Policy) -> Result<Self, Refusal> {
        let source = Arc::new(Opened::open(source.into())?);
        Self::on(source, Goals::default(), Arc::new(policy)).with_goals(goals)
    }

    fn on(source: Arc<Opened>, goals: Goals, policy: Arc<Policy>) -> Self {
        Self { source, policy, goals, shapes: Arc::new([const { OnceLock::new() }; SHAPES]) }
    }

    /// A tablebase for other goals, with the same policy and the same open files.
    ///
    /// # Errors
    ///
    /// If the tablebase is opened on a file that is not for these goals. If the policy asks for patterns that are not a
    /// partition of the goal's tiles.
    pub fn with_goals(&self, goals: Goals) -> Result<Self, Refusal> {
        let mut goals = goals;
        if let Some((name, orbit)) = self.source.only() {
            let served = orbit.shape();
            let shape = goals.shape().unwrap_or(served);
            if shape.tall() != served {
                return Err(Reason::OtherShape { name, served, shape }.into());
            }
            goals = goals.of_shape(shape);
        }
        self.policy.check_pattern(&goals)?;
        let other = Self::on(Arc::clone(&self.source), goals, Arc::clone(&self.policy));
        // A file that is not for the goal is refused now, and not at the first board.
        if let Some((name, _)) = other.source.only() {
            let shape = other.goals.only().shape();
            let refused = match &*other.source {
                Opened::Patterns(..) => other.patterns(shape, &mut ignore).err(),
                _ if other.policy.partition.is_some() => return Err(Reason::TableNamed.into()),
                _ => other.table_of(shape, &mut ignore).err(),
            };
            if let Some(Reason::Oracle(error)) = refused.as_ref().map(Refusal::reason) {
                return Err(Reason::Foreign { name, error: error.clone() }.into());
            }
        }
        Ok(other)
    }

    /// The goals of this tablebase.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// The policy: what is built when needed, and what is refused.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The goal for boards of a shape.
    #[inline]
    pub fn goal(&self, shape: Shape) -> &Board {
        &self.entry(shape).goal
    }

    /// Whether answers for boards of a shape come from a table, or from nothing else until the table is built. This is
    /// so for shapes of up to 14 cells, unless the policy asks for patterns or the tablebase is opened on a pattern
    /// database.
    pub fn has_tables(&self, shape: Shape) -> bool {
        let is_patterns =
            self.policy.partition.is_some() || matches!(*self.source, Opened::Patterns(..));
        shape.cells() <= Encoding::Bit.most_cells() && !is_patterns
    }

    /// What is known about a board.
    ///
    /// # Errors
    ///
    /// If the board has another shape than the goal, if the table or the database is damaged or wrong, or if the
    /// listener stops a build. A stopped search is not an error: it gives the bound that is proven.
    pub fn answer(&self, board: &Board, listener: Listener<'_>) -> Result<Answer, Refusal> {
        match self.expert(board.shape(), listener)? {
            Expert::Table(table) => {
                let distance = self.look_up(table, listener, |oracle| oracle.distance(board))?;
                let truth = distance.map_or(Truth::Unsolvable, Truth::Distance);
                Ok(Answer::new(truth, By::Table))
            }
            Expert::Patterns(patterns) => {
                let timeout = self.policy.timeout;
                Ok(Answer::of_search(patterns.solve(board, timeout, listener)?))
            }
            Expert::Nobody(refusal) => self.bound(board, refusal),
        }
    }

    /// What is known about a board, with an optimal solution if one is found. If there are several, a table gives the
    /// first in the order of [`Move::ALL`]. A pattern database gives any of them.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn solve(&self, board: &Board, listener: Listener<'_>) -> Result<Answer, Refusal> {
        let mut answer = self.answer(board, listener)?;
        if let (By::Table, Expert::Table(table)) =
            (&answer.by, self.expert(board.shape(), listener)?)
        {
            answer.solution = self.look_up(table, listener, |oracle| oracle.solution(board))?;
        }
        Ok(answer)
    }

    /// Every move with which an optimal solution of a board at `distance` can begin, in the order of [`Move::ALL`]. At
    /// the goal the list is empty.
    ///
    /// `None` if the moves are not known: the shape has neither a table nor a pattern database, or the listener stopped
    /// the search. A table also gives `None` for an unsolvable board.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn best_moves(
        &self,
        board: &Board,
        distance: u32,
        listener: Listener<'_>,
    ) -> Result<Option<Vec<Move>>, Refusal> {
        match self.expert(board.shape(), listener)? {
            Expert::Table(table) => {
                self.look_up(table, listener, |oracle| oracle.best_moves(board))
            }
            Expert::Patterns(patterns) => Ok(patterns.best_moves(board, distance, listener)?),
            Expert::Nobody(_) => Ok(None),
        }
    }

    /// The number of optimal solutions of a board at `distance`, which is 1 at the goal. `None` as for
    /// [`best_moves`](Self::best_moves).
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn count_solutions(
        &self,
        board: &Board,
        distance: u32,
        listener: Listener<'_>,
    ) -> Result<Option<u128>, Refusal> {
        match self.expert(board.shape(), listener)? {
            Expert::Table(table) => {
                self.look_up(table, listener, |oracle| oracle.count_solutions(board))
            }
            Expert::Patterns(patterns) => Ok(patterns.count_solutions(board, distance, listener)?),
            Expert::Nobody(_) => Ok(None),
        }
    }

    /// Every legal move, with what is known about the board after it.
    ///
    /// Moves to boards with a known distance come first, sorted by distance. Equal distances are in the order up, down,
    /// left, right. Then come lower bounds, and then unsolvable boards.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn next(&self, board: &Board, listener: Listener<'_>) -> Result<Vec<Next>, Refusal> {
        if let Expert::Table(table) = self.expert(board.shape(), listener)? {
            let moves = self.look_up(table, listener, |oracle| oracle.next(board))?;
            if let Some(moves) = moves {
                let next = |NextMove { step, board: after, distance, .. }| {
                    Next::new(board, step, after, Truth::Distance(distance))
                };
                return Ok(moves.into_iter().map(next).collect());
            }
        }
        let mut moves = Vec::with_capacity(4);
        for (step, after) in board.neighbors() {
            let truth = self.answer(&after, listener)?.truth;
            moves.push(Next::new(board, step, after, truth));
        }
        moves.sort_by_key(|next| match next.truth {
            Truth::Distance(distance) => (0, distance),
            Truth::AtLeast(bound) => (1, bound),
            Truth::Unsolvable => (2, 0),
        });
        Ok(moves)
    }

    /// The truth about a board, to judge a claim about it. A search for it takes no longer than [`Policy::judging`] if
    /// the board has more than 16 cells. If the shape has neither a table nor a pattern database, a note says so once.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn truth(&self, board: &Board, listener: Listener<'_>) -> Result<Truth, Refusal> {
        match self.expert(board.shape(), listener)? {
            Expert::Patterns(patterns) => {
                let timeout = self.policy.time_to_judge(board);
                Ok(Answer::of_search(patterns.solve(board, timeout, listener)?).truth)
            }
            Expert::Table(_) => Ok(self.answer(board, listener)?.truth),
            Expert::Nobody(refusal) => {
                let answer = self.bound(board, refusal)?;
                if let (Truth::AtLeast(_), Some(refusal)) = (answer.truth, answer.refusal()) {
                    let told = &self.entry(board.shape()).told;
                    let tell = |listener: Listener<'_>| {
                        let _ = listener(Event::Note(Note::Unknown(refusal)));
                        Ok::<(), Refusal>(())
                    };
                    told.get_or_make(listener, tell)?;
                }
                Ok(answer.truth)
            }
        }
    }

    /// Judges a solver's claim about a board.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn judge(
        &self,
        board: &Board,
        claim: &Claim,
        listener: Listener<'_>,
    ) -> Result<Verdict, Refusal> {
        let truth = self.truth(board, listener)?;
        Ok(claim.judge(board, self.goal(board.shape()), truth))
    }

    /// The table for boards of a shape.
    ///
    /// # Errors
    ///
    /// If no table is found or built, or the listener stops the build.
    pub fn oracle(&self, shape: Shape, listener: Listener<'_>) -> Result<&Oracle, Refusal> {
        Ok(self.table_of(shape, listener)?.newest())
    }

    /// The table for boards of a shape with one byte per board, which is fast for a walk over all boards. If the table
    /// has one bit per board, one with bytes is built in memory.
    ///
    /// # Errors
    ///
    /// If no table is found or built, if the shape has too many boards, or if the listener stops the build.
    pub fn every_distance(&self, shape: Shape, listener: Listener<'_>) -> Result<&Oracle, Refusal> {
        let table = self.table_of(shape, listener)?;
        if table.newest().table().header().encoding == Encoding::Distance {
            return Ok(table.newest());
        }
        let make = |listener: Listener<'_>| self.policy.every_distance(table.newest(), listener);
        table.every.get_or_make(listener, make)
    }

    /// The pattern database for boards of a shape.
    ///
    /// # Errors
    ///
    /// If no database is found or built, or the listener stops the build.
    pub fn patterns(&self, shape: Shape, listener: Listener<'_>) -> Result<&Patterns, Refusal> {
        let make = |listener: Listener<'_>| lasting(self.open_patterns(shape, listener));
        let found = self.entry(shape).patterns.get_or_make(listener, make)?;
        found.as_ref().map_err(Refusal::clone)
    }

    /// A heuristic by its name, for boards of a shape. A table is checked as a whole first, because an estimate cannot
    /// report an error.
    ///
    /// # Errors
    ///
    /// If the heuristic needs a table or a pattern database that is neither found nor built, or that is damaged. If the
    /// listener stops a build.
    pub fn heuristic(
        &self,
        name: HeuristicName,
        shape: Shape,
        listener: Listener<'_>,
    ) -> Result<Box<dyn Heuristic + Send + Sync + '_>, Refusal> {
        let goal = self.goal_of(shape)?;
        Ok(match name {
            HeuristicName::None => Box::new(Blind),
            HeuristicName::Misplaced => Box::new(Misplaced::new(goal)),
            HeuristicName::Manhattan => Box::new(Manhattan::new(goal)),
            HeuristicName::LinearConflict => Box::new(LinearConflict::new(goal)),
            HeuristicName::Table => {
                let table = self.table_of(shape, listener)?;
                let check = |oracle: &Oracle| {
                    Ok(oracle.table().file().check_payload(self.policy.threads)?)
                };
                self.look_up(table, listener, check)?;
                Box::new(table.newest())
            }
            HeuristicName::Pattern => Box::new(self.patterns(shape, listener)?.solver()),
        })
    }

    /// The best available heuristic for boards of a shape: a table, a pattern database, or linear conflict.
    ///
    /// # Errors
    ///
    /// If the listener stops a build.
    pub fn best_heuristic(
        &self,
        shape: Shape,
        listener: Listener<'_>,
    ) -> Result<HeuristicName, Refusal> {
        Ok(match self.expert(shape, listener)? {
            Expert::Table(_) => HeuristicName::Table,
            Expert::Patterns(_) => HeuristicName::Pattern,
            Expert::Nobody(_) => HeuristicName::LinearConflict,
        })
    }

    /// The distance of a board in the table; `None` if the board is unsolvable or the shape has no table.
    ///
    /// # Errors
    ///
    /// As for [`answer`](Self::answer).
    pub fn table_distance(
        &self,
        board: &Board,
        listener: Listener<'_>,
    ) -> Result<Option<u32>, Refusal> {
        match self.table_of(board.shape(), listener) {
            Ok(table) => self.look_up(table, listener, |oracle| oracle.distance(board)),
            Err(refusal) if refusal.is_stop() => Err(refusal),
            Err(_) => Ok(None),
        }
    }

    /// What answers for the boards of a shape.
    #[inline]
    fn expert(&self, shape: Shape, listener: Listener<'_>) -> Result<Expert<'_>, Refusal> {
        let mut no_table = None;
        if self.policy.partition.is_none() {
            match self.table_of(shape, listener) {
                Ok(table) => return Ok(Expert::Table(table)),
                Err(refusal) if refusal.is_stop() => return Err(refusal),
                Err(refusal) => no_table = Some(refusal),
            }
        }
        self.goal_of(shape)?;
        // A table would answer at once, so the user is told to build it, and no slow search replaces it.
        if let Some(refusal) = no_table.take_if(|_| self.has_tables(shape)) {
            return Ok(Expert::Nobody(refusal));
        }
        match (self.patterns(shape, listener), no_table) {
            (Ok(patterns), _) => Ok(Expert::Patterns(patterns)),
            (Err(patterns), _) if patterns.is_stop() => Err(patterns),
            (Err(patterns), None) => Ok(Expert::Nobody(patterns)),
            (Err(patterns), Some(table)) => {
                Ok(Expert::Nobody(Reason::Neither { table, patterns }.into()))
            }
        }
    }

    #[inline]
    fn entry(&self, shape: Shape) -> &Entry {
        let entry = &self.shapes[(shape.rows() - 2) * (Shape::MAX_SIDE - 1) + shape.cols() - 2];
        entry.get_or_init(|| {
            let goal = self.goals.goal(shape);
            let (table, patterns, told) = (Slot::new(), Slot::new(), Slot::new());
            Box::new(Entry { goal, table, patterns, told })
        })
    }

    /// The goal for boards of a shape, or the refusal of a shape that the goal is not of.
    fn goal_of(&self, shape: Shape) -> Result<&Board, Refusal> {
        let goal = self.goal(shape);
        if goal.shape() == shape {
            Ok(goal)
        } else {
            Err(OracleError::Shape { expected: goal.shape(), found: shape }.into())
        }
    }

    /// The table for boards of a shape, or the refusal of it.
    #[inline]
    fn table_of(&self, shape: Shape, listener: Listener<'_>) -> Result<&TableOfGoal, Refusal> {
        let slot = &self.entry(shape).table;
        let found = match slot.get() {
            Some(found) => found,
            None => {
                slot.get_or_make(listener, |listener| lasting(self.open_table(shape, listener)))?
            }
        };
        found.as_ref().map_err(Refusal::clone)
    }

    #[cold]
    fn open_table(&self, shape: Shape, listener: Listener<'_>) -> Result<TableOfGoal, Refusal> {
        let goal = self.goal_of(shape)?;
        let table = self.source.table(&self.policy, goal, listener)?;
        let oracle = Oracle::new(table, goal)?;
        Ok(TableOfGoal { oracle, renewed: Slot::new(), every: Slot::new() })
    }

    #[cold]
    fn open_patterns(&self, shape: Shape, listener: Listener<'_>) -> Result<Patterns, Refusal> {
        let goal = self.goal_of(shape)?;
        let database = self.source.patterns(&self.policy, goal, listener)?;
        let grows = matches!(*self.source, Opened::Store(_));
        Ok(Patterns::new(database, goal, &self.policy, grows)?)
    }

    /// Asks a table. If it is damaged at the bytes that are read, it is built again and asked again.
    #[inline]
    fn look_up<T>(
        &self,
        table: &TableOfGoal,
        listener: Listener<'_>,
        ask: impl Fn(&Oracle) -> Result<T, OracleError>,
    ) -> Result<T, Refusal> {
        match ask(&table.oracle) {
            Err(error @ OracleError::Damaged(_)) => {
                let renew = |listener: Listener<'_>| self.renew(table, listener);
                match table.renewed.get_or_make(listener, renew)? {
                    Some(renewed) => Ok(ask(renewed)?),
                    None => Err(match table.oracle.table().file().path() {
                        Some(path) => Reason::Damaged { path: path.to_owned(), error }.into(),
                        None => error.into(),
                    }),
                }
            }
            answer => Ok(answer?),
        }
    }

    /// The table built again, if the policy renews it.
    #[cold]
    fn renew(
        &self,
        damaged: &TableOfGoal,
        listener: Listener<'_>,
    ) -> Result<Option<Oracle>, Refusal> {
        let Opened::Store(shelf) = &*self.source else { return Ok(None) };
        let goal = damaged.oracle.goal();
        let damaged = damaged.oracle.table();
        let renewed = self.policy.renewed(&shelf.store, damaged, goal, listener)?;
        Ok(renewed.map(|table| Oracle::new(table, goal)).transpose()?)
    }

    /// What is known about a board without a table and without a pattern database.
    #[cold]
    fn bound(&self, board: &Board, refusal: Refusal) -> Result<Answer, Refusal> {
        let goal = self.goal_of(board.shape())?;
        let truth = match board.can_reach(goal) {
            true => Truth::AtLeast(LinearConflict::new(goal).estimate(board)),
            false => Truth::Unsolvable,
        };
        Ok(Answer::new(truth, By::Bound(refusal)))
    }
}

impl TableOfGoal {
    /// The oracle to ask: the one of the table that was built again, if there is one, else the first.
    fn newest(&self) -> &Oracle {
        self.renewed.get().and_then(Option::as_ref).unwrap_or(&self.oracle)
    }
}

/// The part of a result that a slot keeps: what is found, or a refusal that lasts as long as the goal and the source.
/// Any other refusal is given to the caller alone, and the next caller tries again.
fn lasting<T>(found: Result<T, Refusal>) -> Result<Result<T, Refusal>, Refusal> {
    match found {
        Err(refusal) if !refusal.lasts() => Err(refusal),
        found => Ok(found),
    }
}
