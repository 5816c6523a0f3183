//! `tilebase check` and `tilebase audit`, with real solvers in Python and the shell.
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

mod sandbox;

use sandbox::{Ran, Sandbox};

/// The verdict of each line of an answer.
fn verdicts(ran: &Ran) -> Vec<&str> {
    ran.out.lines().map(|line| line.split('\t').nth(1).unwrap()).collect()
}

fn report(ran: &Ran) -> Value {
    let last: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    last["report"].clone()
}

#[test]
fn claims_are_judged_line_by_line() {
    let sandbox = Sandbox::new();
    let lines = [
        ("867254301", "31", "optimal\t31 moves"),
        ("867254301", "UULDDRRUULDLDRRUULDLDRRUULLDDRR", "optimal\t31 moves"),
        ("867254301", "33", "longer\t33 moves, 2 too many"),
        ("867254301", "29", "impossible\t29 moves, and no solution has fewer than 31"),
        ("867254301", "-1", "wrongly unsolvable\tan optimal solution has 31 moves"),
        ("123456708", "RLR", "longer\t3 moves, 2 too many"),
        ("123456708", "L2", "illegal\tmove 2 takes the blank left, off the board"),
        ("123456708", "UD", "unfinished\t2 moves end at 123456708"),
        ("123456708", "123456708 123456780", "optimal\t1 move"),
        ("123456780", "", "optimal\t0 moves"),
        ("812043765", "unsolvable", "optimal\tunsolvable"),
        ("812043765", "4", "wrongly solvable\tthe goal cannot be reached"),
        (
            "123456708",
            "left at once",
            "unreadable\t\"at\", word 2, is no move: expected letters U D L R or words",
        ),
    ];
    let input: String =
        lines.iter().map(|(board, claim, _)| format!("{board}\t{claim}\n")).collect();
    let output: String =
        lines.iter().map(|(board, _, verdict)| format!("{board}\t{verdict}\n")).collect();
    let ran = sandbox.feed(&["check"], format!("# claims\n\n{input}").as_bytes());
    ran.is(1, &output)
        .says("13 positions judged: 5 optimal, 2 longer, 1 impossible, 1 illegal, 1 unfinished")
        .says("longer by 2.00 moves on average, by 2 at most")
        .says("smallest position with the verdict longer:\n  position  123456708\n  distance  1\n")
        .says("  solution  R\n  claim     RLR\n");
}

#[test]
fn a_line_is_split_at_its_last_tab() {
    let sandbox = Sandbox::new();
    let position = "8\t6\t7\t2\t5\t4\t3\t0\t1";
    sandbox
        .feed(&["check"], format!("{position}\t31\r\n").as_bytes())
        .is(0, "867254301\toptimal\t31 moves\n");
    sandbox.run(&["check", "867254301\t31"]).is(0, "867254301\toptimal\t31 moves\n");
    // A board may begin with `#`, like a comment.
    sandbox.run(&["check", "#12345678\t22"]).is(0, "012345678\toptimal\t22 moves\n");
}

#[test]
fn an_invalid_position_is_trouble_and_loses_nothing() {
    let sandbox = Sandbox::new();
    let ran = sandbox.feed(&["check"], b"123456708\t1\n12345\t3\n867254301 31\n867254301\t31\n");
    assert_eq!(verdicts(&ran), ["optimal", "unreadable", "unreadable", "optimal"]);
    assert_eq!(ran.code, Some(2));
    ran.says("error: line 2: 5 cells in a row")
        .says("error: line 3: there is no tab: expected a position, a tab and a claim");
    sandbox.feed(&["check"], b"# nothing\n").is(2, "").says("no claim in the input");
}

#[test]
fn what_tilebase_writes_it_can_judge() {
    let sandbox = Sandbox::new();
    for verb in [["list", "--shape", "2x3", "--json"], ["sample", "-n200", "--seed=1", "--json"]] {
        let answers = sandbox.run(&verb).out;
        let ran = sandbox.feed(&["check"], answers.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.out.lines().count(), answers.lines().count());
    }
    let boards = sandbox.run(&["sample", "-n", "200", "--seed", "1"]).out;
    for args in [["--json", "--moves", "blank"], ["--json", "--moves", "numbers"]] {
        let solved = sandbox.feed(&[["solve"].as_slice(), &args].concat(), boards.as_bytes()).out;
        for moves in ["auto", args[2]] {
            let ran = sandbox.feed(&["check", "--moves", moves], solved.as_bytes());
            assert_eq!(ran.code, Some(0), "{moves}: {}", ran.err);
        }
    }
    let snail = sandbox.run(&["query", "--goal", "snail", "--json", "283164705"]).out;
    sandbox.feed(&["check"], snail.as_bytes()).says("say --goal 123804765");
    assert_eq!(sandbox.feed(&["check", "--goal", "snail"], snail.as_bytes()).code, Some(0));
}

#[test]
fn json_claims_of_every_kind() {
    let sandbox = Sandbox::new();
    let lines = [
        r#"{"position":"123456708","claim":1}"#,
        r#"{"position":[[1,2,3],[4,5,6],[7,0,8]],"moves":["right"]}"#,
        r#"{"position":[1,2,3,4,5,6,7,0,8],"boards":["123456708","123456780"]}"#,
        r#"{"position":"123456708","moves":"R","length":3}"#,
        r#"{"position":"812043765","status":"unsolvable"}"#,
        r#"{"position":"812043765","distance":-1,"moves":[]}"#,
        r#"{"position":"123456708","distance":"R"}"#,
        r#"{"position":"123456708"}"#,
        r#"{"position":"123456708","claim":1"#,
    ];
    let ran = sandbox.feed(&["check", "--json"], lines.join("\n").as_bytes());
    let all: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<_> =
        all[..9].iter().map(|object| object["verdict"].as_str().unwrap()).collect();
    assert_eq!(
        verdicts,
        [
            "optimal",
            "optimal",
            "optimal",
            "longer",
            "optimal",
            "optimal",
            "unreadable",
            "unreadable",
            "unreadable"
        ]
    );
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(all[..9].iter().all(|object| keys(object) == keys(&all[0])));
    assert_eq!(all[3]["solution"], "R");
    assert_eq!(all[9]["report"]["verdicts"]["optimal"], 5);
    assert_eq!(all[9]["report"]["failed"], 4);
    assert_eq!(ran.code, Some(2));
    ran.says("error: line 9: no object of claims: ").says(" at column ");
    assert!(!ran.err.contains("line 1 "), "{}", ran.err);
}

#[test]
fn a_path_that_is_right_in_another_convention_is_told() {
    let sandbox = Sandbox::new();
    let judge = |moves: &str, claim: &str| {
        let ran = sandbox.run(&["check", "--moves", moves, &format!("123456078\t{claim}")]);
        ran.out.split_once('\t').unwrap().1.to_owned()
    };
    assert_eq!(judge("auto", "RR"), "optimal\t2 moves\n");
    assert_eq!(judge("auto", "LL"), "optimal\t2 moves (read as the ways of tiles)\n");
    assert_eq!(judge("auto", "LRLL"), "longer\t4 moves, 2 too many (read as the ways of tiles)\n");
    assert_eq!(judge("auto", "7 8"), "optimal\t2 moves (read as the numbers of tiles)\n");
    assert_eq!(
        judge("blank", "LL"),
        "illegal\tmove 1 takes the blank left, off the board (as the ways of tiles it would be optimal: --moves tile)\n"
    );
    assert_eq!(
        judge("tile", "RR"),
        "illegal\tmove 1 takes the blank left, off the board (as the ways of the blank it would be optimal: --moves blank)\n"
    );
    assert_eq!(
        judge("blank", "7 8"),
        "unreadable\t\"7\", word 1, is no move: expected letters U D L R or words (as the numbers of tiles it would be optimal: --moves numbers)\n"
    );
    assert_eq!(
        judge("auto", "7 1"),
        "illegal\tmove 2 is of tile 1, which is not beside the blank (read as the numbers of tiles)\n"
    );
    // A single number is a length. If it could also be the number of a tile, the verdict says so.
    let ran = sandbox.run(&["check", "123456708\t8"]);
    ran.is(1, "123456708\tlonger\t8 moves, 7 too many (as the numbers of tiles it would be optimal: --moves numbers)\n");
    sandbox
        .run(&["check", "--moves", "numbers", "123456708\t8"])
        .is(0, "123456708\toptimal\t1 move\n");
    sandbox.run(&["check", "123456708\t8.0"]).is(
        1,
        "123456708\tlonger\t8 moves, 7 too many (as the numbers of tiles it would be optimal: --moves numbers)\n",
    );
    let ran = sandbox.feed(&["check"], b"123456708\tR\n123456078\tLL\n");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    ran.says("a solver keeps to one");
    sandbox
        .run(&["check", "--moves", "words", "123456708\t8"])
        .is(2, "")
        .says("blank, tile, numbers or auto");
}

#[test]
fn without_a_table_all_but_optimality_is_judged() {
    let sandbox = Sandbox::new();
    let tiles: Vec<_> = (1..34).map(|tile| tile.to_string()).collect();
    let [board, other] = ["34 0 35", "35 34 0"].map(|end| format!("{} {end}", tiles.join(" ")));
    let (board, other) = (board.as_str(), other.as_str());
    let claims = [
        (board, "R"),
        (board, "57"),
        (board, "U"),
        (board, "56"),
        (board, "-1"),
        (other, "-1"),
        (other, "3"),
    ];
    let input: String = claims.iter().map(|(board, claim)| format!("{board}\t{claim}\n")).collect();
    let ran = sandbox.feed(&["check"], input.as_bytes());
    assert_eq!(
        verdicts(&ran),
        [
            "unknown",
            "unknown",
            "unfinished",
            "impossible",
            "wrongly unsolvable",
            "optimal",
            "wrongly solvable"
        ]
    );
    assert_eq!(ran.code, Some(1));
    ran.says("note: no table for 6x6 can be built");
    let ran = sandbox.run(&["check", &format!("{board}\tR")]);
    assert_eq!(ran.code, Some(0), "unknown passes");
    let both = format!(r#"{{"position":"{board}","moves":"R","length":3}}"#);
    let ran = sandbox.feed(&["check"], both.as_bytes());
    assert_eq!(verdicts(&ran), ["unreadable"], "they cannot both be right");
}

#[test]
fn show_and_fail_fast() {
    let sandbox = Sandbox::new();
    let input = b"123456708\t1\n867254301\t33\n123456708\t1\n";
    let longer = "867254301\tlonger\t33 moves, 2 too many\n";
    sandbox.feed(&["check", "--show", "failed"], input).is(1, longer);
    sandbox.feed(&["check", "--show", "none"], input).is(1, "").says("3 positions judged");
    let quiet = sandbox.feed(&["check", "--show", "none", "-q"], input);
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(1), ""));
    sandbox
        .feed(&["check", "--fail-fast"], input)
        .is(1, &format!("123456708\toptimal\t1 move\n{longer}"))
        .says("2 positions judged");
}

/// The command of a program in Python, if Python is installed.
fn python(program: &str, args: &str) -> Option<String> {
    let version = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no python3");
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solvers").join(program);
    Some(format!("python3 {} {args}", path.display()))
}

#[test]
fn a_right_solver_passes() {
    let Some(solver) = python("solver.py", "right") else { return };
    let sandbox = Sandbox::new();
    let args = [
        "check",
        "--solver",
        &solver,
        "-n",
        "6",
        "--depth",
        "0..20",
        "--unsolvable",
        "2",
        "--seed",
        "1",
    ];
    let ran = sandbox.run(&args);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    ran.says("8 positions judged: 8 optimal").says(" a position, ");
}

#[test]
fn a_solver_that_marks_on_generation_is_found_wrong() {
    let Some(solver) = python("solver.py", "marks-on-generation") else { return };
    let sandbox = Sandbox::new();
    let args = ["check", "--solver", &solver, "--stream", "--depth", "0..10", "--show", "failed"];
    let ran = sandbox.run(&args);
    ran.is(1, "135408762\tlonger\t12 moves, 2 too many\n")
        .says("706 positions judged: 705 optimal, 1 longer")
        .says("position  135408762\n  distance  10\n  solution  ")
        .says("  claim     12\n");
    let fast = sandbox.run(&[args.as_slice(), &["--fail-fast", "--json"]].concat());
    let report = report(&fast);
    assert_eq!(report["smallest"][0]["position"], "135408762");
    assert_eq!(report["smallest"][0]["distance"], 10);
    assert_eq!(report["failed"], 1);
}

#[test]
fn every_board_is_put_to_a_stream() {
    for kind in ["table", "holds-back"] {
        let Some(solver) = python("solver.py", kind) else { return };
        let sandbox = Sandbox::new();
        let args =
            ["check", "--solver", &solver, "--stream", "--unsolvable", "1000", "--show", "none"];
        let ran = sandbox.run(&args);
        assert_eq!(ran.code, Some(0), "{kind}: {}", ran.err);
        ran.says("182440 positions judged: 182440 optimal");
    }
}

#[test]
fn a_solver_that_hangs_is_timed_out() {
    let Some(solver) = python("solver.py", "hangs-on-unsolvable") else { return };
    let sandbox = Sandbox::new();
    let args = [
        "check",
        "--solver",
        &solver,
        "-n",
        "2",
        "--depth",
        "5",
        "--unsolvable",
        "2",
        "--timeout",
        "2",
    ];
    for stream in [[].as_slice(), &["--stream"]] {
        let ran = sandbox.run(&[args.as_slice(), stream, &["--seed", "1"]].concat());
        let mut found = verdicts(&ran);
        found.sort_unstable();
        assert_eq!(found, ["optimal", "optimal", "timed out", "timed out"], "{}", ran.err);
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
fn a_solver_that_crashes_is_told_from_one_that_talks() {
    let Some(crashes) = python("solver.py", "crashes") else { return };
    let sandbox = Sandbox::new();
    for stream in [[].as_slice(), &["--stream"]] {
        let args = ["check", "--solver", &crashes, "123456708", "123456078", "123450786"];
        let ran = sandbox.run(&[args.as_slice(), stream].concat());
        assert_eq!(verdicts(&ran), ["crashed", "crashed", "optimal"], "{}", ran.err);
        ran.says("exit code 1: IndexError: list index out of range");
    }
    let garbage = python("solver.py", "garbage").unwrap();
    let ran = sandbox.run(&["check", "--solver", &garbage, "123456708"]);
    assert_eq!(verdicts(&ran), ["unreadable"]);
    let refuses = python("solver.py", "says-unsolvable").unwrap();
    let ran = sandbox.run(&["check", "--solver", &refuses, "123456708", "812043765"]);
    assert_eq!(verdicts(&ran), ["wrongly unsolvable", "optimal"]);
}

#[test]
fn answers_are_found_in_prose() {
    let Some(solver) = python("solver.py", "prose") else { return };
    let sandbox = Sandbox::new();
    let args = ["check", "--solver", &solver, "123456708", "--answer"];
    let ran = sandbox.run(&[args.as_slice(), &[r"after (\d+) moves"]].concat());
    ran.is(0, "123456708\toptimal\t1 move\n");
    let ran = sandbox.run(&[args.as_slice(), &[r"(?<length>\d+) boards"]].concat());
    ran.is(1, "123456708\tlonger\t17 moves, 16 too many\n");
    let ran = sandbox.run(&[args.as_slice(), &["(\\d+"]].concat());
    ran.is(2, "").says("is no regular expression");
    let ran = sandbox.run(&args[..4]);
    assert_eq!(verdicts(&ran), ["unreadable"]);
}

#[test]
fn every_protocol_is_spoken() {
    for protocol in
        ["boj1525", "poj1077", "leetcode773", "hackerrank", "princeton", "42", "goal-start"]
    {
        let Some(solver) = python("judges.py", protocol) else { return };
        let sandbox = Sandbox::new();
        let unsolvable = match protocol {
            // The protocol has no word for an unsolvable board, and the solver's search for a solution takes long.
            "hackerrank" => "0",
            _ => "1",
        };
        let ran = sandbox.run(&[
            "check",
            "--solver",
            &solver,
            "--protocol",
            protocol,
            "-n",
            "3",
            "--depth",
            "0..12",
            "--unsolvable",
            unsolvable,
            "--seed",
            "1",
        ]);
        assert_eq!(ran.code, Some(0), "{protocol}: {}{}", ran.out, ran.err);
    }
    let Some(solver) = python("judges.py", "princeton") else { return };
    let sandbox = Sandbox::new();
    let solver = format!("{solver} {{file}}");
    let ran = sandbox.run(&["check", "--solver", &solver, "--protocol", "princeton", "123456708"]);
    ran.is(0, "123456708\toptimal\t1 move\n");
}

#[test]
fn a_protocol_of_ones_own() {
    let sandbox = Sandbox::new();
    let send = |template: &str, solver: &str| {
        let args = ["check", "--solver", solver, "--send", template, "--json", "123456708"];
        let ran = sandbox.run(&args);
        let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
        first["claim"].as_str().unwrap().to_owned()
    };
    // The solver answers with the text that was sent to it. This is not a claim.
    let echo = |template| send(template, "tr '\\n' '|'; echo !");
    assert_eq!(echo("{digits}\\n"), "123456708|!");
    assert_eq!(echo("{size}:{rows:x}"), "3:1 2 3|4 5 6|7 x 8!");
    assert_eq!(echo("{goal.list:#}"), "1 2 3 4 5 6 7 8 #!");
    assert_eq!(echo("{digit-rows} {{}}\\\\"), "123|456|708 {}\\!");
    assert_eq!(echo("{json}"), "[[1,2,3],[4,5,6],[7,0,8]]!");
    assert_eq!(echo("{column}"), "1|2|3|4|5|6|7|0|8!");
    let ran = sandbox.run(&["check", "--solver", "cat", "--send", "{board}", "123456708"]);
    ran.is(2, "").says("{board} is no placeholder: expected {size} or one of digits, list, rows");
}

#[test]
fn a_position_in_the_command_is_one_word_whatever_the_quotes() {
    let sandbox = Sandbox::new();
    for place in ["{}", "'{}'", "\"{}\""] {
        let solver = format!(
            "test $# -eq 0 && set -- {place} && test $# -eq 1 && test \"$1\" = '1 2 3 4 5 6 7 0 8' && echo 1"
        );
        let args = ["check", "--solver", &solver, "--send", "{list}", "123456708"];
        sandbox.run(&args).is(0, "123456708\toptimal\t1 move\n");
    }
}

#[test]
fn prose_is_read_as_a_person_would_or_not_at_all() {
    let sandbox = Sandbox::new();
    let solvable = "123456708";
    let unsolvable = "812043765";
    for (position, prose, verdict) in [
        (solvable, "Solved in 1 move, 17 boards visited.", "optimal"),
        (solvable, "Number of moves: 1\nExpanded: 12", "optimal"),
        (solvable, "Expanded: 12\nMinimum moves = 1", "optimal"),
        (solvable, "found at depth 1", "optimal"),
        (solvable, "共移动1步，访问了12个节点", "optimal"),
        (solvable, "이동 횟수: 1", "optimal"),
        (solvable, "Step 0:\n1 2 3\n4 5 6\n7 0 8\n\nStep 1:\n1 2 3\n4 5 6\n7 8 0\n", "unreadable"),
        (solvable, "300 nodes in 5 steps. Solution has 1 moves.", "unreadable"),
        (solvable, "Move 8 left\nSolved!", "unreadable"),
        (solvable, "Checking if unsolvable... no\nMoves: 1", "unreadable"),
        (solvable, "Steps explored: 1000\nSolved in 1 moves", "unreadable"),
        (solvable, "No solution found.", "wrongly unsolvable"),
        (unsolvable, "No solution found.", "optimal"),
        (unsolvable, "Unsolvable! moves: 0", "optimal"),
        (unsolvable, "No solution found after 181440 steps", "unreadable"),
        (unsolvable, "This puzzle can't be solved.", "optimal"),
        (unsolvable, "Moves: -1", "optimal"),
        (unsolvable, "初始状态无解", "optimal"),
        (unsolvable, "Moves: 7", "wrongly solvable"),
    ] {
        let solver = format!("printf '%s\\n' \"{prose}\"");
        for protocol in ["prose", "42", "goal-start"] {
            let args = [
                "check",
                "--goal",
                "blank-last",
                "--protocol",
                protocol,
                "--solver",
                &solver,
                position,
            ];
            let ran = sandbox.run(&args);
            assert_eq!(verdicts(&ran), [verdict], "{prose:?}: {}", ran.out);
        }
    }
    // The default protocol knows the words for unsolvable, and advises what to do about other words.
    let line = |answer: &str, position: &str| {
        sandbox.run(&["check", "--solver", &format!("echo \"{answer}\"; exit 1"), position])
    };
    assert_eq!(verdicts(&line("Puzzle is unsolvable", unsolvable)), ["optimal"]);
    assert_eq!(verdicts(&line("failure: cannot open puzzle.txt", unsolvable)), ["crashed"]);
    assert_eq!(verdicts(&line("1", solvable)), ["crashed"]);
    line("1", solvable).says("exit code 1: it had said \"1\"");
    let ran = sandbox.run(&["check", "--solver", "echo Solved in 1 move.", solvable]);
    assert_eq!(verdicts(&ran), ["unreadable"]);
    ran.says("say by --answer where the answer stands");
}

#[test]
fn a_number_and_moves_that_disagree_are_both_named() {
    let sandbox = Sandbox::new();
    let solver = "echo len=5 path: R";
    let answer = r"len=(?<length>\d+) path: (?<moves>.*)";
    sandbox
        .run(&["check", "--solver", solver, "--answer", answer, "123456708"])
        .is(1, "123456708\tlonger\t5 moves, 4 too many (beside \"R\", which is optimal)\n");
}

#[test]
fn no_claim_is_wrong_and_no_trouble() {
    let sandbox = Sandbox::new();
    let ran = sandbox.feed(&["check"], b"123456708\n{\"position\":\"123456708\",\"claim\":null}\n");
    assert_eq!((ran.code, verdicts(&ran)), (Some(1), vec!["unreadable"; 2]));
    assert!(ran.out.starts_with("123456708\tunreadable\tthere is no claim\n"), "{}", ran.out);
    sandbox.run(&["check", "123456708\t1.0"]).is(0, "123456708\toptimal\t1 move\n");
    let long = format!("123456708\t1{}\n123456708\t1\n", " ".repeat(1 << 20));
    let ran = sandbox.feed(&["check"], long.as_bytes());
    assert_eq!((ran.code, verdicts(&ran)), (Some(2), vec!["unreadable", "optimal"]));
    ran.says("line 1: the line has more than 1048576 bytes");
    for goal in ["blank-last", "123/456/780"] {
        let line =
            format!("{{ \"position\": \"123456708\", \"claim\": 1, \"goal\": \"{goal}\" }}\n");
        assert_eq!(sandbox.feed(&["check"], line.as_bytes()).code, Some(0), "{line}");
    }
    fs::write(sandbox.path().join("answers"), "123456708\t1\n").unwrap();
    sandbox.run(&["check", "answers"]).says("; to read a file, say -f answers");
}

#[test]
fn a_stream_that_is_out_of_step_is_told() {
    let sandbox = Sandbox::new();
    let positions = ["123456780", "123456708", "123456078"];
    let stream = |solver: &str| {
        sandbox.run(&[["check", "--stream", "--solver", solver].as_slice(), &positions].concat())
    };
    let surplus = "the program printed more lines than it was sent";
    for solver in [
        "echo Ready.; while read board; do echo 0; done",
        "while read board; do echo 0; echo; done",
    ] {
        let ran = stream(solver);
        assert_eq!(ran.code, Some(2), "{solver}: {}", ran.out);
        ran.says(surplus);
    }
    let once =
        "read board; case $board in 123456780) echo 0;; 123456708) echo 1;; *) echo 2;; esac";
    let ran = stream(once);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.says("note: the program ended or hung before it had answered all; restarts: 1");
    let ready = "echo Ready; while read board; do echo 0; done";
    let ran = sandbox.run(&["audit", "--shape", "2x2", "--program", ready]);
    assert_eq!(ran.code, Some(2));
    ran.says(surplus);
}

/// Whether `sleep` runs with this argument.
fn sleeps(argument: &str) -> bool {
    if cfg!(target_os = "linux") {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let commands =
            processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        return commands
            .into_iter()
            .any(|command| command == format!("sleep\0{argument}\0").as_bytes());
    }
    let found = Command::new("pgrep").args(["-f", &format!("^sleep {argument}")]).output();
    found.unwrap().status.success()
}

/// Waits until `sleep` runs with this argument. Then the program that calls it has been started.
fn wait_until_sleeps(argument: &str) {
    let start = Instant::now();
    while !sleeps(argument) {
        assert!(start.elapsed() < Duration::from_secs(20), "the program was not started");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal. The shell has `kill` built in.
fn signal(name: &str, to: &Child) {
    let kill = format!("kill -{name} {}", to.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn nothing_outlives_the_judge() {
    let sandbox = Sandbox::new();
    // A number that no other process has in its command.
    let mark = format!("3{}", std::process::id());
    let hostile = [
        ("yes", "unreadable"),
        ("yes | tr -d '\\n'", "unreadable"),
        ("cat /dev/zero", "unreadable"),
        ("true", "unreadable"),
        ("exit 3", "crashed"),
        ("kill -9 $$", "crashed"),
        ("sleep MARK", "timed out"),
        ("sleep MARK & sleep MARK", "timed out"),
        ("sleep MARK & echo 1", "optimal"),
        ("echo 1; sleep MARK", "timed out"),
        ("exec >&-; sleep MARK", "timed out"),
        #[cfg(target_os = "linux")]
        ("setsid sleep MARK & echo 1", "optimal"),
        #[cfg(target_os = "linux")]
        ("setsid sh -c 'sleep MARK & sleep MARK' & sleep MARK", "timed out"),
        #[cfg(target_os = "linux")]
        ("setsid env -i sleep MARK & echo 1", "optimal"),
    ];
    for (solver, verdict) in hostile {
        let solver = solver.replace("MARK", &mark);
        let args = ["check", "--timeout", "0.5", "123456708", "--solver", &solver];
        let start = Instant::now();
        let ran = sandbox.run(&args);
        assert_eq!(verdicts(&ran), [verdict], "{solver}: {}", ran.err);
        assert!(start.elapsed() < Duration::from_secs(20), "{solver} blocked the judge");
        assert!(!sleeps(&mark), "{solver} left something behind");
        let ran = sandbox.run(&[args.as_slice(), &["--stream"]].concat());
        assert_eq!(ran.out.lines().count(), 1, "{solver}: {}", ran.err);
        assert!(!sleeps(&mark), "{solver} left something behind as a stream");
    }
}

/// A helper process that has left its solver's process group is not killed when another solver ends.
#[cfg(target_os = "linux")]
#[test]
fn a_helper_is_left_to_its_solver() {
    let sandbox = Sandbox::new();
    let solver =
        "f=fifo$$; mkfifo $f; (setsid sh -c \"sleep 0.3; echo 1 > $f\" <&- >&- 2>&- &); cat $f";
    let quick = "sleep 0.02; echo 1";
    let solver = format!("case {{}} in 123456708) {solver};; *) {quick};; esac");
    let mut args = vec!["check", "--jobs", "2", "--timeout", "5", "--solver", &solver, "123456708"];
    args.extend(["123450786"; 20]);
    let ran = sandbox.run(&args);
    assert_eq!(verdicts(&ran), ["optimal"; 21], "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn dead_orphans_are_buried_while_a_stream_goes_on() {
    let sandbox = Sandbox::new();
    let solver = "while read board; do (true &); echo 1; done; sleep 1";
    let child =
        sandbox.spawn(&["check", "--stream", "-n", "5000", "--show", "none", "--solver", solver]);
    let mut most = 0;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten();
        let children = tasks
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let children = children.collect::<Vec<_>>().join(" ");
        let is_zombie = |id: &&str| {
            let stat = fs::read_to_string(format!("/proc/{id}/stat"));
            stat.is_ok_and(|stat| stat.contains(") Z "))
        };
        most = most.max(children.split_whitespace().filter(is_zombie).count());
        thread::sleep(Duration::from_millis(50));
    }
    signal("INT", &child);
    let ran = Ran::new(child.wait_with_output().unwrap());
    let judged = ran.err.lines().find(|line| line.contains(" judged")).unwrap();
    let judged: usize = judged.split(' ').next().unwrap().parse().unwrap();
    assert!(most < judged / 2, "{most} zombies of {judged}");
}

#[test]
fn verdicts_come_as_they_are_known() {
    let sandbox = Sandbox::new();
    let solver = "read board; test $board = 123456708 || sleep 30; echo 1";
    let args =
        ["check", "--jobs", "1", "--timeout", "60", "--solver", solver, "123456708", "123456078"];
    let mut child = sandbox.spawn(&args);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let start = Instant::now();
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "123456708\toptimal\t1 move\n");
    assert!(start.elapsed() < Duration::from_secs(20), "the first verdict waited for the second");
    signal("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn half_a_line_of_a_dead_stream_is_no_answer() {
    let sandbox = Sandbox::new();
    // In its first run, the solver dies in the middle of its second answer, as a program with buffered output may.
    let dies =
        "read board; if test -e lock; then echo 2; else touch lock; printf '1\\n1'; kill -9 $$; fi";
    let ran = sandbox.run(&["check", "--stream", "--solver", dies, "123456708", "123456078"]);
    assert_eq!(verdicts(&ran), ["optimal", "optimal"], "{}", ran.out);
    // The exit code of a pipeline is that of its last command.
    fs::remove_file(sandbox.path().join("lock")).unwrap();
    let ran = sandbox.run(&[
        "check",
        "--stream",
        "--solver",
        &format!("({}) | cat", dies.replace("kill -9 $$", "exit 1")),
        "123456708",
        "123456078",
        "123456780",
    ]);
    assert_eq!(verdicts(&ran)[..2], ["optimal", "optimal"], "{}", ran.out);
    let lacks = "read board; printf 1";
    sandbox
        .run(&["check", "--stream", "--solver", lacks, "123456708"])
        .is(0, "123456708\toptimal\t1 move\n");
}

#[test]
fn a_slow_stream_that_holds_back_is_not_late() {
    let sandbox = Sandbox::new();
    // The solver writes its output when its input ends. 40 answers take two seconds, and each may take one second.
    let solver = "all=; while read board; do sleep 0.05; all=\"$all 1\"; done; printf '%s\\n' $all";
    let mut args =
        vec!["check", "--stream", "--timeout", "1", "--show", "none", "--solver", solver];
    args.extend(["123456708"; 40]);
    let ran = sandbox.run(&args);
    ran.is(0, "").says("40 positions judged: 40 optimal");
}

#[test]
fn ctrl_c_ends_a_stream_and_an_audit() {
    let sandbox = Sandbox::new();
    let mark = format!("5{}", std::process::id());
    let solver = format!("read board; echo 1; sleep {mark}");
    let stream = ["check", "--stream", "--solver", &solver, "123456708", "123450786"];
    let audit = ["audit", "--shape", "2x2", "--program", &solver];
    for (args, known) in
        [(stream.as_slice(), "1 of 2 positions judged"), (&audit, "interrupted: this is")]
    {
        let child = sandbox.spawn(args);
        wait_until_sleeps(&mark);
        thread::sleep(Duration::from_millis(100));
        signal("INT", &child);
        let ran = Ran::new(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{}", ran.err);
        ran.says(known);
        assert!(!sleeps(&mark), "the program was left behind");
    }
}

#[test]
fn ctrl_c_ends_the_solvers_and_prints_what_is_known() {
    let sandbox = Sandbox::new();
    let mark = format!("4{}", std::process::id());
    let solver = format!("read board; test $board = 123456708 && echo 1 || sleep {mark}");
    let args = ["check", "--solver", &solver, "--jobs", "1", "123456708", "123456078"];
    for signals in [["INT"].as_slice(), &["TERM", "TERM"]] {
        let child = sandbox.spawn(&args);
        wait_until_sleeps(&mark);
        for name in signals {
            signal(name, &child);
        }
        let ran = Ran::new(child.wait_with_output().unwrap());
        ran.is(130, "123456708\toptimal\t1 move\n").says("1 of 2 positions judged: 1 optimal");
        assert!(!sleeps(&mark), "the solver was left behind");
    }
}

#[test]
fn a_command_that_never_answers_is_given_up() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["check", "--solver", "no-such-program"]);
    assert_eq!(verdicts(&ran), ["crashed"; 20]);
    ran.says("exit code 127").says("no answer to the first 20 positions: stopped");
    sandbox
        .run(&["check", "--solver", "cat", "--stream", "--protocol", "princeton"])
        .is(2, "")
        .says("a line is sent for each position");
    sandbox.run(&["check", "--solver", "echo {}", "--stream"]).is(2, "").says("no place for {}");
    sandbox.run(&["check", "--solver", "echo {rows}"]).is(2, "").says("{rows} belongs into --send");
    sandbox.run(&["check", "--stream", "867254301\t31"]).is(2, "").says("--solver");
}

#[test]
fn tilebase_judges_itself() {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_tilebase");
    for (solver, options) in [
        (format!("{program} query -q"), ["--unsolvable", "20"]),
        (format!("{program} solve -q"), ["--moves", "blank"]),
        (format!("{program} solve -q --moves numbers"), ["--moves", "numbers"]),
    ] {
        let args = [
            "check", "--show", "none", "-n", "2000", "--seed", "1", "--stream", "--solver", &solver,
        ];
        let ran = sandbox.run(&[args.as_slice(), &options].concat());
        assert_eq!(ran.code, Some(0), "{solver}: {}", ran.err);
        let few = ["check", "-n", "4", "--spread", "--solver", &format!("{solver} {{}}")];
        let ran = sandbox.run(&[few.as_slice(), &options].concat());
        assert_eq!(ran.code, Some(0), "{solver}: {}", ran.err);
    }
}

#[test]
fn heuristics_are_audited_by_name() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["audit", "manhattan"]);
    assert_eq!(ran.code, Some(0));
    for line in [
        "boards           181440",
        "admissible       yes",
        "consistent       yes",
        "mean             14.0000",
        "mean h/distance  0.6420",
        "largest gap      18: 126453870 is 22 away and has 4",
        "      31          2        21   21.0000        21",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line:?} is not in {}", ran.out);
    }
    let json: Value =
        serde_json::from_str(&sandbox.run(&["audit", "misplaced", "--json"]).out).unwrap();
    assert_eq!((json["edges"].as_u64(), json["consistent"].as_bool()), (Some(241_920), Some(true)));
    sandbox.run(&["audit", "euclid"]).is(2, "").says("possible values: none, misplaced, manhattan");
}

#[test]
fn values_are_audited_from_a_file() {
    let sandbox = Sandbox::new();
    let values = sandbox.run(&["list", "--shape", "2x3"]).out;
    fs::write(sandbox.path().join("values"), &values).unwrap();
    let ran = sandbox.run(&["audit", "--shape", "2x3", "-f", "values"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("mean h/distance  1.0000\n"), "{}", ran.out);
    let ran = sandbox.feed(&["audit"], b"123456780\t0\n123456708\t1.5\n812043765\t7\n");
    assert_eq!(ran.code, Some(1));
    ran.says("note: unsolvable positions, left out: 1");
    assert!(ran.out.starts_with("boards           2 of 181440\n"), "{}", ran.out);
    assert!(ran.out.contains("admissible       no, not on 1 boards\n"), "{}", ran.out);
    assert!(ran.out.contains("  smallest       123456708 is 1 away and has 1.5\n"), "{}", ran.out);
    let ran = sandbox.feed(&["audit"], b"123456780\t0\n123456780\t1\n123\t0\n123456708\tsome\n");
    assert_eq!(ran.code, Some(2));
    ran.says("error: line 2: 123456780 has the value 1 here, and 0 before")
        .says("error: line 3: 1 rows of 3 cells")
        .says("error: line 4: \"some\" is no value: expected a number");
    sandbox.feed(&["audit"], b"").is(2, "").says("no value in the input");
}

#[test]
fn programs_are_audited() {
    let sandbox = Sandbox::new();
    let zero = "while read board; do echo 0.0; done";
    let ran = sandbox.run(&["audit", "--shape", "2x3", "--program", zero]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{}", ran.err);
    assert!(ran.out.contains("largest gap      21: "), "{}", ran.out);
    let words = "while read board; do echo far; done";
    let ran = sandbox.run(&["audit", "--shape", "2x3", "--program", words]);
    ran.is(2, "").says("\"far\" is no number").says("gave up after 5 boards without a number");
    let dies = "read board && echo 0; read board && echo 1; exit 7";
    let ran = sandbox.run(&["audit", "--shape", "2x2", "--program", dies]);
    assert_eq!(ran.code, Some(0), "started anew for the others: {}", ran.err);
}
