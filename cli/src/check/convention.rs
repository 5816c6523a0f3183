//! The convention by which moves are read.

use std::str::FromStr;

use tilebase::MoveNotation;

/// How moves are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Convention {
    /// In the way in which they turn out best.
    Auto,
    Only(MoveNotation),
}

impl FromStr for Convention {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "auto" => Ok(Self::Auto),
            "blank" => Ok(Self::Only(MoveNotation::Blank)),
            "tile" => Ok(Self::Only(MoveNotation::Tile)),
            "numbers" => Ok(Self::Only(MoveNotation::Numbers)),
            _ => Err("expected blank, tile, numbers or auto"),
        }
    }
}
