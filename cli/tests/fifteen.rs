//! The program on the 15- and the 24-puzzle.

use std::{fs, process::Command, thread, time::Duration};

mod sandbox;

use sandbox::{Ran, Sandbox};

const SMALL: &str = "store/4x4-home15-pattern-6-6-3.tilebase";
/// The first of Korf's boards.
const KORF: &str = "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3";
const NEAR: &str = "1 2 3 4 5 6 7 8 9 10 15 14 13 12 11 0";
/// A board of the 24-puzzle in reverse order. It is about as far from the goal as a board can be.
const FAR: &str = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0";

#[test]
fn the_15_puzzle_is_answered_without_any_set_up() {
    let sandbox = Sandbox::new();
    let first = ["query", "--goal", "blank-first", KORF];
    sandbox
        .run(&first)
        .is(0, &format!("{KORF}\t57\n"))
        .says("note: built the pattern database 6-6-3 for goal 0,1,2,3,4,5")
        .says("note: `tilebase build --shape 4x4 --goal 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --pattern 7-8` builds a larger one");
    assert!(sandbox.path().join(SMALL).exists());
    assert_eq!(sandbox.run(&first).err, "", "it is there now, for every goal of that kind");
    let near = sandbox.run(&["solve", NEAR]);
    assert_eq!(near.is_ok().out.trim().len(), 14);
    sandbox.run(&["solve", "--count", NEAR]).is(0, "2\n");
    sandbox.run(&["solve", "--best", NEAR]).is(0, "U\t13\nL\t13\n\n");
    let boards = sandbox.run(&["solve", "--boards", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"]);
    boards
        .is(0, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,15\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0\n\n");
    sandbox
        .run(&["query", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"])
        .is(1, "1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0\tunsolvable\n");
    // Several goals: another corner with other tile numbers, an edge, and the middle of the spiral.
    for goal in
        ["3 2 1 0/4 5 6 7/8 9 10 11/12 13 14 15", "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15", "snail"]
    {
        sandbox
            .run(&[
                "query",
                "--shape",
                "4x4",
                "--goal",
                goal,
                "--notation",
                "digits",
                goal_of(goal),
            ])
            .is_ok();
    }
    let json = sandbox.run(&["query", "--json", "--goal", "blank-first", KORF]);
    let json: serde_json::Value = serde_json::from_str(&json.is_ok().out).unwrap();
    assert_eq!((&json["distance"], &json["search"]["heuristic"]), (&57.into(), &"pattern".into()));
}

/// The position for the name of a goal.
fn goal_of(goal: &str) -> &str {
    if goal == "snail" { "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7" } else { goal }
}

#[test]
fn databases_are_built_named_verified_and_refused() {
    let sandbox = Sandbox::new();
    let build = |args: &[&str]| sandbox.run(&[&["build", "--shape", "4x4"], args].concat());
    build(&["--pattern", "3-6-6"])
        .is(0, &format!("{SMALL}\n"))
        .says("note: 23,637,072 entries of 6-6-3 on 4x4: about a second, ");
    assert_eq!(build(&["--pattern", "6-6-3"]).is(0, &format!("{SMALL}\n")).err, "");
    build(&["--pattern", "1,2,3/4,5,6", "-o", "own"]).is(0, "own\n");
    sandbox.run(&["verify", "own"]).is(0, "own\tok\n");
    sandbox.run(&["verify"]).is(0, &format!("{SMALL}\tok\n"));
    let info = sandbox.run(&["info", "own", SMALL]);
    for line in [
        "kind           pattern",
        "pattern        1,2,3/",
        "pattern        6-6-3",
        "entries        23637072",
    ] {
        assert!(info.out.contains(line), "{line} is not in {}", info.out);
    }
    build(&["--pattern", "5-5-5", "-o", "own"])
        .is(2, "")
        .says("own is the pattern database 1,2,3/4");
    build(&["--pattern", "9-6"])
        .is(2, "")
        .says("error: --pattern: a pattern has 1 to 8 tiles, not 9");
    build(&["--pattern", "7-7"]).is(2, "").says("7-7 have 14 tiles; 4x4 has 15");
    sandbox
        .run(&["build", "--shape", "6x6", "--pattern", "7-8"])
        .is(2, "")
        .says("they end at 25 cells");

    // An error in a named file is reported. A damaged file of the store is built again.
    let query = |file: &str| sandbox.run(&["query", "--table", file, NEAR]);
    query("own").is(0, "1,2,3,4,5,6,7,8,9,10,15,14,13,12,11,0\t14\n");
    sandbox.run(&["query", "--table", "own", "867254301"]).is(2, "867254301\tinvalid\n");
    sandbox
        .run(&["query", "--table", "own", "--shape", "5x5", FAR])
        .is(2, "")
        .says("own is for 4x4");
    sandbox
        .run(&["query", "--table", "own", "--goal", "snail", "--shape", "4x4", NEAR])
        .is(2, "")
        .says("the table is for 4x4 with home 15");
    sandbox
        .run(&["stats", "--table", "own"])
        .is(2, "")
        .says("own is a pattern database, and not a full table");
    let bytes = fs::read(sandbox.path().join(SMALL)).unwrap();
    let change = |file: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        fs::write(sandbox.path().join(file), bytes).unwrap();
    };
    change("cut", &|bytes| bytes.truncate(100_000));
    query("cut").is(2, "").says("cut is cut off: 100000 of 3165512 bytes");
    change("flipped", &|bytes| bytes[500_000] ^= 1);
    query("flipped").is(2, "").says("flipped has a damaged payload");
    sandbox.run(&["verify", "flipped"]).is(
        1,
        "flipped\thas a damaged payload: bytes 462848 to 528383 do not match their checksum\n",
    );
    change(SMALL, &|bytes| bytes[500_000] ^= 1);
    sandbox.run(&["query", NEAR]).is_ok().says("has a damaged payload");
    assert!(fs::read(sandbox.path().join(SMALL)).unwrap() == bytes);
    fs::copy(sandbox.path().join("own"), sandbox.path().join(SMALL)).unwrap();
    sandbox.run(&["verify"]).says("").is(
        1,
        &format!("{SMALL}\tis the pattern database 1,2,3/4,5,6/8/7/9/10/11/12/15/14/13 for 4x4 with home 15, and not what its name says\n"),
    );
}

#[test]
fn a_partition_that_does_not_fit_is_trouble_wherever_it_is_named() {
    let sandbox = Sandbox::new();
    let sizes = "--pattern: the patterns of 7-8 have 15 tiles; 3x3 has 8";
    for verb in ["query", "solve"] {
        sandbox
            .run(&[verb, "--pattern", "7-8", "867254301"])
            .is(2, if verb == "query" { "867254301\tunknown\n" } else { "unknown\n" })
            .says(&format!("error: {sizes}\n"));
        sandbox
            .run(&[verb, "--pattern", "7-8", "--shape", "3x3", "867254301"])
            .is(2, "")
            .says(sizes);
        sandbox
            .run(&[verb, "--pattern", "many", "867254301"])
            .is(2, "")
            .says("--pattern: \"many\" is no partition");
    }
    let claims = sandbox.run(&["check", "--pattern", "7-8", "867254301\t31"]);
    claims.says(&format!("note: {sizes}; whether fewer moves would do is unknown"));
    let compared =
        sandbox.run(&["compare", "--pattern", "7-8", "--heuristic", "pattern", "867254301"]);
    compared.is(2, "").says(sizes);
    sandbox.run(&["stats", "--pattern", "4-4"]).is(2, "").says("--pattern is for query, solve");
    let table = sandbox.run(&["solve", "867254301"]).out.len();
    assert_eq!(sandbox.run(&["solve", "--pattern", "4-4", "867254301"]).is_ok().out.len(), table);
    sandbox.run(&["audit", "pattern", "--pattern", "4-4"]).is_ok();
    sandbox
        .run(&["query", "--shape", "5x5", "--pattern", "8-8-8", FAR])
        .is(2, &format!("{}\tunknown\n", FAR.replace(' ', ",")))
        .says("the pattern database 8-8-8 is not in the store: `tilebase build --shape 5x5 --pattern 8-8-8` builds it (about ");
}

#[test]
fn a_search_that_is_given_up_says_what_is_proven() {
    let sandbox = Sandbox::new();
    let proven = |ran: &Ran| {
        let line = ran.out.lines().next().unwrap().to_owned();
        line.rsplit_once(">=").unwrap().1.parse::<u32>().unwrap()
    };
    let ran = sandbox.run(&["query", "--timeout", "0.5", FAR]);
    assert_eq!(ran.code, Some(2));
    assert!((100..=152).contains(&proven(&ran)), "{}", ran.out);
    ran.says("stopped after 500ms: at least ");
    let ran = sandbox.run(&["solve", "--timeout", "0.5", FAR]);
    assert!(proven(&ran) >= 100 && ran.code == Some(2), "{}", ran.out);
    // An easy board is solved at once.
    let near = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 24 19 21 22 23 20 0";
    assert!(sandbox.run(&["query", near]).is_ok().out.ends_with("\t4\n"));
    let claim = sandbox.run(&["check", &format!("{FAR}\t80"), &format!("{near}\t4")]);
    let verdicts: Vec<_> = claim.out.lines().map(|line| line.split('\t').nth(1)).collect();
    assert_eq!(verdicts, [Some("impossible"), Some("optimal")], "{}", claim.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_what_is_proven() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build", "--shape", "5x5", "--pattern", "5-5-5-5-4"]).is_ok();
    for verb in ["query", "solve"] {
        let child = sandbox.spawn(&[verb, FAR, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"]);
        thread::sleep(Duration::from_millis(1500));
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let ran = Ran::new(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{}", ran.err);
        assert!(ran.out.contains(">=") && ran.out.lines().count() == 1, "{}", ran.out);
        ran.says("interrupted: at least ");
    }
}

#[test]
fn solvers_of_the_15_puzzle_are_judged() {
    let sandbox = Sandbox::new();
    let claims =
        format!("{NEAR}\t14\n{NEAR}\t16\n{NEAR}\t12\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\tR\n");
    let ran = sandbox.feed(&["check"], claims.as_bytes());
    let verdicts: Vec<_> = ran.out.lines().map(|line| line.split('\t').nth(1).unwrap()).collect();
    assert_eq!(verdicts, ["optimal", "longer", "impossible", "optimal"], "{}", ran.out);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn boards_are_drawn_uniformly_by_rank() {
    let sandbox = Sandbox::new();
    let sample = |args: &[&str]| sandbox.run(&[&["sample", "--shape", "4x4"], args].concat());
    let boards = sample(&["-n", "200", "--seed", "1"]);
    assert_eq!(boards.is_ok().out, sample(&["-n", "200", "--seed", "1"]).out);
    let lines: Vec<_> = boards.out.lines().collect();
    let mut different = lines.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!((lines.len(), different.len()), (200, 200));
    assert_eq!(lines[0], "9,15,7,12,13,3,0,5,2,10,4,6,14,11,1,8");
    // The blank must be on each cell several times, and no board may be unsolvable.
    let blanks = |cell| lines.iter().filter(|line| line.split(',').nth(cell) == Some("0")).count();
    assert!((0..16).all(|cell| blanks(cell) > 2));
    let solvable = sandbox.feed(&["query", "--timeout", "1"], lines[..3].join("\n").as_bytes());
    assert!(!solvable.out.contains("unsolvable"), "{}", solvable.out);
    sample(&["--depth", "20"]).is(2, "").says("no table for 4x4 can be built");
    sandbox
        .run(&["sample", "--shape", "5x5"])
        .is(2, "")
        .says("positions are drawn up to 16 cells, and 5x5 has more");
    let json = sample(&["--json", "--seed", "1"]);
    assert!(json.is_ok().out.contains("\"distance\":null"), "{}", json.out);
}

#[test]
fn benchmarks_are_compared_with_published_lengths() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["compare", "--suite", "korf100", "--pattern", "7-8"]);
    let rows: Vec<Vec<_>> =
        ran.is_ok().out.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 100);
    let moves = |row: &Vec<&str>| row[4].parse::<u32>().unwrap();
    assert_eq!(rows.iter().map(moves).sum::<u32>(), 5305);
    assert!(rows.iter().all(|row| row[2] == "idastar" && row[3] == "pattern" && row[5] == "yes"));
    ran.says("100 of 100 solved, by 5305 moves (53.05 each); ");
    let drawn = sandbox.run(&[
        "compare",
        "--shape",
        "4x4",
        "-n",
        "2",
        "--seed",
        "1",
        "--algorithm",
        "idastar",
        "--heuristic",
        "pattern,none",
        "--limit-expanded",
        "10",
    ]);
    assert_eq!(drawn.out.lines().count(), 5, "{}{}", drawn.out, drawn.err);
    sandbox
        .run(&["compare", "--suite", "korf100", "--shape", "4x4"])
        .is(2, "")
        .says("cannot be used with");
}
