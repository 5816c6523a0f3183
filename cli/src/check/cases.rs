//! The positions that are put to a solver, and what is true of them.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};
use clap::Args;
use indicatif::HumanCount;
use tilebase::{Board, Truth};

use crate::check::trial::Trial;
use crate::{
    console::Console,
    draw::{self, Draw, MOST},
    interruption,
    positions::Positions,
};

/// A board, and what is true of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) board: Board,
    pub(crate) goal: Board,
    pub(crate) truth: Truth,
}

impl Case {
    /// The distance, if it is known and there is one.
    pub(crate) fn distance(&self) -> Option<u32> {
        match self.truth {
            Truth::Distance(distance) => Some(distance),
            Truth::Unsolvable | Truth::AtLeast(_) => None,
        }
    }
}

/// Which positions a solver is tried on, if none are given: all that are solvable, or some.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    #[command(flatten)]
    pub(crate) draw: Draw,
    /// Mix in K unsolvable positions
    #[arg(long, value_name = "K", default_value = "0", requires = "solver")]
    unsolvable: u64,
}

impl Choice {
    /// Whether all positions of a shape are tried.
    pub(crate) fn is_all(&self, positions: &Positions) -> bool {
        self.draw.count.is_none() && !positions.are_given()
    }

    /// The cases: those given as they come, others the nearest first; the unsolvable in between. What is no
    /// position is rejected.
    pub(crate) fn cases(
        &self,
        positions: &Positions,
        trial: &mut Trial,
        console: &mut Console,
    ) -> Result<Vec<Case>> {
        self.draw.check(positions)?;
        let mut cases = Vec::new();
        let draws = self.draw.count.is_some() || self.unsolvable > 0;
        let seed = if draws { self.draw.seed(console) } else { 0 };
        if positions.are_given() {
            let shape = trial.oracles.frame.shape;
            positions.each(shape, console, |item, console| {
                match &item.position.board {
                    Ok(board) => {
                        let (goal, truth) = trial.oracles.truth(board, console)?;
                        cases.push(Case { board: board.clone(), goal, truth });
                    }
                    Err(error) => {
                        // There is nothing to stop yet.
                        let _ =
                            trial.reject(&item.position.text, &item.complaint(error), console)?;
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        if !positions.are_given() || self.unsolvable > 0 {
            let goal = trial.oracles.frame.only_goal();
            if !positions.are_given() {
                cases = self.drawn(&goal, seed, trial, console)?;
            }
            if self.unsolvable > 0 {
                cases = mixed(cases, unsolvable(&goal, self.unsolvable, seed)?);
            }
        }
        Ok(cases)
    }

    /// The solvable cases that are drawn, the nearest first.
    fn drawn(
        &self,
        goal: &Board,
        seed: u64,
        trial: &mut Trial,
        console: &mut Console,
    ) -> Result<Vec<Case>> {
        let case = |(board, truth)| Case { board, goal: goal.clone(), truth };
        let threads = trial.oracles.threads;
        if trial.oracles.can_be(goal.shape()) {
            let boards = self.draw.boards(trial.oracles.only(console)?, seed, threads, console)?;
            let known = |(board, distance)| case((board, Truth::Distance(distance)));
            return Ok(boards.into_iter().map(known).collect());
        }
        let mut cases = vec![];
        for board in self.draw.any(goal, seed)? {
            let (_, truth) = trial.oracles.truth(&board, console)?;
            cases.push(case((board, truth)));
            if interruption::is_interrupted() {
                break;
            }
        }
        cases.sort_by_key(Case::distance);
        Ok(cases)
    }
}

/// Unsolvable boards, drawn uniformly: solvable ones with two tiles exchanged.
fn unsolvable(goal: &Board, count: u64, seed: u64) -> Result<Vec<Case>> {
    let twin = |board: Board| {
        let mut tiles = board.tiles().to_vec();
        for tile in &mut tiles {
            *tile = match *tile {
                1 => 2,
                2 => 1,
                other => other,
            };
        }
        let board = Board::new(board.shape(), &tiles)?;
        Ok(Case { board, goal: goal.clone(), truth: Truth::Unsolvable })
    };
    ensure!(count <= MOST, "--unsolvable mixes in {} positions at most", HumanCount(MOST));
    draw::space(goal)?.sample(count, seed)?.into_iter().map(twin).collect()
}

/// The cases with others spread among them: evenly, or near the start where there are few.
fn mixed(cases: Vec<Case>, others: Vec<Case>) -> Vec<Case> {
    const WIDEST: usize = 10;
    let share = (cases.len() / (others.len() + 1)).min(WIDEST);
    let mut mixed = Vec::with_capacity(cases.len() + others.len());
    let mut cases = cases.into_iter();
    for other in others {
        mixed.extend(cases.by_ref().take(share));
        mixed.push(other);
    }
    mixed.extend(cases);
    mixed
}
