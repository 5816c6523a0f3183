//! The memory and the disk that the machine has left.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// An amount of memory or disk, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) free: u64,
    pub(crate) all: u64,
}

/// The memory that this process can have: that of the machine, or that of its control group, if less is left there.
///
/// `None` where the system does not say.
pub(crate) fn memory() -> Option<Room> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = Room { free: system.available_memory(), all: system.total_memory() };
    let group = system.cgroup_limits().map(|group| Room {
        free: group.total_memory.saturating_sub(group.rss),
        all: group.total_memory,
    });
    let rooms = [Some(machine), group].into_iter().flatten();
    rooms.filter(|room| room.all > 0).min_by_key(|room| room.free)
}

/// The disk space for files in a folder, which need not be there yet; `None` where the system does not say.
#[cfg(unix)]
pub(crate) fn disk(folder: &Path) -> Option<Room> {
    let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let room = rustix::fs::statvfs(there).ok()?;
    Some(Room { free: room.f_bavail * room.f_frsize, all: room.f_blocks * room.f_frsize })
}

#[cfg(not(unix))]
pub(crate) fn disk(_: &Path) -> Option<Room> {
    None
}
