//! What is asked about: the goal, the shape, and the table that knows.

use std::{
    hash::{BuildHasher, RandomState},
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tilebase::{
    Board, Goal, Heuristic, LinearConflict, Notation, Oracle, OracleError, Shape, Store, Table,
    Truth,
};

use super::{Global, console::Console, tables};

/// The goal and the shape, as they are given.
#[derive(Debug, Args)]
pub(super) struct Target {
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
pub(super) struct Question {
    #[command(flatten)]
    pub(super) target: Target,
    /// Answer from this table file instead of the store
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write one JSON object a line
    #[arg(long)]
    pub(super) json: bool,
}

/// The goal and the shape, as they are meant.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    goal: NamedOrGiven,
    /// The only shape that is asked about, if that is fixed.
    pub(super) shape: Option<Shape>,
}

#[derive(Clone, Debug)]
enum NamedOrGiven {
    Named(Goal),
    Given(Board),
}

impl Target {
    /// Takes a goal and a shape for those that are not given.
    pub(super) fn or(&mut self, goal: &str, shape: Option<Shape>) {
        self.goal.get_or_insert_with(|| goal.to_owned());
        self.shape = self.shape.or(shape);
    }

    pub(super) fn frame(&self) -> Result<Frame> {
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
    pub(super) fn goal(&self, shape: Shape) -> Board {
        match &self.goal {
            NamedOrGiven::Named(goal) => goal.board(shape),
            NamedOrGiven::Given(board) => board.clone(),
        }
    }

    /// The goal where no position fixes the shape: of 3x3, if nothing else does.
    pub(super) fn only_goal(&self) -> Board {
        let usual = || Shape::new(3, 3).expect("3x3 is a shape");
        self.goal(self.shape.unwrap_or_else(usual))
    }
}

/// The oracles of a run, one for each shape that came up.
pub(super) struct Oracles {
    pub(super) frame: Frame,
    /// How many threads may work on a table.
    pub(super) threads: usize,
    source: Source,
    known: Vec<(Shape, Known)>,
}

/// What is known of the table for a shape.
enum Known {
    Oracle(Box<Oracle>),
    /// There can be none, and why.
    Missing {
        reason: String,
        said: bool,
        goal: Board,
        bound: Box<LinearConflict>,
    },
}

enum Source {
    Store(Store),
    File(Arc<Table>),
}

impl Question {
    /// Makes out what is asked, and opens the table if one is named.
    pub(super) fn oracles(&self, global: &Global) -> Result<Oracles> {
        let mut frame = self.target.frame()?;
        let source = match &self.table {
            None => Source::Store(global.store()?),
            Some(path) => {
                let table =
                    tables::open(path).map_err(|error| anyhow!("{} {error}", path.display()))?;
                let served = table.header().orbit.shape();
                let shape = *frame.shape.get_or_insert(served);
                if shape.tall() != served {
                    bail!("{} is for {served}; the question is for {shape}", path.display());
                }
                let table = Arc::new(table);
                // Refused now, where no position has been answered yet.
                Oracle::new(Arc::clone(&table), &frame.goal(shape))
                    .with_context(|| path.display().to_string())?;
                Source::File(table)
            }
        };
        Ok(Oracles { frame, threads: global.threads(), source, known: vec![] })
    }

    /// The oracle of a verb that asks about no position.
    pub(super) fn oracle(&self, global: &Global, console: &mut Console) -> Result<Oracle> {
        let oracles = self.oracles(global)?;
        oracles.find(&oracles.frame.only_goal(), console)
    }
}

impl Oracles {
    /// The oracle for boards of a shape, if there can be one.
    pub(super) fn of(&mut self, shape: Shape, console: &mut Console) -> Option<&Oracle> {
        match self.known(shape, console) {
            Known::Oracle(oracle) => Some(oracle),
            Known::Missing { .. } => None,
        }
    }

    /// The goal of a board, and what can be known of it with a table or without. A note says why there is
    /// none.
    pub(super) fn truth(
        &mut self,
        board: &Board,
        console: &mut Console,
    ) -> Result<(&Board, Truth), OracleError> {
        match self.known(board.shape(), console) {
            Known::Oracle(oracle) => Ok((oracle.goal(), oracle.truth(board)?)),
            Known::Missing { goal, bound, reason, said } => {
                if !board.can_reach(goal) {
                    return Ok((goal, Truth::Unsolvable));
                }
                if !std::mem::replace(said, true) {
                    console.note(format_args!("{reason}; whether fewer moves would do is unknown"));
                }
                Ok((goal, Truth::AtLeast(bound.estimate(board))))
            }
        }
    }

    /// The oracle where no position fixes the shape.
    pub(super) fn only(&mut self, console: &mut Console) -> Result<&Oracle> {
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
                Err(error) => {
                    let goal = self.frame.goal(shape);
                    let bound = Box::new(LinearConflict::new(&goal));
                    Known::Missing { reason: format!("{error:#}"), said: false, goal, bound }
                }
            };
            self.known.push((shape, known));
            self.known.len() - 1
        });
        &mut self.known[at].1
    }

    /// Exchanges the table for a shape, which was found damaged, for one that is built anew. Says whether it could.
    pub(super) fn renew(&mut self, shape: Shape, console: &mut Console) -> Result<bool> {
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

    /// Says why there is no oracle for a shape: once, though every distance that is missed is trouble.
    pub(super) fn complain(&mut self, shape: Shape, console: &mut Console) -> Option<String> {
        let known = self.known.iter_mut().find(|(known, _)| *known == shape);
        let Some((_, Known::Missing { reason, said, .. })) = known else { return None };
        if !std::mem::replace(said, true) {
            console.error(&reason);
        }
        console.trouble();
        Some(reason.clone())
    }

    fn find(&self, goal: &Board, console: &mut Console) -> Result<Oracle> {
        let table = match &self.source {
            Source::File(table) => Arc::clone(table),
            Source::Store(store) => Arc::new(tables::fetch(store, goal, self.threads, console)?),
        };
        Ok(Oracle::new(table, goal)?)
    }
}

/// A seed that nobody has asked for, short enough to be typed.
pub(super) fn new_seed() -> u64 {
    // A hasher of the standard library starts from a random state.
    RandomState::new().hash_one(()) >> 32
}

/// A distance, or all from one to another.
#[derive(Clone, Debug)]
pub(super) struct Depths(pub(super) RangeInclusive<u32>);

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
