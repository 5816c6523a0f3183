//! `tilebase compare`: the classic searches side by side.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, bail, ensure};
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::HumanCount;
use serde::Serialize;
use tilebase::{Board, Expansion, Outcome, Report, Suite};

use crate::{
    console::Console,
    draw::Draw,
    global::Global,
    interruption,
    plot::{self, Series},
    positions::Positions,
    progress::Progress,
    question::{Oracles, Question},
    search::{AlgorithmName, Facts, HeuristicName, Limit, Method, Rules, Time},
};

/// Run the classic searches side by side
///
/// Runs every sensible pair of algorithm and heuristic, or those that are named, on the positions given, on N drawn
/// at random, or on all at a distance. Prints a line for each position and pair, as tab-separated values under a head;
/// on a terminal a table, which has the means if there are several positions.
///
/// To expand a board is to ask whether it is the goal, and if not, to make the boards that moves lead to; the
/// goal that is found counts. Every board that is made is generated, also one that was met before, save the one
/// that takes the last move back. Moves are tried up, down, left, right, as the blank goes. Of boards with equal f
/// the one with the least h comes first, of these the one that came first.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    draw: Draw,
    /// Take the positions of a benchmark with published lengths, in its order: korf100 (4x4) or korf24 (5x5); by idastar with
    /// pattern, unless others are named, for as long as it takes, unless --timeout is given
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["count", "depth", "operands", "file", "goal", "shape"], value_parser = suite())]
    suite: Option<Suite>,
    /// Write comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw the boards expanded against the distance, as an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Only these algorithms
    #[arg(long, value_name = "ALGORITHM,...", value_delimiter = ',', help_heading = "Searches")]
    algorithm: Vec<AlgorithmName>,
    /// Only these heuristics
    #[arg(long, value_name = "HEURISTIC,...", value_delimiter = ',', help_heading = "Searches")]
    heuristic: Vec<HeuristicName>,
    #[command(flatten)]
    rules: Rules,
}

/// Reads the name of a suite.
fn suite() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(Suite::ALL.map(Suite::name)).try_map(|name| name.parse())
}

/// How long a search may take, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// What one search from one position came to.
#[derive(Clone, Debug, Serialize)]
struct Row {
    position: String,
    shape: String,
    goal: String,
    /// Null if the position is unsolvable, or nobody knows.
    distance: Option<u32>,
    /// Whether the search ended; else a limit stopped it.
    ended: bool,
    /// Whether the solution is optimal; null if there is none, or nobody knows.
    optimal: Option<bool>,
    /// A solution has at least so many moves; null if there is none.
    at_least: Option<u32>,
    #[serde(flatten)]
    search: Facts,
}

impl Row {
    const HEAD: [&str; 11] = [
        "position",
        "distance",
        "algorithm",
        "heuristic",
        "moves",
        "optimal",
        "expanded",
        "generated",
        "reopened",
        "largest_open",
        "seconds",
    ];

    fn cells(&self) -> [String; 11] {
        let Facts { method, expanded, generated, reopened, largest_open, seconds, .. } =
            &self.search;
        [
            self.position.clone(),
            self.distance.map_or_else(String::new, |distance| distance.to_string()),
            method.algorithm.to_string(),
            method.heuristic.to_string(),
            self.moves(),
            self.optimal().to_owned(),
            expanded.to_string(),
            generated.to_string(),
            reopened.to_string(),
            largest_open.to_string(),
            format!("{seconds:.6}"),
        ]
    }

    /// How many moves the solution has, or what else is known.
    fn moves(&self) -> String {
        match (self.search.moves, self.at_least) {
            (Some(moves), _) => moves.to_string(),
            (None, Some(moves)) => format!(">={moves}"),
            (None, None) => "unsolvable".to_owned(),
        }
    }

    /// Whether an optimal algorithm has found another length than is known.
    fn found_otherwise(&self) -> bool {
        let is_optimal = self.search.method.algorithm.is_optimal();
        is_optimal && self.search.moves.is_some() && self.optimal == Some(false)
    }

    fn optimal(&self) -> &'static str {
        match self.optimal {
            Some(true) => "yes",
            Some(false) => "no",
            None if self.search.moves.is_some() => "unknown",
            None => "",
        }
    }
}

impl Compare {
    pub(crate) fn run(mut self, global: &Global, console: &mut Console) -> Result<()> {
        ensure!(
            !self.methods(true).is_empty(),
            "there is no such pair: bfs and bidirectional use no heuristic"
        );
        self.draw.check(&self.positions)?;
        if let Some(suite) = self.suite {
            self.question.target.or(suite.goal().name(), Some(suite.shape()));
            let Method { algorithm, heuristic } = Method::BY_PATTERNS;
            if self.algorithm.is_empty() && self.heuristic.is_empty() {
                (self.algorithm, self.heuristic) = (vec![algorithm], vec![heuristic]);
            }
        } else {
            self.rules.timeout.get_or_insert(PATIENCE);
        }
        let mut oracles = self.question.oracles(global)?;
        let is_table = console.is_terminal() && !self.question.json && !self.csv;
        let mut rows = Vec::new();
        let mut compare = |board: &Board,
                           published: Option<u32>,
                           oracles: &mut _,
                           progress: &_,
                           console: &mut Console| {
            let runs = self.compare(board, published, oracles, progress, console)?;
            if self.question.json {
                runs.iter().try_for_each(|row| console.json(row))?;
            } else if !is_table {
                if rows.is_empty() && !runs.is_empty() {
                    self.write(&Row::HEAD.map(str::to_owned), console)?;
                }
                runs.iter().try_for_each(|row| self.write(&row.cells(), console))?;
            }
            rows.extend(runs);
            console.flush()?;
            Ok(match interruption::is_interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        };
        if self.suite.is_some() || self.draw.is_given() {
            let positions = match self.suite {
                Some(suite) => {
                    suite.instances().map(|(board, moves)| (board, Some(moves))).collect()
                }
                None => self.drawn(&mut oracles, console)?,
            };
            let progress = Progress::new(positions.len() as u64, !console.is_quiet());
            let unseen = Progress::endless(false);
            for (board, published) in &positions {
                if compare(board, *published, &mut oracles, &unseen, console)?.is_break() {
                    break;
                }
                progress.step(String::new);
            }
        } else {
            let progress = Progress::endless(!console.is_quiet());
            let shape = oracles.frame.shape;
            self.positions.each(shape, console, |item, console| match &item.position.board {
                Ok(board) => compare(board, None, &mut oracles, &progress, console),
                Err(error) => {
                    console.error(item.complaint(error));
                    Ok(ControlFlow::Continue(()))
                }
            })?;
        }
        if self.suite.is_some() {
            for row in rows.iter().filter(|row: &&Row| row.found_otherwise()) {
                console.no();
                let moves = row.distance.unwrap_or_default();
                console.error(format_args!("{}: the published length is {moves}", row.position));
            }
            summarize(&rows, console);
        }
        if interruption::is_interrupted() {
            console.note("interrupted: this is what is known so far");
            console.interrupted();
        }
        if rows.iter().any(|row| !row.ended) {
            console.note(
                "some searches were stopped by a limit; --timeout S gives them S seconds each",
            );
        }
        if is_table {
            print(&rows, console)?;
        }
        match &self.plot {
            Some(path) => plot(&rows, path),
            None => Ok(()),
        }
    }

    /// The positions that are drawn, none with a published length.
    fn drawn(
        &self,
        oracles: &mut Oracles,
        console: &mut Console,
    ) -> Result<Vec<(Board, Option<u32>)>> {
        let seed = self.draw.count.map_or(0, |_| self.draw.seed(console));
        let (threads, goal) = (oracles.threads, oracles.frame.only_goal());
        if !oracles.can_be(goal.shape()) {
            let boards = self.draw.any(&goal, seed)?;
            return Ok(boards.into_iter().map(|board| (board, None)).collect());
        }
        let boards = self.draw.boards(oracles.only(console)?, seed, threads, console)?;
        Ok(boards.into_iter().map(|(board, _)| (board, None)).collect())
    }

    /// The pairs to compare, with a table or without.
    fn methods(&self, has_table: bool) -> Vec<Method> {
        let mut methods = Vec::new();
        for &algorithm in AlgorithmName::value_variants() {
            for &heuristic in HeuristicName::value_variants() {
                let exists = match heuristic {
                    HeuristicName::None => true,
                    HeuristicName::Table => has_table && algorithm.is_informed(),
                    HeuristicName::Pattern => {
                        let is_named = self.heuristic.contains(&heuristic);
                        let is_wanted = is_named || !has_table || self.question.pattern.is_some();
                        is_wanted && algorithm.is_informed()
                    }
                    _ => algorithm.is_informed(),
                };
                // Without a heuristic greedy and depth-first search are blind, and the table needs no weight.
                let is_sensible = match algorithm {
                    AlgorithmName::Greedy | AlgorithmName::Idastar => {
                        heuristic != HeuristicName::None
                    }
                    AlgorithmName::Weighted => {
                        !matches!(heuristic, HeuristicName::None | HeuristicName::Table)
                    }
                    _ => true,
                };
                let is_asked = match self.heuristic.as_slice() {
                    [] => is_sensible,
                    named => named.contains(&heuristic),
                };
                let is_named = self.algorithm.is_empty() || self.algorithm.contains(&algorithm);
                if exists && is_asked && is_named {
                    methods.push(Method { algorithm, heuristic });
                }
            }
        }
        methods
    }

    /// Runs the searches from a board.
    fn compare(
        &self,
        board: &Board,
        published: Option<u32>,
        oracles: &mut Oracles,
        progress: &Progress,
        console: &mut Console,
    ) -> Result<Vec<Row>> {
        let (goal, shape) = (oracles.frame.goal(board.shape()), board.shape());
        let has_table = oracles.of(shape, console).is_some();
        let methods = self.methods(has_table);
        if methods.iter().any(|method| method.heuristic == HeuristicName::Pattern) {
            // What is wrong with them is said where they are used.
            let _ = oracles.patterns(shape, console);
        }
        let (oracle, patterns) = oracles.experts(shape, console);
        let mut reports: Vec<(Method, Report)> = Vec::new();
        interruption::interruptible(|| {
            for method in methods {
                let heuristic = method.heuristic.heuristic(&goal, oracle, patterns)?;
                let Some(heuristic) = heuristic else { continue };
                let by_patterns = patterns
                    .filter(|_| method == Method::BY_PATTERNS && self.rules.are_of_time_alone());
                let (report, limit) = match by_patterns {
                    Some(patterns) => patterns.search(board, self.rules.timeout, console)?,
                    None => {
                        let boards = [board, &goal];
                        let on = |_: &Expansion<'_>| ControlFlow::Continue(());
                        self.rules.run(method.algorithm, &*heuristic, boards, progress, on)
                    }
                };
                if limit == Some(Limit::Interruption) {
                    break;
                }
                reports.push((method, report));
            }
            anyhow::Ok(())
        })?;
        let known = oracle.map(|oracle| oracle.distance(board)).transpose()?.flatten();
        if reports.is_empty() && !interruption::is_interrupted() {
            oracles.complain(board.shape(), console);
        }
        // Without a table the proofs of all searches together may tell the distance.
        let proven = reports.iter().map(|(_, report)| report.at_least).max();
        let costs = reports.iter().filter_map(|(_, report)| report.cost());
        let found = costs.min().filter(|cost| Some(*cost) == proven);
        let distance = known.or(published).or(found);
        let row = |(method, report): (Method, Report)| {
            let ended = report.outcome != Outcome::Stopped;
            match report.outcome {
                Outcome::Solved(_) => {}
                Outcome::Unsolvable => console.no(),
                Outcome::Stopped => console.trouble(),
            }
            Row {
                position: board.to_string(),
                shape: board.shape().to_string(),
                goal: goal.to_string(),
                distance,
                ended,
                optimal: report.cost().zip(distance).map(|(cost, distance)| cost == distance),
                at_least: (report.outcome != Outcome::Unsolvable).then_some(report.at_least),
                search: Facts::new(method, &report),
            }
        };
        Ok(reports.into_iter().map(row).collect())
    }

    /// Writes a line of values.
    fn write(&self, cells: &[String], console: &mut Console) -> Result<()> {
        let delimiter = if self.csv { b',' } else { b'\t' };
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(vec![]);
        writer.write_record(cells)?;
        console.bytes(&writer.into_inner()?)
    }
}

/// Says what the searches of a benchmark came to, all in all.
fn summarize(rows: &[Row], console: &mut Console) {
    for (method, rows) in by_method(rows) {
        let sum = |count: fn(&Facts) -> u64| rows.iter().map(|row| count(&row.search)).sum::<u64>();
        let [expanded, generated] = [sum(|facts| facts.expanded), sum(|facts| facts.generated)];
        let seconds = rows.iter().map(|row| row.search.seconds).sum::<f64>();
        let rate = HumanCount((generated as f64 / seconds) as u64);
        let solved: Vec<_> = rows.iter().filter_map(|row| row.search.moves).collect();
        let moves = solved.iter().sum::<u32>();
        let each = match solved.len() {
            0 => String::new(),
            solved => format!(", by {moves} moves ({:.2} each)", f64::from(moves) / solved as f64),
        };
        console.note(format_args!(
            "{method}: {} of {} solved{each}; {} expanded, {} generated in {}, {rate} a second",
            solved.len(),
            rows.len(),
            HumanCount(expanded),
            HumanCount(generated),
            Time(seconds),
        ));
    }
}

/// The rows of each pair.
fn by_method(rows: &[Row]) -> Vec<(Method, Vec<&Row>)> {
    let mut methods: Vec<(Method, Vec<&Row>)> = Vec::new();
    for row in rows {
        match methods.iter_mut().find(|(method, _)| *method == row.search.method) {
            Some((_, rows)) => rows.push(row),
            None => methods.push((row.search.method, vec![row])),
        }
    }
    methods
}

/// Writes a table: what each search came to, or the means.
fn print(rows: &[Row], console: &mut Console) -> Result<()> {
    let methods = by_method(rows);
    let positions = methods.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
    if let ([row, ..], 1) = (rows, positions) {
        console.line(format_args!("from {} to {}", row.position, row.goal))?;
    } else {
        let positions = HumanCount(positions as u64);
        console.line(format_args!(
            "means over {positions} positions; of moves, over those that were solved"
        ))?;
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "algorithm",
        "heuristic",
        "moves",
        "optimal",
        "expanded",
        "generated",
        "re-opened",
        "open at most",
        "time",
    ]);
    for (method, rows) in methods {
        let mean = |value: fn(&Facts) -> f64| {
            rows.iter().map(|row| value(&row.search)).sum::<f64>() / rows.len() as f64
        };
        let count = |value| HumanCount(mean(value).round() as u64).to_string();
        let [moves, optimal] = match rows.as_slice() {
            [row] => [row.moves(), row.optimal().to_owned()],
            rows => {
                let optimal = rows.iter().filter(|row| row.optimal == Some(true)).count();
                let moves: Vec<_> = rows.iter().filter_map(|row| row.search.moves).collect();
                let sum: u64 = moves.iter().copied().map(u64::from).sum();
                let moves = match moves.len() {
                    0 => String::new(),
                    solved => format!("{:.2}", sum as f64 / solved as f64),
                };
                [
                    moves,
                    format!("{} of {}", HumanCount(optimal as u64), HumanCount(rows.len() as u64)),
                ]
            }
        };
        table.add_row([
            method.algorithm.to_string(),
            method.heuristic.to_string(),
            moves,
            optimal,
            count(|facts| facts.expanded as f64),
            count(|facts| facts.generated as f64),
            count(|facts| facts.reopened as f64),
            count(|facts| facts.largest_open as f64),
            Time(mean(|facts| facts.seconds)).to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    console.line(table.trim_fmt())
}

/// Draws the mean of the boards expanded for each distance, a line for each pair.
fn plot(rows: &[Row], path: &Path) -> Result<()> {
    let series = by_method(rows).into_iter().map(|(method, rows)| {
        let mut levels = BTreeMap::<u32, (u64, u64)>::new();
        for row in rows.iter().filter(|row| row.search.moves.is_some()) {
            if let Some(distance) = row.distance {
                let level = levels.entry(distance).or_default();
                *level = (level.0 + row.search.expanded, level.1 + 1);
            }
        }
        let mean = |(distance, (sum, count))| (distance, sum as f64 / count as f64);
        Series {
            name: method.to_string(),
            color: method.algorithm as usize,
            dashes: method.heuristic as usize,
            points: levels.into_iter().map(mean).filter(|(_, mean)| *mean >= 1.0).collect(),
        }
    });
    let series: Vec<_> = series.filter(|series| !series.points.is_empty()).collect();
    let Some(row) = rows.first().filter(|_| !series.is_empty()) else {
        bail!(
            "there is nothing to plot: no search was solved from a position with a known distance"
        );
    };
    let positions = by_method(rows).into_iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
    let title = format!(
        "Boards expanded from {} of {}, goal {}",
        match positions {
            1 => "one position".to_owned(),
            positions => format!("{} positions", HumanCount(positions as u64)),
        },
        row.shape,
        row.goal
    );
    plot::lines(path, &title, &series)
}
