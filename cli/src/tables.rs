//! Table files: opened, listed, and fetched from the store with a word on how.

use std::{
    borrow::Cow,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, anyhow, bail};
use indicatif::HumanCount;
use tilebase::{
    Board, BuildError, Builder, Encoding, Fetched, Goal, Oracle, Orbit, Origin, Partition, Shape,
    Store, Table, TableError, TableFile,
};

use crate::{
    console::Console,
    cost::{self, Cost},
    global::Global,
    interruption,
};

/// The tables that are named, or else those of the store.
pub(crate) fn named_or_stored(named: Vec<PathBuf>, global: &Global) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named);
    }
    let store = global.store()?;
    store.tables().with_context(|| store.dir().display().to_string())
}

/// Opens a table file for as long as the program runs.
pub(crate) fn open_file(path: &Path) -> Result<TableFile, TableError> {
    // SAFETY: nothing in this program changes or truncates a table file: they are written under another
    // name and renamed. That nobody else does so while it runs is asked of the user, in the README.
    unsafe { TableFile::map(path) }
}

/// Opens a full table for as long as the program runs.
pub(crate) fn open(path: &Path) -> Result<Table, TableError> {
    open_file(path)?.try_into()
}

/// What builds the usual table for a goal.
pub(crate) fn builder(goal: &Board, threads: usize) -> Result<Builder> {
    match Builder::new(Orbit::of(goal)) {
        Ok(builder) => Ok(builder.with_threads(threads)),
        Err(error) => {
            let error = of_shape(error, goal.shape());
            match Partition::large(goal) {
                Ok(partition) => bail!(
                    "{error}; `{} --pattern {partition}` builds a pattern database, for query, solve, check and compare",
                    command(goal)
                ),
                Err(_) => Err(error.into()),
            }
        }
    }
}

/// An error about the shape that was asked for, not its tall form.
pub(crate) fn of_shape(error: BuildError, shape: Shape) -> BuildError {
    match error {
        BuildError::Shape(_) => BuildError::Shape(shape),
        BuildError::Encoding(_) => BuildError::Encoding(shape),
        error => error,
    }
}

/// The table for a goal from the store, built on the way if need be and if that is soon done.
pub(crate) fn fetch(
    store: &Store,
    goal: &Board,
    threads: usize,
    console: &mut Console,
) -> Result<Table> {
    // Several machines can make tables that one cannot.
    if let Some(table) = store.find(Orbit::of(goal), open) {
        return Ok(table);
    }
    let builder = builder(goal, threads)?;
    if !cost::is_quick(goal.shape()) {
        let cost = Cost::of_table(&builder);
        let command = command(goal);
        let path = store.path(builder.orbit(), builder.encoding());
        match store.open(builder.orbit(), builder.encoding(), open) {
            Err(error) if path.exists() => {
                bail!("{} {error}: `{command} --force` builds it anew ({cost})", path.display())
            }
            _ => bail!(
                "the table for {} is not in the store: `{command}` builds it ({cost})",
                goal.shape()
            ),
        }
    }
    fetch_from(store, &builder, goal, open, console)
}

/// The table of a store that was found damaged, built anew; `None` if that is not soon done.
pub(crate) fn renew(
    store: &Store,
    damaged: &Table,
    goal: &Board,
    threads: usize,
    console: &mut Console,
) -> Result<Option<Table>> {
    let builder = builder(goal, threads)?.with_encoding(damaged.header().encoding)?;
    if !cost::is_quick(goal.shape()) {
        return Ok(None);
    }
    // Another process may have done so already.
    let open = |path: &Path| {
        let table = open(path)?;
        table.check_payload(threads).map_err(TableError::Payload)?;
        Ok(table)
    };
    fetch_from(store, &builder, goal, open, console).map(Some)
}

/// The table of a builder from the store, with a word on how it came about.
fn fetch_from(
    store: &Store,
    builder: &Builder,
    goal: &Board,
    open: impl FnOnce(&Path) -> Result<Table, TableError>,
    console: &mut Console,
) -> Result<Table> {
    cost::check_memory(builder.cost().memory)?;
    let start = Instant::now();
    let fetched = store.fetch(builder, open).map_err(|error| of_shape(error, goal.shape()))?;
    note(&fetched, "the table", goal, start, console);
    Ok(fetched.table)
}

/// The command that builds the table for a goal.
pub(crate) fn command(goal: &Board) -> String {
    let shape = goal.shape();
    if *goal == Goal::BlankLast.board(shape) {
        format!("tilebase build --shape {shape}")
    } else {
        format!("tilebase build --shape {shape} --goal {goal}")
    }
}

/// Says how a table came about that was not there.
pub(crate) fn note<T>(
    fetched: &Fetched<T>,
    what: &str,
    goal: &Board,
    start: Instant,
    console: &mut Console,
) {
    let path = fetched.path.display();
    let (took, shape) = (start.elapsed(), goal.shape());
    let built = format!("built {what} for goal {goal} ({shape}) in {took:.0?}");
    let wrong = |error: &Option<TableError>| {
        error.as_ref().map_or_else(String::new, |e| format!("{path} {e}; "))
    };
    match &fetched.origin {
        Origin::Found => {}
        Origin::Built { replaced } => {
            console.note(format_args!("{}{built}: {path}", wrong(replaced)));
        }
        Origin::InMemory { found, error: None } => {
            console.note(format_args!(
                "{}{built}, in memory only, and left the file alone",
                wrong(found)
            ));
        }
        Origin::InMemory { found, error: Some(error) } => console.note(format_args!(
            "{}{built}, in memory only, as {path} cannot be written: {error}",
            wrong(found)
        )),
    }
}

/// Until an interruption.
pub(crate) fn go_on() -> ControlFlow<()> {
    if interruption::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// An oracle that can go through all boards: with a byte for each. One that has to walk from each is exchanged for
/// one that is built in memory, if there are not too many.
pub(crate) fn legible<'a>(
    oracle: &'a Oracle,
    threads: usize,
    console: &mut Console,
) -> Result<Cow<'a, Oracle>> {
    let header = oracle.table().header();
    if header.encoding == Encoding::Distance {
        return Ok(Cow::Borrowed(oracle));
    }
    let shape = oracle.goal().shape();
    let builder =
        builder(oracle.goal(), threads)?.with_encoding(Encoding::Distance).map_err(|_| {
            anyhow!("{shape} has {} boards, too many to go through", HumanCount(header.boards))
        })?;
    cost::check_memory(builder.cost().memory)?;
    let start = Instant::now();
    let table = builder.build()?;
    console.note(format_args!(
        "read all {} distances of {shape} into memory in {:.0?}",
        HumanCount(header.boards),
        start.elapsed()
    ));
    Ok(Cow::Owned(Oracle::new(table, oracle.goal())?))
}
