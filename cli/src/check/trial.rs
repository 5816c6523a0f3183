//! The trial: findings are counted, shown and summed up.

use std::{fmt, ops::ControlFlow};

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use tilebase::{Board, Tablebase};

use crate::check::{
    case::Case,
    finding::Finding,
    judgement::Judgement,
    reply::Reply,
    ruling::Ruling,
    summary::{Summary, SummaryJson},
};
use crate::{console::Console, listening::listening};

/// Which verdicts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    All,
    Failed,
    None,
}

/// The judging of one position after another.
pub(crate) struct Trial {
    show: Show,
    json: bool,
    fail_fast: bool,
    pub(crate) summary: Summary,
}

impl Trial {
    pub(crate) fn new(show: Show, json: bool, fail_fast: bool) -> Self {
        Self { show, json, fail_fast, summary: Summary::default() }
    }

    /// Counts a finding, and gives its line if it is to be shown.
    pub(crate) fn count<'f>(
        &mut self,
        case: &'f Case,
        reply: &Reply<'_>,
        finding: &'f Finding,
        tablebase: &Tablebase,
        console: &mut Console,
    ) -> Result<Option<FindingLine<'f>>> {
        let is_right = finding.ruling.is_right();
        if !is_right {
            console.no();
        }
        let distance = case.distance();
        let is_smallest = self.summary.add(finding, Some(&case.board), distance, reply.time);
        let is_shown = self.show == Show::All || self.show == Show::Failed && !is_right;
        let is_written = is_smallest || is_shown && self.json;
        // Most findings need no more than this.
        if !is_written {
            return Ok(is_shown.then_some(FindingLine::Text(&case.board, finding)));
        }
        let solution = match distance {
            Some(_) if !is_right => {
                listening(console, |listener| tablebase.solve(&case.board, listener))?.solution
            }
            _ => None,
        };
        let judgement = Judgement::new(case, reply, finding, solution.as_deref());
        let line = match self.json {
            true => FindingLine::Json(serde_json::to_string(&judgement)?),
            false => FindingLine::Text(&case.board, finding),
        };
        if is_smallest {
            self.summary.keep(judgement);
        }
        Ok(is_shown.then_some(line))
    }

    /// Counts a text that is no position, and complains about it.
    pub(crate) fn reject(
        &mut self,
        text: &str,
        complaint: &str,
        console: &mut Console,
    ) -> Result<ControlFlow<()>> {
        console.error(complaint);
        let judgement = Judgement::of_none(text, complaint);
        if self.show != Show::None {
            match self.json {
                true => console.json(&judgement)?,
                false => {
                    let Judgement { position, verdict, detail, .. } = &judgement;
                    console.line(format_args!("{position}\t{verdict}\t{detail}"))?;
                }
            }
        }
        let finding = Ruling::unreadable(complaint.to_owned()).into();
        if self.summary.add(&finding, None, None, None) {
            self.summary.keep(judgement);
        }
        Ok(self.next())
    }

    /// Whether to judge the next position.
    pub(crate) fn next(&self) -> ControlFlow<()> {
        match self.fail_fast && self.summary.failed() > 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Writes the summary.
    pub(crate) fn finish(&self, console: &mut Console) -> Result<()> {
        #[derive(Serialize)]
        struct Last<'r> {
            report: SummaryJson<'r>,
        }
        if self.summary.is_mixed() {
            console.no();
            console.note(
                "some moves are right as the ways of the blank only, and some as those of tiles: \
                 a solver keeps to one; --moves says which",
            );
        }
        if self.json {
            return console.json(&Last { report: self.summary.json() });
        }
        console.report(&self.summary);
        Ok(())
    }
}

/// The line about a finding.
pub(crate) enum FindingLine<'f> {
    Text(&'f Board, &'f Finding),
    Json(String),
}

impl fmt::Display for FindingLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(board, finding) => {
                board.fmt(f)?;
                f.write_str("\t")?;
                f.write_str(finding.ruling.label().name())?;
                f.write_str("\t")?;
                finding.fmt(f)
            }
            Self::Json(text) => f.write_str(text),
        }
    }
}
