//! Orphans of programs: processes that outlive the program that started them, and that this process adopts.

use std::{fs, str, sync::OnceLock, thread, time::Duration};

use rustix::process::{self, Pid, Signal, WaitOptions};

use crate::process::running::{Groups, MARK};

/// The children that this process had before it was this program: the shell that became it by `exec` started them.
static INHERITED: OnceLock<Vec<Pid>> = OnceLock::new();

/// From now on, this process adopts the orphans of its children.
pub(crate) fn adopt() {
    INHERITED.get_or_init(|| children().collect());
    // If this fails, orphans that leave their group are left behind.
    let _ = process::set_child_subreaper(Some(process::getpid()));
}

/// Kills the orphans that have left their groups, but not those of a program that is running and is not the one
/// that has `ended`.
///
/// An orphan without a mark may come from any program, and is killed when the last one ends. The first process of
/// a system adopts orphans of others, too, so it never kills those.
pub(crate) fn kill_strays(running: &Groups, ended: Option<u32>) {
    let alive = || running.iter().filter(|(group, _)| Some(**group) != ended);
    let is_stray = |orphan: &Pid| match mark(*orphan) {
        Some(mark) => alive().all(|(_, other)| *other != mark),
        None => alive().next().is_none() && process::getpid() != Pid::INIT,
    };
    // Each killed process leaves its own children behind. No chain of forks is longer than this.
    for _ in 0..100 {
        let strays = orphans(running).filter(is_stray);
        let kill = |stray: &Pid| process::kill_process(*stray, Signal::KILL).is_ok();
        let killed: Vec<_> = strays.filter(kill).collect();
        if killed.is_empty() {
            return;
        }
        killed.into_iter().for_each(wait);
    }
}

/// Reaps the orphans that have ended, so that the system forgets them.
pub(crate) fn reap(running: &Groups) {
    for orphan in orphans(running) {
        let _ = process::waitpid(Some(orphan), WaitOptions::NOHANG);
    }
}

/// Waits for a killed process, but gives up on one that cannot die.
fn wait(killed: Pid) {
    for _ in 0..50 {
        if !matches!(process::waitpid(Some(killed), WaitOptions::NOHANG), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The children that this process has adopted: neither those that it has started nor those that it has inherited.
fn orphans(running: &Groups) -> impl Iterator<Item = Pid> {
    let inherited = INHERITED.get_or_init(Vec::new);
    let own = |child: &Pid| running.contains_key(&child.as_raw_nonzero().get().unsigned_abs());
    children().filter(move |child| !own(child) && !inherited.contains(child))
}

/// All children of this process.
fn children() -> impl Iterator<Item = Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let ids = lists.flat_map(|list| {
        list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
    });
    ids.filter_map(Pid::from_raw)
}

/// The mark of the program that a process comes from.
fn mark(of: Pid) -> Option<u64> {
    let environment = fs::read(format!("/proc/{}/environ", of.as_raw_nonzero())).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    let name = format!("{MARK}=");
    let value = variables.find_map(|variable| variable.strip_prefix(name.as_bytes()))?;
    str::from_utf8(value).ok()?.parse().ok()
}
