//! The goals: one for the boards of each shape.

use crate::{
    notation::{error::NotationError, options::Notation},
    puzzle::{board::Board, goal::Goal, shape::Shape},
};

/// The goal for the boards of each shape.
///
/// A named goal exists for every shape. A goal that is given as a board fixes the shape.
///
/// ```
/// use tilebase::{Goals, Shape};
///
/// let goals = Goals::read("snail", None)?;
/// assert_eq!(goals.goal(Shape::new(3, 3)?).to_string(), "123804765");
/// assert_eq!(Goals::read("123/804/765", None)?.shape(), Some(Shape::new(3, 3)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goals {
    goal: NamedOrGiven,
    shape: Option<Shape>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamedOrGiven {
    Named(Goal),
    Given(Board),
}

/// A text is neither the name of a goal nor a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("goal {text:?}: expected blank-last, blank-first, snail or a position: {error}")]
pub struct GoalError {
    text: String,
    error: NotationError,
}

impl Goals {
    /// Reads the name of a goal, or a position that is the goal. If `shape` is given, the goals are for that shape
    /// only.
    ///
    /// # Errors
    ///
    /// If the text is neither the name of a goal nor a position of the shape.
    pub fn read(text: &str, shape: Option<Shape>) -> Result<Self, GoalError> {
        if let Ok(goal) = text.parse::<Goal>() {
            return Ok(Self { goal: NamedOrGiven::Named(goal), shape });
        }
        let board = Notation { shape, blank: None }.read(text);
        board.map(Self::from).map_err(|error| GoalError { text: text.to_owned(), error })
    }

    /// The goals, restricted to boards of a shape. A goal that is a board keeps its own shape.
    #[must_use]
    pub fn of_shape(self, shape: Shape) -> Self {
        match self.goal {
            NamedOrGiven::Named(_) => Self { shape: Some(shape), ..self },
            NamedOrGiven::Given(_) => self,
        }
    }

    /// The only shape that these goals are for; `None` if they are for every shape.
    pub fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// The goal for boards of a shape. A goal that was given as a board is returned for every shape.
    pub fn goal(&self, shape: Shape) -> Board {
        match &self.goal {
            NamedOrGiven::Named(goal) => goal.board(shape),
            NamedOrGiven::Given(board) => board.clone(),
        }
    }

    /// The goal for the fixed shape, or for 3x3 if no shape is fixed.
    pub fn only(&self) -> Board {
        let usual = || Shape::new(3, 3).expect("3x3 is a shape");
        self.goal(self.shape.unwrap_or_else(usual))
    }
}

/// The blank in the last cell, for boards of every shape.
impl Default for Goals {
    fn default() -> Self {
        Goal::BlankLast.into()
    }
}

impl From<Goal> for Goals {
    fn from(goal: Goal) -> Self {
        Self { goal: NamedOrGiven::Named(goal), shape: None }
    }
}

impl From<Board> for Goals {
    fn from(goal: Board) -> Self {
        Self { shape: Some(goal.shape()), goal: NamedOrGiven::Given(goal) }
    }
}

/// The command that builds the table for a goal.
pub(crate) fn build_command(goal: &Board) -> String {
    let shape = goal.shape();
    if *goal == Goal::BlankLast.board(shape) {
        format!("tilebase build --shape {shape}")
    } else {
        format!("tilebase build --shape {shape} --goal {goal}")
    }
}
