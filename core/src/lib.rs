//! Strict validation of one corner of the Model Context Protocol: the `roots/list` request that a
//! server puts to a client, and the `ListRootsResult` that comes back.
//!
//! A server of revision 2026-07-28 embeds the request in an input-required result, and reads the
//! answer from the retried request. A whole round, of which the server keeps nothing:
//!
//! ```
//! use mcp_roots::{RootsInput, roots_input};
//! use serde_json::{Value, json};
//!
//! /// The result of a tool that needs roots, or the JSON-RPC error: the `params` are the request's.
//! fn call(params: &Value) -> Result<Value, Value> {
//!     match roots_input(params, "client_roots").map_err(|error| error.to_json_rpc())? {
//!         RootsInput::Given(result) => {
//!             let text = format!("{} roots", result.roots().len());
//!             Ok(json!({"resultType": "complete", "content": [{"type": "text", "text": text}]}))
//!         }
//!         // Missing, in the first request or in a retry: ask, once more if need be.
//!         RootsInput::Required(request) => {
//!             Ok(json!({"resultType": "input_required", "inputRequests": {"client_roots": request}}))
//!         }
//!     }
//! }
//!
//! // The client's request says that it may be asked: it is.
//! let mut params = json!({"name": "count", "_meta": {"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}});
//! let asked = call(&params).unwrap();
//! assert_eq!(asked["inputRequests"]["client_roots"], json!({"method": "roots/list", "params": {}}));
//!
//! // The retry brings the answer, which is judged.
//! params["inputResponses"] = json!({"client_roots": {"roots": [{"uri": "file:///home/me", "name": "me"}]}});
//! assert_eq!(call(&params).unwrap()["content"][0]["text"], "1 roots");
//! params["inputResponses"] = json!({"client_roots": {"action": "accept", "content": {}}});
//! assert_eq!(call(&params).unwrap_err()["code"], -32602);
//!
//! // A client that did not declare roots with this very request is refused, whatever it brings.
//! params["_meta"] = json!({"io.modelcontextprotocol/clientCapabilities": {}});
//! assert_eq!(call(&params).unwrap_err()["data"], json!({"requiredCapabilities": {"roots": {}}}));
//! ```
//!
//! In the initialize era a server asks over its session, when it may and once for each change:
//! [`RootsSession`] says when, and tells apart what is known. A single document of that time is judged
//! by its [`Revision`]:
//!
//! ```
//! use mcp_roots::{Revision, list};
//! let revision: Revision = "2025-11-25".parse()?;
//! assert!(revision.supported(&list(), r#"{"roots": {"listChanged": true}}"#));
//! let result = revision.validate_response(r#"{"roots": []}"#)?;
//! assert!(result.roots().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Verdict and typed value come from one pass over the text (or over a `serde_json::Value`), by the
//! [rule book](rules). An [`Error`] names the broken rule and the place, and holds nothing else.
//!
//! A root's URI is no path yet. [`FilePath`] makes one of it or says why not, and [`contains`] tells
//! inside from outside; [`Revision::validate_response_leniently`] sorts the roots of a client that
//! sends more than `file://` URIs.
//!
//! What is not promised: a root is the client's claim about its file system, not a grant; an answer
//! is not authenticated; `requestState` is neither read nor trusted. Roots are deprecated since
//! 2026-07-28 (SEP-2577), and still defined, scored by the conformance runner, and in use.

#![forbid(unsafe_code)]
#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::todo,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may panic"))]

mod answer;
mod capabilities;
mod document;
mod error;
mod input;
mod lenient;
mod names;
mod parts;
mod path;
mod read;
mod request;
mod result;
mod revision;
mod session;

#[expect(clippy::doc_markdown, reason = "the rule book is prose with the names of other people's things")]
#[doc = include_str!("../RULES.md")]
pub mod rules {}

pub use answer::response;
pub use capabilities::client_capabilities;
pub use document::Document;
pub use error::Error;
pub use input::{RootsInput, roots_input};
pub use lenient::{LenientResult, LenientRoot, MalformedRoot, OtherSchemeRoot};
pub use path::{FilePath, NoFilePath, Platform, contains, contains_path};
pub use request::{Request, list};
pub use result::{ListRootsResult, Root};
pub use revision::{Revision, UnknownRevision};
pub use session::{Changes, Failure, Held, RequestId, RootsSession, RootsView, Unsupported};

/// Judges a bare `roots/list` request: [`Revision::validate_request`] of 2026-07-28.
///
/// # Errors
///
/// Q2 to Q4; J1, J2, J6 for text.
///
/// ```
/// assert!(mcp_roots::validate_request(r#"{"method":"roots/list"}"#).is_ok());
/// let error = mcp_roots::validate_request(r#"{"method":"roots/list","params":null}"#).unwrap_err();
/// assert_eq!((error.rule(), error.at()), ("Q4", "/params"));
/// ```
pub fn validate_request<'a>(request: impl Into<Document<'a>>) -> Result<(), Error> {
    Revision::default().validate_request(request)
}

/// Whether this request may be put to a client with these capabilities: [`Revision::require`] of
/// 2026-07-28.
///
/// # Errors
///
/// C1 with code -32021 (C4); with code -32602 Q2 to Q4, and J1, J2, J6 for the text of either.
///
/// ```
/// let error = mcp_roots::require(&mcp_roots::list(), r#"{"sampling":{}}"#).unwrap_err();
/// assert_eq!((error.rule(), error.code()), ("C1", -32021));
/// ```
pub fn require<'r, 'c>(
    request: impl Into<Document<'r>>,
    capabilities: impl Into<Document<'c>>,
) -> Result<(), Error> {
    Revision::default().require(request, capabilities)
}

/// Whether [`require`] has no objection.
///
/// ```
/// assert!(mcp_roots::supported(&mcp_roots::list(), r#"{"roots":{}}"#));
/// assert!(!mcp_roots::supported(&mcp_roots::list(), r#"{"roots":[]}"#));
/// ```
#[must_use]
pub fn supported<'r, 'c>(request: impl Into<Document<'r>>, capabilities: impl Into<Document<'c>>) -> bool {
    Revision::default().supported(request, capabilities)
}

/// Judges a `ListRootsResult`: [`Revision::validate_response`] of 2026-07-28.
///
/// # Errors
///
/// R1 to R4, U1, U2; J1, J2, J6 for text.
///
/// ```
/// let result = mcp_roots::validate_response(r#"{"roots":[{"uri":"file:///srv"}]}"#)?;
/// assert_eq!(result.roots().len(), 1);
/// # Ok::<(), mcp_roots::Error>(())
/// ```
pub fn validate_response<'a>(response: impl Into<Document<'a>>) -> Result<ListRootsResult<'a>, Error> {
    Revision::default().validate_response(response)
}
