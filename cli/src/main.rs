//! The `tilebase` program: the library at the command line.

mod audit;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod command;
mod console;
mod draw;
mod global;
mod listening;
mod interruption;
#[cfg(feature = "cluster")]
mod plan;
mod plot;
mod positions;
mod process;
mod progress;
mod question;
mod records;
mod search;
mod statement;
mod seconds;
mod stream;
mod tables;
mod template;
mod verb;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run()
}
