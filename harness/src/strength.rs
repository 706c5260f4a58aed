//! How firm the sources are about a document that stands in no manifest.
//!
//! A refusal is as firm as the firmest of the document's faults: who accepts it has overlooked them all. A
//! document is as firmly valid as the schema takes it, unless it has something that only the rule book settles:
//! what plays no part by its rules, and what an implementation may limit.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use mcp_roots_proptests::corpus::Strength;
use mcp_roots_proptests::reference::{self, Kind, Member, Node};
use mcp_roots_proptests::{Case, Target, Verdict};
use serde::de::IgnoredAny;

use crate::fuzz::blamed;
use crate::shrink::string;

/// Nesting that any reader of JSON must be expected to follow; RFC 8259 lets them limit it.
const DEPTH: usize = 20;
/// So many digits are exact in every reader's numbers.
const DIGITS: usize = 15;
/// Members of a result that make it look like an answer to another question (A5), or like none (R8).
const OF_OTHER_ANSWERS: [&str; 5] = ["action", "role", "content", "model", "error"];
/// What follows in a name tells one reader of JSON more than is there (J3).
const PRIVATE: &str = "$serde_json::private::";

/// How firm the sources are about a case's right verdict.
///
/// ```
/// use mcp_roots_harness::strength::strength;
/// use mcp_roots_proptests::corpus::Strength;
/// use mcp_roots_proptests::{Case, Core, Door, Target, Validator};
/// let of = |target, doc| {
///     let case = Case::new(target, doc);
///     strength(&case, &Core.judge(&case, Door::Bytes).unwrap())
/// };
/// assert_eq!(of(Target::Response, br#"{"roots":null}"#), Strength::Schema);
/// assert_eq!(of(Target::Response, br#"{"roots":[{"uri":"file:///%zz"}]}"#), Strength::Format);
/// // The schema types all capabilities; by C2 the others play no part.
/// assert_eq!(of(Target::Capabilities, br#"{"roots":{},"sampling":7}"#), Strength::Decided);
/// assert_eq!(of(Target::Capabilities, br#"{"roots":{},"sampling":{}}"#), Strength::Schema);
/// // Who takes the second of two equal names has not seen what is wrong in the first, wherever it stands.
/// let twice = br#"{"roots":[{"uri":0}],"\udc00":1e999,"roots":[]}"#;
/// assert_eq!(of(Target::Response, twice), Strength::Decided);
/// // The schema is open to other members of a request; by Q3 it has none.
/// assert_eq!(of(Target::Request, br#"{"id":1,"method":"roots/list"}"#), Strength::Decided);
/// ```
#[must_use]
pub fn strength(case: &Case<'_>, right: &Verdict) -> Strength {
    let text = String::from_utf8_lossy(case.doc);
    let node = reference::read(&text).root;
    match right {
        Verdict::Reject(refusal) => match blamed(case, refusal).0.as_str() {
            "J6" | "A4" => Strength::Decided,
            // The grammar allows the text, and J3 does not.
            "J2" if is_grammatical(case.doc) => Strength::Decided,
            "J1" | "J2" => Strength::Prose,
            _ => of_faults(case, &node),
        },
        Verdict::Accept(_) | Verdict::Missing if is_settled_by_a_rule(case, &node) => Strength::Decided,
        Verdict::Missing => Strength::Prose,
        Verdict::Accept(_) if has_an_unusual_uri(case, &node) => Strength::Format,
        Verdict::Accept(_) => Strength::Schema,
    }
}

/// Whether a text is one by RFC 8259, whatever J3 says of it.
pub(crate) fn is_grammatical(doc: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(doc).is_ok()
}

/// A text that the grammar allows and J3 does not, with other escapes and numbers in place of those that it is refused
/// for: what stands behind them is read, too. None where J3 has nothing against it.
pub(crate) fn within_j3(doc: &[u8]) -> Option<String> {
    let text = str::from_utf8(doc).ok().filter(|_| is_grammatical(doc))?;
    reference::read(text).broken_at?;
    let mut within = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, as_it_is) = match first {
            '"' => (&rest[..string(rest.as_bytes())], false),
            '-' | '0'..='9' => {
                let is_part = |character: char| character.is_ascii_digit() || "+-.eE".contains(character);
                let token = &rest[..rest.find(|character| !is_part(character)).unwrap_or(rest.len())];
                (token, token.parse::<f64>().is_ok_and(f64::is_finite))
            }
            _ => (&rest[..first.len_utf8()], true),
        };
        match first {
            _ if as_it_is => within += token,
            '"' => within += &without_surrogates(token),
            _ => within.push('0'),
        }
        rest = &rest[token.len()..];
    }
    Some(within)
}

/// A string with characters of the private use area for surrogates: another for each, so that names differ as they did.
fn without_surrogates(string: &str) -> String {
    let mut parts = string.split('\\');
    let mut without = parts.next().unwrap_or_default().to_owned();
    let mut is_after_backslash = false;
    for part in parts {
        without.push('\\');
        let unit = part.strip_prefix(['u']).and_then(|rest| u32::from_str_radix(rest.get(..4)?, 16).ok());
        match unit.filter(|unit| !is_after_backslash && (0xd800..0xe000).contains(unit)) {
            Some(unit) => write!(without, "u{:04x}{}", unit + 0x800, &part[5..]).expect("text takes text"),
            None => without.push_str(part),
        }
        // Of two backslashes the second is no beginning.
        is_after_backslash = part.is_empty() && !is_after_backslash;
    }
    without
}

/// The firmest of what is wrong.
fn of_faults(case: &Case<'_>, node: &Node) -> Strength {
    let is_of_the_request = case.target == Target::Capabilities;
    let answers_another_question = answer(case, node).is_some_and(is_another_answer);
    let faults = reference::judge(case).faults;
    let strengths = faults.iter().map(|fault| match fault.rule {
        "Q2" | "Q3" | "Q4" if is_of_the_request => Strength::Decided,
        "Q3" | "J6" => Strength::Decided,
        // An object that holds more than it should; the schema is open.
        "Q4" if fault.at == "/params" && member(node, "params").is_some_and(is_object) => Strength::Decided,
        // A5; to the schema it is the answer to another question.
        "R2" | "R3" | "R4" if answers_another_question => Strength::Decided,
        // A5 too, and R8: it is no list of roots, and looks like something else, or is still wrapped.
        "R1" if result(case, node).is_some_and(looks_like_something_else) => Strength::Decided,
        // A fraction, which JSON-RPC advises against.
        "Q5" if fault.met == "number" && !fault.at.ends_with("/jsonrpc") => Strength::Decided,
        "J1" | "J2" | "U1" => Strength::Prose,
        "C1" if fault.at.is_empty() && is_object(node) => Strength::Prose,
        "U2" => Strength::Format,
        _ => Strength::Schema,
    });
    firmest(strengths).unwrap_or(Strength::Schema)
}

/// The firmest of several; they are listed from the firmest on.
pub(crate) fn firmest(strengths: impl IntoIterator<Item = Strength>) -> Option<Strength> {
    let rank = |strength: &Strength| Strength::ALL.iter().position(|other| other == strength);
    strengths.into_iter().min_by_key(rank)
}

/// Whether a document is valid by something that the sources leave open.
fn is_settled_by_a_rule(case: &Case<'_>, node: &Node) -> bool {
    has_beyond(node, 1)
        || result(case, node).is_some_and(is_settled_result)
        || match case.target {
            Target::Response => false,
            // Q5: other members of the envelope, and numbers with a fraction that are integers all the same.
            Target::Request => {
                let is_known = |name: &str| ["jsonrpc", "id", "method", "params"].contains(&name);
                members(node).iter().any(|member| !is_known(&member.name))
                    || (case.revision.is_initialize_era() && has_a_point(node))
            }
            // C2.
            Target::Capabilities => {
                case.request.is_some()
                    || others(node, "roots").any(|other| !is_object_of_objects(other) || has_null(other))
            }
            // C5: nothing else in it plays a part.
            Target::RequestMeta => {
                let is_typed = |member: &Member| match (member.name.as_str(), &member.value) {
                    ("io.modelcontextprotocol/clientCapabilities", Some(value)) => {
                        is_object_of_objects(value)
                    }
                    (name, Some(value)) if name.ends_with("/clientInfo") => is_object(value),
                    (name, Some(value)) if name.ends_with("/protocolVersion") || name == "progressToken" => {
                        matches!(value.kind, Kind::String(_))
                    }
                    _ => true,
                };
                !members(node).iter().all(is_typed)
            }
            // A3, and A6 for ids that resemble the one asked for; A4 where the request plays a part.
            Target::InputResponses => {
                case.request.is_some()
                    || others(node, case.id).any(|other| !is_an_answer(other))
                    || members(node)
                        .iter()
                        .any(|member| member.name != case.id && resembles(&member.name, case.id))
            }
        }
}

/// The `ListRootsResult` of a case, if it has one.
fn result<'n>(case: &Case<'_>, node: &'n Node) -> Option<&'n Node> {
    if case.target == Target::Response { Some(node) } else { answer(case, node) }
}

/// The answer under the id.
fn answer<'n>(case: &Case<'_>, node: &'n Node) -> Option<&'n Node> {
    if case.target == Target::InputResponses { member(node, case.id) } else { None }
}

/// R4 to R7, of a result that is valid.
fn is_settled_result(result: &Node) -> bool {
    let roots = member(result, "roots").map(items).unwrap_or_default();
    let mut uris: Vec<&str> = roots.iter().filter_map(|root| text(member(root, "uri")?)).collect();
    uris.sort_unstable();
    let is_odd_type = member(result, "resultType").is_some_and(|kind| text(kind) != Some("complete"));
    let metas = roots.iter().chain([result]).filter_map(|holder| member(holder, "_meta"));
    has_members_of_another_answer(result)
        || is_odd_type
        || uris.windows(2).any(|pair| contains(pair[0], pair[1]))
        || metas.flat_map(members).any(|member| !is_plain_key(&member.name))
}

/// Whether a root is another one, or one within it.
pub(crate) fn contains(outer: &str, inner: &str) -> bool {
    let rest = inner.strip_prefix(outer.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn has_members_of_another_answer(result: &Node) -> bool {
    members(result).iter().any(|member| OF_OTHER_ANSWERS.contains(&&*member.name))
}

/// Whether a `_meta` can have a member of this name by the grammar of the specification, and nobody else owns it.
fn is_plain_key(name: &str) -> bool {
    let is_word = |word: &str| {
        let is_edge = |edge: Option<char>| edge.is_some_and(|character| character.is_ascii_alphanumeric());
        is_edge(word.chars().next())
            && is_edge(word.chars().last())
            && word.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
    };
    name.split('/').all(is_word) && !name.contains("modelcontextprotocol") && !name.starts_with("mcp")
}

fn looks_like_something_else(result: &Node) -> bool {
    ["result", "action", "role", "content", "model"].iter().any(|name| member(result, name).is_some())
}

/// Whether the schema takes something for an answer to another question.
fn is_another_answer(node: &Node) -> bool {
    let has = |name: &str| member(node, name);
    let is_one_of = |value: &Node, words: &[&str]| text(value).is_some_and(|word| words.contains(&word));
    has("action").is_some_and(|action| is_one_of(action, &["accept", "decline", "cancel"]))
        || has("role").is_some_and(|role| is_one_of(role, &["user", "assistant"]))
            && has("content").is_some()
            && has("model").is_some_and(|model| text(model).is_some())
}

/// Whether the schema takes something for an input response.
fn is_an_answer(node: &Node) -> bool {
    let has_uri = |root: &Node| member(root, "uri").is_some();
    let is_a_list = |roots: &Node| matches!(roots.kind, Kind::Array(_)) && items(roots).iter().all(has_uri);
    is_another_answer(node) || member(node, "roots").is_some_and(is_a_list)
}

fn resembles(name: &str, id: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(|character: char| !character.is_alphanumeric(), "");
    name.is_empty() || plain(name).contains(&plain(id))
}

fn has_an_unusual_uri(case: &Case<'_>, node: &Node) -> bool {
    let roots = result(case, node).and_then(|result| member(result, "roots")).map(items).unwrap_or_default();
    let is_usual = |uri: &str| {
        uri.strip_prefix("file:///").is_some_and(|path| {
            path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte))
        })
    };
    roots.iter().filter_map(|root| text(member(root, "uri")?)).any(|uri| !is_usual(uri))
}

/// Whether there is something that readers of JSON may limit, or take for something else (J3).
fn has_beyond(node: &Node, depth: usize) -> bool {
    let is_beyond = |inner: &Node| has_beyond(inner, depth + 1);
    match &node.kind {
        _ if depth > DEPTH => true,
        Kind::Number(spelling) => {
            spelling.contains(['e', 'E']) || spelling.bytes().filter(u8::is_ascii_digit).count() > DIGITS
        }
        Kind::Array(items) => items.iter().any(is_beyond),
        Kind::Object(members) => {
            has_names_alike(members)
                || members.iter().any(|member| {
                    member.name.starts_with(PRIVATE) || member.value.as_ref().is_some_and(is_beyond)
                })
        }
        _ => false,
    }
}

/// Whether some names differ by case, blanks or marks alone (J6).
fn has_names_alike(members: &[Member]) -> bool {
    let plain =
        |member: &Member| member.name.to_lowercase().replace(|it: char| !it.is_ascii_alphanumeric(), "");
    let names: BTreeSet<String> = members.iter().map(plain).collect();
    names.len() < members.len()
}

fn has_null(node: &Node) -> bool {
    let mut values = members(node).iter().filter_map(|member| member.value.as_ref());
    node.kind == Kind::Null || items(node).iter().any(has_null) || values.any(has_null)
}

fn has_a_point(node: &Node) -> bool {
    match &node.kind {
        Kind::Number(spelling) => spelling.contains('.') || spelling.starts_with("-0"),
        Kind::Object(members) => members.iter().filter_map(|member| member.value.as_ref()).any(has_a_point),
        _ => false,
    }
}

fn members(node: &Node) -> &[Member] {
    if let Kind::Object(members) = &node.kind { members } else { &[] }
}

fn items(node: &Node) -> &[Node] {
    if let Kind::Array(items) = &node.kind { items } else { &[] }
}

fn member<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    members(node).iter().find(|member| member.name == name)?.value.as_ref()
}

fn others<'n>(node: &'n Node, name: &str) -> impl Iterator<Item = &'n Node> {
    let others = members(node).iter().filter(move |member| member.name != name);
    others.filter_map(|member| member.value.as_ref())
}

fn text(node: &Node) -> Option<&str> {
    if let Kind::String(text) = &node.kind { Some(text) } else { None }
}

const fn is_object(node: &Node) -> bool {
    matches!(node.kind, Kind::Object(_))
}

fn is_object_of_objects(node: &Node) -> bool {
    is_object(node) && members(node).iter().filter_map(|member| member.value.as_ref()).all(is_object)
}
