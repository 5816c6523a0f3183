//! `tilebase stats`: the number of boards at each distance.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tilebase::tablebase::quantity::Count;

use crate::{console::Console, global::Global, listening::listening, plot, question::Question};

/// Count the boards at each distance
///
/// Prints DISTANCE<TAB>BOARDS for each distance, then the mean and the farthest boards. On a terminal, it
/// also draws bars.
#[derive(Debug, Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    question: Question,
    /// Also draw the number of boards at each distance, as an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Facts<'a> {
    shape: String,
    goal: String,
    boards: u64,
    radius: u32,
    mean: f64,
    /// The number of boards at each distance, from 0.
    histogram: &'a [u64],
    farthest: Vec<String>,
}

impl Stats {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        self.question.refuse_pattern()?;
        let tablebase = self.question.tablebase(global, None)?;
        let shape = tablebase.goals().only().shape();
        let oracle = listening(console, |listener| tablebase.oracle(shape, listener))?;
        let header = oracle.table().header();
        let radius = header.radius();
        let mut farthest = Vec::new();
        match listening(console, |listener| tablebase.every_distance(shape, listener)) {
            Ok(oracle) => {
                for found in oracle.boards(radius..=radius) {
                    farthest.push(found?.0.to_string());
                }
            }
            Err(refusal) if refusal.is_stop() => return Err(refusal.into()),
            Err(error) => console.note(format_args!("the farthest boards are left out: {error}")),
        }
        let facts = Facts {
            shape: oracle.goal().shape().to_string(),
            goal: oracle.goal().to_string(),
            boards: header.boards,
            radius,
            mean: header.mean(),
            histogram: &header.histogram,
            farthest,
        };
        if self.question.json { console.json(&facts) } else { facts.print(console) }?;
        if let Some(path) = &self.plot {
            let title = format!(
                "{} boards of {}, by distance from {}",
                Count(facts.boards),
                facts.shape,
                facts.goal
            );
            plot::bars(path, &title, facts.histogram)?;
        }
        Ok(())
    }
}

impl Facts<'_> {
    fn print(&self, console: &mut Console) -> Result<()> {
        print_histogram(self.histogram, console)?;
        self.farthest.iter().try_for_each(|board| console.line(format_args!("farthest\t{board}")))
    }
}

/// Writes the number of boards at each distance, and the mean.
pub(crate) fn print_histogram(histogram: &[u64], console: &mut Console) -> Result<()> {
    const WIDEST: u128 = 50;
    let most = histogram.iter().max().copied().unwrap_or(1);
    let digits = most.to_string().len();
    for (depth, &boards) in histogram.iter().enumerate() {
        if console.is_terminal() {
            let bar = (u128::from(boards) * WIDEST).div_ceil(most.into()) as usize;
            console.line(format_args!("{depth:>3}  {boards:>digits$}  {}", "█".repeat(bar)))?;
        } else {
            console.line(format_args!("{depth}\t{boards}"))?;
        }
    }
    console.line(format_args!("mean\t{:.4}", tilebase::table::mean_distance(histogram)))
}
