//! The judge: what is said about a board, read under the conventions for moves, and its verdict.

use std::{fmt, str::FromStr};

use tilebase::{Claim, MoveNotation, Verdict};

use super::cases::Case;

/// How moves are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Convention {
    /// In whatever way they come out right.
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

/// What has come of a position that was put to a solver.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Judged(Verdict),
    /// The answer, or the position, makes no sense: why.
    Unreadable(String),
    /// The solver died, and how.
    Crashed(String),
    /// The solver did not answer in time, and what it did.
    TimedOut(String),
}

impl Outcome {
    /// The names of all verdicts, in the order in which they are counted.
    pub(super) const NAMES: [&str; 11] = [
        "optimal",
        "unknown",
        "longer",
        "impossible",
        "illegal",
        "unfinished",
        "wrongly unsolvable",
        "wrongly solvable",
        "unreadable",
        "crashed",
        "timed out",
    ];

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Judged(verdict) => verdict.name(),
            Self::Unreadable(_) => "unreadable",
            Self::Crashed(_) => "crashed",
            Self::TimedOut(_) => "timed out",
        }
    }

    pub(super) fn is_right(&self) -> bool {
        matches!(self, Self::Judged(verdict) if verdict.is_right())
    }

    /// How good an answer is: right, a solution at least, a claim at least, or none.
    fn merit(&self) -> u8 {
        match self {
            Self::Judged(verdict) if verdict.is_right() => 3,
            Self::Judged(Verdict::Longer { .. }) => 2,
            Self::Judged(_) => 1,
            _ => 0,
        }
    }

    /// How many moves too many a solution has; 0 for one that is right.
    pub(super) fn excess(&self) -> Option<u64> {
        match self {
            Self::Judged(Verdict::Longer { by, .. }) => Some(*by),
            _ => None,
        }
    }
}

/// The verdict in detail.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Judged(verdict) => verdict.fmt(f),
            Self::Unreadable(why) | Self::Crashed(why) | Self::TimedOut(why) => f.write_str(why),
        }
    }
}

/// A verdict, and how else the moves were read, or can be.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) outcome: Outcome,
    pub(super) remark: Option<Remark>,
}

#[derive(Clone, Debug)]
pub(super) enum Remark {
    /// How they were read, if not as the ways of the blank.
    Read(&'static str),
    /// What would come of it if they were read otherwise.
    WouldBe(String),
    /// What else was claimed.
    Beside(String),
}

/// The verdict in detail.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)?;
        match &self.remark {
            None => Ok(()),
            Some(Remark::Read(meaning)) => write!(f, " (read {meaning})"),
            Some(Remark::WouldBe(verdict) | Remark::Beside(verdict)) => write!(f, " ({verdict})"),
        }
    }
}

impl From<Outcome> for Finding {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remark: None }
    }
}

/// Judges what is said about a case in one or several claims: all must be right.
pub(super) fn judge(claims: &[impl AsRef<str>], case: &Case, convention: Convention) -> Finding {
    let mut findings = claims.iter().map(|claim| judge_one(claim.as_ref(), case, convention));
    let Some(first) = findings.next() else {
        return Outcome::Unreadable("there is no claim".to_owned()).into();
    };
    if !first.outcome.is_right() {
        return first;
    }
    match findings.find(|finding| !finding.outcome.is_right()) {
        None => first,
        Some(wrong) => {
            let remark =
                format!("beside {:?}, which is {}", claims[0].as_ref(), first.outcome.name());
            Finding { remark: Some(Remark::Beside(remark)), ..wrong }
        }
    }
}

fn judge_one(claim: &str, case: &Case, convention: Convention) -> Finding {
    let Case { board, goal, truth } = case;
    let read = |notation| match Claim::read(claim, board.shape(), notation) {
        Ok(claim) => Outcome::Judged(claim.judge(board, goal, *truth)),
        Err(error) => Outcome::Unreadable(error.to_string()),
    };
    let chosen = match convention {
        Convention::Auto => MoveNotation::Blank,
        Convention::Only(notation) => notation,
    };
    let outcome = read(chosen);
    if outcome.is_right() {
        return outcome.into();
    }
    // It may be better, only not in the way in which it was read.
    let others = [MoveNotation::Blank, MoveNotation::Tile, MoveNotation::Numbers];
    let others =
        others.into_iter().filter(|other| *other != chosen).map(|other| (other, read(other)));
    let better = others.filter(|(_, other)| other.merit() > outcome.merit());
    // Of several that are as good, the first.
    let Some((other, better)) = better.rev().max_by_key(|(_, other)| other.merit()) else {
        return outcome.into();
    };
    // A number alone is a length, unless it is said to be a tile.
    let is_length = claim.trim().parse::<u64>().is_ok();
    let (meaning, option) = match other {
        MoveNotation::Numbers => ("as the numbers of tiles", "numbers"),
        _ if is_length => ("as a length", "auto"),
        MoveNotation::Tile => ("as the ways of tiles", "tile"),
        _ => ("as the ways of the blank", "blank"),
    };
    if matches!(convention, Convention::Auto) && !is_length {
        return Finding { outcome: better, remark: Some(Remark::Read(meaning)) };
    }
    let remark = format!("{meaning} it would be {}: --moves {option}", better.name());
    Finding { outcome, remark: Some(Remark::WouldBe(remark)) }
}
