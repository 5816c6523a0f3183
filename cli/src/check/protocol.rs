//! Protocols: how positions are written for a solver, and how its answers are read.

use std::str::FromStr;

use anyhow::{Result, anyhow};

use crate::{
    check::answers::{AnswerFormat, AnswerReader},
    template::Template,
};

/// A protocol that many programs follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) goal: &'static str,
    /// The only shape that the protocol is for, if there is one.
    pub(crate) shape: Option<&'static str>,
    /// A [`Template`].
    send: &'static str,
    answers: AnswerFormat<'static>,
}

/// All protocols. The first is used if none is named.
pub(crate) const PROTOCOLS: [Protocol; 9] = [
    // Out: 867254301. In: a length or moves, after the last tab if there is one.
    Protocol {
        name: "line",
        goal: "blank-last",
        shape: None,
        send: r"{digits}\n",
        answers: AnswerFormat::Whole,
    },
    // Out: 867254301. In: prose.
    Protocol {
        name: "prose",
        goal: "blank-last",
        shape: None,
        send: r"{digits}\n",
        answers: AnswerFormat::Prose,
    },
    // Out: three rows. In: the length or -1. This is acmicpc.net 1525.
    Protocol {
        name: "boj1525",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{rows}\n",
        answers: AnswerFormat::Pattern(r"-?\d+"),
    },
    // Out: a line with x for the blank. In: the moves of the blank or `unsolvable`. This is poj.org 1077.
    Protocol {
        name: "poj1077",
        goal: "blank-last",
        shape: Some("3x3"),
        send: r"{list:x}\n",
        answers: AnswerFormat::Pattern(r"(?i)\A\s*(unsolvable|[udlr]*)\s*\z"),
    },
    // Out: [[1,2,3],[4,0,5]]. In: the length or -1. This is leetcode.com 773.
    Protocol {
        name: "leetcode773",
        goal: "blank-last",
        shape: Some("2x3"),
        send: r"{json}\n",
        answers: AnswerFormat::Pattern(r"-?\d+"),
    },
    // Out: the size, then a number a line. In: the length, then a word a line. This is N Puzzle of HackerRank.
    Protocol {
        name: "hackerrank",
        goal: "blank-first",
        shape: None,
        send: r"{size}\n{column}\n",
        answers: AnswerFormat::Pattern(
            r"(?is)\A\s*(?<length>\d+)\s*(?<moves>(?:(?:up|down|left|right)\s*)*)\z",
        ),
    },
    // Out: the size, then the rows. In: a line with the length. This is 8puzzle of COS 226 at Princeton.
    Protocol {
        name: "princeton",
        goal: "blank-last",
        shape: None,
        send: r"{size}\n{rows}\n",
        answers: AnswerFormat::Pattern(r"(?i)moves\s*[=:]\s*(\d+)"),
    },
    // Out: the size, then the rows. In: prose. This is n-puzzle of the school 42.
    Protocol {
        name: "42",
        goal: "snail",
        shape: None,
        send: r"{size}\n{rows}\n",
        answers: AnswerFormat::Prose,
    },
    // Out: the rows of the goal, then those of the start, with # for the blank. In: prose.
    Protocol {
        name: "goal-start",
        goal: "blank-last",
        shape: None,
        send: r"{goal.rows:#}\n{rows:#}\n",
        answers: AnswerFormat::Prose,
    },
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

    pub(crate) fn answers(&self) -> Result<AnswerReader> {
        AnswerReader::new(self.answers)
    }
}
