//! The program, as users run it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::Command,
};

use tilebase::{Goal, Shape, table::Oracle};

#[path = "../../tests/forge/mod.rs"]
mod forge;
#[path = "../../tests/naive/mod.rs"]
mod naive;
mod sandbox;

use sandbox::{Ran, Sandbox};

const TABLE: &str = "store/3x3-home8-distance.tilebase";

#[test]
fn a_query_builds_the_table_once() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["query", "867254301"]);
    first.is(0, "867254301\t31\n").says("note: built the table for goal 123456780 (3x3) in ");
    assert_eq!(first.err.lines().count(), 1);
    let again = sandbox.run(&["query", "867254301"]);
    assert_eq!(again.is(0, "867254301\t31\n").err, "");
}

#[test]
fn answers_are_one_a_position_in_order() {
    let sandbox = Sandbox::new();
    let positions = ["867254301", "812043765", "1 2 3 4 5 6 7 9 0", "123456780"];
    let answers =
        "867254301\t31\n812043765\tunsolvable\n1 2 3 4 5 6 7 9 0\tinvalid\n123456780\t0\n";
    let operands = [["query"].as_slice(), &positions].concat();
    sandbox.run(&operands).is(2, answers).says("error: position 3, column 15: tile 9 ");
    let lines = positions.join("\n");
    sandbox
        .feed(&["query"], lines.as_bytes())
        .is(2, answers)
        .says("error: line 3, column 15: tile 9 ");
    fs::write(
        sandbox.path().join("boards"),
        format!("\u{feff}# four boards\r\n\r\n{lines}  # end"),
    )
    .unwrap();
    sandbox
        .run(&["query", "-f", "boards"])
        .is(2, answers)
        .says("error: boards: line 5, column 15: tile 9 ");
    sandbox.feed(&["query", "-f", "-"], lines.as_bytes()).is(2, answers);
    sandbox
        .run(&["query", "867254301", "812043765"])
        .is(1, "867254301\t31\n812043765\tunsolvable\n");
    sandbox.run(&["query", "-f", "none"]).is(2, "").says("error: none: No such file");
}

#[test]
fn goals_and_shapes() {
    let sandbox = Sandbox::new();
    let query = |args: &[&str]| sandbox.run(&[["query"].as_slice(), args].concat());
    query(&["--goal", "blank-first", "724506831"]).is(0, "724506831\t26\n");
    query(&["--goal", "536702418", "376512408"]).is(0, "376512408\t5\n");
    query(&["--shape", "2x4", "7 6 5 4 3 2 1 0"]).is(1, "76543210\tunsolvable\n");
    query(&["--shape", "2x2", "1032"]).is(0, "1032\t1\n");
    query(&["--goal", "1 2 3 0 4 5", "--shape", "2x3", "123045"]).is(0, "123045\t0\n");
    query(&["--goal", "123456780", "--shape", "2x4", "1"])
        .is(2, "")
        .says("9 cells given; 2x4 has 8");
    query(&["--goal", "blank-lost", "1"])
        .is(2, "")
        .says("expected blank-last, blank-first, snail or a position");
    query(&["--shape", "2x4", "867254301"])
        .is(2, "867254301\tinvalid\n")
        .says("9 cells given; 2x4 has 8");
    query(&["--shape", "1x4", "1"]).is(2, "").says("rows and columns go from 2 to 10");
    query(&["812043765"])
        .is(1, "812043765\tunsolvable\n")
        .says("unsolvable for goal 123456780, but not for --goal snail");
    query(&["--shape", "2x4", "12345607", "21345670"])
        .is(1, "12345607\t1\n21345670\tunsolvable\n")
        .says("note: position 2: 21345670 is unsolvable for goal 12345670, but not for --goal blank-first");
}

#[test]
fn three_tables_serve_every_goal_of_3x3() {
    let sandbox = Sandbox::new();
    for home in 0..9 {
        let goal = naive::goal(Shape::new(3, 3).unwrap(), home).to_string();
        sandbox.run(&["query", "--goal", &goal, &goal]).is(0, &format!("{goal}\t0\n"));
    }
    sandbox.run(&["query", "--goal", "snail", "283/164/7#5"]).is(0, "283164705\t5\n");
    assert_eq!(fs::read_dir(sandbox.path().join("store")).unwrap().count(), 3);
}

#[test]
fn shapes_without_a_table_are_still_told_from_the_unsolvable() {
    let sandbox = Sandbox::new();
    let tiles: Vec<_> = (1..34).map(|tile| tile.to_string()).collect();
    let [near, unsolvable] = ["34,0,35", "35,34,0"].map(|end| format!("{},{end}", tiles.join(",")));
    let ran = sandbox.feed(&["query"], format!("{near}\n{unsolvable}\n").as_bytes());
    ran.is(2, &format!("{near}\tunknown\n{unsolvable}\tunsolvable\n"));
    ran.says("error: no table for 6x6 can be built; tables are for 2x2, 2x3,");
    ran.says("; there are no pattern databases for 6x6: they end at 25 cells\n");
    sandbox
        .run(&["list", "--shape", "4x4"])
        .is(2, "")
        .says("no table for 4x4 can be built")
        .says("; `tilebase build --shape 4x4 --pattern 7-8` builds a pattern database, for query, solve, check and compare\n");
}

#[test]
fn unsolvable_boards_need_no_table() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["query", "123456789ABCDFE0"]);
    ran.is(1, "1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0\tunsolvable\n");
    assert!(!ran.err.contains("error"), "{}", ran.err);
}

/// data/positions.ndjson holds inputs in every notation.
#[test]
fn positions_in_every_notation() {
    #[derive(serde::Deserialize)]
    struct Case {
        stdin: String,
        options: Vec<String>,
        stdout: String,
        stderr: Vec<String>,
        exit: i32,
    }
    let sandbox = Sandbox::new();
    for line in include_str!("../../data/positions.ndjson").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let options: Vec<_> = case.options.iter().map(String::as_str).collect();
        let ran = sandbox.feed(&[&["query"], options.as_slice()].concat(), case.stdin.as_bytes());
        assert_eq!((ran.code, &ran.out), (Some(case.exit), &case.stdout), "{line}\n{}", ran.err);
        for message in &case.stderr {
            ran.says(message);
        }
    }
}

#[test]
fn positions_and_moves_are_written_as_asked() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["query", "--notation", "rows", "867254301", "123456870"])
        .is(1, "8 6 7\n2 5 4\n3 0 1\t31\n\n1 2 3\n4 5 6\n8 7 0\tunsolvable\n\n");
    sandbox.run(&["query", "--notation", "list", "867254301"]).is(0, "8 6 7 2 5 4 3 0 1\t31\n");
    sandbox
        .run(&["sample", "-n1", "--depth", "0", "--notation", "rows", "-q"])
        .is(0, "1 2 3\n4 5 6\n7 8 0\n\n");
    sandbox
        .run(&["query", "--notation", "colours", "1"])
        .is(2, "")
        .says("expected normal, rows, list or digits");
    for (moves, answer) in
        [("blank", "DR\n"), ("tile", "UL\n"), ("numbers", "5 8\n"), ("words", "down right\n")]
    {
        sandbox.run(&["solve", "--moves", moves, "123406758"]).is(0, answer);
    }
}

#[test]
fn unquoted_positions_are_noticed() {
    let sandbox = Sandbox::new();
    let operands: Vec<_> = "query 8 6 7 2 5 4 3 0 1".split(' ').collect();
    sandbox
        .run(&operands)
        .is(2, "")
        .says("a position is one operand; quote it: \"8 6 7 2 5 4 3 0 1\"");
}

#[test]
fn every_board_streamed_and_listed() {
    let sandbox = Sandbox::new();
    for (goal, args) in [
        ("123456780", ["--goal", "blank-last"]),
        ("123456708", ["--goal", "123456708"]),
        ("123405678", ["--goal", "123405678"]),
    ] {
        let twin = naive::distances(&goal.parse().unwrap());
        let list = sandbox.run(&[["list"].as_slice(), &args].concat());
        assert_eq!(list.code, Some(0));
        assert_eq!(list.out.lines().count(), 181_440);
        for line in list.out.lines() {
            let (board, distance) = line.split_once('\t').unwrap();
            assert_eq!(twin[&board.parse().unwrap()].to_string(), distance, "{board} for {goal}");
        }
        let positions = list.out.lines().map(|line| line.split('\t').next().unwrap());
        let positions = positions.collect::<Vec<_>>().join("\n");
        let query = sandbox.feed(&[["query"].as_slice(), &args].concat(), positions.as_bytes());
        query.is(0, &list.out);
    }
}

#[test]
fn solutions() {
    let sandbox = Sandbox::new();
    let solve = |args: &[&str]| sandbox.run(&[["solve"].as_slice(), args].concat());
    solve(&["867254301", "123456780", "812043765", "8"])
        .is(2, "UULDDRRUULDLDRRUULDLDRRUULLDDRR\n\nunsolvable\n8\tinvalid\n");
    solve(&["--best", "867254301", "123456780", "812043765"])
        .is(1, "U\t30\nL\t30\nR\t30\n\n\nunsolvable\n\n");
    solve(&["--count", "867254301", "123456780"]).is(0, "40\n1\n");
    // The blank of this goal is in the opposite corner. The moves must be those of the board as it was given.
    solve(&["--goal", "blank-first", "102345678"]).is(0, "L\n");
    solve(&["--shape", "2x4", "12345607", "12305674"]).is(0, "R\nD\n");
}

#[test]
fn json_has_the_same_keys_always() {
    let sandbox = Sandbox::new();
    let keys = [
        "at_least",
        "best",
        "boards",
        "distance",
        "error",
        "goal",
        "moves",
        "position",
        "search",
        "shape",
        "solutions",
        "status",
    ];
    let tiles: Vec<_> = (1..35).map(|tile| tile.to_string()).collect();
    let large = format!("{} 0 35", tiles.join(" "));
    let positions = ["867254301", "812043765", "say \"x\"\t", &large];
    for args in [
        ["query"].as_slice(),
        &["solve"],
        &["solve", "--best"],
        &["solve", "--count"],
        &["solve", "--boards"],
    ] {
        let ran = sandbox.run(&[args, &["--json"], &positions].concat());
        assert_eq!(ran.code, Some(2));
        let answers: Vec<serde_json::Map<String, serde_json::Value>> =
            ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for answer in &answers {
            let mut found: Vec<_> = answer.keys().collect();
            found.sort();
            assert_eq!(found, keys);
        }
        let status: Vec<_> =
            answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
        assert_eq!(status, ["solvable", "unsolvable", "invalid", "unknown"]);
        assert_eq!(answers[0]["distance"], 31);
        assert_eq!(answers[2]["position"], "say \"x\"\t");
    }
    for args in [["list", "--depth", "31"].as_slice(), &["sample", "--seed", "1", "-n", "2"]] {
        let ran = sandbox.run(&[args, &["--json"]].concat());
        assert_eq!(ran.out.lines().count(), 2);
        for line in ran.out.lines() {
            let answer: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(line).unwrap();
            assert_eq!(answer.len(), keys.len());
            assert_eq!(answer["status"], "solvable");
        }
    }
}

#[test]
fn lists_and_samples_by_depth() {
    let sandbox = Sandbox::new();
    sandbox.run(&["list", "--depth", "31"]).is(0, "647850321\t31\n867254301\t31\n");
    assert_eq!(sandbox.run(&["list", "--depth", "0..2"]).out.lines().count(), 1 + 2 + 4);
    sandbox.run(&["list", "--depth", "32"]).is(0, "").says("note: no board is farther than 31");
    sandbox.run(&["list", "--depth", "5..4"]).is(2, "").says("the first distance is greater");
    sandbox.run(&["sample", "-n", "3", "--depth", "31"]).is(2, "").says(
        "not enough boards, of which none is farther than 31: 3 boards were asked for; there are 2",
    );
    let sample = |seed| sandbox.run(&["sample", "-n", "5", "--seed", seed]).out;
    assert_eq!(sample("1"), sample("1"));
    assert_ne!(sample("1"), sample("2"));
    let seed = sandbox.run(&["sample"]).is_drawn_from();
    assert!(seed.parse::<u64>().is_ok(), "{seed}");
}

impl Ran {
    /// The seed in a sample's note.
    fn is_drawn_from(&self) -> String {
        let note = self.err.lines().last().unwrap();
        note.split(' ').nth(2).unwrap().to_owned()
    }
}

#[test]
fn stats_count_the_boards() {
    let sandbox = Sandbox::new();
    let stats = sandbox.run(&["stats"]);
    assert_eq!(stats.code, Some(0));
    let lines: Vec<_> = stats.out.lines().collect();
    assert_eq!(lines[..3], ["0\t1", "1\t2", "2\t4"]);
    assert_eq!(
        lines[31..],
        ["31\t2", "mean\t21.9724", "farthest\t647850321", "farthest\t867254301"]
    );
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(&["stats", "--json"]).out).unwrap();
    assert_eq!((&json["radius"], &json["boards"]), (&31.into(), &181_440.into()));
}

#[test]
fn build_leaves_what_is_right_and_replaces_what_is_not() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join(TABLE);
    sandbox.run(&["build"]).is(0, &format!("{TABLE}\n"));
    let bytes = fs::read(&path).unwrap();
    let modified = || fs::metadata(&path).unwrap().modified().unwrap();
    let before = modified();
    let again = sandbox.run(&["build"]);
    assert_eq!(again.is(0, &format!("{TABLE}\n")).err, "");
    assert_eq!(modified(), before);
    sandbox.run(&["build", "--force"]).is(0, &format!("{TABLE}\n"));
    assert!(modified() > before);
    fs::write(&path, &bytes[..5000]).unwrap();
    sandbox.run(&["build"]).is(0, &format!("{TABLE}\n"));
    assert_eq!(fs::read(&path).unwrap(), bytes);

    fs::write(sandbox.path().join("notes"), "mine").unwrap();
    sandbox
        .run(&["build", "-o", "notes"])
        .is(2, "")
        .says("notes is not a tilebase table; --force replaces it");
    sandbox.run(&["build", "-o", "other", "--shape", "2x2"]).is(0, "other\n");
    sandbox
        .run(&["build", "-o", "other"])
        .is(2, "")
        .says("other is a table for 2x2 with home 3 (distance); --force");
    sandbox.run(&["build", "-o", "other", "--force"]).is(0, "other\n");
    assert_eq!(fs::read(sandbox.path().join("other")).unwrap(), bytes);
    sandbox.run(&["build", "-o", "store"]).is(2, "").says("is not a regular file");
    sandbox.run(&["build", "-o", "no/folder/table"]).is(2, "").says("no/folder/table: ");
    sandbox.run(&["build", "--shape", "4x4"]).is(2, "").says("no table for 4x4 can be built");
}

#[test]
fn damaged_tables_are_rebuilt_in_the_store_and_refused_by_name() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build"]);
    let path = sandbox.path().join(TABLE);
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[100_000] ^= 1;
    for (damaged, words) in [
        (&flipped[..], "has a damaged payload: bytes 69632 to 135167"),
        (&whole[..100_000], "is cut off: 100000 of 185552 bytes"),
        (b"", "is empty"),
        (b"something else", "is not a tilebase table"),
    ] {
        fs::write(&path, damaged).unwrap();
        sandbox
            .run(&["query", "867254301", "--table", TABLE])
            .is(2, "")
            .says(&format!("error: {TABLE} {words}"));
        sandbox.run(&["info", TABLE]).is(2, "").says(words);
        let verify = sandbox.run(&["verify"]);
        assert!(verify.out.starts_with(&format!("{TABLE}\t{words}")), "{}", verify.out);
        assert_eq!(verify.code, Some(1));
        let query = sandbox.run(&["query", "867254301"]);
        query
            .is(0, "867254301\t31\n")
            .says(&format!("note: {TABLE} {words}"))
            .says("built the table");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_store_that_cannot_be_written_does_no_harm() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("store"), "a file where the folder should be").unwrap();
    sandbox
        .run(&["query", "867254301"])
        .is(0, "867254301\t31\n")
        .says("cannot be written: the store is not a folder");
    sandbox.run(&["build"]).is(2, "").says("tilebase: the store is not a folder");
}

#[test]
fn tables_by_name() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build", "--shape", "4x2", "-o", "tall"]);
    sandbox.run(&["query", "--table", "tall", "76543210"]).is(1, "76543210\tunsolvable\n");
    sandbox.run(&["query", "--table", "tall", "--shape", "2x4", "12345607"]).is(0, "12345607\t1\n");
    sandbox
        .run(&["query", "--table", "tall", "--shape", "3x3", "123456708"])
        .is(2, "")
        .says("tall is for 4x2; the question is for 3x3");
    sandbox
        .run(&["query", "--table", "tall", "123456708"])
        .is(2, "123456708\tinvalid\n")
        .says("9 cells given; 4x2 has 8");
    sandbox
        .run(&["query", "--table", "tall", "--goal", "12/30/45/67", "12/34/56/70"])
        .is(2, "")
        .says("tall: the table is for 4x2 with home 7");
    assert!(!sandbox.path().join("store").exists());
}

#[test]
fn a_table_under_a_wrong_name_is_found_out() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build", "-o", "centre", "--goal", "snail"]);
    fs::create_dir(sandbox.path().join("store")).unwrap();
    fs::rename(sandbox.path().join("centre"), sandbox.path().join(TABLE)).unwrap();
    let words = format!(
        "{TABLE}\tis the table for 3x3 with home 4 (distance), and not what its name says\n"
    );
    sandbox.run(&["verify"]).is(1, &words);
    sandbox
        .run(&["query", "867254301"])
        .is(0, "867254301\t31\n")
        .says("not what its name says; built");
    sandbox.run(&["verify"]).is(0, &format!("{TABLE}\tok\n"));
}

#[test]
fn a_table_of_a_later_version_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.run(&["build"]);
    let path = sandbox.path().join(TABLE);
    let mut later = fs::read(&path).unwrap();
    later[8] = 2;
    fs::write(&path, &later).unwrap();
    let query = sandbox.run(&["query", "867254301"]);
    query.is(0, "867254301\t31\n").says("is of format version 2").says("left the file alone");
    sandbox.run(&["build"]).is(2, "").says("is of format version 2").says("--force replaces it");
    assert_eq!(fs::read(&path).unwrap(), later);
    sandbox.run(&["build", "--force"]).is(0, &format!("{TABLE}\n"));
    sandbox.run(&["verify"]).is(0, &format!("{TABLE}\tok\n"));
}

#[test]
fn a_blank_that_can_never_be_met_is_a_usage_error() {
    let sandbox = Sandbox::new();
    for token in ["", " ", "-", "/", "(", "1 2"] {
        sandbox
            .run(&["query", "--blank", token, "1"])
            .is(2, "")
            .says("expected a word, such as -1");
    }
}

#[test]
fn info_and_verify_read_the_store() {
    let sandbox = Sandbox::new();
    sandbox.run(&["verify"]).is(2, "").says("no table in store: `tilebase build` makes one");
    sandbox.run(&["info"]).is(0, "").says("the store is store");
    sandbox.run(&["build", "--goal", "123405678"]);
    sandbox.run(&["build", "--shape", "2x3"]);
    let tables = ["store/3x2-home5-distance.tilebase", "store/3x3-home4-distance.tilebase"];
    sandbox
        .run(&["verify", "--threads", "1"])
        .is(0, &format!("{}\tok\n{}\tok\n", tables[0], tables[1]));
    let info = sandbox.run(&["info"]).out;
    for fact in
        ["shape          3x3", "home           4", "radius         30", "boards         360"]
    {
        assert!(info.contains(fact), "{fact:?} is not in {info}");
    }
    sandbox.run(&["verify", "none"]).is(2, "").says("none cannot be read");

    // A distance is wrong, and the checksums match.
    let path = sandbox.path().join(tables[1]);
    let mut bytes = fs::read(&path).unwrap();
    bytes[forge::PAGE] += 2;
    forge::seal(&mut bytes);
    fs::write(&path, bytes).unwrap();
    let verify = sandbox.run(&["verify", tables[1]]);
    assert_eq!(verify.code, Some(1));
    assert!(verify.out.contains(" has distance "), "{}", verify.out);
}

#[test]
fn no_position_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(&["query"]).is(2, "").says("error: no position in the input: expected the tiles");
    sandbox.feed(&["query"], b"# nothing here\n\n").is(2, "").says("no position in the input");
}

#[test]
fn garbage_is_answered_line_by_line_in_constant_memory() {
    let sandbox = Sandbox::new();
    let garbage = vec![b'7'; 1 << 20];
    let ran = sandbox.feed(&["query"], &[&garbage[..], b"\n867254301\n"].concat());
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.ends_with("\tinvalid\n867254301\t31\n"));
    assert!(ran.out.len() < 10_000, "{} bytes", ran.out.len());
    let noise: Vec<u8> =
        (0..1u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut child = sandbox.spawn(&["query", "-q"]);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&noise));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn a_slow_producer_gets_each_answer_at_once() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["query"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for (position, answer) in [("867254301", "867254301\t31\n"), ("123456708", "123456708\t1\n")] {
        writeln!(stdin, "{position}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, answer);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_is_quiet() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["list"]);
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(child.wait().unwrap().success(), "{err}");
    assert!(!err.contains("error"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let sandbox = Sandbox::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = sandbox.command(&["query", "867254301"]).stdout(full).output().unwrap();
    Ran::new(output).is(2, "").says("error: cannot write to standard output: No space left");
}

#[cfg(unix)]
#[test]
fn ctrl_c_exits_with_130() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["query"]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "867254301").unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    answers.read_line(&mut String::new()).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn builds_that_are_killed_leave_the_old_table_or_none() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("store/5x2-home9-distance.tilebase");
    let goal = Goal::BlankLast.board(Shape::new(5, 2).unwrap());
    let right = Oracle::build(&goal).unwrap();
    let mut kept = 0;
    for delay in 0..40 {
        let mut child = sandbox.spawn(&["build", "--shape", "5x2", "--force"]);
        std::thread::sleep(std::time::Duration::from_millis(10 * delay));
        child.kill().unwrap();
        child.wait().unwrap();
        if path.exists() {
            kept += 1;
            assert!(
                right.table().file().as_bytes() == fs::read(&path).unwrap(),
                "after {delay}0 ms"
            );
        }
    }
    assert!(kept > 0, "no build was slow enough to end");
    sandbox.run(&["verify"]).is(0, "store/5x2-home9-distance.tilebase\tok\n");
}

#[test]
fn builds_at_the_same_time_all_succeed() {
    let sandbox = Sandbox::new();
    let children: Vec<_> = (0..8).map(|_| sandbox.spawn(&["query", "867254301"])).collect();
    for child in children {
        Ran::new(child.wait_with_output().unwrap()).is(0, "867254301\t31\n");
    }
    let names = fs::read_dir(sandbox.path().join("store")).unwrap().count();
    assert_eq!(names, 1);
    sandbox.run(&["verify"]).is(0, &format!("{TABLE}\tok\n"));
}

#[test]
fn quiet_silences_notes_and_nothing_else() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["query", "-q", "867254301", "8"]);
    assert_eq!(ran.is(2, "867254301\t31\n8\tinvalid\n").err.lines().count(), 1);
}

#[test]
fn colors_are_for_terminals_and_for_those_who_ask() {
    let sandbox = Sandbox::new();
    assert!(!sandbox.run(&["query", "8"]).err.contains('\x1b'));
    assert!(sandbox.run(&["query", "8", "--color", "always"]).err.contains('\x1b'));
    assert!(!sandbox.run(&["query", "8", "--color", "never"]).err.contains('\x1b'));
}

#[test]
fn usage_errors_are_trouble_and_help_is_not() {
    let sandbox = Sandbox::new();
    for args in
        [["frobnicate"].as_slice(), &[], &["query", "--depth", "3"], &["query", "--threads", "0"]]
    {
        assert_eq!(sandbox.run(args).code, Some(2), "{args:?}");
    }
    for args in [["--help"].as_slice(), &["--version"], &["query", "--help"]] {
        assert_eq!(sandbox.run(args).code, Some(0), "{args:?}");
    }
}

#[test]
fn the_examples_of_the_help_are_right() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["--help"]).out;
    let examples: Vec<_> =
        help.lines().filter_map(|line| line.strip_prefix("  tilebase ")).collect();
    assert_eq!(examples.len(), 7);
    // Java may not be installed, and the solver of the example does not exist.
    for example in examples.into_iter().filter(|example| !example.contains("java")) {
        let command = example.split("  ").next().unwrap();
        let args: Vec<_> = command.split(' ').collect();
        assert_eq!(sandbox.run(&args).code, Some(0), "{example}");
    }
}

#[test]
fn packagers_get_completions_and_manual_pages() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(sandbox.run(&["completions", shell]).out.contains("tilebase"), "{shell}");
    }
    assert!(sandbox.run(&["man"]).out.contains(".TH tilebase"));
    fs::create_dir(sandbox.path().join("man")).unwrap();
    sandbox.run(&["man", "man"]).is(0, "");
    assert!(sandbox.path().join("man/tilebase-query.1").exists());
}
