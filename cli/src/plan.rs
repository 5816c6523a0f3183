//! `tilebase build --plan`: the cost of a table that several machines make together.

use std::{num::NonZero, time::Duration};

use anyhow::Result;
use clap::Args;
use tilebase::{
    Board, Threads,
    cluster::Plan,
    puzzle::Orbit,
    table::Encoding,
    tablebase::{
        cost::{self, Share},
        quantity::{Bytes, Count, Rough},
    },
};

use crate::{cluster::of_shape, console::Console};

/// The options of a plan: the number of machines, and the network between them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for several machines (docs/cluster.md)")]
pub(crate) struct PlanOptions {
    /// Build nothing, and print the cost: memory and disk per machine, bytes over the network, and an estimate of the
    /// time from a measurement on this machine. For any shape up to 16 cells
    #[arg(long, conflicts_with_all = ["pattern", "no_table", "output", "force", "hosts"])]
    plan: bool,
    /// Number of machines, each with the same number of cores as this one
    #[arg(long, value_name = "M", requires = "plan", default_value = "1")]
    machines: NonZero<u16>,
    /// Bandwidth of each machine's network, in bits per second: 1G, 10G, 100M
    #[arg(long, value_name = "BITS", requires = "plan", default_value = "1G", value_parser = bandwidth)]
    bandwidth: f64,
}

/// Reads a number of bits per second.
fn bandwidth(text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.strip_suffix(['G', 'g']) {
        Some(digits) => (digits, 1e9),
        None => (text.strip_suffix(['M', 'm']).unwrap_or(""), 1e6),
    };
    match digits.parse::<f64>() {
        Ok(number) if (1.0..1e18).contains(&(number * unit)) => Ok(number * unit),
        _ => Err("expected bits a second such as 1G, 10G or 100M".into()),
    }
}

impl PlanOptions {
    /// Whether the user asks for a plan.
    pub(crate) fn is_wanted(&self) -> bool {
        self.plan
    }

    /// Prints the plan for the table of a goal. Each machine works on up to `threads` threads.
    pub(crate) fn print(
        &self,
        goal: &Board,
        encoding: Option<Encoding>,
        threads: Threads,
        console: &mut Console,
    ) -> Result<()> {
        let (orbit, shape) = (Orbit::of(goal), goal.shape());
        let encoding = encoding.unwrap_or_else(|| Encoding::usual(shape));
        let plan = Plan::new(orbit, encoding, self.machines);
        let plan = plan.map_err(|error| of_shape(error, shape))?;
        let machines = usize::from(self.machines.get());
        let rate = cost::rate(shape, threads);
        let share = Share { boards: orbit.boards(), machines, threads };
        let sweeping = share.sweeping(rate);
        let sending = 8.0 * plan.sent as f64 / machines as f64 / self.bandwidth;
        let sending = Duration::from_secs_f64(sending);
        let writing = cost::writing(plan.part);
        let mut line = |key: &str, value: String| console.line(format_args!("{key:<15}{value}"));
        line("shape", shape.to_string())?;
        line("encoding", encoding.name().into())?;
        line("boards", Count(orbit.boards()).to_string())?;
        line("table", Bytes(plan.table).to_string())?;
        line("machines", machines.to_string())?;
        line("memory", format!("{} a machine", Bytes(plan.memory)))?;
        let part = Bytes(plan.part);
        line("disk", format!("{} a machine, of which its part {part}", Bytes(plan.disk)))?;
        let [all, most] = [plan.sent, plan.sent_at_once].map(Bytes);
        line("network", format!("{all} in all, {most} in the largest level"))?;
        line(
            "time",
            format!(
                "about {}: sweeping {}, sending {} meanwhile, then writing {}",
                Rough(sweeping.max(sending) + writing),
                Rough(sweeping),
                Rough(sending),
                Rough(writing),
            ),
        )?;
        line(
            "rate",
            format!(
                "{rate:.2} ns a board and core, measured now; {} cores a machine",
                cost::cores(threads)
            ),
        )
    }
}
