//! The error: why a process has not made its part of a table.

use std::{io, path::PathBuf};

use crate::{puzzle::shape::Shape, table::part::Part};

/// Why a process has not made its part of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The shape has too many cells.
    #[error("no table for {0} can be built by several processes; it has too many cells")]
    Shape(Shape),
    /// The shape has too many cells for a byte a board.
    #[error("no table for {0} can have the encoding distance; it has too many cells")]
    Encoding(Shape),
    /// There is no such process.
    #[error("there is no process {process}: the hosts are {hosts}, numbered from 0")]
    Process {
        /// The number that was given.
        process: usize,
        /// How many hosts there are.
        hosts: usize,
    },
    /// This process cannot listen.
    #[error("cannot listen at {address}: {error}{}", hint(error))]
    Listen {
        /// Where.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// Some processes did not come.
    #[error(
        "missing after {seconds} s: process {missing}; is it begun, with the same host file, and can it be reached?"
    )]
    Missing {
        /// Their numbers and addresses.
        missing: String,
        /// How long they were waited for.
        seconds: u64,
    },
    /// Another process means to do something else.
    #[error(
        "process {process} ({address}) does other work: its {what} is {there}, and here it is {here}"
    )]
    Differs {
        /// Its number.
        process: usize,
        /// Where it listens.
        address: String,
        /// What differs.
        what: String,
        /// What it is there.
        there: String,
        /// What it is here.
        here: String,
    },
    /// Two processes have the same number.
    #[error("there are two processes {process}: each wants its own number, as in the host file")]
    Twice {
        /// Their number.
        process: usize,
    },
    /// Another process has died, or its machine has, or the network.
    #[error(
        "process {process} ({address}) was lost; the same commands with --resume go on {}",
        behind(*.kept)
    )]
    Lost {
        /// Its number.
        process: usize,
        /// Where it listened.
        address: String,
        /// The last level of which all are known to have a checkpoint.
        kept: Option<u32>,
    },
    /// The checkpoint is whole, and not of this search.
    #[error("the checkpoint of part {} of {} is not of this search", .0.number, .0.of)]
    Checkpoint(Part),
    /// The boards that were found are not those that there are, or not the same in all processes: what was gone on from was not right.
    #[error("the boards found are not those that there are; begin anew, without --resume")]
    Wrong,
    /// What another process has sent makes no sense.
    #[error("what another process has sent makes no sense")]
    Letter,
    /// There is not the memory.
    #[error("there is not enough memory: {0}")]
    Memory(io::Error),
    /// A file cannot be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Timely could not begin, or has ended for no reason that is known.
    #[error("the network cannot be used: {0}")]
    Network(String),
    /// Whoever watched has stopped it.
    #[error("stopped")]
    Stopped,
}

/// What may help where a process cannot listen.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => {
            "; the line of this process in the host file has to be an address of this machine"
        }
        io::ErrorKind::AddrInUse => "; another program, or another process of this table, has it",
        _ => "",
    }
}

/// Where a search goes on, for people.
fn behind(kept: Option<u32>) -> String {
    kept.map_or_else(|| "from the start".into(), |depth| format!("from level {depth} or later"))
}
