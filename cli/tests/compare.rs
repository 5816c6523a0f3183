//! `solve` by a search, `compare`, and plots.

use std::{collections::HashMap, fs};

mod sandbox;

use sandbox::Sandbox;

/// A board that is hard for every search without a table.
const FAR: &str = "15 14 13 12 11 10 9 8 7 6 5 4 3 1 2 0";
const FAR_NORMAL: &str = "15,14,13,12,11,10,9,8,7,6,5,4,3,1,2,0";

#[test]
fn each_algorithm_solves() {
    let sandbox = Sandbox::new();
    for algorithm in ["bfs", "bidirectional", "astar", "idastar"] {
        let ran = sandbox.run(&["solve", "--algorithm", algorithm, "135408762"]);
        assert_eq!((ran.code, ran.out.trim().len()), (Some(0), 10), "{}", ran.err);
        ran.says(&format!("note: 135408762: 10 moves by {algorithm}"));
    }
    // A* with the table finds the same solution as a lookup: the first in the order of moves.
    sandbox
        .run(&["solve", "--algorithm", "astar", "135408762"])
        .is(0, "RDLURULDRD\n")
        .says("by astar with table: 11 expanded, 22 generated, 0 re-opened, 13 open at most, ");
    sandbox.run(&["solve", "135408762"]).is(0, "RDLURULDRD\n");
    sandbox
        .run(&["solve", "--heuristic", "manhattan", "--moves", "tile", "867254301"])
        .says("31 moves by astar with manhattan: 6,745 expanded");
    let quiet = sandbox.run(&["solve", "-q", "--algorithm", "greedy", "123456708", "123456780"]);
    assert_eq!(quiet.is(0, "R\n\n").err, "");
    // Without a table, the heuristic is a pattern database.
    sandbox
        .run(&["solve", "--algorithm", "astar", "5,1,2,3,9,6,7,4,13,10,11,8,0,14,15,12"])
        .is(0, "UUURRRDDD\n")
        .says("9 moves by astar with pattern: 10 expanded");
    // Without a pattern database, it is linear conflict.
    let tiles: Vec<_> = (1..34).map(|tile| tile.to_string()).collect();
    sandbox
        .run(&["solve", "--algorithm", "idastar", &format!("{} 34 0 35", tiles.join(" "))])
        .is(0, "R\n")
        .says("1 move by idastar with linear-conflict: 2 expanded");
    sandbox
        .run(&["solve", "--heuristic", "table", FAR])
        .is(2, "unknown\n")
        .says("no table for 4x4 can be built");
}

#[test]
fn a_trace_shows_each_board_that_is_expanded() {
    let sandbox = Sandbox::new();
    let head = "number\tf\tg\th\tmove\tboard\n";
    let rows = "1\t2\t0\t2\t-\t123405786\n\
                2\t2\t1\t1\tR\t123450786\n\
                3\t2\t2\t0\tD\t123456780\n";
    let trace = |args: &[&str]| sandbox.run(&[&["solve", "--trace", "123405786"], args].concat());
    trace(&[]).is(0, &format!("{head}{rows}RD\n\n"));
    trace(&["--heuristic", "manhattan"]).is(0, &format!("{head}{rows}RD\n\n"));
    trace(&["--moves", "numbers"]).is(
        0,
        &format!(
            "{head}{}5 6\n\n",
            rows.replace("\tR\t12345", "\t5\t12345").replace("\tD\t", "\t6\t")
        ),
    );
    trace(&["--boards"]).is(0, &format!("{head}{rows}123405786\n123450786\n123456780\n\n"));
    trace(&["--limit-expanded", "2"]).is(
        2,
        &format!(
            "{head}{}>=2\n\n",
            rows.lines().take(2).map(|row| format!("{row}\n")).collect::<String>()
        ),
    );
    trace(&["--limit-expanded", "3", "-q"]).is(0, &format!("{head}{rows}RD\n\n"));
    let grid = "1\t1\t0\t1\t-\n1 2 3\n4 5 6\n7 0 8\n\n2\t1\t1\t0\tR\n1 2 3\n4 5 6\n7 8 0\n\n";
    sandbox
        .run(&["solve", "--trace", "--notation", "rows", "123456708"])
        .is(0, &format!("{head}{grid}R\n\n"));
    let json = trace(&["--json"]);
    let objects: Vec<serde_json::Value> =
        json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 4);
    assert_eq!((&objects[1]["number"], &objects[1]["move"]), (&2.into(), &"R".into()));
    assert_eq!(objects[3]["search"]["expanded"], 3);
}

#[test]
fn boards_of_a_solution() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["solve", "--boards", "123405786", "123456780", "812043765"])
        .is(1, "123405786\n123450786\n123456780\n\n123456780\n\nunsolvable\n\n");
    sandbox
        .run(&["solve", "--boards", "--algorithm", "bfs", "--notation", "list", "123456708"])
        .is(0, "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 8 0\n\n");
}

#[test]
fn limits_say_what_is_proven() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["solve", "--heuristic", "manhattan", "--limit-expanded", "1000", "867254301"])
        .is(2, ">=27\n")
        .says("error: 867254301: stopped after 1,000 expanded boards: at least 27 moves\n");
    let ran = sandbox.run(&[
        "solve",
        "--algorithm",
        "idastar",
        "--heuristic",
        "linear-conflict",
        "--timeout",
        "0.3",
        FAR,
    ]);
    assert_eq!(ran.code, Some(2));
    let moves: u32 = ran.out.trim().strip_prefix(">=").unwrap().parse().unwrap();
    assert!((54..=80).contains(&moves), "{moves}");
    ran.says("stopped after 300ms");
    let ran = sandbox.run(&[
        "solve",
        "--json",
        "--limit-expanded",
        "5",
        "--heuristic",
        "none",
        "867254301",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&answer["status"], &answer["distance"]),
        (&"unknown".into(), &serde_json::Value::Null)
    );
    assert_eq!((&answer["at_least"], &answer["search"]["expanded"]), (&2.into(), &5.into()));
}

#[test]
fn unsolvable_positions_are_known_at_once_or_by_exhaustion() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["solve", "--algorithm", "bfs", "812043765"])
        .is(1, "unsolvable\n")
        .says(": 0 expanded");
    for algorithm in ["bfs", "astar", "greedy"] {
        sandbox
            .run(&["solve", "--no-parity-check", "--algorithm", algorithm, "812043765"])
            .is(1, "unsolvable\n")
            .says(": 181,440 expanded");
    }
    // The table as heuristic knows that the board is unsolvable, even if only one board is expanded.
    sandbox
        .run(&["solve", "--no-parity-check", "--trace", "--limit-expanded", "1", "812043765"])
        .is(1, "number\tf\tg\th\tmove\tboard\n1\tinf\t0\tinf\t-\t812043765\nunsolvable\n\n");
    let idastar = ["solve", "--no-parity-check", "--algorithm", "idastar", "812043765"];
    sandbox.run(&idastar).is(2, "").says("idastar never ends on an unsolvable position");
    let limited =
        [idastar.as_slice(), &["--heuristic", "none", "--limit-expanded", "1000"]].concat();
    sandbox.run(&limited).is(2, ">=9\n");
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let sandbox = Sandbox::new();
    let refused = |args: &[&str], message: &str| {
        sandbox.run(args).is(2, "").says(message);
    };
    refused(
        &["solve", "--algorithm", "bfs", "--heuristic", "table", "1"],
        "bfs and bidirectional use no heuristic",
    );
    refused(&["solve", "--algorithm", "dfs", "1"], "possible values: bfs, bidirectional, greedy");
    refused(
        &["solve", "--best", "--timeout", "1", "867254301"],
        "--best and --count do not search",
    );
    refused(&["solve", "--best", "--trace", "867254301"], "cannot be used with");
    for weight in ["0.5", "nan", "inf", "x", "-1"] {
        refused(
            &["solve", &format!("--weight={weight}"), "1"],
            "expected a number from 1 to 1000000",
        );
    }
    refused(&["solve", "--timeout", "0", "867254301"], "expected a number of seconds");
    refused(
        &["compare", "--algorithm", "bfs", "--heuristic", "table", "1"],
        "there is no such pair",
    );
    refused(&["compare", "-n", "3", "867254301"], "-n draws positions");
    refused(&["check", "-n", "3"], "for a --solver");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_says_what_is_proven() {
    use std::{process::Command, thread, time::Duration};
    let sandbox = Sandbox::new();
    for (args, told) in [
        (
            ["solve", "--algorithm", "idastar", "--", FAR, "867254301"].as_slice(),
            "interrupted: at least",
        ),
        (
            &["compare", "--timeout", "60", "--", FAR, "867254301"],
            "interrupted: this is what is known so far",
        ),
    ] {
        let child = sandbox.spawn(args);
        thread::sleep(Duration::from_millis(1500));
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let ran = sandbox::Ran::new(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{}", ran.err);
        ran.says(told);
        assert!(args[0] == "compare" || ran.out.starts_with(">="), "{}", ran.out);
        assert!(!ran.out.contains("867254301"), "{}", ran.out);
    }
}

/// The cells of tab-separated values, by the names of their columns.
fn table(text: &str) -> Vec<HashMap<&str, &str>> {
    let mut lines = text.lines().map(|line| line.split('\t'));
    let head: Vec<_> = lines.next().unwrap().collect();
    lines.map(|cells| head.iter().copied().zip(cells).collect()).collect()
}

#[test]
fn compare_runs_every_sensible_pair() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["compare", "867254301"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = table(&ran.out);
    assert_eq!(rows.len(), 18);
    for row in &rows {
        assert_eq!((row["position"], row["distance"]), ("867254301", "31"));
        assert_eq!(row["optimal"] == "yes", row["moves"] == "31", "{row:?}");
        let promises = !["greedy", "weighted"].contains(&row["algorithm"]);
        assert!(!promises || row["optimal"] == "yes", "{row:?}");
    }
    let expanded: HashMap<_, _> =
        rows.iter().map(|row| ((row["algorithm"], row["heuristic"]), row["expanded"])).collect();
    assert_eq!(expanded[&("bfs", "none")], "181439");
    assert_eq!(expanded[&("astar", "manhattan")], "6745");
    assert_eq!(expanded[&("astar", "table")], "32");
}

#[test]
fn compare_writes_each_format() {
    let sandbox = Sandbox::new();
    let args = [
        "compare",
        "--algorithm",
        "astar,bfs",
        "--heuristic",
        "none,manhattan",
        "123405786",
        "812043765",
        "12",
    ];
    let tsv = sandbox.run(&args);
    tsv.says("error: position 3");
    assert_eq!(tsv.code, Some(2));
    let rows = table(&tsv.out);
    assert_eq!(rows.len(), 6);
    assert_eq!((rows[0]["moves"], rows[5]["moves"]), ("2", "unsolvable"));
    let csv = sandbox.run(&[args.as_slice(), &["--csv"]].concat());
    let untimed = |text: &str, by| -> Vec<String> {
        text.lines().map(|line| line.rsplit_once(by).unwrap().0.replace(by, ",")).collect()
    };
    assert_eq!(untimed(&csv.out, ','), untimed(&tsv.out, '\t'));
    let json = sandbox.run(&[args.as_slice(), &["--json"]].concat());
    let objects: Vec<serde_json::Value> =
        json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 6);
    assert_eq!(objects[0]["expanded"].to_string(), rows[0]["expanded"]);
    assert_eq!(objects[5]["optimal"], serde_json::Value::Null);
}

#[test]
fn compare_takes_what_is_drawn_or_read() {
    let sandbox = Sandbox::new();
    let drawn = |args: &[&str]| {
        let ran = sandbox
            .run(&[&["compare", "--algorithm", "astar", "--heuristic", "table"], args].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        table(&ran.out).iter().map(|row| row["position"].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(&["--depth", "31"]), ["647850321", "867254301"]);
    assert_eq!(drawn(&["-n", "7", "--seed", "3"]), drawn(&["-n", "7", "--seed", "3"]));
    assert_eq!(drawn(&["-n", "32", "--spread", "--seed", "3"]).len(), 32);
    let read = sandbox.feed(&["compare", "--algorithm", "bfs"], b"123405786\n123456780\n");
    assert_eq!(table(&read.is_ok().out).len(), 2);
    // Without a table, the lower bounds come from the searches.
    let far = sandbox.run(&[
        "compare",
        "--algorithm",
        "greedy,astar",
        "--heuristic",
        "manhattan",
        "--timeout",
        "0.2",
        FAR,
    ]);
    let rows = table(&far.out);
    assert_eq!(far.code, Some(2));
    assert_eq!((rows[0]["position"], rows[0]["optimal"]), (FAR_NORMAL, "unknown"));
    assert!(rows[1]["moves"].starts_with(">="), "{rows:?}");
}

#[test]
fn plots_are_whole_files_or_none() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("plot.svg");
    let plot = |args: &[&str]| sandbox.run(&[args, &["--plot", "plot.svg"]].concat());
    let svg = || fs::read_to_string(&path).unwrap();
    plot(&["stats"]).is_ok();
    assert!(svg().starts_with("<svg") && svg().trim_end().ends_with("</svg>"));
    for words in
        ["181,440 boards of 3x3", "distance from the goal (moves)", "31\n</text>", "25,000"]
    {
        assert!(svg().contains(words), "{words:?} is not in the plot");
    }
    plot(&["compare", "-n", "40", "--seed", "1", "--algorithm", "bfs,astar"]).is_ok();
    for words in [
        "40 positions of 3x3",
        "distance of the start (moves)",
        "logarithmic scale",
        "bfs\n</text>",
        "astar with table\n</text>",
        "10,000",
    ] {
        assert!(svg().contains(words), "{words:?} is not in the plot");
    }
    let before = svg();
    plot(&["compare", "812043765"]).says("there is nothing to plot");
    assert_eq!(svg(), before);
    let unwritten = sandbox.run(&["stats", "--plot", "none/plot.svg"]);
    unwritten.says("error: none/plot.svg: ");
    assert!(unwritten.out.ends_with("farthest\t867254301\n"), "{}", unwritten.out);
    fs::create_dir(sandbox.path().join("folder")).unwrap();
    sandbox.run(&["stats", "--plot", "folder"]).says("is not a regular file");
}
