//! The builder of pattern databases, and what that costs.

use std::ops::ControlFlow;

use crate::{index::partition::Partition, pattern::database::PatternDatabase};
use crate::{
    sweep::{
        levels::{Advance, Break},
        pattern,
        record::Record,
    },
    table::{
        builder::{BuildCost, BuildError},
        file::TableFile,
        header::Header,
        layout::file_bytes,
    },
};

/// Makes the pattern database of a partition.
///
/// For each pattern a breadth-first search over all ways for its tiles and the blank to lie, sixty arrangements to an
/// instruction, as for a table of boards.
#[derive(Clone, Debug)]
pub struct PatternBuilder {
    partition: Partition,
    threads: usize,
}

impl PatternBuilder {
    /// The builder of a partition's database.
    pub fn new(partition: Partition) -> Self {
        Self { partition, threads: usize::MAX }
    }

    /// On at most so many threads, instead of one a core. The database is the same.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The patterns.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// On how many threads at most it works.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// What [`build`](Self::build) takes.
    pub fn cost(&self) -> BuildCost {
        let disk = file_bytes(self.partition.payload_bytes());
        let patterns = self.partition.patterns();
        let search = patterns.map(|pattern| pattern::memory(&pattern.footprints())).max();
        BuildCost { memory: disk + search.unwrap_or(0), disk }
    }

    /// Makes the database, in memory. The same partition gives the same bytes on every machine.
    ///
    /// # Errors
    ///
    /// If there is not the memory.
    pub fn build(&self) -> Result<PatternDatabase, BuildError> {
        self.build_watched(|_| ControlFlow::Continue(()))
    }

    /// Makes the database as [`build`](Self::build) does. `watch` is told of each level of each pattern that is found, and can
    /// stop it.
    ///
    /// # Errors
    ///
    /// If there is not the memory, or `watch` breaks it off.
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
