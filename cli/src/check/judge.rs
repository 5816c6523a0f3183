//! The judge: what is said about a board, read under the conventions for moves, and its verdict.

use std::{borrow::Cow, fmt, str::FromStr};

use tilebase::{Claim, ClaimError, MoveNotation, Verdict};

use crate::check::cases::Case;

/// How moves are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Convention {
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
pub(crate) enum Outcome {
    Judged(Verdict),
    /// The answer, or the position, makes no sense: why.
    Unreadable(String),
    /// The solver died, and how.
    Crashed(String),
    /// The solver did not answer in time, and what it did.
    TimedOut(String),
}

/// The kinds of verdicts, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
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

impl Kind {
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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Outcome {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Judged(verdict) => match verdict {
                Verdict::Optimal { .. } => Kind::Optimal,
                Verdict::Unknown { .. } => Kind::Unknown,
                Verdict::Longer { .. } => Kind::Longer,
                Verdict::Impossible { .. } => Kind::Impossible,
                Verdict::Illegal { .. } => Kind::Illegal,
                Verdict::Unfinished { .. } => Kind::Unfinished,
                Verdict::WronglyUnsolvable { .. } => Kind::WronglyUnsolvable,
                Verdict::WronglySolvable => Kind::WronglySolvable,
            },
            Self::Unreadable(_) => Kind::Unreadable,
            Self::Crashed(_) => Kind::Crashed,
            Self::TimedOut(_) => Kind::TimedOut,
        }
    }

    pub(crate) fn is_right(&self) -> bool {
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
    pub(crate) fn excess(&self) -> Option<u64> {
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
pub(crate) struct Finding {
    pub(crate) outcome: Outcome,
    pub(crate) remark: Option<Remark>,
}

#[derive(Clone, Debug)]
pub(crate) enum Remark {
    /// They are right as the ways of the blank only.
    Blank,
    /// How they were read, if not as the ways of the blank.
    Read(&'static str),
    /// What would come of it if they were read otherwise, or what else was claimed.
    Also(String),
}

/// The verdict in detail.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)?;
        match &self.remark {
            None | Some(Remark::Blank) => Ok(()),
            Some(Remark::Read(meaning)) => write!(f, " (read {meaning})"),
            Some(Remark::Also(remark)) => write!(f, " ({remark})"),
        }
    }
}

impl From<Outcome> for Finding {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remark: None }
    }
}

/// One thing that is said about a position.
#[derive(Clone, Debug)]
pub(crate) enum Said<'t> {
    /// A claim of any kind.
    Any(Cow<'t, str>),
    /// How many moves there are.
    Length(Cow<'t, str>),
}

impl Said<'_> {
    pub(crate) fn into_owned(self) -> Said<'static> {
        match self {
            Self::Any(text) => Said::Any(text.into_owned().into()),
            Self::Length(text) => Said::Length(text.into_owned().into()),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Any(text) | Self::Length(text) => text,
        }
    }
}

/// Judges all that is said about a case: all must be right, and agree.
pub(crate) fn judge(said: &[Said<'_>], case: &Case, convention: Convention) -> Finding {
    let mut findings = said.iter().map(|said| judge_one(said, case, convention));
    let Some(first) = findings.next() else {
        return Outcome::Unreadable("there is no claim".to_owned()).into();
    };
    if !first.outcome.is_right() {
        return first;
    }
    let agrees = |other: &Finding| match (&first.outcome, &other.outcome) {
        (
            Outcome::Judged(Verdict::Unknown { moves }),
            Outcome::Judged(Verdict::Unknown { moves: others }),
        ) => moves == others,
        _ => other.outcome.is_right(),
    };
    let Some(other) = findings.find(|other| !agrees(other)) else { return first };
    let beside = format!("beside {:?}, which is {}", said[0].text(), first.outcome.kind());
    match other.outcome.is_right() {
        false => Finding { remark: Some(Remark::Also(beside)), ..other },
        true => Outcome::Unreadable(format!("{}, {beside}", other.outcome)).into(),
    }
}

fn judge_one(said: &Said<'_>, case: &Case, convention: Convention) -> Finding {
    let Case { board, goal, truth } = case;
    let judged = |claim: Result<Claim, _>| match claim {
        Ok(claim) => Outcome::Judged(claim.judge(board, goal, *truth)),
        Err(error) => Outcome::Unreadable(ClaimError::to_string(&error)),
    };
    let read = |notation| Claim::read(said.text(), board.shape(), notation);
    let usual = match (said, convention) {
        (Said::Length(text), _) => {
            return match read(MoveNotation::Blank) {
                claim @ Ok(Claim::Length(_) | Claim::Unsolvable) => judged(claim).into(),
                _ => Outcome::Unreadable(format!("{text:?} is no length")).into(),
            };
        }
        (_, Convention::Auto) => MoveNotation::Blank,
        (_, Convention::Only(notation)) => notation,
    };
    let claim = read(usual);
    let is_length = matches!(claim, Ok(Claim::Length(_)));
    let is_path = matches!(&claim, Ok(Claim::Moves(path)) if !path.is_empty());
    let outcome = judged(claim);
    let auto = matches!(convention, Convention::Auto);
    if outcome.is_right() {
        // Whether it could have been meant otherwise tells whether a solver keeps to one convention.
        let only = auto && is_path && !judged(read(MoveNotation::Tile)).is_right();
        return Finding { outcome, remark: only.then_some(Remark::Blank) };
    }
    // It may be better, only not in the way in which it was read.
    let others = [MoveNotation::Blank, MoveNotation::Tile, MoveNotation::Numbers];
    let others = others.into_iter().filter(|other| *other != usual);
    let better = others.map(|other| (other, read(other))).map(|(other, claim)| {
        let is_length = matches!(claim, Ok(Claim::Length(_)));
        (other, is_length, judged(claim))
    });
    let better = better.filter(|(.., other)| other.merit() > outcome.merit());
    // Of several that are as good, the first.
    let Some((other, as_length, better)) = better.rev().max_by_key(|(.., other)| other.merit())
    else {
        return outcome.into();
    };
    let (meaning, option) = match other {
        _ if as_length => ("as a length", "auto"),
        MoveNotation::Numbers => ("as the numbers of tiles", "numbers"),
        MoveNotation::Tile => ("as the ways of tiles", "tile"),
        _ => ("as the ways of the blank", "blank"),
    };
    // A number alone is a length, unless it is said to be a tile.
    if auto && !is_length {
        return Finding { outcome: better, remark: Some(Remark::Read(meaning)) };
    }
    let remark = format!("{meaning} it would be {}: --moves {option}", better.kind());
    Finding { outcome, remark: Some(Remark::Also(remark)) }
}
