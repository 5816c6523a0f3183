//! The choice of the positions that a solver is tried on.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};
use clap::Args;
use tilebase::{Board, Tablebase, Truth, tablebase::quantity::Count};

use crate::{
    check::case::Case,
    console::Console,
    draw::{self, Draw, MOST},
    interruption,
    positions::Positions,
};

/// Which positions a solver is tried on beside those that are given.
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

    /// The cases: those given in their order, or else those drawn by distance, with the unsolvable mixed in.
    ///
    /// Calls `reject` for what is no position, with the text and the complaint.
    pub(crate) fn cases(
        &self,
        positions: &Positions,
        tablebase: &Tablebase,
        console: &mut Console,
        reject: impl FnMut(&str, &str, &mut Console) -> Result<()>,
    ) -> Result<Vec<Case>> {
        self.draw.check(positions)?;
        let draws = self.draw.count.is_some() || self.unsolvable > 0;
        let seed = if draws { self.draw.seed(console) } else { 0 };
        let cases = match positions.are_given() {
            true => given(positions, tablebase, console, reject)?,
            false => self.drawn(seed, tablebase, console)?,
        };
        if self.unsolvable == 0 {
            return Ok(cases);
        }
        Ok(mixed(cases, unsolvable(&tablebase.goals().only(), self.unsolvable, seed)?))
    }

    /// The solvable cases that are drawn, by distance.
    fn drawn(&self, seed: u64, tablebase: &Tablebase, console: &mut Console) -> Result<Vec<Case>> {
        let goal = tablebase.goals().only();
        if tablebase.has_tables(goal.shape()) {
            let known = |(board, distance)| Case {
                board,
                goal: goal.clone(),
                truth: Truth::Distance(distance),
            };
            let boards = self.draw.boards(tablebase, seed, console)?;
            return Ok(boards.into_iter().map(known).collect());
        }
        let mut cases = vec![];
        for board in self.draw.any(&goal, seed)? {
            cases.push(Case::of(board, tablebase, console)?);
            if interruption::is_interrupted() {
                break;
            }
        }
        cases.sort_by_key(Case::distance);
        Ok(cases)
    }
}

/// The cases that are given.
fn given(
    positions: &Positions,
    tablebase: &Tablebase,
    console: &mut Console,
    mut reject: impl FnMut(&str, &str, &mut Console) -> Result<()>,
) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    positions.each(tablebase.goals().shape(), console, |item, console| {
        match &item.position.board {
            Ok(board) => cases.push(Case::of(board.clone(), tablebase, console)?),
            Err(error) => reject(&item.position.text, &item.complaint(error), console)?,
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(cases)
}

/// Unsolvable cases. Uniformly drawn solvable boards become unsolvable by an exchange of two tiles.
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
    ensure!(count <= MOST, "--unsolvable mixes in {} positions at most", Count(MOST));
    draw::space(goal)?.sample(count, seed)?.into_iter().map(twin).collect()
}

/// The cases with others spread among them, evenly or, if these are few, near the start.
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
