//! How positions are written for a solver, and how its answers are read.

use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail};
use regex::{Regex, RegexBuilder};
use tilebase::Board;

/// A way of asking that many programs understand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Protocol {
    pub(super) name: &'static str,
    pub(super) goal: &'static str,
    /// The only shape it is for, if there is one.
    pub(super) shape: Option<&'static str>,
    /// A [`Template`].
    send: &'static str,
    /// What answers look like, tried in order; see [`Answers`].
    answers: &'static [&'static str],
}

/// All of them; the first is used if none is named.
pub(super) const PROTOCOLS: [Protocol; 8] = [
    // 867254301, and a length or moves; behind the last tab, if there is one.
    Protocol { name: "line", goal: "blank-last", shape: None, send: r"{digits}\n", answers: &[] },
    // Three rows, and the length or -1: acmicpc.net 1525.
    Protocol {
        name: "boj1525",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{rows}\n",
        answers: &[r"-?\d+"],
    },
    // A line with x for the blank, and the letters of the blank's way or `unsolvable`: poj.org 1077.
    Protocol {
        name: "poj1077",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{list:x}\n",
        answers: &[r"(?i)\A\s*(unsolvable|[udlr]*)\s*\z"],
    },
    // [[1,2,3],[4,0,5]], and the length or -1: leetcode.com, 773.
    Protocol {
        name: "leetcode773",
        goal: "blank-last",
        shape: Some("2x3"),
        send: r"{json}\n",
        answers: &[r"-?\d+"],
    },
    // The size, a number a line, and the length and words, a line each: HackerRank, N Puzzle.
    Protocol {
        name: "hackerrank",
        goal: "blank-first",
        shape: None,
        send: r"{size}\n{column}\n",
        answers: &[r"(?is)\A\s*(?<length>\d+)\s*(?<moves>(?:(?:up|down|left|right)\s*)*)\z"],
    },
    // The size, rows, and a line with the length: Princeton, COS 226, 8puzzle.
    Protocol {
        name: "princeton",
        goal: "blank-last",
        shape: None,
        send: r"{size}\n{rows}\n",
        answers: &[r"(?i)moves\s*[=:]\s*(\d+)"],
    },
    // The size, rows, and prose: 42, n-puzzle.
    Protocol { name: "42", goal: "snail", shape: None, send: r"{size}\n{rows}\n", answers: PROSE },
    // The rows of the goal, those of the start, # for the blank, and prose.
    Protocol {
        name: "goal-start",
        goal: "blank-last",
        shape: None,
        send: r"{goal.rows:#}\n{rows:#}\n",
        answers: PROSE,
    },
];

/// A word for moves, in a pattern.
macro_rules! moves {
    () => {
        "(?:moves?|steps?|length|移动次数|移动步数|步数|步數|步|手数|手|번|이동|movimientos|pasos|mouvements\
         |coups|züge|schritte|ходов|шагов|movimentos|passos|hamle|langkah)"
    };
}

/// Says of a board that it is unsolvable, wherever it stands in an answer.
macro_rules! unsolvable {
    () => {
        "(?:unsolvable|insolvable|insoluble|not (?:be )?(?:solvable|solved)|no solution|can ?not (?:be )?(?:solve|reach)\
         |can[’']t (?:be )?(?:solve|reach)|impossible|unreachable|无解|無解|没有解|无法|不可解|不能到达|解なし|해가 없\
         |풀 수 없|불가능|sin solución|no tiene solución|pas de solution|unlösbar|keine lösung|nicht lösbar\
         |нет решения|sem solução|insolúvel)"
    };
}

/// Prose that says how many moves there are, at its end rather than at its start: it may list the moves.
const PROSE: &[&str] = &[
    concat!("(?i)(?<unsolvable>", unsolvable!(), ")"),
    concat!(r"(?is)\A.*", moves!(), r"[^\d\n]{0,30}[:=：]\s*(\d+)"),
    concat!(r"(?is)\A.*?(\d+)\s*", moves!()),
    concat!(r"(?is)\A.*", moves!(), r"[^\d\n]{0,30}?(\d+)"),
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
    pub(super) fn template(&self) -> Result<Template> {
        self.send.parse()
    }

    pub(super) fn answers(&self) -> Result<Answers> {
        Answers::new(self.answers)
    }
}

/// What is sent: a text with placeholders.
#[derive(Clone, Debug)]
pub(super) struct Template(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    /// How many rows the board has.
    Size,
    Board {
        form: Form,
        goal: bool,
        blank: String,
    },
}

/// How the cells of a board are written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Digits,
    List,
    Rows,
    DigitRows,
    Column,
    Json,
}

impl Form {
    const ALL: [(&'static str, Self); 6] = [
        ("digits", Self::Digits),
        ("list", Self::List),
        ("rows", Self::Rows),
        ("digit-rows", Self::DigitRows),
        ("column", Self::Column),
        ("json", Self::Json),
    ];

    /// What stands between two cells, between two rows, and around a row and all of them.
    fn marks(self) -> [&'static str; 4] {
        match self {
            Self::Digits => ["", "", "", ""],
            Self::List => [" ", " ", "", ""],
            Self::Rows => [" ", "\n", "", ""],
            Self::DigitRows => ["", "\n", "", ""],
            Self::Column => ["\n", "\n", "", ""],
            Self::Json => [",", ",", "[", "]"],
        }
    }

    /// Adds a board to a text.
    fn write(self, board: &Board, blank: &str, text: &mut String) {
        let [cell, row, open, close] = self.marks();
        let digits = matches!(self, Self::Digits | Self::DigitRows);
        // Beyond the digits there are, numbers have to be told apart.
        let compact = digits && board.tiles().len() <= 36;
        let cell = if digits && !compact { "," } else { cell };
        let row = if row.is_empty() { cell } else { row };
        let cols = board.shape().cols();
        text.push_str(open);
        for (number, &tile) in board.tiles().iter().enumerate() {
            let first = number % cols == 0;
            text.push_str(match number {
                0 => "",
                _ if first => row,
                _ => cell,
            });
            text.push_str(if first { open } else { "" });
            match char::from_digit(tile.into(), 36).filter(|_| compact || tile < 10) {
                _ if tile == 0 => text.push_str(blank),
                Some(digit) => text.push(digit.to_ascii_uppercase()),
                None => text.push_str(&tile.to_string()),
            }
            text.push_str(if number % cols == cols - 1 { close } else { "" });
        }
        text.push_str(close);
    }
}

impl FromStr for Template {
    type Err = anyhow::Error;

    fn from_str(template: &str) -> Result<Self> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(first) = rest.chars().next() {
            let (taken, escaped) = match rest.get(..2) {
                Some(r"\n") => (2, "\n"),
                Some(r"\t") => (2, "\t"),
                Some(r"\\") => (2, r"\"),
                Some("{{") => (2, "{"),
                Some("}}") => (2, "}"),
                _ if first == '{' => (0, ""),
                _ => (first.len_utf8(), &rest[..first.len_utf8()]),
            };
            text.push_str(escaped);
            rest = &rest[taken..];
            if taken == 0 {
                let (name, behind) = rest[1..]
                    .split_once('}')
                    .with_context(|| format!("{rest:?} has no }}; a brace of its own is {{{{"))?;
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(name.parse()?);
                rest = behind;
            }
        }
        parts.push(Part::Text(text));
        Ok(Self(parts))
    }
}

impl FromStr for Part {
    type Err = anyhow::Error;

    /// The inside of a placeholder: `size`, or a form with `goal.` before and `:BLANK` behind.
    fn from_str(name: &str) -> Result<Self> {
        if name == "size" {
            return Ok(Self::Size);
        }
        let (board, blank) = name.split_once(':').unwrap_or((name, "0"));
        let (goal, form) = match board.strip_prefix("goal.") {
            Some(form) => (true, form),
            None => (false, board),
        };
        match Form::ALL.into_iter().find(|(name, _)| *name == form) {
            Some((_, form)) => Ok(Self::Board { form, goal, blank: blank.to_owned() }),
            None => bail!(
                "{{{name}}} is no placeholder: expected {{size}} or one of {}, such as {{rows}}, {{rows:#}} with # \
                 for the blank, or {{goal.rows}}; a brace of its own is {{{{",
                Form::ALL.map(|(name, _)| name).join(", ")
            ),
        }
    }
}

impl Template {
    pub(super) fn fill(&self, board: &Board, goal: &Board) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Size => text.push_str(&board.shape().rows().to_string()),
                Part::Board { form, goal: true, blank } => form.write(goal, blank, &mut text),
                Part::Board { form, goal: false, blank } => form.write(board, blank, &mut text),
            }
        }
        text
    }
}

/// How claims are found in what a solver prints: by patterns, of which the first that is found counts. Without a
/// pattern, all that stands behind the last tab is the claim.
///
/// The claim is what the groups `length` and `moves` match, or the first group, or else all of it. If the
/// group `unsolvable` matches, that is the claim; so it is if no pattern is found, and the text says so in one
/// of many languages.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    patterns: Vec<Regex>,
    unsolvable: Regex,
}

impl Answers {
    pub(super) fn new(patterns: &[&str]) -> Result<Self> {
        let compile = |pattern: &&str| {
            RegexBuilder::new(pattern).multi_line(true).build().map_err(|error| {
                anyhow!(
                    "{pattern:?} is no regular expression: {}",
                    error.to_string().replace('\n', " ")
                )
            })
        };
        let unsolvable = compile(&concat!("(?i)", unsolvable!()))?;
        Ok(Self { patterns: patterns.iter().map(compile).collect::<Result<_>>()?, unsolvable })
    }

    /// The claims in a text; none if there is no answer in it.
    pub(super) fn claims<'t>(&self, text: &'t str) -> Vec<&'t str> {
        if self.patterns.is_empty() {
            return text.rsplit('\t').take(1).map(str::trim).collect();
        }
        let Some(found) = self.patterns.iter().find_map(|pattern| pattern.captures(text)) else {
            return if self.unsolvable.is_match(text) { vec!["unsolvable"] } else { vec![] };
        };
        if found.name("unsolvable").is_some() {
            return vec!["unsolvable"];
        }
        let named: Vec<_> =
            ["moves", "length"].iter().filter_map(|name| found.name(name)).collect();
        let claims = match named.as_slice() {
            [] => found.iter().flatten().nth(usize::from(found.len() > 1)).into_iter().collect(),
            _ => named,
        };
        claims.iter().map(|claim| claim.as_str().trim()).collect()
    }
}
