//! `tilebase solve`: solutions, from a table or by a search.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;
use tilebase::{
    Answer, Board, BoardNotation, Listener, Move, MoveNotation, Tablebase,
    search::{AlgorithmName, Expansion, Heuristic, HeuristicName, Method, Outcome},
    tablebase::{BestMove, Effort, Limit, Searched, Statement, Status},
};

use crate::{
    console::Console,
    global::Global,
    interruption,
    listening::listening,
    positions::Positions,
    progress::Progress,
    question::Question,
    search::{self, Rules},
    statement,
};

/// Print a solution of each position
///
/// Prints the moves of one optimal solution on one line per position. A move is U, D, L or R, the direction in which
/// the blank goes; --moves changes this. If there are several optimal solutions, a table gives the first in the order
/// U, D, L, R. Beyond 14 cells, a search with a pattern database gives any of them. The line is empty for the goal
/// itself. Without a solution, the line is `unsolvable`, `invalid` or `unknown`.
///
/// With any of the search options, the solution is found by a search, and a note gives the number of expanded boards.
/// The default is A* with the table as heuristic. Without a table it is IDA* with a pattern database, or A* with
/// linear-conflict. If a limit or Ctrl-C stops a search, the proven bound is printed: `>=14` means at least 14 moves.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    question: Question,
    /// Print hints: every optimal first move with the distance after it, and then an empty line. The goal itself has
    /// no such moves
    #[arg(long, conflicts_with_all = ["count", "boards", "trace", "algorithm", "heuristic"])]
    best: bool,
    /// Print how many optimal solutions there are
    #[arg(long, conflicts_with_all = ["boards", "trace", "algorithm", "heuristic"])]
    count: bool,
    /// Print the boards of the solution instead of its moves, and then an empty line
    #[arg(long)]
    boards: bool,
    /// Write moves as blank (U D L R as the blank goes), tile (as the tile goes), numbers (of the tiles)
    /// or words (up down left right, as the blank goes)
    #[arg(long, value_name = "MOVES", default_value = "blank")]
    moves: MoveNotation,
    /// Write boards as normal (867254301 or 1,2,3,…), rows, list or digits (base 36)
    #[arg(long, value_name = "NOTATION", default_value = "normal")]
    notation: BoardNotation,
    /// Search with this algorithm [default: astar; beyond 14 cells with a pattern database, idastar]
    #[arg(long, value_name = "ALGORITHM", value_parser = search::algorithm(), help_heading = "Searches")]
    algorithm: Option<AlgorithmName>,
    /// Search with this heuristic [default: the best available of table, pattern and linear-conflict]
    #[arg(long, value_name = "HEURISTIC", value_parser = search::heuristic(), help_heading = "Searches")]
    heuristic: Option<HeuristicName>,
    /// Print each expanded board: its number, f, g and h, the last move, and the board
    #[arg(long, help_heading = "Searches")]
    trace: bool,
    #[command(flatten)]
    rules: Rules,
}

/// A line of a trace.
#[derive(Serialize)]
struct Row {
    number: u64,
    /// Null if it is infinite, as `h`.
    f: Option<f64>,
    g: u32,
    /// Null where the heuristic says that the goal cannot be reached.
    h: Option<u32>,
    #[serde(rename = "move")]
    step: Option<String>,
    board: String,
}

/// A sentence about the solution that a search found.
fn found(board: &Board, path: &[Move], effort: &Effort) -> String {
    let moves = path.len();
    let s = if moves == 1 { "" } else { "s" };
    format!("{board}: {moves} move{s} by {effort}")
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
        let tablebase = self.question.tablebase(global, self.rules.timeout)?;
        let know =
            |statement: &mut Statement<'_>, board: &Board, console: &mut Console| match searches {
                true => self.search(statement, board, &tablebase, console),
                false => self.look_up(statement, board, &tablebase, console),
            };
        let print =
            |statement: &Statement<'_>, console: &mut Console| self.print(statement, console);
        statement::each(&tablebase, &self.positions, self.question.json, console, know, print)
    }

    fn show(&self, board: &Board, path: &[Move]) -> String {
        self.moves.show(board, path).to_string()
    }

    /// Asks the tablebase for a solution, and for the best moves or the number of solutions if the user wants them.
    fn look_up(
        &self,
        statement: &mut Statement<'_>,
        board: &Board,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<()> {
        let answer = listening(console, |listener| tablebase.solve(board, listener))?;
        statement::take(statement, board, &answer, console);
        let Some(distance) = answer.distance() else { return Ok(()) };
        let path = answer.solution.as_deref().unwrap_or_default();
        statement.add_solution(board, path, self.moves, self.boards);
        if self.best {
            let best = |listener: Listener<'_>| tablebase.best_moves(board, distance, listener);
            let left = distance.saturating_sub(1);
            statement.best = listening(console, best)?.map(|best| {
                let show = |step: Move| self.show(board, &[step]);
                best.into_iter().map(|step| BestMove { step: show(step), distance: left }).collect()
            });
        }
        if self.count {
            let count =
                |listener: Listener<'_>| tablebase.count_solutions(board, distance, listener);
            statement.solutions = listening(console, count)?;
        }
        Ok(())
    }

    /// The algorithm and the heuristic that the user names. The best ones for the shape replace those not named.
    fn method(
        &self,
        board: &Board,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<Method> {
        // For any other heuristic, the tablebase must not build a pattern database.
        let best = match self.heuristic {
            None | Some(HeuristicName::Table | HeuristicName::Pattern) => {
                listening(console, |listener| tablebase.best_heuristic(board.shape(), listener))?
            }
            Some(named) => named,
        };
        let algorithm = self.algorithm.unwrap_or(match best {
            HeuristicName::Pattern => AlgorithmName::Idastar,
            _ => AlgorithmName::Astar,
        });
        let usual = if algorithm.is_informed() { best } else { HeuristicName::None };
        Ok(Method { algorithm, heuristic: self.heuristic.unwrap_or(usual) })
    }

    /// Searches for a solution.
    fn search(
        &self,
        statement: &mut Statement<'_>,
        board: &Board,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<()> {
        let method = self.method(board, tablebase, console)?;
        if method == Method::BY_PATTERNS && !self.trace && self.rules.are_of_time_alone() {
            return self.search_by_patterns(statement, board, tablebase, console);
        }
        let (goal, shape) = (tablebase.goal(board.shape()), board.shape());
        let named = |listener: Listener<'_>| tablebase.heuristic(method.heuristic, shape, listener);
        let heuristic = match listening(console, named) {
            Err(refusal)
                if method.heuristic == HeuristicName::Table
                    && !refusal.is_damage()
                    && !refusal.is_stop() =>
            {
                match board.can_reach(goal) {
                    true => {
                        statement.error = Some(refusal.to_string());
                        console.error_once(refusal);
                    }
                    false => statement.status = Status::Unsolvable,
                }
                return Ok(());
            }
            heuristic => heuristic?,
        };
        let Searched { report, limit, .. } =
            self.traced(method.algorithm, &*heuristic, board, goal, console)?;
        let effort = Effort::new(method, &report);
        match report.outcome {
            Outcome::Solved(ref path) => {
                let known =
                    listening(console, |listener| tablebase.table_distance(board, listener))?;
                let is_optimal = self.rules.algorithm(method.algorithm).is_optimal();
                statement.status = Status::Solvable;
                statement.distance = known.or(is_optimal.then_some(path.len() as u32));
                statement.add_solution(board, path, self.moves, self.boards);
                console.note(found(board, path, &effort));
            }
            Outcome::Unsolvable => {
                statement.status = Status::Unsolvable;
                console.note(format_args!("{board}: unsolvable by {effort}"));
            }
            _ => {
                statement.at_least = Some(report.at_least);
                let why = limit.unwrap_or(Limit::Memory);
                console.error(format_args!("{board}: {why}: at least {} moves", report.at_least));
                console.note(format_args!("{board}: {effort}"));
            }
        }
        statement.search = Some(effort);
        Ok(())
    }

    /// Searches with the solver of the pattern database, which is faster than a search that checks each board.
    fn search_by_patterns(
        &self,
        statement: &mut Statement<'_>,
        board: &Board,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<()> {
        let shape = board.shape();
        let patterns = listening(console, |listener| tablebase.patterns(shape, listener))?;
        let timeout = self.rules.timeout;
        let searched = listening(console, |listener| patterns.solve(board, timeout, listener))?;
        let answer = Answer::of_search(searched);
        statement::take(statement, board, &answer, console);
        let Some(effort) = &statement.search else { return Ok(()) };
        match &answer.solution {
            Some(path) => {
                console.note(found(board, path, effort));
                statement.add_solution(board, path, self.moves, self.boards);
            }
            None => console.note(format_args!("{board}: {effort}")),
        }
        Ok(())
    }

    /// Runs a search. With `--trace`, writes each board when it is expanded.
    fn traced(
        &self,
        algorithm: AlgorithmName,
        heuristic: &dyn Heuristic,
        board: &Board,
        goal: &Board,
        console: &mut Console,
    ) -> Result<Searched> {
        let mut written = match self.trace && !self.question.json {
            true => console.line("number\tf\tg\th\tmove\tboard"),
            false => Ok(()),
        };
        let progress = Progress::endless(!console.is_quiet() && !self.trace);
        let searched = interruption::interruptible(|| {
            self.rules.run(algorithm, heuristic, board, goal, &progress, |expansion| {
                if self.trace && written.is_ok() {
                    written = self.trace(expansion, console);
                }
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        drop(progress);
        written?;
        Ok(searched)
    }

    /// Writes an expanded board as a line of the trace.
    fn trace(&self, expansion: &Expansion<'_>, console: &mut Console) -> Result<()> {
        let Expansion { number, board, step, f, g, h, .. } = *expansion;
        // The number of the tile that moved is read from the board before the move.
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

    fn print(&self, answer: &Statement<'_>, console: &mut Console) -> Result<()> {
        match (answer.status, &answer.moves, &answer.best, answer.solutions) {
            (Status::Invalid, ..) => console.line(format_args!("{}\tinvalid", answer.position))?,
            (Status::Solvable, _, Some(best), _) => {
                for BestMove { step, distance } in best {
                    console.line(format_args!("{step}\t{distance}"))?;
                }
            }
            (Status::Solvable, _, _, Some(solutions)) => console.line(solutions)?,
            (Status::Solvable, ..) if self.best || self.count => {
                // The user stopped the search for them.
                console.trouble();
                console.line(Status::Unknown.word())?;
            }
            (Status::Solvable, Some(moves), ..) => match &answer.boards {
                Some(boards) => {
                    for board in boards {
                        statement::print_board(board, self.notation, "", console)?;
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
