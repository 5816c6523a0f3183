//! Positions that are drawn at random or chosen by distance.

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use tilebase::{Board, Tablebase, index::Space, tablebase::quantity::Count};

use crate::{
    console::Console,
    listening::listening,
    positions::Positions,
    question::{self, Depths},
};

/// The greatest number of positions that are held in memory.
pub(crate) const MOST: u64 = 10_000_000;

/// The choice of solvable positions, if the user gives no positions.
#[derive(Debug, Args)]
pub(crate) struct Draw {
    /// Draw N solvable positions at random
    #[arg(short = 'n', value_name = "N")]
    pub(crate) count: Option<u64>,
    /// Draw the same number from each distance, as far as it has enough, instead of uniformly
    #[arg(long, requires = "count")]
    spread: bool,
    /// Only positions at this distance, or at distances from D to E inclusive
    #[arg(long, value_name = "D or D..E")]
    depth: Option<Depths>,
    /// Seed of the random draw [default: a new one, printed on standard error]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// The boards to draw from.
///
/// # Errors
///
/// If the shape has more than 16 cells: its boards have no index.
pub(crate) fn space(goal: &Board) -> Result<Space> {
    let shape = goal.shape();
    Space::new(goal)
        .map_err(|_| anyhow!("positions are drawn up to 16 cells, and {shape} has more"))
}

impl Draw {
    /// Whether the user chose a number of positions or a distance.
    pub(crate) fn is_given(&self) -> bool {
        self.count.is_some() || self.depth.is_some()
    }

    /// Refuses to draw positions if the user gives positions.
    pub(crate) fn check(&self, positions: &Positions) -> Result<()> {
        if positions.are_given() {
            ensure!(self.count.is_none(), "-n draws positions: give none, or leave it out");
            ensure!(self.depth.is_none(), "--depth chooses positions: give none, or leave it out");
        }
        Ok(())
    }

    /// The seed. If the user gave none, a new seed is made, and a note names it.
    pub(crate) fn seed(&self, console: &mut Console) -> u64 {
        self.seed.unwrap_or_else(|| {
            let seed = question::new_seed();
            console.note(format_args!("--seed {seed} draws the same positions again"));
            seed
        })
    }

    /// Positions that are drawn uniformly, for a shape without tables.
    pub(crate) fn any(&self, goal: &Board, seed: u64) -> Result<Vec<Board>> {
        let shape = goal.shape();
        ensure!(
            !self.spread && self.depth.is_none(),
            "--spread and --depth need a table, and there can be none for {shape}"
        );
        let Some(count) = self.count else {
            bail!("there can be no table for {shape}: give positions, or -n N draws some")
        };
        ensure!(count <= MOST, "-n draws {} positions at most", Count(MOST));
        Ok(space(goal)?.sample(count, seed)?)
    }

    /// The positions with their distances, sorted by distance.
    pub(crate) fn boards(
        &self,
        tablebase: &Tablebase,
        seed: u64,
        console: &mut Console,
    ) -> Result<Vec<(Board, u32)>> {
        let depths = self.depth.clone().unwrap_or_default().0;
        let shape = tablebase.goals().only().shape();
        let oracle = listening(console, |listener| tablebase.oracle(shape, listener))?;
        let histogram = &oracle.table().header().histogram;
        let levels = (0..).zip(histogram).filter(|(depth, _)| depths.contains(depth));
        let there = levels.map(|(_, boards)| boards).sum();
        ensure!(
            self.count.unwrap_or(there) <= MOST,
            "there are {} such positions: -n N draws some, {} at most",
            Count(there),
            Count(MOST)
        );
        let is_any = self.count.is_some() && !self.spread && self.depth.is_none();
        let oracle = match is_any {
            true => oracle,
            false => listening(console, |listener| tablebase.every_distance(shape, listener))?,
        };
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
        Ok(boards)
    }
}
