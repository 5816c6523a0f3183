//! The answers of a solver: how the claims in what it prints are found.

use anyhow::{Result, anyhow};
use regex::{Regex, RegexBuilder};

use crate::check::{assertion::Assertion, prose};

/// Where the claim stands in an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnswerFormat<'p> {
    /// Everything after the last tab.
    Whole,
    /// Where a regular expression first matches.
    ///
    /// The claims are what the groups `length` and `moves` match, or else the first group, or else the whole match.
    /// If the group `unsolvable` matches, that is the claim.
    Pattern(&'p str),
    /// A number of moves in a text for people, in one of many languages.
    Prose,
}

/// Reads the answers of a format.
///
/// In every format, words for `unsolvable` in one of many languages are a claim, if there is no other.
#[derive(Clone, Debug)]
pub(crate) struct AnswerReader {
    patterns: Patterns,
    unsolvable: Regex,
}

/// The compiled patterns of a format.
#[derive(Clone, Debug)]
enum Patterns {
    Whole,
    One(Regex),
    Prose(Vec<Regex>),
}

impl AnswerReader {
    /// # Errors
    ///
    /// If the pattern is no regular expression.
    pub(crate) fn new(format: AnswerFormat<'_>) -> Result<Self> {
        let patterns = match format {
            AnswerFormat::Whole => Patterns::Whole,
            AnswerFormat::Pattern(pattern) => Patterns::One(compile(pattern)?),
            AnswerFormat::Prose => {
                let patterns = prose::MOVES.into_iter().map(compile);
                Patterns::Prose(patterns.collect::<Result<_>>()?)
            }
        };
        Ok(Self { patterns, unsolvable: compile(prose::UNSOLVABLE)? })
    }

    /// The assertions in an answer, or why there are none.
    pub(crate) fn read<'t>(&self, answer: &'t str) -> Result<Vec<Assertion<'t>>, String> {
        match &self.patterns {
            Patterns::Whole => Ok(vec![self.in_whole(answer)]),
            Patterns::One(pattern) => self.by_pattern(answer, pattern),
            Patterns::Prose(patterns) => Ok(vec![claim(self.in_prose(answer, patterns)?)]),
        }
    }

    fn in_whole<'t>(&self, answer: &'t str) -> Assertion<'t> {
        let text = answer.rsplit('\t').next().unwrap_or_default().trim();
        // Saves the search for words in numbers and letters of moves. Several lines may say more than one word.
        let is_plain = text.bytes().all(|byte| b"0123456789UDLRudlr".contains(&byte));
        let is_line = !text.contains('\n');
        match !is_plain && is_line && self.unsolvable.is_match(text) {
            true => unsolvable(),
            false => claim(text),
        }
    }

    fn by_pattern<'t>(
        &self,
        answer: &'t str,
        pattern: &Regex,
    ) -> Result<Vec<Assertion<'t>>, String> {
        let Some(found) = pattern.captures(answer) else {
            let is_unsolvable = self.unsolvable.is_match(answer);
            return if is_unsolvable { Ok(vec![unsolvable()]) } else { Err(no_answer(answer)) };
        };
        if found.name("unsolvable").is_some() {
            return Ok(vec![unsolvable()]);
        }
        let moves = found.name("moves").map(|moves| claim(moves.as_str()));
        let length = found.name("length");
        let length = length.map(|length| Assertion::Length(length.as_str().trim().into()));
        let mut said: Vec<_> = moves.into_iter().chain(length).collect();
        if said.is_empty() {
            let only = found.iter().flatten().nth(usize::from(found.len() > 1));
            said.push(claim(only.ok_or_else(|| no_answer(answer))?.as_str()));
        }
        Ok(said)
    }

    /// The claim in prose: a number of moves, or that there are none. Several different claims are an error.
    fn in_prose<'t>(&self, answer: &'t str, patterns: &[Regex]) -> Result<&'t str, String> {
        let found = patterns.iter().flat_map(|pattern| pattern.captures_iter(answer));
        let mut said: Vec<_> = found.filter_map(|found| Some(found.get(1)?.as_str())).collect();
        if self.unsolvable.is_match(answer) {
            // Many programs that find no solution print such a number of moves, too.
            said.retain(|number| !matches!(*number, "0" | "-1"));
            said.push("unsolvable");
        }
        said.sort_unstable();
        said.dedup();
        match said.as_slice() {
            [] => Err(no_answer(answer)),
            [only] => Ok(only),
            [one, other, ..] => Err(format!("it may say {one} or {other}: say by --answer which")),
        }
    }
}

fn claim(text: &str) -> Assertion<'_> {
    Assertion::Claim(text.trim().into())
}

fn unsolvable<'t>() -> Assertion<'t> {
    Assertion::Claim("unsolvable".into())
}

fn compile(pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern).multi_line(true).build().map_err(|error| {
        let error = error.to_string().replace('\n', " ");
        anyhow!("{pattern:?} is no regular expression: {error}")
    })
}

fn no_answer(text: &str) -> String {
    format!("there is no answer in {:?}", excerpt(text))
}

/// The end of a text, because that is where answers stand.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let text = text.trim();
    match text.char_indices().nth_back(LONGEST) {
        Some((start, _)) => format!("…{}", &text[start..]),
        None => text.to_owned(),
    }
}
