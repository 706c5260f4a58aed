//! The life cycle of roots over a session of the initialize era (L): events, what a session makes of
//! them, and who judges that.
//!
//! - An [`Event`] is what a server sees or does; a [`Session`] answers each with a [`Reply`] and has a
//!   [`View`] after it. [`CoreSession`] is the core's.
//! - [`Model`] says what is right, by looking back over all that happened; [`SESSION_LAWS`] judge a
//!   whole [`Trace`], most of them without the model.
//! - [`Move`]s make sequences of events, for proptest and for fuzzers; [`load`] gives the committed ones.
//! - [`PLANTED_SESSIONS`] are wrong sessions, to see what all this would have caught.

mod cases;
mod laws;
mod model;
mod moves;
mod planted;

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use mcp_roots::{
    Changes, Document, Failure, RequestId, Revision, Root, RootsSession, RootsView, Unsupported,
};
use serde_json::Value;

pub use cases::{Sequence, complaints, load, replay};
pub use laws::{SESSION_LAWS, SessionLaw, session_follows_the_rules};
pub use model::Model;
pub use moves::{Answer, Declaration, Move, SessionMachine, Which, events};
pub use planted::{PLANTED_SESSIONS, PlantedSession};

use crate::Door;
use crate::case::value_of;

/// What a server sees of its client, or does itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An initialize request with these `params`.
    Initialize(String),
    /// `notifications/initialized`.
    Initialized,
    /// `notifications/roots/list_changed`.
    ListChanged,
    /// The caller wants to ask again.
    Refresh,
    /// The caller would send a request under this id.
    Ask(RequestId),
    /// A message, which may be the answer.
    Response(String),
    /// A result, taken out of its message by the transport.
    Result(RequestId, String),
    /// The code of an error, likewise.
    Error(RequestId, i64),
    /// The time for the answer to this request is over.
    Deadline(RequestId),
}

impl fmt::Display for Event {
    /// As the committed sequences spell it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initialize(params) => write!(formatter, "initialize {params}"),
            Self::Initialized => formatter.write_str("initialized"),
            Self::ListChanged => formatter.write_str("list_changed"),
            Self::Refresh => formatter.write_str("refresh"),
            Self::Ask(id) => write!(formatter, "ask {}", json_of(id)),
            Self::Response(message) => write!(formatter, "response {message}"),
            Self::Result(id, result) => write!(formatter, "result {} {result}", json_of(id)),
            Self::Error(id, code) => write!(formatter, "error {} {code}", json_of(id)),
            Self::Deadline(id) => write!(formatter, "deadline {}", json_of(id)),
        }
    }
}

impl FromStr for Event {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no event");
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let id = || {
            let id: Value = serde_json::from_str(first).map_err(|_| wrong())?;
            let number = id.as_i64().map(RequestId::Integer);
            id.as_str().map(RequestId::from).or(number).ok_or_else(wrong)
        };
        Ok(match name {
            "initialize" => Self::Initialize(rest.to_owned()),
            "initialized" => Self::Initialized,
            "list_changed" => Self::ListChanged,
            "refresh" => Self::Refresh,
            "ask" => Self::Ask(id()?),
            "response" => Self::Response(rest.to_owned()),
            "result" => Self::Result(id()?, second.to_owned()),
            "error" => Self::Error(id()?, second.parse().map_err(|_| wrong())?),
            "deadline" => Self::Deadline(id()?),
            _ => return Err(wrong()),
        })
    }
}

fn json_of(id: &RequestId) -> String {
    serde_json::to_string(id).expect("a string or a number")
}

/// What a session says to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing: to what is only taken note of.
    Nothing,
    /// To [`Event::Ask`]: this is to be sent.
    Sent(String),
    /// To [`Event::Ask`]: nothing is to be sent.
    NotSent,
    /// It was about the request in flight, which has ended.
    Taken,
    /// It was not about the request in flight.
    Ignored,
    /// It cannot be read, by this rule.
    Unreadable(String),
}

impl fmt::Display for Reply {
    /// As the committed sequences spell it, which do not repeat what is sent.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => formatter.write_str("noted"),
            Self::Sent(_) => formatter.write_str("sent"),
            Self::NotSent => formatter.write_str("not sent"),
            Self::Taken => formatter.write_str("taken"),
            Self::Ignored => formatter.write_str("ignored"),
            Self::Unreadable(rule) => write!(formatter, "unreadable {rule}"),
        }
    }
}

/// URI and name of each root.
pub type Roots = Vec<(String, Option<String>)>;

/// What a session knows of the roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// The client does not support roots; why.
    Unsupported(String),
    /// Nothing was asked yet.
    NotAsked,
    /// A request is in flight.
    Asked(Held),
    /// The last list, and whether the client announces changes.
    Current(Roots, bool),
    /// The last list, which has changed since.
    Stale(Roots),
    /// The last request was not answered in time.
    NoAnswer(Held),
    /// The last request failed; how.
    Failed(String, Held),
}

/// A list from before the last request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// There was none.
    Nothing,
    /// One that is not known to have changed.
    Current(Roots),
    /// One that has changed.
    Stale(Roots),
}

impl View {
    /// The list that the view gives, if any, and whether as current.
    ///
    /// ```
    /// use mcp_roots_proptests::session::View;
    /// assert_eq!(View::Stale(vec![]).list(), Some((&vec![], false)));
    /// assert_eq!(View::NotAsked.list(), None);
    /// ```
    #[must_use]
    pub const fn list(&self) -> Option<(&Roots, bool)> {
        match self {
            Self::Current(roots, _) => Some((roots, true)),
            Self::Stale(roots) => Some((roots, false)),
            Self::Asked(held) | Self::NoAnswer(held) | Self::Failed(_, held) => match held {
                Held::Nothing => None,
                Held::Current(roots) => Some((roots, true)),
                Held::Stale(roots) => Some((roots, false)),
            },
            Self::Unsupported(_) | Self::NotAsked => None,
        }
    }
}

impl fmt::Display for View {
    /// As the committed sequences spell it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(why) => write!(formatter, "unsupported: {why}"),
            Self::NotAsked => formatter.write_str("not asked"),
            Self::Asked(held) => write!(formatter, "asked{held}"),
            Self::Current(roots, announced) => {
                let changes = if *announced { "announced" } else { "unannounced" };
                write!(formatter, "current {}, changes {changes}", List(roots))
            }
            Self::Stale(roots) => write!(formatter, "stale {}", List(roots)),
            Self::NoAnswer(held) => write!(formatter, "no answer{held}"),
            Self::Failed(how, held) => write!(formatter, "failed: {how}{held}"),
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Current(roots) => write!(formatter, ", before it current {}", List(roots)),
            Self::Stale(roots) => write!(formatter, ", before it stale {}", List(roots)),
        }
    }
}

struct List<'r>(&'r Roots);

impl fmt::Display for List<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.0.iter().map(|(uri, name)| match name {
            Some(name) => format!("{uri} {name:?}"),
            None => uri.clone(),
        });
        write!(formatter, "[{}]", each.collect::<Vec<_>>().join(", "))
    }
}

/// Somebody who keeps the roots of one session: the core, or another implementation on trial.
pub trait Session {
    /// Takes an event.
    fn see(&mut self, event: &Event) -> Reply;

    /// What is known after the events so far.
    fn view(&self) -> View;
}

/// One event, and what a session made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The event.
    pub event: Event,
    /// What the session said to it.
    pub reply: Reply,
    /// What it knew after it.
    pub view: View,
}

/// All that happened in a session.
#[derive(Clone, PartialEq, Eq)]
pub struct Trace {
    /// By whose rules.
    pub revision: Revision,
    /// Step by step.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Feeds a session with events.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::Door;
    /// use mcp_roots_proptests::session::{CoreSession, Event, Reply, Trace};
    /// let revision = Revision::V2025_11_25;
    /// let mut session = CoreSession::new(revision, Door::Str);
    /// let trace = Trace::of(&mut session, revision, &[Event::Ask(1.into())]);
    /// assert_eq!(trace.steps[0].reply, Reply::NotSent);
    /// ```
    pub fn of(session: &mut dyn Session, revision: Revision, events: &[Event]) -> Self {
        let steps = events.iter().map(|event| {
            let reply = session.see(event);
            Step { event: event.clone(), reply, view: session.view() }
        });
        Self { revision, steps: steps.collect() }
    }
}

impl fmt::Debug for Trace {
    /// Line by line, as the committed sequences spell it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "session of {}:", self.revision)?;
        for Step { event, reply, view } in &self.steps {
            writeln!(formatter, "{event} => {reply}; {view}")?;
        }
        Ok(())
    }
}

/// The core's session, whose documents come in by one door.
#[derive(Debug, Clone)]
pub struct CoreSession {
    session: RootsSession,
    door: Door,
}

impl CoreSession {
    /// A new session.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::Door;
    /// use mcp_roots_proptests::session::{CoreSession, Session, View};
    /// assert_eq!(CoreSession::new(Revision::V2025_11_25, Door::Value).view(), View::NotAsked);
    /// ```
    #[must_use]
    pub const fn new(revision: Revision, door: Door) -> Self {
        Self { session: RootsSession::new(revision), door }
    }

    /// The value of a document, at the door for it, unless that would lose what is wrong with the text.
    fn value(&self, text: &str) -> Option<Rc<Value>> {
        (self.door == Door::Value && model::broken_rule(text).is_none()).then(|| value_of(text.as_bytes()))?
    }
}

impl Session for CoreSession {
    fn see(&mut self, event: &Event) -> Reply {
        let value = match event {
            Event::Initialize(text) | Event::Response(text) | Event::Result(_, text) => self.value(text),
            _ => None,
        };
        let document = |text| match &value {
            Some(value) => Document::Value(value),
            None if self.door == Door::Bytes => Document::Bytes(str::as_bytes(text)),
            None => Document::Text(text),
        };
        let session = &mut self.session;
        let taken = |taken| if taken { Reply::Taken } else { Reply::Ignored };
        let unreadable = |error: mcp_roots::Error| Reply::Unreadable(error.rule().to_owned());
        match event {
            Event::Initialize(params) => {
                session.on_initialize(document(params)).map_or_else(unreadable, |()| Reply::Nothing)
            }
            Event::Initialized => {
                session.on_initialized();
                Reply::Nothing
            }
            Event::ListChanged => {
                session.on_list_changed();
                Reply::Nothing
            }
            Event::Refresh => {
                session.refresh();
                Reply::Nothing
            }
            Event::Ask(id) => {
                session.ask(id.clone()).map_or(Reply::NotSent, |request| Reply::Sent(request.to_string()))
            }
            Event::Response(message) => session.on_response(document(message)).map_or_else(unreadable, taken),
            Event::Result(id, result) => taken(session.on_result(id.clone(), document(result))),
            Event::Error(id, code) => taken(session.on_error(id.clone(), *code)),
            Event::Deadline(id) => taken(session.on_deadline(id.clone())),
        }
    }

    fn view(&self) -> View {
        let own = |roots: &[Root<'_>]| -> Roots {
            roots.iter().map(|root| (root.uri().to_owned(), root.name().map(str::to_owned))).collect()
        };
        let held = |held| match held {
            mcp_roots::Held::Nothing => Held::Nothing,
            mcp_roots::Held::Current(roots) => Held::Current(own(roots)),
            mcp_roots::Held::Stale(roots) => Held::Stale(own(roots)),
        };
        match self.session.view() {
            RootsView::Unsupported(why) => View::Unsupported(match why {
                Unsupported::Undeclared(error) => undeclared(error.rule(), error.at()),
                Unsupported::MethodNotFound => "method not found".to_owned(),
                Unsupported::Revision => "revision".to_owned(),
                other => format!("{other:?}"),
            }),
            RootsView::NotAsked => View::NotAsked,
            RootsView::Asked(before) => View::Asked(held(before)),
            RootsView::Current(roots, changes) => View::Current(own(roots), changes == Changes::Announced),
            RootsView::Stale(roots) => View::Stale(own(roots)),
            RootsView::NoAnswer(before) => View::NoAnswer(held(before)),
            RootsView::Failed(failure, before) => {
                let how = match failure {
                    Failure::Error(code) => error(*code),
                    Failure::Invalid(error) => invalid(error.rule(), error.at()),
                    Failure::Malformed => MALFORMED.to_owned(),
                    other => format!("{other:?}"),
                };
                View::Failed(how, held(before))
            }
        }
    }
}

/// The words for an answer with both a result and an error, or neither.
const MALFORMED: &str = "malformed";

fn undeclared(rule: &str, at: &str) -> String {
    format!("undeclared {rule} {at}").trim_end().to_owned()
}

fn error(code: Option<i64>) -> String {
    code.map_or_else(|| "error".to_owned(), |code| format!("error {code}"))
}

fn invalid(rule: &str, at: &str) -> String {
    format!("invalid {rule} {at}").trim_end().to_owned()
}
