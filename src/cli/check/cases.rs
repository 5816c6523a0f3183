//! The positions that are put to a solver, and what is true of them.

use std::ops::ControlFlow;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tilebase::{Board, Oracle, Truth};

use super::trial::Trial;
use crate::cli::{
    console::Console,
    positions::Positions,
    question::{self, Depths},
};

/// A board, and what is true of it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) board: Board,
    pub(super) goal: Board,
    pub(super) truth: Truth,
}

impl Case {
    /// The distance, if it is known and there is one.
    pub(super) fn distance(&self) -> Option<u32> {
        match self.truth {
            Truth::Distance(distance) => Some(distance),
            Truth::Unsolvable | Truth::AtLeast(_) => None,
        }
    }
}

/// Which positions a solver is tried on, if none are given: all that are solvable, or some.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// Try N solvable positions, drawn at random [default: all]
    #[arg(short = 'n', value_name = "N", requires = "solver")]
    pub(super) count: Option<u64>,
    /// Draw equally many from each distance, as long as it has some, instead of uniformly
    #[arg(long, requires = "count")]
    spread: bool,
    /// Only positions at this distance, or from D to E with both included
    #[arg(long, value_name = "D or D..E", requires = "solver")]
    depth: Option<Depths>,
    /// Mix in K unsolvable positions
    #[arg(long, value_name = "K", default_value = "0", requires = "solver")]
    unsolvable: u64,
    /// Draw the positions of this seed [default: a new one, which is said on standard error]
    #[arg(long, value_name = "S", requires = "solver")]
    seed: Option<u64>,
}

impl Choice {
    /// Whether all positions of a shape are tried.
    pub(super) fn is_all(&self, positions: &Positions) -> bool {
        self.count.is_none() && !positions.are_given()
    }

    /// The cases: those given as they come, others the nearest first; the unsolvable in between. What is no
    /// position is rejected.
    pub(super) fn cases(
        &self,
        positions: &Positions,
        trial: &mut Trial,
        console: &mut Console,
    ) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        let seed = self.seed.unwrap_or_else(question::new_seed);
        let draws = self.count.is_some() || self.unsolvable > 0;
        if draws && self.seed.is_none() {
            console.note(format_args!("--seed {seed} draws the same positions again"));
        }
        if positions.are_given() {
            ensure!(self.count.is_none(), "-n draws positions: give none, or leave it out");
            ensure!(self.depth.is_none(), "--depth chooses positions: give none, or leave it out");
            let shape = trial.oracles.frame.shape;
            positions.each(shape, console, |item, console| {
                match &item.position.board {
                    Ok(board) => {
                        let (goal, truth) = trial.oracles.truth(board, console)?;
                        cases.push(Case { board: board.clone(), goal: goal.clone(), truth });
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
            let oracle = trial.oracles.only(console).context(
                "positions can be drawn where there is a table only: give some, as operands or by -f",
            )?;
            if !positions.are_given() {
                cases = self.solvable(oracle, seed)?;
            }
            if self.unsolvable > 0 {
                cases = mixed(cases, unsolvable(oracle, self.unsolvable, seed)?);
            }
        }
        Ok(cases)
    }

    /// Solvable boards, the nearest first.
    fn solvable(&self, oracle: &Oracle, seed: u64) -> Result<Vec<Case>> {
        let depths = self.depth.clone().unwrap_or_default().0;
        let mut boards = match self.count {
            None => oracle.boards(depths).collect::<Result<_, _>>()?,
            Some(count) if self.spread => oracle.sample_spread(count, depths, seed)?,
            Some(count) => oracle.sample(count, depths, seed)?,
        };
        boards.sort_unstable_by(|(board, distance), (other, farther)| {
            (distance, board).cmp(&(farther, other))
        });
        if boards.is_empty() {
            let radius = oracle.table().header().radius();
            bail!("there is no such position: none is farther than {radius}");
        }
        let case = |(board, distance)| {
            let truth = Truth::Distance(distance);
            Case { board, goal: oracle.goal().clone(), truth }
        };
        Ok(boards.into_iter().map(case).collect())
    }
}

/// Unsolvable boards, drawn uniformly: solvable ones with two tiles exchanged.
fn unsolvable(oracle: &Oracle, count: u64, seed: u64) -> Result<Vec<Case>> {
    let twin = |(board, _): (Board, u32)| {
        let mut tiles = board.tiles().to_vec();
        for tile in &mut tiles {
            *tile = match *tile {
                1 => 2,
                2 => 1,
                other => other,
            };
        }
        let board = Board::new(board.shape(), &tiles)?;
        Ok(Case { board, goal: oracle.goal().clone(), truth: Truth::Unsolvable })
    };
    oracle.sample(count, .., seed)?.into_iter().map(twin).collect()
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
