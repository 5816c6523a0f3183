//! The `tilebase` program: the library on the command line.

mod audit;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod command;
mod comparison;
mod console;
mod draw;
mod form;
mod global;
mod input;
mod interruption;
mod listening;
#[cfg(feature = "cluster")]
mod plan;
mod plot;
mod positions;
mod process;
mod progress;
mod question;
mod records;
mod search;
mod seconds;
mod statement;
mod stream;
mod tables;
mod template;
mod verb;
mod work;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run()
}
