//! Faults as the judges find them, and the error that callers get.

use std::fmt;

use serde_json::{Value, json};

/// A rule that a refusal can be reported under, with its code for the peer and its words for the
/// developer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    J1,
    J2,
    J6,
    Q2,
    Q3,
    Q4,
    Q5,
    C1,
    C3,
    C5,
    R1,
    R2,
    R3,
    R4,
    R5,
    U1,
    U2,
    A2,
    A4,
}

impl Rule {
    /// Id and demand. The words are fixed: nothing of a document is ever put into them (E2).
    const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::J1 => ("J1", "the document must be UTF-8"),
            Self::J2 => (
                "J2",
                "the document must be one JSON text of at most 127 levels, finite numbers and no lone surrogate",
            ),
            Self::J6 => ("J6", "an object must not have a member name twice"),
            Self::Q2 => ("Q2", "the request must be an object whose method is roots/list"),
            Self::Q3 => ("Q3", "a bare request must have no member but method and params"),
            Self::Q4 => ("Q4", "params of a bare request must be an object with nothing but an object _meta"),
            Self::Q5 => ("Q5", "a wire request must be a JSON-RPC 2.0 request with well-formed params"),
            Self::C1 => ("C1", "the capabilities must be an object whose member roots is an object"),
            Self::C3 => ("C3", "listChanged of the roots capability must be a boolean"),
            Self::C5 => ("C5", "the _meta of a request must hold the client capabilities, an object"),
            Self::R1 => ("R1", "a ListRootsResult must be an object whose member roots is an array"),
            Self::R2 => ("R2", "a root must be an object whose member uri is a string"),
            Self::R3 => ("R3", "the name of a root must be a string"),
            Self::R4 => ("R4", "the _meta of a root must be an object"),
            Self::R5 => ("R5", "the _meta of a ListRootsResult must be an object"),
            Self::U1 => ("U1", "the uri of a root must begin with file://"),
            Self::U2 => ("U2", "the uri of a root must be an RFC 3986 URI"),
            Self::A2 => ("A2", "the input responses must be an object"),
            Self::A4 => ("A4", "the request that the answer belongs to must be a bare roots request"),
        }
    }
}

/// A place that a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Document,
    JsonRpc,
    Id,
    Method,
    Params,
    ParamsMeta,
    ProgressToken,
    ClientCapabilities,
    ListChanged,
    Meta,
    Roots,
    Root,
    RootUri,
    RootName,
    RootMeta,
}

impl Place {
    /// The JSON pointer to it; a root's own members stand below `/roots` and an index.
    const fn pointer(self) -> &'static str {
        match self {
            Self::Document | Self::Root => "",
            Self::JsonRpc => "/jsonrpc",
            Self::Id => "/id",
            Self::Method => "/method",
            Self::Params => "/params",
            Self::ParamsMeta => "/params/_meta",
            Self::ProgressToken => "/params/_meta/progressToken",
            Self::ClientCapabilities => "/io.modelcontextprotocol~1clientCapabilities",
            Self::ListChanged => "/roots/listChanged",
            Self::Meta | Self::RootMeta => "/_meta",
            Self::Roots => "/roots",
            Self::RootUri => "/uri",
            Self::RootName => "/name",
        }
    }

    const fn is_in_a_root(self) -> bool {
        matches!(self, Self::Root | Self::RootUri | Self::RootName | Self::RootMeta)
    }
}

/// A broken rule and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) Rule, pub(crate) Place);

impl Fault {
    /// A fault of the document as a whole.
    pub(crate) const fn document(rule: Rule) -> Self {
        Self(rule, Place::Document)
    }

    /// A fault under J is the whole document's, wherever it was met (E5).
    const fn is_under_j(self) -> bool {
        matches!(self.0, Rule::J1 | Rule::J2 | Rule::J6)
    }
}

/// Why a document was refused: the rule it breaks and where, and nothing of what it says.
///
/// There are two readers. To the peer goes [`to_json_rpc`](Error::to_json_rpc): a code and one fixed
/// message for each code (E1). To the developer go [`rule`](Error::rule), [`at`](Error::at) and the
/// `Display` form, which are made of the [rule book](crate::rules)'s words, schema member names,
/// array indices and the id that the caller itself asked for (E2). Neither grows with the document
/// (E3).
///
/// ```
/// let error = mcp_roots::validate_response(r#"{"roots":[{"uri":"/home/me"}]}"#).unwrap_err();
/// assert_eq!((error.rule(), error.at()), ("U1", "/roots/0/uri"));
/// assert_eq!(error.to_string(), "U1 at \"/roots/0/uri\": the uri of a root must begin with file://");
/// assert_eq!(error.to_json_rpc().to_string(), r#"{"code":-32602,"message":"Invalid params"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    rule: Rule,
    at: String,
}

/// JSON-RPC's "invalid params".
const INVALID_PARAMS: i64 = -32602;
/// The Model Context Protocol's "missing required client capability".
const MISSING_CAPABILITY: i64 = -32021;

impl Error {
    /// The error for a fault: in the answer under `id` if there is one, in the root at the index
    /// `root` if its place is in a root.
    pub(crate) fn new(fault: Fault, id: Option<&str>, root: usize) -> Self {
        let Fault(rule, place) = fault;
        let mut at = String::new();
        if let Some(id) = id.filter(|_| !fault.is_under_j()) {
            at = format!("/{}", id.replace('~', "~0").replace('/', "~1"));
        }
        if place.is_in_a_root() {
            at = format!("{at}/roots/{root}");
        }
        Self { rule, at: at + place.pointer() }
    }

    /// The same error, where its document is the value at `pointer` of another one.
    pub(crate) fn below(mut self, pointer: &str) -> Self {
        if !self.is_under_j() {
            self.at.insert_str(0, pointer);
        }
        self
    }

    /// Whether the document could not be read, whatever it is judged as.
    pub(crate) const fn is_under_j(&self) -> bool {
        Fault::document(self.rule).is_under_j()
    }

    /// The JSON-RPC error code for the peer: -32021 for a client that did not declare roots (C1 or
    /// C3, by C4), -32602 for all else.
    ///
    /// ```
    /// let error = mcp_roots::require(&mcp_roots::list(), r#"{"roots":true}"#).unwrap_err();
    /// assert_eq!(error.code(), -32021);
    /// ```
    #[must_use]
    pub const fn code(&self) -> i64 {
        match self.rule {
            Rule::C1 | Rule::C3 => MISSING_CAPABILITY,
            _ => INVALID_PARAMS,
        }
    }

    /// The JSON-RPC error object for the peer: `code`, `message` and, for -32021, `data` (E1, C4).
    ///
    /// ```
    /// let error = mcp_roots::require(&mcp_roots::list(), "{}").unwrap_err().to_json_rpc();
    /// assert_eq!(error["data"], serde_json::json!({"requiredCapabilities": {"roots": {}}}));
    /// ```
    #[must_use]
    pub fn to_json_rpc(&self) -> Value {
        match self.code() {
            MISSING_CAPABILITY => json!({
                "code": MISSING_CAPABILITY,
                "message": "Missing required client capability",
                "data": {"requiredCapabilities": {"roots": {}}},
            }),
            code => json!({"code": code, "message": "Invalid params"}),
        }
    }

    /// The status of the HTTP response that carries the error, where the protocol sets one: 400 for a
    /// client that did not declare roots (C4) and for a request without its capabilities (C5).
    /// `None` leaves it to the transport.
    ///
    /// ```
    /// assert_eq!(mcp_roots::require(&mcp_roots::list(), "{}").unwrap_err().http_status(), Some(400));
    /// assert_eq!(mcp_roots::validate_response("{}").unwrap_err().http_status(), None);
    /// ```
    #[must_use]
    pub const fn http_status(&self) -> Option<u16> {
        match self.rule {
            Rule::C1 | Rule::C3 | Rule::C5 => Some(400),
            _ => None,
        }
    }

    /// The id of the broken rule, as the [rule book](crate::rules) has it.
    ///
    /// ```
    /// assert_eq!(mcp_roots::validate_response("[]").unwrap_err().rule(), "R1");
    /// ```
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        self.rule.text().0
    }

    /// Where the fault is: a JSON pointer (RFC 6901) to the offending value, or to the object that
    /// lacks a member or has one too many; empty for the document itself and for every fault under
    /// J (E5).
    ///
    /// ```
    /// let error = mcp_roots::validate_response(r#"{"roots":[{}]}"#).unwrap_err();
    /// assert_eq!(error.at(), "/roots/0");
    /// ```
    #[must_use]
    pub fn at(&self) -> &str {
        &self.at
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, demand) = self.rule.text();
        write!(formatter, "{rule} at {:?}: {demand}", self.at)
    }
}

impl std::error::Error for Error {}
