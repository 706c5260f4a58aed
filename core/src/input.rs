use crate::error::{Error, Fault, Rule};
use crate::parts::parts;
use crate::{Document, ListRootsResult, Request, client_capabilities, list, require, response};

/// What the `params` of a request hold of the roots that its server needs.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum RootsInput<'a> {
    /// The client's answer: a list of its roots, possibly empty. It is a claim, and not
    /// authenticated (A7).
    Given(ListRootsResult<'a>),
    /// No answer (A1), and a client that may be asked: put this request into the `inputRequests` of
    /// an input-required result, under the id that was looked for.
    Required(Request),
}

/// Decides what a server does about roots on a request of 2026-07-28: take those that came with it,
/// ask for them, or refuse.
///
/// `params` is the member of that name of the very request at hand, the first one or a retry; each
/// stands for itself (C4). `id` is the one to ask under and to look for. Nothing but `_meta` and
/// `inputResponses` plays a part; `requestState`, which the client echoes, is neither read nor
/// trusted (A7).
///
/// It is [`client_capabilities`], [`require`] and [`response`] in this order, whatever the order of
/// the members: a client that did not declare roots is refused, answered or not. Who does not have
/// `params` as they came, but capabilities and input responses by themselves, calls these.
///
/// # Errors
///
/// The first of these: J1, J2, J6 for text, anywhere in `params`; C5 where the request does not hold
/// the client's capabilities; C1 with code -32021 where those do not declare roots; A2, R1 to R4, U1,
/// U2 for the answer. Code and message for the peer are [`Error::to_json_rpc`], the status of an HTTP
/// response is [`Error::http_status`]. The place is one in `params`.
///
/// ```
/// use mcp_roots::{RootsInput, roots_input};
/// let declared = r#"{"_meta": {"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}}"#;
/// assert!(matches!(roots_input(declared, "client_roots")?, RootsInput::Required(_)));
///
/// let undeclared = r#"{"_meta": {"io.modelcontextprotocol/clientCapabilities": {}}}"#;
/// let error = roots_input(undeclared, "client_roots").unwrap_err();
/// assert_eq!((error.code(), error.http_status()), (-32021, Some(400)));
/// assert_eq!(error.at(), "/_meta/io.modelcontextprotocol~1clientCapabilities");
/// # Ok::<(), mcp_roots::Error>(())
/// ```
pub fn roots_input<'a>(params: impl Into<Document<'a>>, id: &str) -> Result<RootsInput<'a>, Error> {
    let [meta, input_responses] =
        parts(params.into(), ["_meta", "inputResponses"], Fault::document(Rule::C5))?;
    // A missing `_meta` is missing in `params`, and its place is there (E5).
    let below_meta = |error: Error| {
        if matches!(meta, Document::Absent) { error } else { error.below("/_meta") }
    };
    let capabilities = client_capabilities(meta).map_err(below_meta)?;
    require(&list(), capabilities)
        .map_err(|error| error.below("/_meta/io.modelcontextprotocol~1clientCapabilities"))?;
    let answer = response(input_responses, id, &list()).map_err(|error| error.below("/inputResponses"))?;
    Ok(answer.map_or_else(|| RootsInput::Required(list()), RootsInput::Given))
}
