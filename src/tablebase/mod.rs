//! Who answers for a board: a table, a pattern database, a bound, or nobody yet.
//!
//! | file | its noun |
//! |---|---|
//! | `tablebase` | answers about any board, by whoever knows best |
//! | `policy` | what is built on the way, what is refused and with which sentence, what is renewed, how long a search may take |
//! | `answer` | what is known of a board, and who says so |
//! | `statement` | what is said about a position, as JSON |
//! | `event` | what a caller hears while an answer is found |
//! | `goals` | the goals that are asked about |
//! | `source` | the store or the file behind a tablebase, and what is open of it |
//! | `store` | a folder of tables that are built when first needed |
//! | `patterns` | answers by a pattern database |
//! | `limit` | how far a search may go |
//! | `cost` | what it takes to make a table |
//! | `slot` | a value that many threads want, and one of them makes |
//! | `quantity` | amounts as a person reads them |

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
