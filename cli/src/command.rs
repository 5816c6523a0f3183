//! The command line: its verbs, and the exit code of the program.

use std::process::{self, ExitCode};

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    console::{Console, Exit},
    global::Global,
    interruption,
    process::{
        orphans,
        running::{self, Groups},
    },
    verb::{
        audit, build, check, compare, info, list, merge, packaging, query, sample, solve, stats,
        verify,
    },
};

/// Exact answers about sliding-tile puzzles, from tables that are built once.
#[derive(Debug, Parser)]
#[command(name = "tilebase", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
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

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Build(Box<build::Build>),
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
    Completions(packaging::Completions),
    Man(packaging::Man),
}

/// Runs the program, and returns its exit code.
pub(crate) fn run() -> ExitCode {
    // Without a handler, Ctrl-C ends the program in the system's way, and the exit code depends on the shell. If no
    // handler can be set, the program accepts that.
    let _ = ctrlc::set_handler(interrupt);
    let cli = Cli::parse();
    let mut console = Console::new(cli.global.quiet, cli.global.color);
    let result = match cli.verb {
        Verb::Build(verb) => verb.run(&cli.global, &mut console),
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
        Verb::Completions(verb) => verb.run(Cli::command(), &mut console),
        Verb::Man(verb) => verb.run(Cli::command(), &mut console),
    };
    console.finish(result)
}

/// Handles Ctrl-C: kills all started programs. Then the current work stops cleanly, or this process exits at once.
fn interrupt() {
    let is_over = interruption::record();
    running::kill_all();
    if is_over {
        orphans::kill_strays(&Groups::new(), None);
        process::exit(Exit::Interrupted as i32);
    }
}
