//! What a tablebase tells while it works.

use std::{fmt, ops::ControlFlow, path::Path, time::Duration};

use crate::{
    index::partition::Partition,
    pattern::deepening::SolverProgress,
    puzzle::{board::Board, shape::Shape},
    sweep::levels::Advance,
    table::builder::BuildError,
    tablebase::{cost::Cost, goals, quantity::Count, store::Origin},
};

/// What happens while an answer is found. The listener says whether to go on.
#[non_exhaustive]
#[expect(missing_debug_implementations, reason = "a note is shown")]
pub enum Event<'a> {
    /// Nothing: the caller waits for another thread.
    Waiting,
    /// A level of a table or of a pattern database has been found.
    Level(Advance),
    /// A search has come so far.
    Search(SolverProgress),
    /// Something that a person would like to know. Shown as a sentence.
    Note(Note<'a>),
}

/// Hears what happens, and stops the work by [`ControlFlow::Break`]. A search tells it from any of its threads.
pub type Listener<'a> = &'a mut (dyn FnMut(Event<'_>) -> ControlFlow<()> + Send);

/// A listener that hears nothing and stops nothing: `&mut ignore`.
pub fn ignore(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What a person would like to know.
#[non_exhaustive]
#[expect(missing_debug_implementations, reason = "a note is shown")]
pub enum Note<'a> {
    /// A file was not in the store, or damaged, and was built on the way.
    Built {
        /// What it is: `the table`, or the name of a pattern database.
        what: &'a str,
        /// The goal that was asked for.
        goal: &'a Board,
        /// Its file, or where that would be.
        path: &'a Path,
        /// How it came about.
        origin: &'a Origin,
        /// How long that took.
        time: Duration,
    },
    /// All distances of a table were read into memory.
    Read {
        /// The shape of the boards.
        shape: Shape,
        /// The number of boards.
        boards: u64,
        /// How long that took.
        time: Duration,
    },
    /// A larger pattern database than the one in use exists.
    Larger {
        /// The goal that was asked for.
        goal: &'a Board,
        /// Its patterns.
        partition: &'a Partition,
        /// What building it takes.
        cost: Cost,
    },
    /// A search takes long, and a larger pattern database is being built.
    Growing {
        /// The board that is being solved.
        board: &'a Board,
        /// The patterns of the larger database.
        partition: &'a Partition,
    },
    /// The larger pattern database cannot be built; the search goes on with the one in use.
    NotGrown(&'a BuildError),
    /// No table and no pattern database answers for boards of this shape, and a bound takes their place.
    Unknown(&'a dyn fmt::Display),
}

impl fmt::Display for Note<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Built { what, goal, path, origin, time } => {
                let (path, shape) = (path.display(), goal.shape());
                if let Some(error) = origin.replaced() {
                    write!(f, "{error}; ")?;
                }
                write!(f, "built {what} for goal {goal} ({shape}) in {time:.0?}")?;
                match origin {
                    Origin::Found => Ok(()),
                    Origin::Built { .. } => write!(f, ": {path}"),
                    Origin::InMemory { error: None, .. } => {
                        f.write_str(", in memory only, and left the file alone")
                    }
                    Origin::InMemory { error: Some(error), .. } => {
                        write!(f, ", in memory only, as {path} cannot be written: {error}")
                    }
                }
            }
            Self::Read { shape, boards, time } => {
                let boards = Count(*boards);
                write!(f, "read all {boards} distances of {shape} into memory in {time:.0?}")
            }
            Self::Larger { goal, partition, cost } => write!(
                f,
                "`{} --pattern {partition}` builds a larger one ({cost}), with which positions are solved many times as fast",
                goals::build_command(goal)
            ),
            Self::Growing { board, partition } => write!(
                f,
                "{board} takes long: the pattern database {partition} is built, in memory only"
            ),
            Self::NotGrown(error) => error.fmt(f),
            Self::Unknown(reason) => {
                write!(f, "{reason}; whether fewer moves would do is unknown")
            }
        }
    }
}
