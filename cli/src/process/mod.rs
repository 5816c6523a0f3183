//! Other people's programs, which can neither block this process nor outlive it.
//!
//! Each program runs in a process group of its own, which is killed as a whole. On Linux, this process adopts the
//! orphans of its children. So a program that leaves its group is found and killed, too.

pub(crate) mod ending;
#[cfg_attr(target_os = "linux", path = "orphans_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "orphans_other.rs")]
pub(crate) mod orphans;
pub(crate) mod program;
pub(crate) mod running;
#[cfg_attr(unix, path = "system_unix.rs")]
#[cfg_attr(not(unix), path = "system_windows.rs")]
mod system;
