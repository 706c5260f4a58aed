//! What the validation core costs, beside what a server would use instead.
//!
//! [`sets`] builds the documents, each with a [`Card`] that says what it is and what the rule book
//! makes of it. [`Contender`] is one way of reading them. [`check_answers`] holds every contender
//! to the verdict that is known of it before anything is timed, so that no figure stands for a
//! contender that answers something else than the text beside it says.
//!
//! Three benchmarks use them: `throughput`, by criterion; `ratio`, which times all contenders interleaved
//! and gives ratios to the cheapest reader there is; and `growth`, which times the core on documents
//! that grow ([`GROWTHS`]) and on the dearest that are known ([`WORST`]). `README.md` has the figures.

#![forbid(unsafe_code)]

mod answers;
mod contenders;
mod growth;
mod sets;
mod worst;

pub use answers::{KNOWN_ANSWERS, KnownAnswer, check_answers, expected};
pub use contenders::Contender;
pub use growth::{GROWTHS, Growth};
pub use sets::{Card, DataSet, Fault, cards_table, sets};
pub use worst::{WORST, WORST_LENGTH, Worst, of_unit};
