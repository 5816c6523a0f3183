//! The plan: what a table takes that several machines make together.
