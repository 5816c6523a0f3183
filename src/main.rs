//! The `tilebase` program: the library at the command line.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::run()
}
