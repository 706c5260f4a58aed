use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{Error, Fault, Rule};
use crate::parts::parts;
use crate::{Document, Revision, Root, list};

/// What a server of the initialize era knows of one client's roots, and when it asks for them.
///
/// It does no I/O and has no clock: the server tells it what it sees, sends what [`ask`](Self::ask)
/// gives, and acts by the [view](Self::view). There is one for each session. After every event
/// [`ask`](Self::ask) may have a request to send; there is no "subscribing" to changes: the client
/// announces them of its own accord, the server only listens.
///
/// ```
/// use mcp_roots::{Revision, RootsSession, RootsView};
/// let mut session = RootsSession::new(Revision::V2025_11_25);
/// session.on_initialize(r#"{"capabilities": {"roots": {"listChanged": true}}}"#)?;
/// assert_eq!(session.ask(1), None); // L1: not before `notifications/initialized`
/// session.on_initialized();
/// let request = session.ask(1).expect("it is time to ask"); // send it, and start a timer
/// assert_eq!(request["method"], "roots/list");
///
/// session.on_response(r#"{"jsonrpc": "2.0", "id": 1, "result": {"roots": [{"uri": "file:///a"}]}}"#)?;
/// match session.view() {
///     RootsView::Current(roots, _) => assert_eq!(roots[0].uri(), "file:///a"),
///     view => panic!("{view:?}"),
/// }
/// assert_eq!(session.ask(2), None); // L3: the list is cached
///
/// session.on_list_changed();
/// assert!(matches!(session.view(), RootsView::Stale(_))); // L4: no longer to be relied on
/// assert!(session.ask(2).is_some());
/// session.on_deadline(2); // L8: the timer ran out
/// assert!(matches!(session.view(), RootsView::NoAnswer(_)));
/// # Ok::<(), mcp_roots::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RootsSession {
    revision: Revision,
    handshake: Handshake,
    changes: Changes,
    unsupported: Option<Unsupported>,
    in_flight: Option<Flight>,
    is_due: bool,
    last: Last,
    list: Option<List>,
}

/// How far the session has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handshake {
    Awaited,
    /// The initialize request was seen.
    Begun,
    /// The client said that it is ready.
    Done,
}

/// A request that is not answered yet.
#[derive(Debug, Clone)]
struct Flight {
    id: RequestId,
    /// Whether the client has announced a change since it was sent (L5).
    is_outdated: bool,
}

/// How the last request ended.
#[derive(Debug, Clone)]
enum Last {
    /// There was none.
    Never,
    List,
    NoAnswer,
    Failed(Failure),
}

/// The last list that was given.
#[derive(Debug, Clone)]
struct List {
    roots: Vec<Root<'static>>,
    is_stale: bool,
}

/// What is known of a client's roots. Whatever the field takes for one another is a variant of its own;
/// an empty list is a list, `Current([], _)`.
#[derive(Debug, Clone, PartialEq)]
pub enum RootsView<'s> {
    /// The client has no roots to speak of (L2, L7): its workspace is unbounded, or known from its
    /// prompts only. This is not an empty list.
    Unsupported(&'s Unsupported),
    /// Nothing was asked yet.
    NotAsked,
    /// A request is in flight; with what was known before it.
    Asked(Held<'s>),
    /// The client's roots, possibly none (L9), as of its last answer, and whether it would tell of a
    /// change (L11).
    Current(&'s [Root<'static>], Changes),
    /// The roots of the last answer, which have changed since (L4, L5). A request is due.
    Stale(&'s [Root<'static>]),
    /// The last request was not answered in time (L8); with what was known before it. The client may
    /// have dropped it: [`refresh`](RootsSession::refresh) makes another one due.
    NoAnswer(Held<'s>),
    /// The last request was answered by an error, or by what is no answer (L7); with what was known
    /// before it. [`refresh`](RootsSession::refresh) makes another request due.
    Failed(&'s Failure, Held<'s>),
}

/// A list from before the last request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held<'s> {
    /// No list was ever given.
    Nothing,
    /// A list that the client has not said to have changed.
    Current(&'s [Root<'static>]),
    /// A list that has changed since (L4).
    Stale(&'s [Root<'static>]),
}

/// Whether a client said that it will announce changes of its roots: `listChanged: true` (L11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changes {
    /// It did: until it announces one, the list stands.
    Announced,
    /// It did not, and will likely say nothing: [`refresh`](RootsSession::refresh) in good time.
    Unannounced,
}

/// Why a client is not asked for roots.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// Its initialize request did not declare roots, or not as an object should (C1, C3): the error
    /// says where, in the request's `params`.
    Undeclared(Error),
    /// It answered that it knows no `roots/list`: error -32601 (L7).
    MethodNotFound,
    /// The revision has no requests over the session: ask by [`roots_input`](crate::roots_input).
    Revision,
}

/// How a request for roots failed (L7).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The client answered with an error of this code, `None` where it is no integer of at most 53
    /// bits.
    Error(Option<i64>),
    /// The result is refused by R, U or J. It is never taken for an empty list.
    Invalid(Error),
    /// The answer has both a result and an error, or neither.
    Malformed,
}

/// The id of a JSON-RPC request. The server chooses it, and never the same twice in a session: a late
/// answer could not be told from the one waited for (L6).
///
/// As in JSON-RPC a string is never equal to a number: `"1"` is not `1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum RequestId {
    /// A string.
    String(String),
    /// An integer. In the text of a response it may be spelled `1.0`; numbers there are compared as
    /// the f64 nearest to each (J3), which tells apart integers of up to 53 bits.
    Integer(i64),
}

/// JSON-RPC's "method not found".
const METHOD_NOT_FOUND: i64 = -32601;

impl RootsSession {
    /// A session whose handshake is yet to come. The revision is the one that the server answers the
    /// initialize request with. In 2026-07-28 servers do not send requests: such a session is
    /// unsupported from the start.
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession, RootsView};
    /// assert_eq!(RootsSession::new(Revision::V2025_06_18).view(), RootsView::NotAsked);
    /// assert!(matches!(RootsSession::new(Revision::V2026_07_28).view(), RootsView::Unsupported(_)));
    /// ```
    #[must_use]
    pub const fn new(revision: Revision) -> Self {
        Self {
            revision,
            handshake: Handshake::Awaited,
            changes: Changes::Unannounced,
            unsupported: if revision.is_initialize_era() { None } else { Some(Unsupported::Revision) },
            in_flight: None,
            is_due: true,
            last: Last::Never,
            list: None,
        }
    }

    /// Takes the `params` of the client's initialize request, which declare roots or do not (L2).
    ///
    /// A session has one handshake: a second initialize request is ignored. A client that starts over
    /// gets a new session.
    ///
    /// # Errors
    ///
    /// J1, J2, J6 for a text that cannot be read; the session is then as it was. Capabilities that do
    /// not declare roots are no error: the view is [`RootsView::Unsupported`].
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession, RootsView, Unsupported};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {"listChanged": "yes"}}}"#)?;
    /// let RootsView::Unsupported(Unsupported::Undeclared(error)) = session.view() else { panic!() };
    /// assert_eq!((error.rule(), error.at()), ("C3", "/capabilities/roots/listChanged"));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_initialize<'a>(&mut self, params: impl Into<Document<'a>>) -> Result<(), Error> {
        let declared = declared(params.into(), self.revision);
        match declared {
            Err(error) if error.is_under_j() => return Err(error),
            _ if self.handshake != Handshake::Awaited => return Ok(()),
            Err(error) => _ = self.unsupported.get_or_insert(Unsupported::Undeclared(error)),
            Ok(changes) => self.changes = changes,
        }
        self.handshake = Handshake::Begun;
        Ok(())
    }

    /// Takes the client's `notifications/initialized`, from which on it may be asked (L1). One that
    /// comes before the initialize request is ignored.
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialized();
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// assert_eq!(session.ask(1), None);
    /// session.on_initialized();
    /// assert!(session.ask(1).is_some());
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_initialized(&mut self) {
        if self.handshake == Handshake::Begun {
            self.handshake = Handshake::Done;
        }
    }

    /// Takes the client's `notifications/roots/list_changed`, announced or not (L11): the list is
    /// stale from here on (L4), and so is the answer to a request in flight (L5). One more request is
    /// due, however many notifications come before it is sent.
    ///
    /// ```
    /// use mcp_roots::{Held, Revision, RootsSession, RootsView};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// session.on_list_changed(); // while the request is in flight
    /// session.on_result(1, r#"{"roots": []}"#);
    /// assert_eq!(session.view(), RootsView::Stale(&[]));
    /// assert!(session.ask(2).is_some());
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_list_changed(&mut self) {
        self.is_due = true;
        if let Some(list) = &mut self.list {
            list.is_stale = true;
        }
        if let Some(flight) = &mut self.in_flight {
            flight.is_outdated = true;
        }
    }

    /// The request to send now, under this id, or `None`: there is none before the handshake is over
    /// (L1), to a client that does not support roots (L2), while another is in flight, or while there
    /// is no reason to (L3). The request is a whole JSON-RPC message (Q5) and asks for no page (L10).
    ///
    /// From here on it is in flight. The server sends it, and starts a timer for
    /// [`on_deadline`](Self::on_deadline), since a client may drop it silently (L8).
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// let request = session.ask("roots-1").expect("it is time to ask");
    /// assert_eq!(
    ///     request,
    ///     serde_json::json!({"jsonrpc": "2.0", "id": "roots-1", "method": "roots/list", "params": {}}),
    /// );
    /// assert_eq!(session.ask("roots-2"), None);
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use = "the request is in flight from here on, and must be sent"]
    pub fn ask(&mut self, id: impl Into<RequestId>) -> Option<Value> {
        let is_ready = self.handshake == Handshake::Done && self.unsupported.is_none();
        if !is_ready || self.in_flight.is_some() || !self.is_due {
            return None;
        }
        let id = id.into();
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "roots/list", "params": {}});
        self.is_due = false;
        self.in_flight = Some(Flight { id, is_outdated: false });
        Some(request)
    }

    /// Takes a message that answers some request: the whole response, with `id` and `result` or
    /// `error`. Whether it was the answer to the request in flight; every other one is ignored (L6),
    /// and so is a message with a `method`, which is the client's own request and numbered by it.
    /// What else is in the envelope is the transport's to judge, and a batch (2025-03-26) is the
    /// transport's to take apart: an array answers nothing.
    ///
    /// A good result is the new list, which replaces the old one whole (L9); no cursor in it is
    /// followed (L10). Error -32601 means that the client does not support roots; after any other
    /// failure what was known before is known still, and the caller decides whether to
    /// [`refresh`](Self::refresh) (L7).
    ///
    /// # Errors
    ///
    /// J1, J2, J6 for a text that cannot be read, and so answers nothing; the session is as it was.
    ///
    /// ```
    /// use mcp_roots::{Failure, Held, Revision, RootsSession, RootsView};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// assert!(!session.on_response(r#"{"jsonrpc": "2.0", "id": "1", "result": {"roots": []}}"#)?);
    /// assert!(session.on_response(r#"{"jsonrpc": "2.0", "id": 1, "result": {"roots": null}}"#)?);
    /// let RootsView::Failed(Failure::Invalid(error), Held::Nothing) = session.view() else { panic!() };
    /// assert_eq!((error.rule(), error.at()), ("R1", "/result/roots"));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_response<'a>(&mut self, response: impl Into<Document<'a>>) -> Result<bool, Error> {
        const NAMES: [&str; 4] = ["id", "method", "result", "error"];
        let [id, method, result, error] = match parts(response.into(), NAMES, Fault::document(Rule::R1)) {
            Err(error) if error.is_under_j() => return Err(error),
            Err(_) => return Ok(false),
            Ok(parts) => parts,
        };
        let is_response = matches!(method, Document::Absent);
        if !is_response || !self.in_flight.as_ref().is_some_and(|flight| flight.id.is(id)) {
            return Ok(false);
        }
        match (result, error) {
            (result, Document::Absent) if !matches!(result, Document::Absent) => {
                self.end_by_result(result, "/result");
            }
            (Document::Absent, error) if !matches!(error, Document::Absent) => {
                let code = parts(error, ["code"], Fault::document(Rule::R1));
                self.end_by_error(code.ok().and_then(|[code]| integer(code)));
            }
            _ => self.end(Last::Failed(Failure::Malformed)),
        }
        Ok(true)
    }

    /// Takes the result of a request, for a server whose transport has taken the response apart:
    /// [`on_response`](Self::on_response) with this id. Whether it was the one in flight (L6). A text
    /// that cannot be read is an invalid result.
    ///
    /// ```
    /// use mcp_roots::{Changes, Revision, RootsSession, RootsView};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// assert!(session.on_result(1, r#"{"roots": []}"#));
    /// assert_eq!(session.view(), RootsView::Current(&[], Changes::Unannounced));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_result<'a>(&mut self, id: impl Into<RequestId>, result: impl Into<Document<'a>>) -> bool {
        let is_in_flight = self.is_in_flight(&id.into());
        if is_in_flight {
            self.end_by_result(result.into(), "");
        }
        is_in_flight
    }

    /// Takes the code of an error that a request was answered with, as [`on_result`](Self::on_result)
    /// does a result: -32601 means unsupported, and any other is a failure (L7).
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession, RootsView, Unsupported};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// assert!(session.on_error(1, -32601));
    /// assert_eq!(session.view(), RootsView::Unsupported(&Unsupported::MethodNotFound));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_error(&mut self, id: impl Into<RequestId>, code: i64) -> bool {
        let is_in_flight = self.is_in_flight(&id.into());
        if is_in_flight {
            self.end_by_error(Some(code));
        }
        is_in_flight
    }

    /// Ends the wait for the request of this id: the caller's time for it is over (L8). Whether it was
    /// the one in flight; the deadline of any other is ignored, and so is an answer that comes later
    /// (L6).
    ///
    /// ```
    /// use mcp_roots::{Held, Revision, RootsSession, RootsView};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// assert!(session.on_deadline(1));
    /// assert_eq!(session.view(), RootsView::NoAnswer(Held::Nothing));
    /// assert!(!session.on_result(1, r#"{"roots": []}"#));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn on_deadline(&mut self, id: impl Into<RequestId>) -> bool {
        let is_in_flight = self.is_in_flight(&id.into());
        if is_in_flight {
            self.end(Last::NoAnswer);
        }
        is_in_flight
    }

    /// Makes a request due without a notification: to ask once more after a failure or a silence, or to
    /// ask a client again that does not announce changes (L3, L7, L11). Nothing happens while a
    /// request is in flight. The list stays current until the client says otherwise.
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {}}}"#)?;
    /// session.on_initialized();
    /// session.ask(1);
    /// session.on_deadline(1);
    /// assert_eq!(session.ask(2), None);
    /// session.refresh();
    /// assert!(session.ask(2).is_some());
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub const fn refresh(&mut self) {
        if self.in_flight.is_none() {
            self.is_due = true;
        }
    }

    /// What is known of the client's roots.
    ///
    /// ```
    /// use mcp_roots::{Revision, RootsSession, RootsView};
    /// let session = RootsSession::new(Revision::V2025_11_25);
    /// let text = match session.view() {
    ///     RootsView::Unsupported(_) => "this client has no roots: go by its prompts",
    ///     RootsView::NotAsked | RootsView::Asked(_) => "wait",
    ///     RootsView::Current([], _) => "the client has closed every root",
    ///     RootsView::Current(_, _) => "work within these",
    ///     RootsView::Stale(_) => "wait: these have changed",
    ///     RootsView::NoAnswer(_) | RootsView::Failed(..) => "give up, or refresh",
    /// };
    /// assert_eq!(text, "wait");
    /// ```
    #[must_use]
    pub fn view(&self) -> RootsView<'_> {
        if let Some(unsupported) = &self.unsupported {
            return RootsView::Unsupported(unsupported);
        }
        let held = match &self.list {
            None => Held::Nothing,
            Some(List { roots, is_stale: false }) => Held::Current(roots),
            Some(List { roots, is_stale: true }) => Held::Stale(roots),
        };
        match (&self.in_flight, &self.last, held) {
            (Some(_), _, held) => RootsView::Asked(held),
            (None, Last::NoAnswer, held) => RootsView::NoAnswer(held),
            (None, Last::Failed(failure), held) => RootsView::Failed(failure, held),
            (None, Last::List, Held::Current(roots)) => RootsView::Current(roots, self.changes),
            (None, Last::List, Held::Stale(roots)) => RootsView::Stale(roots),
            (None, Last::Never, _) | (None, Last::List, Held::Nothing) => RootsView::NotAsked,
        }
    }

    /// Whether the client said that it will announce changes (L11).
    ///
    /// ```
    /// use mcp_roots::{Changes, Revision, RootsSession};
    /// let mut session = RootsSession::new(Revision::V2025_11_25);
    /// session.on_initialize(r#"{"capabilities": {"roots": {"listChanged": true}}}"#)?;
    /// assert_eq!(session.changes(), Changes::Announced);
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub const fn changes(&self) -> Changes {
        self.changes
    }

    fn is_in_flight(&self, id: &RequestId) -> bool {
        self.in_flight.as_ref().is_some_and(|flight| flight.id == *id)
    }

    fn end_by_result(&mut self, result: Document<'_>, place: &str) {
        match self.revision.validate_response(result) {
            Ok(result) => {
                let roots = result.roots.into_iter().map(Root::into_owned).collect();
                let is_stale = self.in_flight.as_ref().is_some_and(|flight| flight.is_outdated);
                self.list = Some(List { roots, is_stale });
                self.end(Last::List);
            }
            Err(error) => self.end(Last::Failed(Failure::Invalid(error.below(place)))),
        }
    }

    fn end_by_error(&mut self, code: Option<i64>) {
        if code == Some(METHOD_NOT_FOUND) {
            self.unsupported = Some(Unsupported::MethodNotFound);
            self.list = None;
        }
        self.end(Last::Failed(Failure::Error(code)));
    }

    fn end(&mut self, last: Last) {
        self.in_flight = None;
        self.last = last;
    }
}

/// Whether the client announces changes, if the `params` of its initialize request declare roots.
fn declared(params: Document<'_>, revision: Revision) -> Result<Changes, Error> {
    let undeclared = Fault::document(Rule::C1);
    let [capabilities] = parts(params, ["capabilities"], undeclared)?;
    let is_there = !matches!(capabilities, Document::Absent);
    let place = if is_there { "/capabilities" } else { "" };
    revision.require(&list(), capabilities).map_err(|error| error.below(place))?;
    let [roots] = parts(capabilities, ["roots"], undeclared)?;
    let [list_changed] = parts(roots, ["listChanged"], undeclared)?;
    let is_announced = matches!(list_changed, Document::Text("true") | Document::Value(Value::Bool(true)));
    Ok(if is_announced { Changes::Announced } else { Changes::Unannounced })
}

/// A number or a string of a document that can be read.
enum Scalar<'a> {
    Number(f64),
    String(Cow<'a, str>),
}

fn scalar(document: Document<'_>) -> Option<Scalar<'_>> {
    match document {
        Document::Text(text) if text.starts_with('"') => {
            serde_json::from_str(text).ok().map(|text: String| Scalar::String(Cow::Owned(text)))
        }
        Document::Text(text) => text.parse().ok().map(Scalar::Number),
        Document::Value(Value::String(text)) => Some(Scalar::String(Cow::Borrowed(text))),
        Document::Value(Value::Number(number)) => number.as_f64().map(Scalar::Number),
        _ => None,
    }
}

/// An integer, spelled in any way, of which f64 has the next ones too.
fn integer(document: Document<'_>) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    match scalar(document)? {
        #[expect(clippy::cast_possible_truncation, reason = "it is an integer of at most 53 bits")]
        Scalar::Number(number) if number.fract() == 0.0 && number.abs() < LIMIT => Some(number as i64),
        _ => None,
    }
}

impl RequestId {
    /// Whether the `id` of a response is this one.
    fn is(&self, id: Document<'_>) -> bool {
        match (self, scalar(id)) {
            (Self::String(own), Some(Scalar::String(other))) => *own == *other,
            #[expect(clippy::cast_precision_loss, reason = "numbers are compared as f64")]
            #[expect(clippy::float_cmp, reason = "equal numbers have one nearest f64")]
            (Self::Integer(own), Some(Scalar::Number(other))) => *own as f64 == other,
            _ => false,
        }
    }
}

impl From<String> for RequestId {
    fn from(id: String) -> Self {
        Self::String(id)
    }
}

impl From<&str> for RequestId {
    fn from(id: &str) -> Self {
        Self::String(id.to_owned())
    }
}

impl From<i64> for RequestId {
    fn from(id: i64) -> Self {
        Self::Integer(id)
    }
}

impl From<i32> for RequestId {
    fn from(id: i32) -> Self {
        Self::Integer(id.into())
    }
}

impl From<u32> for RequestId {
    fn from(id: u32) -> Self {
        Self::Integer(id.into())
    }
}
