//! The index: a perfect, gap-free numbering of the boards from which a goal can be reached.
//!
//! Lay a *snake* through the shape: row 0 left to right, row 1 right to left, and so on.
//!
//! ```text
//! 0 > 1 > 2
//!         v      A board is then the blank's *place* along the snake and the *arrangement*:
//! 5 < 4 < 3      the tiles in snake order with the blank left out.
//! v
//! 6 > 7 > 8
//! ```
//!
//! A move along the snake changes the place by one and leaves the arrangement as it is. A move from
//! row to row takes the blank from place `i` to `j > i + 1` (or back): the tile at `j` jumps over the
//! `j - i - 1` tiles between, which rotates the *window* `i..j` of the arrangement by one. The
//! window's length is odd, so **every move is an even permutation of the arrangement**. Label the
//! tiles so that the goal's arrangement is 0, 1, 2, …, and two things follow for every shape and
//! every goal:
//!
//! - a board can reach the goal exactly when its arrangement is an even permutation;
//! - `place * (N-1)!/2 + rank / 2`, with the arrangement's lexicographic rank, numbers these boards
//!   from 0 to N!/2 without a gap: of ranks 2k and 2k + 1, which differ in the last two tiles alone,
//!   one is even.
//!
//! The boards with the blank in one place form a *plane*.
//!
//! Goals of one [`Orbit`] differ by a symmetry of the shape and by the names of the tiles. A space
//! lays its snake through the board as that symmetry has it, and labels by its own goal, so all
//! spaces of an orbit number their boards alike: one table serves them all.

use std::cmp::Ordering;

use crate::{
    puzzle::{board::Board, moves::Move, orbit::Orbit, shape::Shape},
    system::random::Random,
};

/// The most cells a space can have: labels are four bits wide.
pub(crate) const MAX_CELLS: usize = 16;
/// The blank's label, above those of all tiles.
const BLANK: u8 = 15;

/// The boards that can reach a goal, numbered from 0.
///
/// ```
/// use tilebase::{Goal, Shape, Space};
///
/// let goal = Goal::BlankLast.board(Shape::new(3, 3)?);
/// let space = Space::new(&goal)?;
/// assert_eq!(space.boards(), 181_440);
/// let index = space.index(&goal).unwrap();
/// assert_eq!(space.board(index), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    goal: Board,
    orbit: Orbit,
    plane: u64,
    /// The cell at each place of the snake, and the place of each cell.
    cell_at: [u8; MAX_CELLS],
    place_of: [u8; MAX_CELLS],
    /// Four times the label of each tile, and the tile of each label.
    shift_of: [u8; 256],
    tile_of: [u8; MAX_CELLS],
    steps: [Vec<Step>; MAX_CELLS],
    weights: Weights,
    /// For each place of the blank.
    rankings: [Ranking; MAX_CELLS],
}

/// How to rank all boards of a plane in one sweep over the snake, the blank included.
///
/// Index and inversions are summed up side by side: the low [`SHIFT`](Self::SHIFT) bits hold the sum
/// of the digits, which is less than 256, the others the index. The blank is labelled above all tiles,
/// so it takes nothing from their digits; its own digit weighs nothing.
#[derive(Clone, Copy, Debug)]
struct Ranking {
    /// The first index of the plane, and what makes up for the blank's own digit.
    start: u64,
    /// What the digit of each place is multiplied by.
    terms: [u64; MAX_CELLS],
}

impl Ranking {
    const SHIFT: u32 = 8;

    fn new(weights: &Weights, blank: usize) -> Self {
        let weight = |place: usize| match place.cmp(&blank) {
            Ordering::Less => weights.half[place],
            Ordering::Equal => 0,
            Ordering::Greater => weights.half[place - 1],
        };
        let terms = std::array::from_fn(|place| weight(place) << Self::SHIFT | 1);
        // The blank's digit counts the labels below it that come behind: all but `blank` of them. In
        // the last place, which is not summed, it has none.
        let digit = if blank == weights.tiles { 0 } else { usize::from(BLANK) - blank };
        let plane = blank as u64 * weights.even();
        Self { start: (plane << Self::SHIFT) | (digit as u64 % 2), terms }
    }
}

/// The number of a board in its [`Space`]; only a space makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(u64);

impl Index {
    /// The number, from 0 to N!/2.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// The shape has too many cells for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the boards of {0} have no index: it ends at {MAX_CELLS} cells")]
pub struct SpaceError(pub Shape);

/// There are fewer boards than were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} boards were asked for; there are {there}")]
#[non_exhaustive]
pub struct TooFewBoards {
    /// The number of boards that were asked for.
    pub wanted: u64,
    /// The number of boards that there are.
    pub there: u64,
}

/// The number of boards that there are, if it is at least `wanted`.
pub(crate) fn enough(wanted: u64, there: u64) -> Result<u64, TooFewBoards> {
    if wanted > there { Err(TooFewBoards { wanted, there }) } else { Ok(there) }
}

/// A board as its space sees it: the blank's place along the snake, and the tiles around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) place: usize,
    pub(crate) arrangement: Arrangement,
    /// The number of the arrangement in its plane. A move along the snake keeps it.
    pub(crate) rank: u64,
}

/// A move of the blank from one place to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Its direction on the user's board.
    pub(crate) direction: Move,
    /// The place that the blank comes to.
    pub(crate) to: u8,
    pub(crate) rotation: Rotation,
}

/// What a move does to an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// Nothing: the blank went along the snake.
    None,
    /// The window's last tile comes first: the blank went down the snake.
    LastToFront(Window),
    /// The window's first tile comes last: the blank went up the snake.
    FrontToLast(Window),
}

/// The stretch `start..end` of an arrangement; small, for a space's steps lie close together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) start: u8,
    pub(crate) end: u8,
}

/// Tiles, by label, in snake order: four bits each, the first lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrangement(u64);

impl Arrangement {
    fn label(self, position: usize) -> u8 {
        (self.0 >> (4 * position) & 15) as u8
    }

    #[inline]
    pub(crate) fn rotated(self, rotation: Rotation) -> Self {
        let (window, by) = match rotation {
            Rotation::None => return self,
            Rotation::LastToFront(window) => (window, 1),
            Rotation::FrontToLast(window) => (window, window.end - window.start - 1),
        };
        let (shift, bits, by) = (4 * window.start, 4 * (window.end - window.start), 4 * by);
        let mask = (1 << bits) - 1;
        let tiles = self.0 >> shift & mask;
        let turned = tiles << by | tiles >> (bits - by);
        Self(self.0 & !(mask << shift) | (turned & mask) << shift)
    }
}

/// The ranking of arrangements of `tiles` tiles.
///
/// Digit k of an arrangement counts the tiles behind position k that are smaller than the tile there;
/// its radix is `tiles - k`. Its weight in the lexicographic rank is `(tiles - 1 - k)!`. Halving the
/// rank halves the weights and drops the last digit that can be 1, which parity gives back: the sum
/// of all digits is the number of inversions.
#[derive(Clone, Copy, Debug)]
struct Weights {
    tiles: usize,
    /// Half of `(tiles - 1 - k)!`; 0 for the last two digits.
    half: [u64; MAX_CELLS],
}

impl Weights {
    fn new(tiles: usize) -> Self {
        let mut half = [0; MAX_CELLS];
        let mut weight = 1;
        for k in (0..tiles - 2).rev() {
            half[k] = weight;
            weight *= (tiles - k) as u64;
        }
        Self { tiles, half }
    }

    /// How many even arrangements there are: `tiles! / 2`.
    fn even(&self) -> u64 {
        self.half[0] * self.tiles as u64
    }

    /// Half the lexicographic rank of an even arrangement.
    #[inline]
    fn rank(&self, arrangement: Arrangement) -> u64 {
        // Loops of known lengths for the sizes that are ranked most, as in `Space::index`.
        match self.tiles {
            8 => Self::sum(&self.half[..6], arrangement),
            11 => Self::sum(&self.half[..9], arrangement),
            13 => Self::sum(&self.half[..11], arrangement),
            tiles => Self::sum(&self.half[..tiles - 2], arrangement),
        }
    }

    /// The sum of digits by their weights.
    #[inline(always)]
    fn sum(weights: &[u64], arrangement: Arrangement) -> u64 {
        let mut smaller = SMALLER;
        let mut labels = arrangement.0;
        let mut rank = 0;
        for &weight in weights {
            let shift = 4 * (labels & 15);
            labels >>= 4;
            rank += (smaller >> shift & 15) * weight;
            smaller -= PLACED << shift;
        }
        rank
    }

    /// The even arrangement with half the lexicographic rank `rank`.
    fn unrank(&self, mut rank: u64) -> Arrangement {
        // Four bits each: the labels that are still to be placed, in order.
        let mut rest = SMALLER;
        let mut arrangement = 0;
        let mut inversions = 0;
        for k in 0..self.tiles {
            let digit = match self.half[k] {
                0 if k + 2 == self.tiles => inversions % 2,
                0 => 0,
                weight => {
                    let digit = rank / weight;
                    rank %= weight;
                    digit
                }
            };
            inversions += digit;
            let below = (1 << (4 * digit)) - 1;
            arrangement |= (rest >> (4 * digit) & 15) << (4 * k);
            rest = rest & below | rest >> 4 & !below;
        }
        Arrangement(arrangement)
    }
}

/// Four bits a label: how many of the labels below it are still to be placed.
const SMALLER: u64 = 0xFEDC_BA98_7654_3210;
/// Shifted to a label that is placed, this takes one from all labels above it.
const PLACED: u64 = 0x1111_1111_1111_1110;

/// The cell of a shape at a place of the snake.
fn snake(shape: Shape, place: usize) -> usize {
    let (row, along) = (place / shape.cols(), place % shape.cols());
    let col = if row % 2 == 0 { along } else { shape.cols() - 1 - along };
    row * shape.cols() + col
}

/// The place along the snake of each cell of a shape.
pub(crate) fn places(shape: Shape) -> Vec<usize> {
    let mut places = vec![0; shape.cells()];
    (0..shape.cells()).for_each(|place| places[snake(shape, place)] = place);
    places
}

impl Space {
    /// The boards that can reach `goal`.
    ///
    /// # Errors
    ///
    /// If the shape has more than 16 cells.
    pub fn new(goal: &Board) -> Result<Self, SpaceError> {
        let shape = goal.shape();
        let cells = shape.cells();
        if cells > MAX_CELLS {
            return Err(SpaceError(shape));
        }
        let (orbit, symmetry) = Orbit::with_symmetry(goal);
        let tall = shape.tall();

        let place_on_tall = places(tall);
        let (mut cell_at, mut place_of) = ([0; MAX_CELLS], [0; MAX_CELLS]);
        for cell in 0..cells {
            let place = place_on_tall[symmetry.image(shape, cell)] as u8;
            place_of[cell] = place;
            cell_at[usize::from(place)] = cell as u8;
        }

        let (mut shift_of, mut tile_of) = ([4 * BLANK; 256], [0; MAX_CELLS]);
        let tiles = cell_at[..cells].iter().map(|&cell| goal.tiles()[usize::from(cell)]);
        for (label, tile) in tiles.filter(|&tile| tile != 0).enumerate() {
            shift_of[usize::from(tile)] = 4 * label as u8;
            tile_of[label] = tile;
        }

        let steps = std::array::from_fn(|from| {
            let step = |direction| {
                let to = shape.neighbor(cell_at[from].into(), direction)?;
                let (from, to) = (from as u8, place_of[to]);
                let rotation = match from.abs_diff(to) {
                    1 => Rotation::None,
                    _ if from < to => Rotation::LastToFront(Window { start: from, end: to }),
                    _ => Rotation::FrontToLast(Window { start: to, end: from }),
                };
                Some(Step { direction, to, rotation })
            };
            if from < cells { Move::ALL.into_iter().filter_map(step).collect() } else { vec![] }
        });

        let weights = Weights::new(cells - 1);
        let rankings = std::array::from_fn(|blank| Ranking::new(&weights, blank.min(cells - 1)));
        let (goal, plane) = (goal.clone(), weights.even());
        Ok(Self {
            goal,
            orbit,
            plane,
            cell_at,
            place_of,
            shift_of,
            tile_of,
            steps,
            weights,
            rankings,
        })
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The orbit of the goal. Spaces of one orbit number their boards alike.
    pub fn orbit(&self) -> Orbit {
        self.orbit
    }

    /// How many boards there are: N!/2 for N cells.
    pub fn boards(&self) -> u64 {
        self.plane() * self.goal.shape().cells() as u64
    }

    /// The number of a board, or `None` if it cannot reach the goal (as no board of another shape
    /// can).
    pub fn index(&self, board: &Board) -> Option<Index> {
        if board.shape() != self.goal.shape() {
            return None;
        }
        // A loop of its own for each number of cells: unrolled, it was measured to save a fifth.
        let sum = match board.tiles().len() {
            4 => self.sum::<3>(board),
            6 => self.sum::<5>(board),
            8 => self.sum::<7>(board),
            9 => self.sum::<8>(board),
            10 => self.sum::<9>(board),
            12 => self.sum::<11>(board),
            14 => self.sum::<13>(board),
            15 => self.sum::<14>(board),
            _ => self.sum::<15>(board),
        };
        (sum % 2 == 0).then_some(Index(sum >> Ranking::SHIFT))
    }

    /// The [`Ranking`]'s sum over the first `PLACES` places. The last place adds nothing: its tile has no
    /// smaller ones behind it.
    #[inline(never)]
    fn sum<const PLACES: usize>(&self, board: &Board) -> u64 {
        let place = usize::from(self.place_of[board.blank() % MAX_CELLS]);
        let ranking = &self.rankings[place % MAX_CELLS];
        let tiles = board.first_cells::<MAX_CELLS>();
        let (mut smaller, mut sum) = (SMALLER, ranking.start);
        for place in 0..PLACES {
            // The remainder changes nothing, and spares a check of bounds.
            let tile = tiles[usize::from(self.cell_at[place]) % MAX_CELLS];
            let shift = self.shift_of[usize::from(tile)];
            sum += (smaller >> shift & 15) * ranking.terms[place];
            smaller -= PLACED << shift;
        }
        sum
    }

    /// The board with a number of this space.
    ///
    /// # Panics
    ///
    /// If the index is of another, larger space.
    pub fn board(&self, index: Index) -> Board {
        assert!(index.0 < self.boards(), "the index is of another space");
        self.to_board(self.state(index))
    }

    /// All numbers, from 0.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = Index> + DoubleEndedIterator + use<> {
        // Up to 16!/2 of them: more than fit in `usize` on 32 bits only where no table could.
        (0..self.boards() as usize).map(|number| Index(number as u64))
    }

    /// The index with this number, if there is one.
    pub fn nth(&self, number: u64) -> Option<Index> {
        (number < self.boards()).then_some(Index(number))
    }

    /// Draws `count` different boards, uniformly from all that can reach the goal, in random order. The same seed gives the
    /// same boards in every version.
    ///
    /// # Errors
    ///
    /// If there are fewer than `count` boards.
    pub fn sample(&self, count: u64, seed: u64) -> Result<Vec<Board>, TooFewBoards> {
        let drawn = Random::new(seed).draw(enough(count, self.boards())?, count);
        Ok(drawn.into_iter().map(|number| self.board(Index(number))).collect())
    }

    /// How many boards a plane has: (N-1)!/2.
    pub(crate) fn plane(&self) -> u64 {
        self.plane
    }

    /// The place of the goal's blank. The goal is the first board of that plane.
    pub(crate) fn home(&self) -> usize {
        self.place_of[self.goal.blank()].into()
    }

    /// Whether a state is the goal's.
    #[inline]
    pub(crate) fn is_goal(&self, state: State) -> bool {
        state.rank == 0 && state.place == self.home()
    }

    /// The moves of a blank in `place`, in the order up, down, left, right of the user's board.
    pub(crate) fn steps(&self, place: usize) -> &[Step] {
        &self.steps[place]
    }

    /// A board's state, or `None` if it cannot reach the goal.
    pub(crate) fn locate(&self, board: &Board) -> Option<State> {
        let Index(index) = self.index(board)?;
        let tiles = board.tiles();
        let place = usize::from(self.place_of[board.blank()]);
        let cells = self.cell_at[..tiles.len()].iter().rev();
        let shifts = cells.map(|&cell| self.shift_of[usize::from(tiles[usize::from(cell)])]);
        let arrangement = shifts
            .filter(|&shift| shift != 4 * BLANK)
            .fold(0, |labels, shift| labels << 4 | u64::from(shift / 4));
        let rank = index - place as u64 * self.plane();
        Some(State { place, arrangement: Arrangement(arrangement), rank })
    }

    /// The index of a state of this space.
    pub(crate) fn index_of(&self, state: State) -> Index {
        Index(state.place as u64 * self.plane() + state.rank)
    }

    /// The number of an arrangement in its plane.
    pub(crate) fn rank(&self, arrangement: Arrangement) -> u64 {
        self.weights.rank(arrangement)
    }

    /// The arrangement with a number of its plane.
    pub(crate) fn unrank(&self, rank: u64) -> Arrangement {
        self.weights.unrank(rank)
    }

    /// The state with a number of this space.
    pub(crate) fn state(&self, index: Index) -> State {
        let place = (index.0 / self.plane()) as usize;
        let rank = index.0 % self.plane();
        State { place, arrangement: self.unrank(rank), rank }
    }

    /// The state after a step.
    #[inline]
    pub(crate) fn after(&self, state: State, step: &Step) -> State {
        if step.rotation == Rotation::None {
            return State { place: step.to.into(), ..state };
        }
        let arrangement = state.arrangement.rotated(step.rotation);
        State { place: step.to.into(), arrangement, rank: self.rank(arrangement) }
    }

    /// The board of a state of this space.
    pub(crate) fn to_board(&self, state: State) -> Board {
        let shape = self.goal.shape();
        let mut tiles = [0; MAX_CELLS];
        let places = (0..shape.cells()).filter(|&place| place != state.place);
        for (position, place) in places.enumerate() {
            let label = state.arrangement.label(position);
            tiles[usize::from(self.cell_at[place])] = self.tile_of[usize::from(label)];
        }
        Board::new(shape, &tiles[..shape.cells()]).expect("a state is a board")
    }
}
