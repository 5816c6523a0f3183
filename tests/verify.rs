//! The proof names each kind of flaw, with its board.

use tilebase::{
    Board, Goal, Move, Shape,
    index::Space,
    puzzle::Orbit,
    table::{Builder, Encoding, Oracle, Table},
};

mod forge;

struct Doctored {
    bytes: Vec<u8>,
    space: Space,
}

impl Doctored {
    /// The right table of 3x3 for the usual goal, to be changed.
    fn new() -> Self {
        Self::with(Encoding::Distance)
    }

    fn with(encoding: Encoding) -> Self {
        let goal = Goal::BlankLast.board(Shape::new(3, 3).unwrap());
        let builder = Builder::new(Orbit::of(&goal)).unwrap().with_encoding(encoding).unwrap();
        let bytes = builder.build().unwrap().file().as_bytes().to_vec();
        Self { bytes, space: Space::new(&goal).unwrap() }
    }

    /// Flips the bit of a board, in a table with one bit per board.
    fn flip(mut self, board: &str) -> Self {
        let index = self.space.index(&board.parse().unwrap()).unwrap().get() as usize;
        let (place, rank) = (index / 20_160, index % 20_160);
        self.bytes[forge::PAGE + 8 * (rank / 60 * 9 + place) + rank % 60 / 8] ^=
            1 << (rank % 60 % 8);
        self
    }

    fn set(mut self, board: &str, distance: u8) -> Self {
        let board: Board = board.parse().unwrap();
        let index = self.space.index(&board).unwrap().get() as usize;
        self.bytes[forge::PAGE + index] = distance;
        self
    }

    /// The flaw that the proof finds. It is the same for any number of threads.
    #[track_caller]
    fn flaw(mut self) -> String {
        forge::seal(&mut self.bytes);
        let table = Table::from_bytes(self.bytes).expect("the checksums are right");
        let flaw = table.verify(1).expect_err("the table lies").to_string();
        assert_eq!(flaw, table.verify(2).unwrap_err().to_string());
        flaw
    }
}

#[test]
fn the_truth_passes() {
    let table = Table::from_bytes(Doctored::new().bytes).unwrap();
    table.verify(1).unwrap();
    table.verify(tilebase::Threads::ALL).unwrap();
}

#[test]
fn another_goal() {
    let flaw = Doctored::new().set("867254301", 0).flaw();
    assert_eq!(flaw, "867254301 has distance 0 and is not the goal");
}

#[test]
fn a_goal_that_is_away_from_itself() {
    let flaw = Doctored::new().set("123456780", 2).flaw();
    assert_eq!(flaw, "the goal 123456780 has distance 2, not 0");
}

#[test]
fn a_board_that_was_never_reached() {
    let flaw = Doctored::new().set("867254301", 255).flaw();
    assert_eq!(flaw, "867254301 has no distance");
}

#[test]
fn neighbors_with_a_jump_between_them() {
    let flaw = Doctored::new().set("123456708", 5).flaw();
    assert_eq!(flaw, "123406758 has distance 2 and its neighbour 123456708 has 5");
    let flaw = Doctored::new().set("867254301", 30).flaw();
    assert_eq!(flaw, "867204351 has distance 30 and its neighbour 867254301 has 30");
}

#[test]
fn a_board_without_a_nearer_neighbor() {
    // All neighbours of a farthest board have distance 30, so each still differs by one.
    let flaw = Doctored::new().set("867254301", 29).flaw();
    assert_eq!(flaw, "867254301 has distance 29 and no neighbour with 28");
}

#[test]
fn a_histogram_that_miscounts() {
    let mut table = Doctored::new();
    // The header counts one board of distance 2 as one of distance 1. The sum stays the same.
    table.bytes[52 + 8] += 1;
    table.bytes[52 + 16] -= 1;
    assert_eq!(table.flaw(), "the header counts 3 boards at distance 1; there are 2");
}

#[test]
fn the_truth_in_bits_passes() {
    let table = Table::from_bytes(Doctored::with(Encoding::Bit).bytes).unwrap();
    table.verify(1).unwrap();
    table.verify(tilebase::Threads::ALL).unwrap();
}

#[test]
fn a_bit_that_is_wrong() {
    let bits = || Doctored::with(Encoding::Bit);
    let words = |board, distance| {
        format!("{board} has distance {distance}, and its bit is that of another")
    };
    assert_eq!(bits().flip("123456780").flaw(), words("123456780", 0));
    assert_eq!(bits().flip("867254301").flaw(), words("867254301", 31));
    assert_eq!(bits().flip("135408762").flaw(), words("135408762", 10));
    // The flaw names the nearest of the two boards.
    assert_eq!(bits().flip("867254301").flip("135408762").flaw(), words("135408762", 10));
}

#[test]
fn a_bit_that_is_no_board() {
    for (at, set) in [(7, 0x80), (8 * 9 + 7, 0x10)] {
        let mut table = Doctored::with(Encoding::Bit);
        table.bytes[forge::PAGE + at] |= set;
        let (first, last) = (forge::PAGE + at - 7, forge::PAGE + at);
        let words = format!(
            "a bit is set that stands for no board, in bytes {first} to {last} of the file"
        );
        assert_eq!(table.flaw(), words);
    }
}

#[test]
fn a_histogram_of_bits_that_miscounts() {
    let mut table = Doctored::with(Encoding::Bit);
    table.bytes[52 + 8] += 1;
    table.bytes[52 + 16] -= 1;
    assert_eq!(table.flaw(), "the header counts 3 boards at distance 1; there are 2");
}

#[test]
fn a_table_of_bits_that_lies_gives_no_path_without_an_end() {
    let mut table = Doctored::with(Encoding::Bit);
    // With these bits, the distance of every board is 0 or 1 modulo four.
    let payload = 9 * 336 * 8;
    table.bytes[forge::PAGE..][..payload].fill(0);
    forge::seal(&mut table.bytes);
    let goal = table.space.goal().clone();
    let oracle = Oracle::new(Table::from_bytes(table.bytes).unwrap(), &goal).unwrap();
    let mut wrong = 0;
    for index in table.space.indices().step_by(101) {
        let board = table.space.board(index);
        wrong += u32::from(oracle.distance(&board).is_err());
        let count = oracle.count_solutions(&board);
        let Ok(path) = oracle.solution(&board) else {
            assert!(count.is_err(), "{board}: there is no path, and {count:?}");
            continue;
        };
        let end = path.unwrap().into_iter().try_fold(board.clone(), |board, step| board.step(step));
        assert_eq!(end, Some(goal.clone()), "{board}");
    }
    assert!(wrong > 1000, "{wrong}");
}

#[test]
fn a_single_bit_that_lies_leads_no_solution_astray() {
    let table = Doctored::with(Encoding::Bit);
    let goal = table.space.goal().clone();
    let neighbors = |board: Board| Move::ALL.into_iter().filter_map(move |step| board.step(step));
    for number in (0..181_440).step_by(3001) {
        let liar = table.space.board(table.space.nth(number).unwrap());
        let lying = Doctored { bytes: table.bytes.clone(), space: table.space.clone() };
        let mut bytes = lying.flip(&liar.to_string()).bytes;
        forge::seal(&mut bytes);
        let oracle = Oracle::new(Table::from_bytes(bytes).unwrap(), &goal).unwrap();
        // A walk from a board near by may go to this board, because its bit says that it is nearer to the goal.
        for start in neighbors(liar.clone()).flat_map(neighbors) {
            if let Ok(path) = oracle.solution(&start) {
                let moves = path.unwrap().into_iter();
                let end = moves.fold(start.clone(), |board, step| board.step(step).unwrap());
                assert_eq!(end, goal, "{start}, beside {liar}");
            }
        }
    }
}

#[test]
fn a_bit_that_is_wrong_is_named_wherever_it_is() {
    // A table of several blocks.
    let goal = Goal::BlankLast.board(Shape::new(2, 5).unwrap());
    let builder = Builder::new(Orbit::of(&goal)).unwrap().with_encoding(Encoding::Bit).unwrap();
    let right = builder.build().unwrap();
    let space = Space::new(&right.header().orbit.goal()).unwrap();
    let plane = right.header().boards / 10;
    for number in [0, plane + 77, 5 * plane + 20_160, 9 * plane + plane / 2, 10 * plane - 1] {
        let mut bytes = right.file().as_bytes().to_vec();
        let (place, rank) = ((number / plane) as usize, (number % plane) as usize);
        let at = forge::PAGE + 8 * (rank / 60 * 10 + place) + rank % 60 / 8;
        bytes[at] ^= 1 << (rank % 60 % 8);
        forge::seal(&mut bytes);
        let table = Table::from_bytes(bytes).unwrap();
        let index = space.nth(number).unwrap();
        let (board, distance) = (space.board(index), right.distance(index).unwrap());
        for threads in [1, 2] {
            let flaw = table.verify(threads).unwrap_err().to_string();
            let words = "and its bit is that of another";
            assert_eq!(flaw, format!("{board} has distance {distance}, {words}"));
        }
    }
}
