//! Stands before the SDK: the decision about roots is made on the text of `params` as it came.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{Input, Refusal, Roots};

/// What the SDK's own limit is, in bytes.
const LONGEST_BODY: usize = 4 * 1024 * 1024;

/// The member of `_meta` that holds the client's capabilities.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// What a tool is told of the request that calls it.
#[derive(Debug)]
pub(crate) struct Call {
    /// The decision about roots.
    pub(crate) roots: Result<Input, Refusal>,
    /// All of `params`, for whatever else a tool needs.
    pub(crate) params: Value,
}

/// Decides about roots, answers a request that is itself invalid, and hands the others on to the SDK.
///
/// The SDK gets the message without what was judged here: it reads capabilities and input responses by
/// other rules, and would refuse some that are valid.
pub(crate) async fn decide(State(roots): State<Arc<dyn Roots>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LONGEST_BODY).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let Some(Envelope { id, params, .. }) = Envelope::of_request(&body) else {
        return next.run(Request::from_parts(parts, Body::from(body))).await;
    };
    let decision = roots.decide(params.map_or("null", RawValue::get));
    if let Err(Refusal { error, is_of_request: true }) = &decision {
        let answer = json!({"jsonrpc": "2.0", "id": id, "error": error});
        let content_type = [(CONTENT_TYPE, "application/json")];
        return (StatusCode::BAD_REQUEST, content_type, answer.to_string()).into_response();
    }
    let Ok(mut message) = serde_json::from_slice::<Value>(&body) else {
        return next.run(Request::from_parts(parts, Body::from(body))).await;
    };
    parts.extensions.insert(Arc::new(Call { roots: decision, params: message["params"].clone() }));
    leave_out_what_was_judged(&mut message);
    parts.headers.remove(CONTENT_LENGTH);
    next.run(Request::from_parts(parts, Body::from(message.to_string()))).await
}

fn leave_out_what_was_judged(message: &mut Value) {
    let Some(params) = message.get_mut("params").and_then(Value::as_object_mut) else { return };
    params.remove("inputResponses");
    if let Some(capabilities) = params.get_mut("_meta").and_then(|meta| meta.get_mut(CLIENT_CAPABILITIES)) {
        *capabilities = json!({});
    }
}

/// A JSON-RPC request. A message without id or method, or with one of these members twice, is left to
/// the SDK.
#[derive(Deserialize)]
struct Envelope<'a> {
    id: Value,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    /// The envelope of a request of this revision, which has no `initialize`.
    fn of_request(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok().filter(|envelope: &Self| envelope.method != "initialize")
    }
}
