//! A failure to give an answer that can be judged.

use std::fmt;

use crate::stream::mishap::Mishap;

/// What a solver did instead of an answer, in words.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The answer, or the position, makes no sense.
    Unreadable(String),
    /// The solver failed before it answered.
    Crashed(String),
    /// The solver did not answer in time.
    TimedOut(String),
}

impl From<Mishap> for Failure {
    fn from(mishap: Mishap) -> Self {
        match mishap {
            Mishap::Ended(ending) if !ending.status.success() => Self::Crashed(ending.to_string()),
            Mishap::Ended(_) | Mishap::Long(_) => Self::Unreadable(mishap.to_string()),
            Mishap::Late(_) => Self::TimedOut(mishap.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unreadable(why) | Self::Crashed(why) | Self::TimedOut(why)) = self;
        f.write_str(why)
    }
}
