//! The peer: another process of the cluster, and the stream that leads to it.

use std::{
    io,
    net::{TcpStream, ToSocketAddrs},
};

use crate::cluster::greeting::Greeting;

/// Another process that has greeted this one.
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    pub(super) greeting: Greeting,
}

impl Peer {
    /// Calls the process at an address: greets it, and reads its answer.
    pub(super) fn call(address: &str, own: &Greeting) -> io::Result<Self> {
        let mut error = io::ErrorKind::NotFound.into();
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, Greeting::TIMEOUT) {
                // On one machine, a call to a port where nobody listens can happen to come from this same port.
                // Then it is connected with itself.
                Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
                Ok(stream) => {
                    own.send(&stream)?;
                    return Self::hear(stream);
                }
                Err(failed) => error = failed,
            }
        }
        Err(error)
    }

    /// Reads the greeting of the process at the other end of a stream.
    pub(super) fn hear(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        let greeting = Greeting::receive(&stream)?;
        Ok(Self { stream, greeting })
    }

    /// Whether the other end has closed the stream.
    pub(super) fn is_gone(&self) -> bool {
        let peek = || {
            self.stream.set_nonblocking(true)?;
            let peeked = self.stream.peek(&mut [0]);
            self.stream.set_nonblocking(false)?;
            peeked
        };
        match peek() {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}
