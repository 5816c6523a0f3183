//! The builder: which table is made, what that costs, and how far it has come.

use std::{io, ops::ControlFlow};

use crate::{
    puzzle::{orbit::Orbit, shape::Shape},
    sweep::{
        board,
        levels::{Advance, Break},
        record::Record,
    },
    system::threads::Threads,
    table::{self, Table, header::Encoding},
};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The shape has too many cells.
    #[error("no table for {0} can be built; tables are for {list}", list = shapes(Encoding::Bit))]
    Shape(Shape),
    /// The shape has too many cells for a byte a board.
    #[error(
        "no table for {0} can have the encoding distance, which is for {list}",
        list = shapes(Encoding::Distance)
    )]
    Encoding(Shape),
    /// There is not the memory.
    #[error("there is not enough memory: {0}")]
    Memory(io::Error),
    /// Whoever watched has stopped it.
    #[error("stopped")]
    Stopped,
}

/// The shapes that an encoding is for, for people.
fn shapes(encoding: Encoding) -> String {
    let shapes =
        (4..=encoding.most_cells()).flat_map(Shape::with_cells).map(|shape| shape.to_string());
    shapes.collect::<Vec<_>>().join(", ")
}

/// Makes the table of an orbit.
///
/// ```
/// use tilebase::{Builder, Encoding, Goal, Orbit, Shape};
///
/// let orbit = Orbit::of(&Goal::BlankLast.board(Shape::new(3, 3)?));
/// let table = Builder::new(orbit)?.with_encoding(Encoding::Bit)?.build()?;
/// assert_eq!(table.header().radius(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Builder {
    orbit: Orbit,
    encoding: Encoding,
    threads: Threads,
}

/// What making a table takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildCost {
    /// Of memory, while it is made.
    pub memory: u64,
    /// Of disk, to keep it.
    pub disk: u64,
}

impl Builder {
    /// The builder of an orbit's table: with a byte a board up to ten cells, with a bit beyond.
    ///
    /// # Errors
    ///
    /// [`BuildError::Shape`] if the shape has more than 14 cells.
    pub fn new(orbit: Orbit) -> Result<Self, BuildError> {
        let shape = orbit.shape();
        if shape.cells() > Encoding::Bit.most_cells() {
            return Err(BuildError::Shape(shape));
        }
        Ok(Self { orbit, encoding: Encoding::usual(shape), threads: Threads::ALL })
    }

    /// With another encoding.
    ///
    /// # Errors
    ///
    /// [`BuildError::Encoding`] for [`Encoding::Distance`] if the shape has more than 12 cells.
    pub fn with_encoding(self, encoding: Encoding) -> Result<Self, BuildError> {
        let shape = self.orbit.shape();
        if shape.cells() > encoding.most_cells() {
            return Err(BuildError::Encoding(shape));
        }
        Ok(Self { encoding, ..self })
    }

    /// On at most so many threads, instead of one a core. The table is the same.
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// Which goals the table is for.
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    /// How the table stores distances.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// On how many threads at most it works.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// What [`build`](Self::build) takes.
    pub fn cost(&self) -> BuildCost {
        let disk = table::file_bytes(self.encoding.payload_bytes(self.orbit));
        BuildCost { memory: disk + self.census_memory(), disk }
    }

    /// What [`census`](Self::census) takes of memory, in bytes.
    pub fn census_memory(&self) -> u64 {
        board::memory(self.orbit)
    }

    /// Makes the table, in memory. The same orbit and encoding give the same bytes on every machine.
    ///
    /// # Errors
    ///
    /// If there is not the memory.
    pub fn build(&self) -> Result<Table, BuildError> {
        self.build_watched(|_| ControlFlow::Continue(()))
    }

    /// Makes the table as [`build`](Self::build) does. `watch` is told of each level that is found, and can stop it.
    ///
    /// # Errors
    ///
    /// If there is not the memory, or `watch` breaks it off.
    pub fn build_watched(
        &self,
        mut watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Table, BuildError> {
        let search = |record: Record<'_>| self.search(record, &mut watch);
        Ok(Table::fill(self.orbit, self.encoding, self.threads, search)?)
    }

    /// Counts the boards at each distance, from 0 to the greatest, and makes no table. `watch` is told of each level that
    /// is found, and can stop it.
    ///
    /// # Errors
    ///
    /// If there is not the memory, or `watch` breaks it off.
    pub fn census(
        &self,
        mut watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Vec<u64>, BuildError> {
        Ok(self.search(Record::Count, &mut watch)?)
    }

    fn search(
        &self,
        record: Record<'_>,
        watch: &mut dyn FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Vec<u64>, Break> {
        board::search(self.orbit, self.threads, record, watch)
    }
}

impl From<Break> for BuildError {
    fn from(ended: Break) -> Self {
        match ended {
            Break::Memory(error) => Self::Memory(error),
            Break::Stopped => Self::Stopped,
            Break::Denied { .. } => unreachable!("there is nothing to compare with"),
        }
    }
}
