//! The options that say how a solver is run.

use std::{num::NonZeroU16, sync::Mutex, time::Duration};

use anyhow::{Context, Result};
use clap::Args;
use tilebase::Threads;

use crate::{
    check::{
        answers::{AnswerFormat, AnswerReader},
        protocol::Protocol,
        solver::Solver,
        solver_command::SolverCommand,
    },
    seconds,
    stream::lines::Lines,
    template::Template,
};

/// How a solver is run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running a solver")]
pub(crate) struct Run {
    /// Run this command of the shell for each position, which it reads from standard input; or else, {} in the command
    /// becomes the position, or {file} the name of a file that holds it
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// Run the command once, send it a line for each position, and read a line for each
    #[arg(long, requires = "solver")]
    pub(crate) stream: bool,
    /// How positions are sent and answers read, and the goal: line (digits out; a length, moves or boards in), prose
    /// (digits out, prose in), boj1525, poj1077, leetcode773, hackerrank, princeton, 42, or goal-start (the rows of
    /// goal and start with # as the blank out, prose in); --send, --answer and --goal change a part of it
    #[arg(long, default_value = "line", requires = "solver")]
    pub(crate) protocol: Protocol,
    /// Send this instead: a text with {digits}, {list}, {rows}, {digit-rows}, {column} or {json} for the board,
    /// {rows:x} for x as the blank, {goal.rows} for the goal, {size} for the number of rows, and \n
    #[arg(long, value_name = "TEMPLATE", requires = "solver")]
    send: Option<Template>,
    /// Find the answer where this regular expression first matches: by its groups `length` and `moves`, or else its first
    /// group, or else all of it. A match of a group `unsolvable` claims that. ^ and $ stand for the ends of lines
    #[arg(long, value_name = "REGEX", requires = "solver")]
    pub(crate) answer: Option<String>,
    /// Seconds that an answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds::parse, requires = "solver")]
    timeout: Duration,
    /// How many processes to run at a time [default: one for each core; one with --stream]
    #[arg(long, value_name = "N", requires = "solver")]
    jobs: Option<NonZeroU16>,
}

impl Run {
    /// The solver, if one is named. At most `threads` processes of it run at a time, unless --jobs says more.
    pub(crate) fn solver(&self, threads: Threads) -> Result<Option<Solver>> {
        let Some(command) = self.solver.as_deref() else { return Ok(None) };
        let template = match &self.send {
            Some(template) => template.clone(),
            None => self.protocol.template()?,
        };
        let answers = match &self.answer {
            Some(pattern) => {
                AnswerReader::new(AnswerFormat::Pattern(pattern)).context("--answer")?
            }
            None => self.protocol.answers()?,
        };
        let cores = || threads.count();
        let jobs = match self.jobs {
            Some(jobs) => usize::from(jobs.get()),
            None if self.stream => 1,
            None => cores(),
        };
        let solver_command = SolverCommand::new(command)?;
        if self.stream {
            Lines::check(command)?;
        }
        Ok(Some(Solver {
            command: solver_command,
            template,
            answers,
            timeout: self.timeout,
            stream: self.stream,
            jobs,
            oddities: Mutex::default(),
        }))
    }
}
