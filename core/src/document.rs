use std::fmt;

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::Request;
use crate::error::{Error, Fault, Rule};

/// A document on its way in, or as it was accepted: JSON text, or a [`Value`] that already stands.
///
/// Every judging function takes `impl Into<Document>`, so callers seldom name it. Both forms are
/// judged by the same rules with the same verdict; only rules J are a matter of text.
///
/// ```
/// let text = r#"{"roots":[]}"#;
/// let value: serde_json::Value = serde_json::from_str(text)?;
/// assert!(mcp_roots::validate_response(text).is_ok());
/// assert!(mcp_roots::validate_response(text.as_bytes()).is_ok());
/// assert!(mcp_roots::validate_response(&value).is_ok());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Document<'a> {
    /// JSON text.
    Text(&'a str),
    /// JSON text that has yet to be found UTF-8 (J1).
    Bytes(&'a [u8]),
    /// A value that was parsed before, by rules that are not ours.
    Value(&'a Value),
    /// No document at all, as where a request has no `inputResponses` (A1). Where a document is
    /// needed, it is judged like one that is not an object.
    Absent,
}

impl<'a> Document<'a> {
    /// The same document, which is text from here on where it was bytes (J1).
    pub(crate) fn source(self) -> Result<Source<'a>, Error> {
        match self {
            Self::Text(text) => Ok(Source::Text(text)),
            Self::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Source::Text(text)),
                Err(_) => Err(Error::new(Fault::document(Rule::J1), None, 0)),
            },
            Self::Value(value) => Ok(Source::Value(value)),
            Self::Absent => Ok(Source::Absent),
        }
    }
}

/// A document that can be read.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Text(&'a str),
    Value(&'a Value),
    Absent,
}

impl<'a> Source<'a> {
    /// All of it, for keeping (J5).
    pub(crate) fn kept(self) -> Kept<'a> {
        Kept::Whole(match self {
            Self::Text(text) => Document::Text(text),
            Self::Value(value) => Document::Value(value),
            Self::Absent => Document::Absent,
        })
    }

    /// The member `name` of what is an accepted object, in which it is the `index`-th.
    pub(crate) fn kept_member(self, name: &str, index: usize) -> Kept<'a> {
        match self {
            Self::Text(object) => Kept::Member(object, index),
            Self::Value(value) => Kept::Whole(value.get(name).into()),
            Self::Absent => self.kept(),
        }
    }
}

/// Where an accepted document stands (J5).
#[derive(Clone, Copy)]
pub(crate) enum Kept<'a> {
    Whole(Document<'a>),
    /// The member at this index of an object's text: sought only when somebody asks.
    Member(&'a str, usize),
}

impl<'a> Kept<'a> {
    pub(crate) fn document(self) -> Document<'a> {
        match self {
            Self::Whole(document) => document,
            Self::Member(object, index) => Document::Text(nth_member(object, index)),
        }
    }
}

impl fmt::Debug for Kept<'_> {
    /// As the document that is kept: the rest of a map, other answers in it, is nobody's to see (A3).
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document().fmt(formatter)
    }
}

/// The value of the `index`-th member of an accepted object's text.
fn nth_member(object: &str, index: usize) -> &str {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let mut rest = object.trim_start_matches(SPACE).trim_start_matches('{');
    let mut next_value = || {
        let text = rest.trim_start_matches(SPACE).trim_start_matches([',', ':']).trim_start_matches(SPACE);
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
        values.next();
        let (value, after) = text.split_at_checked(values.byte_offset()).unwrap_or((text, ""));
        rest = after;
        value
    };
    for _ in 0..index {
        next_value();
        next_value();
    }
    next_value();
    next_value()
}

impl<'a> From<&'a str> for Document<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Document<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Document<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Document<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Document<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a Value> for Document<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Value(value)
    }
}

impl<'a> From<Option<&'a Value>> for Document<'a> {
    fn from(value: Option<&'a Value>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

impl From<&Request> for Document<'_> {
    fn from(_: &Request) -> Self {
        Self::Text(Request::TEXT)
    }
}
