//! The message: what processes send to one another in a round.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What one process sends to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Message {
    /// Words that were found for the receiver.
    Letter(#[serde(with = "serde_bytes")] Vec<u8>),
    /// How far the sender has come.
    Status(Status),
    /// The sender has written its part.
    Written(WrittenPart),
}

/// How far a process has come.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Status {
    /// How many boards it has found in the last level.
    pub(super) boards: u64,
    /// How many bytes it has sent so far.
    pub(super) sent: u64,
    /// The last level of which it has a checkpoint.
    pub(super) checkpoint: Option<u32>,
    /// Whether all processes write a checkpoint of the next level. Only the first process says so.
    pub(super) keep_next: bool,
}

/// A part that a process has written to a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WrittenPart {
    pub(super) process: usize,
    /// The name of the file, without its folder.
    pub(super) file: PathBuf,
    /// The checksum of the file.
    pub(super) checksum: u32,
    /// The checksum of the histogram, which has to be the same in all processes.
    pub(super) histogram: u32,
}

/// What one process has received in a round, as a sum over all processes.
#[derive(Default)]
pub(super) struct Round {
    /// How many boards the last level has.
    pub(super) boards: u64,
    /// How many bytes have been sent so far.
    pub(super) sent: u64,
    /// The last level of which all processes have a checkpoint.
    pub(super) checkpoint: Option<u32>,
    /// Whether all processes write a checkpoint of the next level.
    pub(super) keep_next: bool,
    /// Words for this process.
    pub(super) letters: Vec<Vec<u8>>,
}

impl Round {
    pub(super) fn of(messages: Vec<Message>) -> Self {
        let mut round = Self::default();
        let mut checkpoints: Vec<Option<u32>> = vec![];
        for message in messages {
            match message {
                Message::Letter(letter) => round.letters.push(letter),
                Message::Status(Status { boards, sent, checkpoint, keep_next }) => {
                    round.boards += boards;
                    round.sent += sent;
                    round.keep_next |= keep_next;
                    checkpoints.push(checkpoint);
                }
                Message::Written(_) => {}
            }
        }
        round.checkpoint = checkpoints.into_iter().min().flatten();
        round
    }
}
