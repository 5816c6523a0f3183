//! Child processes on Unix.

use std::{
    os::unix::process::CommandExt,
    process::{Child, Command},
};

use rustix::process::{self, Pid, Signal, WaitId, WaitIdOptions};

/// A command of the platform's shell, in a process group of its own.
pub(crate) fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).process_group(0);
    shell
}

/// Kills a group.
pub(crate) fn kill(group: u32) {
    if let Some(group) = pid(group) {
        // It may have ended.
        let _ = process::kill_process_group(group, Signal::KILL);
    }
}

/// Whether a child has ended. The child is not reaped, so the number of its group is not given to another group.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match pid(child.id()).map(|pid| process::waitid(WaitId::Pid(pid), options)) {
        Some(Ok(status)) => status.is_some(),
        _ => true,
    }
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(id.try_into().ok()?)
}
