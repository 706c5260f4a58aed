//! A client that sends whatever bytes it is told to, and what came back.

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

pub(crate) const LIST_ROOTS: &str = "test_input_required_result_list_roots";
pub(crate) const MULTIPLE: &str = "test_input_required_result_multiple_inputs";
pub(crate) const CAPABILITIES: &str = "test_input_required_result_capabilities";

/// Members of a `_meta` that declares roots.
pub(crate) const DECLARED: &str = r#""io.modelcontextprotocol/clientCapabilities":{"roots":{}}"#;

/// A plain HTTP client of one server.
pub(crate) struct Client {
    url: String,
    agent: Agent,
    /// How many requests it sent.
    pub(crate) sent: Cell<usize>,
}

/// What a server made of a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It asks for inputs under these ids.
    Asks(Vec<String>),
    /// It is done: the texts of its result, and URI and name of each root in it.
    Done(Vec<String>, Option<Vec<(String, Option<String>)>>),
    /// It refuses, with this HTTP status and this JSON-RPC error object.
    Refuses(u16, Value),
    /// Anything else: HTTP status and body.
    Other(u16, String),
}

impl Outcome {
    /// It asks for roots alone.
    pub(crate) fn asks_for_roots() -> Self {
        Self::Asks(vec!["client_roots".to_owned()])
    }

    /// It is done, and names these roots and no others.
    pub(crate) fn names(roots: &[(&str, Option<&str>)]) -> Self {
        let owned = |(uri, name): &(&str, Option<&str>)| ((*uri).to_owned(), name.map(str::to_owned));
        let texts = roots.iter().map(|(uri, _)| (*uri).to_owned());
        Self::Done(texts.collect(), Some(roots.iter().map(owned).collect()))
    }

    /// It refuses an answer: the error of a tool, which the SDK sends with status 200.
    pub(crate) fn invalid_answer() -> Self {
        Self::Refuses(200, json!({"code": -32602, "message": "Invalid params"}))
    }

    /// It refuses the request itself.
    pub(crate) fn invalid_request() -> Self {
        Self::Refuses(400, json!({"code": -32602, "message": "Invalid params"}))
    }

    /// It refuses to ask a client that did not declare roots.
    pub(crate) fn undeclared() -> Self {
        let data = json!({"requiredCapabilities": {"roots": {}}});
        let message = "Missing required client capability";
        Self::Refuses(400, json!({"code": -32021, "message": message, "data": data}))
    }

    fn of(status: u16, text: &str) -> Option<Self> {
        let reply: Value = serde_json::from_str(text).ok()?;
        if reply["jsonrpc"] != "2.0" || reply["id"] != 7 {
            return None;
        }
        if let Some(error) = reply.get("error") {
            return Some(Self::Refuses(status, error.clone()));
        }
        let result = reply.get("result").filter(|_| status == 200)?;
        if result["resultType"] == "input_required" {
            let requests = result["inputRequests"].as_object()?;
            if let Some(request) = requests.get("client_roots") {
                mcp_roots::validate_request(request).ok()?;
            }
            return Some(Self::Asks(requests.keys().cloned().collect()));
        }
        if result["resultType"] != "complete" || result["isError"] != false {
            return None;
        }
        let texts =
            result["content"].as_array()?.iter().map(|block| block["text"].as_str().map(str::to_owned));
        let roots = result.get("structuredContent").map(|content| {
            let name = |root: &Value| root.get("name").map(|name| name.as_str().unwrap().to_owned());
            let root = |root: &Value| (root["uri"].as_str().unwrap().to_owned(), name(root));
            content["roots"].as_array().unwrap().iter().map(root).collect()
        });
        Some(Self::Done(texts.collect::<Option<_>>()?, roots))
    }
}

impl Client {
    pub(crate) fn new(url: String) -> Self {
        let config =
            Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(20)));
        Self { url, agent: config.build().into(), sent: Cell::new(0) }
    }

    /// Sends a body for a tool; HTTP status and text of what comes back.
    pub(crate) fn post(&self, tool: &str, body: &[u8]) -> (u16, String) {
        self.sent.set(self.sent.get() + 1);
        let request = self.agent.post(&self.url).header("Content-Type", "application/json");
        let request = request.header("Accept", "application/json, text/event-stream");
        let request = request.header("MCP-Protocol-Version", "2026-07-28");
        let request = request.header("Mcp-Method", "tools/call").header("Mcp-Name", tool);
        let mut response = request.send(body).expect("the server answers");
        (response.status().as_u16(), response.body_mut().read_to_string().expect("the answer is text"))
    }

    /// Calls a tool with these `params`.
    pub(crate) fn call(&self, tool: &str, params: &str) -> Outcome {
        let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        let (status, text) = self.post(tool, body.as_bytes());
        Outcome::of(status, &text).unwrap_or(Outcome::Other(status, text))
    }

    /// Expects an outcome of a call with these `params`.
    #[track_caller]
    pub(crate) fn expect(&self, rule: &str, tool: &str, params: &str, wanted: &Outcome) {
        let outcome = self.call(tool, params);
        assert!(outcome == *wanted, "{rule}: not {wanted:?}\n but {outcome:?}\n of {params}");
    }

    /// Expects an outcome of a client that declares roots and sends these members of `params`.
    #[track_caller]
    pub(crate) fn expect_of(&self, rule: &str, members: &str, wanted: &Outcome) {
        self.expect(rule, LIST_ROOTS, &params(LIST_ROOTS, DECLARED, members), wanted);
    }

    /// Expects an outcome of this answer to the request for roots.
    #[track_caller]
    pub(crate) fn expect_of_answer(&self, rule: &str, answer: &str, wanted: &Outcome) {
        self.expect_of(rule, &format!(r#""inputResponses":{{"client_roots":{answer}}}"#), wanted);
    }
}

/// The `params` of a call, with these members of `_meta` and these besides.
pub(crate) fn params(tool: &str, meta: &str, members: &str) -> String {
    let comma = |members: &str| if members.is_empty() { "" } else { "," };
    format!(
        r#"{{"name":"{tool}","arguments":{{}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28"{}{meta}}}{}{members}}}"#,
        comma(meta),
        comma(members),
    )
}
