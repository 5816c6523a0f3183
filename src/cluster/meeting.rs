//! The meeting: all processes find one another, and check that they mean to do the same work.
//!
//! Each process listens at its own address, and calls the processes with lower numbers. A caller sends its
//! greeting, and is answered with one. Threads wait for these, so that a slow or silent caller delays no other.
//! A caller that does not send a greeting gets no answer. A process that goes away before all have come may
//! come again.

use std::{
    io,
    net::TcpListener,
    ops::ControlFlow,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

use crate::cluster::{
    error::ClusterError,
    event::Event,
    greeting::{Difference, Greeting},
    hosts::Hosts,
    peer::Peer,
};

/// How long a step of the meeting waits for a contact.
const TICK: Duration = Duration::from_millis(10);

/// What a thread of the meeting brings back.
enum Contact {
    /// A caller has sent its greeting, or failed to.
    Caller(io::Result<Peer>),
    /// The process with this number was called, and has answered or failed to.
    Answer(usize, io::Result<Peer>),
}

/// A process with a lower number, which this one calls until it answers.
#[derive(Default)]
struct Callee {
    /// Whether a thread is calling it now.
    is_called: bool,
    /// Why it has not answered the last call.
    error: Option<io::Error>,
}

/// A meeting, as this process sees it.
struct Meeting<'a> {
    hosts: &'a Hosts,
    own: &'a Greeting,
    listener: TcpListener,
    /// By number: the processes that have come. This process is none of them.
    peers: Vec<Option<Peer>>,
    /// By number: the processes with lower numbers.
    callees: Vec<Callee>,
    /// How many callers have not sent their greeting yet.
    callers: usize,
    /// Where threads send their contacts.
    sender: Sender<Contact>,
    contacts: Receiver<Contact>,
}

/// Connects with all other processes, and gives them by their numbers: `None` for this process.
///
/// If another process says that the table is there already, those that have not come are `None` too. `watch` is
/// asked all the time whether to go on.
pub(super) fn meet(
    hosts: &Hosts,
    own: &Greeting,
    patience: Duration,
    mut watch: impl FnMut(Event) -> ControlFlow<()>,
) -> Result<Vec<Option<Peer>>, ClusterError> {
    /// After this time the missing processes are named, once.
    const USUAL: Duration = Duration::from_secs(3);
    let mut meeting = Meeting::new(hosts, own)?;
    let start = Instant::now();
    let mut is_named = false;
    loop {
        let missing = meeting.missing();
        if missing.is_empty() || meeting.is_table_there() {
            return Ok(meeting.peers);
        }
        meeting.forget_gone();
        if start.elapsed() > patience {
            let missing = meeting.describe(&missing);
            return Err(ClusterError::Missing { missing, seconds: patience.as_secs() });
        }
        let mut event = Event::Waiting;
        if !is_named && start.elapsed() > USUAL {
            is_named = true;
            event = Event::Missing { missing: meeting.describe(&missing) };
        }
        if watch(event).is_break() {
            return Err(ClusterError::Stopped);
        }
        meeting.hear_callers();
        meeting.call(&missing);
        meeting.take_contact()?;
    }
}

impl<'a> Meeting<'a> {
    /// The most callers that may be about to send their greetings at the same time.
    const MAX_CALLERS: usize = 64;

    /// Begins to listen.
    fn new(hosts: &'a Hosts, own: &'a Greeting) -> Result<Self, ClusterError> {
        let address = hosts.address(own.process);
        let failed = |error| ClusterError::Listen { address: address.into(), error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let peers = (0..hosts.count()).map(|_| None).collect();
        let callees = (0..own.process).map(|_| Callee::default()).collect();
        let (sender, contacts) = mpsc::channel();
        Ok(Self { hosts, own, listener, peers, callees, callers: 0, sender, contacts })
    }

    /// The numbers of the processes that have not come.
    fn missing(&self) -> Vec<usize> {
        let is_missing = |&other: &usize| other != self.own.process && self.peers[other].is_none();
        (0..self.peers.len()).filter(is_missing).collect()
    }

    /// Whether a process has said that the table is there already. Then no other process is needed.
    fn is_table_there(&self) -> bool {
        self.peers.iter().flatten().any(|peer| peer.greeting.is_there)
    }

    /// Forgets the processes that have gone away again.
    fn forget_gone(&mut self) {
        self.peers.iter_mut().for_each(|peer| drop(peer.take_if(|peer| peer.is_gone())));
    }

    /// The numbers and addresses of some processes, and why they have not answered, where that is known.
    fn describe(&self, processes: &[usize]) -> String {
        let describe = |&process: &usize| {
            let address = self.hosts.address(process);
            match self.callees.get(process).and_then(|callee| callee.error.as_ref()) {
                Some(error) => format!("{process} ({address}: {error})"),
                None => format!("{process} ({address})"),
            }
        };
        processes.iter().map(describe).collect::<Vec<_>>().join(", ")
    }

    /// Accepts those who have called, and waits on threads for their greetings.
    fn hear_callers(&mut self) {
        while let Ok((stream, _)) = self.listener.accept() {
            // Beyond the limit the stream is dropped, which closes it.
            if self.callers < Self::MAX_CALLERS
                && self.spawn(move || Contact::Caller(Peer::hear(stream)))
            {
                self.callers += 1;
            }
        }
    }

    /// Calls those of the missing processes that have lower numbers, each on a thread.
    fn call(&mut self, missing: &[usize]) {
        for &process in missing.iter().take_while(|process| **process < self.own.process) {
            if !self.callees[process].is_called {
                let (address, own) = (self.hosts.address(process).to_owned(), self.own.clone());
                let call = move || Contact::Answer(process, Peer::call(&address, &own));
                self.callees[process].is_called = self.spawn(call);
            }
        }
    }

    /// Runs something on a thread; says whether there is a thread for it.
    fn spawn(&self, find: impl FnOnce() -> Contact + Send + 'static) -> bool {
        let sender = self.sender.clone();
        // The meeting may be over before the contact is made.
        thread::Builder::new().spawn(move || drop(sender.send(find()))).is_ok()
    }

    /// Takes the next contact, if there is one soon.
    fn take_contact(&mut self) -> Result<(), ClusterError> {
        match self.contacts.recv_timeout(TICK) {
            Err(_) => Ok(()),
            Ok(Contact::Caller(caller)) => {
                self.callers -= 1;
                caller.map_or(Ok(()), |peer| self.answer(peer))
            }
            Ok(Contact::Answer(process, answer)) => {
                self.callees[process].is_called = false;
                match answer {
                    Ok(peer) => self.accept(process, peer),
                    Err(error) => {
                        self.callees[process].error = Some(error);
                        thread::sleep(TICK);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Answers a caller, and accepts it if it is one of the processes with higher numbers.
    fn answer(&mut self, peer: Peer) -> Result<(), ClusterError> {
        let process = peer.greeting.process;
        let is_taken = self.peers.get(process).is_some_and(Option::is_some);
        // The answer comes first: if the work differs, this process ends, and the caller has to know why.
        let is_answered = self.own.answer(is_taken).send(&peer.stream).is_ok();
        self.check_work(&peer.greeting)?;
        let is_expected = process > self.own.process && process < self.peers.len();
        if is_answered && !is_taken && is_expected {
            self.peers[process] = Some(peer);
        }
        Ok(())
    }

    /// Accepts a process that was called and has answered, if it is the one that was meant.
    fn accept(&mut self, process: usize, peer: Peer) -> Result<(), ClusterError> {
        self.check_work(&peer.greeting)?;
        if peer.greeting.is_taken {
            return Err(ClusterError::SameNumber { process: self.own.process });
        }
        if peer.greeting.process == process {
            self.peers[process] = Some(peer);
        }
        Ok(())
    }

    /// Refuses another process that means to do other work.
    fn check_work(&self, other: &Greeting) -> Result<(), ClusterError> {
        let Some(Difference { what, here, there }) = self.own.difference(other) else {
            return Ok(());
        };
        let process = other.process;
        let is_known = process < self.hosts.count();
        let address = if is_known { self.hosts.address(process) } else { "unknown" }.into();
        Err(ClusterError::Differs { process, address, what, there, here })
    }
}
