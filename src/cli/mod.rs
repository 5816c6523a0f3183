//! The command line: a verb a file, and what the verbs share.

mod answer;
mod audit;
mod build;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod compare;
mod console;
mod cost;
mod draw;
mod info;
mod list;
mod machine;
#[cfg(feature = "cluster")]
mod merge;
mod patterns;
#[cfg(feature = "cluster")]
mod plan;
mod plot;
mod positions;
mod process;
mod progress;
mod query;
mod question;
mod records;
mod sample;
mod search;
mod shell;
mod solve;
mod stats;
mod stream;
mod tables;
mod template;
mod verify;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::{Args, ColorChoice, Parser, Subcommand};
use etcetera::BaseStrategy;
use tilebase::Store;

use console::Console;

/// Exact answers about sliding-tile puzzles, from tables that are built once.
#[derive(Debug, Parser)]
#[command(name = "tilebase", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  tilebase query 867254301            how many moves from solved: 31
  tilebase solve 867254301            the moves, as the blank goes: U, D, L, R
  tilebase sample -n 5 --depth 20     five boards that are 20 moves from solved
  tilebase query --goal 123/8_4/765 283164705
                                      for a goal of your own: 5
  tilebase compare 867254301          BFS, A* and the others side by side
  tilebase audit manhattan            is the heuristic admissible, and how good is it
  tilebase check --solver 'java Solver' --fail-fast
                                      the smallest position on which a program is wrong

The exit code is 0 for yes, 1 for no (a position is unsolvable, a judged answer wrong, a heuristic
not admissible, a table damaged), 2 for trouble (a position is invalid or its distance unknown, a
file cannot be read) and 130 after Ctrl-C.";

/// What holds for every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Folder of the tables [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR", env = "TILEBASE_STORE", hide_env_values = true)]
    store: Option<PathBuf>,
    /// Silence the notes on standard error; answers and errors are still written
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Colours: on a terminal, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Work on at most N threads [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Global {
    fn store(&self) -> Result<Store> {
        if let Some(dir) = self.store.as_ref().filter(|dir| !dir.as_os_str().is_empty()) {
            return Ok(Store::new(dir));
        }
        let folders = etcetera::base_strategy::choose_native_strategy()
            .context("the platform names no data folder: give one with --store DIR")?;
        Ok(Store::new(folders.data_dir().join("tilebase")))
    }

    fn threads(&self) -> usize {
        self.threads.map_or(usize::MAX, Into::into)
    }
}

#[derive(Debug, Subcommand)]
enum Verb {
    Build(Box<build::Build>),
    #[cfg(feature = "cluster")]
    Merge(merge::Merge),
    Info(info::Info),
    Verify(verify::Verify),
    Stats(stats::Stats),
    Query(query::Query),
    Solve(solve::Solve),
    List(list::List),
    Sample(sample::Sample),
    Check(Box<check::Check>),
    Audit(audit::Audit),
    Compare(Box<compare::Compare>),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// Runs the program, and says how it ended.
pub(crate) fn run() -> ExitCode {
    // Without a handler the exit code would be the shell's to choose. If none can be set, it is.
    let _ = ctrlc::set_handler(process::interrupt);
    let cli = Cli::parse();
    let mut console = Console::new(cli.global.quiet, cli.global.color);
    let result = match cli.verb {
        Verb::Build(verb) => verb.run(&cli.global, &mut console),
        #[cfg(feature = "cluster")]
        Verb::Merge(verb) => verb.run(&cli.global, &mut console),
        Verb::Info(verb) => verb.run(&cli.global, &mut console),
        Verb::Verify(verb) => verb.run(&cli.global, &mut console),
        Verb::Stats(verb) => verb.run(&cli.global, &mut console),
        Verb::Query(verb) => verb.run(&cli.global, &mut console),
        Verb::Solve(verb) => verb.run(&cli.global, &mut console),
        Verb::List(verb) => verb.run(&cli.global, &mut console),
        Verb::Sample(verb) => verb.run(&cli.global, &mut console),
        Verb::Check(verb) => verb.run(&cli.global, &mut console),
        Verb::Audit(verb) => verb.run(&cli.global, &mut console),
        Verb::Compare(verb) => verb.run(&cli.global, &mut console),
        Verb::Completions(verb) => verb.run(&mut console),
        Verb::Man(verb) => verb.run(&mut console),
    };
    console.finish(result)
}
