//! Tables that several processes on this machine make together.
#![cfg(feature = "cluster")]

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::{Duration, Instant},
};

#[path = "../../tests/forge/mod.rs"]
mod forge;
mod sandbox;

use sandbox::{Ran, Sandbox};

/// Ports that no process listens on. They are below the range of ports that the system gives to connecting programs.
fn free_ports(count: usize) -> Vec<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = 10_000 + (std::process::id() % 20_000) as u16;
    let ports = std::iter::repeat_with(|| {
        10_000 + (start - 10_000 + NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000
    });
    ports.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).take(count).collect()
}

/// Writes a host file for this number of processes on this machine, and returns their ports.
fn write_hosts(sandbox: &Sandbox, count: usize) -> Vec<u16> {
    let ports = free_ports(count);
    let lines = ports.iter().map(|port| format!("127.0.0.1:{port}\n"));
    fs::write(sandbox.path().join("hosts"), lines.collect::<String>()).unwrap();
    ports
}

/// Starts one process of several.
fn begin(sandbox: &Sandbox, process: usize, args: &[&str]) -> Child {
    let number = process.to_string();
    let own = ["build", "--hosts", "hosts", "--process", &number, "--wait", "20"];
    sandbox.spawn(&[&own, args].concat())
}

/// Waits for the end of a process.
fn end(child: Child) -> Ran {
    Ran::new(child.wait_with_output().unwrap())
}

/// Makes a table with this number of processes, and returns the results of all.
fn build(sandbox: &Sandbox, processes: usize, args: &[&str]) -> Vec<Ran> {
    let children: Vec<_> = (0..processes).map(|process| begin(sandbox, process, args)).collect();
    children.into_iter().map(end).collect()
}

/// The names of the files in the store, without the temporary files of killed processes.
fn stored(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path().join("store")).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| !name.ends_with(".tmp")).collect();
    names.sort();
    names
}

/// Merges a table of the store, and compares it with one that a single process builds.
#[track_caller]
fn is_right(sandbox: &Sandbox, table: &str, shape: &str, encoding: &str) {
    sandbox.run(&["merge", table, "-o", "merged", "--force"]).is(0, "merged\n");
    let single = ["build", "--shape", shape, "--encoding", encoding, "-o", "single"];
    sandbox.run(&single).is_ok();
    let [merged, single] = ["merged", "single"].map(|name| fs::read(sandbox.path().join(name)));
    assert!(merged.unwrap() == single.unwrap(), "{shape}, {encoding}");
}

#[test]
fn any_number_of_processes_and_threads_make_the_same_table() {
    for (shape, encoding, table) in [
        ("3x3", "distance", "store/3x3-home8-distance.tilebase"),
        ("3x3", "bit", "store/3x3-home8-bit.tilebase"),
        ("2x5", "distance", "store/5x2-home9-distance.tilebase"),
        ("2x5", "bit", "store/5x2-home9-bit.tilebase"),
        ("3x4", "bit", "store/4x3-home11-bit.tilebase"),
    ] {
        for processes in 1..=3 {
            for workers in ["1", "2"] {
                let sandbox = Sandbox::new();
                write_hosts(&sandbox, processes);
                let args = ["--shape", shape, "--encoding", encoding, "--workers", workers];
                for (process, ran) in build(&sandbox, processes, &args).iter().enumerate() {
                    let part =
                        table.replace(".tilebase", &format!(".part-{process}-of-{processes}"));
                    let path = if process == 0 { table } else { &part };
                    ran.is(0, &format!("{path}\n"));
                    // Only the first process shows the progress.
                    assert_eq!(ran.err.is_empty(), process > 0, "{}", ran.err);
                }
                assert_eq!(stored(&sandbox).len(), processes + 1, "{:?}", stored(&sandbox));
                is_right(&sandbox, table, shape, encoding);
            }
        }
    }
}

#[test]
fn the_largest_tables_with_a_byte_a_board_are_made_for_any_goal() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 3);
    let goal = ["--shape", "3x4", "--goal", "1,2,3,4,5,6,7,8,9,0,10,11"];
    let built = build(&sandbox, 3, &[&goal[..], &["--encoding", "distance"]].concat());
    assert!(built.iter().all(|ran| ran.is_ok().code == Some(0)));
    let table = built[0].out.trim();
    sandbox.run(&["merge", table]).is(0, &format!("{table}\n"));
    sandbox.run(&["verify", table]).is(0, &format!("{table}\tok\n"));
}

#[test]
fn a_table_in_parts_answers_like_a_whole_one() {
    for encoding in ["bit", "distance"] {
        let sandbox = Sandbox::new();
        write_hosts(&sandbox, 2);
        build(&sandbox, 2, &["--shape", "2x5", "--encoding", encoding]);
        let table = format!("store/5x2-home9-{encoding}.tilebase");
        let ask = |args: &[&str]| {
            let ran = sandbox.run(args);
            ran.is_ok();
            ran.out
        };
        let questions: [&[&str]; 5] = [
            &["query", "--shape", "2x5", "0987612345", "1234567809", "9876543210"],
            &["solve", "--best", "--shape", "2x5", "0987612345"],
            &["stats", "--shape", "2x5"],
            &["sample", "--shape", "2x5", "-n", "20", "--depth", "40..55", "--seed", "1"],
            &["verify", &table],
        ];
        let in_parts = questions.map(ask);
        let info = ask(&["info", "--json"]);
        assert!(info.contains(r#""kind":"full""#) && info.contains(r#""parts":2"#), "{info}");
        ask(&["merge", &table]);
        assert_eq!(in_parts, questions.map(ask));
        let info = ask(&["info", "--json"]);
        assert!(info.contains(r#""parts":0"#), "{info}");
    }
}

/// Waits until a process has a checkpoint of a level, or of a later one.
#[track_caller]
fn wait_for(sandbox: &Sandbox, part: &str, level: u32) {
    let start = Instant::now();
    let is_kept = |name: &String| level_of(name, part).is_some_and(|kept| kept >= level);
    while !stored(sandbox).iter().any(is_kept) {
        assert!(start.elapsed() < Duration::from_secs(60), "level {level} does not come");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The level of a file that is a checkpoint of this part.
fn level_of(name: &str, part: &str) -> Option<u32> {
    name.strip_prefix(part)?.strip_prefix(".level-")?.parse().ok()
}

const SHORT: [&str; 6] = ["--shape", "2x5", "--encoding", "bit", "--checkpoint", "1"];
const TABLE: &str = "store/5x2-home9-bit.tilebase";

/// The name of the part of a process of three.
fn part(process: usize) -> String {
    format!("5x2-home9-bit.part-{process}-of-3")
}

/// Starts three processes, and kills one of them when it has a checkpoint of a level.
fn kill_in_the_middle(sandbox: &Sandbox, victim: usize, level: u32) {
    write_hosts(sandbox, 3);
    let mut children: Vec<_> = (0..3).map(|process| begin(sandbox, process, &SHORT)).collect();
    wait_for(sandbox, &part(victim), level);
    let mut killed = children.remove(victim);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let start = Instant::now();
    for child in children {
        let ran = end(child);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        let lost = format!("error: process {victim} (127.0.0.1:");
        ran.says(&lost).says(") was lost; the same commands with --resume go on from level ");
        let errors = ran.err.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(errors, 1, "{}", ran.err);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "it takes seconds");
    assert!(!sandbox.path().join(TABLE).exists(), "there is no table yet");
    sandbox.run(&["query", "--table", TABLE, "0987612345"]).says("cannot be read");
}

#[test]
fn a_killed_run_resumes_and_makes_the_same_table() {
    for victim in 0..3 {
        let sandbox = Sandbox::new();
        kill_in_the_middle(&sandbox, victim, 12);
        let resumed = build(&sandbox, 3, &[&SHORT[..], &["--resume"]].concat());
        assert!(resumed.iter().all(|ran| ran.is_ok().code == Some(0)));
        resumed[0].says("note: going on from level 1");
        assert_eq!(stored(&sandbox).len(), 4, "{:?}", stored(&sandbox));
        is_right(&sandbox, TABLE, "2x5", "bit");
    }
}

#[test]
fn a_run_with_a_byte_a_board_resumes_too() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 2);
    let args = ["--shape", "2x5", "--checkpoint", "1"];
    let mut first = begin(&sandbox, 0, &args);
    let second = begin(&sandbox, 1, &args);
    wait_for(&sandbox, "5x2-home9-distance.part-1-of-2", 10);
    first.kill().unwrap();
    first.wait().unwrap();
    end(second).says("--resume");
    let resumed = build(&sandbox, 2, &[&args[..], &["--resume"]].concat());
    resumed[0].is_ok().says("going on from level ");
    is_right(&sandbox, "store/5x2-home9-distance.tilebase", "2x5", "distance");
}

#[test]
fn checkpoints_have_the_given_interval() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 2);
    let args = ["--shape", "3x4", "--checkpoint", "4"];
    let children = [begin(&sandbox, 0, &args), begin(&sandbox, 1, &args)];
    let own = |process| format!("4x3-home11-bit.part-{process}-of-2");
    let (mut seen, mut most) = (vec![], 0);
    let table = sandbox.path().join("store/4x3-home11-bit.tilebase");
    while level_of_any(&sandbox, &own(1)).last() < Some(&20) && !table.exists() {
        for process in 0..2 {
            let levels = level_of_any(&sandbox, &own(process));
            most = most.max(levels.len());
            seen.extend(levels);
        }
    }
    for mut child in children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(seen.contains(&8) && seen.iter().all(|level| level % 4 == 0), "{seen:?}");
    assert!(most <= 3, "two, and one that is about to be removed");
}

/// The levels of a part's checkpoints, in order.
fn level_of_any(sandbox: &Sandbox, part: &str) -> Vec<u32> {
    let names = stored(sandbox);
    let mut levels: Vec<_> = names.iter().filter_map(|name| level_of(name, part)).collect();
    levels.sort_unstable();
    levels
}

#[test]
fn damaged_checkpoints_are_skipped() {
    let sandbox = Sandbox::new();
    kill_in_the_middle(&sandbox, 1, 12);
    let names = stored(&sandbox);
    // One file is cut off, and in another one a byte is changed.
    let last = |process| {
        let levels = names.iter().filter_map(|name| level_of(name, &part(process)));
        let name = format!("{}.level-{}", part(process), levels.max().unwrap());
        sandbox.path().join("store").join(name)
    };
    let (cut, changed) = (last(0), last(2));
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let mut bytes = fs::read(&changed).unwrap();
    bytes[9000] ^= 1;
    fs::write(&changed, &bytes).unwrap();
    let resumed = build(&sandbox, 3, &[&SHORT[..], &["--resume"]].concat());
    resumed[0].is_ok().says("is cut off: ").says("it is passed over");
    resumed[2].is_ok().says("do not match their checksum; it is passed over");
    is_right(&sandbox, TABLE, "2x5", "bit");
}

#[test]
fn a_level_without_all_checkpoints_is_not_resumed_from() {
    let sandbox = Sandbox::new();
    kill_in_the_middle(&sandbox, 2, 10);
    for name in stored(&sandbox).iter().filter(|name| name.contains("part-1-of-3.level")) {
        fs::remove_file(sandbox.path().join("store").join(name)).unwrap();
    }
    let resumed = build(&sandbox, 3, &[&SHORT[..], &["--resume"]].concat());
    resumed[0].is_ok().says("there is no checkpoint that all have: from the start");
    is_right(&sandbox, TABLE, "2x5", "bit");
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_all() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 3);
    let args = ["--shape", "3x4", "--checkpoint", "1"];
    let mut children: Vec<_> = (0..3).map(|process| begin(&sandbox, process, &args)).collect();
    wait_for(&sandbox, "4x3-home11-bit.part-1-of-3", 2);
    let first = children.remove(0);
    let kill = Command::new("kill").args(["-INT", &first.id().to_string()]).status();
    assert!(kill.unwrap().success());
    end(first).is(130, "");
    for child in children {
        let ran = end(child);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        ran.says("error: process 0 (").says("--resume");
    }
    let names = stored(&sandbox);
    assert!(names.iter().all(|name| name.contains(".level-")), "{names:?}");
}

#[test]
fn host_files_that_are_wrong_are_refused() {
    let sandbox = Sandbox::new();
    let refused = |text: &str, process: &str, message: &str| {
        fs::write(sandbox.path().join("hosts"), text).unwrap();
        let args = ["build", "--hosts", "hosts", "--process", process, "--wait", "1"];
        let ran = sandbox.run(&args);
        ran.is(2, "").says(message);
    };
    refused("", "0", "error: hosts: names no host; expected a line HOST:PORT for each process");
    refused("# none\n\n", "0", "names no host");
    refused(
        "10.0.0.1\n",
        "0",
        r#"hosts: line 1: "10.0.0.1" is not an address; expected HOST:PORT"#,
    );
    refused("a:1\n\na b:2\n", "0", r#"line 3: "a b:2" is not an address"#);
    refused("a:0\n", "0", r#"line 1: "a:0" is not an address"#);
    refused("a:1\nb:2\na:1\n", "0", "line 3: a:1 stands there twice");
    refused("a:1\nb:2\n", "2", "there is no process 2: the hosts are 2, numbered from 0");
    refused("192.0.2.1:4000\nb:2\n", "0", "cannot listen at 192.0.2.1:4000: ");
    let port = free_ports(1)[0];
    let missing = format!("error: missing after 1 s: process 1 (127.0.0.1:{})", port + 1);
    refused(&format!("127.0.0.1:{port}\n127.0.0.1:{}\n", port + 1), "0", &missing);
    sandbox
        .run(&["build", "--hosts", "none", "--process", "0"])
        .is(2, "")
        .says("error: none: cannot be read: No such file or directory (os error 2)\n");
    sandbox.run(&["build", "--process", "0"]).is(2, "").says("--hosts <FILE>");
    assert!(stored(&sandbox).is_empty());
}

#[test]
fn processes_with_different_work_refuse_each_other() {
    let differ = |one: &[&str], other: &[&str], what: &str, values: [&str; 2]| {
        let sandbox = Sandbox::new();
        write_hosts(&sandbox, 2);
        let children = [begin(&sandbox, 0, one), begin(&sandbox, 1, other)];
        let rans = children.map(end);
        for (number, ran) in rans.iter().enumerate() {
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
            let [here, there] = [values[number], values[1 - number]];
            ran.says(&format!("error: process {} (127.0.0.1:", 1 - number));
            ran.says(&format!("its {what} is {there}, and here it is {here}"));
        }
    };
    differ(&["--shape", "3x3"], &["--shape", "2x5"], "shape", ["3x3", "5x2"]);
    differ(&[], &["--goal", "1,2,3,4,0,5,6,7,8"], "home", ["8", "4"]);
    differ(&[], &["--encoding", "bit"], "encoding", ["distance", "bit"]);
    differ(&[], &["--resume"], "beginning", ["without --resume", "with --resume"]);
}

#[test]
fn another_version_is_refused() {
    let sandbox = Sandbox::new();
    let ports = write_hosts(&sandbox, 2);
    let first = begin(&sandbox, 0, &[]);
    let greeting = r#"{"program": "tilebase", "process": 1, "work": [["version", "0.0.0\n\u001b[1m"]],
        "levels": [], "is_there": false, "is_taken": false}"#;
    let mut stream = loop {
        match TcpStream::connect(("127.0.0.1", ports[0])) {
            Ok(stream) => break stream,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    stream.write_all(&(greeting.len() as u32).to_be_bytes()).unwrap();
    stream.write_all(greeting.as_bytes()).unwrap();
    let ran = end(first);
    ran.is(2, "").says(r"does other work: its version is 0.0.0\n\u{1b}[1m, and here it is ");
    assert_eq!(ran.err.lines().filter(|line| line.starts_with("error")).count(), 1);
}

#[test]
fn the_bytes_of_parts_stay_as_they_are() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 2);
    build(&sandbox, 2, &["--shape", "3x2", "--encoding", "bit"]);
    for name in stored(&sandbox) {
        let golden = fs::read(Path::new("../data/parts").join(&name)).unwrap();
        assert!(fs::read(sandbox.path().join("store").join(&name)).unwrap() == golden, "{name}");
    }
    assert_eq!(stored(&sandbox).len(), 3);
    sandbox.run(&["merge", "store/3x2-home5-bit.tilebase"]).is_ok();
    let merged = fs::read(sandbox.path().join("store/3x2-home5-bit.tilebase")).unwrap();
    assert!(merged == fs::read("../data/3x2-home5-bit.tilebase").unwrap());
}

#[test]
fn processes_with_other_host_files_refuse_each_other() {
    let sandbox = Sandbox::new();
    let ports = write_hosts(&sandbox, 2);
    let text = fs::read_to_string(sandbox.path().join("hosts")).unwrap();
    fs::write(sandbox.path().join("more"), format!("{text}127.0.0.1:{}\n", ports[0] - 1)).unwrap();
    let other = ["build", "--hosts", "more", "--process", "1", "--wait", "20"];
    let children = [begin(&sandbox, 0, &[]), sandbox.spawn(&other)];
    let [first, second] = children.map(end);
    first.is(2, "").says("its number of hosts is 3, and here it is 2");
    second.is(2, "").says("its number of hosts is 2, and here it is 3");
}

#[test]
fn callers_without_a_greeting_do_no_harm() {
    let sandbox = Sandbox::new();
    let ports = write_hosts(&sandbox, 2);
    let first = begin(&sandbox, 0, &[]);
    let call = || loop {
        match TcpStream::connect(("127.0.0.1", ports[0])) {
            Ok(stream) => return stream,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    // Some are silent, one sends something else, and one closes at once.
    let silent: Vec<_> = (0..5).map(|_| call()).collect();
    let mut talks = call();
    talks.write_all(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").unwrap();
    drop(call());
    let second = begin(&sandbox, 1, &[]);
    end(first).is_ok();
    end(second).is_ok();
    let _ = talks.read(&mut [0; 1]);
    drop(silent);
    is_right(&sandbox, "store/3x3-home8-distance.tilebase", "3x3", "distance");
}

#[test]
fn a_process_that_dies_before_the_meeting_may_come_again() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 3);
    let first = begin(&sandbox, 0, &[]);
    let mut second = begin(&sandbox, 1, &[]);
    thread::sleep(Duration::from_millis(300));
    second.kill().unwrap();
    second.wait().unwrap();
    for child in [first, begin(&sandbox, 1, &[]), begin(&sandbox, 2, &[])] {
        end(child).is_ok();
    }
    is_right(&sandbox, "store/3x3-home8-distance.tilebase", "3x3", "distance");
}

#[test]
fn a_second_process_with_the_same_number_is_refused() {
    let sandbox = Sandbox::new();
    let ports = write_hosts(&sandbox, 3);
    let first = begin(&sandbox, 0, &[]);
    let second = begin(&sandbox, 1, &[]);
    thread::sleep(Duration::from_millis(300));
    // A further process has the number of the second, but its own address, as if it ran on another machine.
    let text = fs::read_to_string(sandbox.path().join("hosts")).unwrap();
    let own = text.replace(&format!(":{}\n", ports[1]), &format!(":{}\n", free_ports(1)[0]));
    fs::write(sandbox.path().join("own"), own).unwrap();
    let twin = ["build", "--hosts", "own", "--process", "1", "--wait", "20"];
    sandbox.run(&twin).is(2, "").says("error: there are two processes 1");
    for child in [first, second, begin(&sandbox, 2, &[])] {
        end(child).is_ok();
    }
}

#[test]
fn existing_tables_and_files_are_kept() {
    let sandbox = Sandbox::new();
    write_hosts(&sandbox, 2);
    build(&sandbox, 2, &[]);
    let table = "store/3x3-home8-distance.tilebase";
    sandbox.run(&["merge", table]).is_ok();
    let path = sandbox.path().join(table);
    let whole = fs::read(&path).unwrap();
    for args in [&[][..], &["--resume"]] {
        let again = build(&sandbox, 2, args);
        again[0].is(0, &format!("{table}\n"));
        again[1].is_ok();
        assert!(fs::read(&path).unwrap() == whole, "it is still the same file");
    }
    build(&sandbox, 2, &["--force"])[0].is_ok();
    let manifest = fs::read(&path).unwrap();
    assert!(manifest != whole, "it is in parts again");
    // The missing part may come back, so the manifest stays.
    let part = sandbox.path().join("store/3x3-home8-distance.part-1-of-2");
    fs::rename(&part, sandbox.path().join("away")).unwrap();
    sandbox.run(&["query", "867254301"]).is(0, "867254301\t31\n").says("left the file alone");
    assert!(fs::read(&path).unwrap() == manifest);
    fs::rename(sandbox.path().join("away"), &part).unwrap();

    // The user's own files, where a table or a part should be written.
    fs::write(sandbox.path().join("my.part-1-of-2"), "precious").unwrap();
    let one = begin(&sandbox, 1, &["-o", "my.tilebase"]);
    end(one)
        .is(2, "")
        .says("my.part-1-of-2 is there and is not a part of a table; --force replaces it");
    fs::create_dir(sandbox.path().join("your.part-1-of-2")).unwrap();
    let one = begin(&sandbox, 1, &["-o", "your.tilebase", "--force"]);
    end(one).is(2, "").says("your.part-1-of-2 is not a regular file");
    assert_eq!(fs::read(sandbox.path().join("my.part-1-of-2")).unwrap(), b"precious");
}

#[test]
fn wrong_checkpoints_make_no_table() {
    let sandbox = Sandbox::new();
    kill_in_the_middle(&sandbox, 1, 12);
    for name in stored(&sandbox) {
        let path = sandbox.path().join("store").join(name);
        let mut bytes = fs::read(&path).unwrap();
        // The checkpoint says that no board has been found, and its checksums match.
        let payload = bytes.len() - 4096 - 4 - 4 * (bytes.len() - 4096).div_ceil(65540);
        bytes[4096..4096 + payload].fill(0);
        forge::seal(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
    let resumed = build(&sandbox, 3, &[&SHORT[..], &["--resume"]].concat());
    for ran in resumed {
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    }
    assert!(!sandbox.path().join(TABLE).exists());
}

/// Builds a table in two parts, whose files have these names.
fn build_two_parts(sandbox: &Sandbox) -> [&'static str; 2] {
    write_hosts(sandbox, 2);
    build(sandbox, 2, &["--shape", "2x5", "--encoding", "bit"]);
    ["5x2-home9-bit.part-0-of-2", "5x2-home9-bit.part-1-of-2"]
}

/// Checks that no command reads the table, and that all say why.
#[track_caller]
fn is_refused(sandbox: &Sandbox, message: &str) {
    for args in [
        &["query", "--shape", "2x5", "--table", TABLE, "0987612345"][..],
        &["merge", TABLE, "-o", "merged"],
        &["info", TABLE],
    ] {
        sandbox.run(args).is(2, "").says(message);
    }
    sandbox.run(&["verify", TABLE]).is(1, &format!("{TABLE}\t{message}\n"));
    assert!(!sandbox.path().join("merged").exists());
}

#[test]
fn parts_that_are_missing_or_damaged_are_refused() {
    let sandbox = Sandbox::new();
    let [_, name] = build_two_parts(&sandbox);
    let path = sandbox.path().join("store").join(name);
    let whole = fs::read(&path).unwrap();
    let refused = |what: &str| {
        is_refused(&sandbox, &format!("has a part that {what}: store/{name}"));
    };
    fs::remove_file(&path).unwrap();
    refused("cannot be read (No such file or directory (os error 2))");
    fs::write(&path, b"").unwrap();
    refused("is empty");
    fs::write(&path, b"something else").unwrap();
    refused("is not a tilebase table");
    fs::write(&path, &whole[..5000]).unwrap();
    refused(&format!("is cut off: 5000 of {} bytes", whole.len()));
    let mut bytes = whole.clone();
    bytes[70_000] ^= 4;
    fs::write(&path, &bytes).unwrap();
    refused("has a damaged payload: bytes 69632 to 135167 do not match their checksum");
}

#[test]
fn parts_of_another_table_are_refused() {
    let sandbox = Sandbox::new();
    let parts = build_two_parts(&sandbox);
    let at = |name: &str| sandbox.path().join("store").join(name);
    let foreign = |found: &str| {
        let message = "has for part 1 of 2 a file that is not it: store";
        is_refused(&sandbox, &format!("{message}/{} {found}", parts[1]));
    };
    fs::copy(at(parts[0]), at(parts[1])).unwrap();
    foreign("is part 0 of 2");
    fs::copy("../data/3x2-home5-bit.tilebase", at(parts[1])).unwrap();
    foreign("is a full table");
    write_hosts(&sandbox, 2);
    let goal = ["--goal", "1,2,3,4,5,6,7,8,0,9"];
    build(&sandbox, 2, &[&["--shape", "2x5", "--encoding", "bit"], &goal[..]].concat());
    fs::copy(at("5x2-home7-bit.part-1-of-2"), at(parts[1])).unwrap();
    let found = sandbox.run(&["query", "--shape", "2x5", "--table", TABLE, "0987612345"]);
    found.is(2, "").says("a file that is not it: ").says("has the checksum ");
}

#[test]
fn a_manifest_stays_when_a_part_is_missing() {
    let sandbox = Sandbox::new();
    let [_, name] = build_two_parts(&sandbox);
    // The part may come back.
    fs::remove_file(sandbox.path().join("store").join(name)).unwrap();
    let manifest = fs::read(sandbox.path().join(TABLE)).unwrap();
    let build_again = ["build", "--shape", "2x5", "--encoding", "bit"];
    sandbox.run(&build_again).is(2, "").says("has a part that cannot be read").says("--force");
    assert!(fs::read(sandbox.path().join(TABLE)).unwrap() == manifest);
}

#[test]
fn a_part_alone_is_not_a_table() {
    let sandbox = Sandbox::new();
    let [name, _] = build_two_parts(&sandbox);
    let part = format!("store/{name}");
    let alone = sandbox.run(&["query", "--shape", "2x5", "--table", &part, "0987612345"]);
    alone.is(2, "").says("is a part of a table, and not a full table");
    sandbox.run(&["merge", &part]).is(2, "").says("is not in parts");
    sandbox.run(&["info", &part]).is_ok();
}

#[test]
fn a_manifest_may_name_parts_elsewhere_and_is_checked() {
    let sandbox = Sandbox::new();
    let [_, name] = build_two_parts(&sandbox);
    fs::create_dir(sandbox.path().join("elsewhere")).unwrap();
    let moved = sandbox.path().join("elsewhere").join("moved");
    fs::rename(sandbox.path().join("store").join(name), &moved).unwrap();
    let manifest = fs::read_to_string(sandbox.path().join(TABLE)).unwrap();
    let write = |manifest: &str| fs::write(sandbox.path().join(TABLE), manifest).unwrap();
    for path in [moved.to_str().unwrap(), "../elsewhere/moved"] {
        write(&manifest.replace(name, path));
        sandbox.run(&["verify", TABLE]).is(0, &format!("{TABLE}\tok\n"));
    }
    write(&manifest.replace("\"version\": 1", "\"version\": 2"));
    is_refused(&sandbox, "is a manifest of version 2; this program reads version 1");
    write(&manifest.replace("table in parts", "something"));
    sandbox.run(&["info", TABLE]).is(2, "").says("is not a manifest of parts: expected ");
    write(&manifest[..manifest.len() / 2]);
    sandbox.run(&["info", TABLE]).is(2, "").says("is not a manifest of parts: EOF while parsing");
    write(r#"{"tilebase": "table in parts", "version": 1, "parts": []}"#);
    is_refused(&sandbox, "is a manifest that names no parts");
    write(&manifest.replace(name, "5x2-home9-bit.tilebase"));
    is_refused(&sandbox, &format!("has a part that is not a tilebase table: {TABLE}"));
}

#[test]
fn the_plan_agrees_with_what_is_sent() {
    let sandbox = Sandbox::new();
    let amount = |text: &str, unit: &str| -> f64 {
        let words: Vec<_> = text.split([' ', ',']).collect();
        let scale = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)].into_iter().find(|s| s.0 == unit);
        let at = words.iter().position(|word| *word == unit).unwrap();
        words[at - 1].parse::<f64>().unwrap() * scale.unwrap().1
    };
    for (shape, machines, unit) in [("2x5", "2", "kB"), ("2x6", "2", "MB"), ("3x4", "3", "MB")] {
        let args = ["--shape", shape, "--encoding", "bit"];
        let plan = sandbox.run(&[&["build", "--plan", "--machines", machines], &args[..]].concat());
        plan.is_ok();
        let line = |key: &str| plan.out.lines().find(|line| line.starts_with(key)).unwrap();
        write_hosts(&sandbox, machines.parse().unwrap());
        let built = build(&sandbox, machines.parse().unwrap(), &args);
        let sent = built[0].err.lines().find(|line| line.contains(", and sent ")).unwrap();
        let [planned, measured] = [line("network"), sent].map(|text| amount(text, unit));
        let ratio = planned / measured;
        assert!((0.8..1.25).contains(&ratio), "{shape}: {planned} planned, {measured} sent");
    }
    let plan = sandbox.run(&["build", "--plan", "--shape", "4x4", "--machines", "64"]);
    plan.is_ok();
    assert!(plan.out.contains("10,461,394,944,000"), "{}", plan.out);
    sandbox.run(&["build", "--plan", "--shape", "5x5"]).is(2, "").says("too many cells");
    let bits = ["build", "--plan", "--bandwidth", "fast"];
    sandbox.run(&bits).is(2, "").says("expected bits a second such as 1G");
    sandbox.run(&["build", "--plan", "--bandwidth", "1e-300G"]).is(2, "");
}
