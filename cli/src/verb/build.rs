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
#[cfg(feature = "cluster")]
use tilebase::Cluster;
use tilebase::{
    Advance, Board, BuildError, Builder, Encoding, Header, Kind, Partition, PatternBuilder, Store,
    TableError, TableFile,
};

use crate::{
    console::Console,
    cost::{self, Cost},
    global::Global,
    interruption,
    progress::Progress,
    question::Target,
    tables::{self, of_shape},
    verb::stats,
};

/// Build a table, and print its path
///
/// One table serves every goal whose blank comes to the same cell when the board is turned or mirrored
/// (three tables serve all goals of 3x3). A table that is there and right is left alone.
#[derive(Debug, Args)]
pub(crate) struct Build {
    #[command(flatten)]
    target: Target,
    /// How the table stores distances: distance (a byte a board, up to 12 cells, read at once) or bit (a bit a board,
    /// up to 14 cells, walked to the goal). Where both are there, the first is read [default: distance up to 10 cells, bit beyond]
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Build a pattern database instead, for a partition of the tiles: sizes such as 7-8, 6-6-3 or 6-6-6-6, or the goal's
    /// tiles such as 1,2,5,6/3,4,7,8; up to 25 cells, and 8 tiles a pattern
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["encoding", "no_table"])]
    pattern: Option<String>,
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
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    together: crate::cluster::Together,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    planned: crate::plan::Planned,
}

impl Build {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let goal = self.target.frame()?.only_goal();
        if let Some(text) = &self.pattern {
            let partition = Partition::new(&goal, text).context("--pattern")?;
            let builder = PatternBuilder::new(partition).with_threads(global.threads());
            return self.write(Work::Patterns(builder), &goal, global, console);
        }
        #[cfg(feature = "cluster")]
        if self.planned.is_wanted() {
            return self.planned.print(&goal, self.encoding, global.threads(), console);
        }
        #[cfg(feature = "cluster")]
        if let Some(cluster) = self.together.cluster(&goal, self.encoding, global.threads())? {
            return self.write(Work::Share(Box::new(cluster)), &goal, global, console);
        }
        let mut builder = tables::builder(&goal, global.threads())?;
        if self.no_table {
            return self.census(&builder, &goal, console);
        }
        if let Some(encoding) = self.encoding {
            builder =
                builder.with_encoding(encoding).map_err(|error| of_shape(error, goal.shape()))?;
        }
        self.write(Work::Table(builder), &goal, global, console)
    }

    /// Builds what is not there, and prints its path.
    fn write(
        &self,
        work: Work,
        goal: &Board,
        global: &Global,
        console: &mut Console,
    ) -> Result<()> {
        let path = match &self.output {
            Some(path) => path.clone(),
            None => work.path(&global.store()?),
        };
        // Of several processes, the first knows, and tells the others.
        let is_there = work.is_first() && self.is_there(&path, &work, global.threads(), console)?;
        let work = match work {
            #[cfg(feature = "cluster")]
            Work::Share(cluster) => {
                crate::cluster::check_part(&cluster, &path, self.force || self.output.is_none())?;
                Work::Share(Box::new(cluster.with_table(is_there)))
            }
            work if !is_there => work,
            _ => return console.line(path.display()),
        };
        if self.output.is_none() {
            global.store()?.create().with_context(|| path.display().to_string())?;
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        // Better said now than after the work.
        ensure!(folder.is_dir(), "{}: there is no folder {}", path.display(), folder.display());
        self.agree(&work.cost(&path)?, &work, Some(folder), goal, console)?;
        match interruption::interruptible(|| build(&path, &work, goal, console))? {
            Some(path) => console.line(path.display()),
            None => {
                console.interrupted();
                Ok(())
            }
        }
    }

    /// Whether a file is what is wanted. One in the way that is something else may be the user's, and is
    /// not replaced unless he says so; what is left of a table is.
    fn is_there(
        &self,
        path: &Path,
        work: &Work,
        threads: usize,
        console: &mut Console,
    ) -> Result<bool> {
        let shown = path.display();
        match tables::open_file(path) {
            Err(error @ TableError::NotAFile) => bail!("{shown} {error}"),
            _ if self.force => Ok(false),
            Ok(file) if work.is(file.header()) => {
                let damage = file.check_payload(threads).err();
                damage.iter().for_each(|damage| {
                    console.note(format_args!("{shown} has a {damage}; it is built anew"));
                });
                Ok(damage.is_none())
            }
            Ok(file) if self.output.is_some() => {
                let Header { orbit, encoding, .. } = file.header();
                match &file.header().partition {
                    Some(patterns) => {
                        bail!(
                            "{shown} is the pattern database {patterns} for {orbit}; --force replaces it"
                        )
                    }
                    None => bail!(
                        "{shown} is a table for {orbit} ({}); --force replaces it",
                        encoding.name()
                    ),
                }
            }
            // In the store, the name is what a file has to be.
            Ok(_) => Ok(false),
            Err(TableError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error @ TableError::Version { .. }) => {
                bail!("{shown} {error}; --force replaces it")
            }
            #[cfg(feature = "cluster")]
            Err(error @ TableError::Parts(_)) => {
                bail!("{shown} {error}; --force builds the table anew")
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
        let work = Work::Table(*builder);
        self.agree(&Cost::of_census(builder), &work, None, goal, console)?;
        let census = |watch: &mut Watch<'_>| builder.census(watch);
        match interruption::interruptible(|| search(&work, goal, console, census))? {
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
        work: &Work,
        folder: Option<&Path>,
        goal: &Board,
        console: &mut Console,
    ) -> Result<()> {
        let (entries, shape) = (HumanCount(work.entries()), goal.shape());
        let what = match work {
            #[cfg(feature = "cluster")]
            Work::Share(cluster) if cluster.process() > 0 => return cost.check(folder),
            #[cfg(feature = "cluster")]
            Work::Share(cluster) => {
                format!("boards of {shape} by {} processes; each takes", cluster.hosts().count())
            }
            Work::Table(_) => format!("boards of {shape}"),
            Work::Patterns(builder) => format!("entries of {} on {shape}", builder.partition()),
        };
        console.note(format_args!("{entries} {what}: {cost}"));
        cost.check(folder)?;
        // The time is not known well enough to decide it: the same command has to ask each time, or never.
        cost.confirm(self.yes || work.is_quick())
    }
}

/// What is to be built.
enum Work {
    Table(Builder),
    /// A part of a table, which others complete.
    #[cfg(feature = "cluster")]
    Share(Box<Cluster>),
    Patterns(PatternBuilder),
}

impl Work {
    fn path(&self, store: &Store) -> PathBuf {
        match self {
            Self::Table(builder) => store.path(builder.orbit(), builder.encoding()),
            #[cfg(feature = "cluster")]
            Self::Share(cluster) => store.path(cluster.orbit(), cluster.encoding()),
            Self::Patterns(builder) => store.pattern_path(builder.partition()),
        }
    }

    /// Whether it is up to this process to know what is there.
    fn is_first(&self) -> bool {
        match self {
            #[cfg(feature = "cluster")]
            Self::Share(cluster) => cluster.process() == 0,
            _ => true,
        }
    }

    /// Whether a file with this header is it.
    fn is(&self, header: &Header) -> bool {
        let is_table =
            |wanted| header.kind == Kind::Full && (header.orbit, header.encoding) == wanted;
        match self {
            Self::Table(builder) => is_table((builder.orbit(), builder.encoding())),
            #[cfg(feature = "cluster")]
            Self::Share(cluster) => is_table((cluster.orbit(), cluster.encoding())),
            Self::Patterns(builder) => header.partition.as_ref() == Some(builder.partition()),
        }
    }

    /// What it takes to make the file at a path.
    fn cost(&self, _path: &Path) -> Result<Cost> {
        Ok(match self {
            Self::Table(builder) => Cost::of_table(builder),
            #[cfg(feature = "cluster")]
            Self::Share(cluster) => Cost::of_share(cluster, _path)?,
            Self::Patterns(builder) => Cost::of_patterns(builder),
        })
    }

    fn entries(&self) -> u64 {
        match self {
            Self::Table(builder) => builder.orbit().boards(),
            #[cfg(feature = "cluster")]
            Self::Share(cluster) => cluster.orbit().boards(),
            Self::Patterns(builder) => builder.partition().entries(),
        }
    }

    /// Whether nobody needs to be asked.
    fn is_quick(&self) -> bool {
        /// So many entries take less than a minute anywhere.
        const FEW: u64 = 10_000_000_000;
        match self {
            Self::Table(builder) => cost::is_quick(builder.orbit().shape()),
            // Whoever has begun as many processes has asked himself.
            #[cfg(feature = "cluster")]
            Self::Share(_) => true,
            Self::Patterns(builder) => builder.partition().entries() < FEW,
        }
    }
}

/// Builds and writes; says where it is, if it was not interrupted.
fn build(path: &Path, work: &Work, goal: &Board, console: &mut Console) -> Result<Option<PathBuf>> {
    let clock = Instant::now();
    let save = |file: &TableFile, console: &mut Console| {
        let progress = Progress::uneven(file.length(), !console.is_quiet());
        file.save_watched(path, |written| {
            progress.at(written, || format!("{} written", DecimalBytes(written)));
            tables::go_on()
        })
    };
    let saved = match work {
        #[cfg(feature = "cluster")]
        Work::Share(cluster) => return crate::cluster::build(cluster, path, console),
        Work::Table(builder) => {
            let built = |watch: &mut Watch<'_>| builder.build_watched(watch);
            search(work, goal, console, built)?.map(|table| save(&table, console))
        }
        Work::Patterns(builder) => {
            let built = |watch: &mut Watch<'_>| builder.build_watched(watch);
            search(work, goal, console, built)?.map(|database| save(&database, console))
        }
    };
    match saved {
        None => return Ok(None),
        Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
        Some(saved) => saved.with_context(|| path.display().to_string())?,
    }
    console.note(format_args!("built in {:.2?}", clock.elapsed()));
    Ok(Some(path.to_owned()))
}

/// Whoever is told of each level.
type Watch<'a> = dyn FnMut(Advance) -> ControlFlow<()> + 'a;

/// Searches, and shows how far it has come; `None` if it was interrupted.
fn search<T>(
    work: &Work,
    goal: &Board,
    console: &mut Console,
    search: impl FnOnce(&mut Watch<'_>) -> Result<T, BuildError>,
) -> Result<Option<T>> {
    let progress = Progress::uneven(work.entries(), !console.is_quiet());
    let found = search(&mut |advance| {
        progress.advance(&advance);
        tables::go_on()
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(BuildError::Stopped) => Ok(None),
        Err(error) => Err(of_shape(error, goal.shape()).into()),
    }
}
