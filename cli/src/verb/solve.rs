//! `tilebase solve`: solutions, from the table or by a search.

use std::ops::ControlFlow;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use serde::Serialize;
use tilebase::{Board, BoardNotation, Expansion, Move, MoveNotation, Outcome};

use crate::{
    answer::{self, Answer, BestMove, Status},
    console::Console,
    global::Global,
    interruption,
    positions::Positions,
    progress::Progress,
    question::{Expert, Oracles, Question},
    search::{AlgorithmName, Facts, HeuristicName, Limit, Method, Rules},
};

/// Print a solution of positions
///
/// Prints the moves of one optimal solution for each, a line each: U, D, L or R as the blank goes, or as --moves says. Of
/// several, the one that comes first when moves are tried in that order; beyond 14 cells, where a search with a pattern
/// database finds it, any. The line is empty for the
/// goal itself; it says `unsolvable`, `invalid` or `unknown` (no table) where there is no solution.
///
/// With any of the options about searches the solution is searched for, by A* with the table as heuristic unless
/// others are named, and a note says how many boards were expanded. A search that a limit or Ctrl-C stops prints
/// what is proven then: `>=14` is at least 14 moves.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Print hints: every optimal first move and the distance that it leaves; then, as behind the goal
    /// itself, which has none, an empty line
    #[arg(long, conflicts_with_all = ["count", "boards", "trace", "algorithm", "heuristic"])]
    best: bool,
    /// Print how many optimal solutions there are
    #[arg(long, conflicts_with_all = ["boards", "trace", "algorithm", "heuristic"])]
    count: bool,
    /// Print the boards of the solution instead of its moves; then an empty line
    #[arg(long)]
    boards: bool,
    /// Write moves as blank (U D L R as the blank goes), tile (as the tile goes), numbers (of the tiles)
    /// or words (up down left right, as the blank goes)
    #[arg(long, value_name = "MOVES", default_value = "blank")]
    moves: MoveNotation,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
    /// Search with this algorithm [default: astar]
    #[arg(long, value_name = "ALGORITHM", help_heading = "Searches")]
    algorithm: Option<AlgorithmName>,
    /// Search with this heuristic [default: table, or linear-conflict where there is none]
    #[arg(long, value_name = "HEURISTIC", help_heading = "Searches")]
    heuristic: Option<HeuristicName>,
    /// Print each board as it is expanded: its number, f, g and h, the last move, and the board
    #[arg(long, help_heading = "Searches")]
    trace: bool,
    #[command(flatten)]
    rules: Rules,
}

/// A line of a trace.
#[derive(Serialize)]
struct Row {
    number: u64,
    /// Null for infinite, as h.
    f: Option<f64>,
    g: u32,
    /// Null where the heuristic says that the goal cannot be reached.
    h: Option<u32>,
    #[serde(rename = "move")]
    step: Option<String>,
    board: String,
}

/// What a search has found, for people.
fn found(board: &Board, path: &[Move], facts: &Facts) -> String {
    let moves = path.len();
    let s = if moves == 1 { "" } else { "s" };
    format!("{board}: {moves} move{s} by {facts}")
}

impl Solve {
    pub(crate) fn run(self, global: &Global, console: &mut Console) -> Result<()> {
        let searches = self.trace
            || self.algorithm.is_some()
            || self.heuristic.is_some()
            || self.rules.are_given();
        ensure!(!searches || !self.best && !self.count, "--best and --count do not search");
        self.rules.check(self.algorithm)?;
        ensure!(
            self.algorithm.is_none_or(AlgorithmName::is_informed)
                || self.heuristic.is_none_or(|name| name == HeuristicName::None),
            "bfs and bidirectional use no heuristic"
        );
        let know = |answer: &mut Answer<'_>,
                    about: [&Board; 2],
                    oracles: &mut Oracles,
                    console: &mut Console| match searches {
            true => self.search(answer, about, oracles, console),
            false => answer.look_up(about, None, oracles, console, |answer, expert, console| {
                self.add(answer, expert, about[0], console)
            }),
        };
        let print = |answer: &Answer<'_>, console: &mut Console| self.print(answer, console);
        answer::each(&self.question, &self.positions, global, console, know, print)
    }

    fn show(&self, board: &Board, path: &[Move]) -> String {
        self.moves.show(board, path).to_string()
    }

    /// Adds a solution.
    fn add_path(&self, answer: &mut Answer<'_>, board: &Board, path: &[Move]) {
        answer.moves = Some(self.show(board, path));
        if self.boards {
            let mut boards = vec![board.clone()];
            boards.extend(path.iter().scan(board.clone(), |board, step| {
                *board = board.step(*step)?;
                Some(board.clone())
            }));
            answer.boards = Some(boards);
        }
    }

    /// Adds what is wanted of a board that is solvable.
    fn add(
        &self,
        answer: &mut Answer<'_>,
        expert: &Expert<'_>,
        board: &Board,
        console: &mut Console,
    ) -> Result<()> {
        let distance = answer.distance.unwrap_or(0);
        let path = match expert {
            Expert::Table(oracle) => oracle.solution(board)?,
            Expert::Patterns(_) => answer.path.take(),
        };
        self.add_path(answer, board, &path.unwrap_or_default());
        if self.best {
            let best = match expert {
                Expert::Table(oracle) => oracle.best_moves(board)?,
                Expert::Patterns(patterns) => patterns.best_moves(board, distance, console)?,
            };
            let left = distance.saturating_sub(1);
            answer.best = best.map(|best| {
                let best = best.into_iter();
                let show = |step: Move| self.show(board, &[step]);
                best.map(|step| BestMove { step: show(step), distance: left }).collect()
            });
        }
        if self.count {
            answer.solutions = match expert {
                Expert::Table(oracle) => oracle.count_solutions(board)?,
                Expert::Patterns(patterns) => patterns.count_solutions(board, distance, console)?,
            };
        }
        Ok(())
    }

    /// Searches for a solution.
    fn search(
        &self,
        answer: &mut Answer<'_>,
        [board, goal]: [&Board; 2],
        oracles: &mut Oracles,
        console: &mut Console,
    ) -> Result<()> {
        let shape = board.shape();
        let own = self
            .heuristic
            .filter(|name| !matches!(name, HeuristicName::Table | HeuristicName::Pattern));
        let expert = match own {
            // No pattern database needs to be built for others.
            Some(_) => oracles.of(shape, console).map(Expert::Table),
            None => oracles.expert(shape, console),
        };
        let by_patterns = matches!(expert, Some(Expert::Patterns(_)));
        let algorithm = self.algorithm.unwrap_or(match by_patterns {
            true => AlgorithmName::Idastar,
            false => AlgorithmName::Astar,
        });
        let usual = match expert {
            _ if !algorithm.is_informed() => HeuristicName::None,
            Some(Expert::Table(_)) => HeuristicName::Table,
            Some(Expert::Patterns(_)) => HeuristicName::Pattern,
            None => HeuristicName::LinearConflict,
        };
        let method = Method { algorithm, heuristic: self.heuristic.unwrap_or(usual) };
        let has_table = matches!(expert, Some(Expert::Table(_)));
        if method.heuristic == HeuristicName::Table && !has_table {
            if board.can_reach(goal) {
                answer.error = oracles.complain(shape, console);
            } else {
                answer.status = Status::Unsolvable;
            }
            return Ok(());
        }
        if method.heuristic == HeuristicName::Pattern {
            let patterns = oracles.patterns(shape, console).map_err(|why| anyhow!("{why}"))?;
            if method == Method::BY_PATTERNS && !self.trace && self.rules.are_of_time_alone() {
                let (report, limit) = patterns.solve(board, self.rules.timeout, console)?;
                answer.take(board, report, limit, method, console);
                let (path, facts) = (answer.path.take(), answer.search.as_ref());
                match (path, facts) {
                    (Some(path), Some(facts)) => {
                        console.note(found(board, &path, facts));
                        self.add_path(answer, board, &path);
                    }
                    (None, Some(facts)) => console.note(format_args!("{board}: {facts}")),
                    _ => {}
                }
                return Ok(());
            }
        }
        let known = oracles.experts(shape, console);
        let oracle = known.0;
        let heuristic = method.heuristic.heuristic(goal, oracle, known.1)?;
        let heuristic = heuristic.expect("what is wanted is there");

        let mut written = match self.trace && !self.question.json {
            true => console.line("number\tf\tg\th\tmove\tboard"),
            false => Ok(()),
        };
        let progress = Progress::endless(!console.is_quiet() && !self.trace);
        let mut trace = |expansion: &Expansion<'_>| {
            if self.trace && written.is_ok() {
                written = self.trace(expansion, console);
            }
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let (report, limit) = interruption::interruptible(|| {
            self.rules.run(algorithm, &*heuristic, [board, goal], &progress, &mut trace)
        });
        drop(progress);
        written?;

        let facts = Facts::new(method, &report);
        match report.outcome {
            Outcome::Solved(path) => {
                let distance = oracle.map(|oracle| oracle.distance(board)).transpose()?.flatten();
                let is_optimal = self.rules.algorithm(algorithm).is_optimal();
                answer.status = Status::Solvable;
                answer.distance = distance.or(is_optimal.then_some(path.len() as u32));
                self.add_path(answer, board, &path);
                console.note(found(board, &path, &facts));
            }
            Outcome::Unsolvable => {
                answer.status = Status::Unsolvable;
                console.note(format_args!("{board}: unsolvable by {facts}"));
            }
            Outcome::Stopped => {
                answer.at_least = Some(report.at_least);
                let why = limit.unwrap_or(Limit::Memory);
                console.error(format_args!("{board}: {why}: at least {} moves", report.at_least));
                console.note(format_args!("{board}: {facts}"));
            }
        }
        answer.search = Some(facts);
        Ok(())
    }

    /// Writes a board that is expanded.
    fn trace(&self, expansion: &Expansion<'_>, console: &mut Console) -> Result<()> {
        let Expansion { number, board, step, f, g, h, .. } = *expansion;
        // A tile's number is known from the board before.
        let before = step.and_then(|step| Some((step, board.step(step.opposite())?)));
        let step = before.map(|(step, before)| self.show(&before, &[step]));
        let h = Some(h).filter(|h| *h != u32::MAX);
        let f = h.map(|_| f);
        if self.question.json {
            let board = board.to_string();
            return console.json(&Row { number, f, g, h, step, board });
        }
        let infinite = || "inf".to_owned();
        let f = f.map_or_else(infinite, |f| f.to_string());
        let h = h.map_or_else(infinite, |h| h.to_string());
        let step = step.as_deref().unwrap_or("-");
        let (gap, end) = match self.notation {
            BoardNotation::Rows => ("\n", "\n"),
            _ => ("\t", ""),
        };
        let board = self.notation.show(board);
        console.line(format_args!("{number}\t{f}\t{g}\t{h}\t{step}{gap}{board}{end}"))
    }

    fn print(&self, answer: &Answer<'_>, console: &mut Console) -> Result<()> {
        match (answer.status, &answer.moves, &answer.best, answer.solutions) {
            (Status::Invalid, ..) => console.line(format_args!("{}\tinvalid", answer.position))?,
            (Status::Solvable, _, Some(best), _) => {
                for BestMove { step, distance } in best {
                    console.line(format_args!("{step}\t{distance}"))?;
                }
            }
            (Status::Solvable, _, _, Some(solutions)) => console.line(solutions)?,
            (Status::Solvable, ..) if self.best || self.count => {
                // Nobody has waited for them.
                console.trouble();
                console.line(Status::Unknown.word())?;
            }
            (Status::Solvable, Some(moves), ..) => match &answer.boards {
                Some(boards) => {
                    for board in boards {
                        answer::print_board(board, self.notation, "", console)?;
                    }
                }
                None => console.line(moves)?,
            },
            (status, ..) => match answer.at_least {
                Some(moves) => console.line(format_args!(">={moves}"))?,
                None => console.line(status.word())?,
            },
        }
        let is_long = self.best || self.trace || self.boards;
        if is_long { console.line("") } else { Ok(()) }
    }
}
