//! Lenient reading (U4): the same pass as the strict one, but for what the URIs are.
//!
//! No strict verdict depends on this module.

use fluent_uri::Uri;

use crate::document::Kept;
use crate::error::{Error, Rule};
use crate::read::judge;
use crate::result::{RootsResult, check_uri};
use crate::{Document, Revision, Root};

/// A list of roots of which some may have no `file://` URI (U4), in the client's order (R7).
///
/// Only [`Revision::validate_response_leniently`] makes one. All that is said of a
/// [`ListRootsResult`](crate::ListRootsResult) holds of it too: a root is a claim, not a grant.
#[derive(Debug, Clone)]
pub struct LenientResult<'a> {
    roots: Vec<LenientRoot<'a>>,
    kept: Kept<'a>,
}

impl<'a> LenientResult<'a> {
    /// All roots, whatever their URIs, in the order of the document: each has its index from there.
    ///
    /// ```
    /// use mcp_roots::{LenientRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"/home/me"},{"uri":"file:///srv"},{"uri":"s3://bucket/key"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// let what = |root: &LenientRoot<'_>| match root {
    ///     LenientRoot::File(_) => "use it",
    ///     LenientRoot::OtherScheme(_) => "skip it",
    ///     LenientRoot::Malformed(_) => "tell the user",
    /// };
    /// assert!(result.roots().iter().map(what).eq(["tell the user", "use it", "skip it"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn roots(&self) -> &[LenientRoot<'a>] {
        &self.roots
    }

    /// The roots that a strict reading would accept, as it would give them.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let text = r#"{"roots":[{"uri":"/home/me"},{"uri":"file:///srv"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.file_roots().map(mcp_roots::Root::uri).eq(["file:///srv"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn file_roots(&self) -> impl Iterator<Item = &Root<'a>> {
        self.roots
            .iter()
            .filter_map(|root| if let LenientRoot::File(root) = root { Some(root) } else { None })
    }

    /// The roots of other schemes.
    ///
    /// ```
    /// use mcp_roots::{OtherSchemeRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"vscode-remote://wsl/home/me"},{"uri":"file:///srv"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.other_scheme_roots().map(OtherSchemeRoot::scheme).eq(["vscode-remote"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn other_scheme_roots(&self) -> impl Iterator<Item = &OtherSchemeRoot<'a>> {
        self.roots
            .iter()
            .filter_map(|root| if let LenientRoot::OtherScheme(root) = root { Some(root) } else { None })
    }

    /// The roots whose URI is none.
    ///
    /// ```
    /// use mcp_roots::{MalformedRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"file:///My Project"},{"uri":"file:///srv"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.malformed_roots().map(MalformedRoot::uri).eq(["file:///My Project"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn malformed_roots(&self) -> impl Iterator<Item = &MalformedRoot<'a>> {
        self.roots
            .iter()
            .filter_map(|root| if let LenientRoot::Malformed(root) = root { Some(root) } else { None })
    }

    /// The document as it came (J5).
    ///
    /// ```
    /// use mcp_roots::{Document, Revision};
    /// let text = r#"{"roots": [{"uri": "C:\\work"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert_eq!(result.document(), Document::Text(text));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn document(&self) -> Document<'a> {
        self.kept.document()
    }
}

impl PartialEq for LenientResult<'_> {
    /// Equal roots in equal documents, wherever those stand.
    fn eq(&self, other: &Self) -> bool {
        self.roots == other.roots && self.document() == other.document()
    }
}

/// A root, and what its URI is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LenientRoot<'a> {
    /// A file root: U1 and U2 hold.
    File(Root<'a>),
    /// An RFC 3986 URI, but U1 does not hold.
    OtherScheme(OtherSchemeRoot<'a>),
    /// No RFC 3986 URI.
    Malformed(MalformedRoot<'a>),
}

impl<'a> LenientRoot<'a> {
    fn of(root: Root<'a>) -> Self {
        match check_uri(root.uri()) {
            Ok(()) => Self::File(root),
            Err(Rule::U1) if Uri::parse(root.uri()).is_ok() => Self::OtherScheme(OtherSchemeRoot(root)),
            Err(_) => Self::Malformed(MalformedRoot(root)),
        }
    }

    /// What the client gave as the URI, character for character (U3).
    ///
    /// ```
    /// use mcp_roots::{LenientRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"~/work"},{"uri":"file:///srv"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.roots().iter().map(LenientRoot::uri).eq(["~/work", "file:///srv"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn uri(&self) -> &str {
        self.root().uri()
    }

    /// The name for display, as [`Root::name`] gives it.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let text = r#"{"roots":[{"uri":"~/work","name":"work"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert_eq!(result.roots()[0].name(), Some("work"));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.root().name()
    }

    const fn root(&self) -> &Root<'a> {
        match self {
            Self::File(root)
            | Self::OtherScheme(OtherSchemeRoot(root))
            | Self::Malformed(MalformedRoot(root)) => root,
        }
    }
}

/// A root of another scheme: an RFC 3986 URI that does not begin with `file://`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherSchemeRoot<'a>(Root<'a>);

impl OtherSchemeRoot<'_> {
    /// The scheme, as it is spelled.
    ///
    /// It can be `FILE` or `file`: `FILE:///a` and `file:/a` are URIs and, by U1, no file roots. It
    /// can be a drive letter: `C:/work` has the form of a URI. What the scheme means is for the
    /// caller to know.
    ///
    /// ```
    /// use mcp_roots::{OtherSchemeRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"git+ssh://host/a"},{"uri":"FILE:///a"},{"uri":"C:/work"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.other_scheme_roots().map(OtherSchemeRoot::scheme).eq(["git+ssh", "FILE", "C"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.uri().split(':').next().unwrap_or_default()
    }

    /// The URI, byte for byte (U3).
    ///
    /// ```
    /// use mcp_roots::{OtherSchemeRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"s3://bucket/key"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.other_scheme_roots().map(OtherSchemeRoot::uri).eq(["s3://bucket/key"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn uri(&self) -> &str {
        self.0.uri()
    }

    /// The name for display, as [`Root::name`] gives it.
    ///
    /// ```
    /// use mcp_roots::{OtherSchemeRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"s3://bucket/key","name":"key"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.other_scheme_roots().map(OtherSchemeRoot::name).eq([Some("key")]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.name()
    }
}

/// A root whose URI is no RFC 3986 URI: a native path, a URI with a raw blank, or anything else. It
/// is not repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedRoot<'a>(Root<'a>);

impl MalformedRoot<'_> {
    /// What stands where the URI should, character for character (U3).
    ///
    /// ```
    /// use mcp_roots::{MalformedRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"C:\\work"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.malformed_roots().map(MalformedRoot::uri).eq([r"C:\work"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn uri(&self) -> &str {
        self.0.uri()
    }

    /// The name for display, as [`Root::name`] gives it.
    ///
    /// ```
    /// use mcp_roots::{MalformedRoot, Revision};
    /// let text = r#"{"roots":[{"uri":"","name":"here"}]}"#;
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert!(result.malformed_roots().map(MalformedRoot::name).eq([Some("here")]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.name()
    }
}

impl Revision {
    /// Reads a `ListRootsResult` leniently (U4): as [`validate_response`](Self::validate_response),
    /// but for U1 and U2, by which each root is sorted and none refused.
    ///
    /// It is for servers of the initialize era, whose clients send what they call roots, and every
    /// revision has it. What the URIs are does not depend on the revision; `_meta` does (R4, R5).
    ///
    /// # Errors
    ///
    /// R1 to R5, with code -32602; J1, J2, J6 for text. A root that is no object with a string `uri`
    /// refuses the whole result here too.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let text = r#"{"roots":[{"uri":"vscode-remote://wsl/a"},{"uri":"file:///b"},{"uri":"D:\\c"}]}"#;
    /// assert_eq!(Revision::V2025_11_25.validate_response(text).unwrap_err().rule(), "U1");
    /// let result = Revision::V2025_11_25.validate_response_leniently(text)?;
    /// assert_eq!((result.roots().len(), result.file_roots().count()), (3, 1));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn validate_response_leniently<'a>(
        self,
        response: impl Into<Document<'a>>,
    ) -> Result<LenientResult<'a>, Error> {
        let source = response.into().source()?;
        let found = judge(source, RootsResult::<false> { revision: self }, "")?;
        let roots = found.roots.into_iter().map(LenientRoot::of).collect();
        Ok(LenientResult { roots, kept: source.kept() })
    }
}
