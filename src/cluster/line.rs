//! The line to another process: a connection that tells when it is cut.
//!
//! Timely panics where a connection ends before its time. A line does not let it come to that: it tells that the other end is
//! gone, and never comes back to the thread that reads from it.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::cluster::Told;

/// How many bytes have been sent over all lines of a process.
#[derive(Debug, Default)]
pub(super) struct Traffic(AtomicU64);

impl Traffic {
    pub(super) fn sent(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where one is among messages: timely ends what it sends with one that has no contents.
#[derive(Clone, Debug, Default)]
struct Framing {
    /// What has come of a header.
    head: Vec<u8>,
    /// How many bytes of contents are still to come.
    left: u64,
    ended: bool,
}

impl Framing {
    /// How many bytes a header has, and where in it the length of the contents stands, big-endian.
    const HEAD: usize = 48;
    const LENGTH: usize = 32;

    fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.left > 0 {
                let passed = self.left.min(bytes.len() as u64);
                self.left -= passed;
                bytes = &bytes[passed as usize..];
                continue;
            }
            let (head, rest) = bytes.split_at(bytes.len().min(Self::HEAD - self.head.len()));
            self.head.extend(head);
            bytes = rest;
            if self.head.len() == Self::HEAD {
                let length = self.head[Self::LENGTH..].first_chunk().expect("a header is longer");
                self.left = u64::from_be_bytes(*length);
                self.ended = self.left == 0;
                self.head.clear();
            }
        }
    }
}

/// A connection to another process.
pub(super) struct Line {
    stream: TcpStream,
    traffic: Arc<Traffic>,
    framing: Framing,
    /// The number of the other.
    process: usize,
    told: Sender<Told>,
}

impl Line {
    /// # Errors
    ///
    /// If the connection is there no longer.
    pub(super) fn new(
        stream: TcpStream,
        traffic: &Arc<Traffic>,
        process: usize,
        told: &Sender<Told>,
    ) -> io::Result<Self> {
        /// A machine that has answered nothing for about so long has lost its power, or its cable.
        const SILENCE: Duration = Duration::from_secs(20);
        const PROBES: u32 = 4;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        let keepalive = TcpKeepalive::new().with_time(SILENCE / 2);
        #[cfg(unix)]
        let keepalive = keepalive.with_interval(SILENCE / 2 / PROBES).with_retries(PROBES);
        let socket = SockRef::from(&stream);
        socket.set_tcp_keepalive(&keepalive)?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(SILENCE))?;
        let (traffic, told) = (Arc::clone(traffic), told.clone());
        Ok(Self { stream, traffic, framing: Framing::default(), process, told })
    }

    /// Tells that the other is gone.
    fn cut(&self) {
        let _ = self.told.send(Told::Gone(self.process));
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(read) => {
                    self.framing.pass(&buffer[..read]);
                    return Ok(read);
                }
            }
        }
        self.cut();
        // Whoever has ended as he should may still have ended too early; that is for others to say.
        if self.framing.ended {
            return Ok(0);
        }
        loop {
            thread::park();
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(0) | Err(_) => {
                // Nobody is there to miss them.
                self.cut();
                Ok(bytes.len())
            }
            Ok(written) => {
                self.traffic.0.fetch_add(written as u64, Ordering::Relaxed);
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Self> {
        let (traffic, told) = (Arc::clone(&self.traffic), self.told.clone());
        let (stream, framing) = (self.stream.try_clone()?, self.framing.clone());
        Ok(Self { stream, traffic, framing, process: self.process, told })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Where the other is gone already, that is what is wanted.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
