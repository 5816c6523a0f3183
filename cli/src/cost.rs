//! What it costs to make a table: said before the work, and refused where the machine cannot pay.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    num::NonZero,
    ops::ControlFlow,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail, ensure};
use indicatif::{DecimalBytes, HumanDuration};
use tilebase::{Builder, Encoding, Goal, Orbit, PatternBuilder, Shape};

use crate::machine::{self, Room};

/// What disks take a second that are neither the best nor the worst, in bytes.
pub(crate) const DISK: f64 = 400e6;

/// What a table, or a census, costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// In bytes.
    pub(crate) memory: u64,
    pub(crate) disk: u64,
    pub(crate) time: Duration,
}

impl Cost {
    /// Of a table.
    pub(crate) fn of_table(builder: &Builder) -> Self {
        let tilebase::BuildCost { memory, disk, .. } = builder.cost();
        let time = search(builder, builder.encoding() == Encoding::Distance)
            + Duration::from_secs_f64(disk as f64 / DISK);
        Self { memory, disk, time }
    }

    /// Of a part of a table that several machines make, and of two checkpoints, but for what is there of these already.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_share(cluster: &tilebase::Cluster, path: &Path) -> Result<Self> {
        let (orbit, machines) = (cluster.orbit(), cluster.hosts().count());
        let machines =
            u16::try_from(machines).ok().and_then(NonZero::new).unwrap_or(NonZero::<u16>::MAX);
        let plan = tilebase::Plan::new(orbit, cluster.encoding(), machines)?;
        let share = orbit.boards() as f64 / f64::from(machines.get());
        // What takes seconds need not be known better.
        let rate = match is_quick(orbit.shape()) {
            true => 2.0,
            false => measured(orbit.shape(), cluster.threads().count()),
        };
        let rate = crate::plan::slowed(rate, machines.get().into());
        let search = share * rate / 1e9 / cores(cluster.threads().count());
        let time = Duration::from_secs_f64(search + plan.part as f64 / DISK);
        let disk = plan.disk.saturating_sub(cluster.stored(path));
        Ok(Self { memory: plan.memory, disk, time })
    }

    /// Of a pattern database.
    pub(crate) fn of_patterns(builder: &PatternBuilder) -> Self {
        /// How many nanoseconds an entry takes a core that is neither the best nor the worst.
        const ENTRY: f64 = 6.0;
        let tilebase::BuildCost { memory, disk, .. } = builder.cost();
        let search = builder.partition().entries() as f64 * ENTRY / 1e9;
        let time =
            Duration::from_secs_f64(search / cores(builder.threads().count()) + disk as f64 / DISK);
        Self { memory, disk, time }
    }

    /// Of a census.
    pub(crate) fn of_census(builder: &Builder) -> Self {
        Self { memory: builder.census_memory(), disk: 0, time: search(builder, false) }
    }

    /// Refuses what the machine has not got; `folder` is where the table is to be kept.
    pub(crate) fn check(&self, folder: Option<&Path>) -> Result<()> {
        check_memory(self.memory)?;
        refuse("disk", self.disk, folder.and_then(machine::disk))
    }

    /// Asks whether to go on; `yes` is the answer of somebody who is not there.
    pub(crate) fn confirm(&self, yes: bool) -> Result<()> {
        if yes {
            return Ok(());
        }
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
        ensure!(is_there, "not done, for it takes long and nobody can be asked: --yes goes on");
        let mut errors = io::stderr().lock();
        write!(errors, "This takes about {}. Go on? [y/N] ", Rough(self.time))?;
        errors.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        ensure!(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()), "not done");
        Ok(())
    }
}

/// Refuses what takes more bytes of memory than are free.
pub(crate) fn check_memory(needed: u64) -> Result<()> {
    refuse("memory", needed, machine::memory())
}

/// Refuses what takes more bytes of disk than are free where a file is to be.
#[cfg(feature = "cluster")]
pub(crate) fn check_disk(needed: u64, path: &Path) -> Result<()> {
    refuse("disk", needed, machine::disk(path))
}

fn refuse(what: &str, needed: u64, room: Option<Room>) -> Result<()> {
    match room {
        Some(room) if needed > room.free => {
            let [needed, free] = [needed, room.free].map(DecimalBytes);
            bail!("there is not enough {what}: this takes {needed}, and {free} are free")
        }
        _ => Ok(()),
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {}, {} of memory", Rough(self.time), DecimalBytes(self.memory))?;
        if self.disk > 0 {
            write!(f, ", {} of disk", DecimalBytes(self.disk))?;
        }
        Ok(())
    }
}

/// A time that is known but roughly.
pub(crate) struct Rough(pub(crate) Duration);

impl fmt::Display for Rough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        match seconds {
            0.0..1.0 => f.write_str("a second"),
            // To the nearest ten seconds, beyond the first.
            10.0.. => {
                HumanDuration(Duration::from_secs_f64((seconds / 10.0).round() * 10.0)).fmt(f)
            }
            _ => HumanDuration(self.0).fmt(f),
        }
    }
}

/// Whether a table is made on the way to an answer: in less than two seconds.
pub(crate) fn is_quick(shape: Shape) -> bool {
    const MOST_CELLS: usize = 12;
    shape.cells() <= MOST_CELLS
}

/// Whether a pattern database is made on the way to an answer that asks for it: in some seconds.
pub(crate) fn is_soon_built(builder: &PatternBuilder) -> bool {
    const MOST_ENTRIES: u64 = 2_000_000_000;
    builder.partition().entries() <= MOST_ENTRIES
}

/// How long it takes to find all boards, and to write their distances if so wanted.
fn search(builder: &Builder, distances: bool) -> Duration {
    /// How many nanoseconds a board takes a core that is neither the best nor the worst.
    const FINDING: f64 = 1.5;
    const WRITING: f64 = 3.0;
    let shape = builder.orbit().shape();
    let finding =
        if is_quick(shape) { FINDING } else { measured(shape, builder.threads().count()) };
    let each = finding + if distances { WRITING } else { 0.0 };
    Duration::from_secs_f64(
        builder.orbit().boards() as f64 * each / 1e9 / cores(builder.threads().count()),
    )
}

/// How many cores so many threads keep busy.
pub(crate) fn cores(threads: usize) -> f64 {
    thread::available_parallelism().map_or(1, NonZero::get).min(threads) as f64
}

/// How many nanoseconds a board takes a core in a large search, by the time of a smaller one here and now, of a shape with as
/// many columns. All threads are at work, for they share what the memory gives.
pub(crate) fn measured(shape: Shape, threads: usize) -> f64 {
    let (rows, cols) = if shape.tall().cols() == 2 { (6, 2) } else { (4, 3) };
    let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(rows, cols).expect("a shape")));
    let clock = Instant::now();
    // There is the memory for so small a search, if there is for a large one.
    let _ = Builder::new(orbit)
        .map(|builder| builder.with_threads(threads).census(|_| ControlFlow::Continue(())));
    clock.elapsed().as_secs_f64() * 1e9 * cores(threads) / orbit.boards() as f64
}
