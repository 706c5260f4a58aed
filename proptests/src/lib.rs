//! Generators, laws, a reference judge and a corpus for the Model Context Protocol's roots.
//!
//! Generators make documents, laws judge whoever judges them, and tests, fuzz targets and benches
//! only bring the two together:
//!
//! - [`model`]s of valid documents, written as [`Json`] in a plain or an awkward [`Style`]; [`FLAWS`],
//!   every way to break every rule; their front ends are the strategies of [`strategy`] for proptest
//!   and [`Sample::arbitrary`] for fuzzers.
//! - [`laws`], functions that panic with the document where a [`Validator`] is wrong, by the slow and
//!   obvious [`mod@reference`] or by comparison with itself.
//! - the [`corpus`], documents in files with the verdict that each must get, and the way from a
//!   fuzzer's [`finding`] to one of them;
//! - [`mod@uri`], URIs and near misses for [`laws::root_uri_judged_right`], and [`sweep`], every small
//!   change of a document;
//! - [`paths`], the same for what makes file paths of roots and tells inside from outside, and
//!   [`lenient`], for what reads results leniently;
//! - [`params`] and [`session`], the same for what a server does with more than one document: its
//!   decision on a request, and the life cycle of roots over a session.
//!
//! Anything can be held against them that answers for a [`Case`]:
//!
//! ```
//! use mcp_roots_proptests::{Case, Core, Door, Target, Validator, Verdict, laws};
//!
//! /// Takes any text for a valid one.
//! struct Careless;
//!
//! impl Validator for Careless {
//!     fn judge(&self, _: &Case<'_>, _: Door) -> Option<Verdict> {
//!         Some(Verdict::Accept(Default::default()))
//!     }
//! }
//!
//! let case = Case::new(Target::Response, br#"{"roots":null}"#);
//! assert!(laws::agrees_with_the_reference(&Core, &case));
//! assert!(std::panic::catch_unwind(|| laws::agrees_with_the_reference(&Careless, &case)).is_err());
//! ```

mod arbitrary;
mod case;
pub mod corpus;
pub mod detect;
pub mod finding;
mod flaw;
mod json;
pub mod laws;
pub mod lenient;
mod minimise;
pub mod model;
pub mod mutator;
pub mod params;
pub mod paths;
mod planted;
pub mod reference;
mod sample;
pub mod session;
pub mod strategy;
pub mod sweep;
mod undirected;
pub mod uri;

pub use case::{
    Accepted, Case, Core, Door, Kept, Refusal, Target, Validator, Verdict, Words, has_magic_names,
};
pub use flaw::{FLAWS, Flaw};
pub use json::{Json, Style};
pub use minimise::minimise;
pub use planted::{PLANTED, Planted};
pub use sample::{Expected, Sample};

/// The README's code runs like any other example.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// Words of the protocol and of other people's formats, which generators use as names and strings.
pub const WORDS: &[&str] = &[
    "roots",
    "uri",
    "name",
    "_meta",
    "method",
    "roots/list",
    "params",
    "jsonrpc",
    "2.0",
    "id",
    "progressToken",
    "listChanged",
    "io.modelcontextprotocol/clientCapabilities",
    "client_roots",
    "file:///",
    "file://host/a",
    "FILE:///a",
    "file:///a b",
    "/home/me",
    "result",
    "error",
    "action",
    "cursor",
    "nextCursor",
    "resultType",
    "inputResponses",
    "__proto__",
    "constructor",
    "Roots",
    "",
    "$serde_json::private::Number",
    "$serde_json::private::RawValue",
];
