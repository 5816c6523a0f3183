//! The part: the number of a file among the files of a table, and its bytes of the whole payload.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    index::word::{BLOCK, BOARDS},
    puzzle::orbit::Orbit,
    sweep::shard,
    table::{encoding::Encoding, layout::EXTENSION},
};

/// The number of a file among the files of a table. Each file has some blocks of every plane. FORMAT.md specifies
/// which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// Its number, from 0.
    pub number: u32,
    /// The number of parts.
    pub of: u32,
}

impl Part {
    /// Part `number` of `of`.
    #[must_use]
    pub fn new(number: u32, of: u32) -> Self {
        Self { number, of }
    }

    /// The numbers of the blocks that the part has of each plane.
    fn blocks(self, orbit: Orbit) -> Range<u64> {
        let blocks = shard::blocks(orbit, self.number as usize, self.of as usize);
        blocks.start as u64..blocks.end as u64
    }

    /// The bytes of the whole table's payload that are in the part, in order.
    pub(crate) fn stretches(self, orbit: Orbit, encoding: Encoding) -> Vec<Range<u64>> {
        let Range { start, end } = self.blocks(orbit);
        let planes = orbit.shape().cells() as u64;
        match encoding {
            Encoding::Bit => {
                let whole = encoding.payload_bytes(orbit);
                let at = |block: u64| (8 * planes * BLOCK as u64 * block).min(whole);
                std::iter::once(at(start)..at(end)).collect()
            }
            Encoding::Distance => {
                let plane = orbit.boards() / planes;
                let at = |block: u64| ((BLOCK * BOARDS) as u64 * block).min(plane);
                (0..planes)
                    .map(|place| place * plane + at(start)..place * plane + at(end))
                    .collect()
            }
        }
    }

    /// The length of the part's payload in bytes.
    pub(crate) fn payload_bytes(self, orbit: Orbit, encoding: Encoding) -> u64 {
        let stretches = self.stretches(orbit, encoding);
        stretches.into_iter().map(|stretch| stretch.end - stretch.start).sum()
    }

    /// The length of the search's state in a checkpoint of this part, in bytes, without the entries.
    pub(crate) fn search_bytes(self, orbit: Orbit) -> u64 {
        let Range { start, end } = self.blocks(orbit);
        shard::kept_bytes(orbit, end - start)
    }

    /// The path of the part's file, in the folder of the manifest at `manifest`.
    #[must_use]
    pub fn path(self, manifest: &Path) -> PathBuf {
        let Self { number, of } = self;
        let has_extension = manifest.extension().is_some_and(|end| end == EXTENSION);
        let name = if has_extension { manifest.file_stem() } else { manifest.file_name() };
        let mut name = name.unwrap_or_default().to_owned();
        name.push(format!(".part-{number}-of-{of}"));
        manifest.with_file_name(name)
    }
}
