//! The greeting: what a process says of itself before the work begins.
//!
//! It is JSON, and its length stands before it: four bytes, big-endian.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Greeting {
    program: String,
    /// The number of the process.
    pub(super) process: usize,
    /// What has to be the same in all processes: names and values.
    work: Vec<(String, String)>,
    /// The levels of which the process has a checkpoint to resume from.
    pub(super) levels: Vec<u32>,
    /// Whether the table is there already. Only the first process knows.
    pub(super) is_there: bool,
    /// In an answer: whether another process has called before with the number of the caller.
    pub(super) is_taken: bool,
}

/// Where two processes do not mean to do the same work.
pub(super) struct Difference {
    /// The name of what differs.
    pub(super) what: String,
    /// Its value in this process.
    pub(super) here: String,
    /// Its value in the other process.
    pub(super) there: String,
}

impl Greeting {
    const PROGRAM: &'static str = "tilebase";
    /// The length of the longest greeting that is read, in bytes.
    const MAX_BYTES: u32 = 1 << 16;
    /// How long sending or receiving may take.
    pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

    /// The greeting of a process.
    pub(super) fn new(
        process: usize,
        work: impl IntoIterator<Item = (&'static str, String)>,
        levels: Vec<u32>,
        is_there: bool,
    ) -> Self {
        let work = work.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { program: Self::PROGRAM.into(), process, work, levels, is_there, is_taken: false }
    }

    /// The same greeting, as an answer to a caller.
    pub(super) fn answer(&self, is_taken: bool) -> Self {
        Self { is_taken, ..self.clone() }
    }

    /// Where another process means to do other work than this one.
    pub(super) fn difference(&self, other: &Self) -> Option<Difference> {
        /// Text from another machine, in a form that can be shown.
        fn shown(text: &str) -> String {
            text.chars().take(40).flat_map(char::escape_debug).collect()
        }
        let mut pairs = self.work.iter().zip(&other.work);
        let none = (String::new(), String::new());
        let ((what, here), (_, there)) = match pairs.find(|(here, there)| here != there) {
            Some(pair) => pair,
            None if self.work.len() != other.work.len() => (self.work.first()?, &none),
            None => return None,
        };
        Some(Difference { what: what.clone(), here: shown(here), there: shown(there) })
    }

    /// Sends the greeting.
    pub(super) fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(Self::TIMEOUT))?;
        let text = serde_json::to_vec(self)?;
        let length = (text.len() as u32).to_be_bytes();
        stream.write_all(&[&length[..], &text].concat())
    }

    /// Reads a greeting.
    ///
    /// # Errors
    ///
    /// If something else comes, or if it does not come in time.
    pub(super) fn receive(stream: &TcpStream) -> io::Result<Self> {
        let end = Instant::now() + Self::TIMEOUT;
        let mut length = [0; 4];
        read_until(end, stream, &mut length)?;
        let length = u32::from_be_bytes(length);
        if length > Self::MAX_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length as usize];
        read_until(end, stream, &mut text)?;
        let greeting: Self = serde_json::from_slice(&text)?;
        if greeting.program == Self::PROGRAM {
            Ok(greeting)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// Fills a buffer, and fails if that is not done at the time `end`.
fn read_until(end: Instant, mut stream: &TcpStream, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => buffer = &mut buffer[read..],
        }
    }
    Ok(())
}
