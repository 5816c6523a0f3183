//! The job: what a process does once all are connected.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    cluster::{
        error::ClusterError,
        exchange::Exchange,
        message::{Message, WrittenPart},
        search::Share,
    },
    system::file::write_whole,
    table::{
        file::TableFile,
        manifest::{Manifest, ManifestEntry},
    },
};

/// What a process does once all are connected.
pub(super) struct Job {
    pub(super) share: Share,
    /// Where the manifest is written.
    pub(super) path: PathBuf,
    /// Where the part is written.
    pub(super) part_path: PathBuf,
}

impl Job {
    /// Makes the part. The first process also writes the manifest. The time is that of the search alone.
    pub(super) fn run(&mut self, exchange: &mut Exchange<'_>) -> Result<Duration, ClusterError> {
        let (part, took) = self.share.search(exchange)?;
        let save = part.save_watched(&self.part_path, |_| self.share.go_on());
        save.map_err(|error| failed(&self.part_path, error))?;
        let written = self.written(exchange.process(), &part);
        let histogram = written.histogram;
        exchange.send([(0, Message::Written(written))]);
        let messages = self.receive(exchange)?;
        if exchange.process() == 0 {
            let manifest = manifest(messages, histogram).ok_or(ClusterError::WrongBoards)?;
            write_whole(&self.path, &manifest.to_bytes(), |_| self.share.go_on())
                .map_err(|error| failed(&self.path, error))?;
        }
        // This round is empty. It ends when the first process has written the manifest: no process removes its
        // checkpoints before there is a table.
        exchange.send([]);
        self.receive(exchange)?;
        Ok(took)
    }

    /// What the others have to know of a part that this process has written.
    fn written(&self, process: usize, part: &TableFile) -> WrittenPart {
        let counts = part.header().histogram.iter().flat_map(|boards| boards.to_le_bytes());
        WrittenPart {
            process,
            file: self.part_path.file_name().map(PathBuf::from).unwrap_or_default(),
            checksum: part.checksum(),
            histogram: crc32fast::hash(&counts.collect::<Vec<_>>()),
        }
    }

    /// The messages of a round.
    fn receive(&self, exchange: &mut Exchange<'_>) -> Result<Vec<Message>, ClusterError> {
        exchange.receive(|| self.share.is_wanted()).ok_or(ClusterError::Stopped)
    }
}

/// The manifest of the parts that have been written; `None` if not all of them have this histogram.
fn manifest(messages: Vec<Message>, histogram: u32) -> Option<Manifest> {
    let mut parts = vec![];
    for message in messages {
        match message {
            Message::Written(part) if part.histogram == histogram => parts.push(part),
            _ => return None,
        }
    }
    parts.sort_unstable_by_key(|part| part.process);
    let entry = |WrittenPart { file, checksum, .. }| {
        let checksum = format!("{checksum:08x}");
        ManifestEntry { file, checksum }
    };
    Some(Manifest::new(parts.into_iter().map(entry).collect()))
}

/// The error about a file that has not been written.
fn failed(path: &Path, source: io::Error) -> ClusterError {
    match source.kind() {
        io::ErrorKind::Interrupted => ClusterError::Stopped,
        _ => ClusterError::Write { path: path.into(), source },
    }
}
