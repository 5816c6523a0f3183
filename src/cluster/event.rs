//! The events: what happens while a table is made.

use std::{io, path::PathBuf, time::Duration};

use crate::{cluster::error::ClusterError, sweep::levels::Advance, table::error::TableError};

/// What the caller of [`ClusterBuilder::build`](crate::cluster::ClusterBuilder::build) is told.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// Nothing has happened. The caller is asked whether to go on.
    Waiting,
    /// Some processes have not come yet.
    Missing {
        /// Their numbers and addresses, and why they cannot be reached, where that is known.
        missing: String,
    },
    /// A checkpoint is damaged, or belongs to another search. The search does not resume from it.
    CheckpointSkipped {
        /// The file of the checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
    /// All processes have met, and the search begins.
    Begun {
        /// The level of the checkpoint from which all processes resume; `None` if they begin at the goal.
        depth: Option<u32>,
    },
    /// A level is complete.
    Level {
        /// How far the search of all processes has come.
        advance: Advance,
        /// How many bytes all processes together have sent so far.
        sent: u64,
        /// The last level of which all processes have a checkpoint.
        checkpoint: Option<u32>,
    },
    /// The checkpoint of a level cannot be written. The search goes on without it.
    CheckpointFailed {
        /// The level.
        depth: u32,
        /// Why it cannot be written.
        error: io::Error,
    },
}

/// What the other threads of a process tell its main thread.
#[derive(Debug)]
pub(super) enum Notice {
    /// An event for the caller.
    Event(Event),
    /// The connection to this process is cut.
    Gone(usize),
    /// The part is made, or cannot be made. The time is that of the search alone.
    Done(Result<Duration, ClusterError>),
}
