//! Wrong sessions: the plain state machine that anybody would write, with one mistake at a time.

use mcp_roots::{RequestId, Revision};

use super::model::{self, Message};
use super::{Event, Held, MALFORMED, Reply, Roots, Session, View, error, json_of};
use crate::laws;
use crate::reference::{Kind, Node};

/// A wrong session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlantedSession {
    /// What is wrong with it.
    pub name: &'static str,
    /// The rule that it breaks.
    pub rule: &'static str,
    flaw: Flaw,
}

macro_rules! planted {
    ($($flaw:ident: $rule:literal, $name:literal;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Flaw { None, $($flaw),+ }

        /// The planted faults.
        pub const PLANTED_SESSIONS: &[PlantedSession] =
            &[$(PlantedSession { name: $name, rule: $rule, flaw: Flaw::$flaw }),+];
    };
}

planted! {
    AsksAtOnce: "L1", "asks once the initialize request is seen";
    EarlyInitialized: "L1", "an initialized before the initialize request counts";
    ChangeOpens: "L1", "a list_changed stands for initialized";
    SecondInitialize: "L1", "a second initialize request declares anew";
    AsksUndeclared: "L2", "asks a client that did not declare roots";
    TruthyDeclaration: "L2", "roots: true declares roots";
    UndeclaredIsEmpty: "L2", "a client without roots has an empty list";
    AsksLater: "L2", "a list_changed makes up for the declaration";
    AsksNewRevision: "L2", "asks in a revision without requests over the session";
    TwoInFlight: "L3", "asks while a request is in flight";
    AlwaysDue: "L3", "asks on every use";
    NoRefresh: "L3", "a refresh does nothing";
    RefreshAddsUp: "L3", "a refresh while a request is in flight makes another due";
    ChangesAddUp: "L3", "two notifications make two requests due";
    StaleIsCurrent: "L4", "a list_changed leaves the list current";
    ChangeAsksNothing: "L4", "a list_changed makes nothing due";
    ChangeDropsList: "L4", "a list_changed drops the list";
    StaleWhileAsked: "L4", "the stale list is current while the next is asked for";
    InFlightIsFresh: "L5", "an answer that a list_changed overtook is current";
    InFlightAsksNothing: "L5", "a list_changed while a request is in flight makes nothing due";
    AnyId: "L6", "any answer is taken, whatever its id";
    IdsAsText: "L6", "ids are compared as text";
    IdsAsSpelled: "L6", "ids are compared as they are spelled";
    LateAnswer: "L6", "an answer after the deadline is taken";
    AnyDeadline: "L6", "any deadline ends the flight";
    OwnRequest: "L6", "the client's own request of that id is taken for the answer";
    NotFoundFails: "L7", "method not found is a failure like others";
    NotFoundForgotten: "L7", "a list_changed makes up for method not found";
    ErrorIsUnsupported: "L7", "any error means unsupported";
    ErrorIsEmpty: "L7", "an error is an empty list";
    ErrorDropsList: "L7", "an error drops the list";
    ErrorIsDue: "L7", "after an error it asks again of its own accord";
    InvalidIsEmpty: "L7", "an invalid result is an empty list";
    InvalidKeepsGood: "L7", "the good roots of an invalid result are taken";
    BothIsResult: "L7", "of a result and an error the result is taken";
    BothIsError: "L7", "of a result and an error the error is taken";
    NeitherIsEmpty: "L7", "an answer with neither is an empty list";
    NoDeadline: "L8", "waits for ever";
    SilenceIsEmpty: "L8", "silence is an empty list";
    SilenceIsUnsupported: "L8", "silence means unsupported";
    SilenceFails: "L8", "silence is an error";
    SilenceIsNotAsked: "L8", "silence leaves the view as if nothing was asked";
    SilenceDropsList: "L8", "silence drops the list";
    EmptyIgnored: "L9", "an empty list leaves the old one";
    EmptyIsNothing: "L9", "an empty list is none";
    ListsMerge: "L9", "a new list is added to the old one";
    FollowsCursor: "L10", "a cursor in the result makes the next page due";
    SendsCursor: "L10", "asks for the first page";
    AlwaysAnnounced: "L11", "every client announces changes";
    PresenceAnnounces: "L11", "listChanged: false announces changes";
    UnannouncedIgnored: "L11", "a list_changed that was not announced is ignored";
    BareRequest: "Q5", "sends the bare request";
    IdAsText: "Q5", "sends the id as text";
}

impl PlantedSession {
    /// A session without a fault.
    pub const NONE: Self = Self { name: "none", rule: "", flaw: Flaw::None };

    /// A new session that has the fault.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::session::{PlantedSession, Session, View};
    /// assert_eq!(PlantedSession::NONE.session(Revision::V2025_11_25).view(), View::NotAsked);
    /// ```
    #[must_use]
    pub fn session(self, revision: Revision) -> impl Session + use<> {
        let has_no_requests = !revision.is_initialize_era() && self.flaw != Flaw::AsksNewRevision;
        Plain {
            flaw: self.flaw,
            revision,
            is_begun: false,
            is_ready: false,
            announces: false,
            unsupported: has_no_requests.then(|| "revision".to_owned()),
            in_flight: None,
            is_outdated: false,
            earlier: Vec::new(),
            due: 1,
            last: Last::Never,
            list: None,
        }
    }
}

#[expect(clippy::struct_excessive_bools, reason = "it is what anybody would write")]
struct Plain {
    flaw: Flaw,
    revision: Revision,
    is_begun: bool,
    is_ready: bool,
    announces: bool,
    unsupported: Option<String>,
    in_flight: Option<RequestId>,
    is_outdated: bool,
    /// Requests that ended without an answer.
    earlier: Vec<RequestId>,
    /// How many requests are due.
    due: usize,
    last: Last,
    /// The list, and whether it is stale.
    list: Option<(Roots, bool)>,
}

#[derive(Clone)]
enum Last {
    Never,
    List,
    NoAnswer,
    Failed(String),
}

impl Plain {
    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn initialize(&mut self, params: &str) -> Reply {
        let declared = match model::declaration(params, self.revision) {
            Err(rule) => return Reply::Unreadable(rule.to_owned()),
            Ok(declared) => declared,
        };
        if self.is_begun && !self.has(Flaw::SecondInitialize) {
            return Reply::Nothing;
        }
        self.is_begun = true;
        self.is_ready |= self.has(Flaw::AsksAtOnce);
        if self.revision.is_initialize_era() {
            self.unsupported = None;
        }
        match declared {
            Ok(announces) => {
                let is_present = self.has(Flaw::PresenceAnnounces) && params.contains("listChanged");
                self.announces = announces || is_present || self.has(Flaw::AlwaysAnnounced);
            }
            Err(_) if self.has(Flaw::AsksUndeclared) => {}
            Err(_) if self.has(Flaw::TruthyDeclaration) && params.contains(r#""roots":true"#) => {}
            Err(why) => _ = self.unsupported.get_or_insert(why),
        }
        Reply::Nothing
    }

    fn list_changed(&mut self) {
        if self.has(Flaw::UnannouncedIgnored) && !self.announces {
            return;
        }
        self.is_ready |= self.has(Flaw::ChangeOpens) && self.is_begun;
        let is_undeclared = self.unsupported.as_ref().is_some_and(|why| why.starts_with("undeclared"));
        let is_not_found = self.unsupported.as_deref() == Some("method not found");
        if self.has(Flaw::AsksLater) && is_undeclared || self.has(Flaw::NotFoundForgotten) && is_not_found {
            self.unsupported = None;
        }
        let is_overlooked = self.has(Flaw::InFlightAsksNothing) && self.in_flight.is_some();
        if !is_overlooked && !self.has(Flaw::ChangeAsksNothing) {
            self.due = if self.has(Flaw::ChangesAddUp) { self.due + 1 } else { 1 };
        }
        if self.in_flight.is_some() && !self.has(Flaw::InFlightIsFresh) {
            self.is_outdated = true;
        }
        if self.has(Flaw::ChangeDropsList) {
            self.list = None;
        } else if let Some((_, is_stale)) = &mut self.list
            && self.flaw != Flaw::StaleIsCurrent
        {
            *is_stale = true;
        }
    }

    fn ask(&mut self, id: &RequestId) -> Reply {
        let is_free = self.in_flight.is_none() || self.has(Flaw::TwoInFlight);
        let is_due = self.due > 0 || self.has(Flaw::AlwaysDue);
        if !self.is_ready || self.unsupported.is_some() || !is_free || !is_due {
            return Reply::NotSent;
        }
        self.due = self.due.saturating_sub(1);
        self.in_flight = Some(id.clone());
        self.is_outdated = false;
        let id = match id {
            RequestId::Integer(number) if self.has(Flaw::IdAsText) => format!("\"{number}\""),
            id => json_of(id),
        };
        Reply::Sent(match self.flaw {
            Flaw::BareRequest => r#"{"method":"roots/list","params":{}}"#.to_owned(),
            Flaw::SendsCursor => {
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list","params":{{"cursor":"1"}}}}"#)
            }
            _ => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#),
        })
    }

    /// Whether this id is that of the request in flight; or, with a flaw, of another.
    fn is_meant(&mut self, id: &RequestId) -> bool {
        if self.has(Flaw::LateAnswer) && self.in_flight.is_none() && self.earlier.contains(id) {
            self.in_flight = Some(id.clone());
        }
        let Some(own) = &self.in_flight else { return false };
        let is_same_text = || json_of(own).trim_matches('"') == json_of(id).trim_matches('"');
        own == id || self.has(Flaw::AnyId) || self.has(Flaw::IdsAsText) && is_same_text()
    }

    fn is_answer(&mut self, message: &Node, text: &str) -> bool {
        let Some(id) = laws::member(message, "id") else { return false };
        if laws::member(message, "method").is_some() && !self.has(Flaw::OwnRequest) {
            return false;
        }
        let spelled = &text[id.start..id.end];
        let id = match &id.kind {
            Kind::String(text) => RequestId::String(text.clone()),
            Kind::Number(_) if self.has(Flaw::IdsAsSpelled) && spelled.contains('.') => return false,
            _ => match model::integer(id) {
                Some(number) => RequestId::Integer(number),
                None => return false,
            },
        };
        self.is_meant(&id)
    }

    fn response(&mut self, text: &str) -> Reply {
        let message = match model::read(text) {
            Message::Object(message) => message,
            Message::NoObject => return Reply::Ignored,
            Message::Broken(rule) => return Reply::Unreadable(rule.to_owned()),
        };
        if !self.is_answer(&message, text) {
            return Reply::Ignored;
        }
        let result = laws::member(&message, "result").map(|node| &text[node.start..node.end]);
        let error = laws::member(&message, "error");
        let code = error.and_then(|error| laws::member(error, "code")).and_then(model::integer);
        match (result, error) {
            (Some(result), None) => self.result(result, "/result"),
            (Some(result), Some(_)) if self.has(Flaw::BothIsResult) => self.result(result, "/result"),
            (None, None) if self.has(Flaw::NeitherIsEmpty) => self.new_list(Vec::new()),
            (None, Some(_)) => self.error(code),
            (Some(_), Some(_)) if self.has(Flaw::BothIsError) => self.error(code),
            _ => self.end(Last::Failed(MALFORMED.to_owned())),
        }
        Reply::Taken
    }

    fn result(&mut self, text: &str, place: &str) {
        match model::result(self.revision, text, place) {
            Ok(roots) => {
                self.new_list(roots);
                if self.has(Flaw::FollowsCursor) && text.contains("nextCursor") {
                    self.due = 1;
                }
            }
            Err(_) if self.has(Flaw::InvalidIsEmpty) => self.new_list(Vec::new()),
            Err(_) if self.has(Flaw::InvalidKeepsGood) && text.contains("file:///a") => {
                self.new_list(vec![("file:///a".to_owned(), None)]);
            }
            Err(how) => self.end(Last::Failed(how)),
        }
    }

    fn new_list(&mut self, roots: Roots) {
        let is_stale = self.is_outdated;
        self.list = match self.list.take() {
            Some((old, _)) if self.has(Flaw::EmptyIgnored) && roots.is_empty() => Some((old, is_stale)),
            _ if self.has(Flaw::EmptyIsNothing) && roots.is_empty() => None,
            Some((mut all, _)) if self.has(Flaw::ListsMerge) => {
                all.extend(roots);
                Some((all, is_stale))
            }
            _ => Some((roots, is_stale)),
        };
        self.end(Last::List);
    }

    fn error(&mut self, code: Option<i64>) {
        let is_not_found = code == Some(-32601) && !self.has(Flaw::NotFoundFails);
        if is_not_found || self.has(Flaw::ErrorIsUnsupported) {
            self.unsupported = Some("method not found".to_owned());
            self.list = None;
        }
        if self.has(Flaw::ErrorIsEmpty) {
            return self.new_list(Vec::new());
        }
        if self.has(Flaw::ErrorDropsList) {
            self.list = None;
        }
        self.due += usize::from(self.has(Flaw::ErrorIsDue));
        self.end(Last::Failed(error(code)));
    }

    fn deadline(&mut self) {
        match self.flaw {
            Flaw::NoDeadline => {}
            Flaw::SilenceIsEmpty => self.new_list(Vec::new()),
            Flaw::SilenceIsUnsupported => self.error(Some(-32601)),
            Flaw::SilenceFails => self.error(Some(-32000)),
            Flaw::SilenceIsNotAsked => self.end(Last::Never),
            flaw => {
                if flaw == Flaw::SilenceDropsList {
                    self.list = None;
                }
                self.earlier.extend(self.in_flight.clone());
                self.end(Last::NoAnswer);
            }
        }
    }

    fn end(&mut self, last: Last) {
        self.in_flight = None;
        self.last = last;
    }
}

impl Session for Plain {
    fn see(&mut self, event: &Event) -> Reply {
        let taken = |is_taken| if is_taken { Reply::Taken } else { Reply::Ignored };
        match event {
            Event::Initialize(params) => return self.initialize(params),
            Event::Initialized => self.is_ready |= self.is_begun || self.has(Flaw::EarlyInitialized),
            Event::ListChanged => self.list_changed(),
            Event::Refresh => {
                let is_heard = self.in_flight.is_none() || self.has(Flaw::RefreshAddsUp);
                if is_heard && !self.has(Flaw::NoRefresh) {
                    self.due = self.due.max(1);
                }
            }
            Event::Ask(id) => return self.ask(id),
            Event::Response(message) => return self.response(message),
            Event::Result(id, result) => {
                let is_meant = self.is_meant(id);
                if is_meant {
                    self.result(result, "");
                }
                return taken(is_meant);
            }
            Event::Error(id, code) => {
                let is_meant = self.is_meant(id);
                if is_meant {
                    self.error(Some(*code));
                }
                return taken(is_meant);
            }
            Event::Deadline(id) => {
                let is_any = self.has(Flaw::AnyDeadline) && self.in_flight.is_some();
                let is_meant = self.in_flight.as_ref() == Some(id) || is_any;
                if is_meant {
                    self.deadline();
                }
                return taken(is_meant);
            }
        }
        Reply::Nothing
    }

    fn view(&self) -> View {
        if let Some(why) = &self.unsupported {
            if self.has(Flaw::UndeclaredIsEmpty) && why.starts_with("undeclared") {
                return View::Current(Vec::new(), false);
            }
            return View::Unsupported(why.clone());
        }
        let is_trusted = self.has(Flaw::StaleWhileAsked) && self.in_flight.is_some();
        let held = match &self.list {
            None => Held::Nothing,
            Some((roots, is_stale)) if !is_stale || is_trusted => Held::Current(roots.clone()),
            Some((roots, _)) => Held::Stale(roots.clone()),
        };
        match (&self.in_flight, self.last.clone(), held) {
            (Some(_), _, held) => View::Asked(held),
            (None, Last::NoAnswer, held) => View::NoAnswer(held),
            (None, Last::Failed(how), held) => View::Failed(how, held),
            (None, Last::List, Held::Current(roots)) => View::Current(roots, self.announces),
            (None, Last::List, Held::Stale(roots)) => View::Stale(roots),
            (None, _, _) => View::NotAsked,
        }
    }
}
