//! How the SDK reads what the core judges: why the decision about roots is made before it.

use mcp_roots::roots_input;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta as _};
use serde_json::Value;

/// The SDK's reading of a call with these `params`.
#[derive(Debug, PartialEq)]
enum Reading {
    /// Not one of its messages.
    NoMessage,
    /// A call of a tool, but without capabilities that it can read.
    NoCapabilities,
    /// A call of a client that declared roots or not, with this under the id.
    Call { has_roots: bool, answer: Option<Value> },
}

fn reading(params: &str) -> Reading {
    let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
    let Ok(ClientJsonRpcMessage::Request(message)) = serde_json::from_slice(body.as_bytes()) else {
        return Reading::NoMessage;
    };
    let capabilities = message.request.get_meta().client_capabilities();
    let ClientRequest::CallToolRequest(call) = message.request else { return Reading::NoMessage };
    let Some(capabilities) = capabilities else { return Reading::NoCapabilities };
    let answer = call.params.input_responses.and_then(|answers| answers.get("client_roots").cloned());
    Reading::Call { has_roots: capabilities.roots.is_some(), answer }
}

/// The core's decision: the rule that is broken, or nothing.
fn rule(params: &str) -> &'static str {
    roots_input(params, "client_roots").map_or_else(|error| error.rule(), |_| "")
}

#[test]
fn capabilities_are_read_by_other_rules() {
    let call = |has_roots| Reading::Call { has_roots, answer: None };
    let cases = [
        // Read alike.
        (r#"{"roots":{}}"#, call(true), ""),
        (r#"{"roots":{"listChanged":true}}"#, call(true), ""),
        ("{}", call(false), "C1"),
        ("5", Reading::NoCapabilities, "C5"),
        // Valid, and refused by the SDK.
        (r#"{"roots":{"listChanged":"yes"}}"#, Reading::NoCapabilities, ""),
        (r#"{"roots":{},"sampling":5}"#, Reading::NoCapabilities, ""),
        (r#"{"roots":{},"experimental":[]}"#, Reading::NoCapabilities, ""),
        // Undeclared, and refused as if the request itself were invalid.
        (r#"{"roots":true}"#, Reading::NoCapabilities, "C1"),
        // Invalid, and let through.
        ("[null,null,{},null,null]", call(true), "C5"),
        (r#"{"roots":[true]}"#, call(true), "C1"),
        (r#"{"roots":{},"roots":{}}"#, call(true), "J6"),
    ];
    for (capabilities, sdk, core) in &cases {
        let params = format!(
            r#"{{"name":"a","_meta":{{"io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}"#
        );
        assert_eq!((&reading(&params), rule(&params)), (sdk, *core), "{capabilities}");
    }
    assert_eq!(cases.len(), 11);
}

#[test]
fn input_responses_are_read_by_other_rules() {
    let call =
        |answer: &str| Reading::Call { has_roots: true, answer: serde_json::from_str(answer).unwrap() };
    let cases = [
        // Read alike.
        (r#"{"client_roots":{"roots":[]}}"#, call(r#"{"roots":[]}"#), ""),
        ("{}", call("null"), ""),
        ("[]", Reading::NoMessage, "A2"),
        // Invalid, and read as if there were none.
        ("null", call("null"), "A2"),
        // Of a name that stands twice, the last one is handed on.
        (
            r#"{"client_roots":{"roots":[]},"client_roots":{"roots":[{"uri":"file:///b"}]}}"#,
            call(r#"{"roots":[{"uri":"file:///b"}]}"#),
            "J6",
        ),
        (
            r#"{"client_roots":{"roots":[{"uri":"file:///a","uri":"file:///b"}]}}"#,
            call(r#"{"roots":[{"uri":"file:///b"}]}"#),
            "J6",
        ),
        (r#"{"client_roots":{"roots":[]},"other":{"a":1,"a":2}}"#, call(r#"{"roots":[]}"#), "J6"),
    ];
    for (input_responses, sdk, core) in &cases {
        let params = format!(
            r#"{{"name":"a","_meta":{{"io.modelcontextprotocol/clientCapabilities":{{"roots":{{}}}}}},"inputResponses":{input_responses}}}"#
        );
        assert_eq!((&reading(&params), rule(&params)), (sdk, *core), "{input_responses}");
    }
    assert_eq!(cases.len(), 7);
}

/// Writing the bare request, the SDK leaves its empty `params` out, as Q4 allows.
#[test]
fn the_request_is_written_without_params() {
    let request = serde_json::to_value(mcp_roots::list()).unwrap();
    let request: rmcp::model::InputRequest = serde_json::from_value(request).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"method":"roots/list"}"#);
}
