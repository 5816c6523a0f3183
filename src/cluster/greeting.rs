//! The greeting: all processes find one another, and see that they mean to do the same work.
//!
//! Each listens at its own address and calls those with lower numbers. Then either sends a greeting, in JSON with its length
//! before it, and reads the other's. Whoever calls and is none of them is not listened to.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream, ToSocketAddrs},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{ClusterError, Hosts};
use crate::{Encoding, Orbit};

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Greeting {
    program: String,
    pub(super) process: usize,
    /// What has to be the same for all, by name.
    work: Vec<(String, String)>,
    /// The levels of which there are checkpoints to go on from.
    pub(super) levels: Vec<u32>,
}

impl Greeting {
    const PROGRAM: &'static str = "tilebase";
    /// None is longer.
    const MOST: u32 = 1 << 16;

    pub(super) fn new(
        process: usize,
        hosts: &Hosts,
        orbit: Orbit,
        encoding: Encoding,
        levels: Option<Vec<u32>>,
    ) -> Self {
        let way = if levels.is_some() { "--resume" } else { "from the start" };
        let work = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("byte order", if cfg!(target_endian = "little") { "little" } else { "big" }.into()),
            ("shape", orbit.shape().to_string()),
            ("home", orbit.home().to_string()),
            ("encoding", encoding.name().into()),
            ("number of hosts", hosts.count().to_string()),
            ("way to begin", way.into()),
        ];
        let work = work.map(|(name, value)| (name.to_owned(), value)).into();
        let levels = levels.unwrap_or_default();
        Self { program: Self::PROGRAM.into(), process, work, levels }
    }

    /// What another greeting has that this one has otherwise: name, value there and here.
    fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let mut pairs = self.work.iter().zip(&other.work);
        let differ = pairs.find(|(here, there)| here != there);
        differ.map(|((name, here), (_, there))| (name.clone(), there.clone(), here.clone()))
    }

    fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        let length = (text.len() as u32).to_be_bytes();
        stream.write_all(&[&length[..], &text].concat())
    }

    /// Reads a greeting, if that is what comes.
    fn receive(mut stream: &TcpStream) -> io::Result<Self> {
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        if length > Self::MOST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length as usize];
        stream.read_exact(&mut text)?;
        let greeting: Self = serde_json::from_slice(&text)?;
        if greeting.program == Self::PROGRAM {
            Ok(greeting)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// Connects with all other processes; `None` for this one. `go_on` is asked all along.
pub(super) fn meet(
    hosts: &Hosts,
    own: &Greeting,
    patience: Duration,
    mut go_on: impl FnMut() -> bool,
) -> Result<Vec<Option<(TcpStream, Greeting)>>, ClusterError> {
    /// How long to wait until it is tried again.
    const PAUSE: Duration = Duration::from_millis(20);
    let address = hosts.address(own.process);
    let deaf = |error| ClusterError::Listen { address: address.into(), error };
    let listener = TcpListener::bind(address).map_err(deaf)?;
    listener.set_nonblocking(true).map_err(deaf)?;
    let mut met: Vec<_> = (0..hosts.count()).map(|_| None).collect();
    let start = Instant::now();
    loop {
        let missing: Vec<_> =
            (0..met.len()).filter(|other| *other != own.process && met[*other].is_none()).collect();
        if missing.is_empty() {
            return Ok(met);
        }
        if start.elapsed() > patience {
            let list = missing.iter().map(|&other| format!("{other} ({})", hosts.address(other)));
            let missing = list.collect::<Vec<_>>().join(", ");
            return Err(ClusterError::Missing { missing, patience });
        }
        if !go_on() {
            return Err(ClusterError::Stopped);
        }
        let mut calls = vec![];
        while let Ok((stream, _)) = listener.accept() {
            calls.push(stream);
        }
        let lower = missing.iter().take_while(|other| **other < own.process);
        calls.extend(lower.filter_map(|other| call(hosts.address(*other)).ok()));
        let none = calls.is_empty();
        for stream in calls {
            // A stranger, or one that has died in between: the other may call again.
            let Ok(other) = greet(&stream, own) else { continue };
            let process = other.process;
            if let Some((what, there, here)) = own.difference(&other) {
                let address = match stream.peer_addr() {
                    Ok(address) => address.to_string(),
                    Err(_) => "gone".into(),
                };
                return Err(ClusterError::Differs { process, address, what, there, here });
            }
            if process >= met.len() || process == own.process || met[process].is_some() {
                return Err(ClusterError::Twice { process });
            }
            met[process] = Some((stream, other));
        }
        if none {
            thread::sleep(PAUSE);
        }
    }
}

/// Calls a process.
fn call(address: &str) -> io::Result<TcpStream> {
    const PATIENCE: Duration = Duration::from_millis(500);
    let mut error = io::ErrorKind::NotFound.into();
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            // On one machine, whoever calls a port where nobody listens can happen to call from it, and meets himself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(failed) => error = failed,
        }
    }
    Err(error)
}

/// Exchanges greetings.
fn greet(stream: &TcpStream, own: &Greeting) -> io::Result<Greeting> {
    /// Whoever has called says who he is.
    const PATIENCE: Duration = Duration::from_secs(2);
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    own.send(stream)?;
    Greeting::receive(stream)
}
