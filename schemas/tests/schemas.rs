//! The schemas as such: sound, and saying what the protocol's schemas say.

use std::collections::BTreeSet;

use mcp_roots::Revision;
use mcp_roots_proptests::Target;
use mcp_roots_schemas::{definitions, objections, text};
use serde_json::Value;

fn schema(revision: Revision) -> Value {
    serde_json::from_str(text(revision)).unwrap()
}

/// Where the definitions stand in the drafts that the revisions use.
fn place(revision: Revision) -> &'static str {
    if revision < Revision::V2025_11_25 { "definitions" } else { "$defs" }
}

#[test]
fn each_is_a_sound_schema_of_the_draft_that_it_names() {
    for revision in Revision::ALL {
        let schema = schema(revision);
        let draft = if revision < Revision::V2025_11_25 { "draft-07" } else { "2020-12" };
        assert_eq!(schema["title"], format!("Roots in revision {revision}"));
        assert!(schema["$schema"].as_str().unwrap().contains(draft), "{revision}");
        if let Err(error) = jsonschema::meta::validate(&schema) {
            panic!("{revision}: {error}");
        }
    }
}

#[test]
fn every_definition_is_judged_by_or_referred_to() {
    for revision in Revision::ALL {
        let text = text(revision);
        let judged: Vec<_> = Target::ALL
            .into_iter()
            .filter(|target| target.exists_in(revision))
            .flat_map(|target| definitions(target, revision))
            .collect();
        let all: BTreeSet<String> =
            schema(revision)[place(revision)].as_object().unwrap().keys().cloned().collect();
        for name in &judged {
            assert!(all.contains(**name), "{revision}: {name}");
        }
        for name in all {
            let reference = format!("\"#/{}/{name}\"", place(revision));
            assert!(judged.contains(&&name.as_str()) || text.contains(&reference), "{revision}: {name}");
        }
    }
}

/// A build with these features would read another value, or write it in another order.
#[test]
fn no_feature_of_serde_json_is_switched_on_that_changes_a_value() {
    assert!(serde_json::from_str::<Value>("1e999").is_err(), "arbitrary_precision");
    assert_eq!(serde_json::from_str::<Value>(r#"{"b":1,"a":2}"#).unwrap().to_string(), r#"{"a":2,"b":1}"#);
    assert!(serde_json::from_str::<Value>(&"[".repeat(200)).unwrap_err().to_string().contains("recursion"));
}

const EVERY: [Revision; 5] = Revision::ALL;
const INITIALIZE: [Revision; 4] =
    [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];
const NEWEST: [Revision; 1] = [Revision::V2026_07_28];
const SINCE_META: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];
const BEFORE_META: [Revision; 2] = [Revision::V2024_11_05, Revision::V2025_03_26];

/// What the schemas say: target, document, the revisions that are spoken of, whether it is allowed.
#[rustfmt::skip]
const FACTS: &[(Target, &str, &[Revision], bool)] = &[
    (Target::Response, r#"{"roots":[]}"#, &EVERY, true),
    (Target::Response, r#"{"roots":null}"#, &EVERY, false),
    (Target::Response, r"{}", &EVERY, false),
    (Target::Response, r"[]", &EVERY, false),
    (Target::Response, r#"{"roots":[{"uri":"https://a/","name":"","x":1}],"x":null}"#, &EVERY, true),
    (Target::Response, r#"{"roots":[{"uri":"/a"}]}"#, &EVERY, false),
    (Target::Response, r#"{"roots":[{"uri":"file:///a b"}]}"#, &EVERY, false),
    (Target::Response, r#"{"roots":[{"uri":"file:///%zz"}]}"#, &EVERY, false),
    (Target::Response, r#"{"roots":[{"uri":"file://[::1]:99999/"}]}"#, &EVERY, true),
    (Target::Response, r#"{"roots":[{"uri":"file://[v1.a]/"}]}"#, &EVERY, true),
    (Target::Response, r#"{"roots":[{"uri":"file:///","name":null}]}"#, &EVERY, false),
    (Target::Response, r#"{"roots":[{"name":"a"}]}"#, &EVERY, false),
    (Target::Response, r#"{"roots":[{"uri":"file:///","_meta":{"not a name":0}}]}"#, &EVERY, true),
    (Target::Response, r#"{"roots":[{"uri":"file:///","_meta":null}]}"#, &SINCE_META, false),
    (Target::Response, r#"{"roots":[{"uri":"file:///","_meta":null}]}"#, &BEFORE_META, true),
    (Target::Response, r#"{"roots":[],"_meta":null}"#, &INITIALIZE, false),
    (Target::Response, r#"{"roots":[],"_meta":null}"#, &NEWEST, true),
    (Target::Request, r#"{"method":"roots/list"}"#, &NEWEST, true),
    (Target::Request, r#"{"method":"roots/list"}"#, &INITIALIZE, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#, &EVERY, true),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1.0,"method":"roots/list","params":{}}"#, &EVERY, true),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1.5,"method":"roots/list"}"#, &INITIALIZE, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":null,"method":"roots/list"}"#, &INITIALIZE, false),
    (Target::Request, r#"{"jsonrpc":"1.0","id":1,"method":"roots/list"}"#, &INITIALIZE, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &EVERY, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":null}"#, &EVERY, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":[]}}"#, &EVERY, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":{"progressToken":null}}}"#, &INITIALIZE, false),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":{"progressToken":null}}}"#, &NEWEST, true),
    (Target::Capabilities, r"{}", &EVERY, true),
    (Target::Capabilities, r#"{"roots":true}"#, &EVERY, false),
    (Target::Capabilities, r#"{"roots":{"listChanged":1}}"#, &INITIALIZE, false),
    (Target::Capabilities, r#"{"roots":{"listChanged":1}}"#, &NEWEST, true),
    (Target::Capabilities, r#"{"sampling":true}"#, &EVERY, false),
    (Target::Capabilities, r#"{"elicitation":true}"#, &SINCE_META, false),
    (Target::Capabilities, r#"{"elicitation":true}"#, &BEFORE_META, true),
    (Target::Capabilities, r#"{"tasks":true}"#, &[Revision::V2025_11_25], false),
    (Target::Capabilities, r#"{"tasks":true}"#, &NEWEST, true),
    (Target::Capabilities, r#"{"experimental":{"a":1}}"#, &EVERY, false),
    (Target::Capabilities, r#"{"experimental":{"a":{"b":[1,"c",true,{}]}}}"#, &EVERY, true),
    (Target::Capabilities, r#"{"experimental":{"a":{"b":null}}}"#, &INITIALIZE, true),
    (Target::Capabilities, r#"{"experimental":{"a":{"b":null}}}"#, &NEWEST, false),
    (Target::Capabilities, r#"{"extensions":{"a/b":{"c":[0.5]}}}"#, &NEWEST, false),
    (Target::InputResponses, r#"{"a":{"roots":[]},"b":{"action":"cancel"}}"#, &NEWEST, true),
    (Target::InputResponses, r#"{"a":{"action":"accept","content":{"b":["c"],"d":1}}}"#, &NEWEST, true),
    (Target::InputResponses, r#"{"a":{"action":"accept","content":{"b":1.5}}}"#, &NEWEST, false),
    (Target::InputResponses, r#"{"a":{"action":"maybe"}}"#, &NEWEST, false),
    (Target::InputResponses, r#"{"a":{"role":"assistant","model":"m","content":{"type":"text","text":"t"}}}"#, &NEWEST, true),
    (Target::InputResponses, r#"{"a":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"i","name":"n","input":{}}]}}"#, &NEWEST, true),
    (Target::InputResponses, r#"{"a":{"role":"assistant","model":"m","content":{"type":"text"}}}"#, &NEWEST, false),
    (Target::InputResponses, r#"{"a":{"role":"user","model":"m","content":{"type":"tool_result","toolUseId":"i","content":[{"type":"resource","resource":{"uri":"a:b","blob":""}}]}}}"#, &NEWEST, true),
    (Target::InputResponses, r#"{"a":{"role":"user","model":"m","content":{"type":"tool_result","toolUseId":"i","content":[{"type":"resource","resource":{"uri":"a:b"}}]}}}"#, &NEWEST, false),
    (Target::InputResponses, r#"{"a":null}"#, &NEWEST, false),
    (Target::InputResponses, r"[]", &NEWEST, false),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#, &NEWEST, true),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#, &NEWEST, false),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#, &NEWEST, false),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/protocolVersion":"","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}"#, &NEWEST, false),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/protocolVersion":"","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"a"}}"#, &NEWEST, false),
];

#[test]
fn they_say_what_the_protocol_s_schemas_say() {
    let mut asked = 0;
    for (target, doc, revisions, is_allowed) in FACTS {
        let value = serde_json::from_str(doc).unwrap();
        for revision in *revisions {
            let objections = objections(*target, *revision, &value);
            assert_eq!(objections.is_empty(), *is_allowed, "{target} of {revision}: {doc}\n{objections:?}");
            asked += 1;
        }
    }
    assert!(asked > 160, "{asked}");
}
