//! The checkpoint: a file with all that a process holds after a level, from which the search can resume.
//!
//! It is a table file of its own kind. The payload is the state of the search, and then its record. The
//! histogram counts the boards of all processes up to the level.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    cluster::error::ClusterError,
    puzzle::orbit::Orbit,
    sweep::{record::Record, shard::Shard},
    system::threads::Threads,
    table::{
        encoding::{Encoding, Kind},
        error::{TableError, TableErrorKind},
        file::TableFile,
        header::Header,
        part::Part,
    },
};

/// The checkpoints of one process.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    orbit: Orbit,
    encoding: Encoding,
    part: Part,
    /// Where the part will be written. The checkpoints are beside it.
    path: PathBuf,
}

/// A checkpoint that is open.
pub(super) struct Checkpoint {
    file: TableFile,
    /// The last level that it contains.
    pub(super) depth: u32,
}

impl Checkpoints {
    /// The checkpoints of the process whose part will be at `path`.
    pub(super) fn new(orbit: Orbit, encoding: Encoding, part: Part, path: &Path) -> Self {
        Self { orbit, encoding, part, path: path.into() }
    }

    /// Where the checkpoint of a level is.
    fn path(&self, depth: u32) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(format!(".level-{depth}"));
        path.into()
    }

    /// The folder of the checkpoints.
    fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        folder.unwrap_or(Path::new("."))
    }

    /// The levels of which there is a file, damaged or not, the last first.
    pub(super) fn depths(&self) -> io::Result<Vec<u32>> {
        let start = match self.path.file_name() {
            Some(name) => format!("{}.level-", name.to_string_lossy()),
            None => return Ok(vec![]),
        };
        let entries = fs::read_dir(self.folder())?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let depths = names.iter().filter_map(|name| name.strip_prefix(&start)?.parse().ok());
        let mut depths: Vec<u32> = depths.collect();
        depths.sort_unstable_by(|one, other| other.cmp(one));
        Ok(depths)
    }

    /// The checkpoints that can be resumed from, the last first. `skip` is told of the others, and what is
    /// wrong with them.
    pub(super) fn find(
        &self,
        threads: Threads,
        mut skip: impl FnMut(PathBuf, TableError),
    ) -> Result<Vec<Checkpoint>, ClusterError> {
        let open = |depth| match self.open(depth, threads) {
            Ok(checkpoint) => Some(checkpoint),
            Err(error) => {
                skip(self.path(depth), error);
                None
            }
        };
        let failed = |source| ClusterError::Folder { path: self.folder().into(), source };
        Ok(self.depths().map_err(failed)?.into_iter().filter_map(open).collect())
    }

    /// Opens the checkpoint of a level, and checks all of it.
    fn open(&self, depth: u32, threads: Threads) -> Result<Checkpoint, TableError> {
        let path = self.path(depth);
        // SAFETY: the mapped bytes must not change. This program never changes a file in place, it replaces it
        // as a whole. docs/limits.md asks users not to change the files of a running program.
        let file = unsafe { TableFile::map(&path) }?;
        let header = file.header();
        let found = (header.kind, header.part, header.orbit, header.encoding);
        if found != (Kind::Checkpoint, Some(self.part), self.orbit, self.encoding)
            || header.radius() != depth
        {
            let what = "it is of another search than its name says";
            return Err(TableErrorKind::Contradiction(what).at(path));
        }
        let checked = file.check_payload(threads);
        checked.map_err(|damage| TableErrorKind::Payload(damage).at(path))?;
        Ok(Checkpoint { file, depth })
    }

    /// Writes the checkpoint of the last level of a histogram.
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

    /// Removes all checkpoints but those of some levels.
    pub(super) fn retain(&self, depths: &[u32]) {
        for depth in self.depths().unwrap_or_default() {
            if !depths.contains(&depth) {
                // A file that cannot be removed does no harm.
                let _ = fs::remove_file(self.path(depth));
            }
        }
    }

    /// The disk that the checkpoints and the part take, in bytes.
    pub(super) fn stored(&self) -> u64 {
        let checkpoints =
            self.depths().unwrap_or_default().into_iter().map(|depth| self.path(depth));
        let paths = checkpoints.chain([self.path.clone()]);
        paths.filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
    }
}

impl Checkpoint {
    /// Restores the search and its record, and gives the histogram; `None` if they do not fit together.
    pub(super) fn resume(self, shard: &mut Shard, record: &mut Record<'_>) -> Option<Vec<u64>> {
        let is_right = shard.resume(self.file.payload()?, record, self.depth as u8);
        is_right.then(|| self.file.header().histogram.clone())
    }
}
