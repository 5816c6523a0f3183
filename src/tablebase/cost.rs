//! What it costs to make a table: known before the work, and refused where the machine cannot pay.

use std::{
    fmt,
    ops::ControlFlow,
    path::Path,
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

/// What a disk writes in a second, in bytes: one that is neither the best nor the worst.
const DISK: f64 = 400e6;

/// What making a table, a part of one, or a pattern database takes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Cost {
    /// Memory, while it is made, in bytes.
    pub memory: u64,
    /// Disk, to keep it, in bytes.
    pub disk: u64,
    /// Time, roughly.
    pub time: Duration,
}

/// The machine has not got what the work takes.
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
        /// The time for an entry on a core that is neither the best nor the worst, in nanoseconds.
        const ENTRY: f64 = 6.0;
        let BuildCost { memory, disk, .. } = builder.cost();
        let search = builder.partition().entries() as f64 * ENTRY / 1e9;
        let time = Duration::from_secs_f64(search / cores(builder.threads())) + writing(disk);
        Self { memory, disk, time }
    }

    /// The cost of one machine's share of a table with `boards` boards of a shape, made by several machines.
    ///
    /// `memory` and `disk` are what the share takes, `part` the bytes of it that are written at the end.
    #[cfg(feature = "cluster")]
    pub fn of_share(shape: Shape, share: &Share, memory: u64, disk: u64, part: u64) -> Self {
        // A search of seconds need not be known better.
        let rate = match is_quick(shape) {
            true => 2.0,
            false => rate(shape, share.threads),
        };
        Self { memory, disk, time: share.sweeping(rate) + writing(part) }
    }

    /// Refuses what the machine has not got. `folder` is where the file is to be kept, if there is one.
    ///
    /// # Errors
    ///
    /// If less memory or disk is free than the work takes.
    pub fn check(&self, folder: Option<&Path>) -> Result<(), Shortage> {
        check_memory(self.memory)?;
        folder.map_or(Ok(()), |folder| check_disk(self.disk, folder))
    }
}

/// Refuses what takes more memory than is free.
///
/// # Errors
///
/// If fewer than `needed` bytes of memory are free.
pub fn check_memory(needed: u64) -> Result<(), Shortage> {
    check("memory", needed, machine::memory())
}

/// Refuses what takes more disk than is free where a path is.
///
/// # Errors
///
/// If fewer than `needed` bytes of disk are free there.
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

/// Whether a table is made in less than two seconds.
pub fn is_quick(shape: Shape) -> bool {
    const MOST_CELLS: usize = 12;
    shape.cells() <= MOST_CELLS
}

/// The time to write a file of `bytes` bytes.
pub fn writing(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / DISK)
}

/// The time to find all boards, and to write their distances where `distances` says so.
fn searching(builder: &Builder, distances: bool) -> Duration {
    /// The time for a board on a core that is neither the best nor the worst, in nanoseconds.
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

/// The time that a board takes a core in a large search, in nanoseconds: measured here and now by a smaller search, of a shape
/// with as many columns. All threads are at work, because they share the machine's memory bandwidth.
pub fn rate(shape: Shape, threads: Threads) -> f64 {
    let (rows, cols) = if shape.tall().cols() == 2 { (6, 2) } else { (4, 3) };
    let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(rows, cols).expect("a shape")));
    let clock = Instant::now();
    // A machine that has the memory for a large search has it for a small one.
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
    /// The number of threads that this machine works on.
    pub threads: Threads,
}

#[cfg(feature = "cluster")]
impl Share {
    /// The time to sweep the share, where a board takes a core `rate` nanoseconds in a search that only counts. The factors
    /// for recording and for exchanging boards are those measured for 2x7 on two cores (docs/cluster.md).
    pub fn sweeping(&self, rate: f64) -> Duration {
        const RECORDING: f64 = 1.4;
        const EXCHANGING: f64 = 1.3;
        let exchanging = if self.machines > 1 { EXCHANGING } else { 1.0 };
        let boards = self.boards as f64 / self.machines as f64;
        let nanoseconds = boards * rate * RECORDING * exchanging;
        Duration::from_secs_f64(nanoseconds / 1e9 / cores(self.threads))
    }
}
