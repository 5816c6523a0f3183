//! What can keep a program from answering.

use std::{fmt, time::Duration};

use crate::process::ending::Ending;

/// Why there is no answer to a line.
#[derive(Clone, Debug)]
pub(crate) enum Mishap {
    /// The program ended before it answered.
    Ended(Ending),
    /// There was no answer in this time.
    Late(Duration),
    /// The answer has more bytes than this.
    Long(usize),
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended(ending) if ending.status.success() => {
                f.write_str("the program ended without an answer")
            }
            Self::Ended(ending) => write!(f, "the program ended without an answer: {ending}"),
            Self::Late(timeout) => write!(f, "after {timeout:?}, it printed nothing"),
            Self::Long(longest) => write!(f, "it printed more than {} KiB", longest / 1024),
        }
    }
}
