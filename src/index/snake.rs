//! The snake: the order in which places are numbered.
//!
//! It runs through row 0 from left to right, through row 1 from right to left, and so on.
//!
//! ```text
//! 0 > 1 > 2
//!         v
//! 5 < 4 < 3
//! v
//! 6 > 7 > 8
//! ```

use crate::puzzle::shape::Shape;

/// The place along the snake of each cell of a shape.
pub(crate) fn places(shape: Shape) -> Vec<usize> {
    let place = |cell: usize| {
        let (row, col) = (cell / shape.cols(), cell % shape.cols());
        let along = if row % 2 == 0 { col } else { shape.cols() - 1 - col };
        row * shape.cols() + along
    };
    (0..shape.cells()).map(place).collect()
}
