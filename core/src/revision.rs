use std::fmt;
use std::str::FromStr;

use crate::capabilities::Capabilities;
use crate::error::Error;
use crate::read::judge;
use crate::request::{Bare, Wire};
use crate::result::RootsResult;
use crate::{Document, ListRootsResult};

/// A revision of the Model Context Protocol, by whose rules a document is judged.
///
/// The crate's free functions judge by the default one, 2026-07-28.
///
/// ```
/// use mcp_roots::Revision;
/// let revision: Revision = "2025-11-25".parse()?;
/// assert_eq!(revision.to_string(), "2025-11-25");
/// assert!(Revision::default() > revision);
/// # Ok::<(), mcp_roots::UnknownRevision>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Revision {
    /// 2024-11-05, the first to have roots.
    V2024_11_05,
    /// 2025-03-26.
    V2025_03_26,
    /// 2025-06-18, which gave roots a `_meta`.
    V2025_06_18,
    /// 2025-11-25, the last that sends `roots/list` over the session.
    V2025_11_25,
    /// 2026-07-28, which embeds `roots/list` in an input-required result.
    #[default]
    V2026_07_28,
}

impl Revision {
    /// All of them, oldest first.
    ///
    /// ```
    /// assert_eq!(mcp_roots::Revision::ALL.map(|revision| revision.to_string())[0], "2024-11-05");
    /// ```
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// Whether a session of this revision begins with `initialize`, and requests to the client are
    /// enveloped: all but 2026-07-28.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// assert!(Revision::V2025_11_25.is_initialize_era() && !Revision::V2026_07_28.is_initialize_era());
    /// ```
    #[must_use]
    pub const fn is_initialize_era(self) -> bool {
        !matches!(self, Self::V2026_07_28)
    }

    /// Whether `_meta` of a root has a meaning (R4).
    pub(crate) const fn has_root_meta(self) -> bool {
        !matches!(self, Self::V2024_11_05 | Self::V2025_03_26)
    }

    /// Judges a `roots/list` request: the bare one of 2026-07-28 (Q2 to Q4), or the enveloped one
    /// that goes over the wire in the initialize era (Q5).
    ///
    /// # Errors
    ///
    /// Q2 to Q5, with code -32602; J1, J2, J6 for text.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let wire = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    /// assert!(Revision::V2025_11_25.validate_request(wire).is_ok());
    /// assert_eq!(Revision::V2026_07_28.validate_request(wire).unwrap_err().rule(), "Q3");
    /// ```
    pub fn validate_request<'a>(self, request: impl Into<Document<'a>>) -> Result<(), Error> {
        let source = request.into().source()?;
        if self.is_initialize_era() {
            judge(source, Wire, "")?
        } else {
            judge(source, Bare, "")?
        };
        Ok(())
    }

    /// Whether this request may be put to a client with these capabilities (C1 to C4).
    ///
    /// What is judged is the bare request in every revision: the request to be made, not its
    /// envelope. In 2026-07-28 the capabilities are those of the request at hand, which
    /// [`client_capabilities`](crate::client_capabilities) finds.
    ///
    /// # Errors
    ///
    /// C1 or C3, with code -32021 and its data (C4), placed in the capabilities. With code -32602:
    /// Q2 to Q4, placed in the request; J1, J2, J6 for the text of either. The request is judged
    /// first.
    ///
    /// ```
    /// use mcp_roots::{Revision, list};
    /// let error = Revision::V2025_11_25.require(&list(), r#"{"roots":{"listChanged":"yes"}}"#).unwrap_err();
    /// assert_eq!((error.rule(), error.at(), error.code()), ("C3", "/roots/listChanged", -32021));
    /// ```
    pub fn require<'r, 'c>(
        self,
        request: impl Into<Document<'r>>,
        capabilities: impl Into<Document<'c>>,
    ) -> Result<(), Error> {
        judge(request.into().source()?, Bare, "")?;
        judge(capabilities.into().source()?, Capabilities { revision: self }, "")?;
        Ok(())
    }

    /// Whether [`require`](Self::require) has no objection.
    ///
    /// ```
    /// use mcp_roots::{Revision, list};
    /// assert!(Revision::V2024_11_05.supported(&list(), r#"{"roots":{}}"#));
    /// assert!(!Revision::V2024_11_05.supported(&list(), r#"{"roots":true}"#));
    /// ```
    #[must_use]
    pub fn supported<'r, 'c>(
        self,
        request: impl Into<Document<'r>>,
        capabilities: impl Into<Document<'c>>,
    ) -> bool {
        self.require(request, capabilities).is_ok()
    }

    /// Judges a `ListRootsResult` (R, U1, U2) and gives the roots.
    ///
    /// A client can hold its own answer against this before it sends it.
    ///
    /// # Errors
    ///
    /// R1 to R5, U1, U2, with code -32602; J1, J2, J6 for text. One bad root refuses the whole
    /// result (R7).
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let result = r#"{"roots":[{"uri":"file:///a","_meta":null}]}"#;
    /// assert!(Revision::V2025_03_26.validate_response(result).is_ok());
    /// assert_eq!(Revision::V2025_06_18.validate_response(result).unwrap_err().rule(), "R4");
    /// ```
    pub fn validate_response<'a>(
        self,
        response: impl Into<Document<'a>>,
    ) -> Result<ListRootsResult<'a>, Error> {
        let source = response.into().source()?;
        let found = judge(source, RootsResult::<true> { revision: self }, "")?;
        Ok(ListRootsResult { roots: found.roots, kept: source.kept() })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The text names none of the five revisions.
///
/// ```
/// assert!("2025-11-26".parse::<mcp_roots::Revision>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRevision;

impl fmt::Display for UnknownRevision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a known revision of the Model Context Protocol")
    }
}

impl std::error::Error for UnknownRevision {}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(name: &str) -> Result<Self, UnknownRevision> {
        Self::ALL.into_iter().find(|revision| revision.name() == name).ok_or(UnknownRevision)
    }
}
