//! The hosts: where the processes of a cluster listen.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The addresses of all processes, in the order of their numbers.
///
/// As text, each has a line `HOST:PORT`. Empty lines are ignored, and so is everything after a `#`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

/// Why there is no list of hosts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct HostsError {
    /// The file of the list, if it was read from a file.
    pub path: Option<PathBuf>,
    /// What is wrong with the list. The message contains it.
    pub flaw: HostsFlaw,
}

/// What is wrong with a list of hosts.
#[derive(Debug)]
#[non_exhaustive]
pub enum HostsFlaw {
    /// The file cannot be read.
    Io(io::Error),
    /// There is no host in the list.
    Empty,
    /// A line is not an address.
    Address {
        /// The number of the line, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// Two lines are the same.
    Duplicate {
        /// The number of the second line, from 1.
        line: usize,
        /// The address.
        text: String,
    },
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: ", path.display())?,
            None => f.write_str("the list of hosts: ")?,
        }
        match &self.flaw {
            HostsFlaw::Io(error) => write!(f, "cannot be read: {error}"),
            HostsFlaw::Empty => {
                f.write_str("names no host; expected a line HOST:PORT for each process")
            }
            HostsFlaw::Address { line, text } => write!(
                f,
                "line {line}: {text:?} is not an address; expected HOST:PORT, such as 10.0.0.1:2101"
            ),
            HostsFlaw::Duplicate { line, text } => write!(
                f,
                "line {line}: {text} stands there twice; each process wants its own address"
            ),
        }
    }
}

impl From<HostsFlaw> for HostsError {
    fn from(flaw: HostsFlaw) -> Self {
        Self { path: None, flaw }
    }
}

impl Hosts {
    /// Reads the list from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a list of hosts.
    pub fn read(path: &Path) -> Result<Self, HostsError> {
        let of_path = |flaw| HostsError { path: Some(path.into()), flaw };
        let text = read_text(path).map_err(|error| of_path(HostsFlaw::Io(error)))?;
        Self::parse(&text).map_err(of_path)
    }

    fn parse(text: &str) -> Result<Self, HostsFlaw> {
        let mut hosts: Vec<String> = vec![];
        let text = text.trim_start_matches('\u{feff}');
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default().trim().to_owned();
            if text.is_empty() {
                continue;
            }
            if !is_address(&text) {
                return Err(HostsFlaw::Address { line, text });
            }
            if hosts.contains(&text) {
                return Err(HostsFlaw::Duplicate { line, text });
            }
            hosts.push(text);
        }
        if hosts.is_empty() { Err(HostsFlaw::Empty) } else { Ok(Self(hosts)) }
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
        Ok(Self::parse(text)?)
    }
}

/// Whether a text is `HOST:PORT`.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains(|c: char| c.is_whitespace() || c.is_control())
            && port.parse::<u16>().is_ok_and(|port| port > 0)
    })
}

/// Reads a short text file.
fn read_text(path: &Path) -> io::Result<String> {
    /// The length of the longest file that is read, in bytes.
    const MAX_BYTES: u64 = 1 << 20;
    let metadata = fs::metadata(path)?;
    // Opening a pipe would wait for its writer, and a device may never end.
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(io::Error::other("it is no text file of a megabyte at most"));
    }
    fs::read_to_string(path)
}
