use std::cell::Cell;

use serde::de::MapAccess;

use crate::error::{Error, Fault, Rule};
use crate::read::{Judge, Object, judge, members};
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
    let source = params.into().source()?;
    let (meta, input_responses) = (Cell::new(None), Cell::new(None));
    judge(source, Params { meta: &meta, input_responses: &input_responses }, "")?;
    let member = |name, index: Option<usize>| {
        index.map_or(Document::Absent, |index| source.kept_member(name, index).document())
    };
    let meta = member("_meta", meta.get());
    let input_responses = member("inputResponses", input_responses.get());

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

/// The `params` of a request. Finds the members that bear on roots, and reads all of a text by J.
#[derive(Clone, Copy)]
struct Params<'c> {
    /// Where the member is among all members.
    meta: &'c Cell<Option<usize>>,
    input_responses: &'c Cell<Option<usize>>,
}

members!(ParamsMember { Meta = "_meta", InputResponses = "inputResponses" });

impl<'de> Judge<'de> for Params<'_> {
    type Member = ParamsMember;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::C5)
    }

    fn object<A: MapAccess<'de>>(self, params: &mut Object<'_, 'de, A, Self>) -> Result<(), A::Error> {
        let mut index = 0_usize;
        while let Some(member) = params.next()? {
            match member {
                ParamsMember::Meta => self.meta.set(Some(index)),
                ParamsMember::InputResponses => self.input_responses.set(Some(index)),
                ParamsMember::Other => {}
            }
            params.skip()?;
            index = index.saturating_add(1);
        }
        Ok(())
    }
}
