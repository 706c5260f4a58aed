//! The laws: what must hold for every document, whoever judges it.
//!
//! Each is a public function that takes a validator and a case, panics with the document shown where
//! the law is broken, and says whether the law had anything to say of the case. Fuzz targets,
//! property tests, corpus replay and benches call these and nothing else.

use std::hash::{DefaultHasher, Hasher as _};

use mcp_roots::Revision;

mod uri;

pub use self::uri::{Divergence, DivergenceKind, root_uri_judged_right};
use crate::case::value_of;
use crate::json::Dice;
pub use crate::params::params_are_decided_right;
use crate::reference::{self, Fault, Judgement, Kind, Node, Reading};
pub use crate::session::session_follows_the_rules;
use crate::{Accepted, Case, Door, Json, Kept, Refusal, Sample, Style, Target, Validator, Verdict, Words};

/// A law with its name.
#[derive(Clone, Copy)]
pub struct Law {
    /// The function's name.
    pub name: &'static str,
    /// The function.
    pub check: fn(&dyn Validator, &Case<'_>) -> bool,
}

macro_rules! laws {
    ($($law:ident),+ $(,)?) => { [$(Law { name: stringify!($law), check: $law }),+] };
}

/// Every law.
pub const LAWS: &[Law] = &laws![
    agrees_with_the_reference,
    doors_agree,
    keeps_what_it_accepts,
    what_is_kept_is_compared,
    errors_leak_nothing,
    unknown_members_play_no_part,
    member_order_plays_no_part,
    style_plays_no_part,
    root_order_is_kept,
    roots_are_judged_one_by_one,
    what_is_needed_is_missed,
    an_array_is_no_object,
    an_answer_is_judged_where_it_stands,
    a_cut_text_is_refused,
];

/// Holds every law against a case; gives the number of those that had something to say.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// let applied = laws::all(&Core, &Case::new(Target::Response, br#"{"roots":[{"uri":"file:///a"}]}"#));
/// assert!(applied > 5);
/// ```
pub fn all(validator: &dyn Validator, case: &Case<'_>) -> usize {
    LAWS.iter().filter(|law| (law.check)(validator, case)).count()
}

/// Holds the two laws that need no second document against a text as each revision judges it:
/// reference and doors. The text is read once.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots_proptests::{Core, Target, laws};
/// laws::judged_right(&Core, Target::Response, br#"{"roots":[]}"#);
/// ```
pub fn judged_right(validator: &dyn Validator, target: Target, doc: &[u8]) {
    let reading = read(doc);
    for case in Case::new(target, doc).in_every_revision() {
        is_judged_right(validator, &case, reading.as_ref());
    }
}

/// As [`judged_right`], but by two revisions alone, the newest, and one other at the door of bytes: for a
/// fuzzer, which finds more in many documents than in each document of many revisions. The other is drawn
/// by the document, so that the same one is always judged alike, and one that differs a little by another
/// revision; it is given, if the target has more than one.
///
/// # Panics
///
/// Where a law is broken.
///
/// ```
/// use mcp_roots_proptests::{Core, Target, laws};
/// let drawn = |doc| laws::judged_right_by_lot(&Core, Target::Response, doc);
/// assert_eq!(drawn(br#"{"roots":[]}"#), drawn(br#"{"roots":[]}"#));
/// ```
pub fn judged_right_by_lot(validator: &dyn Validator, target: Target, doc: &[u8]) -> Option<Revision> {
    let reading = read(doc);
    let newest = Case::new(target, doc);
    is_judged_right(validator, &newest, reading.as_ref());
    let drawn = by_lot(&newest)?;
    let judgement = reference::judge_reading(&drawn, reading.as_ref());
    is_as_the_reference(&drawn, &verdict(validator, &drawn), &judgement, reading.as_ref());
    Some(drawn.revision)
}

/// Holds every law against a document in the newest revision, and in another as [`judged_right_by_lot`] draws it; how
/// often one had something to judge.
///
/// # Panics
///
/// Where a law is broken.
///
/// ```
/// use mcp_roots_proptests::{Core, Target, laws};
/// assert!(laws::all_by_lot(&Core, Target::Response, br#"{"roots":[]}"#) > 2);
/// ```
pub fn all_by_lot(validator: &dyn Validator, target: Target, doc: &[u8]) -> usize {
    let newest = Case::new(target, doc);
    by_lot(&newest).into_iter().chain([newest]).map(|case| all(validator, &case)).sum()
}

/// A case in another revision, drawn by its document, if the target has more than one.
fn by_lot<'c>(case: &Case<'c>) -> Option<Case<'c>> {
    let mut hasher = DefaultHasher::new();
    hasher.write(case.doc);
    let others = case.in_every_revision().filter(|other| other.revision != case.revision);
    let lot = hasher.finish().checked_rem(others.clone().count() as u64)?;
    others.clone().nth(usize::try_from(lot).ok()?)
}

fn is_judged_right(validator: &dyn Validator, case: &Case<'_>, reading: Option<&Reading>) {
    let judgement = reference::judge_reading(case, reading);
    let verdict = verdict(validator, case);
    is_as_the_reference(case, &verdict, &judgement, reading);
    is_the_same_at_all_doors(validator, case, &verdict, &judgement);
}

/// A generated document gets the verdict that is known of it: valid ones are never refused, and one
/// with a single flaw always for that flaw.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::model::{ListRootsResult, Model};
/// use mcp_roots_proptests::{Core, Sample, Style, laws};
/// let model = Model::Response(ListRootsResult::default());
/// laws::gets_what_is_known(&Core, &Sample::valid(&model, Revision::default(), Style::PLAIN));
/// ```
pub fn gets_what_is_known(validator: &dyn Validator, sample: &Sample) {
    let Some(expected) = &sample.expected else { return };
    let verdict = verdict(validator, &sample.case());
    if !expected.is(&verdict) {
        broken(&sample.case(), &format!("{sample:?}\nbut the verdict is {}", verdict.summary()));
    }
}

fn read(doc: &[u8]) -> Option<Reading> {
    std::str::from_utf8(doc).ok().map(reference::read)
}

/// A law is broken.
#[track_caller]
fn broken(case: &Case<'_>, what: &str) -> ! {
    panic!("{what}\n{case:?}")
}

/// The verdict on a case by its bytes.
fn verdict(validator: &dyn Validator, case: &Case<'_>) -> Verdict {
    let verdict = validator.judge(case, Door::Bytes);
    verdict.unwrap_or_else(|| broken(case, "the validator does not take bytes"))
}

fn rejected(verdict: &Verdict) -> Option<&Refusal> {
    if let Verdict::Reject(refusal) = verdict { Some(refusal) } else { None }
}

/// The text is accepted exactly if the [`mod@reference`] finds no fault, and otherwise
/// refused for the first in reading order (E4); roots and names are those of the text (U3, R7).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::agrees_with_the_reference(&Core, &Case::new(Target::Request, b"{}")));
/// ```
pub fn agrees_with_the_reference(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let reading = read(case.doc);
    let judgement = reference::judge_reading(case, reading.as_ref());
    is_as_the_reference(case, &verdict(validator, case), &judgement, reading.as_ref());
    true
}

fn is_as_the_reference(case: &Case<'_>, verdict: &Verdict, judgement: &Judgement, reading: Option<&Reading>) {
    let is_right = match (verdict, judgement.faults.first()) {
        (Verdict::Reject(refusal), Some(fault)) => is_fault(refusal, fault),
        (Verdict::Missing, None) => judgement.is_missing,
        (Verdict::Accept(_), None) => !judgement.is_missing,
        _ => false,
    };
    if !is_right {
        let expected = match judgement.faults.first() {
            Some(Fault { rule, at, .. }) => format!("reject {rule} {at}"),
            None if judgement.is_missing => "missing".to_owned(),
            None => "accept".to_owned(),
        };
        broken(case, &format!("the reference says {expected}, the validator {}", verdict.summary()));
    }
    if let (Verdict::Accept(Accepted { roots }), Some(reading)) = (verdict, reading)
        && *roots != roots_of(case, &reading.root)
    {
        broken(case, &format!("the roots given are not those of the text: {roots:?}"));
    }
}

fn is_fault(refusal: &Refusal, fault: &Fault) -> bool {
    (&*refusal.rule, &refusal.at) == (fault.rule, &fault.at)
}

/// The node of the `ListRootsResult` that a case is about.
pub(crate) fn result_of<'n>(case: &Case<'_>, root: &'n Node) -> Option<&'n Node> {
    match case.target {
        Target::Response => Some(root),
        Target::InputResponses => member(root, case.id),
        _ => None,
    }
}

pub(crate) fn member<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let Kind::Object(members) = &node.kind else { return None };
    members.iter().find(|member| member.name == name)?.value.as_ref()
}

fn text_of(node: &Node) -> Option<String> {
    if let Kind::String(text) = &node.kind { Some(text.clone()) } else { None }
}

pub(crate) fn roots_of(case: &Case<'_>, root: &Node) -> Vec<(String, Option<String>)> {
    let roots = result_of(case, root).and_then(|result| member(result, "roots"));
    let Some(Node { kind: Kind::Array(entries), .. }) = roots else { return Vec::new() };
    let uri = |entry| member(entry, "uri").and_then(text_of).unwrap_or_default();
    entries.iter().map(|entry| (uri(entry), member(entry, "name").and_then(text_of))).collect()
}

/// Bytes, text and value get the same verdict. With several faults the value may be refused for
/// another one of them, since it gives its members in an order of its own (E4); a text that breaks J
/// has no value to compare.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::doors_agree(&Core, &Case::new(Target::Request, b"{}")));
/// ```
pub fn doors_agree(validator: &dyn Validator, case: &Case<'_>) -> bool {
    is_the_same_at_all_doors(validator, case, &verdict(validator, case), &reference::judge(case))
}

fn is_the_same_at_all_doors(
    validator: &dyn Validator,
    case: &Case<'_>,
    by_bytes: &Verdict,
    judgement: &Judgement,
) -> bool {
    let by_text = validator.judge(case, Door::Str);
    if let Some(by_text) = &by_text
        && by_text != by_bytes
    {
        broken(case, &format!("bytes: {}, text: {}", by_bytes.summary(), by_text.summary()));
    }
    if judgement.faults.iter().any(|fault| fault.rule.starts_with('J')) {
        return by_text.is_some();
    }
    let Some(by_value) = validator.judge(case, Door::Value) else { return by_text.is_some() };
    let is_right = match &by_value {
        Verdict::Reject(refusal) => judgement.faults.iter().any(|fault| is_fault(refusal, fault)),
        other => other == by_bytes,
    };
    if !is_right {
        broken(case, &format!("bytes: {}, value: {}", by_bytes.summary(), by_value.summary()));
    }
    true
}

/// What is accepted is kept as it came (J5): the text byte for byte, the value as it stands; of a
/// map, the member that was looked for.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::keeps_what_it_accepts(&Core, &Case::new(Target::Response, br#"{"roots": []}"#)));
/// assert!(!laws::keeps_what_it_accepts(&Core, &Case::new(Target::Response, b"{}")));
/// ```
pub fn keeps_what_it_accepts(validator: &dyn Validator, case: &Case<'_>) -> bool {
    if !verdict(validator, case).is_accept() {
        return false;
    }
    let Some(kept) = validator.kept(case, Door::Bytes) else { return false };
    let text = std::str::from_utf8(case.doc).unwrap_or_else(|_| broken(case, "accepted, and is not UTF-8"));
    let Some(expected) = kept_of(case, text) else {
        broken(case, "there is nothing here that could be kept")
    };
    if kept != Kept::Text(expected.clone()) {
        broken(case, &format!("kept {kept:?}, expected {expected:?}"));
    }
    if let Some(value) = value_of(case.doc) {
        let expected = kept_value_of(case, &value).map(Kept::Value);
        let kept = validator.kept(case, Door::Value);
        if kept != expected {
            broken(case, &format!("kept {kept:?}, expected {expected:?}"));
        }
    }
    true
}

/// What is given for two accepted documents is equal exactly if the roots are and what is kept, wherever it
/// stands (U3, J5): so for a copy, and for the same with a blank after it, but for none without roots.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::what_is_kept_is_compared(&Core, &Case::new(Target::Response, br#"{"roots": []}"#)));
/// assert!(!laws::what_is_kept_is_compared(&Core, &Case::new(Target::Response, b"{}")));
/// ```
pub fn what_is_kept_is_compared(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let given = |case: &Case<'_>| {
        let verdict = Some(verdict(validator, case)).filter(Verdict::is_accept)?;
        Some((verdict, kept_of(case, std::str::from_utf8(case.doc).ok()?)?))
    };
    let here = given(case);
    if here.is_none() {
        return false;
    }
    let no_root = Json::Object(vec![("roots".to_owned(), Json::Array(Vec::new()))]);
    let no_root = match case.target {
        Target::InputResponses => Json::Object(vec![(case.id.to_owned(), no_root)]),
        _ => no_root,
    };
    let mut applied = false;
    for other in [case.doc.to_vec(), [case.doc, b" "].concat(), no_root.text().into_bytes()] {
        let other = case.with_doc(&other);
        let Some(equal) = validator.equal(case, &other) else { continue };
        if equal != (here == given(&other)) {
            broken(
                case,
                &format!("is {}equal to what is given for {other:?}", if equal { "" } else { "not " }),
            );
        }
        applied = true;
    }
    applied
}

/// What is kept of a document.
enum Keep<'a> {
    Nothing,
    All,
    Member(&'a str),
}

fn keep<'a>(case: &Case<'a>) -> Keep<'a> {
    match case.target {
        Target::Response => Keep::All,
        Target::InputResponses => Keep::Member(case.id),
        Target::RequestMeta => Keep::Member("io.modelcontextprotocol/clientCapabilities"),
        Target::Request | Target::Capabilities => Keep::Nothing,
    }
}

/// The part of a value that is kept.
pub(crate) fn kept_value_of(case: &Case<'_>, value: &serde_json::Value) -> Option<serde_json::Value> {
    match keep(case) {
        Keep::Nothing => None,
        Keep::All => Some(value.clone()),
        Keep::Member(name) => value.get(name).cloned(),
    }
}

/// The part of a text that is kept.
pub(crate) fn kept_of(case: &Case<'_>, text: &str) -> Option<String> {
    match keep(case) {
        Keep::Nothing => None,
        Keep::All => Some(text.to_owned()),
        Keep::Member(name) => {
            member(&reference::read(text).root, name).map(|node| text[node.start..node.end].to_owned())
        }
    }
}

/// A refusal says nothing of the document and does not grow with it (E1 to E3, C4): the place is made
/// of schema names, indices and the id; the words are those of any other refusal under the rule.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::errors_leak_nothing(&Core, &Case::new(Target::Response, b"[]")));
/// ```
pub fn errors_leak_nothing(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let mut applied = false;
    for door in [Door::Bytes, Door::Value] {
        let Some(Verdict::Reject(Refusal { rule, at })) = validator.judge(case, door) else { continue };
        if !is_a_place(&at, case.id) {
            broken(case, &format!("{at:?} is no place"));
        }
        let Some(Words { display, json_rpc }) = validator.words(case, door) else { continue };
        let Some((plain_case, plain_at)) = plainest(&rule) else {
            broken(case, &format!("refused under {rule}, which is no rule for that"));
        };
        let plain = validator.words(&plain_case, Door::Bytes);
        let without = |display: &str, at: &str| display.replacen(&format!("{at:?}"), "", 1);
        if plain.map(|plain| without(&plain.display, plain_at)) != Some(without(&display, &at)) {
            broken(case, &format!("{display:?} is not in fixed words"));
        }
        if json_rpc != json_rpc_of(&rule) {
            broken(case, &format!("{json_rpc} is not the fixed error"));
        }
        applied = true;
    }
    applied
}

/// A case that is refused under a rule and says next to nothing, and the place of its fault.
fn plainest(rule: &str) -> Option<(Case<'static>, &'static str)> {
    let new = |target, doc: &'static [u8]| Case::new(target, doc);
    let wire = |case| Case { revision: Revision::V2025_11_25, ..case };
    Some(match rule {
        "J1" => (new(Target::Response, b"\xff"), ""),
        "J2" => (new(Target::Response, b""), ""),
        "J6" => (new(Target::Response, br#"{"":0,"":0}"#), ""),
        "Q2" => (new(Target::Request, b"{}"), ""),
        "Q3" => (new(Target::Request, br#"{"":0}"#), ""),
        "Q4" => (new(Target::Request, br#"{"params":0}"#), "/params"),
        "Q5" => (wire(new(Target::Request, b"0")), ""),
        "C1" => (new(Target::Capabilities, b"{}"), ""),
        "C3" => (wire(new(Target::Capabilities, br#"{"roots":{"listChanged":0}}"#)), "/roots/listChanged"),
        "C5" => (new(Target::RequestMeta, b"{}"), ""),
        "R1" => (new(Target::Response, b"{}"), ""),
        "R2" => (new(Target::Response, br#"{"roots":[0]}"#), "/roots/0"),
        "R3" => (new(Target::Response, br#"{"roots":[{"name":0}]}"#), "/roots/0/name"),
        "R4" => (new(Target::Response, br#"{"roots":[{"_meta":0}]}"#), "/roots/0/_meta"),
        "R5" => (wire(new(Target::Response, br#"{"_meta":0}"#)), "/_meta"),
        "U1" => (new(Target::Response, br#"{"roots":[{"uri":""}]}"#), "/roots/0/uri"),
        "U2" => (new(Target::Response, br#"{"roots":[{"uri":"file:// "}]}"#), "/roots/0/uri"),
        "A2" => (new(Target::InputResponses, b"0"), ""),
        "A4" => (Case { request: Some(b"0"), ..new(Target::InputResponses, br#"{"client_roots":0}"#) }, ""),
        _ => return None,
    })
}

pub(crate) fn json_rpc_of(rule: &str) -> serde_json::Value {
    if ["C1", "C3"].contains(&rule) {
        let data = serde_json::json!({"requiredCapabilities": {"roots": {}}});
        return serde_json::json!({"code": -32021, "message": "Missing required client capability", "data": data});
    }
    serde_json::json!({"code": -32602, "message": "Invalid params"})
}

fn is_a_place(at: &str, id: &str) -> bool {
    const NAMES: [&str; 12] = [
        "roots",
        "uri",
        "name",
        "_meta",
        "method",
        "params",
        "jsonrpc",
        "id",
        "progressToken",
        "listChanged",
        "io.modelcontextprotocol~1clientCapabilities",
        "",
    ];
    let below_id = at.strip_prefix(&format!("/{}", id.replace('~', "~0").replace('/', "~1")));
    let is_schema = |pointer: &str| {
        pointer.split('/').all(|step| NAMES.contains(&step) || step.parse::<usize>().is_ok())
            && pointer.len() < 64
    };
    is_schema(at) || below_id.is_some_and(is_schema)
}

/// The tree of a text that reads to its end.
pub(crate) fn tree(case: &Case<'_>) -> Option<Json> {
    tree_of(case.doc)
}

pub(crate) fn tree_of(doc: &[u8]) -> Option<Json> {
    let reading = reference::read(std::str::from_utf8(doc).ok()?);
    if reading.broken_at.is_some() { None } else { Some(json_of(&reading.root)) }
}

pub(crate) fn json_of(node: &Node) -> Json {
    match &node.kind {
        Kind::Null | Kind::Broken => Json::Null,
        Kind::Bool(value) => Json::Bool(*value),
        Kind::Number(spelling) => Json::Number(spelling.clone()),
        Kind::String(text) => Json::String(text.clone()),
        Kind::Array(items) => Json::Array(items.iter().map(json_of).collect()),
        Kind::Object(members) => {
            let value = |member: &reference::Member| member.value.as_ref().map_or(Json::Null, json_of);
            Json::Object(members.iter().map(|member| (member.name.clone(), value(member))).collect())
        }
    }
}

/// Requires that a changed document gets the same verdict, rule and place.
fn same_verdict(validator: &dyn Validator, case: &Case<'_>, changed: &[u8], change: &str) {
    let (before, after) = (verdict(validator, case), verdict(validator, &case.with_doc(changed)));
    if before.summary() != after.summary() {
        let case = case.with_doc(changed);
        broken(&case, &format!("{} has become {} by {change}", before.summary(), after.summary()));
    }
}

/// Adding an unknown member under a fresh name, wherever the rules allow one, changes no verdict (R6,
/// C2, A3).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::unknown_members_play_no_part(&Core, &Case::new(Target::Response, b"{}")));
/// ```
pub fn unknown_members_play_no_part(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let Some(tree) = tree(case) else { return false };
    let is_bare = case.target == Target::Request && !case.revision.is_initialize_era();
    let values = [Json::Null, Json::Bool(true), Json::Number("-0".into()), Json::string("\u{0}/~")];
    let mut applied = false;
    for (place, value) in values.into_iter().enumerate() {
        let mut changed = tree.clone();
        let mut count = 0;
        let mut add = |object: &mut Json| {
            if let Some(members) = object.members_mut() {
                let index = if place % 2 == 0 { members.len() } else { 0 };
                let mut name = format!("unheard of {place}");
                while members.iter().any(|(other, _)| *other == name) {
                    name.push('?');
                }
                members.insert(index, (name, value.clone()));
                count += 1;
            }
        };
        if is_bare {
            // Neither the request nor its params may hold more; `_meta` may.
            if let Some(meta) = changed.member_mut("params").and_then(|params| params.member_mut("_meta")) {
                meta.visit_mut(&mut add);
            }
        } else {
            changed.visit_mut(&mut add);
        }
        if count > 0 {
            applied = true;
            same_verdict(validator, case, &changed.write(Style::PLAIN), "an unknown member");
        }
    }
    applied
}

/// The order of members changes no verdict; with several faults it may change which comes first (E4).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::member_order_plays_no_part(&Core, &Case::new(Target::Response, br#"{"a":1,"roots":[]}"#)));
/// ```
pub fn member_order_plays_no_part(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let Some(tree) = tree(case) else { return false };
    let faults = reference::judge(case).faults.len();
    let mut applied = false;
    for turn in 0..2 {
        let mut changed = tree.clone();
        changed.visit_mut(&mut |object| {
            if let Some(members) = object.members_mut()
                && members.len() > 1
            {
                applied = true;
                if turn == 0 { members.reverse() } else { members.rotate_left(1) }
            }
        });
        let changed = changed.write(Style::PLAIN);
        if faults <= 1 {
            same_verdict(validator, case, &changed, "another order");
        } else if verdict(validator, &case.with_doc(&changed)).is_accept() {
            broken(&case.with_doc(&changed), "accepted by another order");
        }
    }
    applied
}

/// White space and escaping change no verdict, rule or place.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::style_plays_no_part(&Core, &Case::new(Target::Response, b"{}")));
/// ```
pub fn style_plays_no_part(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let Some(tree) = tree(case) else { return false };
    let seed = case.doc.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
    for style in [Style::PLAIN, Style { space: true, escapes: true, seed }] {
        same_verdict(validator, case, &tree.write(style), "another style");
    }
    true
}

/// The tree of the result that a case is about, within its document.
fn result_mut<'t>(case: &Case<'_>, tree: &'t mut Json) -> Option<&'t mut Json> {
    match case.target {
        Target::Response => Some(tree),
        Target::InputResponses => tree.member_mut(case.id),
        _ => None,
    }
}

fn entries_mut<'t>(case: &Case<'_>, tree: &'t mut Json) -> Option<&'t mut Vec<Json>> {
    let roots = result_mut(case, tree)?.member_mut("roots")?;
    if let Json::Array(entries) = roots { Some(entries) } else { None }
}

/// Turning the list of roots round turns the list given round, and does nothing else (R7).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// let doc = br#"{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}"#;
/// assert!(laws::root_order_is_kept(&Core, &Case::new(Target::Response, doc)));
/// ```
pub fn root_order_is_kept(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let Verdict::Accept(before) = verdict(validator, case) else { return false };
    let Some(mut changed) = tree(case) else { return false };
    let Some(entries) = entries_mut(case, &mut changed) else { return false };
    if entries.len() < 2 {
        return false;
    }
    entries.reverse();
    let changed = changed.write(Style::PLAIN);
    match verdict(validator, &case.with_doc(&changed)) {
        Verdict::Accept(after) if after.roots.iter().rev().eq(&before.roots) => true,
        _ => broken(&case.with_doc(&changed), "the list turned round is another list"),
    }
}

/// A list is valid exactly if each of its roots is valid alone, and the empty list in their place
/// (R7).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// let doc = br#"{"roots":[{"uri":"file:///a"},{"uri":"/b"}]}"#;
/// assert!(laws::roots_are_judged_one_by_one(&Core, &Case::new(Target::Response, doc)));
/// ```
pub fn roots_are_judged_one_by_one(validator: &dyn Validator, case: &Case<'_>) -> bool {
    /// Long lists are for the other laws.
    const FEW: usize = 64;
    let Some(mut tree) = tree(case) else { return false };
    let Some(entries) = entries_mut(case, &mut tree).map(|entries| entries.clone()) else { return false };
    if entries.is_empty() || entries.len() > FEW {
        return false;
    }
    let mut accepts = |list: Vec<Json>| {
        *entries_mut(case, &mut tree).expect("found before") = list;
        verdict(validator, &case.with_doc(&tree.write(Style::PLAIN))).is_accept()
    };
    let each_alone = entries.iter().all(|entry| accepts(vec![entry.clone()])) && accepts(Vec::new());
    if each_alone != verdict(validator, case).is_accept() {
        broken(case, "the list is not judged as its roots are");
    }
    true
}

/// Without `uri` in one of its roots, or without `roots`, a result is refused (R1, R2).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// let doc = br#"{"roots":[{"uri":"file:///a"}]}"#;
/// assert!(laws::what_is_needed_is_missed(&Core, &Case::new(Target::Response, doc)));
/// ```
pub fn what_is_needed_is_missed(validator: &dyn Validator, case: &Case<'_>) -> bool {
    let Some(tree) = tree(case) else { return false };
    let mut refused = 0;
    let mut must_refuse = |changed: Json| {
        let changed = changed.write(Style::PLAIN);
        if rejected(&verdict(validator, &case.with_doc(&changed))).is_none() {
            broken(&case.with_doc(&changed), "accepted without a member that is needed");
        }
        refused += 1;
    };
    let mut changed = tree.clone();
    if let Some(members) = result_mut(case, &mut changed).and_then(Json::members_mut) {
        members.retain(|(name, _)| name != "roots");
        must_refuse(changed);
    }
    let mut changed = tree;
    let count = entries_mut(case, &mut changed).map_or(0, |entries| entries.len());
    for index in [0, count / 2, count.saturating_sub(1)].into_iter().take(count) {
        let mut changed = changed.clone();
        let entry = entries_mut(case, &mut changed).and_then(|entries| entries.get_mut(index));
        if let Some(members) = entry.and_then(Json::members_mut) {
            members.retain(|(name, _)| name != "uri");
            must_refuse(changed);
        }
    }
    refused > 0
}

/// An array in the place of an object that a rule asks for is refused, whatever it holds (J7).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::an_array_is_no_object(&Core, &Case::new(Target::Capabilities, br#"{"roots":{}}"#)));
/// ```
pub fn an_array_is_no_object(validator: &dyn Validator, case: &Case<'_>) -> bool {
    /// Of a long list not every item is tried.
    const FEW: usize = 8;
    let Some(tree) = tree(case) else { return false };
    let mut replaced = 0;
    for path in object_paths(case) {
        for nth in 0..FEW {
            let mut changed = tree.clone();
            let mut objects = 0;
            let mut done = false;
            on_path(&mut changed, &path, &mut |value| {
                let Json::Object(members) = value else { return };
                if objects == nth {
                    let values = members.iter().map(|(_, value)| value.clone());
                    *value = Json::Array(if nth % 2 == 0 { values.collect() } else { Vec::new() });
                    done = true;
                }
                objects += 1;
            });
            if !done {
                break;
            }
            replaced += 1;
            let changed = changed.write(Style::PLAIN);
            if rejected(&verdict(validator, &case.with_doc(&changed))).is_none() {
                broken(&case.with_doc(&changed), "an array stands for an object");
            }
        }
    }
    replaced > 0
}

/// The places at which the rules ask for an object; `*` is each item of a list.
fn object_paths<'a>(case: &Case<'a>) -> Vec<Vec<&'a str>> {
    let old = case.revision.is_initialize_era();
    let mut paths = match case.target {
        Target::Response => vec![vec![], vec!["roots", "*"]],
        Target::InputResponses => {
            vec![vec![], vec![case.id], vec![case.id, "roots", "*"], vec![case.id, "roots", "*", "_meta"]]
        }
        Target::Request => vec![vec![], vec!["params"], vec!["params", "_meta"]],
        Target::Capabilities => vec![vec![], vec!["roots"]],
        Target::RequestMeta => vec![vec![], vec!["io.modelcontextprotocol/clientCapabilities"]],
    };
    if case.target == Target::Response && old {
        paths.push(vec!["_meta"]);
    }
    if case.target == Target::Response && !["2024-11-05", "2025-03-26"].contains(&&*case.revision.to_string())
    {
        paths.push(vec!["roots", "*", "_meta"]);
    }
    paths
}

fn on_path(value: &mut Json, path: &[&str], visit: &mut dyn FnMut(&mut Json)) {
    let Some((step, rest)) = path.split_first() else { return visit(value) };
    match value {
        Json::Array(items) if *step == "*" => items.iter_mut().for_each(|item| on_path(item, rest, visit)),
        _ => {
            if let Some(value) = value.member_mut(step) {
                on_path(value, rest, visit);
            }
        }
    }
}

/// A result that stands under an id is judged like the same document alone, whatever well-formed
/// members stand beside it, and its faults have their place under the id (A3, A5, A6, J5).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::an_answer_is_judged_where_it_stands(&Core, &Case::new(Target::Response, b"{}")));
/// ```
pub fn an_answer_is_judged_where_it_stands(validator: &dyn Validator, case: &Case<'_>) -> bool {
    const IDS: [&str; 8] = [
        "client_roots",
        "",
        "a/b~c",
        "__proto__",
        "roots",
        "$serde_json::private::Number",
        "\u{0}é😀",
        "\"\\",
    ];
    const NEIGHBOURS: [&str; 6] = [
        r#"{"roots":null}"#,
        "12",
        r#"{"action":"decline"}"#,
        "[[]]",
        "null",
        r#"{"roots":[{"uri":"http://x"}]}"#,
    ];
    let is_response = case.target == Target::Response && !case.revision.is_initialize_era();
    let (true, Some(tree)) = (is_response, tree(case)) else { return false };
    if tree.depth() >= 127 {
        return false;
    }
    let alone = verdict(validator, case);
    let text = std::str::from_utf8(case.doc).expect("it has a tree").trim_matches([' ', '\t', '\n', '\r']);
    let mut dice = Dice(case.doc.len().try_into().expect("a length fits"));
    let id = IDS[dice.roll(IDS.len())];
    let name = Json::string(id).write(Style { space: false, escapes: dice.roll(2) == 0, seed: 1 });
    let name = String::from_utf8(name).expect("text");
    let neighbours = [NEIGHBOURS[dice.roll(6)], NEIGHBOURS[dice.roll(6)]];
    let map = format!(r#"{{"Client_Roots":{},{name} : {text} ,"é":{}}}"#, neighbours[0], neighbours[1]);
    let in_map = Case { target: Target::InputResponses, id, request: None, ..case.with_doc(map.as_bytes()) };
    let judged = verdict(validator, &in_map);
    let is_same = match (&alone, &judged) {
        (Verdict::Accept(alone), Verdict::Accept(judged)) => {
            let kept = validator.kept(&in_map, Door::Bytes);
            alone.roots == judged.roots && kept.is_none_or(|kept| kept == Kept::Text(text.to_owned()))
        }
        (Verdict::Reject(alone), Verdict::Reject(judged)) => {
            let id = id.replace('~', "~0").replace('/', "~1");
            let at = if alone.rule.starts_with('J') { String::new() } else { format!("/{id}{}", alone.at) };
            (&judged.rule, &judged.at) == (&alone.rule, &at)
        }
        _ => false,
    };
    if !is_same {
        broken(&in_map, &format!("{} alone, {} under an id", alone.summary(), judged.summary()));
    }
    true
}

/// An accepted text that breaks off before its last byte that is no white space is refused (J2).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, laws};
/// assert!(laws::a_cut_text_is_refused(&Core, &Case::new(Target::Response, br#"{"roots":[]}"#)));
/// ```
pub fn a_cut_text_is_refused(validator: &dyn Validator, case: &Case<'_>) -> bool {
    /// In a longer text not every place is tried.
    const SHORT: usize = 256;
    if rejected(&verdict(validator, case)).is_some() {
        return false;
    }
    let end = case.doc.trim_ascii_end().len();
    let step = end.div_ceil(SHORT).max(1);
    for cut in (0..end).step_by(step).chain([end - 1]) {
        if rejected(&verdict(validator, &case.with_doc(&case.doc[..cut]))).is_none() {
            broken(&case.with_doc(&case.doc[..cut]), "a text is not refused that breaks off");
        }
    }
    true
}
