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
        match name.parse() {
            Ok(MoveNotation::Words) | Err(_) if name != "auto" => {
                Err("expected blank, tile, numbers or auto")
            }
            Ok(notation) => Ok(Self::Only(notation)),
            Err(_) => Ok(Self::Auto),
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

/// A verdict, and how the moves were read if not as the blank's way.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) outcome: Outcome,
    pub(super) remark: Option<String>,
}

/// The verdict in detail, and how the moves were read.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)?;
        self.remark.as_ref().map_or(Ok(()), |remark| write!(f, " ({remark})"))
    }
}

impl From<Outcome> for Finding {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remark: None }
    }
}

/// Judges what is said about a case in one or several claims: all must be right.
pub(super) fn judge(claims: &[impl AsRef<str>], case: &Case, convention: Convention) -> Finding {
    let mut first = None;
    for claim in claims {
        let finding = judge_one(claim.as_ref(), case, convention);
        if !finding.outcome.is_right() {
            return finding;
        }
        first.get_or_insert(finding);
    }
    first.unwrap_or_else(|| Outcome::Unreadable("nothing is claimed".to_owned()).into())
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
    // It may be right, only not in the way in which it was read.
    let others = [MoveNotation::Blank, MoveNotation::Tile, MoveNotation::Numbers];
    let others = others.into_iter().filter(|other| *other != chosen);
    let right = others.map(|other| (other, read(other))).find(|(_, outcome)| outcome.is_right());
    let auto = matches!(convention, Convention::Auto);
    let Some((other, right)) = right else {
        return match (outcome, read(MoveNotation::Numbers)) {
            // Numbers that lead nowhere are better than words that are nothing.
            (Outcome::Unreadable(_), tiles @ Outcome::Judged(_)) if auto => tiles.into(),
            (outcome, _) => outcome.into(),
        };
    };
    // A number alone is a length, unless it is said to be a tile.
    let is_length = claim.trim().parse::<u64>().is_ok();
    let (meaning, option) = match other {
        MoveNotation::Numbers => ("as the numbers of tiles", "numbers"),
        _ if is_length => ("as a length", "auto"),
        MoveNotation::Tile => ("as the ways of tiles", "tile"),
        _ => ("as the ways of the blank", "blank"),
    };
    if auto && !is_length {
        return Finding { outcome: right, remark: Some(format!("read {meaning}")) };
    }
    let remark = format!("{meaning} it would be {}: --moves {option}", right.name());
    Finding { outcome, remark: Some(remark) }
}
