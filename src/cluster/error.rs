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
    /// This process cannot listen at its address. The message contains that of the error.
    #[error("cannot listen at {address}: {error}{}", hint(error))]
    Listen {
        /// The address.
        address: String,
        /// Why it cannot be used.
        error: io::Error,
    },
    /// Some processes did not come.
    #[error(
        "missing after {seconds} s: process {missing}; is it begun, with the same host file, and can it be reached?"
    )]
    Missing {
        /// Their numbers and addresses, and why they cannot be reached, where that is known.
        missing: String,
        /// How long they were waited for, in seconds.
        seconds: u64,
    },
    /// Another process means to do other work.
    #[error(
        "process {process} ({address}) does other work: its {what} is {there}, and here it is {here}"
    )]
    Differs {
        /// The number of the other process.
        process: usize,
        /// The address of the other process.
        address: String,
        /// The name of what differs.
        what: String,
        /// Its value in the other process.
        there: String,
        /// Its value in this process.
        here: String,
    },
    /// Another process has the number of this one.
    #[error("there are two processes {process}: each wants its own number, as in the host file")]
    SameNumber {
        /// The number.
        process: usize,
    },
    /// Another process, its machine or the network has failed.
    #[error(
        "process {process} ({address}) was lost; the same commands with --resume go on {}",
        start(*.checkpoint)
    )]
    Lost {
        /// The number of the lost process.
        process: usize,
        /// The address of the lost process.
        address: String,
        /// The last level of which all processes are known to have a checkpoint.
        checkpoint: Option<u32>,
    },
    /// A checkpoint matches its checksums, but this search cannot resume from it.
    #[error("the checkpoint of part {} of {} is not of this search", .0.number, .0.of)]
    Checkpoint(Part),
    /// The number of boards is wrong, or the processes have counted different numbers. The checkpoint from
    /// which they resumed was wrong.
    #[error("the boards found are not those that there are; begin anew, without --resume")]
    WrongBoards,
    /// Another process has sent something that cannot be read.
    #[error("what another process has sent makes no sense")]
    Unreadable,
    /// There is not enough memory.
    #[error("there is not enough memory")]
    Memory(#[source] io::Error),
    /// The part or the manifest cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why it cannot be written.
        source: io::Error,
    },
    /// The folder of the checkpoints cannot be read.
    #[error("cannot look for checkpoints in {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// Timely could not start, or has ended for no known reason.
    #[error("the network cannot be used: {0}")]
    Network(String),
    /// The caller has stopped the work.
    #[error("stopped")]
    Stopped,
}

/// What may help if a process cannot listen.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => {
            "; the line of this process in the host file has to be an address of this machine"
        }
        io::ErrorKind::AddrInUse => "; another program, or another process of this table, has it",
        _ => "",
    }
}

/// Where a search resumes, in words.
fn start(checkpoint: Option<u32>) -> String {
    checkpoint
        .map_or_else(|| "from the start".into(), |depth| format!("from level {depth} or later"))
}
