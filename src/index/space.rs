//! The index: a perfect, gap-free numbering of the boards from which a goal can be reached.
//!
//! A snake (`snake.rs`) runs through the shape, and numbers its places. A board is then the *place* of the
//! blank and the *arrangement* of the tiles: the tiles in the order of the snake, without the blank.
//!
//! A move along the snake changes the place by one and leaves the arrangement as it is. A move from row to row
//! takes the blank from place `i` to `j > i + 1`, or back. The tile at `j` then jumps over the `j - i - 1` tiles
//! between. This rotates the *window* `i..j` of the arrangement by one. The length of the window is odd, so **every
//! move is an even permutation of the arrangement**. Tiles are labelled so that the arrangement of the goal is
//! 0, 1, 2, … Then for every shape and every goal:
//!
//! - A board can reach the goal exactly when its arrangement is an even permutation.
//! - `place * (N-1)!/2 + rank / 2`, with the lexicographic rank of the arrangement, numbers these boards from 0 to
//!   N!/2 without a gap. The ranks 2k and 2k + 1 differ in the last two tiles alone, so one of them is even.
//!
//! The boards with the blank in one place form a *plane*.
//!
//! Goals of one [`Orbit`] differ by a symmetry of the shape and by the names of the tiles. A space applies this
//! symmetry to its snake, and labels the tiles by its own goal. So all spaces of an orbit number their boards alike,
//! and one table serves all of them.

use std::cmp::Ordering;

use crate::{
    index::{
        arrangement::{Arrangement, LABELS, PLACED, Rotation, SMALLER, Weights, Window},
        snake,
    },
    puzzle::{board::Board, moves::Move, orbit::Orbit, shape::Shape},
    system::random::Random,
};

/// The most cells that a space can have: the tiles and the blank have a label each.
pub(crate) const MAX_CELLS: usize = LABELS;
/// The blank's label, above those of all tiles.
const BLANK: u8 = 15;

/// The boards that can reach a goal, numbered from 0.
///
/// ```
/// use tilebase::{Goal, index::Space, Shape};
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

/// How the boards of a plane are ranked in one pass over the snake, the blank included.
///
/// Index and inversions are summed side by side. The low [`SHIFT`](Self::SHIFT) bits hold the sum of the digits,
/// which is less than 256; the others hold the index. The label of the blank is above those of all tiles, so the
/// blank does not count in their digits. Its own digit has the weight 0.
#[derive(Clone, Copy, Debug)]
struct Ranking {
    /// The first index of the plane, and a bit that corrects for the digit of the blank.
    start: u64,
    /// The factor of the digit of each place.
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
        // The digit of the blank counts the labels behind it: all but `blank` of them. The last place is not
        // summed.
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

/// A board in the terms of its space: the place of the blank along the snake, and the arrangement of the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) place: usize,
    pub(crate) arrangement: Arrangement,
    /// The rank of the arrangement in its plane. A move along the snake does not change it.
    pub(crate) rank: u64,
}

/// A move of the blank from one place to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The direction on the user's board.
    pub(crate) direction: Move,
    /// The place to which the blank goes.
    pub(crate) to: u8,
    pub(crate) rotation: Rotation,
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

        let place_on_tall = snake::places(tall);
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

    /// The number of boards: N!/2 for N cells.
    pub fn boards(&self) -> u64 {
        self.plane() * self.goal.shape().cells() as u64
    }

    /// The index of a board, or `None` if the board cannot reach the goal. No board of another shape can.
    pub fn index(&self, board: &Board) -> Option<Index> {
        if board.shape() != self.goal.shape() {
            return None;
        }
        // Each number of cells has an unrolled loop, which saved a fifth of the time.
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

    /// The sum of a [`Ranking`] over the first `PLACES` places. The last place adds nothing: no tile is behind it.
    #[inline(never)]
    fn sum<const PLACES: usize>(&self, board: &Board) -> u64 {
        let place = usize::from(self.place_of[board.blank() % MAX_CELLS]);
        let ranking = &self.rankings[place % MAX_CELLS];
        let tiles = board.first_cells::<MAX_CELLS>();
        let (mut smaller, mut sum) = (SMALLER, ranking.start);
        for place in 0..PLACES {
            // The remainder changes nothing, and avoids a bounds check.
            let tile = tiles[usize::from(self.cell_at[place]) % MAX_CELLS];
            let shift = self.shift_of[usize::from(tile)];
            sum += (smaller >> shift & 15) * ranking.terms[place];
            smaller -= PLACED << shift;
        }
        sum
    }

    /// The board with an index of this space.
    ///
    /// # Panics
    ///
    /// If the index is of another, larger space.
    pub fn board(&self, index: Index) -> Board {
        assert!(index.0 < self.boards(), "the index is of another space");
        self.to_board(self.state(index))
    }

    /// All indices, from 0.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = Index> + DoubleEndedIterator + use<> {
        // They are up to 16!/2. A `usize` of 32 bits holds all numbers of any table that fits in memory.
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

    /// The number of boards of a plane: (N-1)!/2.
    pub(crate) fn plane(&self) -> u64 {
        self.plane
    }

    /// The place of the blank at the goal. The goal is the first board of that plane.
    pub(crate) fn home(&self) -> usize {
        self.place_of[self.goal.blank()].into()
    }

    /// Whether a state is that of the goal.
    #[inline]
    pub(crate) fn is_goal(&self, state: State) -> bool {
        state.rank == 0 && state.place == self.home()
    }

    /// The moves of a blank at `place`, in the order up, down, left, right of the user's board.
    pub(crate) fn steps(&self, place: usize) -> &[Step] {
        &self.steps[place]
    }

    /// The state of a board, or `None` if the board cannot reach the goal.
    pub(crate) fn locate(&self, board: &Board) -> Option<State> {
        let Index(index) = self.index(board)?;
        let tiles = board.tiles();
        let place = usize::from(self.place_of[board.blank()]);
        let cells = self.cell_at[..tiles.len()].iter().rev();
        let shifts = cells.map(|&cell| self.shift_of[usize::from(tiles[usize::from(cell)])]);
        let labels = shifts.filter(|&shift| shift != 4 * BLANK).map(|shift| shift / 4);
        let arrangement = Arrangement::from_last(labels);
        let rank = index - place as u64 * self.plane();
        Some(State { place, arrangement, rank })
    }

    /// The index of a state of this space.
    pub(crate) fn index_of(&self, state: State) -> Index {
        Index(state.place as u64 * self.plane() + state.rank)
    }

    /// The rank of an arrangement in its plane.
    pub(crate) fn rank(&self, arrangement: Arrangement) -> u64 {
        self.weights.rank(arrangement)
    }

    /// The arrangement with a rank in its plane.
    pub(crate) fn unrank(&self, rank: u64) -> Arrangement {
        self.weights.unrank(rank)
    }

    /// The state with an index of this space.
    pub(crate) fn state(&self, index: Index) -> State {
        let place = (index.0 / self.plane()) as usize;
        let rank = index.0 % self.plane();
        State { place, arrangement: self.unrank(rank), rank }
    }

    /// The state after a move.
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
