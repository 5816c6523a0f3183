//! Listening to the library while it works: shows progress, prints notes, and passes on an interruption.

use std::ops::ControlFlow;

use tilebase::{Event, Listener, pattern::SolverProgress, tablebase::quantity::Count};

use crate::{console::Console, interruption, progress::Progress};

/// Asks the library, and listens until the answer is there.
///
/// From the first event on, an interruption stops the work cleanly. A look-up in a table sends no events, so an
/// interruption exits the program at once.
pub(crate) fn listening<T>(console: &mut Console, ask: impl FnOnce(Listener<'_>) -> T) -> T {
    let (mut work, mut good_order) = (Work::None, None);
    let mut listener = |event: Event<'_>| {
        good_order.get_or_insert_with(interruption::GoodOrder::begin);
        work.hear(event, console);
        go_on()
    };
    ask(&mut listener)
}

/// Continues, or breaks after an interruption.
pub(crate) fn go_on() -> ControlFlow<()> {
    if interruption::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The current work, with its progress.
enum Work {
    None,
    Build(Progress),
    Search(Progress),
}

impl Work {
    fn hear(&mut self, event: Event<'_>, console: &mut Console) {
        let is_wanted = !console.is_quiet();
        match event {
            Event::Note(note) => {
                *self = Self::None;
                console.note(note);
            }
            Event::Level(advance) => {
                if !matches!(self, Self::Build(_)) {
                    *self = Self::Build(Progress::uneven(advance.all, is_wanted));
                }
                if let Self::Build(progress) = self {
                    progress.advance(&advance);
                }
            }
            Event::Search(SolverProgress { at_least: moves, expanded, .. }) => {
                if !matches!(self, Self::Search(_)) {
                    *self = Self::Search(Progress::endless(is_wanted));
                }
                if let Self::Search(progress) = self {
                    progress.step(|| {
                        let [moves, expanded] = [u64::from(moves), expanded].map(Count);
                        format!("at least {moves} moves, {expanded} boards expanded")
                    });
                }
            }
            _ => {}
        }
    }
}
