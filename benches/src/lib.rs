//! What the validation core costs, beside what a server would use instead.
//!
//! [`sets`] builds the documents, each with a [`Card`] that says what it is and what the rule book
//! makes of it. [`Contender`] is one way of reading them. [`check_answers`] holds every contender
//! to the verdict that is known of it before anything is timed, so that no figure stands for a
//! contender that answers something else than the text beside it says.
//!
//! The two benchmarks are `throughput`, by criterion, and `ratio`, which times all contenders
//! interleaved and gives ratios to the cheapest reader there is. `README.md` has the figures.

#![forbid(unsafe_code)]

mod answers;
mod contenders;
mod sets;

pub use answers::{KNOWN_ANSWERS, KnownAnswer, check_answers, expected};
pub use contenders::Contender;
pub use sets::{Card, DataSet, Fault, cards_table, sets};
