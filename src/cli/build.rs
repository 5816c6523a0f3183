//! `tilebase build`: a table for a shape and a goal.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::{DecimalBytes, HumanCount};
use tilebase::{Advance, Board, BuildError, Builder, Encoding, TableError};

use super::{
    Global,
    console::Console,
    cost::Cost,
    process,
    progress::Progress,
    question::Target,
    stats,
    tables::{self, of_shape},
};

/// Build a table, and print its path
///
/// One table serves every goal whose blank comes to the same cell when the board is turned or mirrored
/// (three tables serve all goals of 3x3). A table that is there and right is left alone.
#[derive(Debug, Args)]
pub(super) struct Build {
    #[command(flatten)]
    target: Target,
    /// How the table stores distances: distance (a byte a board, up to 12 cells, read at once) or bit (a bit a board,
    /// up to 14 cells, walked to the goal). Where both are there, the first is read [default: distance up to 10 cells, bit beyond]
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Write to this file instead of the store
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build anew what is there, and replace any file
    #[arg(long)]
    force: bool,
    /// Do not ask, where it takes a minute or more
    #[arg(long)]
    yes: bool,
    /// Count the boards at each distance, print DISTANCE<TAB>BOARDS and the mean, and keep nothing, in half the memory;
    /// not with --encoding, --output and --force
    #[arg(long, conflicts_with_all = ["encoding", "output", "force"])]
    no_table: bool,
}

impl Build {
    pub(super) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let goal = self.target.frame()?.only_goal();
        let mut builder = tables::builder(&goal, global.threads())?;
        if self.no_table {
            return self.census(&builder, &goal, console);
        }
        if let Some(encoding) = self.encoding {
            builder =
                builder.with_encoding(encoding).map_err(|error| of_shape(error, goal.shape()))?;
        }
        let path = match &self.output {
            Some(path) => path.clone(),
            None => global.store()?.path(builder.orbit(), builder.encoding()),
        };
        if !self.is_there(&path, &builder, console)? {
            if self.output.is_none() {
                global.store()?.create().with_context(|| path.display().to_string())?;
            }
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = folder.unwrap_or(Path::new("."));
            // Better said now than after the work.
            ensure!(folder.is_dir(), "{}: there is no folder {}", path.display(), folder.display());
            self.agree(&Cost::of_table(&builder), &builder, Some(folder), &goal, console)?;
            if !process::interruptible(|| build(&path, &builder, &goal, console))? {
                console.interrupted();
                return Ok(());
            }
        }
        console.line(path.display())
    }

    /// Whether a file is the table that is wanted. One in the way that is something else may be the user's, and is
    /// not replaced unless he says so; what is left of a table is.
    fn is_there(&self, path: &Path, builder: &Builder, console: &mut Console) -> Result<bool> {
        let wanted = (builder.orbit(), builder.encoding());
        let shown = path.display();
        match tables::open(path) {
            Err(error @ TableError::NotAFile) => bail!("{shown} {error}"),
            _ if self.force => Ok(false),
            Ok(table) => match (table.header().orbit, table.header().encoding) {
                found if found == wanted => {
                    let damage = table.check_payload(builder.threads()).err();
                    damage.iter().for_each(|damage| {
                        console.note(format_args!("{shown} has a {damage}; it is built anew"));
                    });
                    Ok(damage.is_none())
                }
                (orbit, encoding) if self.output.is_some() => {
                    bail!(
                        "{shown} is a table for {orbit} ({}); --force replaces it",
                        encoding.name()
                    )
                }
                // In the store, the name is what a file has to be.
                _ => Ok(false),
            },
            Err(TableError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error @ TableError::Version { .. }) => {
                bail!("{shown} {error}; --force replaces it")
            }
            Err(error @ (TableError::NotATable | TableError::Empty)) if self.output.is_some() => {
                bail!("{shown} {error}; --force replaces it")
            }
            Err(error @ TableError::Io(_)) if self.output.is_some() => bail!("{shown} {error}"),
            Err(error) => {
                if self.output.is_none() && !matches!(error, TableError::Io(_)) {
                    console.note(format_args!("{shown} {error}; it is built anew"));
                }
                Ok(false)
            }
        }
    }

    /// Counts boards and builds nothing.
    fn census(&self, builder: &Builder, goal: &Board, console: &mut Console) -> Result<()> {
        self.agree(&Cost::of_census(builder), builder, None, goal, console)?;
        let census = |watch: &mut Watch<'_>| builder.census(watch);
        match process::interruptible(|| search(builder, goal, console, census))? {
            Some(histogram) => stats::print_histogram(&histogram, console),
            None => {
                console.interrupted();
                Ok(())
            }
        }
    }

    /// Says what the work costs, and sees to it that the machine can pay and the user will.
    fn agree(
        &self,
        cost: &Cost,
        builder: &Builder,
        folder: Option<&Path>,
        goal: &Board,
        console: &mut Console,
    ) -> Result<()> {
        let (boards, shape) = (HumanCount(builder.orbit().boards()), goal.shape());
        console.note(format_args!("{boards} boards of {shape}: {cost}"));
        cost.check(folder)?;
        cost.confirm(builder, self.yes)
    }
}

/// Builds a table and writes it; says whether it did, and was not interrupted.
fn build(path: &Path, builder: &Builder, goal: &Board, console: &mut Console) -> Result<bool> {
    let clock = Instant::now();
    let table =
        search(builder, goal, console, |watch: &mut Watch<'_>| builder.build_watched(watch))?;
    let Some(table) = table else { return Ok(false) };
    let progress = Progress::uneven(table.as_bytes().len() as u64, !console.is_quiet());
    let saved = table.save_watched(path, |written| {
        progress.at(written, || format!("{} written", DecimalBytes(written)));
        go_on()
    });
    drop(progress);
    match saved {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(false),
        saved => saved.with_context(|| path.display().to_string())?,
    }
    console.note(format_args!("built in {:.2?}", clock.elapsed()));
    Ok(true)
}

/// Whoever is told of each level.
type Watch<'a> = dyn FnMut(Advance) -> ControlFlow<()> + 'a;

/// Searches, and shows how far it has come; `None` if it was interrupted.
fn search<T>(
    builder: &Builder,
    goal: &Board,
    console: &mut Console,
    search: impl FnOnce(&mut Watch<'_>) -> Result<T, BuildError>,
) -> Result<Option<T>> {
    let progress = Progress::uneven(builder.orbit().boards(), !console.is_quiet());
    let found = search(&mut |advance| {
        progress.advance(&advance);
        go_on()
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(BuildError::Stopped) => Ok(None),
        Err(error) => Err(of_shape(error, goal.shape()).into()),
    }
}

/// Until an interruption.
fn go_on() -> ControlFlow<()> {
    if process::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
