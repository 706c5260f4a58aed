//! Lenient reading (U4): who sorts roots by what their URIs are, and what he is held against.
//!
//! ```
//! use mcp_roots_proptests::lenient::{Kind, Lenient, laws};
//! use mcp_roots_proptests::{Case, Core, Door, Target};
//! let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"/b"}]}"#);
//! let sorting = Core.sort(&case, Door::Str).unwrap().unwrap();
//! assert_eq!(sorting.roots[0].kind, Kind::OtherScheme("s3".into()));
//! assert_eq!(sorting.malformed[0].uri, "/b");
//! assert!(laws::all(&Core, &case) > 4);
//! ```

pub mod corpus;
pub mod laws;
mod planted;
pub mod strategy;

use iri_string::types::UriStr;
use mcp_roots::{Document, LenientResult, LenientRoot};

pub use planted::{PLANTED, Planted};

use crate::case::value_of;
use crate::{Case, Core, Door, Kept, Refusal, Validator};

/// What the URI of a root is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A file root.
    File,
    /// A URI of this scheme, as it is spelled.
    OtherScheme(String),
    /// No URI.
    Malformed,
}

impl Kind {
    /// By the grammar of RFC 3986 (U4).
    ///
    /// ```
    /// use mcp_roots_proptests::lenient::Kind;
    /// assert_eq!(Kind::of("FILE:///a"), Kind::OtherScheme("FILE".into()));
    /// assert_eq!(Kind::of("file:///a b"), Kind::Malformed);
    /// ```
    #[must_use]
    pub fn of(uri: &str) -> Self {
        match UriStr::new(uri) {
            Ok(_) if uri.starts_with("file://") => Self::File,
            Ok(uri) => Self::OtherScheme(uri.scheme_str().to_owned()),
            Err(_) => Self::Malformed,
        }
    }

    /// As manifests spell it: `file`, `other SCHEME` or `malformed`.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::lenient::Kind::of("s3://a").name(), "other s3");
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File => "file".to_owned(),
            Self::OtherScheme(scheme) => format!("other {scheme}"),
            Self::Malformed => "malformed".to_owned(),
        }
    }
}

/// A root as it was sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorted {
    /// What its URI is.
    pub kind: Kind,
    /// What stands there.
    pub uri: String,
    /// Its name.
    pub name: Option<String>,
}

/// What comes of a result: all roots, and those of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sorting {
    /// All roots.
    pub roots: Vec<Sorted>,
    /// The file roots.
    pub files: Vec<Sorted>,
    /// Those of other schemes.
    pub other_schemes: Vec<Sorted>,
    /// Those without a URI.
    pub malformed: Vec<Sorted>,
}

impl Sorting {
    /// The roots, each kind picked out of them.
    ///
    /// ```
    /// use mcp_roots_proptests::lenient::{Kind, Sorted, Sorting};
    /// let root = Sorted { kind: Kind::Malformed, uri: "/a".into(), name: None };
    /// assert_eq!(Sorting::of(vec![root.clone()]).malformed, [root]);
    /// ```
    #[must_use]
    pub fn of(roots: Vec<Sorted>) -> Self {
        let of = |is_it: fn(&Kind) -> bool| roots.iter().filter(|root| is_it(&root.kind)).cloned().collect();
        Self {
            files: of(|kind| *kind == Kind::File),
            other_schemes: of(|kind| matches!(kind, Kind::OtherScheme(_))),
            malformed: of(|kind| *kind == Kind::Malformed),
            roots,
        }
    }
}

/// Somebody who reads results leniently, and also strictly.
pub trait Lenient: Validator {
    /// The roots of a case whose target is a response, sorted, or the refusal of the whole; `None` where
    /// the document cannot come in by the door.
    fn sort(&self, case: &Case<'_>, door: Door) -> Option<Result<Sorting, Refusal>>;

    /// The document kept; `None` for an implementation that keeps none.
    fn kept_leniently(&self, _case: &Case<'_>, _door: Door) -> Option<Kept> {
        None
    }

    /// Whether what is given for two cases that are sorted, by their bytes, is equal; `None` for an
    /// implementation that gives nothing to compare.
    fn equal_leniently(&self, _case: &Case<'_>, _other: &Case<'_>) -> Option<bool> {
        None
    }
}

/// Hands on what the core reads leniently.
fn ask_core<T>(
    case: &Case<'_>,
    door: Door,
    hand_on: impl FnOnce(Result<LenientResult<'_>, mcp_roots::Error>) -> T,
) -> Option<T> {
    let value;
    let document = match door {
        Door::Bytes => Document::Bytes(case.doc),
        Door::Str => Document::Text(std::str::from_utf8(case.doc).ok()?),
        Door::Value => {
            value = value_of(case.doc)?;
            Document::Value(&value)
        }
    };
    Some(hand_on(case.revision.validate_response_leniently(document)))
}

impl Lenient for Core {
    fn sort(&self, case: &Case<'_>, door: Door) -> Option<Result<Sorting, Refusal>> {
        let sorted = |kind, uri: &str, name: Option<&str>| Sorted {
            kind,
            uri: uri.to_owned(),
            name: name.map(str::to_owned),
        };
        ask_core(case, door, |result| {
            let result = result
                .map_err(|error| Refusal { rule: error.rule().to_owned(), at: error.at().to_owned() })?;
            let kind = |root: &LenientRoot<'_>| match root {
                LenientRoot::File(_) => Kind::File,
                LenientRoot::OtherScheme(root) => Kind::OtherScheme(root.scheme().to_owned()),
                LenientRoot::Malformed(_) => Kind::Malformed,
            };
            let roots = result.roots().iter().map(|root| sorted(kind(root), root.uri(), root.name()));
            let files = result.file_roots().map(|root| sorted(Kind::File, root.uri(), root.name()));
            let others = result.other_scheme_roots();
            let others = others
                .map(|root| sorted(Kind::OtherScheme(root.scheme().to_owned()), root.uri(), root.name()));
            let malformed =
                result.malformed_roots().map(|root| sorted(Kind::Malformed, root.uri(), root.name()));
            Ok(Sorting {
                roots: roots.collect(),
                files: files.collect(),
                other_schemes: others.collect(),
                malformed: malformed.collect(),
            })
        })
    }

    fn kept_leniently(&self, case: &Case<'_>, door: Door) -> Option<Kept> {
        ask_core(case, door, |result| match result.ok()?.document() {
            Document::Text(text) => Some(Kept::Text(text.to_owned())),
            Document::Value(value) => Some(Kept::Value(value.clone())),
            _ => None,
        })?
    }

    fn equal_leniently(&self, case: &Case<'_>, other: &Case<'_>) -> Option<bool> {
        ask_core(case, Door::Bytes, |one| {
            ask_core(other, Door::Bytes, |other| Some(one.ok()? == other.ok()?))
        })??
    }
}
