//! Table files: their bytes, and the files that are refused.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use tilebase::{
    Board, Goal, Shape,
    index::Space,
    puzzle::Orbit,
    search::Heuristic,
    table::{
        Builder, Encoding, Flaw, LookupError, Oracle, OracleError, Table, TableError,
        TableErrorKind,
    },
};

mod forge;

const GOLDEN: &[u8] = include_bytes!("../data/3x2-home5-distance.tilebase");
const GOLDEN_BITS: &[u8] = include_bytes!("../data/3x2-home5-bit.tilebase");

fn build(shape: &str, encoding: Encoding) -> Table {
    Builder::new(orbit(shape)).unwrap().with_encoding(encoding).unwrap().build().unwrap()
}

fn orbit(shape: &str) -> Orbit {
    Orbit::of(&Goal::BlankLast.board(shape.parse().unwrap()))
}

/// Opens a file by reading and by mapping, and checks that both give the same.
#[track_caller]
fn open(path: &Path) -> Result<Table, String> {
    let without_path = |error: TableError| {
        assert_eq!(error.path(), Some(path));
        assert_eq!(error.to_string(), format!("{} {}", path.display(), error.kind()));
        error.kind().to_string()
    };
    let read = Table::open(path).map_err(without_path);
    // SAFETY: the tests never write to an open file.
    let mapped = unsafe { Table::map(path) }.map_err(without_path);
    match (&read, &mapped) {
        (Ok(read), Ok(mapped)) => assert_eq!(read.file().as_bytes(), mapped.file().as_bytes()),
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
    let error = Table::from_bytes(bytes.to_vec()).unwrap_err();
    assert_eq!(error.to_string(), format!("the table {by_file}"));
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
    for shape in ["3x2", "2x3"] {
        assert_eq!(build(shape, Encoding::Distance).file().as_bytes(), GOLDEN);
        assert_eq!(build(shape, Encoding::Bit).file().as_bytes(), GOLDEN_BITS);
    }
}

/// FORMAT.md says where the bit of each board is.
#[test]
fn a_bit_is_the_second_lowest_of_the_distance_and_lies_where_the_format_says() {
    for shape in ["2x2", "3x2", "4x2", "3x3", "5x2"] {
        let [distances, bits] = [Encoding::Distance, Encoding::Bit].map(|kind| build(shape, kind));
        let planes = orbit(shape).shape().cells();
        let plane = distances.header().boards as usize / planes;
        let payload = &bits.file().as_bytes()[forge::PAGE..];
        let mut ones = 0;
        for (index, distance) in
            distances.file().as_bytes()[forge::PAGE..][..planes * plane].iter().enumerate()
        {
            let (place, rank) = (index / plane, index % plane);
            let word = &payload[8 * (rank / 60 * planes + place)..][..8];
            let bit = u64::from_le_bytes(word.try_into().unwrap()) >> (rank % 60) & 1;
            assert_eq!(bit, u64::from(distance >> 1 & 1), "{shape}, index {index}");
            ones += bit;
        }
        let words = planes * plane.div_ceil(60);
        let set: u32 = payload[..8 * words].iter().map(|byte| byte.count_ones()).sum();
        assert_eq!(u64::from(set), ones, "{shape}: no other bit is set");
        assert_eq!(bits.header().histogram, distances.header().histogram);
    }
}

#[test]
fn both_back_ends_give_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    for (shape, encoding) in [
        ("2x2", Encoding::Distance),
        ("2x2", Encoding::Bit),
        ("3x2", Encoding::Distance),
        ("3x3", Encoding::Bit),
        ("5x2", Encoding::Distance),
        ("4x3", Encoding::Bit),
    ] {
        let table = build(shape, encoding);
        let path = folder.path().join(format!("{shape} {}", encoding.name()));
        table.file().save(&path).unwrap();
        let opened = open(&path).unwrap();
        assert!(opened.file().as_bytes() == table.file().as_bytes(), "{shape}");
        assert_eq!(opened.header(), table.header());
        assert_eq!(opened.file().checksum(), table.file().checksum());
    }
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 6, "nothing but the tables is left in the folder");
}

/// A flipped bit of a large table is found when something in the same block is looked up.
#[test]
fn blocks_of_a_large_table_are_checked_when_they_are_used() {
    const BLOCK: usize = 65536;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x3");
    let goal = Goal::BlankLast.board("4x3".parse().unwrap());
    let whole = Oracle::new(build("4x3", Encoding::Bit), &goal).unwrap();
    let mut bytes = whole.table().file().as_bytes().to_vec();
    // The bit is in the last block, which has the words of the greatest ranks.
    let blocks = (bytes.len() - forge::PAGE).div_euclid(BLOCK + 4);
    let damaged = forge::PAGE + (blocks - 1) * BLOCK + 1000;
    bytes[damaged] ^= 1;
    fs::write(&path, &bytes).unwrap();

    let table = open(&path).expect("the header and the list of checksums are right");
    let damage = table.file().check_payload(2).unwrap_err();
    assert_eq!(damage.start, (damaged / BLOCK * BLOCK + forge::PAGE) as u64);
    assert!((damage.start..damage.end).contains(&(damaged as u64)), "{damage:?}");
    assert!(matches!(table.verify(2), Err(Flaw::Bytes(found)) if found == damage));

    let oracle = Oracle::new(table, &goal).unwrap();
    let space = oracle.space();
    let (mut right, mut refused) = (0, 0);
    // Boards of all ranks in one plane.
    let plane = space.boards() / 12;
    for rank in (0..plane).rev().step_by(10_007) {
        let board = space.board(space.nth(11 * plane + rank).unwrap());
        match oracle.distance(&board) {
            Ok(distance) => {
                assert_eq!(distance, whole.distance(&board).unwrap(), "{board}");
                right += 1;
            }
            Err(error) => {
                assert_eq!(error, OracleError::Damaged(damage), "{board}");
                assert_eq!(oracle.solution(&board), Err(error.clone()));
                assert_eq!(oracle.best_moves(&board), Err(error.clone()));
                assert_eq!(oracle.next(&board), Err(error.clone()));
                assert_eq!(oracle.estimate(&board), 0, "nothing is known");
                assert_eq!(oracle.distances(&[board]), [Err(error)]);
                refused += 1;
            }
        }
    }
    assert!(right > 1000 && refused > 3, "{right} right, {refused} refused");
}

#[test]
fn many_at_once_are_as_one_by_one() {
    for (shape, encoding) in
        [("3x3", Encoding::Bit), ("3x3", Encoding::Distance), ("3x4", Encoding::Bit)]
    {
        let goal = Goal::BlankLast.board(shape.parse().unwrap());
        let oracle = Oracle::new(build(shape, encoding), &goal).unwrap();
        for count in [0, 1, 15, 16, 17, 1000] {
            let mut boards: Vec<_> =
                oracle.sample(count, .., 3).unwrap().into_iter().map(|(board, _)| board).collect();
            // Every third board is unsolvable.
            for board in boards.iter_mut().step_by(3) {
                let mut tiles = board.tiles().to_vec();
                let [one, two] = [1, 2].map(|tile| tiles.iter().position(|t| *t == tile).unwrap());
                tiles.swap(one, two);
                *board = Board::new(board.shape(), &tiles).unwrap();
            }
            let single: Vec<_> = boards.iter().map(|board| oracle.distance(board)).collect();
            assert_eq!(oracle.distances(&boards), single, "{shape}");
            assert!(count < 2 || single[0] == Ok(None) && single[1] != Ok(None));
        }
        let other = [goal, Goal::BlankLast.board(Shape::new(2, 2).unwrap())];
        let answers = oracle.distances(&other);
        assert!(matches!(answers[..], [Ok(Some(0)), Err(OracleError::Shape { .. })]));
    }
}

#[test]
fn anything_can_hold_the_bytes() {
    static STATIC: &[u8; GOLDEN.len()] = include_bytes!("../data/3x2-home5-distance.tilebase");
    let shared: Arc<[u8]> = GOLDEN.into();
    let tables = [
        Table::from_bytes(STATIC),
        Table::from_bytes(GOLDEN.to_vec()),
        Table::from_bytes(shared.clone()),
        Table::from_bytes(Box::<[u8]>::from(GOLDEN)),
    ];
    for table in tables {
        let table = table.unwrap();
        assert_eq!(table.file().as_bytes(), GOLDEN);
        assert_eq!(table.file().path(), None);
    }
    assert_eq!(Arc::strong_count(&shared), 1, "nothing holds on to them");
}

#[test]
fn all_distances_are_in_one_piece_where_a_board_has_a_byte() {
    let table = build("3x3", Encoding::Distance);
    let space = Space::new(&orbit("3x3").goal()).unwrap();
    let distances = table.distances().unwrap();
    assert_eq!(distances.len() as u64, space.boards());
    for (index, distance) in space.indices().zip(distances) {
        assert_eq!(table.distance(index), Ok(u32::from(*distance)));
    }
    assert_eq!(build("3x3", Encoding::Bit).distances(), None);
}

#[test]
fn a_table_in_parts_is_as_one_in_one_file() {
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/parts");
    let table = open(&parts.join("3x2-home5-bit.tilebase")).unwrap();
    assert_eq!(table.file().parts(), 2);
    assert_eq!(table.file().as_bytes(), GOLDEN_BITS);
    table.verify(2).unwrap();
    let whole = Table::from_bytes(GOLDEN_BITS).unwrap();
    assert_eq!((whole.header(), whole.file().parts()), (table.header(), 0));
    for index in Space::new(&orbit("3x2").goal()).unwrap().indices() {
        assert_eq!(table.distance(index), whole.distance(index));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged");
    table.file().save(&path).unwrap();
    assert_eq!(fs::read(path).unwrap(), GOLDEN_BITS);

    let manifest = folder.path().join("3x2-home5-bit.tilebase");
    fs::copy(parts.join("3x2-home5-bit.tilebase"), &manifest).unwrap();
    fs::write(folder.path().join("3x2-home5-bit.part-0-of-2"), "").unwrap();
    let part = folder.path().join("3x2-home5-bit.part-0-of-2");
    let error = format!("has a part that is empty: {}", part.display());
    assert_eq!(open(&manifest).unwrap_err(), error);
}

/// Each sentence includes its cause, so the error has no source.
#[test]
fn errors_are_sentences() {
    use std::error::Error;

    let missing = Table::open("no/such/file").unwrap_err();
    assert!(missing.to_string().starts_with("no/such/file cannot be read: "), "{missing}");
    assert!(missing.is_not_found() && missing.source().is_none());
    let mut bytes = GOLDEN.to_vec();
    bytes[4100] ^= 1;
    let damaged = Table::from_bytes(bytes).unwrap_err();
    let TableErrorKind::Payload(damage) = *damaged.kind() else { panic!("{damaged}") };
    let words = "bytes 4096 to 4455 do not match their checksum";
    assert_eq!(damage.to_string(), words);
    let sentence = format!("the table has a damaged payload: {words}");
    assert_eq!(damaged.to_string(), sentence);
    assert_eq!(LookupError::from(damage).to_string(), sentence);
    assert_eq!(OracleError::from(damage).to_string(), sentence);
    let flaw = Flaw::from(damage);
    assert_eq!(flaw.to_string(), sentence);
    assert!(damaged.source().is_none() && flaw.source().is_none());
}

#[test]
fn every_flipped_bit_is_refused() {
    for golden in [GOLDEN, GOLDEN_BITS] {
        for bit in 0..golden.len() * 8 {
            let mut bytes = golden.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Table::from_bytes(bytes).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_eq!(refused(&[]), "is empty");
    for length in 1..GOLDEN.len() {
        let error = Table::from_bytes(GOLDEN[..length].to_vec()).unwrap_err();
        assert!(
            matches!(error.kind(), TableErrorKind::Truncated { .. }),
            "{length} bytes: {error}"
        );
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
    // Kind 4 was a checkpoint of an earlier layout.
    assert_eq!(header(12, 4), "has kind 4, which this program does not know");
    assert_eq!(header(12, 9), "has kind 9, which this program does not know");
    assert_eq!(header(13, 9), "has metric 9, which this program does not know");
    assert_eq!(header(14, 0), "has encoding 0, which this program does not know");
    assert_eq!(header(14, 3), "has encoding 3, which this program does not know");
    let wrong = |what| format!("has a header that cannot be right: {what}");
    assert_eq!(header(12, 2), wrong("its patterns are not those of its shape"));
    assert_eq!(header(12, 3), wrong("its part has a number that is too large"));
    assert_eq!(header(15, 1), wrong("its sides are not from 2 to 10"));
    assert_eq!(header(15, 11), wrong("its sides are not from 2 to 10"));
    assert_eq!(header(17, 6), wrong("its home is outside its shape"));
    assert_eq!(header(17, 4), wrong("its shape and home do not stand for their orbit"));
    assert_eq!(header(15, 4), wrong("its number of boards is not that of its shape"));
    assert_eq!(header(18, 20), wrong("its histogram does not end at its radius"));
    assert_eq!(header(20, 0), wrong("its number of boards is not that of its shape"));
    assert_eq!(header(52, 2), wrong("its histogram does not add up to its boards"));
    let payload = "its payload does not have the length that its boards need";
    assert_eq!(header(14, 2), wrong(payload));
    assert_eq!(header(36, 1), wrong("its lengths do not add up"));
    assert_eq!(header(44, 255), wrong("its histogram does not end at its radius"));
    // The radius is one more than the greatest distance.
    let mut farther = forged(18, GOLDEN[18] + 1);
    farther[44] += 1;
    forge::seal(&mut farther);
    assert_eq!(refused(&farther), wrong("its histogram does not end at its radius"));
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
    table.file().save(&path).unwrap();
    assert_eq!(table.file().as_bytes(), fs::read(&path).unwrap());
    let error = table.file().save(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "is there and is not a regular file");
    assert!(table.file().save(folder.path().join("no/such/folder")).is_err());
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
    Builder::new(orbit("2x2"))
        .unwrap()
        .build()
        .unwrap()
        .file()
        .save(folder.path().join("table"))
        .unwrap();
    assert!(!abandoned.exists());
    assert!(fresh.exists() && foreign.exists());
}

#[test]
fn a_table_of_another_orbit_cannot_serve() {
    let table = Arc::new(Builder::new(orbit("3x3")).unwrap().build().unwrap());
    let edge: Board = "123456708".parse().unwrap();
    let wide = Goal::BlankLast.board(Shape::new(2, 4).unwrap());
    let large = Goal::BlankLast.board(Shape::new(9, 9).unwrap());
    for goal in [edge, wide, large] {
        let error = Oracle::new(table.clone(), &goal).unwrap_err();
        assert!(matches!(error, OracleError::Table { .. }), "{error}");
    }
    // A goal with the blank in any corner is served by the table.
    Oracle::new(table, &Goal::BlankFirst.board(Shape::new(3, 3).unwrap())).unwrap();
}

#[test]
#[should_panic(expected = "the index is of another space")]
fn an_index_of_a_larger_space_has_no_entry() {
    let table = Builder::new(orbit("3x2")).unwrap().build().unwrap();
    let larger = tilebase::index::Space::new(&orbit("3x3").goal()).unwrap();
    let _ = table.distance(larger.nth(table.header().boards).unwrap());
}

/// FORMAT.md is enough to read a table in another language.
#[test]
fn python_reads_a_distance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("3x3.tilebase");
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_table.py");
    for encoding in [Encoding::Distance, Encoding::Bit] {
        build("3x3", encoding).file().save(&path).unwrap();
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
}
