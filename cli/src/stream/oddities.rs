//! What a program did beside its answers that the user should know.

use crate::console::Console;

/// What was odd about a program that answered lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Oddities {
    /// The number of times that the program was started again.
    pub(crate) restarts: usize,
    /// Whether the program was seen to print more lines than it was sent.
    pub(crate) surplus: bool,
}

impl Oddities {
    /// Adds the oddities of another process that ran the same program.
    pub(crate) fn add(&mut self, other: Self) {
        self.restarts += other.restarts;
        self.surplus |= other.surplus;
    }

    /// Tells the user.
    pub(crate) fn complain(self, console: &mut Console) {
        if self.surplus {
            console.error(
                "the program printed more lines than it was sent, so its answers may have been taken for the wrong \
                 positions: expected one line for each, and none before",
            );
        }
        if self.restarts > 0 {
            let restarts = self.restarts;
            console.note(format_args!(
                "the program ended or hung before it had answered all; restarts: {restarts}"
            ));
        }
    }
}
