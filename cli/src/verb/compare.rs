//! `tilebase compare`: the classic searches side by side.

use std::{ops::ControlFlow, path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tilebase::{
    Board, Tablebase,
    search::{Method, Suite},
};

use crate::{
    comparison::{
        chart,
        pairs::Pairs,
        searches::Searches,
        suite,
        writer::{RowFormat, RowWriter},
    },
    console::Console,
    draw::Draw,
    global::Global,
    interruption,
    positions::Positions,
    progress::Progress,
    question::Question,
    search::Rules,
};

/// Run the classic searches side by side
///
/// Runs every sensible pair of algorithm and heuristic, or those that are named, on the positions given, on N drawn
/// at random, or on all at a distance. Prints a line for each position and pair, as tab-separated values under a head;
/// on a terminal a table, which has the means if there are several positions.
///
/// A search expands a board when it asks whether that is the goal and, if not, makes the boards that one move
/// leads to. The goal that is found counts, too. Every board that is made counts as generated, also one that was
/// met before, but not the one that takes the last move back. Moves are tried up, down, left, right, as the blank
/// goes. Of boards with equal f, the one with the least h comes first, and of these the one that was made first.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    draw: Draw,
    /// Take the positions of a benchmark with published lengths, in its order: korf100 (4x4) or korf24 (5x5). The default
    /// is then idastar with pattern, and no time limit
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["count", "depth", "operands", "file", "goal", "shape"], value_parser = benchmark())]
    suite: Option<Suite>,
    /// Write comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw the boards expanded against the distance, as an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    pairs: Pairs,
    #[command(flatten)]
    rules: Rules,
}

/// Reads the name of a benchmark.
fn benchmark() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(Suite::ALL.map(Suite::name)).try_map(|name| name.parse::<Suite>())
}

/// The time that a search may take, unless the user says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

impl Compare {
    pub(crate) fn run(mut self, global: &Global, console: &mut Console) -> Result<()> {
        ensure!(
            !self.pairs.methods(true, self.question.pattern.is_some()).is_empty(),
            "there is no such pair: bfs and bidirectional use no heuristic"
        );
        self.draw.check(&self.positions)?;
        match self.suite {
            Some(suite) => {
                self.question.target.or(suite.goal().name(), Some(suite.shape()));
                self.pairs.or(Method::BY_PATTERNS);
            }
            None => {
                self.rules.timeout.get_or_insert(PATIENCE);
            }
        }
        let tablebase = self.question.tablebase(global, None)?;
        let mut writer = RowWriter::new(self.format(console));
        if self.suite.is_some() || self.draw.is_given() {
            self.compare_chosen(&tablebase, &mut writer, console)?;
        } else {
            self.compare_given(&tablebase, &mut writer, console)?;
        }
        if self.suite.is_some() {
            suite::conclude(&writer.rows, console);
        }
        if interruption::is_interrupted() {
            console.note("interrupted: this is what is known so far");
            console.interrupted();
        }
        if writer.rows.iter().any(|row| !row.ended) {
            console.note(
                "some searches were stopped by a limit; --timeout S gives them S seconds each",
            );
        }
        writer.finish(console)?;
        match &self.plot {
            Some(path) => chart::draw(&writer.rows, path),
            None => Ok(()),
        }
    }

    fn format(&self, console: &Console) -> RowFormat {
        match (self.question.json, self.csv) {
            (true, _) => RowFormat::Json,
            (false, true) => RowFormat::Values { delimiter: b',' },
            (false, false) if console.is_terminal() => RowFormat::Table,
            (false, false) => RowFormat::Values { delimiter: b'\t' },
        }
    }

    fn searches<'a>(&'a self, tablebase: &'a Tablebase) -> Searches<'a> {
        let wants_pattern = self.question.pattern.is_some();
        Searches { pairs: &self.pairs, rules: &self.rules, tablebase, wants_pattern }
    }

    /// Compares on the positions of a benchmark, or on those that are drawn.
    fn compare_chosen(
        &self,
        tablebase: &Tablebase,
        writer: &mut RowWriter,
        console: &mut Console,
    ) -> Result<()> {
        let positions = match self.suite {
            Some(suite) => suite.instances().map(|(board, moves)| (board, Some(moves))).collect(),
            None => self.drawn(tablebase, console)?,
        };
        let progress = Progress::new(positions.len() as u64, !console.is_quiet());
        let unseen = Progress::endless(false);
        for (board, published) in &positions {
            let rows = self.searches(tablebase).run(board, *published, &unseen, console)?;
            writer.write(rows, console)?;
            if interruption::is_interrupted() {
                break;
            }
            progress.step(String::new);
        }
        Ok(())
    }

    /// Compares on the positions that are given.
    fn compare_given(
        &self,
        tablebase: &Tablebase,
        writer: &mut RowWriter,
        console: &mut Console,
    ) -> Result<()> {
        let progress = Progress::endless(!console.is_quiet());
        self.positions.each(tablebase.goals().shape(), console, |item, console| {
            match &item.position.board {
                Ok(board) => {
                    let rows = self.searches(tablebase).run(board, None, &progress, console)?;
                    writer.write(rows, console)?;
                    if interruption::is_interrupted() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(error) => console.error(item.complaint(error)),
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// The positions that are drawn. None has a published length.
    fn drawn(
        &self,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<Vec<(Board, Option<u32>)>> {
        let seed = self.draw.count.map_or(0, |_| self.draw.seed(console));
        let goal = tablebase.goals().only();
        if !tablebase.has_tables(goal.shape()) {
            let boards = self.draw.any(&goal, seed)?;
            return Ok(boards.into_iter().map(|board| (board, None)).collect());
        }
        let boards = self.draw.boards(tablebase, seed, console)?;
        Ok(boards.into_iter().map(|(board, _)| (board, None)).collect())
    }
}
