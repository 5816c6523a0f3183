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

pub mod answer;
pub mod cost;
pub mod event;
pub mod goals;
pub mod limit;
pub mod patterns;
pub mod policy;
pub mod quantity;
pub(crate) mod slot;
pub mod source;
pub mod statement;
pub mod store;
#[expect(clippy::module_inception, reason = "the type that all others are there for")]
pub mod tablebase;
