//! The tablebase: answers about boards from a table, a pattern database, or a lower bound.
//!
//! | file | its noun |
//! |---|---|
//! | `tablebase` | answers about any board, from the best source that there is |
//! | `policy` | what is built when needed, what is refused and why, what is renewed, and the time limits of searches |
//! | `answer` | what is known about a board, and where the answer comes from |
//! | `statement` | the answer about a position, as JSON |
//! | `event` | what a caller hears while an answer is found |
//! | `goals` | the goal for the boards of each shape |
//! | `source` | the store or the file behind a tablebase, and its open files |
//! | `store` | a folder of tables that are built when first needed |
//! | `patterns` | answers from a pattern database |
//! | `limit` | the limits of a search |
//! | `cost` | the memory, disk space and time to make a table |
//! | `slot` | a value that many threads need, and one of them makes |
//! | `quantity` | amounts in a form that people read easily |

pub(crate) mod answer;
pub mod cost;
pub(crate) mod event;
pub(crate) mod goals;
pub(crate) mod limit;
pub(crate) mod patterns;
pub(crate) mod policy;
pub mod quantity;
pub(crate) mod slot;
pub(crate) mod source;
pub mod statement;
pub(crate) mod store;
#[expect(clippy::module_inception, reason = "the folder has the name of its type")]
pub(crate) mod tablebase;

pub use answer::{Answer, By, Next};
pub use cost::{Cost, Shortage};
pub use event::{Event, Listener, Note, ignore};
pub use goals::{GoalError, Goals};
pub use limit::{Limit, Limits, Searched};
pub use patterns::Patterns;
pub use policy::{Policy, Reason, Refusal};
pub use source::Source;
pub use statement::{BestMove, Effort, Statement, Status};
pub use store::{Fetched, Origin, Store};
pub use tablebase::Tablebase;
