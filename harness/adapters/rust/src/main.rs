//! The official Rust SDK (`rmcp`) as an adapter: its own types judge, and nothing else.

#![expect(deprecated, reason = "as are roots themselves (SEP-2577)")]

use std::io::{self, BufRead, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientResult, Implementation, InputRequest, ListRootsResult,
    ProtocolVersion, RequestMetaObject, ServerJsonRpcMessage, ServerRequest,
};
use serde::Deserialize;
use serde_json::{Value, json};

const STATELESS: &str = "2026-07-28";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

#[derive(Deserialize)]
struct Asked {
    hello: Option<Value>,
    #[serde(default)]
    id: u64,
    #[serde(default)]
    target: String,
    #[serde(default)]
    revision: String,
    doc: Option<String>,
    doc_base64: Option<String>,
    request: Option<Value>,
}

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line?)?;
        let answer = if asked.hello.is_some() {
            greeting()
        } else {
            let mut answer = judge(&asked).unwrap_or_else(Refusal::answer);
            answer["id"] = asked.id.into();
            answer
        };
        writeln!(output, "{answer}")?;
    }
    Ok(())
}

fn greeting() -> Value {
    let Implementation { name, version, .. } = Implementation::from_build_env();
    json!({"hello": {
        "protocol": 1, "name": name, "version": version, "language": "Rust",
        "targets": ["response", "request", "capabilities", "input_responses", "request_meta"],
        "revisions": ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS],
    }})
}

/// Why there is no acceptance.
enum Refusal {
    Unreadable(String),
    Other(&'static str),
    Unsupported(&'static str),
}

impl Refusal {
    fn answer(self) -> Value {
        match self {
            Self::Unreadable(detail) => json!({"verdict": "reject", "detail": detail}),
            Self::Other(detail) => json!({"verdict": "reject", "detail": detail}),
            Self::Unsupported(reason) => json!({"verdict": "unsupported", "reason": reason}),
        }
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

fn judge(asked: &Asked) -> Result<Value, Refusal> {
    if asked.request.is_some() {
        let reason = "the SDK writes the request itself, and does not judge it again with the answer";
        return Err(Refusal::Unsupported(reason));
    }
    let decoded = asked.doc_base64.as_ref().map(|text| BASE64_STANDARD.decode(text).unwrap_or_default());
    let doc = decoded.as_deref().or(asked.doc.as_ref().map(String::as_bytes)).unwrap_or_default();
    let is_stateless = asked.revision == STATELESS;
    match asked.target.as_str() {
        "response" if is_stateless => Ok(accept(serde_json::from_slice(doc)?)),
        // What `Peer::list_roots` takes.
        "response" => match serde_json::from_slice(doc)? {
            ClientResult::ListRootsResult(result) => Ok(accept(result)),
            _ => Err(Refusal::Other("read as another result")),
        },
        "request" if is_stateless => match serde_json::from_slice(doc)? {
            InputRequest::ListRoots(_) => Ok(json!({"verdict": "accept"})),
            _ => Err(Refusal::Other("read as another input request")),
        },
        "request" => match serde_json::from_slice(doc)? {
            ServerJsonRpcMessage::Request(message)
                if matches!(message.request, ServerRequest::ListRootsRequest(_)) =>
            {
                Ok(json!({"verdict": "accept"}))
            }
            _ => Err(Refusal::Other("read as another message")),
        },
        "capabilities" => match serde_json::from_slice::<ClientCapabilities>(doc)?.roots {
            Some(_) => Ok(json!({"verdict": "accept"})),
            None => Err(Refusal::Other("roots are not declared")),
        },
        // The map is read by the SDK, which hands its values on as they are: a tool reads them by the type.
        "input_responses" => {
            let params = json!({"name": "a", "inputResponses": serde_json::from_slice::<Value>(doc)?});
            let answers = CallToolRequestParams::deserialize(params)?.input_responses;
            match answers.and_then(|mut answers| answers.remove("client_roots")) {
                Some(answer) => Ok(accept(ListRootsResult::deserialize(answer)?)),
                None => Ok(json!({"verdict": "missing"})),
            }
        }
        // The version, which is not at issue, is filled in.
        "request_meta" => {
            let mut meta: RequestMetaObject = serde_json::from_slice(doc)?;
            if !meta.contains_key(VERSION) {
                meta.set_protocol_version(ProtocolVersion::V_2026_07_28);
            }
            match meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).first() {
                Some(key) => Err(Refusal::Other(key)),
                None => Ok(json!({"verdict": "accept"})),
            }
        }
        _ => Err(Refusal::Unsupported("another target")),
    }
}

fn accept(result: ListRootsResult) -> Value {
    let read = result.roots.into_iter().map(|root| match root.name {
        Some(name) => json!({"uri": root.uri, "name": name}),
        None => json!({"uri": root.uri}),
    });
    json!({"verdict": "accept", "roots": read.collect::<Vec<_>>()})
}
