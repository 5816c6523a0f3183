//! What the judge finds about a reply.

use std::fmt;

use crate::check::ruling::Ruling;

/// A ruling, and a remark on how moves were read.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) ruling: Ruling,
    pub(crate) remark: Option<Remark>,
}

#[derive(Clone, Debug)]
pub(crate) enum Remark {
    /// The moves are right only if they are those of the blank.
    BlankOnly,
    /// How the moves were read, if not as those of the blank.
    Read(&'static str),
    /// What the ruling would be if the moves were read otherwise, or what else was claimed.
    Also(String),
}

impl From<Ruling> for Finding {
    fn from(ruling: Ruling) -> Self {
        Self { ruling, remark: None }
    }
}

/// The ruling in detail.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ruling.fmt(f)?;
        match &self.remark {
            None | Some(Remark::BlankOnly) => Ok(()),
            Some(Remark::Read(meaning)) => write!(f, " (read {meaning})"),
            Some(Remark::Also(remark)) => write!(f, " ({remark})"),
        }
    }
}
