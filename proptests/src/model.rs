//! Models of valid documents: what proptest strategies and `Arbitrary` generate, and what is written.
//!
//! A model is made of parts that are valid by their type or are made so on the way to [`Json`]: names
//! of members are fresh and unique, and what a revision wants to be an object is one.

use arbitrary::Arbitrary;
use mcp_roots::Revision;

use crate::{Case, Json, Target};

/// A valid document of any target.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Model {
    /// A `ListRootsResult`.
    Response(ListRootsResult),
    /// A request, bare or enveloped as the revision wants it.
    Request(Request),
    /// Capabilities that declare roots.
    Capabilities(Capabilities),
    /// A map with or without the answer.
    InputResponses(InputResponses),
    /// A request's `_meta`.
    RequestMeta(RequestMeta),
}

impl Model {
    /// What it is a model of.
    ///
    /// ```
    /// use mcp_roots_proptests::model::{InputResponses, Model};
    /// use mcp_roots_proptests::Target;
    /// assert_eq!(Model::InputResponses(InputResponses::default()).target(), Target::InputResponses);
    /// ```
    #[must_use]
    pub const fn target(&self) -> Target {
        match self {
            Self::Response(_) => Target::Response,
            Self::Request(_) => Target::Request,
            Self::Capabilities(_) => Target::Capabilities,
            Self::InputResponses(_) => Target::InputResponses,
            Self::RequestMeta(_) => Target::RequestMeta,
        }
    }

    /// The document as a revision wants it.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::model::{InputResponses, Model};
    /// let json = Model::InputResponses(InputResponses::default()).json(Revision::default());
    /// assert_eq!(json.text(), "{}");
    /// ```
    #[must_use]
    pub fn json(&self, revision: Revision) -> Json {
        match self {
            Self::Response(result) => result.json(revision),
            Self::Request(request) if revision.is_initialize_era() => request.wire(),
            Self::Request(request) => request.bare(),
            Self::Capabilities(capabilities) => capabilities.json(revision),
            Self::InputResponses(map) => map.json(),
            Self::RequestMeta(meta) => meta.json(),
        }
    }
}

impl Model {
    /// Adds a member that goes to the limit of depth (J3), where the document may have one more.
    pub(crate) fn deepen(&mut self) {
        let Members(others) = match self {
            Self::Response(result) => &mut result.others,
            Self::Request(request) => &mut request.others.0,
            Self::Capabilities(capabilities) => &mut capabilities.others,
            Self::InputResponses(map) => &mut map.others,
            Self::RequestMeta(meta) => &mut meta.others,
        };
        let deep = (1..126).fold(Json::Array(Vec::new()), |inner, _| Json::Array(vec![inner]));
        others.push(("as deep as can be".to_owned(), deep));
    }
}

/// A valid `ListRootsResult`.
#[derive(Debug, Clone, PartialEq, Default, Arbitrary)]
pub struct ListRootsResult {
    /// So many plain roots stand before the others.
    pub plain: PlainRoots,
    /// The roots.
    pub roots: Vec<Root>,
    /// Whether the last root stands there twice (R7).
    pub is_last_twice: bool,
    /// `_meta`: anything in 2026-07-28, else what is in it.
    pub meta: Option<Any>,
    /// Members of an answer to something else, which mean nothing here (A5): which, by its index.
    pub resembles: Option<u8>,
    /// Members that mean nothing.
    pub others: Members,
}

/// A number of plain roots: none, mostly, or as many as make a long list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlainRoots(pub u16);

impl PlainRoots {
    /// The most there are: more than a byte counts.
    pub const MOST: u16 = 300;
}

/// A valid root.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Root {
    /// `uri`
    pub uri: FileUri,
    /// `name`
    pub name: Option<String>,
    /// `_meta`: anything in the two oldest revisions, else what is in it.
    pub meta: Option<Any>,
    /// Members that mean nothing.
    pub others: Members,
}

/// A valid request.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Request {
    /// `id` of the envelope.
    pub id: Identifier,
    /// Whether there are `params`.
    pub has_params: bool,
    /// `_meta` in `params`.
    pub meta: Option<Members>,
    /// `progressToken` in `_meta`: an identifier in the envelope, else anything.
    pub progress_token: Option<(Identifier, Any)>,
    /// Members that mean nothing, where the envelope allows them: beside the others and in `params`.
    pub others: (Members, Members),
}

/// A string or an integer.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Identifier {
    /// A string.
    String(String),
    /// A small integer.
    Integer(i64),
    /// An integer spelled with a point and a zero.
    WithPoint(i64),
    /// An integer in a spelling of its own: which, by its index.
    Odd(u8),
}

/// Capabilities that declare roots.
#[derive(Debug, Clone, PartialEq, Default, Arbitrary)]
pub struct Capabilities {
    /// `listChanged`: anything in 2026-07-28, else the boolean.
    pub list_changed: Option<(bool, Any)>,
    /// Members of the roots capability that mean nothing.
    pub roots: Members,
    /// Members of the capabilities that mean nothing, of whatever type (C2).
    pub others: Members,
}

/// An `inputResponses` map.
#[derive(Debug, Clone, PartialEq, Default, Arbitrary)]
pub struct InputResponses {
    /// The answer under [`Case::ID`]; none is a missing one.
    pub answer: Option<ListRootsResult>,
    /// A result under a name that is nearly the id (A6): which, by its index.
    pub decoy: Option<(u8, ListRootsResult)>,
    /// Whether the request is none, which plays no part where the answer is missing (A4).
    pub is_asked_badly: bool,
    /// What stands under other ids.
    pub others: Members,
}

/// The `_meta` of a request, with the client's capabilities.
#[derive(Debug, Clone, PartialEq, Default, Arbitrary)]
pub struct RequestMeta {
    /// What the capabilities hold.
    pub capabilities: Members,
    /// Members that mean nothing.
    pub others: Members,
}

/// Any JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Any(pub Json);

/// Members of an object under any names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Members(pub Vec<(String, Json)>);

/// A URI in its parts, for what a `file://` URI can hold (RFC 3986, 3).
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct FileUri {
    /// What stands before the path.
    pub authority: Authority,
    /// The segments of the path, each after a slash.
    pub segments: Vec<Chars>,
    /// After `?`.
    pub query: Option<Chars>,
    /// After `#`.
    pub fragment: Option<Chars>,
}

/// An authority.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Authority {
    /// None, as nearly always.
    Empty,
    /// A host by name, with a user and a port perhaps.
    Name(Option<Chars>, Chars, Option<u32>),
    /// An IP literal: which, by its index.
    Literal(u8),
}

/// Characters of a path segment, any of which a query or fragment can hold too. `:` and `@` are left
/// out of users and hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct Chars(pub String);

/// Characters that stand for themselves in all parts of a URI.
pub(crate) const PLAIN: &[u8] =
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=";

impl FileUri {
    /// The URI.
    ///
    /// ```
    /// use mcp_roots_proptests::model::{Authority, Chars, FileUri};
    /// let segments = vec![Chars("home".into()), Chars("me".into())];
    /// let uri = FileUri { authority: Authority::Empty, segments, query: None, fragment: None };
    /// assert_eq!(uri.text(), "file:///home/me");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        const LITERALS: [&str; 6] =
            ["[::1]", "[2001:db8::a:0]", "[::ffff:192.0.2.1]", "[v1.a:b]", "[1:2:3:4:5:6:7:8]", "[::]"];
        let mut uri = "file://".to_owned();
        match &self.authority {
            Authority::Empty => {}
            Authority::Name(user, host, port) => {
                if let Some(Chars(user)) = user {
                    uri += &user.replace('@', "%40");
                    uri.push('@');
                }
                uri += &host.0.replace([':', '@'], "~");
                if let Some(port) = port {
                    uri.push(':');
                    uri += &port.to_string();
                }
            }
            Authority::Literal(which) => uri += LITERALS[usize::from(*which) % LITERALS.len()],
        }
        for Chars(segment) in &self.segments {
            uri.push('/');
            uri += segment;
        }
        for (mark, part) in [('?', &self.query), ('#', &self.fragment)] {
            if let Some(Chars(part)) = part {
                uri.push(mark);
                uri += part;
            }
        }
        uri
    }
}

impl Identifier {
    fn json(&self) -> Json {
        const ODD: [&str; 6] = ["1.0", "-0", "1e3", "100000000000000000000000000000", "25E2", "0.50e1"];
        match self {
            Self::String(text) => Json::string(text),
            Self::Integer(number) => Json::Number(number.to_string()),
            Self::WithPoint(number) => Json::Number(format!("{number}.0")),
            Self::Odd(which) => Json::Number(ODD[usize::from(*which) % ODD.len()].to_owned()),
        }
    }
}

impl Any {
    fn object(&self) -> Json {
        match &self.0 {
            object @ Json::Object(_) => object.clone(),
            other => Json::Object(vec![("value".to_owned(), other.clone())]),
        }
    }
}

impl Members {
    /// An object of the members given and, after them, of these, but for names that are taken or
    /// mean something.
    fn beside(&self, members: Vec<(&str, Json)>, meaningful: &[&str]) -> Json {
        let mut all: Vec<_> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        for (name, value) in &self.0 {
            if !meaningful.contains(&&**name) && all.iter().all(|(other, _)| other != name) {
                all.push((name.clone(), value.clone()));
            }
        }
        Json::Object(all)
    }

    fn json(&self) -> Json {
        self.beside(Vec::new(), &[])
    }
}

impl ListRootsResult {
    fn json(&self, revision: Revision) -> Json {
        let twice = self.roots.last().filter(|_| self.is_last_twice);
        let plain = (0..self.plain.0)
            .map(|index| Json::Object(vec![("uri".to_owned(), Json::string(format!("file:///{index}")))]));
        let others = self.roots.iter().chain(twice).map(|root| root.json(revision));
        let mut members = vec![("roots", Json::Array(plain.chain(others).collect()))];
        if let Some(meta) = &self.meta {
            let is_judged = revision.is_initialize_era();
            members.push(("_meta", if is_judged { meta.object() } else { meta.0.clone() }));
        }
        match self.resembles.map(|which| which % 3) {
            Some(0) => members.push(("action", Json::string("accept"))),
            Some(1) => members.extend([("role", Json::string("assistant")), ("model", Json::string("m"))]),
            Some(_) => members.extend([("error", Json::Null), ("nextCursor", Json::string("2"))]),
            None => {}
        }
        self.others.beside(members, &["roots", "_meta"])
    }
}

impl Root {
    fn json(&self, revision: Revision) -> Json {
        let mut members = vec![("uri", Json::string(self.uri.text()))];
        if let Some(name) = &self.name {
            members.push(("name", Json::string(name)));
        }
        if let Some(meta) = &self.meta {
            let is_judged = !matches!(revision, Revision::V2024_11_05 | Revision::V2025_03_26);
            members.push(("_meta", if is_judged { meta.object() } else { meta.0.clone() }));
        }
        self.others.beside(members, &["uri", "name", "_meta"])
    }
}

impl Request {
    fn bare(&self) -> Json {
        let mut members = vec![("method", Json::string("roots/list"))];
        if self.has_params {
            let anything = |(_, anything): &(Identifier, Any)| anything.0.clone();
            let meta = self.meta.iter().map(|meta| ("_meta", self.meta_with_token(meta, anything))).collect();
            members.push(("params", Members::default().beside(meta, &[])));
        }
        Members::default().beside(members, &[])
    }

    fn wire(&self) -> Json {
        let mut members = vec![
            ("jsonrpc", Json::string("2.0")),
            ("id", self.id.json()),
            ("method", Json::string("roots/list")),
        ];
        if self.has_params {
            let identifier = |(identifier, _): &(Identifier, Any)| identifier.json();
            let meta =
                self.meta.iter().map(|meta| ("_meta", self.meta_with_token(meta, identifier))).collect();
            members.push(("params", self.others.1.beside(meta, &["_meta"])));
        }
        self.others.0.beside(members, &["jsonrpc", "id", "method", "params"])
    }

    fn meta_with_token(&self, meta: &Members, json: impl Fn(&(Identifier, Any)) -> Json) -> Json {
        let token = self.progress_token.iter().map(|token| ("progressToken", json(token))).collect();
        meta.beside(token, &["progressToken"])
    }
}

impl Capabilities {
    fn json(&self, revision: Revision) -> Json {
        let list_changed = self.list_changed.iter().map(|(announced, anything)| {
            let is_judged = revision.is_initialize_era();
            ("listChanged", if is_judged { Json::Bool(*announced) } else { anything.0.clone() })
        });
        let roots = self.roots.beside(list_changed.collect(), &["listChanged"]);
        self.others.beside(vec![("roots", roots)], &["roots"])
    }
}

impl InputResponses {
    fn json(&self) -> Json {
        const NEARLY: [&str; 5] =
            ["Client_Roots", " client_roots", "client_roots ", "client\u{0}_roots", "__proto__"];
        let result = |result: &ListRootsResult| result.json(Revision::V2026_07_28);
        let mut members: Vec<_> = self.answer.iter().map(|answer| (Case::ID, result(answer))).collect();
        if let Some((which, decoy)) = &self.decoy {
            let name = NEARLY[usize::from(*which) % NEARLY.len()];
            let is_inside = name == "__proto__";
            let decoy = if is_inside {
                Json::Object(vec![(Case::ID.to_owned(), result(decoy))])
            } else {
                result(decoy)
            };
            members.insert(0, (name, decoy));
        }
        self.others.beside(members, &[Case::ID])
    }
}

impl RequestMeta {
    pub(crate) const KEY: &'static str = "io.modelcontextprotocol/clientCapabilities";

    fn json(&self) -> Json {
        self.others.beside(vec![(Self::KEY, self.capabilities.json())], &[Self::KEY])
    }
}
