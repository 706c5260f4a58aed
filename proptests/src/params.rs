//! The whole decision about roots on the `params` of a request (2026-07-28): its laws, generator,
//! cases and planted faults.

use std::path::Path;
use std::{fmt, io};

use mcp_roots::{Document, Error, RootsInput};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::case::value_of;
use crate::corpus::{self, About};
use crate::model::RequestMeta;
use crate::reference::{self, Kind, Node};
use crate::strategy::{self, mutations};
use crate::undirected::mutated;
use crate::{Case, Core, Door, Expected, Json, Style, Target, laws};

/// What is decided on a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// URI and name of each root that the client gave.
    Given(Vec<(String, Option<String>)>),
    /// The client must be asked.
    Required,
    /// The request is refused.
    Refused(Refused),
}

/// How a request is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The id of the rule.
    pub rule: String,
    /// The JSON pointer to the fault, in `params`.
    pub at: String,
    /// The JSON-RPC error object for the peer.
    pub json_rpc: Value,
    /// The status of the HTTP response, where the protocol sets one.
    pub http_status: Option<u16>,
}

impl fmt::Display for Decision {
    /// As the manifest spells it: `accept`, `missing`, or `reject RULE PLACE`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(_) => formatter.write_str("accept"),
            Self::Required => formatter.write_str("missing"),
            Self::Refused(Refused { rule, at, .. }) => {
                formatter.write_str(format!("reject {rule} {at}").trim_end())
            }
        }
    }
}

/// A server that decides on one request after the other, and looks for the answer under
/// [`Case::ID`].
pub trait Decider {
    /// The decision on a request whose `params` come in by the door given; `None` where they cannot.
    fn decide(&mut self, params: &[u8], door: Door) -> Option<Decision>;
}

impl Decider for Core {
    fn decide(&mut self, params: &[u8], door: Door) -> Option<Decision> {
        let value;
        let params = match door {
            Door::Bytes => Document::Bytes(params),
            Door::Str => Document::Text(std::str::from_utf8(params).ok()?),
            Door::Value => {
                value = value_of(params)?;
                Document::Value(&value)
            }
        };
        Some(match mcp_roots::roots_input(params, Case::ID) {
            Ok(RootsInput::Given(result)) => {
                let roots = result.roots().iter();
                Decision::Given(
                    roots.map(|root| (root.uri().to_owned(), root.name().map(str::to_owned))).collect(),
                )
            }
            Ok(RootsInput::Required(_)) => Decision::Required,
            Err(error) => Decision::Refused(refused(&error)),
        })
    }
}

fn refused(error: &Error) -> Refused {
    Refused {
        rule: error.rule().to_owned(),
        at: error.at().to_owned(),
        json_rpc: error.to_json_rpc(),
        http_status: error.http_status(),
    }
}

/// A law with its name.
#[derive(Clone, Copy)]
pub struct ParamsLaw {
    /// The function's name.
    pub name: &'static str,
    /// The function: panics where the law is broken, and says whether it had anything to say.
    pub check: fn(&mut dyn Decider, &[u8]) -> bool,
}

macro_rules! laws {
    ($($law:ident),+ $(,)?) => { [$(ParamsLaw { name: stringify!($law), check: $law }),+] };
}

/// Every law of the decision.
pub const PARAMS_LAWS: &[ParamsLaw] = &laws![
    is_decided_as_the_reference_says,
    nobody_is_asked_undeclared,
    lists_given_are_valid,
    other_members_play_no_part,
    earlier_requests_play_no_part,
];

/// Holds every law against a request; gives the number of those that had something to say.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots_proptests::{Core, laws};
/// assert!(laws::params_are_decided_right(&mut Core, b"{}") > 0);
/// ```
pub fn params_are_decided_right(decider: &mut dyn Decider, params: &[u8]) -> usize {
    PARAMS_LAWS.iter().filter(|law| (law.check)(decider, params)).count()
}

#[track_caller]
fn broken(params: &[u8], what: &str) -> ! {
    panic!("{what}\nparams:\n  {}", String::from_utf8_lossy(params))
}

fn decision(decider: &mut dyn Decider, params: &[u8]) -> Decision {
    decider.decide(params, Door::Bytes).unwrap_or_else(|| broken(params, "bytes are not taken"))
}

/// Text and value get the decision of the [`mod@reference`]: J in all of the text, then C5, C1, and the
/// answer. The value may have another of several faults in the same part (E4).
///
/// # Panics
///
/// Where the law is broken.
fn is_decided_as_the_reference_says(decider: &mut dyn Decider, params: &[u8]) -> bool {
    let possible = possible_decisions(params);
    let expected = &possible[0];
    for door in [Door::Bytes, Door::Str] {
        if let Some(decision) = decider.decide(params, door)
            && decision != *expected
        {
            broken(params, &format!("expected {expected:?}, got {decision:?}"));
        }
    }
    let breaks_j = matches!(expected, Decision::Refused(refused) if refused.rule.starts_with('J'));
    if !breaks_j
        && let Some(decision) = decider.decide(params, Door::Value)
        && !possible.contains(&decision)
    {
        broken(params, &format!("expected {possible:?} of the value, got {decision:?}"));
    }
    true
}

/// Who is asked, or whose roots are taken, declared them with this very request (C4).
fn nobody_is_asked_undeclared(decider: &mut dyn Decider, params: &[u8]) -> bool {
    if matches!(decision(decider, params), Decision::Refused(_)) {
        return false;
    }
    let Some(value) = value_of(params) else { return false };
    if !value["_meta"][RequestMeta::KEY]["roots"].is_object() {
        broken(params, "the client did not declare roots");
    }
    true
}

/// The roots given are those that `validate_response` finds in the answer.
fn lists_given_are_valid(decider: &mut dyn Decider, params: &[u8]) -> bool {
    let Decision::Given(given) = decision(decider, params) else { return false };
    let Some(value) = value_of(params) else { return false };
    match mcp_roots::validate_response(&value["inputResponses"][Case::ID]) {
        Ok(result) => {
            let roots = result.roots().iter();
            if !roots
                .map(|root| (root.uri(), root.name()))
                .eq(given.iter().map(|(uri, name)| (&**uri, name.as_deref())))
            {
                broken(params, &format!("{given:?} are not the roots of the answer"));
            }
        }
        Err(error) => broken(params, &format!("a refused list is given: {error}")),
    }
    true
}

/// `params` that read well get the same decision without the members that are not `_meta` and
/// `inputResponses`, and with others (A7: `requestState` among them).
fn other_members_play_no_part(decider: &mut dyn Decider, params: &[u8]) -> bool {
    let Some(Json::Object(members)) = laws::tree_of(params).filter(|_| !breaks_j(params)) else {
        return false;
    };
    let expected = decision(decider, params);
    let kept: Vec<_> =
        members.into_iter().filter(|(name, _)| ["_meta", "inputResponses"].contains(&&**name)).collect();
    let answer = r#"{"client_roots":{"roots":[{"uri":"file:///other"}]}}"#;
    let others = [
        ("requestState", Json::string(answer)),
        ("arguments", Json::Raw(format!(r#"{{"inputResponses":{answer},"roots":[]}}"#).into())),
        ("input_responses", Json::Raw(answer.into())),
        (Case::ID, Json::Raw(br#"{"roots":[]}"#.to_vec())),
        ("capabilities", Json::Raw(br#"{"roots":{}}"#.to_vec())),
        (RequestMeta::KEY, Json::Raw(br#"{"roots":{}}"#.to_vec())),
        ("io.modelcontextprotocol", Json::Raw(br#"{"clientCapabilities":{"roots":{}}}"#.to_vec())),
    ];
    let others = others.map(|(name, value)| (name.to_owned(), value));
    let with_others = others.into_iter().chain(kept.clone()).collect();
    for changed in [kept, with_others] {
        let changed = Json::Object(changed).write(Style::PLAIN);
        let decision = decision(decider, &changed);
        if decision != expected {
            broken(&changed, &format!("with other members {expected:?}, now {decision:?}"));
        }
    }
    true
}

/// What earlier requests said plays no part (C4).
fn earlier_requests_play_no_part(decider: &mut dyn Decider, params: &[u8]) -> bool {
    const EARLIER: [&[u8]; 2] = [
        br#"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"roots":{}}},"inputResponses":{"client_roots":{"roots":[{"uri":"file:///earlier"}]}}}"#,
        br#"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}"#,
    ];
    let expected = &possible_decisions(params)[0];
    for earlier in EARLIER {
        decision(decider, earlier);
        let decision = decision(decider, params);
        if decision != *expected {
            broken(params, &format!("after another request {decision:?}, alone {expected:?}"));
        }
    }
    true
}

/// The decision on `params` by the reference, and those that a value may get instead.
fn possible_decisions(params: &[u8]) -> Vec<Decision> {
    let Ok(text) = std::str::from_utf8(params) else { return vec![refusal("J1", "")] };
    let root = reference::read(text).root;
    // Like `_meta`, `params` are an object or break C5; in an object what J demands comes first.
    let is_object = matches!(root.kind, Kind::Object(_));
    let faults = reference::judge(&Case::new(Target::RequestMeta, params)).faults;
    if let Some(fault) = faults.iter().find(|fault| !is_object || fault.rule.starts_with('J')) {
        return vec![refusal(fault.rule, "")];
    }
    let part = |node: Option<&Node>| node.map(|node| &params[node.start..node.end]);
    let Some(meta) = part(laws::member(&root, "_meta")) else { return vec![refusal("C5", "")] };
    let judged = |target, doc, below: &str| -> Option<Vec<Decision>> {
        let faults = reference::judge(&Case::new(target, doc)).faults;
        let refusals: Vec<_> =
            faults.iter().map(|fault| refusal(fault.rule, &format!("{below}{}", fault.at))).collect();
        (!refusals.is_empty()).then_some(refusals)
    };
    if let Some(refusals) = judged(Target::RequestMeta, meta, "/_meta") {
        return refusals;
    }
    let meta = laws::member(&root, "_meta").and_then(|meta| laws::member(meta, RequestMeta::KEY));
    let capabilities = part(meta).expect("C5 holds");
    if let Some(refusals) =
        judged(Target::Capabilities, capabilities, "/_meta/io.modelcontextprotocol~1clientCapabilities")
    {
        return refusals;
    }
    let Some(node) = laws::member(&root, "inputResponses") else { return vec![Decision::Required] };
    let map = &params[node.start..node.end];
    if let Some(refusals) = judged(Target::InputResponses, map, "/inputResponses") {
        return refusals;
    }
    vec![if laws::member(node, Case::ID).is_some() {
        Decision::Given(laws::roots_of(&Case::new(Target::InputResponses, map), node))
    } else {
        Decision::Required
    }]
}

fn breaks_j(params: &[u8]) -> bool {
    matches!(&possible_decisions(params)[0], Decision::Refused(refused) if refused.rule.starts_with('J'))
}

fn refusal(rule: &str, at: &str) -> Decision {
    Decision::Refused(Refused {
        rule: rule.to_owned(),
        at: at.to_owned(),
        json_rpc: laws::json_rpc_of(rule),
        http_status: ["C1", "C5"].contains(&rule).then_some(400),
    })
}

/// The `params` of requests: with and without capabilities that declare roots, with and without an
/// answer, which may be of any kind, and beside what requests have besides; some are no JSON.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::{Core, laws, params};
/// proptest!(|(params in params::strategy())| {
///     laws::params_are_decided_right(&mut Core, &params);
/// });
/// ```
pub fn strategy() -> impl Strategy<Value = Vec<u8>> {
    const CAPABILITIES: [&str; 7] = [
        r#"{"roots":{}}"#,
        r#"{"roots":{}}"#,
        r#"{"roots":{"listChanged":"yes"},"sampling":null}"#,
        "{}",
        r#"{"roots":true}"#,
        r#"{"roots":[]}"#,
        "null",
    ];
    const KEYS: [&str; 8] = [
        RequestMeta::KEY,
        RequestMeta::KEY,
        RequestMeta::KEY,
        RequestMeta::KEY,
        RequestMeta::KEY,
        RequestMeta::KEY,
        "io.modelcontextprotocol/clientcapabilities",
        "io.modelcontextprotocol/clientInfo",
    ];
    const ANSWERS: [&str; 8] = [
        "null",
        "[]",
        r#"{"client_roots":{"action":"accept","content":{}}}"#,
        r#"{"client_roots":{"roots":[]}}"#,
        r#"{"client_roots":{"roots":[{"uri":"/home/me"}]}}"#,
        r#"{"client_roots":{"roots":null}}"#,
        r#"{"Client_Roots":{"roots":[]}}"#,
        r#"{"client_roots":{"roots":[{"uri":"file:///a"}]},"login":{"action":"cancel"}}"#,
    ];
    let raw = |text: &str| Json::Raw(text.into());
    let object = |name: &str, value| Json::Object(vec![(name.to_owned(), value)]);
    let meta = prop_oneof![
        8 => (select(&KEYS[..]), select(&CAPABILITIES[..])).prop_map(move |(key, text)| object(key, raw(text))),
        1 => Just(object("io.modelcontextprotocol", raw(r#"{"clientCapabilities":{"roots":{}}}"#))),
        1 => strategy::json(),
    ];
    let answers = prop_oneof![
        2 => strategy::valid(Target::InputResponses).prop_map(|model| model.json(mcp_roots::Revision::default())),
        3 => select(&ANSWERS[..]).prop_map(raw),
    ];
    let other = prop_oneof![
        select(&["requestState", "arguments", "name", "capabilities", "input_responses"][..])
            .prop_map(str::to_owned),
        "[a-z]{0,6}",
    ];
    let others = proptest::collection::vec((other, strategy::json()), 0..3);
    let members = (
        proptest::option::weighted(0.95, meta),
        proptest::option::weighted(0.7, answers),
        others,
        any::<bool>(),
    );
    let params = members.prop_map(|(meta, answers, others, is_last)| {
        let mut members = crate::json::unique(others);
        for (name, value) in [("inputResponses", answers), ("_meta", meta)] {
            if let Some(value) = value {
                members.retain(|(other, _)| other != name);
                members.insert(if is_last { members.len() } else { 0 }, (name.to_owned(), value));
            }
        }
        Json::Object(members)
    });
    let mutations = prop_oneof![4 => Just(Vec::new()), 1 => mutations()];
    (params, mutations, strategy::style())
        .prop_map(|(params, mutations, style)| mutated(params, &mutations).write(style))
}

/// Committed `params` and the decision on them: `corpus/params/NAME.json` and `corpus/params.toml`.
#[derive(Debug, Clone)]
pub struct ParamsEntry {
    /// Its name.
    pub name: String,
    /// The document.
    pub doc: Vec<u8>,
    about: About,
}

/// Loads the committed `params`.
///
/// # Errors
///
/// Where a file cannot be read, the manifest is malformed, or a document and an entry lack each other.
///
/// ```
/// assert!(mcp_roots_proptests::params::load()?.len() >= 20);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load() -> io::Result<Vec<ParamsEntry>> {
    load_from(&corpus::folder())
}

fn load_from(folder: &Path) -> io::Result<Vec<ParamsEntry>> {
    let documents = corpus::documents(folder, "params")?;
    Ok(documents.into_iter().map(|(name, doc, about)| ParamsEntry { name, doc, about }).collect())
}

/// Holds a decider against committed `params`: the decision at the doors of text, and every law.
///
/// # Panics
///
/// Where it is wrong.
///
/// ```
/// use mcp_roots_proptests::{Core, params};
/// for entry in params::load()? {
///     params::replay(&mut Core, &entry);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(decider: &mut dyn Decider, entry: &ParamsEntry) {
    let decision = decision(decider, &entry.doc);
    let expected: &Expected = &entry.about.expect;
    assert!(
        decision.to_string() == expected.to_string(),
        "expected {expected}, got {decision}\n{}: {}",
        entry.name,
        entry.about.misjudged
    );
    params_are_decided_right(decider, &entry.doc);
}

/// What is wrong with the entries themselves.
///
/// ```
/// use mcp_roots_proptests::params;
/// assert!(params::complaints(&params::load()?).is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn complaints(entries: &[ParamsEntry]) -> Vec<String> {
    entries
        .iter()
        .flat_map(|entry| corpus::complaints_about(&format!("params/{}", entry.name), &entry.about))
        .collect()
}

/// A server with one fault.
#[derive(Debug, Clone, Copy)]
pub struct PlantedParams {
    /// What is wrong with it.
    pub name: &'static str,
    /// The rule that it breaks.
    pub rule: &'static str,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// Decides on other `params`.
    Reads(fn(&mut Value)),
    /// Decides otherwise; sees the `params`.
    Says(fn(&Value, Decision) -> Decision),
    /// Takes the capabilities of the first request that had any for those of the session.
    Remembers,
    /// Forgets what breaks J.
    Parses,
}

/// A planted fault at work.
#[derive(Debug, Clone)]
pub struct FaultyServer {
    planted: PlantedParams,
    capabilities: Option<Value>,
}

impl PlantedParams {
    /// The server that has the fault.
    ///
    /// ```
    /// use mcp_roots_proptests::Door;
    /// use mcp_roots_proptests::params::{Decider, PLANTED_PARAMS};
    /// assert!(PLANTED_PARAMS[0].server().decide(b"{}", Door::Bytes).is_some());
    /// ```
    #[must_use]
    pub const fn server(self) -> FaultyServer {
        FaultyServer { planted: self, capabilities: None }
    }
}

impl Decider for FaultyServer {
    fn decide(&mut self, params: &[u8], _: Door) -> Option<Decision> {
        let decide = |params: &[u8]| possible_decisions(params).swap_remove(0);
        let Some(value) = value_of(params) else { return Some(decide(params)) };
        let mut value = Value::clone(&value);
        if matches!(self.planted.how, How::Parses) {
            return Some(decide(value.to_string().as_bytes()));
        }
        if breaks_j(params) {
            return Some(decide(params));
        }
        Some(match self.planted.how {
            How::Reads(edit) => {
                let before = value.clone();
                edit(&mut value);
                // An edit of nothing keeps the order of the members, and so the first fault.
                if value == before { decide(params) } else { decide(value.to_string().as_bytes()) }
            }
            How::Says(edit) => edit(&value, decide(params)),
            How::Remembers => {
                let capabilities = &mut value["_meta"];
                if !capabilities[RequestMeta::KEY].is_object() {
                    return Some(decide(params));
                }
                let earlier = self.capabilities.get_or_insert_with(|| capabilities[RequestMeta::KEY].clone());
                capabilities[RequestMeta::KEY] = earlier.clone();
                decide(value.to_string().as_bytes())
            }
            How::Parses => unreachable!("seen to above"),
        })
    }
}

const fn planted(name: &'static str, rule: &'static str, how: How) -> PlantedParams {
    PlantedParams { name, rule, how }
}

/// The planted faults.
#[rustfmt::skip]
pub const PLANTED_PARAMS: &[PlantedParams] = &[
    planted("whoever is there is asked", "C4", How::Says(|_, decision| if is_rule(&decision, "C1") { Decision::Required } else { decision })),
    planted("an answer is taken of a client that did not declare roots", "C4", How::Reads(|params| if params["inputResponses"][Case::ID].is_object() && params["_meta"][RequestMeta::KEY].is_object() { params["_meta"][RequestMeta::KEY] = json!({"roots": {}}); })),
    planted("the capabilities of the first request hold for the session", "C4", How::Remembers),
    planted("a bad answer is reported before the capabilities", "E4", How::Says(|params, decision| if is_rule(&decision, "C1") { answer_alone(params, decision) } else { decision })),
    planted("an undeclared client gets another code", "C4", How::Says(|_, decision| with_refused(decision, |refused| if refused.rule == "C1" { refused.json_rpc = json!({"code": -32601, "message": "Method not found"}); }))),
    planted("an undeclared client gets no data", "C4", How::Says(|_, decision| with_refused(decision, |refused| if let Some(error) = refused.json_rpc.as_object_mut() { error.remove("data"); }))),
    planted("an undeclared client gets HTTP 200", "C4", How::Says(|_, decision| with_refused(decision, |refused| if refused.rule == "C1" { refused.http_status = None; }))),
    planted("a request without capabilities is one of an undeclared client", "C5", How::Says(|_, decision| if is_rule(&decision, "C5") { refusal("C1", "") } else { decision })),
    planted("a request without capabilities gets HTTP 200", "C5", How::Says(|_, decision| with_refused(decision, |refused| if refused.rule == "C5" { refused.http_status = None; }))),
    planted("the key of the capabilities is a path", "C5", How::Reads(|params| if let Some(capabilities) = params.pointer("/_meta/io.modelcontextprotocol/clientCapabilities").cloned() { params["_meta"][RequestMeta::KEY] = capabilities; })),
    planted("capabilities beside _meta count", "C5", How::Reads(|params| if params.get(RequestMeta::KEY).is_some() && params["_meta"].is_object() { params["_meta"][RequestMeta::KEY] = params[RequestMeta::KEY].clone(); })),
    planted("roots: true declares roots", "C1", How::Reads(|params| if params["_meta"][RequestMeta::KEY]["roots"] == true { params["_meta"][RequestMeta::KEY]["roots"] = json!({}); })),
    planted("a wrong answer is an empty list", "A5", How::Says(|_, decision| if is_in_answer(&decision) { Decision::Given(Vec::new()) } else { decision })),
    planted("a wrong answer is asked for again", "A5", How::Says(|_, decision| if is_in_answer(&decision) { Decision::Required } else { decision })),
    planted("a missing answer is an empty list", "A1", How::Says(|params, decision| if decision == Decision::Required && params.get("inputResponses").is_some() { Decision::Given(Vec::new()) } else { decision })),
    planted("a missing answer is an error", "A1", How::Says(|params, decision| if decision == Decision::Required && params.get("inputResponses").is_some() { refusal("A2", "/inputResponses") } else { decision })),
    planted("an empty list is a missing answer", "R1", How::Says(|_, decision| if decision == Decision::Given(Vec::new()) { Decision::Required } else { decision })),
    planted("input responses null are absent", "A2", How::Says(|params, decision| if params.get("inputResponses").is_some_and(Value::is_null) && is_rule(&decision, "A2") { Decision::Required } else { decision })),
    planted("requestState is believed", "A7", How::Reads(|params| if let Some(answer) = params["requestState"].as_str().and_then(|state| serde_json::from_str(state).ok()).filter(Value::is_object) { params["inputResponses"] = answer; })),
    planted("an answer among the arguments is taken", "A3", How::Reads(|params| if params["arguments"]["inputResponses"].is_object() { params["inputResponses"] = params["arguments"]["inputResponses"].clone(); })),
    planted("params are parsed by a reader that takes the last of equal names", "J6", How::Parses),
    planted("the place is in the part and not in params", "E5", How::Says(|_, decision| with_refused(decision, |refused| for part in ["/inputResponses", "/_meta"] { refused.at = refused.at.strip_prefix(part).unwrap_or(&refused.at).to_owned(); }))),
    planted("a missing _meta is missing in itself", "E5", How::Says(|_, decision| with_refused(decision, |refused| if refused.rule == "C5" { "/_meta".clone_into(&mut refused.at); }))),
];

fn is_rule(decision: &Decision, rule: &str) -> bool {
    matches!(decision, Decision::Refused(refused) if refused.rule == rule)
}

fn is_in_answer(decision: &Decision) -> bool {
    matches!(decision, Decision::Refused(refused) if refused.at.starts_with("/inputResponses/"))
}

fn answer_alone(params: &Value, otherwise: Decision) -> Decision {
    let mut declared = params.clone();
    declared["_meta"][RequestMeta::KEY] = json!({"roots": {}});
    let decision = possible_decisions(declared.to_string().as_bytes()).swap_remove(0);
    if matches!(decision, Decision::Refused(_)) { decision } else { otherwise }
}

fn with_refused(mut decision: Decision, edit: impl FnOnce(&mut Refused)) -> Decision {
    if let Decision::Refused(refused) = &mut decision {
        edit(refused);
    }
    decision
}
