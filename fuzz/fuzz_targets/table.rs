//! Any bytes are a table or an error; a table answers and is proved without a panic.
//!
//! Checksums would keep the fuzzer from everything behind them, so the target makes them right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase::{Oracle, Table};

#[path = "../../tests/forge/mod.rs"]
mod forge;

fuzz_target!(|bytes: &[u8]| {
    let _ = Table::from_bytes(bytes.to_vec());
    let mut bytes = bytes.to_vec();
    forge::seal(&mut bytes);
    if let Ok(table) = Table::from_bytes(bytes) {
        let _ = table.verify(1);
        let goal = table.header().orbit.goal();
        let oracle = Oracle::new(table, &goal).expect("the table's own goal");
        for board in oracle.boards(..).take(1000) {
            let Ok((board, _)) = board else { continue };
            let _ = (oracle.solution(&board), oracle.best_moves(&board));
        }
    }
});
