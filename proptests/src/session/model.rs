//! What is right, by looking back over all that happened.

use mcp_roots::{RequestId, Revision};

use super::{Event, Held, MALFORMED, Reply, Roots, Session, View, error, invalid, undeclared};
use crate::reference::{self, Kind, Node};
use crate::{Case, Target, laws};

/// A session that keeps what happened, and looks it up: no state but the past.
#[derive(Debug, Clone)]
pub struct Model {
    revision: Revision,
    past: Vec<Fact>,
    /// Every id that a request was or would have been sent under.
    ids: Vec<RequestId>,
    reply: Reply,
}

/// Something that happened and matters.
#[derive(Debug, Clone)]
enum Fact {
    /// The initialize request declared roots; whether with changes.
    Declared(bool),
    /// It did not.
    Undeclared(String),
    Initialized,
    ListChanged,
    Refresh,
    Sent(RequestId),
    Ended(End),
}

/// How a request ended.
#[derive(Debug, Clone)]
enum End {
    List(Roots),
    NotFound,
    Failed(String),
    NoAnswer,
}

impl Model {
    /// Nothing happened yet.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::session::{Model, Session, View};
    /// assert_eq!(Model::new(Revision::V2025_11_25).view(), View::NotAsked);
    /// ```
    #[must_use]
    pub const fn new(revision: Revision) -> Self {
        Self { revision, past: Vec::new(), ids: Vec::new(), reply: Reply::Nothing }
    }

    /// By whose rules.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What it said to the last event.
    #[must_use]
    pub const fn reply(&self) -> &Reply {
        &self.reply
    }

    /// The ids that requests were asked for under, sent or not.
    #[must_use]
    pub fn ids(&self) -> &[RequestId] {
        &self.ids
    }

    /// The id of the request in flight: the last one sent, if it has not ended.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::session::Model;
    /// assert_eq!(Model::new(Revision::V2025_11_25).in_flight(), None);
    /// ```
    #[must_use]
    pub fn in_flight(&self) -> Option<&RequestId> {
        match self.last(|fact| matches!(fact, Fact::Sent(_) | Fact::Ended(_))) {
            Some((_, Fact::Sent(id))) => Some(id),
            _ => None,
        }
    }

    /// Whether the handshake waits for an initialize request, and whether for `initialized`.
    pub(super) fn awaits(&self) -> (bool, bool) {
        let is_begun = self.handshake().is_some();
        (!is_begun, is_begun && !self.has(|fact| matches!(fact, Fact::Initialized)))
    }

    fn last(&self, is_it: impl Fn(&Fact) -> bool) -> Option<(usize, &Fact)> {
        self.past.iter().enumerate().rev().find(|(_, fact)| is_it(fact))
    }

    fn has(&self, is_it: impl Fn(&Fact) -> bool) -> bool {
        self.past.iter().any(is_it)
    }

    fn handshake(&self) -> Option<&Fact> {
        self.past.iter().find(|fact| matches!(fact, Fact::Declared(_) | Fact::Undeclared(_)))
    }

    fn unsupported(&self) -> Option<String> {
        if !self.revision.is_initialize_era() {
            return Some("revision".to_owned());
        }
        if let Some(Fact::Undeclared(why)) = self.handshake() {
            return Some(why.clone());
        }
        let is_not_found = |fact: &Fact| matches!(fact, Fact::Ended(End::NotFound));
        self.has(is_not_found).then(|| "method not found".to_owned())
    }

    /// Never asked, or something happened since the last request was sent that asks for another (L3).
    fn is_due(&self) -> bool {
        let Some((sent, _)) = self.last(|fact| matches!(fact, Fact::Sent(_))) else { return true };
        self.past[sent..].iter().any(|fact| matches!(fact, Fact::ListChanged | Fact::Refresh))
    }

    /// The last list, and whether a change was announced since the request for it was sent (L4, L5).
    fn list(&self) -> Held {
        let Some((end, Fact::Ended(End::List(roots)))) =
            self.last(|fact| matches!(fact, Fact::Ended(End::List(_))))
        else {
            return Held::Nothing;
        };
        let sent = self.past[..end].iter().rposition(|fact| matches!(fact, Fact::Sent(_)));
        let since = &self.past[sent.expect("it was asked for")..];
        if since.iter().any(|fact| matches!(fact, Fact::ListChanged)) {
            Held::Stale(roots.clone())
        } else {
            Held::Current(roots.clone())
        }
    }

    fn ask(&mut self, id: &RequestId) -> Reply {
        let is_ready = self.has(|fact| matches!(fact, Fact::Initialized));
        let is_right =
            is_ready && self.unsupported().is_none() && self.in_flight().is_none() && self.is_due();
        self.ids.push(id.clone());
        if !is_right {
            return Reply::NotSent;
        }
        self.past.push(Fact::Sent(id.clone()));
        let id = super::json_of(id);
        Reply::Sent(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list","params":{{}}}}"#))
    }

    /// Ends the request in flight, if it is the one meant.
    fn end(&mut self, is_meant: bool, end: End) -> Reply {
        if !is_meant {
            return Reply::Ignored;
        }
        self.past.push(Fact::Ended(end));
        Reply::Taken
    }

    fn response(&mut self, text: &str) -> Reply {
        let message = match read(text) {
            Message::Object(node) => node,
            Message::NoObject => return Reply::Ignored,
            Message::Broken(rule) => return Reply::Unreadable(rule.to_owned()),
        };
        let is_meant = self.in_flight().is_some_and(|id| is_answer_to(&message, id));
        if !is_meant {
            return Reply::Ignored;
        }
        let (result, error) = (laws::member(&message, "result"), laws::member(&message, "error"));
        let end = match (result, error) {
            (Some(result), None) => self.result(&text[result.start..result.end], "/result"),
            (None, Some(error)) => failed(laws::member(error, "code").and_then(integer)),
            _ => End::Failed(MALFORMED.to_owned()),
        };
        self.end(true, end)
    }

    fn result(&self, text: &str, place: &str) -> End {
        result(self.revision, text, place).map_or_else(End::Failed, End::List)
    }
}

impl Session for Model {
    fn see(&mut self, event: &Event) -> Reply {
        let is_meant = |id: &RequestId| self.in_flight() == Some(id);
        self.reply = match event {
            Event::Initialize(params) => match declaration(params, self.revision) {
                Err(rule) => Reply::Unreadable(rule.to_owned()),
                Ok(declared) => {
                    if self.handshake().is_none() {
                        self.past.push(declared.map_or_else(Fact::Undeclared, Fact::Declared));
                    }
                    Reply::Nothing
                }
            },
            Event::Initialized => {
                if self.handshake().is_some() {
                    self.past.push(Fact::Initialized);
                }
                Reply::Nothing
            }
            Event::ListChanged => {
                self.past.push(Fact::ListChanged);
                Reply::Nothing
            }
            Event::Refresh => {
                if self.in_flight().is_none() {
                    self.past.push(Fact::Refresh);
                }
                Reply::Nothing
            }
            Event::Ask(id) => self.ask(id),
            Event::Response(message) => self.response(message),
            Event::Result(id, text) => self.end(is_meant(id), self.result(text, "")),
            Event::Error(id, code) => self.end(is_meant(id), failed(Some(*code))),
            Event::Deadline(id) => self.end(is_meant(id), End::NoAnswer),
        };
        self.reply.clone()
    }

    fn view(&self) -> View {
        if let Some(why) = self.unsupported() {
            return View::Unsupported(why);
        }
        if self.in_flight().is_some() {
            return View::Asked(self.list());
        }
        match (self.last(|fact| matches!(fact, Fact::Ended(_))), self.list()) {
            (None, _) => View::NotAsked,
            (Some((_, Fact::Ended(End::NoAnswer))), held) => View::NoAnswer(held),
            (Some((_, Fact::Ended(End::Failed(how)))), held) => View::Failed(how.clone(), held),
            (Some(_), Held::Current(roots)) => {
                View::Current(roots, matches!(self.handshake(), Some(Fact::Declared(true))))
            }
            (Some(_), Held::Stale(roots)) => View::Stale(roots),
            (Some(_), Held::Nothing) => unreachable!("it ended with a list"),
        }
    }
}

fn failed(code: Option<i64>) -> End {
    if code == Some(-32601) { End::NotFound } else { End::Failed(error(code)) }
}

/// A text that should hold an object.
pub(super) enum Message {
    Object(Node),
    NoObject,
    /// It breaks this rule of J.
    Broken(&'static str),
}

pub(super) fn read(text: &str) -> Message {
    let root = reference::read(text).root;
    let is_object = matches!(root.kind, Kind::Object(_));
    // Of another value the type is the first fault (E4).
    let faults = reference::judge(&Case::new(Target::RequestMeta, text.as_bytes())).faults;
    let fault = faults.iter().find(|fault| !is_object || fault.rule.starts_with('J'));
    match fault.map(|fault| fault.rule) {
        Some(rule) if rule.starts_with('J') => Message::Broken(rule),
        _ if is_object => Message::Object(root),
        _ => Message::NoObject,
    }
}

/// The first rule of J that a text breaks, wherever it does.
pub(super) fn broken_rule(text: &str) -> Option<&'static str> {
    let faults = reference::judge(&Case::new(Target::RequestMeta, text.as_bytes())).faults;
    faults.iter().map(|fault| fault.rule).find(|rule| rule.starts_with('J'))
}

/// Whether the `params` of an initialize request declare roots, and then whether with changes; or why
/// not. The rule that they break, if they cannot be read.
pub(super) fn declaration(params: &str, revision: Revision) -> Result<Result<bool, String>, &'static str> {
    let params_node = match read(params) {
        Message::Object(node) => node,
        Message::NoObject => return Ok(Err(undeclared("C1", ""))),
        Message::Broken(rule) => return Err(rule),
    };
    let Some(capabilities) = laws::member(&params_node, "capabilities") else {
        return Ok(Err(undeclared("C1", "")));
    };
    let text = &params[capabilities.start..capabilities.end];
    let case = Case { revision, ..Case::new(Target::Capabilities, text.as_bytes()) };
    if let Some(fault) = reference::judge(&case).faults.first() {
        return Ok(Err(undeclared(fault.rule, &format!("/capabilities{}", fault.at))));
    }
    let changes = laws::member(capabilities, "roots").and_then(|roots| laws::member(roots, "listChanged"));
    Ok(Ok(changes.is_some_and(|changes| matches!(changes.kind, Kind::Bool(true)))))
}

/// Whether a message answers the request of this id: the client's own requests have a method.
pub(super) fn is_answer_to(message: &Node, id: &RequestId) -> bool {
    let has_id = match (laws::member(message, "id").map(|node| &node.kind), id) {
        (Some(Kind::String(other)), RequestId::String(own)) => own == other,
        (Some(Kind::Number(spelling)), RequestId::Integer(own)) => {
            spelling.parse::<f64>() == own.to_string().parse::<f64>()
        }
        _ => false,
    };
    has_id && laws::member(message, "method").is_none()
}

/// The roots of a result, or what is wrong with it.
pub(super) fn result(revision: Revision, text: &str, place: &str) -> Result<Roots, String> {
    let case = Case { revision, ..Case::new(Target::Response, text.as_bytes()) };
    match reference::judge(&case).faults.first() {
        None => Ok(laws::roots_of(&case, &reference::read(text).root)),
        Some(fault) if fault.rule.starts_with('J') => Err(invalid(fault.rule, "")),
        Some(fault) => Err(invalid(fault.rule, &format!("{place}{}", fault.at))),
    }
}

/// The integer that a number is, if f64 has its neighbours too.
pub(super) fn integer(node: &Node) -> Option<i64> {
    let Kind::Number(spelling) = &node.kind else { return None };
    let number = spelling.parse::<f64>().ok()?;
    let is_exact = number.fract() == 0.0 && number.abs() < 2_f64.powi(53);
    is_exact.then(|| format!("{number:.0}").parse().expect("an integer"))
}
