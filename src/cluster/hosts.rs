//! The hosts: where the processes of a cluster listen.

use std::{fs, io, path::Path, str::FromStr};

/// The addresses of all processes, in the order of their numbers.
///
/// In a file, as timely has it: a line for each, `HOST:PORT`. Empty lines, and what follows a `#`, mean nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

/// What is wrong with a list of hosts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostsError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is none.
    #[error("names no host; expected a line HOST:PORT for each process")]
    Empty,
    /// A line is no address.
    #[error("line {line}: {text:?} is not an address; expected HOST:PORT, such as 10.0.0.1:2101")]
    Address {
        /// Which, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// Two lines are the same.
    #[error("line {line}: {text} stands there twice; each process wants its own address")]
    Twice {
        /// The second of them, from 1.
        line: usize,
        /// The address.
        text: String,
    },
}

impl Hosts {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is anything but a list of hosts.
    pub fn read(path: &Path) -> Result<Self, HostsError> {
        /// No list is longer.
        const MOST: u64 = 1 << 20;
        let metadata = fs::metadata(path)?;
        // Opening a pipe would wait for its writer, and a device may never end.
        if !metadata.is_file() || metadata.len() > MOST {
            return Err(io::Error::other("it is no text file of a megabyte at most").into());
        }
        fs::read_to_string(path)?.parse()
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The address of a process, by its number from 0.
    pub(super) fn address(&self, process: usize) -> &str {
        &self.0[process]
    }
}

impl FromStr for Hosts {
    type Err = HostsError;

    fn from_str(text: &str) -> Result<Self, HostsError> {
        let mut hosts: Vec<String> = vec![];
        let text = text.trim_start_matches('\u{feff}');
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default().trim().to_owned();
            if text.is_empty() {
                continue;
            }
            let is_address = text.rsplit_once(':').is_some_and(|(host, port)| {
                !host.is_empty()
                    && !host.contains(|c: char| c.is_whitespace() || c.is_control())
                    && port.parse::<u16>().is_ok_and(|port| port > 0)
            });
            if !is_address {
                return Err(HostsError::Address { line, text });
            }
            if hosts.contains(&text) {
                return Err(HostsError::Twice { line, text });
            }
            hosts.push(text);
        }
        if hosts.is_empty() { Err(HostsError::Empty) } else { Ok(Self(hosts)) }
    }
}
