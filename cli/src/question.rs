//! What is asked about: the goal, the shape, and the table that knows.

use std::{
    hash::{BuildHasher, RandomState},
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tilebase::{
    Board, Encoding, Goal, Heuristic, LinearConflict, Notation, Oracle, Outcome, Partition,
    PartitionError, PatternDatabase, Shape, Store, Table, Truth,
};

use crate::{
    console::Console,
    global::Global,
    patterns::{self, Patterns},
    tables,
};

/// The goal and the shape, as they are given.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// blank-last (1 2 3 … 0), blank-first (0 1 2 …), snail (123/804/765), or any position, which then
    /// fixes the shape [default: blank-last]
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
    /// Rows x columns, such as 3x3
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
}

/// What every verb that answers takes.
#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Answer from this table file instead of the store
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Answer by the pattern database of this partition instead of a table: sizes such as 7-8, or the goal's tiles such as
    /// 1,2,5,6/3,4,7,8 [default, where there can be no table: the largest of the store]
    #[arg(long, value_name = "PATTERN", conflicts_with = "table")]
    pub(crate) pattern: Option<String>,
    /// Write one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// The goal and the shape, as they are meant.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    goal: NamedOrGiven,
    /// The only shape that is asked about, if that is fixed.
    pub(crate) shape: Option<Shape>,
}

#[derive(Clone, Debug)]
enum NamedOrGiven {
    Named(Goal),
    Given(Board),
}

impl Target {
    /// Takes a goal and a shape for those that are not given.
    pub(crate) fn or(&mut self, goal: &str, shape: Option<Shape>) {
        self.goal.get_or_insert_with(|| goal.to_owned());
        self.shape = self.shape.or(shape);
    }

    pub(crate) fn frame(&self) -> Result<Frame> {
        let goal = self.goal.as_deref().unwrap_or(Goal::BlankLast.name());
        if let Ok(goal) = goal.parse() {
            return Ok(Frame { goal: NamedOrGiven::Named(goal), shape: self.shape });
        }
        let board = Notation { shape: self.shape, blank: None }.read(goal).with_context(|| {
            format!("--goal {goal:?}: expected blank-last, blank-first, snail or a position")
        })?;
        Ok(Frame { shape: Some(board.shape()), goal: NamedOrGiven::Given(board) })
    }
}

impl Frame {
    /// The goal for boards of a shape.
    pub(crate) fn goal(&self, shape: Shape) -> Board {
        match &self.goal {
            NamedOrGiven::Named(goal) => goal.board(shape),
            NamedOrGiven::Given(board) => board.clone(),
        }
    }

    /// The goal where no position fixes the shape: of 3x3, if nothing else does.
    pub(crate) fn only_goal(&self) -> Board {
        let usual = || Shape::new(3, 3).expect("3x3 is a shape");
        self.goal(self.shape.unwrap_or_else(usual))
    }
}

/// The oracles of a run, one for each shape that came up.
pub(crate) struct Oracles {
    pub(crate) frame: Frame,
    /// How many threads may work on a table.
    pub(crate) threads: usize,
    source: Source,
    /// The partition that is asked for.
    pattern: Option<String>,
    known: Vec<(Shape, Known)>,
    patterns: Vec<(Shape, Result<Box<Patterns>, String>)>,
    /// The shapes of which it was said why nothing is known.
    said: Vec<Shape>,
}

/// Whoever knows the distances of a shape's boards.
pub(crate) enum Expert<'a> {
    Table(&'a Oracle),
    Patterns(&'a mut Patterns),
}

/// What is known of the table for a shape.
enum Known {
    Oracle(Box<Oracle>),
    /// There can be none, and why.
    Missing {
        reason: String,
    },
}

enum Source {
    Store(Store),
    File(Arc<Table>),
    /// A pattern database, for this shape.
    Patterns(Shape, String),
}

impl Question {
    /// Makes out what is asked, and opens the table if one is named.
    pub(crate) fn oracles(&self, global: &Global) -> Result<Oracles> {
        let mut frame = self.target.frame()?;
        let (mut patterns, threads) = (vec![], global.threads());
        let source = match &self.table {
            None => Source::Store(global.store()?),
            Some(path) => {
                let shown = path.display();
                let file = tables::open_file(path)?;
                let served = file.header().orbit.shape();
                let shape = *frame.shape.get_or_insert(served);
                if shape.tall() != served {
                    bail!("{shown} is for {served}; the question is for {shape}");
                }
                // Refused now, where no position has been answered yet.
                let goal = frame.goal(shape);
                let refused = || shown.to_string();
                if file.header().partition.is_some() {
                    let database: PatternDatabase = file.try_into()?;
                    let reason = format!("{shown} is a pattern database, and not a full table");
                    let known = Patterns::new(database, &goal, threads).with_context(refused)?;
                    patterns.push((shape, Ok(Box::new(known))));
                    Source::Patterns(shape, reason)
                } else {
                    let table = Arc::new(Table::try_from(file)?);
                    Oracle::new(Arc::clone(&table), &goal).with_context(refused)?;
                    Source::File(table)
                }
            }
        };
        if let Some(text) = &self.pattern {
            // What is no partition of any shape, or not of the only one, is said before anything is read.
            match Partition::new(&frame.only_goal(), text) {
                Err(error @ PartitionError::Text(_)) => return Err(error).context("--pattern"),
                Err(error) if frame.shape.is_some() => return Err(error).context("--pattern"),
                _ => {}
            }
        }
        let pattern = self.pattern.clone();
        Ok(Oracles { frame, threads, source, pattern, known: vec![], patterns, said: vec![] })
    }

    /// The oracle of a verb that asks about no position.
    pub(crate) fn oracle(&self, global: &Global, console: &mut Console) -> Result<Oracle> {
        let oracles = self.oracles(global)?;
        oracles.find(&oracles.frame.only_goal(), console)
    }

    /// Refuses a pattern database where it can tell nothing.
    pub(crate) fn refuse_pattern(&self) -> Result<()> {
        ensure!(self.pattern.is_none(), "--pattern is for query, solve, check, audit and compare");
        Ok(())
    }
}

impl Oracles {
    /// The oracle for boards of a shape, if there can be one.
    pub(crate) fn of(&mut self, shape: Shape, console: &mut Console) -> Option<&Oracle> {
        match self.known(shape, console) {
            Known::Oracle(oracle) => Some(oracle),
            Known::Missing { .. } => None,
        }
    }

    /// Whoever knows the distances of boards of a shape: the table if there can be one, and else pattern databases, if
    /// there can be any.
    pub(crate) fn expert(&mut self, shape: Shape, console: &mut Console) -> Option<Expert<'_>> {
        let is_known = self.pattern.is_none() && self.of(shape, console).is_some();
        if is_known {
            return self.of(shape, console).map(Expert::Table);
        }
        // What a table tells at once is worth that it is built.
        if self.pattern.is_none() && self.can_be(shape) {
            return None;
        }
        self.patterns(shape, console).ok().map(Expert::Patterns)
    }

    /// Whether there can be a table for a shape.
    pub(crate) fn can_be(&self, shape: Shape) -> bool {
        let is_patterns = self.pattern.is_some() || matches!(self.source, Source::Patterns(..));
        shape.cells() <= Encoding::Bit.most_cells() && !is_patterns
    }

    /// The table for a shape, and what pattern databases tell of it, as far as they have been asked for.
    pub(crate) fn experts(
        &mut self,
        shape: Shape,
        console: &mut Console,
    ) -> (Option<&Oracle>, Option<&Patterns>) {
        self.known(shape, console);
        let known = self.known.iter().find(|(known, _)| *known == shape);
        let oracle = match known {
            Some((_, Known::Oracle(oracle))) => Some(&**oracle),
            _ => None,
        };
        let patterns = self.patterns.iter().find(|(known, _)| *known == shape);
        (oracle, patterns.and_then(|(_, patterns)| patterns.as_deref().ok()))
    }

    /// What pattern databases tell of boards of a shape, or why there are none.
    pub(crate) fn patterns(
        &mut self,
        shape: Shape,
        console: &mut Console,
    ) -> Result<&mut Patterns, &String> {
        let known = self.patterns.iter().position(|(known, _)| *known == shape);
        let at = known.unwrap_or_else(|| {
            let patterns = self.find_patterns(&self.frame.goal(shape), console);
            let patterns = patterns.map(Box::new).map_err(|error| format!("{error:#}"));
            self.patterns.push((shape, patterns));
            self.patterns.len() - 1
        });
        self.patterns[at].1.as_deref_mut().map_err(|why| &*why)
    }

    fn find_patterns(&self, goal: &Board, console: &mut Console) -> Result<Patterns> {
        let store = match &self.source {
            Source::Store(store) => store,
            Source::File(_) => bail!("the file that is named is no pattern database"),
            Source::Patterns(shape, _) => {
                bail!("the pattern database that is named is for {shape}")
            }
        };
        let partition = self.pattern.as_ref().map(|text| Partition::new(goal, text));
        let partition = partition.transpose().context("--pattern")?;
        Patterns::fetch(store, goal, partition, self.threads, console)
    }

    /// The goal of a board, and what can be known of it. A note says where that is not the distance.
    pub(crate) fn truth(&mut self, board: &Board, console: &mut Console) -> Result<(Board, Truth)> {
        /// So long is a board of more cells searched for a solution.
        const PATIENCE: Duration = Duration::from_secs(1);
        let goal = self.frame.goal(board.shape());
        match self.expert(board.shape(), console) {
            Some(Expert::Table(oracle)) => {
                let truth = oracle.distance(board)?.map_or(Truth::Unsolvable, Truth::Distance);
                return Ok((goal, truth));
            }
            Some(Expert::Patterns(patterns)) => {
                let timeout = (!patterns::is_small(board)).then_some(PATIENCE);
                let (report, _) = patterns.solve(board, timeout, console)?;
                let truth = match report.outcome {
                    Outcome::Solved(path) => Truth::Distance(path.len() as u32),
                    Outcome::Unsolvable => Truth::Unsolvable,
                    Outcome::Stopped => Truth::AtLeast(report.at_least),
                };
                return Ok((goal, truth));
            }
            None => {}
        }
        if !board.can_reach(&goal) {
            return Ok((goal, Truth::Unsolvable));
        }
        if !self.said.contains(&board.shape()) {
            self.said.push(board.shape());
            let reason = self.reason(board.shape()).unwrap_or_default();
            console.note(format_args!("{reason}; whether fewer moves would do is unknown"));
        }
        let bound = LinearConflict::new(&goal).estimate(board);
        Ok((goal, Truth::AtLeast(bound)))
    }

    /// The oracle where no position fixes the shape.
    pub(crate) fn only(&mut self, console: &mut Console) -> Result<&Oracle> {
        match self.known(self.frame.only_goal().shape(), console) {
            Known::Oracle(oracle) => Ok(oracle),
            Known::Missing { reason, .. } => bail!("{reason}"),
        }
    }

    fn known(&mut self, shape: Shape, console: &mut Console) -> &mut Known {
        let known = self.known.iter().position(|(known, _)| *known == shape);
        let at = known.unwrap_or_else(|| {
            let known = match self.find(&self.frame.goal(shape), console) {
                Ok(oracle) => Known::Oracle(Box::new(oracle)),
                Err(error) => Known::Missing { reason: format!("{error:#}") },
            };
            self.known.push((shape, known));
            self.known.len() - 1
        });
        &mut self.known[at].1
    }

    /// Exchanges the table for a shape, which was found damaged, for one that is built anew. Says whether it could.
    pub(crate) fn renew(&mut self, shape: Shape, console: &mut Console) -> Result<bool> {
        let Source::Store(store) = &self.source else { return Ok(false) };
        let known = self.known.iter_mut().find(|(known, _)| *known == shape);
        let Some((_, Known::Oracle(oracle))) = known else { return Ok(false) };
        let goal = oracle.goal().clone();
        let Some(table) = tables::renew(store, oracle.table(), &goal, self.threads, console)?
        else {
            return Ok(false);
        };
        **oracle = Oracle::new(table, &goal)?;
        Ok(true)
    }

    /// Says why there is no expert for a shape: once, though every distance that is missed is trouble.
    pub(crate) fn complain(&mut self, shape: Shape, console: &mut Console) -> Option<String> {
        let reason = self.reason(shape)?;
        if !self.said.contains(&shape) {
            self.said.push(shape);
            console.error(&reason);
        }
        console.trouble();
        Some(reason)
    }

    /// Why there is no expert for a shape.
    fn reason(&self, shape: Shape) -> Option<String> {
        let patterns = self.patterns.iter().find(|(known, _)| *known == shape);
        let patterns = patterns.and_then(|(_, patterns)| patterns.as_ref().err());
        let table = self.known.iter().find(|(known, _)| *known == shape);
        match (table, patterns) {
            (Some((_, Known::Missing { reason, .. })), Some(why)) if self.pattern.is_none() => {
                Some(format!("{reason}; {why}"))
            }
            (_, Some(why)) => Some(why.clone()),
            (Some((_, Known::Missing { reason, .. })), None) => Some(reason.clone()),
            _ => None,
        }
    }

    fn find(&self, goal: &Board, console: &mut Console) -> Result<Oracle> {
        let table = match &self.source {
            Source::File(table) => Arc::clone(table),
            Source::Store(store) => Arc::new(tables::fetch(store, goal, self.threads, console)?),
            Source::Patterns(_, reason) => bail!("{reason}"),
        };
        Ok(Oracle::new(table, goal)?)
    }
}

/// A seed that nobody has asked for, short enough to be typed.
pub(crate) fn new_seed() -> u64 {
    // A hasher of the standard library starts from a random state.
    RandomState::new().hash_one(()) >> 32
}

/// A distance, or all from one to another.
#[derive(Clone, Debug)]
pub(crate) struct Depths(pub(crate) RangeInclusive<u32>);

impl Default for Depths {
    /// Any distance.
    fn default() -> Self {
        Self(0..=u32::MAX)
    }
}

impl FromStr for Depths {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self(first..=last)),
            (Ok(_), Ok(_)) => Err("the first distance is greater than the last"),
            _ => Err("expected a distance such as 20, or two such as 20..25"),
        }
    }
}
