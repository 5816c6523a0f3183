//! How positions are written for a solver, and how its answers are read.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use regex::{Regex, RegexBuilder};

use crate::check::judge::Said;
use crate::template::Template;

/// A way of asking that many programs understand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) goal: &'static str,
    /// The only shape it is for, if there is one.
    pub(crate) shape: Option<&'static str>,
    /// A [`Template`].
    send: &'static str,
    answers: Reading,
}

/// How claims are found in what a solver prints.
#[derive(Clone, Copy, Debug)]
enum Reading {
    /// All that stands behind the last tab is the claim.
    Whole,
    /// By a pattern.
    Pattern(&'static str),
    /// As people say it, in one of many languages.
    Prose,
}

/// All of them; the first is used if none is named.
pub(crate) const PROTOCOLS: [Protocol; 9] = [
    // 867254301, and a length or moves; behind the last tab, if there is one.
    Protocol {
        name: "line",
        goal: "blank-last",
        shape: None,
        send: r"{digits}\n",
        answers: Reading::Whole,
    },
    // The same, and prose.
    Protocol {
        name: "prose",
        goal: "blank-last",
        shape: None,
        send: r"{digits}\n",
        answers: Reading::Prose,
    },
    // Three rows, and the length or -1: acmicpc.net 1525.
    Protocol {
        name: "boj1525",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{rows}\n",
        answers: Reading::Pattern(r"-?\d+"),
    },
    // A line with x for the blank, and the letters of the blank's way or `unsolvable`: poj.org 1077.
    Protocol {
        name: "poj1077",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{list:x}\n",
        answers: Reading::Pattern(r"(?i)\A\s*(unsolvable|[udlr]*)\s*\z"),
    },
    // [[1,2,3],[4,0,5]], and the length or -1: leetcode.com, 773.
    Protocol {
        name: "leetcode773",
        goal: "blank-last",
        shape: Some("2x3"),
        send: r"{json}\n",
        answers: Reading::Pattern(r"-?\d+"),
    },
    // The size, a number a line, and the length and words, a line each: HackerRank, N Puzzle.
    Protocol {
        name: "hackerrank",
        goal: "blank-first",
        shape: None,
        send: r"{size}\n{column}\n",
        answers: Reading::Pattern(
            r"(?is)\A\s*(?<length>\d+)\s*(?<moves>(?:(?:up|down|left|right)\s*)*)\z",
        ),
    },
    // The size, rows, and a line with the length: Princeton, COS 226, 8puzzle.
    Protocol {
        name: "princeton",
        goal: "blank-last",
        shape: None,
        send: r"{size}\n{rows}\n",
        answers: Reading::Pattern(r"(?i)moves\s*[=:]\s*(\d+)"),
    },
    // The size, rows, and prose: 42, n-puzzle.
    Protocol {
        name: "42",
        goal: "snail",
        shape: None,
        send: r"{size}\n{rows}\n",
        answers: Reading::Prose,
    },
    // The rows of the goal, those of the start, # for the blank, and prose.
    Protocol {
        name: "goal-start",
        goal: "blank-last",
        shape: None,
        send: r"{goal.rows:#}\n{rows:#}\n",
        answers: Reading::Prose,
    },
];

/// Words for what is counted, in a pattern.
macro_rules! moves {
    () => {
        "(?:moves?|steps?|length|depth|cost|移动次数|移动步数|步数|步數|步|手数|手|번|이동|movimientos|pasos|mouvements|coups\
         |züge|schritte|ходов|шагов|movimentos|passos|hamle|langkah)"
    };
}

/// Says of a board that it is unsolvable, wherever it stands in an answer.
const UNSOLVABLE: &str = "(?i)unsolvable|insolvable|insoluble|infeasible|not solvable|no solution\
    |no path (?:found|exists)|can ?not be solved|can[’']t be solved|无解|無解|没有解|不可解|不能到达|无法到达\
    |解なし|해가 없|풀 수 없|sin solución|no tiene solución|pas de solution|unlösbar|keine lösung\
    |nicht lösbar|нет решения|sem solução|insolúvel";

/// Numbers of moves in prose: `moves needed: 5`, `5 moves`, `depth 5`. All that is found must be one and the same.
const PROSE: [&str; 3] = [
    concat!("(?i)", moves!(), r"[^\d\n:=：]{0,30}(?:[:=：]|\bis\b|\bwas\b)[ \t]*(-?\d+)"),
    concat!(r"(?i)(-?\d+)[ \t]*", moves!()),
    r"(?i)\b(?:length|depth|cost)[ \t]+(\d+)",
];

impl FromStr for Protocol {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = PROTOCOLS.into_iter().find(|protocol| protocol.name == name);
        found.ok_or_else(|| {
            anyhow!("expected one of {}", PROTOCOLS.map(|protocol| protocol.name).join(", "))
        })
    }
}

impl Protocol {
    pub(crate) fn template(&self) -> Result<Template> {
        self.send.parse()
    }

    pub(crate) fn answers(&self) -> Result<Answers> {
        Answers::of(self.answers)
    }
}

/// A [`Reading`], ready to be used.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    reading: Patterns,
    unsolvable: Regex,
}

#[derive(Clone, Debug)]
enum Patterns {
    None,
    One(Regex),
    Prose(Vec<Regex>),
}

impl Answers {
    fn of(reading: Reading) -> Result<Self> {
        let reading = match reading {
            Reading::Whole => Patterns::None,
            Reading::Pattern(pattern) => Patterns::One(compile(pattern)?),
            Reading::Prose => {
                let patterns = PROSE.into_iter().map(compile);
                Patterns::Prose(patterns.collect::<Result<_>>()?)
            }
        };
        Ok(Self { reading, unsolvable: compile(UNSOLVABLE)? })
    }

    /// Answers that are found by a pattern, where that is found first. The claim is what the groups `length` and
    /// `moves` match, or the first group, or else all of it. If the group `unsolvable` matches, that is the claim; so it
    /// is if the pattern is not found, and the text says so in one of many languages.
    pub(crate) fn by(pattern: &str) -> Result<Self> {
        Ok(Self { reading: Patterns::One(compile(pattern)?), unsolvable: compile(UNSOLVABLE)? })
    }

    /// What is said in a text, or why that is nothing.
    pub(crate) fn said<'t>(&self, text: &'t str) -> Result<Vec<Said<'t>>, String> {
        let any = |text: &'t str| Said::Any(text.trim().into());
        let unsolvable = || vec![Said::Any("unsolvable".into())];
        let pattern = match &self.reading {
            Patterns::One(pattern) => pattern,
            Patterns::Prose(patterns) => return Ok(vec![any(self.in_prose(text, patterns)?)]),
            Patterns::None => {
                let claim = text.rsplit('\t').next().unwrap_or_default().trim();
                // Numbers and letters for moves have no such words in them, and more lines may say more.
                let is_plain = claim.bytes().all(|byte| b"0123456789UDLRudlr".contains(&byte));
                let is_line = !claim.contains('\n');
                let says_so = !is_plain && is_line && self.unsolvable.is_match(claim);
                return Ok(if says_so { unsolvable() } else { vec![any(claim)] });
            }
        };
        let Some(found) = pattern.captures(text) else {
            let says_so = self.unsolvable.is_match(text);
            return if says_so { Ok(unsolvable()) } else { Err(no_answer(text)) };
        };
        if found.name("unsolvable").is_some() {
            return Ok(unsolvable());
        }
        let moves = found.name("moves").map(|moves| any(moves.as_str()));
        let length = found.name("length").map(|length| Said::Length(length.as_str().trim().into()));
        let mut said: Vec<_> = moves.into_iter().chain(length).collect();
        if said.is_empty() {
            let claim = found.iter().flatten().nth(usize::from(found.len() > 1));
            said.push(any(claim.ok_or_else(|| no_answer(text))?.as_str()));
        }
        Ok(said)
    }

    /// What prose says: a number of moves, or that there are none. It must not say both, nor several.
    fn in_prose<'t>(&self, text: &'t str, patterns: &[Regex]) -> Result<&'t str, String> {
        let found = patterns.iter().flat_map(|pattern| pattern.captures_iter(text));
        let mut said: Vec<_> = found.filter_map(|found| Some(found.get(1)?.as_str())).collect();
        if self.unsolvable.is_match(text) {
            // Programs that found no move often count it.
            said.retain(|number| !matches!(*number, "0" | "-1"));
            said.push("unsolvable");
        }
        said.sort_unstable();
        said.dedup();
        match said.as_slice() {
            [] => Err(no_answer(text)),
            [only] => Ok(only),
            [one, other, ..] => Err(format!("it may say {one} or {other}: say by --answer which")),
        }
    }
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

/// The end of a text, which is where answers stand.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let text = text.trim();
    match text.char_indices().nth_back(LONGEST) {
        Some((start, _)) => format!("…{}", &text[start..]),
        None => text.to_owned(),
    }
}
