//! Any text is a board or an error, and a board is read back from what it is written as.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase::{Board, Shape};

fuzz_target!(|input: (Option<(u8, u8)>, &str)| {
    let (sides, text) = input;
    let shape = sides.and_then(|(rows, cols)| Shape::new(rows.into(), cols.into()).ok());
    match Board::parse(text, shape) {
        Ok(board) => {
            let again = Board::parse(&board.to_string(), Some(board.shape()));
            assert_eq!(again.as_ref(), Ok(&board));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
