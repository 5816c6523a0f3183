//! Orbits: classes of goals that are equal up to turning and mirroring.

use std::fmt;

use crate::puzzle::{board::Board, shape::Shape};

/// A symmetry: it turns or mirrors a shape onto its tall form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    transpose: bool,
    flip_rows: bool,
    flip_cols: bool,
}

impl Symmetry {
    /// All symmetries that take `shape` onto `shape.tall()`: eight for a square, else four. Those without a transpose
    /// and with few flips come first.
    fn onto_tall(shape: Shape) -> impl Iterator<Item = Self> {
        [false, true]
            .into_iter()
            .filter(move |&transpose| {
                shape.rows() == shape.cols() || transpose != (shape == shape.tall())
            })
            .flat_map(|transpose| {
                [(false, false), (false, true), (true, false), (true, true)]
                    .map(|(flip_rows, flip_cols)| Self { transpose, flip_rows, flip_cols })
            })
    }

    /// The cell of `shape.tall()` onto which this symmetry takes `cell` of `shape`.
    pub(crate) fn image(self, shape: Shape, cell: usize) -> usize {
        let tall = shape.tall();
        let (row, col) = (cell / shape.cols(), cell % shape.cols());
        let (row, col) = if self.transpose { (col, row) } else { (row, col) };
        let row = if self.flip_rows { tall.rows() - 1 - row } else { row };
        let col = if self.flip_cols { tall.cols() - 1 - col } else { col };
        row * tall.cols() + col
    }
}

/// A shape and a home, the cell of the goal's blank, up to turning and mirroring. All goals of an orbit share one
/// table.
///
/// The shape is the tall one (rows >= columns). The home is the greatest cell onto which a symmetry takes the goal's
/// blank, so the usual goal, with the blank in the last cell, keeps its home. 3x3 has three orbits: the corners (8),
/// the edges (7) and the centre (4).
///
/// ```
/// use tilebase::{Goal, puzzle::Orbit, Shape};
///
/// let wide = Orbit::of(&Goal::BlankFirst.board(Shape::new(2, 4)?));
/// assert_eq!((wide.shape().to_string().as_str(), wide.home()), ("4x2", 7));
/// # Ok::<(), tilebase::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orbit {
    shape: Shape,
    home: u8,
}

impl Orbit {
    /// The orbit of a goal.
    #[must_use]
    pub fn of(goal: &Board) -> Self {
        Self::with_symmetry(goal).0
    }

    /// The orbit of a goal, and the first symmetry that takes the goal's home to the orbit's home.
    pub(crate) fn with_symmetry(goal: &Board) -> (Self, Symmetry) {
        let shape = goal.shape();
        let image = |symmetry: &Symmetry| symmetry.image(shape, goal.blank());
        // `max_by_key` gives the last of several greatest items; in reverse order, that is the first.
        let best =
            Symmetry::onto_tall(shape).collect::<Vec<_>>().into_iter().rev().max_by_key(image);
        let symmetry = best.expect("every shape can be laid onto its tall form");
        (Self { shape: shape.tall(), home: image(&symmetry) as u8 }, symmetry)
    }

    /// All symmetries that take a goal's home to the orbit's home, beginning with that of
    /// [`with_symmetry`](Self::with_symmetry).
    pub(crate) fn symmetries(goal: &Board) -> Vec<Symmetry> {
        let (orbit, _) = Self::with_symmetry(goal);
        let image = |symmetry: &Symmetry| symmetry.image(goal.shape(), goal.blank());
        let all = Symmetry::onto_tall(goal.shape());
        all.filter(|symmetry| image(symmetry) == orbit.home()).collect()
    }

    /// The orbits of `shape`, in descending order of their homes.
    #[must_use]
    pub fn all(shape: Shape) -> Vec<Self> {
        let mut orbits: Vec<_> =
            (0..shape.cells()).map(|home| Self::of(&Board::in_order(shape, home))).collect();
        orbits.sort_by_key(|orbit| std::cmp::Reverse(orbit.home));
        orbits.dedup();
        orbits
    }

    /// The shape, which has rows >= columns.
    #[must_use]
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// The cell of the goal's blank on [`shape`](Self::shape), numbered from 0 in row-major order.
    #[must_use]
    pub fn home(self) -> usize {
        self.home.into()
    }

    /// The number of boards that can reach a goal: N!/2 for N cells.
    ///
    /// # Panics
    ///
    /// If the shape has more than 20 cells: the number of its boards does not fit in 64 bits.
    #[must_use]
    pub fn boards(self) -> u64 {
        (3..=self.shape.cells() as u64).product()
    }

    /// The goal from which the orbit's table is built: the tiles in order, with the blank at home.
    #[must_use]
    pub fn goal(self) -> Board {
        Board::in_order(self.shape, self.home())
    }
}

impl fmt::Display for Orbit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with home {}", self.shape, self.home)
    }
}
