//! A slow and obvious judge of the same rules, written apart from the core, to hold it against.
//!
//! It lists every fault there is, with the position in the text that decides which comes first. The
//! core must accept exactly the documents without one, and name the first of the others (E4).

mod judge;
mod reader;

pub use judge::{Fault, Judgement, judge, judge_reading};
pub use reader::{Kind, Member, Node, Reading, read};
pub(crate) use reader::{Limits, read_within};
