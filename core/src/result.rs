use std::borrow::Cow;

use fluent_uri::Uri;
use serde::de::{MapAccess, SeqAccess};

use crate::document::Kept;
use crate::error::{Fault, Place, Rule};
use crate::read::{AnyObject, Array, Found, Judge, MemberValue, Met, Scalar, members};
use crate::{Document, Revision};

/// An accepted list of roots: what a client says of its file system, in its order (R7).
///
/// Borrows from the document it was read from. A root is a claim, not a grant, and the list is not
/// authenticated (A7): hold every path made from it against the server's own authorisation.
#[derive(Debug, Clone)]
pub struct ListRootsResult<'a> {
    pub(crate) roots: Vec<Root<'a>>,
    pub(crate) kept: Kept<'a>,
}

impl<'a> ListRootsResult<'a> {
    /// The roots, in the order of the document; possibly none.
    ///
    /// ```
    /// let result = mcp_roots::validate_response(r#"{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}"#)?;
    /// assert!(result.roots().iter().map(mcp_roots::Root::uri).eq(["file:///a", "file:///b"]));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn roots(&self) -> &[Root<'a>] {
        &self.roots
    }

    /// The document as it came (J5), with all that the rules leave to the application: text, byte
    /// for byte, or the very `Value` that was given. Of [`response`](crate::response) it is the
    /// named answer; for text that means one more, cheap, pass over the input responses.
    ///
    /// ```
    /// use mcp_roots::Document;
    /// let text = r#"{"roots": [], "note": 1.50}"#;
    /// assert_eq!(mcp_roots::validate_response(text)?.document(), Document::Text(text));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn document(&self) -> Document<'a> {
        self.kept.document()
    }
}

impl PartialEq for ListRootsResult<'_> {
    /// Equal roots in equal documents, wherever those stand.
    fn eq(&self, other: &Self) -> bool {
        self.roots == other.roots && self.document() == other.document()
    }
}

/// One root: a `file://` URI and perhaps a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root<'a> {
    uri: Cow<'a, str>,
    name: Option<Cow<'a, str>>,
}

impl Root<'_> {
    /// To be filled where it stands.
    const BLANK: Self = Self { uri: Cow::Borrowed(""), name: None };

    /// The URI, byte for byte as the client wrote it (U3): an RFC 3986 URI that begins with
    /// `file://`. It may have a host, a query or dot segments; it is no path yet.
    ///
    /// ```
    /// let result = mcp_roots::validate_response(r#"{"roots":[{"uri":"file:///a/../%62"}]}"#)?;
    /// assert_eq!(result.roots()[0].uri(), "file:///a/../%62");
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The name for display, if there is one; it may be empty (R3) and is the client's free choice.
    ///
    /// ```
    /// let result = mcp_roots::validate_response(r#"{"roots":[{"uri":"file:///a","name":"A"}]}"#)?;
    /// assert_eq!(result.roots()[0].name(), Some("A"));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The same root, which no longer borrows from its document.
    ///
    /// ```
    /// use mcp_roots::{Root, validate_response};
    /// let text = r#"{"roots":[{"uri":"file:///a"}]}"#.to_owned();
    /// let roots: Vec<_> = validate_response(&text)?.roots().iter().cloned().map(Root::into_owned).collect();
    /// drop(text);
    /// assert_eq!(roots[0].uri(), "file:///a");
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Root<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Root { uri: owned(self.uri), name: self.name.map(owned) }
    }
}

/// A `ListRootsResult` (R), whose URIs are judged (U1, U2) only if it is strict.
#[derive(Clone, Copy)]
pub(crate) struct RootsResult<const STRICT: bool> {
    pub(crate) revision: Revision,
}

members!(ResultMember { Roots = "roots", Meta = "_meta" });

impl<'de, const STRICT: bool> Judge<'de> for RootsResult<STRICT> {
    type Member = ResultMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::R1)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: ResultMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            ResultMember::Roots => value.judge(Roots::<STRICT> { revision: self.revision }),
            ResultMember::Meta if self.revision.is_initialize_era() => {
                value.judge(AnyObject(Fault(Rule::R5, Place::Meta)))
            }
            ResultMember::Meta | ResultMember::Other => value.skip(),
        }
    }

    #[inline]
    fn end(self, met: Met<ResultMember>) -> Result<(), Fault> {
        if met.has(ResultMember::Roots) { Ok(()) } else { Err(self.mismatch()) }
    }
}

/// So many roots are made room for at first: more than most clients have, less than a kilobyte.
const USUAL_COUNT: usize = 16;

#[derive(Clone, Copy)]
struct Roots<const STRICT: bool> {
    revision: Revision,
}

impl<'de, const STRICT: bool> Judge<'de> for Roots<STRICT> {
    type Member = ();

    fn mismatch(self) -> Fault {
        Fault(Rule::R1, Place::Roots)
    }

    #[inline]
    fn array<A: SeqAccess<'de>>(self, array: &mut Array<'_, 'de, A>) -> Result<(), A::Error> {
        // One more than there are is in the making when the array ends.
        let room = array.count().map_or(USUAL_COUNT, |count| count.saturating_add(1));
        array.found().roots.reserve(room);
        loop {
            // Filled where it stands; the place of a fault in a root is that of the last one.
            array.found().roots.push(Root::BLANK);
            if !array.next(Entry::<STRICT> { revision: self.revision })? {
                array.found().roots.pop();
                return Ok(());
            }
        }
    }
}

/// An entry of `roots` (R2 to R4).
#[derive(Clone, Copy)]
struct Entry<const STRICT: bool> {
    revision: Revision,
}

members!(RootMember { Uri = "uri", Name = "name", Meta = "_meta" });

impl<'de, const STRICT: bool> Judge<'de> for Entry<STRICT> {
    type Member = RootMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault(Rule::R2, Place::Root)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: RootMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            RootMember::Uri => value.judge(RootUri::<STRICT>),
            RootMember::Name => value.judge(RootName),
            RootMember::Meta if self.revision.has_root_meta() => {
                value.judge(AnyObject(Fault(Rule::R4, Place::RootMeta)))
            }
            RootMember::Meta | RootMember::Other => value.skip(),
        }
    }

    #[inline]
    fn end(self, met: Met<RootMember>) -> Result<(), Fault> {
        if met.has(RootMember::Uri) { Ok(()) } else { Err(self.mismatch()) }
    }
}

#[derive(Clone, Copy)]
struct RootUri<const STRICT: bool>;

impl<'de, const STRICT: bool> Judge<'de> for RootUri<STRICT> {
    type Member = ();

    fn mismatch(self) -> Fault {
        Fault(Rule::R2, Place::RootUri)
    }

    #[expect(clippy::inline_always, reason = "each call costs a twentieth of a root")]
    #[inline(always)]
    fn scalar(self, scalar: Scalar<'_, 'de>, found: &mut Found<'de>) -> Result<(), Fault> {
        let Scalar::String(uri) = scalar else {
            return Err(self.mismatch());
        };
        if STRICT {
            check_uri(uri.get()).map_err(|rule| Fault(rule, Place::RootUri))?;
        }
        if let Some(root) = found.roots.last_mut() {
            root.uri = uri.keep();
        }
        Ok(())
    }
}

/// Judges a URI by U1 and U2, and repairs nothing (U3).
#[inline]
pub(crate) fn check_uri(uri: &str) -> Result<(), Rule> {
    if is_plain_file_uri(uri) { Ok(()) } else { check_any_uri(uri) }
}

/// Whether this is `file:///` and then only plain bytes, which makes it a URI by the grammar of a path
/// (RFC 3986, 3.3): a short way for nearly every root, at a fraction of the whole grammar's price.
#[inline]
fn is_plain_file_uri(uri: &str) -> bool {
    let Some(path) = uri.strip_prefix("file:///") else {
        return false;
    };
    match uri.as_bytes().last_chunk() {
        // Of the last sixteen some bytes are looked at twice, so that all goes by sixteens.
        Some(last) => path.as_bytes().as_chunks().0.iter().all(are_plain) && are_plain(last),
        None => path.bytes().all(is_plain),
    }
}

/// Prefix first, then grammar: neither test implies the other.
#[inline(never)]
fn check_any_uri(uri: &str) -> Result<(), Rule> {
    if !uri.starts_with("file://") {
        return Err(Rule::U1);
    }
    Uri::parse(uri).map(drop).map_err(|_| Rule::U2)
}

/// Without a branch, which lets the compiler take all bytes at once.
#[inline]
fn are_plain(bytes: &[u8; 16]) -> bool {
    bytes.iter().fold(true, |plain, byte| plain & is_plain(*byte))
}

/// Whether a byte is a letter, a digit or one of `&'()*+,-./:;_`, which all stand for themselves in a
/// path. The others that do (`!$=@~`) are rare, and each would cost a comparison more.
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, at twice the price")]
const fn is_plain(byte: u8) -> bool {
    /// By a signed comparison: the only one that older processors have for sixteen bytes at once.
    const fn is_within(byte: u8, first: u8, last: u8) -> bool {
        let shifted = byte.wrapping_sub(first).wrapping_sub(0x80).cast_signed();
        shifted <= last.wrapping_sub(first).wrapping_sub(0x80).cast_signed()
    }
    const fn is_letter(byte: u8) -> bool {
        is_within(byte | 0x20, b'a', b'z')
    }
    is_letter(byte) | is_within(byte, b'&', b';') | (byte == b'_')
}

#[derive(Clone, Copy)]
struct RootName;

impl<'de> Judge<'de> for RootName {
    type Member = ();

    fn mismatch(self) -> Fault {
        Fault(Rule::R3, Place::RootName)
    }

    #[expect(clippy::inline_always, reason = "each call costs a twentieth of a root")]
    #[inline(always)]
    fn scalar(self, scalar: Scalar<'_, 'de>, found: &mut Found<'de>) -> Result<(), Fault> {
        let Scalar::String(name) = scalar else {
            return Err(self.mismatch());
        };
        if let Some(root) = found.roots.last_mut() {
            root.name = Some(name.keep());
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn plain_are_letters_digits_and_these_marks_wherever_they_stand() {
        for character in '\0'..'\u{100}' {
            let is_plain = character.is_ascii_alphanumeric() || "&'()*+,-./:;_".contains(character);
            let mut among = ['a'; 40];
            for position in 0..among.len() {
                among[position] = character;
                for length in [position + 1, among.len()] {
                    let uri = format!("file:///{}", among[..length].iter().collect::<String>());
                    assert_eq!(is_plain_file_uri(&uri), is_plain, "{uri}");
                }
                among[position] = 'a';
            }
        }
        assert!(!is_plain_file_uri("file://host/"));
    }
}
