//! The program on shapes whose tables are large.

use std::{fs, process::Command, thread, time::Duration};

mod sandbox;

use sandbox::{Ran, Sandbox};

const TABLE: &str = "store/4x3-home11-bit.tilebase";
/// Every board of 3x4 and 2x6 that is named here is written without its shape.
const FAR: &str = "1,2,3,4,5,6,7,8,9,0,10,11";

/// Files of the store.
fn stored(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path().join("store")).into_iter().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn twelve_cells_are_answered_at_once_by_either_encoding() {
    let sandbox = Sandbox::new();
    let ask = |verb, args: &[&str]| sandbox.run(&[&[verb, "--shape", "3x4", FAR], args].concat());
    ask("query", &[]).is(0, &format!("{FAR}\t2\n")).says("note: built the table for goal 1,2,3,4");
    assert_eq!(stored(&sandbox), ["4x3-home11-bit.tilebase"]);
    let by_bits = ["query", "solve", "query"].map(|verb| ask(verb, &["--json"]).out);

    let path = "store/4x3-home11-distance.tilebase";
    let build = ["build", "--shape", "3x4", "--encoding", "distance"];
    sandbox.run(&build).is(0, &format!("{path}\n")).says("note: 239,500,800 boards of 3x4: about ");
    fs::remove_file(sandbox.path().join(TABLE)).unwrap();
    let by_bytes = ["query", "solve", "query"].map(|verb| ask(verb, &["--json"]).out);
    assert_eq!(by_bits, by_bytes);
    assert_eq!(stored(&sandbox), ["4x3-home11-distance.tilebase"], "one of them is enough");
    // The default encoding has another file, so `build` makes it.
    sandbox.run(&["build", "--shape", "3x4"]).is(0, &format!("{TABLE}\n"));
    sandbox.run(&["verify", TABLE]).is(0, &format!("{TABLE}\tok\n"));
}

#[test]
fn verbs_that_go_through_all_boards_do_so_with_bits_too() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| sandbox.run(&[args, &["--shape", "2x6"]].concat());
    let stats = run(&["stats"]);
    let lines: Vec<_> = stats.is_ok().out.lines().collect();
    assert_eq!(lines[..3], ["0\t1", "1\t2", "2\t3"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("farthest\t")).count(), 2);
    assert!(lines[80].starts_with("80\t2"), "{}", lines[80]);
    let farthest = run(&["list", "--depth", "80"]).out;
    let listed: Vec<_> = farthest.lines().map(|line| line.split('\t').next().unwrap()).collect();
    let said: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("farthest\t")).collect();
    assert_eq!(listed, said);
    let any = run(&["sample", "-n", "3", "--seed", "5"]);
    assert_eq!(any.is_ok().out.lines().count(), 3);
    assert_eq!(any.out, run(&["sample", "-n", "3", "--seed", "5"]).out);
    let near = run(&["sample", "-n", "2", "--depth", "2..3", "--seed", "5"]).out;
    for line in near.lines() {
        let query = run(&["query", line]).out;
        assert!(query.ends_with("\t2\n") || query.ends_with("\t3\n"), "{query}");
    }
    run(&["check", "--solver", "cat"])
        .is(2, "")
        .says("there are 239,500,800 such positions: -n N draws some");
}

#[test]
fn a_census_is_what_a_table_counts() {
    let sandbox = Sandbox::new();
    let census = sandbox.run(&["build", "--shape", "3x4", "--no-table"]);
    census.is_ok().says("note: 239,500,800 boards of 3x4: about a second, 31.97 MB of memory");
    assert_eq!(stored(&sandbox), Vec::<String>::new());
    let stats = sandbox.run(&["stats", "--shape", "3x4"]).out;
    assert!(stats.starts_with(&census.out), "{}", census.out);
    sandbox
        .run(&["build", "--no-table", "-o", "file"])
        .is(2, "")
        .says("'--no-table' cannot be used with '--output <FILE>'");
}

#[test]
fn damage_is_never_answered_from() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build", "--shape", "3x4"]);
    let path = sandbox.path().join(TABLE);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    // The damaged bit is near the goal, where every walk ends.
    damaged[4096 + 16] ^= 4;
    fs::write(&path, &damaged).unwrap();
    let words = "has a damaged payload: bytes 4096 to 69631 do not match their checksum";
    sandbox
        .run(&["query", "--shape", "3x4", "--table", TABLE, FAR])
        .is(2, &format!("{FAR}\tunknown\n"))
        .says(&format!("the table {words}"));
    sandbox.run(&["verify"]).is(1, &format!("{TABLE}\t{words}\n"));
    sandbox
        .run(&["query", "--shape", "3x4", FAR])
        .is(0, &format!("{FAR}\t2\n"))
        .says(&format!("note: {TABLE} {words}; built the table"));
    assert!(fs::read(&path).unwrap() == whole, "it was built anew");
    // A heuristic cannot report damage to a search, so the whole table is checked first.
    fs::write(&path, &damaged).unwrap();
    let search = ["solve", "-q", "--shape", "3x4", "--heuristic", "table", FAR];
    sandbox.run(&search).is(0, "RR\n");
    assert!(fs::read(&path).unwrap() == whole, "and again");
    fs::write(&path, &damaged).unwrap();
    let sample = sandbox.run(&["check", "--shape", "3x4", &format!("{FAR}\t2")]);
    assert_eq!((sample.code, sample.err.matches(words).count()), (Some(0), 1), "{}", sample.err);
    fs::write(&path, &damaged).unwrap();
    sandbox.run(&["build", "--shape", "3x4"]).is(0, &format!("{TABLE}\n"));
    assert!(fs::read(&path).unwrap() == whole, "and again");
}

#[test]
fn what_is_too_large_is_said_before_the_work() {
    let sandbox = Sandbox::new();
    let board = "1,2,3,4,5,6,7,8,9,10,11,12,0,13";
    sandbox
        .run(&["query", "--shape", "2x7", board])
        .is(2, &format!("{board}\tunknown\n"))
        .says("error: the table for 2x7 is not in the store: `tilebase build --shape 2x7` builds it (about ");
    sandbox
        .run(&["build", "--shape", "2x7", "--encoding", "distance"])
        .is(2, "")
        .says("no table for 2x7 can have the encoding distance, which is for 2x2, 2x3, 3x2, ");
    // Either there is not enough memory or disk space, or there is no terminal to ask the user.
    let ran = sandbox.run(&["build", "--shape", "2x7", "--threads", "1"]);
    ran.is(2, "").says("note: 43,589,145,600 boards of 2x7: about ");
    let refused = ["error: there is not enough ", "--yes goes on"];
    assert!(refused.iter().any(|words| ran.err.contains(words)), "{}", ran.err);
    assert_eq!(stored(&sandbox), Vec::<String>::new());
}

#[test]
#[cfg(unix)]
fn an_interruption_leaves_nothing_behind() {
    // The interruption comes early in the search, late in the search, and while the file is written.
    for wait in [50, 200, 700] {
        let sandbox = Sandbox::new();
        let child = sandbox.spawn(&["build", "--shape", "3x4", "--encoding", "distance"]);
        thread::sleep(Duration::from_millis(wait));
        let interrupt = format!("kill -INT {}", child.id());
        Command::new("sh").args(["-c", &interrupt]).status().unwrap();
        let ran = Ran::new(child.wait_with_output().unwrap());
        match ran.code {
            Some(130) => assert_eq!((ran.out.as_str(), stored(&sandbox)), ("", vec![])),
            // The build ended before the interruption.
            code => assert_eq!(code, Some(0), "{}", ran.err),
        }
    }
}

#[test]
fn threads_and_processes_make_the_same_file() {
    let sandbox = Sandbox::new();
    let build = ["build", "--shape", "2x6", "--force"];
    let children: Vec<_> = (0..2).map(|_| sandbox.spawn(&build)).collect();
    for child in children {
        Ran::new(child.wait_with_output().unwrap()).is_ok();
    }
    let both = fs::read(sandbox.path().join("store/6x2-home11-bit.tilebase")).unwrap();
    sandbox.run(&["build", "--shape", "2x6", "--threads", "1", "-o", "alone"]).is(0, "alone\n");
    assert!(both == fs::read(sandbox.path().join("alone")).unwrap());
}
