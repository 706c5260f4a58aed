use iri_string::types::UriStr;
use mcp_roots::Revision;

use super::reader::{Kind, Member, Node, Reading, read};
use crate::{Case, Target};

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Offset in the text at which the fault is certain.
    pub position: usize,
    /// The rule's id.
    pub rule: &'static str,
    /// JSON pointer to the place.
    pub at: String,
    /// What was met there: the type of a value of the wrong one, a string that is not the right one,
    /// a name that is one too many; nothing of what is missing.
    pub met: String,
}

/// All that can be said of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Every fault, the first in reading order first.
    pub faults: Vec<Fault>,
    /// Whether there is no answer to judge (A1).
    pub is_missing: bool,
}

/// Judges a case by its text.
///
/// ```
/// use mcp_roots_proptests::{Case, Target, reference};
/// let doc = br#"{"roots":[{"uri":"/a","name":null}]}"#;
/// let judgement = reference::judge(&Case::new(Target::Response, doc));
/// let faults: Vec<_> = judgement.faults.iter().map(|fault| fault.rule).collect();
/// assert_eq!(faults, ["U1", "R3"]);
/// ```
#[must_use]
pub fn judge(case: &Case<'_>) -> Judgement {
    let reading = std::str::from_utf8(case.doc).ok().map(read);
    judge_reading(case, reading.as_ref())
}

/// Judges a case by what [`read`] made of its document, `None` where that is not UTF-8.
///
/// ```
/// use mcp_roots_proptests::{Case, Target, reference};
/// let judgement = reference::judge_reading(&Case::new(Target::Response, b"[]"), Some(&reference::read("[]")));
/// assert_eq!(judgement.faults[0].rule, "R1");
/// ```
#[must_use]
pub fn judge_reading(case: &Case<'_>, reading: Option<&Reading>) -> Judgement {
    if case.target == Target::Capabilities && !request_is_bare(case) {
        // Of two documents the request is judged first, and faults in it have their places there.
        return Judgement { faults: request_faults(case), is_missing: false };
    }
    let Some(reading) = reading else {
        let not_utf8 = Fault { position: 0, rule: "J1", at: String::new(), met: String::new() };
        return Judgement { faults: vec![not_utf8], is_missing: false };
    };
    let mut judge = Judge { revision: case.revision, faults: Vec::new() };
    let root = &reading.root;
    let mut is_missing = false;
    match case.target {
        Target::Response => judge.result(root, ""),
        Target::Request if case.revision == Revision::V2026_07_28 => judge.bare_request(root),
        Target::Request => judge.wire_request(root),
        Target::Capabilities => judge.capabilities(root),
        Target::InputResponses => is_missing = !judge.input_responses(root, case),
        Target::RequestMeta => judge.request_meta(root),
    }
    judge.duplicates(root);
    if let Some(position) = reading.broken_at {
        judge.fault("J2", position, "", "");
    }
    let mut faults = judge.faults;
    faults.sort_by_key(|fault| fault.position);
    is_missing &= faults.is_empty();
    Judgement { faults, is_missing }
}

fn request_faults(case: &Case<'_>) -> Vec<Fault> {
    let request = case.request.unwrap_or(br#"{"method":"roots/list","params":{}}"#);
    judge(&Case::new(Target::Request, request)).faults
}

fn request_is_bare(case: &Case<'_>) -> bool {
    request_faults(case).is_empty()
}

struct Judge {
    revision: Revision,
    faults: Vec<Fault>,
}

impl Judge {
    fn fault(&mut self, rule: &'static str, position: usize, at: &str, met: &str) {
        self.faults.push(Fault { position, rule, at: at.to_owned(), met: met.to_owned() });
    }

    /// The members, or else the fault of a value that is no object.
    fn object<'n>(&mut self, node: &'n Node, rule: &'static str, at: &str) -> Option<&'n [Member]> {
        match &node.kind {
            Kind::Object(members) => return Some(members),
            Kind::Broken => {}
            _ => self.wrong_type(node, rule, at),
        }
        None
    }

    /// A container is of the wrong type from its bracket on, a scalar once it is read.
    fn wrong_type(&mut self, node: &Node, rule: &'static str, at: &str) {
        let is_container = matches!(node.kind, Kind::Array(_) | Kind::Object(_));
        self.fault(rule, if is_container { node.start } else { node.end }, at, node.kind.name());
    }

    /// What is missing is missing once the object is closed.
    fn needs(&mut self, object: &Node, name: &str, rule: &'static str, at: &str) {
        if object.is_whole && values(object, name).next().is_none() {
            self.fault(rule, object.end, at, "");
        }
    }

    fn string<'n>(&mut self, node: &'n Node, rule: &'static str, at: &str) -> Option<&'n str> {
        match &node.kind {
            Kind::String(text) => return Some(text),
            Kind::Broken => {}
            _ => self.wrong_type(node, rule, at),
        }
        None
    }

    fn is_exactly(&mut self, node: &Node, expected: &str, rule: &'static str, at: &str) {
        if let Some(text) = self.string(node, rule, at).filter(|text| *text != expected) {
            self.fault(rule, node.end, at, text);
        }
    }

    fn identifier(&mut self, node: &Node, at: &str) {
        match &node.kind {
            Kind::String(_) | Kind::Broken => {}
            Kind::Number(spelling) if is_integer(spelling) => {}
            _ => self.wrong_type(node, "Q5", at),
        }
    }

    fn result(&mut self, node: &Node, at: &str) {
        if self.object(node, "R1", at).is_none() {
            return;
        }
        self.needs(node, "roots", "R1", at);
        for roots in values(node, "roots") {
            match &roots.kind {
                Kind::Array(entries) => {
                    for (index, entry) in entries.iter().enumerate() {
                        self.root(entry, &format!("{at}/roots/{index}"));
                    }
                }
                Kind::Broken => {}
                _ => self.wrong_type(roots, "R1", &format!("{at}/roots")),
            }
        }
        if self.revision != Revision::V2026_07_28 {
            for meta in values(node, "_meta") {
                self.object(meta, "R5", &format!("{at}/_meta"));
            }
        }
    }

    fn root(&mut self, node: &Node, at: &str) {
        if self.object(node, "R2", at).is_none() {
            return;
        }
        self.needs(node, "uri", "R2", at);
        for uri in values(node, "uri") {
            let at = format!("{at}/uri");
            if let Some(text) = self.string(uri, "R2", &at) {
                if !text.starts_with("file://") {
                    self.fault("U1", uri.end, &at, text);
                } else if UriStr::new(text).is_err() {
                    self.fault("U2", uri.end, &at, text);
                }
            }
        }
        for name in values(node, "name") {
            self.string(name, "R3", &format!("{at}/name"));
        }
        if !["2024-11-05", "2025-03-26"].contains(&self.revision.to_string().as_str()) {
            for meta in values(node, "_meta") {
                self.object(meta, "R4", &format!("{at}/_meta"));
            }
        }
    }

    fn bare_request(&mut self, node: &Node) {
        let Some(members) = self.object(node, "Q2", "") else { return };
        self.needs(node, "method", "Q2", "");
        for Member { name, name_end, value } in members {
            match (name.as_str(), value) {
                ("method", Some(method)) => self.is_exactly(method, "roots/list", "Q2", "/method"),
                ("params", Some(params)) => self.bare_params(params),
                ("method" | "params", None) => {}
                _ => self.fault("Q3", *name_end, "", name),
            }
        }
    }

    fn bare_params(&mut self, node: &Node) {
        for Member { name, name_end, value } in self.object(node, "Q4", "/params").unwrap_or_default() {
            match (name.as_str(), value) {
                ("_meta", Some(meta)) => drop(self.object(meta, "Q4", "/params/_meta")),
                ("_meta", None) => {}
                _ => self.fault("Q4", *name_end, "/params", name),
            }
        }
    }

    fn wire_request(&mut self, node: &Node) {
        if self.object(node, "Q5", "").is_none() {
            return;
        }
        // In this order when several are missing (E4).
        self.needs(node, "method", "Q2", "");
        self.needs(node, "jsonrpc", "Q5", "");
        self.needs(node, "id", "Q5", "");
        for method in values(node, "method") {
            self.is_exactly(method, "roots/list", "Q2", "/method");
        }
        for version in values(node, "jsonrpc") {
            self.is_exactly(version, "2.0", "Q5", "/jsonrpc");
        }
        for id in values(node, "id") {
            self.identifier(id, "/id");
        }
        for params in values(node, "params") {
            self.object(params, "Q5", "/params");
            for meta in values(params, "_meta") {
                self.object(meta, "Q5", "/params/_meta");
                for token in values(meta, "progressToken") {
                    self.identifier(token, "/params/_meta/progressToken");
                }
            }
        }
    }

    fn capabilities(&mut self, node: &Node) {
        if self.object(node, "C1", "").is_none() {
            return;
        }
        self.needs(node, "roots", "C1", "");
        for roots in values(node, "roots") {
            self.object(roots, "C1", "/roots");
            if self.revision == Revision::V2026_07_28 {
                continue;
            }
            for list_changed in values(roots, "listChanged") {
                if !matches!(list_changed.kind, Kind::Bool(_) | Kind::Broken) {
                    self.wrong_type(list_changed, "C3", "/roots/listChanged");
                }
            }
        }
    }

    fn request_meta(&mut self, node: &Node) {
        const KEY: &str = "io.modelcontextprotocol/clientCapabilities";
        if self.object(node, "C5", "").is_none() {
            return;
        }
        self.needs(node, KEY, "C5", "");
        for capabilities in values(node, KEY) {
            self.object(capabilities, "C5", "/io.modelcontextprotocol~1clientCapabilities");
        }
    }

    /// Whether there is an answer under the id.
    fn input_responses(&mut self, node: &Node, case: &Case<'_>) -> bool {
        let members = self.object(node, "A2", "").unwrap_or_default();
        let mut is_there = false;
        for Member { name_end, value, .. } in members.iter().filter(|member| member.name == case.id) {
            is_there = true;
            if !request_is_bare(case) {
                self.fault("A4", *name_end, "", "");
            }
            if let Some(answer) = value {
                self.result(answer, &format!("/{}", case.id.replace('~', "~0").replace('/', "~1")));
            }
        }
        is_there
    }

    fn duplicates(&mut self, node: &Node) {
        match &node.kind {
            Kind::Array(items) => items.iter().for_each(|item| self.duplicates(item)),
            Kind::Object(members) => {
                let mut names = std::collections::BTreeSet::new();
                for Member { name, name_end, value } in members {
                    if !names.insert(name) {
                        self.fault("J6", *name_end, "", name);
                    }
                    if let Some(value) = value {
                        self.duplicates(value);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The values under a name; none if the node is no object.
fn values<'n>(node: &'n Node, name: &str) -> impl Iterator<Item = &'n Node> {
    let members = if let Kind::Object(members) = &node.kind { members.as_slice() } else { &[] };
    members.iter().filter(move |member| member.name == name).filter_map(|member| member.value.as_ref())
}

/// An integer as JSON Schema counts them, in f64 as J3 reads numbers.
fn is_integer(spelling: &str) -> bool {
    spelling.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
}
