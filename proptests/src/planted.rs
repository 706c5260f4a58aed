//! Planted faults: the reference, wrong in one realistic way at a time, to see what the harness
//! would have caught.
//!
//! Each is a line in a table: a name, the rule it breaks, and how. Most are kinds of blindness; the
//! others read another text or tree than stands there, see faults where there are none, or are wrong
//! in what they report, keep or give.

use mcp_roots::Revision;
use serde_json::json;

use crate::case::value_of;
use crate::reference::{self, Fault, Judgement, Kind, Limits, Member, Node, Reading};
use crate::{Accepted, Case, Door, Kept, Refusal, Target, Validator, Verdict, Words, laws};

/// A validator with one fault.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    /// What is wrong with it, in a few words.
    pub name: &'static str,
    /// The rule that it breaks.
    pub rule: &'static str,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// Nothing is wrong.
    Right,
    /// Does not see faults of this rule at places that end so, of which this is true.
    Blind(&'static str, &'static str, fn(&Fault) -> bool),
    /// Reads these bytes instead.
    Bytes(fn(&[u8]) -> Vec<u8>),
    /// Reads by other limits.
    Limits(Limits),
    /// Judges this tree instead.
    Tree(fn(&Case<'_>, &mut Node)),
    /// Sees other faults.
    Faults(fn(&Case<'_>, &Node, &mut Vec<Fault>)),
    /// Says something else.
    Says(fn(&Case<'_>, Verdict) -> Verdict),
    /// Keeps something else.
    Keeps(fn(&Case<'_>, String) -> String),
    /// Uses other words.
    Words(fn(&Case<'_>, &mut Words)),
    /// Compares otherwise: the verdicts on two accepted cases, and what is kept of each.
    Compares(fn(&[(Verdict, Kept); 2]) -> bool),
    /// Answers another case.
    Asks(for<'a> fn(Case<'a>) -> Case<'a>),
}

impl Validator for Planted {
    fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict> {
        let text = self.text(case, door)?;
        let case = self.asked(case, &text);
        let (judgement, reading) = self.judgement(&case);
        let verdict = match judgement.faults.into_iter().next() {
            Some(Fault { rule, at, .. }) => Verdict::Reject(Refusal { rule: rule.to_owned(), at }),
            None if judgement.is_missing => Verdict::Missing,
            None => {
                let roots = reading.map(|reading| laws::roots_of(&case, &reading.root));
                Verdict::Accept(Accepted { roots: roots.unwrap_or_default() })
            }
        };
        Some(if let How::Says(edit) = self.how { edit(&case, verdict) } else { verdict })
    }

    fn kept(&self, case: &Case<'_>, door: Door) -> Option<Kept> {
        if !self.judge(case, door)?.is_accept() {
            return None;
        }
        if door == Door::Value {
            let value = value_of(case.doc)?;
            return laws::kept_value_of(case, &value).map(Kept::Value);
        }
        let kept = laws::kept_of(case, std::str::from_utf8(case.doc).ok()?)?;
        Some(Kept::Text(if let How::Keeps(edit) = self.how { edit(case, kept) } else { kept }))
    }

    fn words(&self, case: &Case<'_>, door: Door) -> Option<Words> {
        let Verdict::Reject(Refusal { rule, at }) = self.judge(case, door)? else { return None };
        let mut words = Words { display: format!("{rule} at {at:?}"), json_rpc: laws::json_rpc_of(&rule) };
        if let How::Words(edit) = self.how {
            edit(case, &mut words);
        }
        Some(words)
    }

    fn equal(&self, case: &Case<'_>, other: &Case<'_>) -> Option<bool> {
        let given = |case| Some((self.judge(case, Door::Bytes)?, self.kept(case, Door::Bytes)?));
        let both = [given(case)?, given(other)?];
        Some(if let How::Compares(compare) = self.how { compare(&both) } else { both[0] == both[1] })
    }
}

impl Planted {
    /// The reference without a fault.
    pub const NONE: Self = Self { name: "none", rule: "", how: How::Right };

    /// The fault of this name.
    ///
    /// ```
    /// use mcp_roots_proptests::Planted;
    /// assert_eq!(Planted::named("a null name passes").unwrap().rule, "R3");
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PLANTED.iter().find(|planted| planted.name == name)
    }

    /// The text that is judged.
    fn text(&self, case: &Case<'_>, door: Door) -> Option<Vec<u8>> {
        Some(match door {
            Door::Bytes => match self.how {
                How::Bytes(edit) => edit(case.doc),
                _ => case.doc.to_vec(),
            },
            Door::Str => {
                std::str::from_utf8(case.doc).ok()?;
                return self.text(case, Door::Bytes);
            }
            // What a value says, and in its order.
            Door::Value => value_of(case.doc)?.to_string().into_bytes(),
        })
    }

    fn asked<'a>(&self, case: &Case<'a>, text: &'a [u8]) -> Case<'a> {
        let case = case.with_doc(text);
        if let How::Asks(edit) = self.how { edit(case) } else { case }
    }

    fn judgement(&self, case: &Case<'_>) -> (Judgement, Option<Reading>) {
        let limits = if let How::Limits(limits) = self.how { limits } else { Limits::BY_RULE };
        let mut reading = std::str::from_utf8(case.doc).ok().map(|text| reference::read_within(text, limits));
        if let (How::Tree(edit), Some(reading)) = (self.how, &mut reading) {
            edit(case, &mut reading.root);
        }
        let mut judgement = reference::judge_reading(case, reading.as_ref());
        match (self.how, &reading) {
            (How::Blind(rule, at, is_it), _) => {
                let unseen = |fault: &Fault| fault.rule == rule && fault.at.ends_with(at) && is_it(fault);
                judgement.faults.retain(|fault| !unseen(fault));
            }
            (How::Faults(edit), Some(reading)) => {
                edit(case, &reading.root, &mut judgement.faults);
                judgement.faults.sort_by_key(|fault| fault.position);
            }
            _ => {}
        }
        (judgement, reading)
    }
}

fn any(_: &Fault) -> bool {
    true
}

fn null(fault: &Fault) -> bool {
    fault.met == "null"
}

fn array(fault: &Fault) -> bool {
    fault.met == "array"
}

fn nothing(fault: &Fault) -> bool {
    fault.met.is_empty()
}

fn number(fault: &Fault) -> bool {
    fault.met == "number"
}

const fn planted(name: &'static str, rule: &'static str, how: How) -> Planted {
    Planted { name, rule, how }
}

/// Every planted fault.
#[rustfmt::skip]
pub static PLANTED: &[Planted] = &[
    // J: reading.
    planted("bytes that are not UTF-8 are replaced", "J1", How::Bytes(|bytes| String::from_utf8_lossy(bytes).into_owned().into_bytes())),
    planted("a byte order mark is skipped", "J2", How::Bytes(|bytes| bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).to_vec())),
    planted("text after the document is left alone", "J2", How::Bytes(without_what_follows)),
    planted("NaN and Infinity are numbers", "J2", How::Bytes(|bytes| replace(&replace(&replace(bytes, b"-Infinity", b"-1"), b"Infinity", b"1"), b"NaN", b"0"))),
    planted("a trailing comma is allowed", "J2", How::Bytes(|bytes| replace(&replace(bytes, b",}", b"}"), b",]", b"]"))),
    planted("comments are skipped", "J2", How::Bytes(|bytes| replace(bytes, b"/*c*/", b""))),
    planted("a leading zero is allowed", "J2", How::Bytes(|bytes| replace(&replace(bytes, b":01", b":1"), b": 01", b":1"))),
    planted("a plus sign is allowed", "J2", How::Bytes(|bytes| replace(bytes, b":+", b":"))),
    planted("raw control characters are allowed in strings", "J2", How::Bytes(|bytes| bytes.iter().map(|byte| if *byte < 0x20 && !b"\t\r\n".contains(byte) { b'.' } else { *byte }).collect())),
    planted("a raw line break is allowed in strings", "J2", How::Bytes(|bytes| replace(&replace(bytes, b"\n", b" "), b"\r", b" "))),
    planted("a form feed is white space", "J2", How::Bytes(|bytes| replace(bytes, b"\x0c", b" "))),
    planted("a no-break space is white space", "J2", How::Bytes(|bytes| replace(bytes, b"\xc2\xa0", b" "))),
    planted("an escaped solidus stays escaped", "J2", How::Bytes(|bytes| replace(bytes, b"\\/", b"\\\\/"))),
    planted("a carriage return is no white space", "J2", How::Bytes(|bytes| replace(bytes, b"\r", b"\x0b"))),
    planted("unknown escapes are let through", "J2", How::Bytes(|bytes| replace(bytes, b"\\x", b"x"))),
    planted("a lone high surrogate is let through", "J3", How::Bytes(|bytes| replace(bytes, b"\\ud800\"", b"\""))),
    planted("a lone low surrogate is let through", "J3", How::Bytes(|bytes| replace(&replace(bytes, b"\"\\udc00", b"\""), b"\"\\udfff", b"\""))),
    planted("numbers over the range are let through", "J3", How::Limits(Limits { depth: 127, is_finite: false })),
    planted("depth is not limited", "J3", How::Limits(Limits { depth: 1000, is_finite: true })),
    planted("one level too many is allowed", "J3", How::Limits(Limits { depth: 128, is_finite: true })),
    planted("one level too few is allowed", "J3", How::Limits(Limits { depth: 126, is_finite: true })),
    planted("of equal names the last one counts", "J6", How::Tree(|_, root| each_object(root, &mut |members| keep_one_of_each(members, true)))),
    planted("of equal names the first one counts", "J6", How::Tree(|_, root| each_object(root, &mut |members| keep_one_of_each(members, false)))),
    planted("equal names are looked for at the top alone", "J6", How::Tree(|_, root| each_object_below(root, &mut |members| keep_one_of_each(members, true)))),
    planted("equal names among more than sixty-four are overlooked", "J6", How::Tree(|_, root| each_object(root, &mut |members| if members.len() > 64 { keep_one_of_each(members, true); }))),
    planted("names that differ in case count as equal", "J6", How::Faults(|_, root, faults| each_repeated(root, &|one, other| one != other && one.eq_ignore_ascii_case(other), faults))),
    planted("equal names anywhere in the document are refused", "J6", How::Faults(|_, root, faults| {
        let mut names = Vec::new();
        each_member(root, &mut |member| {
            if names.contains(&member.name) && !faults.iter().any(|fault| fault.position == member.name_end) {
                faults.push(fault("J6", member.name_end, ""));
            }
            names.push(member.name.clone());
        });
    })),
    planted("the kept document is written anew", "J5", How::Keeps(|_, text| serde_json::from_str::<serde_json::Value>(&text).map_or(text, |value| value.to_string()))),
    planted("the kept document loses what stands around it", "J5", How::Keeps(|_, text| text.trim().to_owned())),
    planted("answers are equal whose roots are", "J5", How::Compares(|[one, other]| one.0 == other.0)),
    planted("answers are equal that stand in one place", "J5", How::Compares(|_| false)),
    planted("the kept answer is the whole map", "J5", How::Keeps(|case, kept| if case.target == Target::InputResponses { String::from_utf8_lossy(case.doc).into_owned() } else { kept })),
    planted("names are compared as they are spelled", "J6", How::Bytes(|bytes| replace(bytes, br#""\u0061":"#, br#""a'":"#))),
    // J7: arrays for objects, at each place.
    planted("an array stands for a result", "J7", How::Blind("R1", "", array_at_top)),
    planted("an array stands for a root", "J7", How::Blind("R2", "", |fault| array(fault) && !fault.at.ends_with("/uri"))),
    planted("an array stands for the _meta of a root", "J7", How::Blind("R4", "", array)),
    planted("an array stands for the _meta of a result", "J7", How::Blind("R5", "", array)),
    planted("an array stands for a bare request", "J7", How::Blind("Q2", "", |fault| array(fault) && fault.at.is_empty())),
    planted("an array stands for a wire request", "J7", How::Blind("Q5", "", |fault| array(fault) && fault.at.is_empty())),
    planted("an array stands for bare params", "J7", How::Blind("Q4", "/params", array)),
    planted("an array stands for the _meta of bare params", "J7", How::Blind("Q4", "/_meta", array)),
    planted("an array stands for wire params", "J7", How::Blind("Q5", "/params", array)),
    planted("an array stands for the _meta of wire params", "J7", How::Blind("Q5", "/_meta", array)),
    planted("an array stands for capabilities", "J7", How::Blind("C1", "", |fault| array(fault) && fault.at.is_empty())),
    planted("an array stands for the roots capability", "J7", How::Blind("C1", "/roots", array)),
    planted("an array stands for a request's _meta", "J7", How::Blind("C5", "", |fault| array(fault) && fault.at.is_empty())),
    planted("an array stands for client capabilities", "J7", How::Blind("C5", "clientCapabilities", array)),
    planted("an array stands for input responses", "J7", How::Blind("A2", "", array)),
    // Q: requests.
    planted("the method is compared without case", "Q2", How::Blind("Q2", "/method", |fault| fault.met.eq_ignore_ascii_case("roots/list"))),
    planted("the method is trimmed", "Q2", How::Blind("Q2", "/method", |fault| fault.met.trim() == "roots/list")),
    planted("the method may go on", "Q2", How::Blind("Q2", "/method", |fault| fault.met.starts_with("roots/list"))),
    planted("any method will do", "Q2", How::Blind("Q2", "/method", any)),
    planted("no method will do", "Q2", How::Blind("Q2", "", |fault| nothing(fault) && fault.at.is_empty())),
    planted("an id is allowed in a bare request", "Q3", How::Blind("Q3", "", |fault| fault.met == "id")),
    planted("an envelope is allowed around a bare request", "Q3", How::Blind("Q3", "", |fault| ["id", "jsonrpc"].contains(&&*fault.met))),
    planted("any member is allowed in a bare request", "Q3", How::Blind("Q3", "", any)),
    planted("params null are absent", "Q4", How::Blind("Q4", "/params", null)),
    planted("a cursor is allowed", "Q4", How::Blind("Q4", "/params", |fault| fault.met == "cursor")),
    planted("any member is allowed in bare params", "Q4", How::Blind("Q4", "/params", |fault| !["null", "array", "string", "number", "boolean"].contains(&&*fault.met))),
    planted("_meta null is absent in bare params", "Q4", How::Blind("Q4", "/_meta", null)),
    planted("_meta of bare params is not judged", "Q4", How::Blind("Q4", "/_meta", any)),
    planted("params are needed", "Q4", How::Faults(|case, root, faults| if is_bare(case) { needs(root, "params", "Q4", faults) })),
    planted("the content of _meta is judged in a bare request", "Q4", How::Faults(|case, root, faults| if is_bare(case)
        && let Some(token) = member(root, "params").and_then(|params| member(params, "_meta")).and_then(|meta| member(meta, "progressToken"))
        && !matches!(token.kind, Kind::String(_) | Kind::Number(_)) { faults.push(fault("Q4", token.end, "/params/_meta/progressToken")); })),
    planted("the version is not looked at", "Q5", How::Blind("Q5", "/jsonrpc", any)),
    planted("the version may be missing", "Q5", How::Tree(|case, root| if !is_bare(case) && case.target == Target::Request { add_missing(root, "jsonrpc", "2.0"); })),
    planted("the id may be missing", "Q5", How::Tree(|case, root| if !is_bare(case) && case.target == Target::Request { add_missing(root, "id", "1"); })),
    planted("a null id is allowed", "Q5", How::Blind("Q5", "/id", null)),
    planted("a fraction is an id", "Q5", How::Blind("Q5", "/id", number)),
    planted("an id is anything", "Q5", How::Blind("Q5", "/id", any)),
    planted("an integer must be spelled as one", "Q5", How::Faults(|case, root, faults| if case.target == Target::Request && !is_bare(case)
        && let Some(Node { kind: Kind::Number(spelling), end, .. }) = member(root, "id")
        && spelling.contains(['.', 'e', 'E']) { faults.push(fault("Q5", *end, "/id")); })),
    planted("an id must fit 64 bits", "Q5", How::Faults(|case, root, faults| if case.target == Target::Request && !is_bare(case)
        && let Some(Node { kind: Kind::Number(spelling), end, .. }) = member(root, "id")
        && spelling.len() > 20 { faults.push(fault("Q5", *end, "/id")); })),
    planted("params null are absent on the wire", "Q5", How::Blind("Q5", "/params", null)),
    planted("_meta null is absent on the wire", "Q5", How::Blind("Q5", "/_meta", null)),
    planted("the progress token is not judged", "Q5", How::Blind("Q5", "/progressToken", any)),
    planted("a wire request holds nothing else", "Q5", How::Faults(|case, root, faults| if case.target == Target::Request && !is_bare(case) { closed(root, &["jsonrpc", "id", "method", "params"], "Q5", faults) })),
    // C: capabilities.
    planted("roots: true is a capability", "C1", How::Blind("C1", "/roots", |fault| fault.met == "boolean")),
    planted("roots: null is a capability", "C1", How::Blind("C1", "/roots", null)),
    planted("any value is a capability", "C1", How::Blind("C1", "/roots", any)),
    planted("no declaration is needed", "C1", How::Blind("C1", "", |fault| nothing(fault) && fault.at.is_empty())),
    planted("roots may be declared under experimental", "C1", How::Tree(|case, root| if case.target == Target::Capabilities
        && let Some(experimental) = member(root, "experimental").cloned()
        && member(&experimental, "roots").is_some() { *root = experimental; })),
    planted("capability names are compared without case", "C1", How::Tree(|case, root| if case.target == Target::Capabilities { fold_names(root, "roots"); })),
    planted("other capabilities must be objects", "C2", How::Faults(|case, root, faults| if case.target == Target::Capabilities { each_neighbour(root, "roots", &|kind| matches!(kind, Kind::Object(_)), "C1", faults) })),
    planted("listChanged is judged in the newest revision", "C3", How::Asks(|case| if case.target == Target::Capabilities { Case { revision: Revision::V2025_11_25, ..case } } else { case })),
    planted("listChanged is never judged", "C3", How::Blind("C3", "", any)),
    planted("listChanged may be null", "C3", How::Blind("C3", "", null)),
    planted("the request is not judged before it is put", "C1", How::Asks(|case| if case.target == Target::Capabilities { Case { request: None, ..case } } else { case })),
    planted("an undeclared capability is invalid params", "C4", How::Words(|_, words| if words.json_rpc["code"] == -32021 { words.json_rpc = json!({"code": -32602, "message": "Invalid params"}); })),
    planted("the error of a missing capability has no data", "C4", How::Words(|_, words| drop(words.json_rpc.as_object_mut().and_then(|error| error.remove("data"))))),
    planted("no client capabilities are empty ones", "C5", How::Blind("C5", "", nothing)),
    planted("client capabilities may be null", "C5", How::Blind("C5", "clientCapabilities", null)),
    planted("client capabilities may stand under nested names", "C5", How::Tree(|case, root| if case.target == Target::RequestMeta
        && let Some(nested) = member(root, "io.modelcontextprotocol").and_then(|outer| member(outer, "clientCapabilities")).cloned()
        && let Kind::Object(members) = &mut root.kind { members.push(Member { name: "io.modelcontextprotocol/clientCapabilities".to_owned(), name_end: root.end, value: Some(nested) }); })),
    // R: results.
    planted("roots null is an empty list", "R1", How::Blind("R1", "/roots", null)),
    planted("roots may be missing", "R1", How::Blind("R1", "", nothing)),
    planted("roots may be an object", "R1", How::Blind("R1", "/roots", |fault| fault.met == "object")),
    planted("an empty list is refused", "R1", How::Faults(|case, root, faults| if let Some(Node { kind: Kind::Array(items), end, is_whole: true, .. }) = result(case, root).and_then(|result| member(result, "roots"))
        && items.is_empty() { faults.push(fault("R1", *end, &format!("{}/roots", under(case)))); })),
    planted("a result null is an empty one", "R1", How::Blind("R1", "", |fault| null(fault) && !fault.at.ends_with("/roots"))),
    planted("names are compared without case", "R1", How::Tree(|case, root| if case.target == Target::Response { fold_names(root, "roots"); })),
    planted("an envelope is taken off", "R8", How::Tree(|case, root| if case.target == Target::Response && let Some(inner) = member(root, "result").cloned() { *root = inner; })),
    planted("an answer to something else is an empty list", "R8", How::Says(|case, verdict| match verdict {
        Verdict::Reject(refusal) if refusal.rule == "R1" && has_member(case, "action") => Verdict::Accept(Accepted::default()),
        other => other,
    })),
    planted("null entries are passed over", "R2", How::Tree(|case, root| entries(case, root, &mut |items| items.retain(|item| item.kind != Kind::Null)))),
    planted("a string is a root", "R2", How::Blind("R2", "", |fault| fault.met == "string" && !fault.at.ends_with("/uri"))),
    planted("uri may be missing", "R2", How::Blind("R2", "", nothing)),
    planted("uri may be null", "R2", How::Blind("R2", "/uri", null)),
    planted("uri may be a number", "R2", How::Blind("R2", "/uri", number)),
    planted("a null name passes", "R3", How::Blind("R3", "", null)),
    planted("a name is anything", "R3", How::Blind("R3", "", any)),
    planted("names are trimmed", "R3", How::Says(|_, verdict| with_names(verdict, |name| name.trim().to_owned()))),
    planted("names are normalised", "R3", How::Says(|_, verdict| with_names(verdict, |name| name.replace("e\u{301}", "\u{e9}")))),
    planted("an empty name is refused", "R3", How::Faults(|case, root, faults| each_root(case, root, &mut |index, entry| if let Some(Node { kind: Kind::String(name), end, .. }) = member(entry, "name")
        && name.is_empty() { faults.push(fault("R3", *end, &format!("{}/roots/{index}/name", under(case)))); }))),
    planted("_meta of a root may be null", "R4", How::Blind("R4", "", null)),
    planted("_meta of a root is not judged", "R4", How::Blind("R4", "", any)),
    planted("_meta of a root is judged in the oldest revisions", "R4", How::Asks(|case| if case.revision < Revision::V2025_06_18 { Case { revision: Revision::V2025_06_18, ..case } } else { case })),
    planted("_meta names are judged", "R4", How::Faults(|case, root, faults| each_root(case, root, &mut |index, entry| if case.revision >= Revision::V2025_06_18
        && let Some(Node { kind: Kind::Object(members), .. }) = member(entry, "_meta")
        && let Some(bad) = members.iter().find(|member| !member.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte))) { faults.push(fault("R4", bad.name_end, &format!("{}/roots/{index}/_meta", under(case)))); }))),
    planted("_meta of a result may be null", "R5", How::Blind("R5", "", null)),
    planted("_meta of a result is not judged", "R5", How::Blind("R5", "", any)),
    planted("_meta of a result is judged in the newest revision", "R5", How::Faults(|case, root, faults| if let (Revision::V2026_07_28, Some(meta)) = (case.revision, result(case, root).and_then(|result| member(result, "_meta")))
        && !matches!(meta.kind, Kind::Object(_) | Kind::Broken) { faults.push(fault("R5", meta.end, &format!("{}/_meta", under(case)))); })),
    planted("unknown members of a result are refused", "R6", How::Faults(|case, root, faults| if let Some(result) = result(case, root) { closed(result, &["roots", "_meta"], "R1", faults) })),
    planted("unknown members of a root are refused", "R6", How::Faults(|case, root, faults| each_root(case, root, &mut |_, entry| closed(entry, &["uri", "name", "_meta"], "R2", faults)))),
    planted("a cursor in a result is refused", "R6", How::Faults(|case, root, faults| if let Some(cursor) = result(case, root).and_then(|result| member(result, "nextCursor")) { faults.push(fault("R1", cursor.start, under(case))); })),
    planted("only the first root is judged", "R7", How::Blind("U1", "/uri", |fault| !fault.at.ends_with("/roots/0/uri"))),
    planted("only the grammar of the first root is judged", "R7", How::Blind("U2", "/uri", |fault| !fault.at.ends_with("/roots/0/uri"))),
    planted("only the last root is judged", "R7", How::Tree(|case, root| entries(case, root, &mut |items| if let Some(last) = items.pop() { *items = vec![last]; }))),
    planted("roots after the twentieth are not judged", "R7", How::Faults(|case, _, faults| faults.retain(|fault| root_index(case, &fault.at).is_none_or(|index| index < 20)))),
    planted("roots are counted in a byte, and judged up to their number", "R7", How::Faults(|case, root, faults| {
        let mut count = 0_usize;
        each_root(case, root, &mut |_, _| count += 1);
        faults.retain(|fault| root_index(case, &fault.at).is_none_or(|index| index < count % 256));
    })),
    planted("more than a hundred roots are refused", "R7", How::Faults(|case, root, faults| each_root(case, root, &mut |index, entry| if index == 100 { faults.push(fault("R1", entry.start, &format!("{}/roots", under(case)))); }))),
    planted("bad roots are dropped and the others given", "R7", How::Tree(|case, root| entries(case, root, &mut |items| items.retain(|item| member(item, "uri").is_some_and(|uri| matches!(&uri.kind, Kind::String(text) if text.starts_with("file://"))))))),
    planted("equal roots are merged", "R7", How::Says(|_, verdict| with_roots(verdict, Vec::dedup))),
    planted("roots are sorted", "R7", How::Says(|_, verdict| with_roots(verdict, |roots| roots.sort()))),
    // U: URIs.
    planted("the grammar is not looked at", "U2", How::Blind("U2", "", any)),
    planted("the prefix is not looked at", "U1", How::Blind("U1", "", |fault| fault.met.contains(':'))),
    planted("any string is a URI", "U1", How::Blind("U1", "", any)),
    planted("the prefix is compared without case", "U1", How::Blind("U1", "", |fault| fault.met.to_ascii_lowercase().starts_with("file://"))),
    planted("a leading blank is trimmed", "U1", How::Blind("U1", "", |fault| fault.met.trim_start().starts_with("file://"))),
    planted("one slash is enough", "U1", How::Blind("U1", "", |fault| fault.met.starts_with("file:/"))),
    planted("a path is a URI", "U1", How::Blind("U1", "", |fault| fault.met.starts_with('/'))),
    planted("a percent sign is not looked at", "U2", How::Blind("U2", "", |fault| fault.met.contains('%'))),
    planted("a percent sign at the end is not looked at", "U2", How::Blind("U2", "", |fault| fault.met.ends_with('%'))),
    planted("a raw space is allowed", "U2", How::Blind("U2", "", |fault| fault.met.contains(' '))),
    planted("letters that are not ASCII are allowed", "U2", How::Blind("U2", "", |fault| !fault.met.is_ascii())),
    planted("a backslash is allowed", "U2", How::Blind("U2", "", |fault| fault.met.contains('\\'))),
    planted("control characters are allowed", "U2", How::Blind("U2", "", |fault| fault.met.contains(|c: char| c.is_ascii_control()))),
    planted("a line break at the end is allowed", "U2", How::Blind("U2", "", |fault| fault.met.ends_with('\n'))),
    planted("brackets are allowed in a path", "U2", How::Blind("U2", "", |fault| fault.met.starts_with("file:///") && fault.met.contains(['[', ']']))),
    planted("braces and bars are allowed", "U2", How::Blind("U2", "", |fault| fault.met.contains(['{', '}', '|', '^', '`', '"', '<', '>']))),
    planted("a port is anything", "U2", How::Blind("U2", "", |fault| fault.met.starts_with("file://host:"))),
    planted("IP literals are not looked at", "U2", How::Blind("U2", "", |fault| fault.met.starts_with("file://["))),
    planted("a second fragment is allowed", "U2", How::Blind("U2", "", |fault| fault.met.matches('#').count() > 1)),
    planted("of a path the first sixteen bytes are looked at", "U2", How::Blind("U2", "", |fault| stray(&fault.met).is_some_and(|at| at >= 24))),
    planted("of a path whole sixteens of bytes are looked at", "U2", How::Blind("U2", "", |fault| fault.met.len() > 24 && stray(&fault.met).is_some_and(|at| at >= 8 + (fault.met.len() - 8) / 16 * 16))),
    planted("a path of less than sixteen bytes is not looked at", "U2", How::Blind("U2", "", |fault| fault.met.len() < 24 && stray(&fault.met).is_some_and(|at| at >= 8))),
    planted("a host is refused", "U2", How::Faults(|case, root, faults| refuse_uris(case, root, &|uri| uri.starts_with("file://") && !uri.starts_with("file:///"), faults))),
    planted("a query is refused", "U2", How::Faults(|case, root, faults| refuse_uris(case, root, &|uri| uri.contains('?'), faults))),
    planted("a fragment is refused", "U2", How::Faults(|case, root, faults| refuse_uris(case, root, &|uri| uri.contains('#'), faults))),
    planted("a long port is refused", "U2", How::Faults(|case, root, faults| refuse_uris(case, root, &|uri| uri.rsplit_once(':').is_some_and(|(_, port)| port.split('/').next().is_some_and(|port| port.parse::<u32>().is_ok_and(|port| port > 65535))), faults))),
    planted("IPvFuture is refused", "U2", How::Faults(|case, root, faults| refuse_uris(case, root, &|uri| uri.starts_with("file://[v"), faults))),
    planted("percent-encodings are written in upper case", "U3", How::Says(|_, verdict| with_uris(verdict, uppercase_percent))),
    planted("dot segments are resolved", "U3", How::Says(|_, verdict| with_uris(verdict, |uri| uri.replace("/./", "/").replace("/..", "")))),
    planted("a final slash is cut off", "U3", How::Says(|_, verdict| with_uris(verdict, |uri| uri.trim_end_matches('/').to_owned()))),
    planted("URIs are repaired", "U3", How::Tree(|case, root| entries(case, root, &mut |items| items.iter_mut().for_each(|item| edit_uri(item, &|uri| uri.trim().replace('\\', "/").replace(' ', "%20").replace(['\t', '\n'], "")))))),
    // A: the named answer.
    planted("a missing answer is invalid", "A1", How::Says(|_, verdict| if verdict == Verdict::Missing { refused("A2", "") } else { verdict })),
    planted("an invalid answer is missing", "A5", How::Says(|_, verdict| match verdict { Verdict::Reject(refusal) if refusal.at.starts_with("/client_roots") => Verdict::Missing, other => other })),
    planted("input responses null are absent", "A2", How::Says(|case, verdict| if case.target == Target::InputResponses && case.doc.trim_ascii() == b"null" { Verdict::Missing } else { verdict })),
    planted("a malformed neighbour refuses the map", "A3", How::Faults(|case, root, faults| if case.target == Target::InputResponses { each_neighbour(root, case.id, &|kind| matches!(kind, Kind::Object(_)), "A2", faults) })),
    planted("the id is compared without case", "A6", How::Tree(|case, root| if case.target == Target::InputResponses { fold_names(root, case.id); })),
    planted("the id is trimmed", "A6", How::Tree(|case, root| if case.target == Target::InputResponses && let Kind::Object(members) = &mut root.kind { for member in members { if member.name.trim() == case.id { case.id.clone_into(&mut member.name); } } })),
    planted("__proto__ is followed", "A6", How::Tree(|case, root| if case.target == Target::InputResponses && member(root, case.id).is_none() && let Some(proto) = member(root, "__proto__").cloned() && member(&proto, case.id).is_some() { *root = proto; })),
    planted("the first member answers whatever its id", "A6", How::Tree(|case, root| if case.target == Target::InputResponses && let Kind::Object(members) = &mut root.kind && let Some(first) = members.first_mut() { case.id.clone_into(&mut first.name); })),
    planted("an answer that looks like another is refused", "A5", How::Faults(|case, root, faults| if let Some(action) = result(case, root).and_then(|result| member(result, "action")) && case.target == Target::InputResponses { faults.push(fault("R1", action.start, under(case))); })),
    planted("the request is judged before the answer is looked for", "A4", How::Says(|case, verdict| if verdict == Verdict::Missing && case.request.is_some_and(|request| !reference::judge(&Case::new(Target::Request, request)).faults.is_empty()) { refused("A4", "") } else { verdict })),
    planted("the request is not judged", "A4", How::Asks(|case| if case.target == Target::InputResponses { Case { request: None, ..case } } else { case })),
    // E: errors.
    planted("the last fault is reported", "E4", How::Faults(|_, _, faults| if let Some(last) = faults.pop() { faults.insert(0, Fault { position: 0, ..last }); })),
    planted("what is missing is reported first", "E4", How::Faults(|_, _, faults| for fault in faults { if fault.met.is_empty() && !fault.rule.starts_with('J') { fault.position = 0; } })),
    planted("a wrong container is reported at its end", "E4", How::Faults(|_, root, faults| for fault in faults { if ["array", "object"].contains(&&*fault.met) { fault.position += root.end; } })),
    planted("no place is reported", "E5", How::Faults(|_, _, faults| for fault in faults { fault.at.clear(); })),
    planted("the place is the object around it", "E5", How::Faults(|_, _, faults| for fault in faults { fault.at = fault.at.rsplit_once('/').map_or(String::new(), |(object, _)| object.to_owned()); })),
    planted("indices count from one", "E5", How::Faults(|_, _, faults| for fault in faults { fault.at = fault.at.replace("/roots/0", "/roots/1"); })),
    planted("a fault of text has a place", "E5", How::Faults(|_, _, faults| for fault in faults { if fault.rule == "J6" { fault.at = format!("/{}", fault.met); } })),
    planted("the place is not under the id", "E5", How::Faults(|case, _, faults| for fault in faults { if case.target == Target::InputResponses { fault.at = fault.at.replacen(under(case), "", 1); } })),
    planted("the text for the developer repeats the document", "E2", How::Words(|case, words| words.display += &String::from_utf8_lossy(case.doc))),
    planted("the text for the developer tells the length", "E3", How::Words(|case, words| words.display += &case.doc.len().to_string())),
    planted("the message for the peer tells the rule", "E1", How::Words(|_, words| words.json_rpc["message"] = json!(words.display))),
    planted("the error for the peer repeats the document", "E1", How::Words(|case, words| words.json_rpc["data"] = json!(String::from_utf8_lossy(case.doc)))),
];

fn array_at_top(fault: &Fault) -> bool {
    array(fault) && !fault.at.ends_with("/roots")
}

/// Where the first byte stands that no file URI can hold.
fn stray(uri: &str) -> Option<usize> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    uri.starts_with("file:///").then(|| uri.bytes().position(|byte| !is_allowed(byte))).flatten()
}

fn fault(rule: &'static str, position: usize, at: &str) -> Fault {
    Fault { position, rule, at: at.to_owned(), met: String::new() }
}

fn refused(rule: &str, at: &str) -> Verdict {
    Verdict::Reject(Refusal { rule: rule.to_owned(), at: at.to_owned() })
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(byte) = rest.first() {
        if let Some(after) = rest.strip_prefix(from) {
            out.extend(to);
            rest = after;
        } else {
            out.push(*byte);
            rest = &rest[1..];
        }
    }
    out
}

fn without_what_follows(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let reading = reference::read(text);
    // A value that is whole where the text breaks has something after it.
    if reading.root.is_whole { bytes[..reading.root.end].to_vec() } else { bytes.to_vec() }
}

fn is_bare(case: &Case<'_>) -> bool {
    case.target == Target::Request && !case.revision.is_initialize_era()
}

fn member<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    laws::member(node, name)
}

fn result<'n>(case: &Case<'_>, root: &'n Node) -> Option<&'n Node> {
    laws::result_of(case, root)
}

/// The pointer to the result.
fn under(case: &Case<'_>) -> &'static str {
    if case.target == Target::InputResponses && case.id == Case::ID { "/client_roots" } else { "" }
}

fn has_member(case: &Case<'_>, name: &str) -> bool {
    std::str::from_utf8(case.doc).is_ok_and(|text| {
        let root = reference::read(text).root;
        result(case, &root).is_some_and(|result| member(result, name).is_some())
    })
}

fn needs(object: &Node, name: &str, rule: &'static str, faults: &mut Vec<Fault>) {
    if matches!(object.kind, Kind::Object(_)) && object.is_whole && member(object, name).is_none() {
        faults.push(fault(rule, object.end, ""));
    }
}

/// Refuses members of other names.
fn closed(object: &Node, names: &[&str], rule: &'static str, faults: &mut Vec<Fault>) {
    if let Kind::Object(members) = &object.kind {
        let others = members.iter().filter(|member| !names.contains(&&*member.name));
        faults.extend(others.map(|member| fault(rule, member.name_end, "")));
    }
}

fn each_neighbour(
    object: &Node,
    name: &str,
    is_right: &dyn Fn(&Kind) -> bool,
    rule: &'static str,
    faults: &mut Vec<Fault>,
) {
    if let Kind::Object(members) = &object.kind {
        for member in members.iter().filter(|member| member.name != name) {
            if let Some(value) = member.value.as_ref().filter(|value| !is_right(&value.kind)) {
                faults.push(fault(rule, value.start, ""));
            }
        }
    }
}

/// Gives the member its right name if it has it in another case.
fn fold_names(object: &mut Node, name: &str) {
    if let Kind::Object(members) = &mut object.kind {
        for member in members {
            if member.name.eq_ignore_ascii_case(name) {
                name.clone_into(&mut member.name);
            }
        }
    }
}

fn add_missing(object: &mut Node, name: &str, text: &str) {
    let (is_whole, end, has_it) = (object.is_whole, object.end, member(object, name).is_some());
    if let Kind::Object(members) = &mut object.kind
        && is_whole
        && !has_it
    {
        let value = Node { start: end, end, kind: Kind::String(text.to_owned()), is_whole };
        members.push(Member { name: name.to_owned(), name_end: end, value: Some(value) });
    }
}

fn each_member(node: &Node, visit: &mut dyn FnMut(&Member)) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| each_member(item, visit)),
        Kind::Object(members) => {
            for member in members {
                visit(member);
                if let Some(value) = &member.value {
                    each_member(value, visit);
                }
            }
        }
        _ => {}
    }
}

fn each_object(node: &mut Node, visit: &mut dyn FnMut(&mut Vec<Member>)) {
    if let Kind::Object(members) = &mut node.kind {
        visit(members);
    }
    each_object_below(node, visit);
}

fn each_object_below(node: &mut Node, visit: &mut dyn FnMut(&mut Vec<Member>)) {
    match &mut node.kind {
        Kind::Array(items) => items.iter_mut().for_each(|item| each_object(item, visit)),
        Kind::Object(members) => {
            for value in members.iter_mut().filter_map(|member| member.value.as_mut()) {
                each_object(value, visit);
            }
        }
        _ => {}
    }
}

fn keep_one_of_each(members: &mut Vec<Member>, last: bool) {
    let mut names = Vec::new();
    let mut is_first = |member: &Member| {
        let is_first = !names.contains(&member.name);
        names.push(member.name.clone());
        is_first
    };
    if last {
        members.reverse();
    }
    members.retain(|member| is_first(member));
    if last {
        members.reverse();
    }
}

fn each_repeated(node: &Node, are_equal: &dyn Fn(&str, &str) -> bool, faults: &mut Vec<Fault>) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| each_repeated(item, are_equal, faults)),
        Kind::Object(members) => {
            for (index, member) in members.iter().enumerate() {
                if members[..index].iter().any(|before| are_equal(&before.name, &member.name)) {
                    faults.push(fault("J6", member.name_end, ""));
                }
                if let Some(value) = &member.value {
                    each_repeated(value, are_equal, faults);
                }
            }
        }
        _ => {}
    }
}

fn each_root(case: &Case<'_>, root: &Node, visit: &mut dyn FnMut(usize, &Node)) {
    if let Some(Node { kind: Kind::Array(items), .. }) =
        result(case, root).and_then(|result| member(result, "roots"))
    {
        items.iter().enumerate().for_each(|(index, item)| visit(index, item));
    }
}

fn member_mut<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Kind::Object(members) = &mut node.kind else { return None };
    members.iter_mut().find(|member| member.name == name)?.value.as_mut()
}

fn entries(case: &Case<'_>, root: &mut Node, edit: &mut dyn FnMut(&mut Vec<Node>)) {
    let result = match case.target {
        Target::Response => Some(root),
        Target::InputResponses => member_mut(root, case.id),
        _ => None,
    };
    if let Some(Node { kind: Kind::Array(items), .. }) = result.and_then(|result| member_mut(result, "roots"))
    {
        edit(items);
    }
}

fn edit_uri(entry: &mut Node, edit: &dyn Fn(&str) -> String) {
    if let Some(Node { kind: Kind::String(uri), .. }) = member_mut(entry, "uri") {
        *uri = edit(uri);
    }
}

/// The index of the root that a place is in.
fn root_index(case: &Case<'_>, at: &str) -> Option<usize> {
    let rest = at.strip_prefix(under(case))?.strip_prefix("/roots/")?;
    rest.split('/').next()?.parse().ok()
}

fn refuse_uris(case: &Case<'_>, root: &Node, is_refused: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) {
    each_root(case, root, &mut |index, entry| {
        if let Some(Node { kind: Kind::String(uri), end, .. }) = member(entry, "uri")
            && is_refused(uri)
        {
            faults.push(fault("U2", *end, &format!("{}/roots/{index}/uri", under(case))));
        }
    });
}

fn with_names(verdict: Verdict, edit: fn(&str) -> String) -> Verdict {
    with_roots(verdict, |roots| {
        for (_, name) in roots {
            *name = name.as_deref().map(edit);
        }
    })
}

fn with_roots(verdict: Verdict, edit: impl FnOnce(&mut Vec<(String, Option<String>)>)) -> Verdict {
    match verdict {
        Verdict::Accept(mut accepted) => {
            edit(&mut accepted.roots);
            Verdict::Accept(accepted)
        }
        other => other,
    }
}

fn with_uris(verdict: Verdict, edit: impl Fn(&str) -> String) -> Verdict {
    with_roots(verdict, |roots| roots.iter_mut().for_each(|(uri, _)| *uri = edit(uri)))
}

fn uppercase_percent(uri: &str) -> String {
    let mut parts = uri.split('%');
    let mut upper = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        upper = format!("{upper}%{}{rest}", digits.to_ascii_uppercase());
    }
    upper
}
