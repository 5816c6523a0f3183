//! Table files: their bytes, and everything that is refused.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tilebase::{Board, Builder, Goal, Oracle, OracleError, Orbit, Shape, Table, TableError};

mod forge;

const GOLDEN: &[u8] = include_bytes!("../data/3x2-home5-distance.tilebase");

fn orbit(shape: &str) -> Orbit {
    Orbit::of(&Goal::BlankLast.board(shape.parse().unwrap()))
}

/// Opens a file by each back end, and checks that they agree.
#[track_caller]
fn open(path: &Path) -> Result<Table, String> {
    let read = Table::open(path).map_err(|error| error.to_string());
    // SAFETY: the tests write to no file that is open.
    let mapped = unsafe { Table::map(path) }.map_err(|error| error.to_string());
    match (&read, &mapped) {
        (Ok(read), Ok(mapped)) => assert_eq!(read.as_bytes(), mapped.as_bytes()),
        (Err(read), Err(mapped)) => assert_eq!(read, mapped),
        _ => panic!("{read:?} by reading, {mapped:?} by mapping"),
    }
    read
}

#[track_caller]
fn refused(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    fs::write(&path, bytes).unwrap();
    let by_file = open(&path).expect_err("such a file is refused");
    assert_eq!(by_file, Table::from_bytes(bytes.to_vec()).unwrap_err().to_string());
    by_file
}

/// The golden table with a byte set, and every checksum made right again.
fn forged(at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = GOLDEN.to_vec();
    bytes[at] = byte;
    forge::seal(&mut bytes);
    bytes
}

#[test]
fn a_build_gives_the_golden_bytes() {
    assert_eq!(Builder::new(orbit("3x2")).unwrap().build().unwrap().as_bytes(), GOLDEN);
    assert_eq!(Builder::new(orbit("2x3")).unwrap().build().unwrap().as_bytes(), GOLDEN);
}

#[test]
fn both_back_ends_give_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    for shape in ["2x2", "3x2", "3x3", "5x2"] {
        let table = Builder::new(orbit(shape)).unwrap().build().unwrap();
        let path = folder.path().join(shape);
        table.save(&path).unwrap();
        let opened = open(&path).unwrap();
        assert_eq!(opened.as_bytes(), table.as_bytes());
        assert_eq!(opened.header(), table.header());
        assert_eq!(opened.checksum(), table.checksum());
    }
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 4, "nothing but the tables is left in the folder");
}

#[test]
fn every_flipped_bit_is_refused() {
    for bit in 0..GOLDEN.len() * 8 {
        let mut bytes = GOLDEN.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Table::from_bytes(bytes).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_eq!(refused(&[]), "is empty");
    for length in 1..GOLDEN.len() {
        let error = Table::from_bytes(GOLDEN[..length].to_vec()).unwrap_err();
        assert!(matches!(error, TableError::Truncated { .. }), "{length} bytes: {error}");
    }
    assert_eq!(refused(&GOLDEN[..100]), "is cut off: 100 of 4096 bytes");
    assert_eq!(refused(&GOLDEN[..4400]), "is cut off: 4400 of 4464 bytes");
}

#[test]
fn each_damage_has_its_own_words() {
    let changed = |at: usize| {
        let mut bytes = GOLDEN.to_vec();
        bytes[at] ^= 0x40;
        refused(&bytes)
    };
    assert_eq!(changed(0), "is not a tilebase table");
    assert_eq!(changed(8), "is of format version 65; this program reads version 1");
    assert_eq!(changed(50), "has a damaged header: bytes 0 to 4095 do not match their checksum");
    assert_eq!(
        changed(4100),
        "has a damaged payload: bytes 4096 to 4455 do not match their checksum"
    );
    assert_eq!(changed(4457), "has a damaged list of checksums");
    assert_eq!(changed(4463), "has a damaged list of checksums");
    assert_eq!(
        refused(&[GOLDEN, b"\0"].concat()),
        "is too long: 4465 bytes where its header says 4464"
    );
    assert_eq!(refused(b"\x7fELF and so on"), "is not a tilebase table");
}

#[test]
fn headers_that_are_whole_and_wrong_are_refused() {
    let header = |at, byte| refused(&forged(at, byte));
    assert_eq!(header(12, 2), "has kind 2, which this program does not know");
    assert_eq!(header(13, 9), "has metric 9, which this program does not know");
    assert_eq!(header(14, 0), "has encoding 0, which this program does not know");
    let wrong = |what| format!("has a header that cannot be right: {what}");
    assert_eq!(header(15, 1), wrong("its shape is none"));
    assert_eq!(header(15, 11), wrong("its shape is none"));
    assert_eq!(header(17, 6), wrong("its home is outside its shape"));
    assert_eq!(header(17, 4), wrong("its shape and home do not stand for their orbit"));
    assert_eq!(header(15, 4), wrong("its number of boards is not that of its shape"));
    assert_eq!(header(18, 20), wrong("its histogram does not end at its radius"));
    assert_eq!(header(20, 0), wrong("its number of boards is not that of its shape"));
    assert_eq!(header(52, 2), wrong("its histogram does not add up to its boards"));
    assert_eq!(header(36, 1), wrong("its lengths do not add up"));
    assert_eq!(header(44, 255), wrong("its histogram does not end at its radius"));
    assert_eq!(header(51, 255), wrong("its fields do not fit the page"));
    assert_eq!(header(3000, 1), wrong("its page has bytes behind the last field"));
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(open(folder.path()).unwrap_err(), "is not a regular file");
    let missing = open(&folder.path().join("none")).unwrap_err();
    assert!(missing.starts_with("cannot be read: "), "{missing}");
    if cfg!(unix) {
        assert_eq!(open(Path::new("/dev/null")).unwrap_err(), "is not a regular file");
    }
}

#[test]
fn saving_replaces_files_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let table = Builder::new(orbit("2x2")).unwrap().build().unwrap();
    fs::write(&path, "old").unwrap();
    table.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), table.as_bytes());
    let error = table.save(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "is there and is not a regular file");
    assert!(table.save(folder.path().join("no/such/folder")).is_err());
}

#[test]
fn abandoned_temporary_files_are_swept_and_fresh_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, age: u64| -> PathBuf {
        let path = folder.path().join(name);
        let file = fs::File::create(&path).unwrap();
        let then = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
        file.set_modified(then).unwrap();
        path
    };
    let abandoned = write(".tilebase-abandoned.tmp", 3600);
    let fresh = write(".tilebase-fresh.tmp", 0);
    let foreign = write("notes.tmp", 3600);
    Builder::new(orbit("2x2")).unwrap().build().unwrap().save(folder.path().join("table")).unwrap();
    assert!(!abandoned.exists());
    assert!(fresh.exists() && foreign.exists());
}

#[test]
fn a_table_of_another_orbit_cannot_serve() {
    let table = std::sync::Arc::new(Builder::new(orbit("3x3")).unwrap().build().unwrap());
    let edge: Board = "123456708".parse().unwrap();
    let wide = Goal::BlankLast.board(Shape::new(2, 4).unwrap());
    let large = Goal::BlankLast.board(Shape::new(9, 9).unwrap());
    for goal in [edge, wide, large] {
        let error = Oracle::new(table.clone(), &goal).unwrap_err();
        assert!(matches!(error, OracleError::Table { .. }), "{error}");
    }
    // Every corner does.
    Oracle::new(table, &Goal::BlankFirst.board(Shape::new(3, 3).unwrap())).unwrap();
}

#[test]
#[should_panic(expected = "the index is of another space")]
fn an_index_of_a_larger_space_has_no_entry() {
    let table = Builder::new(orbit("3x2")).unwrap().build().unwrap();
    let larger = tilebase::Space::new(&orbit("3x3").goal()).unwrap();
    let _ = table.distance(larger.nth(table.header().boards).unwrap());
}

/// FORMAT.md is enough to read a table in another language.
#[test]
fn python_reads_a_distance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("3x3.tilebase");
    Builder::new(orbit("3x3")).unwrap().build().unwrap().save(&path).unwrap();
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_table.py");
    for (board, distance) in [("867254301", "31"), ("123456780", "0"), ("135408762", "10")] {
        let output = Command::new("python3").arg(reader).arg(&path).arg(board).output();
        let Ok(output) = output else {
            eprintln!("skipped: there is no python3");
            return;
        };
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), distance, "{board}");
    }
}
