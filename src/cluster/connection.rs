//! The connection to another process, which reports when it is cut.
//!
//! Timely panics when a connection ends too early. This type prevents that: it reports that the other process
//! is gone, and then blocks the thread that reads from it for ever.

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

use crate::cluster::event::Notice;

/// How many bytes a process has sent over all its connections.
#[derive(Debug, Default)]
pub(super) struct Traffic(AtomicU64);

impl Traffic {
    pub(super) fn sent(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The position in a stream of timely's messages. The last message of a stream has an empty body.
#[derive(Clone, Debug, Default)]
struct Framing {
    /// The bytes of a header that is not complete yet.
    head: Vec<u8>,
    /// How many bytes of the body are still to come.
    left: u64,
    /// Whether the last message was the end of the stream.
    is_ended: bool,
}

impl Framing {
    /// The length of a header, in bytes.
    const HEAD: usize = 48;
    /// Where in the header the length of the body stands: eight bytes, big-endian.
    const LENGTH: usize = 32;

    /// Follows the stream over the next bytes.
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
                self.is_ended = self.left == 0;
                self.head.clear();
            }
        }
    }
}

/// A connection to another process.
pub(super) struct Connection {
    stream: TcpStream,
    traffic: Arc<Traffic>,
    framing: Framing,
    /// The number of the other process.
    process: usize,
    notices: Sender<Notice>,
}

impl Connection {
    /// The connection to the process with this number, over a stream on which both have greeted.
    ///
    /// # Errors
    ///
    /// If the stream is closed already.
    pub(super) fn new(
        stream: TcpStream,
        traffic: &Arc<Traffic>,
        process: usize,
        notices: &Sender<Notice>,
    ) -> io::Result<Self> {
        /// A machine that is silent for about this time has lost its power or its network.
        const SILENCE: Duration = Duration::from_secs(20);
        /// How many probes are sent in the second half of that time.
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
        let (traffic, notices) = (Arc::clone(traffic), notices.clone());
        Ok(Self { stream, traffic, framing: Framing::default(), process, notices })
    }

    /// Reports that the other process is gone.
    fn report_cut(&self) {
        let _ = self.notices.send(Notice::Gone(self.process));
    }
}

impl Read for Connection {
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
        self.report_cut();
        // The other process has ended in order, but perhaps too early. The receiver of the notice decides that.
        if self.framing.is_ended {
            return Ok(0);
        }
        loop {
            thread::park();
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(0) | Err(_) => {
                // The bytes are lost, but the process that should receive them is gone.
                self.report_cut();
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

impl Stream for Connection {
    fn try_clone(&self) -> io::Result<Self> {
        let (traffic, notices) = (Arc::clone(&self.traffic), self.notices.clone());
        let (stream, framing) = (self.stream.try_clone()?, self.framing.clone());
        Ok(Self { stream, traffic, framing, process: self.process, notices })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // If the stream is closed already, this fails, and there is nothing to do.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
