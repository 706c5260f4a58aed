//! Tests anyone's roots: the corpus, the generators and the reference of `mcp-roots-proptests` against
//! an implementation in any language, through an adapter.
//!
//! - [`protocol`] is what harness and adapter say to each other, [`adapter`] the process at the other
//!   end of it, [`watchdog`] what ends that process when nothing else does.
//! - [`check`] holds the corpus against an adapter, [`known`] is the list of what it may get wrong.
//! - [`fuzz`] does so with generated documents, and [`mod@shrink`] makes those small that fail.
//! - [`strength`] is how firm the sources are about a document, [`replay`] the command that draws it again,
//!   [`interrupt`] what ends a run before its time.
//! - [`save`] writes what fuzzing found as a corpus, [`generate`] documents with their verdicts.
//! - [`built_in`] is the adapter that comes along: the core, right or made wrong.
//! - [`report`] says it all as text, JSON or `JUnit`; [`matrix`] makes a page of several reports.
//!
//! The program is `mcp-roots`; `README.md` shows how it is used, `ADAPTERS.md` how it is answered.

pub mod adapter;
pub mod built_in;
pub mod check;
pub mod fuzz;
pub mod generate;
pub mod interrupt;
pub mod known;
pub mod matrix;
pub mod protocol;
pub mod replay;
pub mod report;
pub mod rules;
pub mod save;
pub mod shrink;
pub mod strength;
pub mod watchdog;
