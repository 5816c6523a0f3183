//! The program in a folder and with a store of its own, which are gone after the test.
#![allow(dead_code, reason = "each test file uses its part")]

use std::{
    io::Write,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

/// A store of its own for each test.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebase"));
        command
            .args(args)
            .current_dir(self.path())
            .env("TILEBASE_STORE", "store")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.feed(args, b"")
    }

    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.spawn(args);
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may stop reading early; that is for the test to judge.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::new(output)
    }
}

pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let ran =
            Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    #[track_caller]
    pub(crate) fn is(&self, code: i32, out: &str) -> &Self {
        assert_eq!((self.code, self.out.as_str()), (Some(code), out), "{}", self.err);
        self
    }

    #[track_caller]
    pub(crate) fn is_ok(&self) -> &Self {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self
    }

    #[track_caller]
    pub(crate) fn says(&self, message: &str) -> &Self {
        assert!(self.err.contains(message), "{message:?} is not in {:?}", self.err);
        self
    }
}
