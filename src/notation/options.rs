//! The options with which positions are read.

use crate::{
    notation::words,
    puzzle::{board::Board, shape::Shape},
};

/// How positions are read: the shape and the blank's word, if they are known before.
///
/// ```
/// use tilebase::Notation;
///
/// let nine_is_blank = Notation { blank: Some("9".to_owned()), ..Notation::default() };
/// assert_eq!(nine_is_blank.read("8 6 7/2 5 4/3 9 1")?.to_string(), "867254301");
/// # Ok::<(), tilebase::NotationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// The shape of the positions, if it is known. A position of another shape is an error.
    pub shape: Option<Shape>,
    /// Another word for the blank, beside those of the [grammar](crate::notation).
    pub blank: Option<String>,
}

impl Notation {
    /// The notation of positions of one shape.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        Self { shape: Some(shape), blank: None }
    }

    /// Whether a text is one word of the grammar. Only such a text can be [`blank`](Self::blank).
    #[must_use]
    pub fn is_word(text: &str) -> bool {
        let rows = words::rows(text, 1);
        matches!(rows.concat().as_slice(), [word] if word.text == text)
    }

    /// The board of a text that has one digit for each cell and nothing else. Most texts are of this kind, so it is
    /// tried before the whole grammar.
    pub(super) fn compact(&self, text: &str) -> Option<Board> {
        let shape = match (self.shape, text.len()) {
            (Some(shape), _) => shape,
            (None, 9) => Shape::new(3, 3).ok()?,
            (None, 16) => Shape::new(4, 4).ok()?,
            _ => return None,
        };
        if text.len() != shape.cells() || self.blank.is_some() {
            return None;
        }
        let mut tiles = [0; Shape::MAX_CELLS];
        for (tile, byte) in tiles.iter_mut().zip(text.bytes()) {
            *tile = char::from(byte).to_digit(36)? as u8;
        }
        Board::new(shape, &tiles[..text.len()]).ok()
    }
}
