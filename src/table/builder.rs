//! The builder: makes the table of an orbit, and knows the cost.

use std::{io, ops::ControlFlow};

use crate::{
    puzzle::{orbit::Orbit, shape::Shape},
    sweep::{
        board,
        levels::{Advance, Break},
        record::Record,
    },
    system::threads::Threads,
    table::{encoding::Encoding, full::Table, layout::file_bytes},
};

/// A table cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The shape has too many cells.
    #[error("no table for {0} can be built; tables are for {list}", list = shapes(Encoding::Bit))]
    Shape(Shape),
    /// The shape has too many cells for one byte per board.
    #[error(
        "no table for {0} can have the encoding distance, which is for {list}",
        list = shapes(Encoding::Distance)
    )]
    Encoding(Shape),
    /// There is not enough memory.
    #[error("there is not enough memory: {0}")]
    Memory(io::Error),
    /// The caller's `watch` stopped the build.
    #[error("the build was stopped")]
    Stopped,
}

impl BuildError {
    /// The same error, but about `shape`, which the user asked for, and not about its tall form.
    #[must_use]
    pub fn of_shape(self, shape: Shape) -> Self {
        match self {
            Self::Shape(_) => Self::Shape(shape),
            Self::Encoding(_) => Self::Encoding(shape),
            error => error,
        }
    }
}

/// The list of the shapes that an encoding is for, for messages.
fn shapes(encoding: Encoding) -> String {
    let shapes =
        (4..=encoding.most_cells()).flat_map(Shape::with_cells).map(|shape| shape.to_string());
    shapes.collect::<Vec<_>>().join(", ")
}

/// Makes the table of an orbit.
///
/// ```
/// use tilebase::{Goal, puzzle::Orbit, Shape, table::{Builder, Encoding}};
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

/// The memory and the disk space to build a table, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildCost {
    /// The memory needed during the build.
    pub memory: u64,
    /// The disk space needed for the file.
    pub disk: u64,
}

impl Builder {
    /// The builder of an orbit's table, with the default encoding: one byte per board up to ten cells, one bit per
    /// board beyond.
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

    /// The same builder with another encoding.
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

    /// The same builder with at most `threads` threads, instead of one for each core. The table does not depend on
    /// this.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The goals that the table is for.
    #[must_use]
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    /// How the table stores distances.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The greatest number of threads that it uses.
    #[must_use]
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// The cost of [`build`](Self::build).
    #[must_use]
    pub fn cost(&self) -> BuildCost {
        let disk = file_bytes(self.encoding.payload_bytes(self.orbit));
        BuildCost { memory: disk + self.census_memory(), disk }
    }

    /// The memory that [`census`](Self::census) needs, in bytes.
    #[must_use]
    pub fn census_memory(&self) -> u64 {
        board::memory(self.orbit)
    }

    /// Makes the table, in memory. The same orbit and encoding give the same bytes on every machine.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn build(&self) -> Result<Table, BuildError> {
        self.build_watched(|_| ControlFlow::Continue(()))
    }

    /// Makes the table as [`build`](Self::build) does. `watch` receives each level that is found, and can stop
    /// the search.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or `watch` stops it.
    pub fn build_watched(
        &self,
        mut watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Table, BuildError> {
        let search = |record: Record<'_>| self.search(record, &mut watch);
        Ok(Table::fill(self.orbit, self.encoding, self.threads, search)?)
    }

    /// Counts the boards at each distance, from 0 to the greatest, and makes no table. `watch` receives each
    /// level that is found, and can stop the search.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or `watch` stops it.
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
            Break::Denied { .. } => unreachable!("nothing was recorded to compare with"),
        }
    }
}
