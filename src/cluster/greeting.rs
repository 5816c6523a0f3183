//! The greeting: all processes find one another, and see that they mean to do the same work.
//!
//! Each listens at its own address and calls those with lower numbers. Whoever calls says who he is, in JSON with its length
//! before it, and is answered in the same way. Threads do the waiting, so nobody can keep others from
//! being heard. Whoever is none of the processes is not answered; and one that goes away again before all are there may come again.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream, ToSocketAddrs},
    ops::ControlFlow,
    sync::mpsc::{self, Sender},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use crate::cluster::{Cluster, ClusterError, Event, Hosts};

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Greeting {
    program: String,
    pub(super) process: usize,
    /// What has to be the same for all, by name.
    work: Vec<(String, String)>,
    /// The levels of which there are checkpoints to go on from.
    pub(super) levels: Vec<u32>,
    /// Whether the table is there already. The first process knows.
    pub(super) is_there: bool,
    /// To one who has called: whether another has called before with the same number.
    is_taken: bool,
}

impl Greeting {
    const PROGRAM: &'static str = "tilebase";
    /// None is longer.
    const MOST: u32 = 1 << 16;

    /// What a process says that has checkpoints of these levels.
    pub(super) fn new(cluster: &Cluster, levels: Vec<u32>) -> Self {
        let Cluster { orbit, encoding, ref hosts, process, is_there, resume, .. } = *cluster;
        let way = if resume { "with --resume" } else { "without --resume" };
        let work = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("byte order", if cfg!(target_endian = "little") { "little" } else { "big" }.into()),
            ("shape", orbit.shape().to_string()),
            ("home", orbit.home().to_string()),
            ("encoding", encoding.name().into()),
            ("number of hosts", hosts.count().to_string()),
            ("beginning", way.into()),
        ];
        let work = work.map(|(name, value)| (name.to_owned(), value)).into();
        let is_there = is_there && process == 0;
        let program = Self::PROGRAM.into();
        Self { program, process, work, levels, is_there, is_taken: false }
    }

    /// The error about another that means to do other work.
    fn differs(&self, other: &Self, hosts: &Hosts) -> Option<ClusterError> {
        /// What comes from elsewhere, in a form that can be shown.
        fn shown(text: &str) -> String {
            text.chars().take(40).flat_map(char::escape_debug).collect()
        }
        let mut pairs = self.work.iter().zip(&other.work);
        let differ = pairs.find(|(here, there)| here != there);
        let none = (String::new(), String::new());
        let ((what, here), (_, there)) = match differ {
            Some(differ) => differ,
            None if self.work.len() != other.work.len() => (self.work.first()?, &none),
            None => return None,
        };
        let process = other.process;
        let address = if process < hosts.count() { hosts.address(process) } else { "unknown" };
        let (address, what) = (address.into(), what.clone());
        let [there, here] = [there, here].map(|text| shown(text));
        Some(ClusterError::Differs { process, address, what, there, here })
    }

    fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let text = serde_json::to_vec(self)?;
        let length = (text.len() as u32).to_be_bytes();
        stream.write_all(&[&length[..], &text].concat())
    }

    /// Reads a greeting, if that is what comes, and soon.
    fn receive(stream: &TcpStream) -> io::Result<Self> {
        let end = Instant::now() + PATIENCE;
        let mut length = [0; 4];
        read(stream, &mut length, end)?;
        let length = u32::from_be_bytes(length);
        if length > Self::MOST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length as usize];
        read(stream, &mut text, end)?;
        let greeting: Self = serde_json::from_slice(&text)?;
        if greeting.program == Self::PROGRAM {
            Ok(greeting)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// How long one who is connected may take to say who he is.
const PATIENCE: Duration = Duration::from_secs(5);

/// Fills a buffer, until `end`.
fn read(mut stream: &TcpStream, mut buffer: &mut [u8], end: Instant) -> io::Result<()> {
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

/// Another process, and what it has said.
pub(super) type Met = (TcpStream, Greeting);

/// What the threads come back with.
enum Heard {
    /// Somebody has called, and perhaps said who he is.
    Call(io::Result<Met>),
    /// One that was called has answered, or not.
    Answer(usize, io::Result<Met>),
}

/// Connects with all other processes; `None` for this one. `watch` is asked all along whether to go on.
pub(super) fn meet(
    hosts: &Hosts,
    own: &Greeting,
    patience: Duration,
    mut watch: impl FnMut(Event) -> ControlFlow<()>,
) -> Result<Vec<Option<Met>>, ClusterError> {
    /// Who is missing after so long is named.
    const USUAL: Duration = Duration::from_secs(3);
    const TICK: Duration = Duration::from_millis(10);
    /// So many may be about to say who they are.
    const CALLS: usize = 64;
    let address = hosts.address(own.process);
    let deaf = |error| ClusterError::Listen { address: address.into(), error };
    let listener = TcpListener::bind(address).map_err(deaf)?;
    listener.set_nonblocking(true).map_err(deaf)?;
    let mut met: Vec<Option<Met>> = (0..hosts.count()).map(|_| None).collect();
    let mut is_called = vec![false; own.process];
    // Why those who were called have not answered.
    let mut trouble: Vec<Option<io::Error>> = (0..own.process).map(|_| None).collect();
    let mut is_named = false;
    let (heard, hearing) = mpsc::channel();
    let (start, mut calls) = (Instant::now(), 0);
    loop {
        let missing: Vec<_> =
            (0..met.len()).filter(|other| *other != own.process && met[*other].is_none()).collect();
        // Where the table is there already, nobody is needed.
        if missing.is_empty() || met.iter().flatten().any(|(_, other)| other.is_there) {
            return Ok(met);
        }
        // Who has gone away again is as good as never come.
        met.iter_mut().for_each(|met| drop(met.take_if(|(stream, _)| is_gone(stream))));
        let list = || {
            let list =
                missing.iter().map(|&other| match trouble.get(other).and_then(Option::as_ref) {
                    Some(why) => format!("{other} ({}: {why})", hosts.address(other)),
                    None => format!("{other} ({})", hosts.address(other)),
                });
            list.collect::<Vec<_>>().join(", ")
        };
        if start.elapsed() > patience {
            return Err(ClusterError::Missing { missing: list(), seconds: patience.as_secs() });
        }
        let mut event = Event::Waiting;
        if !is_named && start.elapsed() > USUAL {
            is_named = true;
            event = Event::Missing { missing: list() };
        }
        if watch(event).is_break() {
            return Err(ClusterError::Stopped);
        }
        while let Ok((stream, _)) = listener.accept() {
            if calls < CALLS && begin(&heard, move || Heard::Call(listen(stream))) {
                calls += 1;
            }
        }
        for &other in missing.iter().take_while(|other| **other < own.process) {
            let (address, own) = (hosts.address(other).to_owned(), own.clone());
            if !is_called[other] {
                let call = move || Heard::Answer(other, call(&address, &own));
                is_called[other] = begin(&heard, call);
            }
        }
        match hearing.recv_timeout(TICK) {
            Err(_) => {}
            Ok(Heard::Call(called)) => {
                calls -= 1;
                let Ok((stream, other)) = called else { continue };
                let process = other.process;
                let is_taken = met.get(process).is_some_and(Option::is_some);
                // He has to be told before this process ends.
                let answer = Greeting { is_taken, ..own.clone() };
                let is_told = answer.send(&stream).is_ok();
                if let Some(differs) = own.differs(&other, hosts) {
                    return Err(differs);
                }
                if is_told && !is_taken && process > own.process && process < met.len() {
                    met[process] = Some((stream, other));
                }
            }
            Ok(Heard::Answer(process, answered)) => {
                is_called[process] = false;
                let (stream, other) = match answered {
                    Ok(met) => met,
                    Err(error) => {
                        trouble[process] = Some(error);
                        thread::sleep(TICK);
                        continue;
                    }
                };
                if let Some(differs) = own.differs(&other, hosts) {
                    return Err(differs);
                }
                if other.is_taken {
                    return Err(ClusterError::Twice { process: own.process });
                }
                if other.process == process {
                    met[process] = Some((stream, other));
                }
            }
        }
    }
}

/// Has a thread find something out; says whether there is one.
fn begin(heard: &Sender<Heard>, find: impl FnOnce() -> Heard + Send + 'static) -> bool {
    let heard = heard.clone();
    // Whoever would hear it may have ended.
    let find = move || drop(heard.send(find()));
    thread::Builder::new().spawn(find).is_ok()
}

/// Hears out one who has called.
fn listen(stream: TcpStream) -> io::Result<Met> {
    stream.set_nonblocking(false)?;
    let greeting = Greeting::receive(&stream)?;
    Ok((stream, greeting))
}

/// Calls a process.
fn call(address: &str, own: &Greeting) -> io::Result<Met> {
    let mut error = io::ErrorKind::NotFound.into();
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            // On one machine, whoever calls a port where nobody listens can happen to call from it, and meets himself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => {
                own.send(&stream)?;
                return listen(stream);
            }
            Err(failed) => error = failed,
        }
    }
    Err(error)
}

/// Whether the other end of a connection is closed.
fn is_gone(stream: &TcpStream) -> bool {
    let look = || {
        stream.set_nonblocking(true)?;
        let seen = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        seen
    };
    match look() {
        Ok(seen) => seen == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}
