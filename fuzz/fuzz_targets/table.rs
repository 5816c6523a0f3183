//! Any bytes are a table or an error; a table answers and is proved without a panic.
//!
//! Checksums would keep the fuzzer from everything behind them, so the target makes them right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase::{Oracle, Table};

const PAGE: usize = 4096;
const BLOCK: usize = 65536;

fuzz_target!(|bytes: &[u8]| {
    let _ = Table::from_bytes(bytes.to_vec());
    let mut bytes = bytes.to_vec();
    seal(&mut bytes);
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

fn seal(bytes: &mut [u8]) {
    let crc = |bytes: &[u8]| crc32fast::hash(bytes).to_le_bytes();
    if bytes.len() < PAGE + 4 {
        return;
    }
    let (page, rest) = bytes.split_at_mut(PAGE);
    let payload = u64::from_le_bytes(page[28..36].try_into().expect("eight bytes"));
    let (fields, own) = page.split_at_mut(PAGE - 4);
    own.copy_from_slice(&crc(fields));
    let payload = usize::try_from(payload).unwrap_or(usize::MAX);
    if payload.saturating_add(4) > rest.len() {
        return;
    }
    let (payload, list) = rest.split_at_mut(payload);
    let (checksums, own) = list.split_at_mut(list.len() - 4);
    for (block, checksum) in payload.chunks(BLOCK).zip(checksums.chunks_exact_mut(4)) {
        checksum.copy_from_slice(&crc(block));
    }
    own.copy_from_slice(&crc(checksums));
}
