//! A program that runs as a child of this process.

use std::{
    ffi::OsStr,
    io::{self, Read},
    ops::ControlFlow,
    process::{Child, ChildStdin, ExitStatus, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    interruption::is_interrupted,
    process::{ending::Ending, orphans, running, system},
};

/// A program that runs, and is killed with all its children when this is dropped.
pub(crate) struct Program {
    child: Child,
    output: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
    /// When orphans that had ended were last reaped.
    reaped: Instant,
    status: Option<ExitStatus>,
}

/// The result of waiting for output.
pub(crate) enum Output {
    Bytes(Vec<u8>),
    /// There will be no more output.
    End,
    /// No output came in time, and the program still runs.
    Late,
    /// The wait was interrupted.
    Interrupted,
}

/// The result of waiting for the end of a program.
pub(crate) enum End {
    Status(ExitStatus),
    /// The program did not end in time.
    Late,
    /// The wait was interrupted.
    Interrupted,
}

impl Program {
    /// Runs a command of the platform's shell with some environment variables.
    ///
    /// Its standard input stays open and empty until [`input`](Self::input) is taken.
    pub(crate) fn start(command: &str, variables: &[(&str, &OsStr)]) -> io::Result<Self> {
        orphans::adopt();
        let mut command = system::shell(command);
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = running::spawn(&mut command)?;
        let (sender, output) = mpsc::sync_channel(16);
        let (last, errors) = mpsc::sync_channel(1);
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            thread::spawn(move || {
                read(stdout, |bytes| match sender.send(bytes.to_vec()) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
            });
            // The error output is lost if the program is dropped before it is read.
            thread::spawn(move || last.send(end_of(stderr)));
        }
        Ok(Self { child, output, errors, reaped: Instant::now(), status: None })
    }

    /// The program's standard input, to be written and closed.
    pub(crate) fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Waits for output until a point in time, until the program ends, or until `stop` is set.
    pub(crate) fn receive(&mut self, until: Instant, stop: &AtomicBool) -> Output {
        /// The delay until an end is noticed that closes no pipe. Children that are left behind keep a pipe open.
        const SLICE: Duration = Duration::from_millis(20);
        const REAPING: Duration = Duration::from_millis(200);
        if self.reaped.elapsed() > REAPING {
            orphans::reap(&running::lock());
            self.reaped = Instant::now();
        }
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(SLICE)) {
                Ok(bytes) => return Output::Bytes(bytes),
                Err(RecvTimeoutError::Disconnected) => return Output::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if is_interrupted() || stop.load(Ordering::Relaxed) {
                return Output::Interrupted;
            }
            if system::has_ended(&mut self.child) {
                return self.rest();
            }
            if left.is_zero() {
                return Output::Late;
            }
        }
    }

    /// The rest of the output of a program that has ended.
    fn rest(&mut self) -> Output {
        // A child that is left behind may hold the pipe open. Its output is of no interest.
        const GRACE: Duration = Duration::from_millis(500);
        system::kill(self.child.id());
        orphans::kill_strays(&running::lock(), Some(self.child.id()));
        match self.output.recv_timeout(GRACE) {
            Ok(bytes) => Output::Bytes(bytes),
            Err(_) => Output::End,
        }
    }

    /// Waits for the end of the program, until a point in time, or until `stop` is set.
    pub(crate) fn wait(&mut self, until: Instant, stop: &AtomicBool) -> End {
        let mut pause = Duration::from_micros(50);
        loop {
            let ended = system::has_ended(&mut self.child);
            // Checked after the end, because an interruption ends the program, too.
            if is_interrupted() || stop.load(Ordering::Relaxed) {
                return End::Interrupted;
            }
            if ended {
                return End::Status(self.end());
            }
            if Instant::now() >= until {
                return End::Late;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
    }

    /// How the program ended, with the `status` that [`wait`](Self::wait) gave.
    pub(crate) fn ending(&self, status: ExitStatus) -> Ending {
        Ending { status, error: self.last_error() }
    }

    /// The last line of the error output of a program that has ended. Indented lines do not count, because they
    /// belong to a stack trace.
    fn last_error(&self) -> Option<String> {
        const LONGEST: usize = 200;
        // The error output ends with the program, unless a child that is left behind holds it open.
        let errors = self.errors.recv_timeout(Duration::from_millis(200)).ok()?;
        let errors = String::from_utf8_lossy(&errors);
        let mut lines = errors.lines().rev();
        let line = lines.find(|line| !line.is_empty() && !line.starts_with([' ', '\t']))?;
        Some(line.trim_end().chars().take(LONGEST).collect())
    }

    /// Kills the program and all its children, and waits for its end.
    fn end(&mut self) -> ExitStatus {
        if let Some(status) = self.status {
            return status;
        }
        // The system gives the number of the group to no other group before the child has been waited for.
        system::kill(self.child.id());
        while !system::has_ended(&mut self.child) {
            thread::sleep(Duration::from_micros(200));
        }
        // Locked from the wait to the removal, so that a new group with the same number is not killed.
        let mut running = running::lock();
        // Where signals of children are ignored, the system tells that the child has ended, but not how.
        let status = self.child.wait().unwrap_or_default();
        self.status = Some(status);
        running.remove(&self.child.id());
        orphans::kill_strays(&running, None);
        status
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// The last bytes of an input.
fn end_of(from: impl Read) -> Vec<u8> {
    const KEPT: usize = 4096;
    let mut end = Vec::new();
    read(from, |bytes| {
        end.extend_from_slice(bytes);
        end.drain(..end.len().saturating_sub(KEPT));
        ControlFlow::Continue(())
    });
    end
}

/// Calls `take` with the bytes of an input as they come, until it breaks off.
fn read(mut from: impl Read, mut take: impl FnMut(&[u8]) -> ControlFlow<()>) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) if take(&buffer[..read]).is_break() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
