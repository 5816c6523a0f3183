//! The sweep: breadth-first search over whole planes, with sixty boards in a word.
//!
//! A board is a bit of its plane, which tells whether it was *seen*. A level is one sweep over the planes to which an
//! odd number of moves leads, or over those to which an even number leads:
//!
//! ```text
//! candidates = all boards to which the links lead from the other planes
//! new        = candidates & !seen
//! seen       = seen | new
//! ```
//!
//! Candidates that come from earlier levels do no harm, since they have been seen. So the search keeps no list of the
//! boards of a level.
//!
//! `swap` and `link` tell how a move acts on words. `planes` has the sweep, with which `board` and `pattern` search level
//! by level, and `record` keeps what is found. `shard` and `mail` divide a search among processes.

pub(crate) mod board;
pub(crate) mod levels;
mod link;
#[cfg_attr(
    not(feature = "cluster"),
    expect(dead_code, reason = "only the cluster divides a search")
)]
pub(crate) mod mail;
pub(crate) mod pattern;
pub(crate) mod planes;
pub(crate) mod record;
#[cfg_attr(
    not(feature = "cluster"),
    expect(dead_code, reason = "only the cluster divides a search")
)]
pub(crate) mod shard;
mod swap;

pub use levels::Advance;
