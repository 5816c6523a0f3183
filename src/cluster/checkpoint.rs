//! The checkpoint: what a process holds after a level, in a file, for it to go on from there.
//!
//! A file is a table file of its own kind. The payload is what the search keeps, and then what has been recorded; the
//! histogram counts the boards of all processes up to the level.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    puzzle::orbit::Orbit,
    sweep::{record::Record, shard::Shard},
    system::threads::Threads,
    table::{
        TableError,
        file::TableFile,
        header::{Encoding, Header, Kind},
        parts::Part,
    },
};

/// The checkpoints of one process.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    orbit: Orbit,
    encoding: Encoding,
    part: Part,
    /// Where the part will be. The checkpoints are beside it.
    path: PathBuf,
}

/// A checkpoint that is open.
pub(super) struct Checkpoint {
    file: TableFile,
    pub(super) depth: u32,
}

impl Checkpoints {
    pub(super) fn new(orbit: Orbit, encoding: Encoding, part: Part, path: &Path) -> Self {
        Self { orbit, encoding, part, path: path.into() }
    }

    fn path(&self, depth: u32) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(format!(".level-{depth}"));
        path.into()
    }

    /// Which levels there are files of, right or not, the last first.
    pub(super) fn depths(&self) -> io::Result<Vec<u32>> {
        let start = match self.path.file_name() {
            Some(name) => format!("{}.level-", name.to_string_lossy()),
            None => return Ok(vec![]),
        };
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        let entries = fs::read_dir(folder.unwrap_or(Path::new(".")))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let depths = names.iter().filter_map(|name| name.strip_prefix(&start)?.parse().ok());
        let mut depths: Vec<u32> = depths.collect();
        depths.sort_unstable_by(|one, other| other.cmp(one));
        Ok(depths)
    }

    /// The checkpoints that are whole, the last first; what is wrong with others is told.
    pub(super) fn find(
        &self,
        threads: Threads,
        mut damaged: impl FnMut(PathBuf, TableError),
    ) -> io::Result<Vec<Checkpoint>> {
        let open = |depth| match self.open(depth, threads) {
            Ok(checkpoint) => Some(checkpoint),
            Err(error) => {
                damaged(self.path(depth), error);
                None
            }
        };
        Ok(self.depths()?.into_iter().filter_map(open).collect())
    }

    /// Opens a checkpoint, and checks all of it.
    fn open(&self, depth: u32, threads: Threads) -> Result<Checkpoint, TableError> {
        // SAFETY: this program changes no file of its own, but replaces them as a whole; others are asked not to.
        let file = unsafe { TableFile::map(self.path(depth)) }?;
        let header = file.header();
        let found = (header.kind, header.part, header.orbit, header.encoding);
        if found != (Kind::Checkpoint, Some(self.part), self.orbit, self.encoding)
            || header.radius() != depth
        {
            return Err(TableError::Contradiction("it is of another search than its name says"));
        }
        file.check_payload(threads).map_err(TableError::Payload)?;
        Ok(Checkpoint { file, depth })
    }

    /// Writes a checkpoint.
    pub(super) fn write(
        &self,
        shard: &Shard,
        record: &Record<'_>,
        histogram: &[u64],
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let header = Header::new(self.orbit, self.encoding, histogram.to_vec());
        let header = header.of_part(Kind::Checkpoint, self.part);
        let pieces = shard.kept(record);
        let depth = header.radius();
        TableFile::save_pieces(&self.path(depth), &header, &pieces, watch)
    }

    /// Removes all but those of some levels.
    pub(super) fn retain(&self, depths: &[u32]) {
        for depth in self.depths().unwrap_or_default() {
            if !depths.contains(&depth) {
                // One that stays is in nobody's way.
                let _ = fs::remove_file(self.path(depth));
            }
        }
    }

    /// How many bytes of disk the files take, and the part if it is there.
    pub(super) fn stored(&self) -> u64 {
        let checkpoints =
            self.depths().unwrap_or_default().into_iter().map(|depth| self.path(depth));
        let paths = checkpoints.chain([self.path.clone()]);
        paths.filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
    }
}

impl Checkpoint {
    /// Takes the search up again, and gives the histogram up to its level.
    pub(super) fn resume(self, shard: &mut Shard, record: &mut Record<'_>) -> Option<Vec<u64>> {
        let is_right = shard.resume(self.file.payload(), record, self.depth as u8);
        is_right.then(|| self.file.header().histogram.clone())
    }
}
