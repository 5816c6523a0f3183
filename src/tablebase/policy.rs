//! The policy: what is built when needed, what is refused and why, what is renewed, and how long a search may take.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    index::partition::{Partition, PartitionError},
    pattern::{builder::PatternBuilder, database::PatternDatabase},
    puzzle::{board::Board, orbit::Orbit, shape::Shape},
    system::threads::Threads,
    table::{
        builder::{BuildError, Builder},
        encoding::Encoding,
        error::{OracleError, TableError, TableErrorKind},
        file::TableFile,
        full::Table,
        oracle::Oracle,
    },
    tablebase::{
        cost::{self, Cost, Shortage},
        event::{Event, Listener, Note},
        goals::{Goals, build_command},
        quantity::Count,
        slot::Stopped,
        store::{Fetched, Store},
    },
};

/// How a tablebase finds its answers. The program uses the default values.
///
/// ```
/// use std::time::Duration;
/// use tilebase::Policy;
///
/// let policy = Policy { timeout: Some(Duration::from_secs(5)), ..Policy::default() };
/// assert_eq!(policy.most_cells, 12);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The number of threads that build, prove and search.
    pub threads: Threads,
    /// Tables of shapes with up to this number of cells are built when they are first needed, and built again when they
    /// are found damaged. A table of 12 cells takes less than two seconds. Larger tables are refused, and the refusal
    /// names the command that builds them.
    pub most_cells: usize,
    /// Pattern databases with up to this number of entries are built when they are first needed, which takes seconds.
    /// Larger ones are refused, and the refusal names the command that builds them.
    pub most_entries: u64,
    /// Use the pattern database of this partition, and no table. The partition is given as sizes such as `7-8`, or as
    /// the goal's tiles such as `1,2,5,6/3,4,7,8`.
    pub partition: Option<String>,
    /// The time limit of each search that answers for a board without a table.
    /// [`Tablebase::next`](crate::Tablebase::next) makes up to four.
    pub timeout: Option<Duration>,
    /// The time limit of a search that finds the truth to judge a claim, for boards with more than 16 cells.
    pub judging: Duration,
    /// The time that a search on up to 16 cells may take before a larger pattern database is built for it, in memory.
    pub patience: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            threads: Threads::ALL,
            most_cells: cost::QUICK_CELLS,
            most_entries: 2_000_000_000,
            partition: None,
            timeout: None,
            judging: Duration::from_secs(1),
            patience: Duration::from_millis(200),
        }
    }
}

/// Why a tablebase does not answer. Shown as a sentence that says what would help.
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct Refusal(Arc<Reason>);

/// The reason for a [`Refusal`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// No table of this shape can be built. If `partition` is given, a pattern database can be built instead.
    #[error("{error}{}", instead(goal, partition.as_ref()))]
    NoTable {
        /// Why the table cannot be built.
        error: BuildError,
        /// The goal of the question.
        goal: Board,
        /// The usual large partition of the goal's tiles, if the shape has one.
        partition: Option<Partition>,
    },
    /// The table takes too long to be built for one answer.
    #[error(
        "the table for {} is not in the store: `{}` builds it ({cost})",
        goal.shape(),
        build_command(goal)
    )]
    TableNotBuilt {
        /// The goal of the question.
        goal: Board,
        /// The cost of building the table.
        cost: Cost,
    },
    /// The table is damaged, and takes too long to be built again for one answer.
    #[error("{error}: `{} --force` builds it anew ({cost})", build_command(goal))]
    TableDamaged {
        /// What is wrong with the table.
        error: TableError,
        /// The goal of the question.
        goal: Board,
        /// The cost of building the table.
        cost: Cost,
    },
    /// The pattern database takes too long to be built for one answer.
    #[error(
        "the pattern database {partition} is not in the store: `{} --pattern {partition}` builds it ({cost})",
        build_command(goal)
    )]
    PatternsNotBuilt {
        /// The goal of the question.
        goal: Board,
        /// The patterns of the database.
        partition: Partition,
        /// The cost of building the database.
        cost: Cost,
    },
    /// The named file cannot be used.
    #[error(transparent)]
    File(#[from] TableError),
    /// The named file is for another shape.
    #[error("{name} is for {served}; the question is for {shape}")]
    OtherShape {
        /// The path of the file, or `the table`.
        name: String,
        /// The shape that the file is for.
        served: Shape,
        /// The shape of the question.
        shape: Shape,
    },
    /// The named file is not for this goal.
    #[error("{name}: {error}")]
    Foreign {
        /// The path of the file, or `the table`.
        name: String,
        /// Why not.
        error: OracleError,
    },
    /// The file is damaged where the answer is read, and is not built again.
    #[error("{}: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        error: OracleError,
    },
    /// The named file is a pattern database, and not a full table.
    #[error("{0} is a pattern database, and not a full table")]
    PatternsNamed(String),
    /// The named file is a full table, and not a pattern database.
    #[error("the file that is named is no pattern database")]
    TableNamed,
    /// The named pattern database is for another shape.
    #[error("the pattern database that is named is for {0}")]
    OtherPatterns(Shape),
    /// The text in the policy is not a partition of the goal's tiles.
    #[error("--pattern: {0}")]
    BadPartition(PartitionError),
    /// The shape has no pattern databases.
    #[error(transparent)]
    NoPartition(PartitionError),
    /// The machine has too little free memory.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// The table or the pattern database could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// The shape has too many boards to go through all of them.
    #[error("{shape} has {boards} boards, too many to go through")]
    TooMany {
        /// The shape.
        shape: Shape,
        /// The number of its boards, with separators.
        boards: String,
    },
    /// The table or the database is not for this goal, or is damaged.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// Neither a table nor a pattern database answers.
    #[error("{table}; {patterns}")]
    Neither {
        /// Why there is no table.
        table: Refusal,
        /// Why there is no pattern database.
        patterns: Refusal,
    },
    /// The listener stopped the work.
    #[error("stopped")]
    Stopped,
}

/// The part of a message that names what can be built instead of a table.
fn instead(goal: &Board, partition: Option<&Partition>) -> String {
    partition.map_or_else(String::new, |partition| {
        let command = build_command(goal);
        format!(
            "; `{command} --pattern {partition}` builds a pattern database, for query, solve, check and compare"
        )
    })
}

impl<R: Into<Reason>> From<R> for Refusal {
    fn from(reason: R) -> Self {
        Self(Arc::new(reason.into()))
    }
}

impl From<Stopped> for Reason {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Refusal {
    /// The reason.
    pub fn reason(&self) -> &Reason {
        &self.0
    }

    /// Whether the reason is a damaged file that was not built again.
    pub fn is_damage(&self) -> bool {
        let reason = self.reason();
        let is_direct = matches!(reason, Reason::Oracle(OracleError::Damaged(_)));
        is_direct || matches!(reason, Reason::Damaged { .. } | Reason::TableDamaged { .. })
    }

    /// Whether the refusal depends on the goal and the source alone: the same question will be refused again. Other
    /// refusals depend on the files of the store, the machine or the listener.
    pub(crate) fn lasts(&self) -> bool {
        use Reason::*;
        let reason = self.reason();
        matches!(
            reason,
            NoTable { .. }
                | OtherShape { .. }
                | Foreign { .. }
                | PatternsNamed(_)
                | TableNamed
                | OtherPatterns(_)
                | BadPartition(_)
                | NoPartition(_)
                | Oracle(OracleError::Shape { .. } | OracleError::Table { .. })
        )
    }

    /// Whether the listener stopped the work.
    pub fn is_stop(&self) -> bool {
        matches!(self.reason(), Reason::Stopped)
    }

    /// The refusal for a failed build. It names the shape of the question, and not the shape's tall form.
    pub(crate) fn of_build(error: BuildError, shape: Shape) -> Self {
        match error {
            BuildError::Stopped => Reason::Stopped.into(),
            error => Reason::Build(error.of_shape(shape)).into(),
        }
    }
}

impl Policy {
    /// The time limit of a search that finds the truth to judge a claim; `None` if there is no limit.
    pub(crate) fn time_to_judge(&self, board: &Board) -> Option<Duration> {
        if is_soon_solved(board.shape()) {
            return self.timeout;
        }
        Some(self.timeout.map_or(self.judging, |timeout| timeout.min(self.judging)))
    }

    /// The table for a goal from the store. If it is missing or damaged, it is built, unless the shape has more than
    /// `most_cells` cells.
    pub(crate) fn table(
        &self,
        store: &Store,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<Table, Refusal> {
        // This comes before the builder: the store may have a table that only several machines together can make.
        if let Some(table) = store.find(Orbit::of(goal), map) {
            return Ok(table);
        }
        let builder = self.builder(goal)?;
        if goal.shape().cells() <= self.most_cells {
            return self.fetch_table(store, &builder, goal, map, listener);
        }
        let (goal, cost) = (goal.clone(), Cost::of_table(&builder));
        let path = store.path(builder.orbit(), builder.encoding());
        let reason = match store.open(builder.orbit(), builder.encoding(), map) {
            Err(error) if path.exists() => Reason::TableDamaged { error, goal, cost },
            _ => Reason::TableNotBuilt { goal, cost },
        };
        Err(reason.into())
    }

    /// The damaged table of a store, built again; `None` if that takes too long.
    pub(crate) fn renewed(
        &self,
        store: &Store,
        damaged: &Table,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<Option<Table>, Refusal> {
        if goal.shape().cells() > self.most_cells {
            return Ok(None);
        }
        let builder = self.builder(goal)?.with_encoding(damaged.header().encoding);
        let builder = builder.map_err(Reason::Build)?;
        // Another process may have renewed it already.
        let open = |path: &Path| {
            let table = map(path)?;
            let checked = table.file().check_payload(self.threads);
            checked.map_err(|damage| TableErrorKind::Payload(damage).at(path))?;
            Ok(table)
        };
        self.fetch_table(store, &builder, goal, open, listener).map(Some)
    }

    /// The table of a builder from the store. If it has to be built, a note says so.
    fn fetch_table(
        &self,
        store: &Store,
        builder: &Builder,
        goal: &Board,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
        listener: Listener<'_>,
    ) -> Result<Table, Refusal> {
        cost::check_memory(builder.cost().memory)?;
        let clock = Instant::now();
        let fetched = store.fetch(builder, open, |advance| listener(Event::Level(advance)));
        let fetched = fetched.map_err(|error| Refusal::of_build(error, goal.shape()))?;
        tell(&fetched, "the table", goal, clock.elapsed(), listener);
        Ok(fetched.table)
    }

    /// The builder of the usual table for a goal.
    ///
    /// # Errors
    ///
    /// If the shape has too many cells for a table.
    pub fn builder(&self, goal: &Board) -> Result<Builder, Refusal> {
        match Builder::new(Orbit::of(goal)) {
            Ok(builder) => Ok(builder.with_threads(self.threads)),
            Err(error) => Err(Reason::NoTable {
                error: error.of_shape(goal.shape()),
                goal: goal.clone(),
                partition: Partition::large(goal).ok(),
            }
            .into()),
        }
    }

    /// An oracle with a byte for each board, which is fast for a walk over all boards. It is built in memory.
    pub(crate) fn every_distance(
        &self,
        oracle: &Oracle,
        listener: Listener<'_>,
    ) -> Result<Oracle, Refusal> {
        let (goal, boards) = (oracle.goal(), oracle.table().header().boards);
        let shape = goal.shape();
        let builder = self.builder(goal)?.with_encoding(Encoding::Distance);
        let builder =
            builder.map_err(|_| Reason::TooMany { shape, boards: Count(boards).to_string() })?;
        cost::check_memory(builder.cost().memory)?;
        let clock = Instant::now();
        let table = builder.build_watched(|advance| listener(Event::Level(advance)));
        let table = table.map_err(|error| Refusal::of_build(error, shape))?;
        let _ = listener(Event::Note(Note::Read { shape, boards, time: clock.elapsed() }));
        Ok(Oracle::new(table, goal)?)
    }

    /// Refuses a text for patterns that is not a partition. If the goals are for one shape only, the partition must be
    /// of that shape.
    pub(crate) fn check_pattern(&self, goals: &Goals) -> Result<(), Refusal> {
        let Err(refusal) = self.partition(&goals.only()) else { return Ok(()) };
        match refusal.reason() {
            Reason::BadPartition(PartitionError::Text(_)) => Err(refusal),
            Reason::BadPartition(_) if goals.shape().is_some() => Err(refusal),
            _ => Ok(()),
        }
    }

    /// The partition of a goal's tiles that the policy asks for, if it asks for one.
    fn partition(&self, goal: &Board) -> Result<Option<Partition>, Refusal> {
        let partition = self.partition.as_ref().map(|text| Partition::new(goal, text));
        Ok(partition.transpose().map_err(Reason::BadPartition)?)
    }

    /// The pattern database for a goal from the store.
    ///
    /// If the policy asks for a partition, the database is the one for that partition. Else it is the largest in the
    /// store. If the store has none, the database for the partition, or else a small one, is built.
    pub(crate) fn patterns(
        &self,
        store: &Store,
        goal: &Board,
        listener: Listener<'_>,
    ) -> Result<PatternDatabase, Refusal> {
        let asked = self.partition(goal)?;
        let is_asked = asked.is_some();
        if !is_asked {
            if let Some(database) = store.find_patterns(Orbit::of(goal), map_patterns) {
                return Ok(database);
            }
        }
        let partition = asked.map_or_else(|| Partition::small(goal), Ok);
        let builder = PatternBuilder::new(partition.map_err(Reason::NoPartition)?);
        let builder = builder.with_threads(self.threads);
        let (partition, cost) = (builder.partition(), Cost::of_patterns(&builder));
        let is_there = || store.pattern_path(partition).exists();
        if partition.entries() > self.most_entries && !is_there() {
            let (goal, partition) = (goal.clone(), partition.clone());
            return Err(Reason::PatternsNotBuilt { goal, partition, cost }.into());
        }
        cost::check_memory(cost.memory)?;
        let clock = Instant::now();
        let fetched =
            store.fetch_patterns(&builder, map_patterns, |advance| listener(Event::Level(advance)));
        let fetched = fetched.map_err(|error| Refusal::of_build(error, goal.shape()))?;
        let what = format!("the pattern database {partition}");
        tell(&fetched, &what, goal, clock.elapsed(), listener);
        if let Some(larger) = self.larger(goal, &fetched.table) {
            let (partition, cost) = (larger.partition(), Cost::of_patterns(&larger));
            let _ = listener(Event::Note(Note::Larger { goal, partition, cost }));
        }
        Ok(fetched.table)
    }

    /// The builder of the usual large database for a goal. `None` if that is not larger than the one in use, or if the
    /// policy asks for a partition.
    pub(crate) fn larger(
        &self,
        goal: &Board,
        database: &PatternDatabase,
    ) -> Option<PatternBuilder> {
        let larger = Partition::large(goal).ok().filter(|_| self.partition.is_none())?;
        let is_larger = larger.entries() > database.partition().entries();
        is_larger.then(|| PatternBuilder::new(larger).with_threads(self.threads))
    }

    /// Whether a search with the limit `timeout` should wait for a larger database. The time must be enough for four
    /// builds, and the memory for one.
    pub(crate) fn is_worth(&self, larger: &PatternBuilder, timeout: Option<Duration>) -> bool {
        let cost = Cost::of_patterns(larger);
        let takes = self.patience + 4 * cost.time;
        is_soon_solved(larger.partition().orbit().shape())
            && timeout.is_none_or(|most| takes < most)
            && cost::check_memory(cost.memory).is_ok()
    }
}

/// Whether a search with a large database solves any board of the shape in seconds.
fn is_soon_solved(shape: Shape) -> bool {
    const MOST_CELLS: usize = 16;
    shape.cells() <= MOST_CELLS
}

/// Reports a file that was built because the store did not have it.
fn tell<T>(fetched: &Fetched<T>, what: &str, goal: &Board, time: Duration, listener: Listener<'_>) {
    let Fetched { path, origin, .. } = fetched;
    if !matches!(origin, crate::tablebase::store::Origin::Found) {
        let _ = listener(Event::Note(Note::Built { what, goal, path, origin, time }));
    }
}

/// Maps a file of a store.
pub(crate) fn map_file(path: &Path) -> Result<TableFile, TableError> {
    // SAFETY: nothing in this library changes or truncates a file: a new file is written under another name and
    // renamed. `Store` and `Source::File` demand the same of other programs.
    unsafe { TableFile::map(path) }
}

fn map(path: &Path) -> Result<Table, TableError> {
    map_file(path)?.try_into()
}

/// Maps a pattern database and checks all of it, because a search reads from every part of it.
fn map_patterns(path: &Path) -> Result<PatternDatabase, TableError> {
    let file = map_file(path)?;
    let checked = file.check_payload(Threads::ALL);
    checked.map_err(|damage| TableErrorKind::Payload(damage).at(path))?;
    file.try_into()
}
