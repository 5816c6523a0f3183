//! The trial: verdicts counted, shown and reported.

use std::{fmt, ops::ControlFlow, time::Duration};

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use tilebase::Board;

use crate::check::{
    cases::Case,
    judge::{Finding, Outcome},
    judgement::Judgement,
    report::{Facts, Report},
};
use crate::{
    console::Console,
    question::{Expert, Oracles},
};

/// Which verdicts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    All,
    Failed,
    None,
}

/// The judging of one position after another.
pub(crate) struct Trial {
    pub(crate) oracles: Oracles,
    show: Show,
    json: bool,
    fail_fast: bool,
    pub(crate) report: Report,
}

impl Trial {
    pub(crate) fn new(oracles: Oracles, show: Show, json: bool, fail_fast: bool) -> Self {
        Self { oracles, show, json, fail_fast, report: Report::default() }
    }

    /// Counts a finding, and gives the line that tells of it, if it is to be shown.
    pub(crate) fn rule<'f, 'c>(
        &mut self,
        case: &'f Case,
        claims: impl Iterator<Item = &'c str>,
        finding: &'f Finding,
        time: Option<Duration>,
        console: &mut Console,
    ) -> Result<Option<Line<'f>>> {
        let is_right = finding.outcome.is_right();
        if !is_right {
            console.no();
        }
        let distance = case.distance();
        let is_smallest = self.report.add(finding, Some(&case.board), distance, time);
        let is_shown = self.show == Show::All || self.show == Show::Failed && !is_right;
        let mut line = is_shown.then_some(Line::Finding(&case.board, finding));
        // Most verdicts need no more than that.
        if is_smallest || is_shown && self.json {
            let solution = match self.oracles.expert(case.board.shape(), console) {
                Some(Expert::Table(oracle)) if !is_right => oracle.solution(&case.board)?,
                Some(Expert::Patterns(patterns)) if !is_right && distance.is_some() => {
                    let (report, _) = patterns.solve(&case.board, None, console)?;
                    report.path().map(<[_]>::to_vec)
                }
                _ => None,
            };
            let judgement = Judgement::new(case, claims, finding, solution.as_deref(), time);
            if is_shown && self.json {
                line = Some(Line::Text(serde_json::to_string(&judgement)?));
            }
            if is_smallest {
                self.report.keep(judgement);
            }
        }
        Ok(line)
    }

    /// Counts what is no position, and says so.
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
        let finding = Outcome::Unreadable(complaint.to_owned()).into();
        if self.report.add(&finding, None, None, None) {
            self.report.keep(judgement);
        }
        Ok(self.next())
    }

    /// Whether to go on.
    pub(crate) fn next(&self) -> ControlFlow<()> {
        match self.fail_fast && self.report.failed() > 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Reports on all that was judged.
    pub(crate) fn finish(&self, console: &mut Console) -> Result<()> {
        if self.report.is_mixed() {
            console.no();
            console.note(
                "some moves are right as the ways of the blank only, and some as those of tiles: a solver keeps to one; \
                 --moves says which",
            );
        }
        #[derive(Serialize)]
        struct Last<'r> {
            report: Facts<'r>,
        }
        if self.json {
            return console.json(&Last { report: self.report.facts() });
        }
        console.report(&self.report);
        Ok(())
    }
}

/// What is written about a position.
pub(crate) enum Line<'f> {
    Finding(&'f Board, &'f Finding),
    Text(String),
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding(board, finding) => {
                board.fmt(f)?;
                f.write_str("\t")?;
                f.write_str(finding.outcome.kind().name())?;
                f.write_str("\t")?;
                finding.fmt(f)
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}
