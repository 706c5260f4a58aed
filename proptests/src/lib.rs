//! x
#![allow(missing_docs)]
mod arbitrary;
mod case;
pub mod corpus;
mod flaw;
mod json;
pub mod laws;
pub mod model;
pub mod reference;
mod sample;
pub mod strategy;
mod undirected;
pub use case::{Accepted, Case, Core, Door, Kept, Refusal, Target, Validator, Verdict, Words};
pub use flaw::{FLAWS, Flaw};
pub use json::{Json, Style};
pub use sample::{Expected, Sample};

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
