//! Any text is read to its end and gives boards and errors, in the order of their lines. A board that is written in any
//! notation is read back as the same board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase::{BoardNotation, Notation, Shape, notation::Reader};

fuzz_target!(|input: (Option<(u8, u8)>, Option<String>, &str)| {
    let (sides, blank, text) = input;
    let shape = sides.and_then(|(rows, cols)| Shape::new(rows.into(), cols.into()).ok());
    let mut reader = Reader::new(Notation { shape, blank });
    let mut positions: Vec<_> = text.lines().flat_map(|line| reader.line(line)).collect();
    positions.extend(reader.end());
    assert!(positions.is_sorted_by_key(|position| position.line));
    for position in positions {
        match position.board {
            Ok(board) => {
                use BoardNotation::{Digits, List, Normal, Rows};
                for notation in [Normal, Rows, List, Digits] {
                    let text = notation.show(&board).to_string();
                    assert_eq!(
                        Notation::of(board.shape()).read(&text).as_ref(),
                        Ok(&board),
                        "{text}"
                    );
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
