//! The cluster: several processes make one table together, each of them its own blocks.
//!
//! Every plane is cut into as many stretches of blocks as there are processes. Most moves leave a board in its
//! block. The other moves lead to another block, but few of these lead out of the stretch. So in each level only some
//! words of newly found boards cross the network (see `sweep::mail`).
//!
//! The sweeps are those of a single process. [Timely dataflow](https://docs.rs/timely) carries the words, and
//! its progress tracking tells when a level is complete. The cluster is fail-stop: when one process is lost,
//! the others end. All of them can then resume from the last level of which every process has a checkpoint.

mod builder;
mod checkpoint;
mod connection;
mod error;
mod event;
mod exchange;
mod greeting;
mod hosts;
mod job;
mod meeting;
mod message;
mod monitor;
mod peer;
mod plan;
mod schedule;
mod search;

pub use builder::{Built, ClusterBuilder};
pub use error::ClusterError;
pub use event::Event;
pub use hosts::{Hosts, HostsError, HostsFlaw};
pub use plan::Plan;
pub use schedule::CheckpointInterval;
