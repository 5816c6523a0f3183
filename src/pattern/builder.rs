//! The builder of pattern databases.

use std::ops::ControlFlow;

use crate::{index::partition::Partition, pattern::database::PatternDatabase};
use crate::{
    sweep::{
        levels::{Advance, Break},
        pattern,
        record::Record,
    },
    system::threads::Threads,
    table::{
        builder::{BuildCost, BuildError},
        file::TableFile,
        header::Header,
        layout::file_bytes,
    },
};

/// Builds the pattern database of a partition.
///
/// Each pattern takes a breadth-first search over its states. Like the search for a table of boards, it handles sixty
/// arrangements in an instruction.
#[derive(Clone, Debug)]
pub struct PatternBuilder {
    partition: Partition,
    threads: Threads,
}

impl PatternBuilder {
    /// The builder of a partition's database.
    pub fn new(partition: Partition) -> Self {
        Self { partition, threads: Threads::ALL }
    }

    /// Builds on these threads, instead of one for each core. The database is the same.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Threads>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The partition.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The threads that build.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// The memory and the disk space that [`build`](Self::build) takes.
    pub fn cost(&self) -> BuildCost {
        let disk = file_bytes(self.partition.payload_bytes());
        let patterns = self.partition.patterns();
        let search = patterns.map(|pattern| pattern::memory(&pattern.footprints())).max();
        BuildCost { memory: disk + search.unwrap_or(0), disk }
    }

    /// Builds the database in memory. The same partition gives the same bytes on every machine.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn build(&self) -> Result<PatternDatabase, BuildError> {
        self.build_watched(|_| ControlFlow::Continue(()))
    }

    /// Builds the database as [`build`](Self::build) does. `watch` is called after each level of each pattern, and can
    /// stop the work.
    ///
    /// # Errors
    ///
    /// Out of memory, or stopped by `watch`.
    pub fn build_watched(
        &self,
        mut watch: impl FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<PatternDatabase, BuildError> {
        let blank = self.partition.home();
        let all = self.partition.entries();
        let payload = self.partition.payload_bytes();
        let file = TableFile::fill(payload, self.threads, Break::Memory, |payload| {
            let mut words: &mut [u64] = bytemuck::cast_slice_mut(payload);
            let (mut histogram, mut before) = (vec![], 0);
            for pattern in self.partition.patterns() {
                let footprints = pattern.footprints();
                let (own, rest) = words.split_at_mut(pattern.words());
                let mut found = 0;
                let levels = pattern::search(
                    &footprints,
                    pattern.home,
                    blank,
                    self.threads,
                    Record::Bits(own),
                    &mut |advance| {
                        found = before + advance.found;
                        watch(Advance { found, all, ..advance })
                    },
                )?;
                before = found;
                words = rest;
                add_levels(&mut histogram, &levels);
            }
            Ok::<_, Break>(Header::of_patterns(self.partition.clone(), histogram))
        })?;
        Ok(file.try_into().expect("the file is of patterns"))
    }
}

/// Adds the histogram of one pattern to the sum over all patterns: the number of placements at each distance.
pub(super) fn add_levels(sum: &mut Vec<u64>, levels: &[u64]) {
    sum.resize(levels.len().max(sum.len()), 0);
    sum.iter_mut().zip(levels).for_each(|(sum, placements)| *sum += placements);
}
