//! The programs that run now, each known by its process group and by a mark.

use std::{
    collections::BTreeMap,
    io,
    process::{Child, Command},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::process::system;

/// The process groups that run, and the mark of each.
pub(crate) type Groups = BTreeMap<u32, u64>;

/// The environment variable that holds the mark of a program, and of all its children, also outside its group.
pub(crate) const MARK: &str = "TILEBASE_PROGRAM";

static RUNNING: Mutex<Groups> = Mutex::new(Groups::new());

/// The groups that run, locked.
pub(crate) fn lock() -> MutexGuard<'static, Groups> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command in a group of its own.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    static NEXT_MARK: AtomicU64 = AtomicU64::new(0);
    let mark = NEXT_MARK.fetch_add(1, Ordering::Relaxed);
    command.env(MARK, mark.to_string());
    // Locked before the start, so that an interruption sees either no child or a group that it can kill.
    let mut running = lock();
    let child = command.spawn()?;
    running.insert(child.id(), mark);
    Ok(child)
}

/// Kills all groups, and does not wait for their ends.
pub(crate) fn kill_all() {
    for &group in lock().keys() {
        system::kill(group);
    }
}
