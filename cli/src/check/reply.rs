//! A reply to the question for the distance of a position.

use std::time::Duration;

use crate::check::{assertion::Assertion, failure::Failure};

/// What is said about a position, in a line of claims or by a solver.
#[derive(Clone, Debug)]
pub(crate) struct Reply<'t> {
    /// All assertions, or the failure that came instead. No assertion is a wrong answer, too.
    pub(crate) said: Result<Vec<Assertion<'t>>, Failure>,
    /// The time that a solver took.
    pub(crate) time: Option<Duration>,
}

impl<'t> Reply<'t> {
    /// A reply of the input, without a time.
    pub(crate) fn untimed(said: Vec<Assertion<'t>>) -> Self {
        Self { said: Ok(said), time: None }
    }

    /// What is said, or nothing after a failure.
    pub(crate) fn assertions(&self) -> &[Assertion<'t>] {
        self.said.as_deref().unwrap_or_default()
    }

    /// The reply with its texts cut, which saves memory after it has been judged. Many replies may wait to be written.
    pub(crate) fn shortened(self) -> Reply<'static> {
        let short = |assertion: Assertion<'_>| assertion.map(|text| shortened(&text));
        let said = self.said.map(|said| said.into_iter().map(short).collect());
        Reply { said, time: self.time }
    }
}

/// A text, cut to a length that suits a report.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 1000;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
