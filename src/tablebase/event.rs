//! The events that a tablebase reports while it works.

use std::{fmt, ops::ControlFlow, path::Path, time::Duration};

use crate::{
    index::partition::Partition,
    pattern::deepening::SolverProgress,
    puzzle::{board::Board, shape::Shape},
    sweep::levels::Advance,
    table::builder::BuildError,
    tablebase::{cost::Cost, goals, quantity::Count, store::Origin},
};

/// An event on the way to an answer. The listener decides whether the work continues.
#[non_exhaustive]
#[expect(missing_debug_implementations, reason = "a note is shown")]
pub enum Event<'a> {
    /// The caller waits for another thread.
    Waiting,
    /// A level of a table or of a pattern database has been found.
    Level(Advance),
    /// The progress of a search.
    Search(SolverProgress),
    /// Information for the user, displayed as a sentence.
    Note(Note<'a>),
}

/// Receives the events, and stops the work by [`ControlFlow::Break`].
///
/// A search calls it from any of its threads. After a `Break`, it must answer `Break` to all later events of the same
/// call, because several threads may report before they stop. It must not ask the same tablebase: what it waits for may
/// be the work that it hears of.
pub type Listener<'a> = &'a mut (dyn FnMut(Event<'_>) -> ControlFlow<()> + Send);

/// A listener that ignores all events and never stops the work: `&mut ignore`.
pub fn ignore(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Information for the user.
#[non_exhaustive]
#[expect(missing_debug_implementations, reason = "a note is shown")]
pub enum Note<'a> {
    /// A file of the store was missing or damaged, and was built.
    Built {
        /// `the table`, or the name of a pattern database.
        what: &'a str,
        /// The goal of the question.
        goal: &'a Board,
        /// The path of the file, even if the file could not be written.
        path: &'a Path,
        /// Whether it was found or built, and where it is kept.
        origin: &'a Origin,
        /// The time that the build took.
        time: Duration,
    },
    /// All distances of a table were read into memory.
    Read {
        /// The shape of the boards.
        shape: Shape,
        /// The number of boards.
        boards: u64,
        /// The time that this took.
        time: Duration,
    },
    /// A larger pattern database than the one in use can be built.
    Larger {
        /// The goal of the question.
        goal: &'a Board,
        /// The patterns of the larger database.
        partition: &'a Partition,
        /// The cost of building it.
        cost: Cost,
    },
    /// A search takes long, and a larger pattern database is being built.
    Growing {
        /// The board that is being solved.
        board: &'a Board,
        /// The patterns of the larger database.
        partition: &'a Partition,
    },
    /// The larger pattern database cannot be built. The search continues with the one in use.
    NotGrown(&'a BuildError),
    /// Neither a table nor a pattern database answers for boards of this shape. A lower bound is given instead.
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
