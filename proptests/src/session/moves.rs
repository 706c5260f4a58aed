//! Sequences of events: moves that mean something at the point where they are made.

use arbitrary::{Arbitrary, Unstructured};
use mcp_roots::{RequestId, Revision};
use proptest::prelude::*;
use proptest::sample::select;
use proptest_state_machine::ReferenceStateMachine;

use super::{Event, Model, Session, json_of};

/// What happens next, by what has happened so far.
#[derive(Debug, Clone, PartialEq, Eq, Arbitrary)]
pub enum Move {
    /// The client sends its initialize request.
    Initialize(Declaration),
    /// The client says that it is ready.
    Initialized,
    /// The client says that its roots have changed.
    ListChanged,
    /// The caller wants to ask again.
    Refresh,
    /// The caller would ask, under a fresh id: a string or a number.
    Ask(bool),
    /// A whole message comes.
    Response(Which, Answer),
    /// A result or an error comes, taken apart.
    Parts(Which, Answer),
    /// The time for a request is over.
    Deadline(Which),
}

/// What an initialize request declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
pub enum Declaration {
    /// Roots, without a word on changes.
    Roots,
    /// Roots, and that changes are announced.
    Announced,
    /// Roots, and that changes are not announced.
    Unannounced,
    /// Something else: which, by its index.
    Other(u8),
}

/// Which request something is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
pub enum Which {
    /// The one in flight.
    InFlight,
    /// The one in flight, its number spelled with a point.
    WithPoint,
    /// The one in flight, its number as a string or its string as a number.
    OtherKind,
    /// One asked for before: which, by its index.
    Earlier(u8),
    /// None that there was.
    Unknown,
}

/// What a request is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Arbitrary)]
pub enum Answer {
    /// A list of these roots, by their indices.
    Roots(Vec<u8>),
    /// An empty list.
    Empty,
    /// A list that pretends to have a next page.
    Paged(u8),
    /// "Method not found".
    NotFound,
    /// Another error: which, by its index.
    Error(u8),
    /// A result that is none: which, by its index.
    Invalid(u8),
    /// Both a result and an error, whichever comes first.
    Both(bool),
    /// Neither.
    Neither,
    /// A text that is no message: which, by its index.
    Unreadable(u8),
    /// A request of the client's own under this id.
    Request,
}

const OTHER_DECLARATIONS: [&str; 12] = [
    r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
    r#"{"capabilities":{"roots":true}}"#,
    r#"{"capabilities":{"roots":null}}"#,
    r#"{"capabilities":{"roots":[]}}"#,
    r#"{"capabilities":{"roots":{"listChanged":"true"}}}"#,
    r#"{"capabilities":{"roots":{"listChanged":null}}}"#,
    r#"{"capabilities":{"sampling":{},"Roots":{}}}"#,
    r#"{"capabilities":null,"roots":{}}"#,
    "{}",
    "[]",
    r#"{"capabilities":{"roots":{}},"capabilities":{}}"#,
    r#"{"capabilities":{"roots":{}}"#,
];
const ROOTS: [&str; 5] = [
    r#"{"uri":"file:///a"}"#,
    r#"{"uri":"file:///a/b","name":"b"}"#,
    r#"{"uri":"file:///c","name":""}"#,
    r#"{"uri":"file://host/d?q#f"}"#,
    r#"{"uri":"file:///\u0065","_meta":{"x":1.50}}"#,
];
const INVALID: [&str; 8] = [
    "{}",
    "null",
    "[]",
    r#"{"roots":null}"#,
    r#"{"roots":[{"uri":"/a"}]}"#,
    r#"{"roots":[{"uri":"file:///a"},{"uri":"file:///b","name":null}]}"#,
    r#"{"roots":[],"_meta":null}"#,
    r#"{"roots":[{"uri":"vscode-vfs://a/b"}]}"#,
];
const ERRORS: [(i64, &str); 7] = [
    (-32603, r#"{"code":-32603,"message":"Internal error"}"#),
    (-32600, r#"{"code":-32600,"message":"Invalid Request"}"#),
    (0, r#"{"message":"no code"}"#),
    (1, r#"{"code":"-32601","message":"a string"}"#),
    (-32602, r#"{"code":-32602.0,"message":"with a point"}"#),
    (-1, "null"),
    (i64::MAX, r#"{"code":1e300,"message":"large"}"#),
];
const UNREADABLE: [&str; 6] = ["", "{", "[]", r#"{"id":1,"id":1}"#, "null", "\u{feff}{}"];

impl Declaration {
    fn params(self) -> &'static str {
        match self {
            Self::Roots => r#"{"protocolVersion":"2025-06-18","capabilities":{"roots":{},"sampling":{}}}"#,
            Self::Announced => r#"{"capabilities":{"roots":{"listChanged":true}}}"#,
            Self::Unannounced => r#"{"capabilities":{"roots":{"listChanged":false}},"clientInfo":null}"#,
            Self::Other(which) => of(&OTHER_DECLARATIONS, which),
        }
    }
}

fn of<T: Copy>(table: &[T], which: u8) -> T {
    table[usize::from(which) % table.len()]
}

impl Which {
    /// The request's id.
    fn id(self, so_far: &Model) -> RequestId {
        let unknown = RequestId::Integer(999_999);
        match (self, so_far.in_flight()) {
            (Self::InFlight | Self::WithPoint, Some(id)) => id.clone(),
            (Self::OtherKind, Some(RequestId::Integer(number))) => RequestId::String(number.to_string()),
            (Self::OtherKind, Some(RequestId::String(text))) => {
                text.parse().map_or(unknown, RequestId::Integer)
            }
            (Self::Unknown, _) => unknown,
            // With none in flight, one that was.
            (_, in_flight) => {
                let which = if let Self::Earlier(which) = self { which } else { 0 };
                let ids: Vec<_> = so_far.ids().iter().rev().filter(|id| Some(*id) != in_flight).collect();
                if ids.is_empty() { unknown } else { of(&ids, which).clone() }
            }
        }
    }

    /// The id as a message spells it.
    fn spelled(self, so_far: &Model) -> String {
        let id = json_of(&self.id(so_far));
        if self == Self::WithPoint && !id.starts_with('"') { format!("{id}.0") } else { id }
    }
}

impl Answer {
    /// The result, if it has one and no error.
    fn result(&self) -> Option<String> {
        Some(match self {
            Self::Roots(which) => {
                let roots: Vec<_> = which.iter().take(4).map(|which| of(&ROOTS, *which)).collect();
                format!(r#"{{"roots":[{}]}}"#, roots.join(","))
            }
            Self::Empty => r#"{"roots":[]}"#.to_owned(),
            Self::Paged(which) => format!(r#"{{"roots":[{}],"nextCursor":"2"}}"#, of(&ROOTS, *which)),
            Self::Invalid(which) => of(&INVALID, *which).to_owned(),
            Self::Unreadable(which) => of(&UNREADABLE, *which).to_owned(),
            _ => return None,
        })
    }

    fn message(&self, id: &str) -> String {
        let error = r#""error":{"code":-32603,"message":""}"#;
        let members = match self {
            Self::NotFound => r#""error":{"code":-32601,"message":"Method not found"}"#.to_owned(),
            Self::Error(which) => format!(r#""error":{}"#, of(&ERRORS, *which).1),
            Self::Both(true) => format!(r#""result":{{"roots":[]}},{error}"#),
            Self::Both(false) => r#""error":{"code":-32601,"message":""},"result":{"roots":[]}"#.to_owned(),
            Self::Neither => r#""roots":[]"#.to_owned(),
            Self::Request => r#""method":"tools/list","result":{"roots":[]}"#.to_owned(),
            Self::Unreadable(which) => return of(&UNREADABLE, *which).to_owned(),
            result => format!(r#""result":{}"#, result.result().unwrap_or_default()),
        };
        format!(r#"{{"jsonrpc":"2.0","id":{id},{members}}}"#)
    }

    fn code(&self) -> i64 {
        match self {
            Self::NotFound => -32601,
            Self::Error(which) => of(&ERRORS, *which).0,
            _ => -32000,
        }
    }
}

impl Move {
    /// The event that the move is after what has happened so far.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::session::{Event, Model, Move};
    /// let event = Move::Ask(false).event(&Model::new(Revision::V2025_11_25));
    /// assert_eq!(event, Event::Ask(1.into()));
    /// ```
    #[must_use]
    pub fn event(&self, so_far: &Model) -> Event {
        match self {
            Self::Initialize(declaration) => Event::Initialize(declaration.params().to_owned()),
            Self::Initialized => Event::Initialized,
            Self::ListChanged => Event::ListChanged,
            Self::Refresh => Event::Refresh,
            Self::Ask(as_string) => {
                let number = so_far.ids().len() + 1;
                Event::Ask(if *as_string {
                    RequestId::String(number.to_string())
                } else {
                    RequestId::Integer(number.try_into().unwrap_or(i64::MAX))
                })
            }
            Self::Response(which, answer) => Event::Response(answer.message(&which.spelled(so_far))),
            Self::Parts(which, answer) => match answer.result() {
                Some(result) => Event::Result(which.id(so_far), result),
                None => Event::Error(which.id(so_far), answer.code()),
            },
            Self::Deadline(which) => Event::Deadline(which.id(so_far)),
        }
    }
}

/// The events of a session that a fuzzer's bytes describe, and its revision.
///
/// # Errors
///
/// Where the bytes do not suffice for a revision.
///
/// ```
/// use mcp_roots_proptests::session::events;
/// let (_, events) = events(&mut arbitrary::Unstructured::new(&[0; 64]))?;
/// assert!(!events.is_empty());
/// # Ok::<(), arbitrary::Error>(())
/// ```
pub fn events(u: &mut Unstructured<'_>) -> arbitrary::Result<(Revision, Vec<Event>)> {
    let mut model = Model::new(*u.choose(&Revision::ALL)?);
    let mut events = Vec::new();
    while !u.is_empty() && events.len() < 200 {
        let event = Move::arbitrary(u)?.event(&model);
        model.see(&event);
        events.push(event);
    }
    Ok((model.revision(), events))
}

/// Makes sequences that get somewhere: the handshake is mostly in order, and what is in flight mostly
/// answered.
#[derive(Debug, Clone, Copy)]
pub struct SessionMachine;

impl ReferenceStateMachine for SessionMachine {
    type State = Model;
    type Transition = Event;

    fn init_state() -> BoxedStrategy<Model> {
        let latest = Revision::ALL.into_iter().rev();
        let era: Vec<_> = latest.clone().filter(|revision| revision.is_initialize_era()).collect();
        prop_oneof![30 => select(era), 1 => Just(Revision::V2026_07_28)].prop_map(Model::new).boxed()
    }

    fn transitions(so_far: &Model) -> BoxedStrategy<Event> {
        let (awaits_initialize, awaits_initialized) = so_far.awaits();
        let is_in_flight = so_far.in_flight().is_some();
        let likely = |is_likely: bool, weight: u32| if is_likely { weight } else { 1 };
        let so_far = so_far.clone();
        prop_oneof![
            likely(awaits_initialize, 16) => declaration().prop_map(Move::Initialize),
            likely(awaits_initialized, 16) => Just(Move::Initialized),
            3 => Just(Move::ListChanged),
            2 => Just(Move::Refresh),
            10 => any::<bool>().prop_map(Move::Ask),
            likely(is_in_flight, 6) => (which(), answer()).prop_map(|(which, answer)| Move::Response(which, answer)),
            likely(is_in_flight, 4) => (which(), answer()).prop_map(|(which, answer)| Move::Parts(which, answer)),
            likely(is_in_flight, 2) => which().prop_map(Move::Deadline),
        ]
        .prop_map(move |step| step.event(&so_far))
        .boxed()
    }

    fn apply(mut so_far: Model, event: &Event) -> Model {
        so_far.see(event);
        so_far
    }
}

fn declaration() -> impl Strategy<Value = Declaration> {
    prop_oneof![
        4 => Just(Declaration::Roots),
        4 => Just(Declaration::Announced),
        2 => Just(Declaration::Unannounced),
        3 => any::<u8>().prop_map(Declaration::Other),
    ]
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![
        6 => Just(Which::InFlight),
        1 => Just(Which::WithPoint),
        1 => Just(Which::OtherKind),
        2 => (0..4_u8).prop_map(Which::Earlier),
        1 => Just(Which::Unknown),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        6 => proptest::collection::vec(0..5_u8, 1..4).prop_map(Answer::Roots),
        3 => Just(Answer::Empty),
        1 => any::<u8>().prop_map(Answer::Paged),
        1 => Just(Answer::NotFound),
        2 => any::<u8>().prop_map(Answer::Error),
        2 => any::<u8>().prop_map(Answer::Invalid),
        1 => any::<bool>().prop_map(Answer::Both),
        1 => Just(Answer::Neither),
        1 => any::<u8>().prop_map(Answer::Unreadable),
        1 => Just(Answer::Request),
    ]
}
