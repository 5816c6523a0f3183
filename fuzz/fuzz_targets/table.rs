//! Any bytes are a table, a pattern database or an error. A table or a database gives answers and is proved without a
//! panic.
//!
//! Wrong checksums would stop the fuzzer at the first check, so the target makes the checksums right.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tilebase::{
    Move,
    pattern::{PatternDatabase, PatternSolver},
    table::{Oracle, Table, TableFile},
};

#[path = "../../tests/forge/mod.rs"]
mod forge;

fuzz_target!(|bytes: &[u8]| {
    let _ = TableFile::from_bytes(bytes.to_vec());
    let mut bytes = bytes.to_vec();
    forge::seal(&mut bytes);
    let Ok(file) = TableFile::from_bytes(bytes) else { return };
    let goal = file.header().orbit.goal();
    if file.header().partition.is_some() {
        let database = PatternDatabase::try_from(file).expect("it is of patterns");
        let _ = database.verify(1);
        let solver = PatternSolver::new(database, &goal).expect("its own goal");
        let mut board = goal;
        for step in [Move::Up, Move::Left, Move::Up, Move::Right, Move::Down, Move::Left] {
            board = board.step(step).unwrap_or(board);
            let _ = solver.solve_watched(&board, |bound| match bound.expanded > 10_000 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
        }
    } else {
        // A part of a table is not a table.
        let Ok(table) = Table::try_from(file) else { return };
        let _ = table.verify(1);
        let oracle = Oracle::new(table, &goal).expect("the table's own goal");
        for board in oracle.boards(..).take(1000) {
            let Ok((board, _)) = board else { continue };
            let _ = (oracle.solution(&board), oracle.best_moves(&board));
        }
    }
});
