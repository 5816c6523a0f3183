//! Other people's programs, run so that they can neither block this one nor outlive it.
//!
//! Each runs in a process group of its own, which is killed as a whole. On Linux this process adopts the
//! orphans of its children, so a program that leaves its group is found and killed, too.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io::{self, Read},
    process::{self, Child, ChildStdin, ExitStatus, Stdio},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::console::Exit;

/// The groups that are running, and the mark of each.
static RUNNING: Mutex<BTreeMap<u32, u64>> = Mutex::new(BTreeMap::new());

/// The mark of the next program. All its children have it in their environment, wherever they go.
static NEXT_MARK: AtomicU64 = AtomicU64::new(0);

/// The variable that holds the mark.
const MARK: &str = "TILEBASE_PROGRAM";

/// Whether everything is to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether there is somebody who stops in good order then.
static STOPS: AtomicBool = AtomicBool::new(false);

/// From now on an interruption stops programs and searches, and leaves it to the caller to end; one that comes much later
/// does not.
pub(crate) fn stop_when_interrupted() {
    STOPS.store(true, Ordering::SeqCst);
}

/// Does work that sees an interruption and ends in good order. Without one, an interruption behind it ends this process
/// again.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    let before = STOPS.swap(true, Ordering::SeqCst);
    let done = work();
    STOPS.store(before || is_interrupted(), Ordering::SeqCst);
    done
}

/// Kills all that runs, and has those that wait for it return; or else ends this process.
pub(crate) fn interrupt() {
    /// As long as it takes to end in good order. Some send a signal twice, to a process and to its group.
    const PATIENCE: Duration = Duration::from_secs(2);
    static FIRST: OnceLock<Instant> = OnceLock::new();
    INTERRUPTED.store(true, Ordering::SeqCst);
    for &group in running().keys() {
        system::kill(group);
    }
    let first = *FIRST.get_or_init(Instant::now);
    if !STOPS.load(Ordering::SeqCst) || first.elapsed() > PATIENCE {
        system::kill_strays(&BTreeMap::new(), None);
        process::exit(Exit::Interrupted as i32);
    }
}

/// Whether everything is to end.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

fn running() -> MutexGuard<'static, BTreeMap<u32, u64>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that runs, and is killed with all its children when this is dropped.
pub(crate) struct Process {
    child: Child,
    output: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
    /// When dead orphans were last buried.
    buried: Instant,
    status: Option<ExitStatus>,
}

/// What came of waiting for output.
pub(crate) enum Output {
    Bytes(Vec<u8>),
    /// There will be no more.
    End,
    /// There was none in time, and the program still runs.
    Late,
    /// Nobody wants it any more.
    Interrupted,
}

/// What came of waiting for the end.
pub(crate) enum End {
    Status(ExitStatus),
    /// It has not come in time.
    Late,
    /// Nobody waits for it any more.
    Interrupted,
}

impl Process {
    /// Runs a command of the platform's shell, with some variables. Its input is written by whoever takes it.
    pub(crate) fn start(command: &str, variables: &[(&str, &OsStr)]) -> io::Result<Self> {
        let mut command = system::shell(command);
        let mark = NEXT_MARK.fetch_add(1, Ordering::Relaxed);
        command.env(MARK, mark.to_string()).envs(variables.iter().copied());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = {
            // Under the lock, so that an interruption sees either no child or a group that it can kill.
            let mut running = running();
            let child = piped.spawn()?;
            running.insert(child.id(), mark);
            child
        };
        let (sender, output) = mpsc::sync_channel(16);
        let (last, errors) = mpsc::sync_channel(1);
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            thread::spawn(move || send(stdout, &sender));
            // If nobody asks for it, it is lost.
            thread::spawn(move || last.send(end_of(stderr)));
        }
        Ok(Self { child, output, errors, buried: Instant::now(), status: None })
    }

    /// The program's standard input, to be written and closed.
    pub(crate) fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Waits for output until a point in time, or until the program ends, or `stop` is set.
    pub(crate) fn receive(&mut self, until: Instant, stop: &AtomicBool) -> Output {
        /// How soon an end is noticed that closes no pipe, as it is with children left behind.
        const SLICE: Duration = Duration::from_millis(20);
        const OFTEN: Duration = Duration::from_millis(200);
        if self.buried.elapsed() > OFTEN {
            system::bury_orphans(&running());
            self.buried = Instant::now();
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

    /// What is left of the output of a program that has ended.
    fn rest(&mut self) -> Output {
        // Whatever else has its output open will write nothing that is of interest.
        const GRACE: Duration = Duration::from_millis(500);
        system::kill(self.child.id());
        system::kill_strays(&running(), Some(self.child.id()));
        match self.output.recv_timeout(GRACE) {
            Ok(bytes) => Output::Bytes(bytes),
            Err(_) => Output::End,
        }
    }

    /// Waits until the program has ended, as [`receive`](Self::receive) does.
    pub(crate) fn wait(&mut self, until: Instant, stop: &AtomicBool) -> End {
        let mut pause = Duration::from_micros(50);
        loop {
            let ended = system::has_ended(&mut self.child);
            // Asked after that, for an interruption ends the program, too.
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

    /// The last line of the error output of a program that has ended; of the lines that are not indented, as
    /// those of a stack trace are.
    pub(crate) fn last_error(&self) -> Option<String> {
        const LONGEST: usize = 200;
        // Its end comes with the program's, unless somebody else holds it open.
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
        // The number of the group is not given to another before the child has been waited for.
        system::kill(self.child.id());
        while !system::has_ended(&mut self.child) {
            thread::sleep(Duration::from_micros(200));
        }
        // As long as it is waited for, nobody takes another process of its number for it.
        let mut running = running();
        // Where signals of children are ignored, the system tells that it has ended, and not how.
        let status = self.child.wait().unwrap_or_default();
        self.status = Some(status);
        running.remove(&self.child.id());
        system::kill_strays(&running, None);
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sends on all that can be read, as it comes.
fn send(mut from: impl Read, to: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) if to.send(buffer[..read].to_vec()).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Reads all, and gives the end of it.
fn end_of(mut from: impl Read) -> Vec<u8> {
    const KEPT: usize = 4096;
    let mut buffer = vec![0; KEPT];
    let mut end = Vec::new();
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return end,
            Ok(read) => {
                end.extend_from_slice(&buffer[..read]);
                end.drain(..end.len().saturating_sub(KEPT));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return end,
        }
    }
}

/// How a program ended.
pub(crate) fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        // "signal: 11 (SIGSEGV)", where the platform has signals.
        None => status.to_string(),
    }
}

/// A number of seconds that a program may take.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "expected a number of seconds greater than 0, such as 2.5";
    // Longer than anybody waits, and short enough to be added to a point in time.
    const MOST: f64 = 1e9;
    let seconds: f64 = text.parse().map_err(|_| EXPECTED)?;
    let wanted = if seconds > MOST { MOST } else { seconds };
    let duration = Duration::try_from_secs_f64(wanted).map_err(|_| EXPECTED)?;
    if duration.is_zero() { Err(EXPECTED) } else { Ok(duration) }
}

#[cfg(unix)]
mod system {
    #[cfg(target_os = "linux")]
    use std::sync::OnceLock;
    use std::{
        collections::BTreeMap,
        os::unix::process::CommandExt,
        process::{Child, Command},
    };

    use rustix::process::{self, Pid, Signal, WaitId, WaitIdOptions};

    pub(crate) fn shell(command: &str) -> Command {
        #[cfg(target_os = "linux")]
        {
            INHERITED.get_or_init(|| children().collect());
            // Without it, orphans that leave their group are left behind.
            let _ = process::set_child_subreaper(Some(process::getpid()));
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).process_group(0);
        shell
    }

    fn pid(id: u32) -> Option<Pid> {
        Pid::from_raw(id.try_into().ok()?)
    }

    /// Kills a group.
    pub(crate) fn kill(group: u32) {
        if let Some(group) = pid(group) {
            // It may have ended.
            let _ = process::kill_process_group(group, Signal::KILL);
        }
    }

    /// Whether a child has ended. It is not reaped, so its group's number is not given to another.
    pub(crate) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match pid(child.id()).map(|pid| process::waitid(WaitId::Pid(pid), options)) {
            Some(Ok(status)) => status.is_some(),
            _ => true,
        }
    }

    /// Kills the orphans that have left their groups, unless they bear the mark of a program that is running and
    /// has not ended. Those without a mark may be anybody's, and wait for the last; the first process of a system
    /// adopts others, too.
    #[cfg(target_os = "linux")]
    pub(crate) fn kill_strays(running: &BTreeMap<u32, u64>, ended: Option<u32>) {
        let alive = || running.iter().filter(|(group, _)| Some(**group) != ended);
        let is_stray = |orphan: &Pid| match mark(*orphan) {
            Some(mark) => alive().all(|(_, other)| *other != mark),
            None => alive().next().is_none() && process::getpid() != Pid::INIT,
        };
        // Each that is killed leaves its own children behind; none can fork so often.
        for _ in 0..100 {
            let strays = orphans(running).filter(is_stray);
            let kill = |stray: &Pid| process::kill_process(*stray, Signal::KILL).is_ok();
            let killed: Vec<_> = strays.filter(kill).collect();
            if killed.is_empty() {
                return;
            }
            killed.into_iter().for_each(bury);
        }
    }

    /// Waits for a process that was killed, but not for one that cannot die.
    #[cfg(target_os = "linux")]
    fn bury(killed: Pid) {
        for _ in 0..50 {
            if !matches!(process::waitpid(Some(killed), process::WaitOptions::NOHANG), Ok(None)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Takes note of the orphans that have ended, so that the system forgets them.
    #[cfg(target_os = "linux")]
    pub(crate) fn bury_orphans(running: &BTreeMap<u32, u64>) {
        for orphan in orphans(running) {
            let _ = process::waitpid(Some(orphan), process::WaitOptions::NOHANG);
        }
    }

    /// The children of this process that it has adopted: it has not started them, nor had them from the start.
    #[cfg(target_os = "linux")]
    fn orphans(running: &BTreeMap<u32, u64>) -> impl Iterator<Item = Pid> {
        let inherited = INHERITED.get_or_init(Vec::new);
        let own = |child: &Pid| running.contains_key(&child.as_raw_nonzero().get().unsigned_abs());
        children().filter(move |child| !own(child) && !inherited.contains(child))
    }

    /// The children that this process had before it was this program.
    #[cfg(target_os = "linux")]
    static INHERITED: OnceLock<Vec<Pid>> = OnceLock::new();

    #[cfg(target_os = "linux")]
    fn children() -> impl Iterator<Item = Pid> {
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = threads
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let ids = lists.flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        });
        ids.filter_map(pid)
    }

    /// The mark of the program that a process comes from.
    #[cfg(target_os = "linux")]
    fn mark(of: Pid) -> Option<u64> {
        let environment = std::fs::read(format!("/proc/{}/environ", of.as_raw_nonzero())).ok()?;
        let mut variables = environment.split(|&byte| byte == 0);
        let name = format!("{}=", super::MARK);
        let value = variables.find_map(|variable| variable.strip_prefix(name.as_bytes()))?;
        std::str::from_utf8(value).ok()?.parse().ok()
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn kill_strays(_: &BTreeMap<u32, u64>, _: Option<u32>) {}

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn bury_orphans(_: &BTreeMap<u32, u64>) {}
}

#[cfg(not(unix))]
mod system {
    use std::{
        collections::BTreeMap,
        process::{Child, Command, Stdio},
    };

    pub(crate) fn shell(command: &str) -> Command {
        let mut shell = Command::new("cmd");
        shell.args(["/C", command]);
        shell
    }

    /// Kills a program and its children.
    pub(crate) fn kill(program: u32) {
        let mut kill = Command::new("taskkill");
        kill.args(["/F", "/T", "/PID", &program.to_string()]);
        let _ = kill.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    pub(crate) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(crate) fn kill_strays(_: &BTreeMap<u32, u64>, _: Option<u32>) {}

    pub(crate) fn bury_orphans(_: &BTreeMap<u32, u64>) {}
}
