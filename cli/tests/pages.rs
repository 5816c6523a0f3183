//! The console blocks of README and of the pages in `docs/`: each command prints what the page shows.
#![cfg(unix)]

use std::{env, fs, path::Path, process::Command};

/// Runs the commands of a page one after another, in a new folder.
fn tells_the_truth(page: &str) {
    tells_the_truth_in(tempfile::tempdir().unwrap().path(), page);
}

/// Runs the commands of a page one after another, in this folder. Blocks in other languages than `console` are not run.
fn tells_the_truth_in(folder: &Path, page: &str) {
    let bin = Path::new(env!("CARGO_BIN_EXE_tilebase")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), env::var("PATH").unwrap());
    let mut commands = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            // A command continues in the lines that begin with the shell's second prompt.
            let example = example.replace("\n> ", "\0");
            let (command, expected) = example.split_once('\n').unwrap();
            let command = command.replace('\0', "\n");
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{command}")])
                .current_dir(folder)
                .env("PATH", &path)
                .env("TILEBASE_STORE", "tables")
                .output()
                .unwrap();
            let output = String::from_utf8(output.stdout).unwrap();
            assert_eq!(lasting(&output), lasting(expected), "$ {command}");
            commands += 1;
        }
    }
    assert_ne!(commands, 0, "no commands were found");
}

/// The lines that are the same in every run. Notes about built tables, and times, are left out.
fn lasting(output: &str) -> Vec<&str> {
    const PASSING: [&str; 6] = [
        "note: built the table",
        "note: built the pattern database",
        " builds a larger one (",
        " takes long: the pattern database ",
        " a position, ",
        "positions will take about",
    ];
    let lines = output.trim_end().lines();
    lines.filter(|line| !PASSING.iter().any(|words| line.contains(words))).collect()
}

#[test]
fn the_readme_tells_the_truth() {
    tells_the_truth(include_str!("../../README.md"));
}

#[test]
fn the_guide_tells_the_truth() {
    tells_the_truth(include_str!("../../docs/guide.md"));
}

#[test]
fn the_page_about_searches_tells_the_truth() {
    tells_the_truth(include_str!("../../docs/searches.md"));
}

#[test]
fn the_page_about_the_15_puzzle_tells_the_truth() {
    tells_the_truth(include_str!("../../docs/15-puzzle.md"));
}

#[test]
fn the_guide_to_judging_tells_the_truth() {
    for program in ["javac", "java", "python3"] {
        if Command::new(program).arg("--version").output().is_err() {
            eprintln!("skipped: there is no {program}");
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Solver.java"), include_str!("../../docs/Solver.java")).unwrap();
    tells_the_truth_in(folder.path(), include_str!("../../docs/judge-your-solver.md"));
}

#[cfg(feature = "cluster")]
#[test]
fn the_guide_to_clusters_tells_the_truth() {
    tells_the_truth(include_str!("../../docs/cluster.md"));
}
