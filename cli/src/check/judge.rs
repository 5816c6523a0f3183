//! The judge: what is said about a board, read under the conventions for moves, and the finding.

use tilebase::{Claim, MoveNotation, Verdict, judge::ClaimError};

use crate::check::{
    assertion::Assertion,
    case::Case,
    convention::Convention,
    finding::{Finding, Remark},
    reply::Reply,
    ruling::Ruling,
};

/// Judges a reply. All its assertions must be right, and agree.
pub(crate) fn judge(reply: &Reply<'_>, case: &Case, convention: Convention) -> Finding {
    let said = match &reply.said {
        Ok(said) => said,
        Err(failure) => return Ruling::Failure(failure.clone()).into(),
    };
    let mut findings = said.iter().map(|assertion| judge_one(assertion, case, convention));
    let Some(first) = findings.next() else {
        return Ruling::unreadable("there is no claim".to_owned()).into();
    };
    if !first.ruling.is_right() {
        return first;
    }
    let agrees = |other: &Finding| match (&first.ruling, &other.ruling) {
        (
            Ruling::Verdict(Verdict::Unknown { moves }),
            Ruling::Verdict(Verdict::Unknown { moves: others }),
        ) => moves == others,
        (_, other) => other.is_right(),
    };
    let Some(other) = findings.find(|other| !agrees(other)) else { return first };
    let beside = format!("beside {:?}, which is {}", said[0].text(), first.ruling.label());
    match other.ruling.is_right() {
        false => Finding { remark: Some(Remark::Also(beside)), ..other },
        true => Ruling::unreadable(format!("{}, {beside}", other.ruling)).into(),
    }
}

fn judge_one(assertion: &Assertion<'_>, case: &Case, convention: Convention) -> Finding {
    match assertion {
        Assertion::Claim(text) => judge_claim(text, case, convention),
        Assertion::Length(text) => match read(text, case, MoveNotation::Blank) {
            claim @ Ok(Claim::Length(_) | Claim::Unsolvable) => rule(claim, case).into(),
            _ => Ruling::unreadable(format!("{text:?} is no length")).into(),
        },
    }
}

fn judge_claim(text: &str, case: &Case, convention: Convention) -> Finding {
    let (usual, auto) = match convention {
        Convention::Auto => (MoveNotation::Blank, true),
        Convention::Only(notation) => (notation, false),
    };
    let claim = read(text, case, usual);
    let is_length = matches!(claim, Ok(Claim::Length(_)));
    let is_path = matches!(&claim, Ok(Claim::Moves(path)) if !path.is_empty());
    let ruling = rule(claim, case);
    if ruling.is_right() {
        // A solver keeps to one convention, so it matters whether another one would do.
        let is_only = || !rule(read(text, case, MoveNotation::Tile), case).is_right();
        let remark = (auto && is_path && is_only()).then_some(Remark::BlankOnly);
        return Finding { ruling, remark };
    }
    let Some(better) = Reading::better(text, case, usual, &ruling) else { return ruling.into() };
    // A number alone is a length, unless the user says that it is a tile.
    if auto && !is_length {
        return Finding { ruling: better.ruling, remark: Some(Remark::Read(better.meaning)) };
    }
    let Reading { ruling: other, meaning, option } = better;
    let remark = format!("{meaning} it would be {}: --moves {option}", other.label());
    Finding { ruling, remark: Some(Remark::Also(remark)) }
}

/// A claim, read by another notation than the usual one.
struct Reading {
    ruling: Ruling,
    /// The words for the notation.
    meaning: &'static str,
    /// The value of `--moves` that selects the notation.
    option: &'static str,
}

impl Reading {
    /// The best reading, if one is better than the `ruling` by the `usual` notation. Of equal ones, the first.
    fn better(text: &str, case: &Case, usual: MoveNotation, ruling: &Ruling) -> Option<Self> {
        let others = [MoveNotation::Blank, MoveNotation::Tile, MoveNotation::Numbers];
        let readings = others
            .into_iter()
            .filter(|notation| *notation != usual)
            .map(|notation| Self::by(notation, text, case))
            .filter(|reading| reading.ruling.merit() > ruling.merit());
        // Of equal elements, `max_by_key` gives the last.
        readings.rev().max_by_key(|reading| reading.ruling.merit())
    }

    fn by(notation: MoveNotation, text: &str, case: &Case) -> Self {
        let claim = read(text, case, notation);
        let (meaning, option) = match notation {
            _ if matches!(claim, Ok(Claim::Length(_))) => ("as a length", "auto"),
            MoveNotation::Numbers => ("as the numbers of tiles", "numbers"),
            MoveNotation::Tile => ("as the ways of tiles", "tile"),
            _ => ("as the ways of the blank", "blank"),
        };
        Self { ruling: rule(claim, case), meaning, option }
    }
}

fn read(text: &str, case: &Case, notation: MoveNotation) -> Result<Claim, ClaimError> {
    Claim::read(text, case.board.shape(), notation)
}

fn rule(claim: Result<Claim, ClaimError>, case: &Case) -> Ruling {
    match claim {
        Ok(claim) => Ruling::Verdict(claim.judge(&case.board, &case.goal, case.truth)),
        Err(error) => Ruling::unreadable(error.to_string()),
    }
}
