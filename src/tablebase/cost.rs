//! The cost of making a table, estimated before the work. Work that needs more than the machine has is refused.

use std::{
    fmt,
    ops::ControlFlow,
    path::Path,
    sync::OnceLock,
    time::{Duration, Instant},
};

use crate::{
    pattern::builder::PatternBuilder,
    puzzle::{goal::Goal, orbit::Orbit, shape::Shape},
    system::{
        machine::{self, Room},
        threads::Threads,
    },
    table::{
        builder::{BuildCost, Builder},
        encoding::Encoding,
    },
    tablebase::quantity::{Bytes, Rough},
};

/// The bytes that an average disk writes in a second.
const DISK: f64 = 400e6;

/// The memory, disk space and time to make a table, a part of a table, or a pattern database.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Cost {
    /// The memory needed during the work, in bytes.
    pub memory: u64,
    /// The disk space needed for the file, in bytes.
    pub disk: u64,
    /// The approximate time.
    pub time: Duration,
}

/// The machine has too little free memory or disk space for the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not enough {what}: this takes {}, and {} are free", Bytes(*needed), Bytes(*free))]
pub struct Shortage {
    what: &'static str,
    needed: u64,
    free: u64,
}

impl Cost {
    /// The cost of a table.
    pub fn of_table(builder: &Builder) -> Self {
        let BuildCost { memory, disk, .. } = builder.cost();
        let time = searching(builder, builder.encoding() == Encoding::Distance) + writing(disk);
        Self { memory, disk, time }
    }

    /// The cost of counting the boards of a table without keeping any.
    pub fn of_census(builder: &Builder) -> Self {
        Self { memory: builder.census_memory(), disk: 0, time: searching(builder, false) }
    }

    /// The cost of a pattern database.
    pub fn of_patterns(builder: &PatternBuilder) -> Self {
        /// The time for an entry on an average core, in nanoseconds.
        const ENTRY: f64 = 6.0;
        let BuildCost { memory, disk, .. } = builder.cost();
        let search = builder.partition().entries() as f64 * ENTRY / 1e9;
        let time = Duration::from_secs_f64(search / cores(builder.threads())) + writing(disk);
        Self { memory, disk, time }
    }

    /// The cost of one machine's share of a table for a shape that several machines make.
    ///
    /// `memory` and `disk` are the bytes that the share needs. `part` is the number of bytes that are written at the
    /// end.
    #[cfg(feature = "cluster")]
    pub fn of_share(shape: Shape, share: &Share, memory: u64, disk: u64, part: u64) -> Self {
        // A search of a few seconds needs no better estimate.
        let rate = match is_quick(shape) {
            true => 2.0,
            false => rate(shape, share.threads),
        };
        Self { memory, disk, time: share.sweeping(rate) + writing(part) }
    }

    /// Checks that enough memory is free, and enough disk space in `folder` if the work writes a file.
    ///
    /// # Errors
    ///
    /// If less memory or disk space is free than the work needs.
    pub fn check(&self, folder: Option<&Path>) -> Result<(), Shortage> {
        check_memory(self.memory)?;
        folder.map_or(Ok(()), |folder| check_disk(self.disk, folder))
    }
}

/// Checks that enough memory is free. If the system does not say how much is free, the check passes.
///
/// # Errors
///
/// If fewer than `needed` bytes of memory are free.
pub fn check_memory(needed: u64) -> Result<(), Shortage> {
    check("memory", needed, machine::memory())
}

/// Checks that enough disk space is free on the disk that holds a path. If the system does not say how much is free,
/// the check passes.
///
/// # Errors
///
/// If fewer than `needed` bytes are free there.
pub fn check_disk(needed: u64, path: &Path) -> Result<(), Shortage> {
    check("disk", needed, machine::disk(path))
}

fn check(what: &'static str, needed: u64, room: Option<Room>) -> Result<(), Shortage> {
    match room {
        Some(Room { free, .. }) if needed > free => Err(Shortage { what, needed, free }),
        _ => Ok(()),
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {}, {} of memory", Rough(self.time), Bytes(self.memory))?;
        if self.disk > 0 {
            write!(f, ", {} of disk", Bytes(self.disk))?;
        }
        Ok(())
    }
}

/// The table for a shape with up to this number of cells is built in less than two seconds.
pub const QUICK_CELLS: usize = 12;

/// Whether the table for a shape is built in less than two seconds.
pub fn is_quick(shape: Shape) -> bool {
    shape.cells() <= QUICK_CELLS
}

/// The time to write a file of `bytes` bytes.
pub fn writing(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / DISK)
}

/// The time to find all boards, and to record the distance of each if `distances` is true.
fn searching(builder: &Builder, distances: bool) -> Duration {
    /// The time to find a board, and to record its distance, on an average core, in nanoseconds.
    const FINDING: f64 = 1.5;
    const RECORDING: f64 = 3.0;
    let shape = builder.orbit().shape();
    let finding = if is_quick(shape) { FINDING } else { rate(shape, builder.threads()) };
    let each = finding + if distances { RECORDING } else { 0.0 };
    let boards = builder.orbit().boards() as f64;
    Duration::from_secs_f64(boards * each / 1e9 / cores(builder.threads()))
}

/// The number of cores that `threads` threads keep busy.
pub fn cores(threads: Threads) -> f64 {
    threads.count() as f64
}

/// The time that one core needs for a board in a large search, in nanoseconds.
///
/// A smaller search measures it, once in a process: of 6x2 for shapes with two columns, else of 4x3. All threads take
/// part, because they share the machine's memory bandwidth.
pub fn rate(shape: Shape, threads: Threads) -> f64 {
    static RATES: [OnceLock<f64>; 2] = [OnceLock::new(), OnceLock::new()];
    match shape.tall().cols() {
        2 => *RATES[0].get_or_init(|| measured(6, 2, threads)),
        _ => *RATES[1].get_or_init(|| measured(4, 3, threads)),
    }
}

/// The time that one core needs for a board in the search of a shape, in nanoseconds.
fn measured(rows: usize, cols: usize, threads: Threads) -> f64 {
    let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(rows, cols).expect("a shape")));
    let clock = Instant::now();
    // A machine with enough memory for a large search has enough for a small one.
    let _ = Builder::new(orbit)
        .map(|builder| builder.with_threads(threads).census(|_| ControlFlow::Continue(())));
    clock.elapsed().as_secs_f64() * 1e9 * cores(threads) / orbit.boards() as f64
}

/// A share of a table that several machines make together.
#[cfg(feature = "cluster")]
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The boards of the whole table.
    pub boards: u64,
    /// The number of machines.
    pub machines: usize,
    /// The number of threads that work on this machine.
    pub threads: Threads,
}

#[cfg(feature = "cluster")]
impl Share {
    /// The time to sweep the share. `rate` is the time that one core needs for a board in a search that only counts, in
    /// nanoseconds. The factors for recording and for exchanging boards were measured for 2x7 on two cores
    /// (docs/cluster.md).
    pub fn sweeping(&self, rate: f64) -> Duration {
        const RECORDING: f64 = 1.4;
        const EXCHANGING: f64 = 1.3;
        let exchanging = if self.machines > 1 { EXCHANGING } else { 1.0 };
        let boards = self.boards as f64 / self.machines as f64;
        let nanoseconds = boards * rate * RECORDING * exchanging;
        Duration::from_secs_f64(nanoseconds / 1e9 / cores(self.threads))
    }
}
