//! Boards and moves as text.
//!
//! # The grammar
//!
//! A *line* is cut into *rows* of *words*. White space, commas, semicolons, bars, quotes and dashes separate words; a
//! dash before a digit, with no word directly before it, is a sign. Brackets of any kind and slashes end a row. In a
//! row of several words each word is a cell, and a decimal number. In a row of one word each character is a cell, and a
//! digit of base 36 in upper or lower case.
//!
//! The blank is `0`, `_`, `x`, `X`, `.`, `b`, `*`, a word of underscores, or the word in [`Notation::blank`]. A letter
//! whose value as a digit is less than the number of cells is that digit, and not the blank.
//!
//! A *paragraph* of lines is a position, in one of these *forms*:
//!
//! - *Alone*: one line with brackets or slashes, with as many cells as the [`Notation::shape`], or with more cells than
//!   a row can have. If no shape is given, a line with as many cells as a square (9, 16, 25, … 100) is alone too. After
//!   an open bracket the next lines belong to the paragraph. Several rows are the rows of the board. One row is a board
//!   of the given shape, or a square.
//! - *Size*: a number from 2 to 10 alone on the first line, then the square of that number of cells, with any line
//!   breaks. The board is a square.
//! - *Rows*: lines with equal numbers of cells, up to the next empty line or the end, or up to the last row of a given
//!   shape. The board has a row for each line.
//!
//! `#` begins a comment. Lines that have only a comment are ignored. But one `#` in a paragraph is the blank, if the
//! board is right with it and wrong without it.
//!
//! A paragraph is read in every form and with every meaning of `#` that it allows; the first that is complete and right
//! is taken. If all are wrong, the error is that of the first. A line that is a position alone ends a paragraph that it
//! does not complete, so an open bracket affects only its own paragraph. After an error in a line alone, reading goes
//! on at the next line. After any other error it goes on after the next empty line, or at the next line that is a
//! position alone.

pub(crate) mod error;
mod options;
mod paragraph;
mod reader;
mod sheet;
pub(crate) mod words;
pub(crate) mod write;

pub use error::{NotationError, NotationFlaw, RowLength, Sides};
pub use options::Notation;
pub use reader::{Position, Reader};
pub use write::{BoardNotation, MoveNotation, UnknownNotation};
