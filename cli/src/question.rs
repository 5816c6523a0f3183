//! The question: the goal and the shape, and the table or the database that answers.

use std::{
    hash::{BuildHasher, RandomState},
    ops::RangeInclusive,
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use tilebase::{Goal, Goals, Policy, Shape, Source, Tablebase};

use crate::global::Global;

/// The goal and the shape, as the user gives them.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The goal: blank-last (1 2 3 … 0), blank-first (0 1 2 …), snail (123/804/765), or any position, which also
    /// fixes the shape [default: blank-last]
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
    /// Rows x columns, such as 3x3
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
}

/// The options of every verb that answers questions about boards.
#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Answer from this table file instead of the store
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Answer from the pattern database of this partition instead of a table: sizes such as 7-8, or the goal's tiles
    /// such as 1,2,5,6/3,4,7,8 [default, for shapes without tables: the largest in the store]
    #[arg(long, value_name = "PATTERN", conflicts_with = "table")]
    pub(crate) pattern: Option<String>,
    /// Write one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

impl Target {
    /// Sets the goal and the shape that the user did not give.
    pub(crate) fn or(&mut self, goal: &str, shape: Option<Shape>) {
        self.goal.get_or_insert_with(|| goal.to_owned());
        self.shape = self.shape.or(shape);
    }

    /// The goals of the question.
    pub(crate) fn goals(&self) -> Result<Goals> {
        let goal = self.goal.as_deref().unwrap_or(Goal::BlankLast.name());
        // The error begins with the word `goal`. With `--` before it, it names the option.
        Goals::read(goal, self.shape).map_err(|error| anyhow!("--{error}"))
    }
}

impl Question {
    /// The tablebase that answers. `timeout` is the time limit of a search for an answer.
    pub(crate) fn tablebase(
        &self,
        global: &Global,
        timeout: Option<Duration>,
    ) -> Result<Tablebase> {
        let source = match &self.table {
            None => Source::Store(global.store()?),
            Some(path) => Source::File(path.clone()),
        };
        let (threads, partition) = (global.threads(), self.pattern.clone());
        let policy = Policy { threads, partition, timeout, ..Policy::default() };
        Ok(Tablebase::open(source, self.target.goals()?, policy)?)
    }

    /// Refuses `--pattern`, for verbs that need a table.
    pub(crate) fn refuse_pattern(&self) -> Result<()> {
        ensure!(self.pattern.is_none(), "--pattern is for query, solve, check, audit and compare");
        Ok(())
    }
}

/// A random seed for a run without `--seed`. It has 32 bits, which is short enough to type.
pub(crate) fn new_seed() -> u64 {
    // A hasher of the standard library starts from a random state.
    RandomState::new().hash_one(()) >> 32
}

/// A distance, or a range of distances.
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
