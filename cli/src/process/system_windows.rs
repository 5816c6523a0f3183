//! Child processes on Windows.

use std::process::{Child, Command, Stdio};

/// A command of the platform's shell.
pub(crate) fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Kills a program and its children.
pub(crate) fn kill(program: u32) {
    let mut kill = Command::new("taskkill");
    kill.args(["/F", "/T", "/PID", &program.to_string()]);
    let _ = kill.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Whether a child has ended.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
