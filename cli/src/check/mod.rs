//! The judge of other programs: claims or a solver go in, verdicts and their summary come out.

pub(crate) mod answers;
pub(crate) mod assertion;
pub(crate) mod attempt;
pub(crate) mod case;
pub(crate) mod choice;
pub(crate) mod claims;
pub(crate) mod convention;
pub(crate) mod failure;
pub(crate) mod finding;
pub(crate) mod judge;
pub(crate) mod judgement;
pub(crate) mod order;
pub(crate) mod prose;
pub(crate) mod protocol;
pub(crate) mod reply;
pub(crate) mod ruling;
pub(crate) mod run;
pub(crate) mod solver;
pub(crate) mod solver_command;
pub(crate) mod summary;
pub(crate) mod trial;
