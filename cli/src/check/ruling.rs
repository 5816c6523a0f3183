//! The ruling on a reply: a verdict, or a failure.

use std::fmt;

use tilebase::Verdict;

use crate::check::failure::Failure;

/// The verdict on a claim, or why there is no claim to judge.
#[derive(Clone, Debug)]
pub(crate) enum Ruling {
    Verdict(Verdict),
    Failure(Failure),
}

impl Ruling {
    /// The ruling on a claim that cannot be read, and why.
    pub(crate) fn unreadable(why: String) -> Self {
        Self::Failure(Failure::Unreadable(why))
    }

    pub(crate) fn label(&self) -> Label {
        match self {
            Self::Verdict(verdict) => match verdict {
                Verdict::Optimal { .. } => Label::Optimal,
                Verdict::Unknown { .. } => Label::Unknown,
                Verdict::Longer { .. } => Label::Longer,
                Verdict::Impossible { .. } => Label::Impossible,
                Verdict::Illegal { .. } => Label::Illegal,
                Verdict::Unfinished { .. } => Label::Unfinished,
                Verdict::WronglyUnsolvable { .. } => Label::WronglyUnsolvable,
                Verdict::WronglySolvable => Label::WronglySolvable,
            },
            Self::Failure(failure) => match failure {
                Failure::Unreadable(_) => Label::Unreadable,
                Failure::Crashed(_) => Label::Crashed,
                Failure::TimedOut(_) => Label::TimedOut,
            },
        }
    }

    pub(crate) fn is_right(&self) -> bool {
        matches!(self, Self::Verdict(verdict) if verdict.is_right())
    }

    /// How good an answer is, from 3 for a right one and 2 for a solution that is too long to 0 for no claim at all.
    pub(crate) fn merit(&self) -> u8 {
        match self {
            Self::Verdict(verdict) if verdict.is_right() => 3,
            Self::Verdict(Verdict::Longer { .. }) => 2,
            Self::Verdict(_) => 1,
            Self::Failure(_) => 0,
        }
    }

    /// The number of moves that a solution has too many, if it is too long.
    pub(crate) fn excess(&self) -> Option<u64> {
        match self {
            Self::Verdict(Verdict::Longer { by, .. }) => Some(*by),
            _ => None,
        }
    }
}

/// The ruling in detail.
impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(verdict) => verdict.fmt(f),
            Self::Failure(failure) => failure.fmt(f),
        }
    }
}

/// The word for a ruling, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    Optimal,
    Unknown,
    Longer,
    Impossible,
    Illegal,
    Unfinished,
    WronglyUnsolvable,
    WronglySolvable,
    Unreadable,
    Crashed,
    TimedOut,
}

impl Label {
    pub(crate) const ALL: [Self; 11] = [
        Self::Optimal,
        Self::Unknown,
        Self::Longer,
        Self::Impossible,
        Self::Illegal,
        Self::Unfinished,
        Self::WronglyUnsolvable,
        Self::WronglySolvable,
        Self::Unreadable,
        Self::Crashed,
        Self::TimedOut,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Unknown => "unknown",
            Self::Longer => "longer",
            Self::Impossible => "impossible",
            Self::Illegal => "illegal",
            Self::Unfinished => "unfinished",
            Self::WronglyUnsolvable => "wrongly unsolvable",
            Self::WronglySolvable => "wrongly solvable",
            Self::Unreadable => "unreadable",
            Self::Crashed => "crashed",
            Self::TimedOut => "timed out",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
