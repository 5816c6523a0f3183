//! The README's console blocks: each command gives what the README shows.
#![cfg(all(feature = "cli", unix))]

use std::{env, path::Path, process::Command};

#[test]
fn the_readme_tells_the_truth() {
    let readme = include_str!("../README.md");
    let folder = tempfile::tempdir().unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_tilebase")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), env::var("PATH").unwrap());
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap();
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{command}")])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("TILEBASE_STORE", "tables")
                .output()
                .unwrap();
            let output = String::from_utf8(output.stdout).unwrap();
            // The README says once that a table is built on the way, and how that is told.
            let output: String = output
                .lines()
                .filter(|line| !line.starts_with("note: built the table"))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(output.trim_end(), expected.trim_end(), "$ {command}");
            commands += 1;
        }
    }
    assert!(commands >= 10, "only {commands} commands were found");
}
