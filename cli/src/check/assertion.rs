//! The assertion: one thing that is said about a position.

use std::borrow::Cow;

/// The text of a claim, and whether it must be a length.
#[derive(Clone, Debug)]
pub(crate) enum Assertion<'t> {
    /// A claim of any kind.
    Claim(Cow<'t, str>),
    /// A number of moves.
    Length(Cow<'t, str>),
}

impl Assertion<'_> {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Claim(text) | Self::Length(text) => text,
        }
    }

    /// The assertion, with its text changed by `change`.
    pub(crate) fn map(self, change: impl FnOnce(Cow<'_, str>) -> String) -> Assertion<'static> {
        match self {
            Self::Claim(text) => Assertion::Claim(change(text).into()),
            Self::Length(text) => Assertion::Length(change(text).into()),
        }
    }
}
