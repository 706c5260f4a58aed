//! What is asked of a validator, and what it can answer.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use mcp_roots::{Document, Error, ListRootsResult, Revision};
use serde_json::Value;

/// What a document is judged as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A `ListRootsResult` (R, U).
    Response,
    /// A `roots/list` request, bare or enveloped by the revision (Q).
    Request,
    /// Client capabilities that must declare roots (C1 to C4).
    Capabilities,
    /// The `inputResponses` map, from which one answer is read (A); 2026-07-28 only.
    InputResponses,
    /// The `_meta` of a request, which must hold the client capabilities (C5); 2026-07-28 only.
    RequestMeta,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 5] =
        [Self::Response, Self::Request, Self::Capabilities, Self::InputResponses, Self::RequestMeta];

    /// The name in file names, manifests and programs.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::Target::InputResponses.name(), "input_responses");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Request => "request",
            Self::Capabilities => "capabilities",
            Self::InputResponses => "input_responses",
            Self::RequestMeta => "request_meta",
        }
    }

    /// Whether the revision has this target.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::Target;
    /// assert!(!Target::InputResponses.exists_in(Revision::V2025_11_25));
    /// ```
    #[must_use]
    pub const fn exists_in(self, revision: Revision) -> bool {
        !revision.is_initialize_era() || !matches!(self, Self::InputResponses | Self::RequestMeta)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|target| target.name() == name)
            .ok_or_else(|| format!("no target {name:?}"))
    }
}

/// One question: a document, and by what it is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Case<'a> {
    /// What the document is judged as.
    pub target: Target,
    /// By the rules of which revision.
    pub revision: Revision,
    /// The document's text; perhaps not UTF-8.
    pub doc: &'a [u8],
    /// The text of the request that capabilities and input responses are judged with; `None` is the
    /// bare request of `mcp_roots::list`.
    pub request: Option<&'a [u8]>,
    /// The id asked for in input responses.
    pub id: &'a str,
}

impl<'a> Case<'a> {
    /// The id asked for where a case does not say another.
    pub const ID: &'static str = "client_roots";

    /// A case of revision 2026-07-28 with the default request and id.
    ///
    /// ```
    /// use mcp_roots_proptests::{Case, Target};
    /// let case = Case::new(Target::Response, b"{}");
    /// assert_eq!(case.id, "client_roots");
    /// ```
    #[must_use]
    pub fn new(target: Target, doc: &'a [u8]) -> Self {
        Self { target, revision: Revision::default(), doc, request: None, id: Self::ID }
    }

    /// The same case of another document.
    ///
    /// ```
    /// use mcp_roots_proptests::{Case, Target};
    /// let case = Case::new(Target::Response, b"{}").with_doc(b"[]");
    /// assert_eq!(case.doc, b"[]");
    /// ```
    #[must_use]
    pub fn with_doc<'b>(&self, doc: &'b [u8]) -> Case<'b>
    where
        'a: 'b,
    {
        Case { doc, ..*self }
    }

    /// The same case in each revision that has the target.
    ///
    /// ```
    /// use mcp_roots_proptests::{Case, Target};
    /// assert_eq!(Case::new(Target::Response, b"{}").in_every_revision().count(), 5);
    /// assert_eq!(Case::new(Target::InputResponses, b"{}").in_every_revision().count(), 1);
    /// ```
    pub fn in_every_revision(self) -> impl Iterator<Item = Self> + Clone {
        let revisions = Revision::ALL.into_iter().filter(move |revision| self.target.exists_in(*revision));
        revisions.map(move |revision| Self { revision, ..self })
    }
}

impl fmt::Debug for Case<'_> {
    /// Readably: the document as text where it is text, with bytes that are not as `\xNN`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {}", self.target, self.revision)?;
        if self.target == Target::InputResponses && self.id != Case::ID {
            write!(formatter, ", id {:?}", self.id)?;
        }
        if let Some(request) = self.request {
            write!(formatter, ", request {}", request.escape_ascii())?;
        }
        write!(formatter, ", {} bytes:\n  ", self.doc.len())?;
        match std::str::from_utf8(self.doc) {
            Ok(text) if !text.contains(|c: char| c.is_control() && !"\n\t".contains(c)) => {
                formatter.write_str(text)
            }
            _ => write!(formatter, "{}", self.doc.escape_ascii()),
        }
    }
}

/// The way that a document takes into a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Text in bytes.
    Bytes,
    /// Text that is known to be UTF-8.
    Str,
    /// A `serde_json::Value`.
    Value,
}

/// What a validator says of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The document is valid.
    Accept(Accepted),
    /// There is no answer under the id, which is no error (A1).
    Missing,
    /// The document is refused.
    Reject(Refusal),
}

impl Verdict {
    /// Whether it is [`Verdict::Accept`].
    ///
    /// ```
    /// assert!(!mcp_roots_proptests::Verdict::Missing.is_accept());
    /// ```
    #[must_use]
    pub const fn is_accept(&self) -> bool {
        matches!(self, Self::Accept(_))
    }

    /// The verdict without what goes with it: `accept`, `missing`, or `reject RULE PLACE`.
    ///
    /// ```
    /// use mcp_roots_proptests::{Case, Core, Door, Target, Validator};
    /// let verdict = Core.judge(&Case::new(Target::Response, b"[]"), Door::Str);
    /// assert_eq!(verdict.unwrap().summary(), "reject R1");
    /// ```
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Accept(_) => "accept".to_owned(),
            Self::Missing => "missing".to_owned(),
            Self::Reject(Refusal { rule, at, .. }) => format!("reject {rule} {at}").trim_end().to_owned(),
        }
    }
}

/// What a validator gives with its consent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accepted {
    /// URI and name of each root; none but for responses and input responses.
    pub roots: Vec<(String, Option<String>)>,
}

/// What a validator gives with its refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The id of the rule.
    pub rule: String,
    /// The JSON pointer to the fault.
    pub at: String,
}

/// A document that a validator kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// Text.
    Text(String),
    /// A value.
    Value(Value),
}

/// What a validator says with its refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// For the developer.
    pub display: String,
    /// The JSON-RPC error object for the peer.
    pub json_rpc: Value,
}

/// Somebody who judges documents: the core, or another implementation on trial.
pub trait Validator {
    /// The verdict on a case whose document comes in by the door given; `None` where it cannot.
    fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict>;

    /// The document kept of an accepted case; `None` for a validator or a target that keeps none.
    fn kept(&self, _case: &Case<'_>, _door: Door) -> Option<Kept> {
        None
    }

    /// The words of a refusal; `None` for a validator that has none.
    fn words(&self, _case: &Case<'_>, _door: Door) -> Option<Words> {
        None
    }

    /// Whether what is given for two accepted cases, by their bytes, is equal; `None` for a validator or
    /// a target that gives nothing to compare.
    fn equal(&self, _case: &Case<'_>, _other: &Case<'_>) -> Option<bool> {
        None
    }
}

/// The validation core, `mcp_roots`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Core;

impl Validator for Core {
    fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict> {
        ask_core(case, door, |answer| match answer {
            Ok(None) => Verdict::Missing,
            Ok(Some(Answer::Result(result))) => {
                let roots = result.roots().iter();
                let roots = roots.map(|root| (root.uri().to_owned(), root.name().map(str::to_owned)));
                Verdict::Accept(Accepted { roots: roots.collect() })
            }
            Ok(Some(_)) => Verdict::Accept(Accepted::default()),
            Err(error) => {
                Verdict::Reject(Refusal { rule: error.rule().to_owned(), at: error.at().to_owned() })
            }
        })
    }

    fn kept(&self, case: &Case<'_>, door: Door) -> Option<Kept> {
        let kept = |document: Document<'_>| match document {
            Document::Text(text) => Some(Kept::Text(text.to_owned())),
            Document::Value(value) => Some(Kept::Value(value.clone())),
            _ => None,
        };
        ask_core(case, door, |answer| match answer {
            Ok(Some(Answer::Result(result))) => kept(result.document()),
            Ok(Some(Answer::Document(document))) => kept(document),
            _ => None,
        })?
    }

    fn words(&self, case: &Case<'_>, door: Door) -> Option<Words> {
        let words = |error: Error| Words { display: error.to_string(), json_rpc: error.to_json_rpc() };
        ask_core(case, door, |answer| answer.err().map(words))?
    }

    fn equal(&self, case: &Case<'_>, other: &Case<'_>) -> Option<bool> {
        ask_core(case, Door::Bytes, |one| {
            ask_core(other, Door::Bytes, |other| match (one, other) {
                (Ok(Some(Answer::Result(one))), Ok(Some(Answer::Result(other)))) => Some(one == other),
                (Ok(Some(Answer::Document(one))), Ok(Some(Answer::Document(other)))) => Some(one == other),
                _ => None,
            })
        })??
    }
}

/// What the core gives for an accepted document.
enum Answer<'a> {
    Nothing,
    Result(ListRootsResult<'a>),
    Document(Document<'a>),
}

/// Hands the core's answer on, `Ok(None)` for a missing one; `None` where the document cannot come in.
fn ask_core<T>(
    case: &Case<'_>,
    door: Door,
    hand_on: impl FnOnce(Result<Option<Answer<'_>>, Error>) -> T,
) -> Option<T> {
    let value;
    let document = match door {
        Door::Bytes => Document::Bytes(case.doc),
        Door::Str => Document::Text(std::str::from_utf8(case.doc).ok()?),
        Door::Value => {
            value = value_of(case.doc)?;
            Document::Value(value.as_ref())
        }
    };
    let bare = mcp_roots::list();
    let request = case.request.map_or_else(|| Document::from(&bare), Document::from);
    Some(hand_on(match case.target {
        Target::Request => case.revision.validate_request(document).map(|()| Some(Answer::Nothing)),
        Target::Capabilities => case.revision.require(request, document).map(|()| Some(Answer::Nothing)),
        Target::Response => {
            case.revision.validate_response(document).map(|result| Some(Answer::Result(result)))
        }
        Target::InputResponses => {
            mcp_roots::response(document, case.id, request).map(|answer| answer.map(Answer::Result))
        }
        Target::RequestMeta => {
            mcp_roots::client_capabilities(document).map(|kept| Some(Answer::Document(kept)))
        }
    }))
}

/// The value of a text, if it has one; equal names do not survive.
pub(crate) fn value_of(text: &[u8]) -> Option<Rc<Value>> {
    // With these features `serde_json` builds another value of an object under a name of its own.
    if cfg!(feature = "serde_json_features") && has_magic_names(text) {
        return None;
    }
    // A document is judged by several revisions in a row, and reading it is what a fuzzer waits for.
    LAST_VALUE.with_borrow_mut(|(last, value)| {
        if *last != text {
            *value = serde_json::from_slice(text).ok().map(Rc::new);
            text.clone_into(last);
        }
        value.clone()
    })
}

thread_local! {
    /// The last text that was read, and its value; the empty one has none.
    static LAST_VALUE: RefCell<(Vec<u8>, Option<Rc<Value>>)> = const { RefCell::new((Vec::new(), None)) };
}

/// Whether a text may hold one of the names that `serde_json`, with some of its features, gives a
/// meaning of its own when it builds a `Value`.
///
/// ```
/// assert!(!mcp_roots_proptests::has_magic_names(br#"{"roots":[]}"#));
/// assert!(mcp_roots_proptests::has_magic_names(br#"{"$serde_json::private::Number":"1"}"#));
/// ```
#[must_use]
pub fn has_magic_names(text: &[u8]) -> bool {
    let contains = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    contains(b"serde_json::private") || contains(b"\\u")
}
