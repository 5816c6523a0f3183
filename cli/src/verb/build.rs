//! `tilebase build`: a table for a shape and a goal.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tilebase::{
    Policy, Shape, Threads,
    index::Partition,
    pattern::PatternBuilder,
    table::{Builder, Encoding, Header, TableErrorKind},
    tablebase::{
        cost::Cost,
        quantity::{Count, Rough},
    },
};

use crate::{
    console::Console,
    global::Global,
    interruption,
    question::Target,
    tables,
    verb::stats,
    work::{self, Work},
};

/// Build a table, and print its path
///
/// One table serves every goal whose blank is on the same cell after the board is turned or mirrored
/// (three tables serve all goals of 3x3). A table that exists and is undamaged is not built again.
#[derive(Debug, Args)]
pub(crate) struct Build {
    #[command(flatten)]
    target: Target,
    /// How the table stores distances: distance (one byte per board, up to 12 cells, read directly) or bit (one bit per
    /// board, up to 14 cells, found by a walk to the goal). If both tables exist, the first is used [default: distance
    /// up to 10 cells, bit beyond]
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Build a pattern database instead, for a partition of the tiles: sizes such as 7-8, 6-6-3 or 6-6-6-6, or the
    /// goal's tiles such as 1,2,5,6/3,4,7,8; up to 25 cells, and up to 8 tiles per pattern
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["encoding", "no_table"])]
    pattern: Option<String>,
    /// Write to this file instead of the store
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build the file again even if it exists, and replace any file
    #[arg(long)]
    force: bool,
    /// Do not ask before a build that takes a minute or more
    #[arg(long)]
    yes: bool,
    /// Count the boards at each distance, and print DISTANCE<TAB>BOARDS and the mean. No table is kept, and half the
    /// memory is enough. Not with --encoding, --output and --force
    #[arg(long, conflicts_with_all = ["encoding", "output", "force"])]
    no_table: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    together: crate::cluster::ClusterOptions,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    planned: crate::plan::PlanOptions,
}

impl Build {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let (goal, threads) = (self.target.goals()?.only(), global.threads());
        #[cfg(feature = "cluster")]
        if self.planned.is_wanted() {
            return self.planned.print(&goal, self.encoding, threads, console);
        }
        #[cfg(feature = "cluster")]
        if let Some(mut part) = self.together.builder(&goal, self.encoding, threads)? {
            return self.write(&mut part, goal.shape(), global, console);
        }
        if let Some(text) = &self.pattern {
            let partition = Partition::new(&goal, text).context("--pattern")?;
            let mut builder = PatternBuilder::new(partition).with_threads(threads);
            return self.write(&mut builder, goal.shape(), global, console);
        }
        let mut builder = Policy { threads, ..Policy::default() }.builder(&goal)?;
        if self.no_table {
            return self.census(&builder, goal.shape(), console);
        }
        if let Some(encoding) = self.encoding {
            builder =
                builder.with_encoding(encoding).map_err(|error| error.of_shape(goal.shape()))?;
        }
        self.write(&mut builder, goal.shape(), global, console)
    }

    /// Builds the file if it does not exist yet, and prints its path.
    fn write(
        &self,
        work: &mut dyn Work,
        shape: Shape,
        global: &Global,
        console: &mut Console,
    ) -> Result<()> {
        let path = match &self.output {
            Some(path) => path.clone(),
            None => work.path(&global.store()?),
        };
        // If several processes make the table, only the first looks for the file, and tells the others.
        let is_there = work.is_first() && self.is_there(&path, work, global.threads(), console)?;
        if !work.begin(&path, is_there, self.force || self.output.is_none())? {
            return console.line(path.display());
        }
        if self.output.is_none() {
            global.store()?.create().with_context(|| path.display().to_string())?;
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        // It is better to fail now than after the work.
        ensure!(folder.is_dir(), "{}: there is no folder {}", path.display(), folder.display());
        self.agree(&work.cost(&path)?, work, Some(folder), shape, console)?;
        match interruption::interruptible(|| work.build(&path, shape, console))? {
            Some(path) => console.line(path.display()),
            None => {
                console.interrupted();
                Ok(())
            }
        }
    }

    /// Whether the file to be made exists already. A damaged table is replaced, and so is a wrong file in the store.
    /// Any other file may belong to the user: it is replaced only with `--force`.
    fn is_there(
        &self,
        path: &Path,
        work: &dyn Work,
        threads: Threads,
        console: &mut Console,
    ) -> Result<bool> {
        let shown = path.display();
        let error = match tables::open_file(path) {
            Err(error) if matches!(error.kind(), TableErrorKind::NotAFile) => bail!(error),
            _ if self.force => return Ok(false),
            Ok(file) if work.is(file.header()) => {
                let damage = file.check_payload(threads).err();
                damage.iter().for_each(|damage| {
                    console.note(format_args!(
                        "{shown} has a damaged payload: {damage}; it is built anew"
                    ));
                });
                return Ok(damage.is_none());
            }
            Ok(file) if self.output.is_some() => {
                let Header { orbit, encoding, partition, .. } = file.header();
                match partition {
                    Some(patterns) => bail!(
                        "{shown} is the pattern database {patterns} for {orbit}; --force replaces it"
                    ),
                    None => bail!(
                        "{shown} is a table for {orbit} ({}); --force replaces it",
                        encoding.name()
                    ),
                }
            }
            // In the store, a file that is not what its name says is replaced.
            Ok(_) => return Ok(false),
            Err(error) if error.is_not_found() => return Ok(false),
            Err(error) => error,
        };
        match (error.kind(), &self.output) {
            (TableErrorKind::Version { .. }, _)
            | (TableErrorKind::NotATable | TableErrorKind::Empty, Some(_)) => {
                bail!("{error}; --force replaces it")
            }
            (TableErrorKind::Parts(_), _) => bail!("{error}; --force builds the table anew"),
            (TableErrorKind::Io(_), Some(_)) => bail!(error),
            (TableErrorKind::Io(_), None) | (_, Some(_)) => {}
            (_, None) => console.note(format_args!("{error}; it is built anew")),
        }
        Ok(false)
    }

    /// Counts boards and builds nothing.
    fn census(&self, builder: &Builder, shape: Shape, console: &mut Console) -> Result<()> {
        self.agree(&Cost::of_census(builder), builder, None, shape, console)?;
        let count = |console: &mut Console| {
            work::search(builder.entries(), shape, console, |watch| builder.census(watch))
        };
        match interruption::interruptible(|| count(console))? {
            Some(histogram) => stats::print_histogram(&histogram, console),
            None => {
                console.interrupted();
                Ok(())
            }
        }
    }

    /// Shows the cost of the work. Checks that the machine has enough memory and disk space, and asks the user if the
    /// work takes long.
    fn agree(
        &self,
        cost: &Cost,
        work: &dyn Work,
        folder: Option<&Path>,
        shape: Shape,
        console: &mut Console,
    ) -> Result<()> {
        if work.is_first() {
            let entries = Count(work.entries());
            console.note(format_args!("{entries} {}: {cost}", work.describe(shape)));
        }
        cost.check(folder)?;
        if self.yes || work.is_quick() { Ok(()) } else { confirm(cost) }
    }
}

/// Asks the user whether to continue.
fn confirm(cost: &Cost) -> Result<()> {
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    ensure!(
        is_there,
        "not done: this takes long, and there is no terminal to ask on: --yes goes on without a question"
    );
    let mut errors = io::stderr().lock();
    write!(errors, "This takes about {}. Go on? [y/N] ", Rough(cost.time))?;
    errors.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    ensure!(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()), "not done");
    Ok(())
}
