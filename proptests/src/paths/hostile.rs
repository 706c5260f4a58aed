//! Hostile URIs: each part plain, or one of the tricks that readers of paths have fallen for.
//!
//! A [`Family`] is a root with a candidate and a candidate for that, each made from the one before, so
//! that inside and outside are both common. [`family`] is the front end for property tests,
//! `Arbitrary` the one for fuzzers.

use arbitrary::{Arbitrary, Result, Unstructured};
use mcp_roots::Platform;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::Question;

/// How the URI begins; the first is the plain one.
pub const SCHEMES: &[&str] = &[
    "file://",
    "FILE://",
    "File://",
    "file:",
    "file:/",
    "file:///",
    " file://",
    "https://",
    "",
    "vscode-remote://",
];

/// Hosts, users and ports; the first is the plain one.
pub const AUTHORITIES: &[&str] = &[
    "",
    "localhost",
    "LOCALHOST",
    "LocalHost",
    "nas",
    "localhost.evil",
    "notlocalhost",
    "localhost.",
    "%6cocalhost",
    "127.0.0.1",
    "[::1]",
    "[v1.a]",
    "..",
    "me@",
    "me@localhost",
    "me:pw@nas:1",
    "@",
    "@localhost",
    ":80",
    "localhost:80",
    "localhost:",
    ":",
    "C:",
    "c%3A",
];

/// Drives, and what may pass for one.
pub const DRIVES: &[&str] = &[
    "C:", "c:", "c%3A", "C%3a", "%43:", "%63%3A", "D:", "d%3a", "C", "CC:", "C%7C", "C|", "1:", "%C3%89:",
    "C:.", ":", "C%253A",
];

/// Segments of a path; the first ones are plain.
pub const SEGMENTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "a.b",
    "A", // plain
    ".",
    "%2e",
    "%2E",
    "..",
    "%2e%2e",
    "%2E%2E",
    ".%2e",
    "%2E.", // dot segments
    "%252e%252e",
    "...",
    "..a",
    ".a",
    "a..",
    "..%20",
    "%20..",
    "..;", // not quite
    "",
    "%2F",
    "%2f",
    "a%2Fb",
    "..%2f",
    "%2F..",
    "%5C",
    "%5c",
    "..%5C..",
    "%252F", // separators
    "%00",
    "a%00b",
    "a%00",
    "%2500",
    "%0A",
    "%7F", // NUL and others
    "a%20",
    "%20a",
    "%20",
    "a.",
    "a%2e",
    "a%20.",
    "a+b", // blanks and dots at the end
    "%FF",
    "%C3%28",
    "%C0%AE%C0%AE",
    "%C0%AF",
    "%ED%A0%80", // not UTF-8
    "%C3%A9",
    "e%CC%81",
    "%E2%80%AE",
    "%EF%BC%8F", // forms of Unicode
    "C:",
    "c%3A",
    "a:b",
    "CON",
    "nul.txt",
    "PROGRA~1",
    "~",
    "$HOME",
    "*",
    "%25",
    "%41", // names with a meaning
    "a b",
    "a\\b",
    "..\\",
    "%",
    "%2",
    "[a]",
    "é",
    "|", // no URI
];

/// What follows the path; the first is the plain one.
pub const TAILS: &[&str] = &["", "?", "?a", "#", "#a", "?/../b", "#/../b", "?a#b"];

/// A URI that may be hostile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostileUri {
    /// Of [`SCHEMES`].
    pub scheme: &'static str,
    /// Of [`AUTHORITIES`].
    pub authority: &'static str,
    /// Of [`DRIVES`].
    pub drive: Option<&'static str>,
    /// Of [`SEGMENTS`], mostly.
    pub segments: Vec<String>,
    /// Whether there is a slash at the end.
    pub is_closed: bool,
    /// Of [`TAILS`].
    pub tail: &'static str,
}

impl HostileUri {
    /// The URI, or what should be one.
    ///
    /// ```
    /// use mcp_roots_proptests::paths::hostile::HostileUri;
    /// let segments = vec!["a".to_owned(), "%2e%2e".to_owned()];
    /// let uri = HostileUri { scheme: "file://", authority: "", drive: Some("c:"), segments, is_closed: true, tail: "" };
    /// assert_eq!(uri.text(), "file:///c:/a/%2e%2e/");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let drive = self.drive.into_iter();
        let segments = drive.chain(self.segments.iter().map(String::as_str));
        let segments: String = segments.flat_map(|segment| ["/", segment]).collect();
        let slash = if self.is_closed { "/" } else { "" };
        format!("{}{}{segments}{slash}{}", self.scheme, self.authority, self.tail)
    }
}

/// How one URI is made from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// The same.
    Same,
    /// Another spelling of host, drive or slash, and of one letter.
    Respelled(&'static str, Option<&'static str>, bool),
    /// Further down.
    Below(Vec<String>),
    /// A name that begins with the same characters.
    Sibling(&'static str),
    /// Down and up again, then down.
    Detour(&'static str, &'static str, String),
    /// Up so many segments, then down.
    Up(u8, &'static str, String),
    /// With something after the path.
    Tail(&'static str),
    /// One that has nothing to do with it.
    Other(HostileUri),
}

/// Dot segments that climb.
const UPS: &[&str] = &["..", "%2e%2e", "%2E.", ".%2e"];

/// What makes another name of a name.
const SUFFIXES: &[&str] = &["c", "-c", "%20", ".", "%2e", "%00", "A"];

/// Spellings of the local host.
const LOCAL: &[&str] = &["", "localhost", "LOCALHOST"];

/// Spellings of one drive.
const DRIVE: &[&str] = &["C:", "c:", "c%3A", "C%3a", "%43:"];

impl Relation {
    fn put(&self, uri: &HostileUri) -> HostileUri {
        let mut made = uri.clone();
        match self {
            Self::Same => {}
            Self::Respelled(authority, drive, is_closed) => {
                if LOCAL.contains(&uri.authority) {
                    made.authority = authority;
                }
                if uri.drive.is_some_and(|drive| DRIVE.contains(&drive)) {
                    made.drive = drive.or(uri.drive);
                }
                made.is_closed = *is_closed && !uri.segments.is_empty();
                if let Some(segment) = made.segments.last_mut().filter(|segment| !segment.contains('%')) {
                    *segment = segment.replace('a', "%61");
                }
            }
            Self::Below(segments) => made.segments.extend(segments.iter().cloned()),
            Self::Sibling(suffix) => match made.segments.last_mut() {
                Some(segment) => *segment += suffix,
                None => made.segments.push((*suffix).to_owned()),
            },
            Self::Detour(name, up, segment) => {
                made.segments.extend([(*name).to_owned(), (*up).to_owned(), segment.clone()]);
            }
            Self::Up(times, up, segment) => {
                made.segments.extend((0..*times).map(|_| (*up).to_owned()));
                made.segments.push(segment.clone());
            }
            Self::Tail(tail) => made.tail = tail,
            Self::Other(other) => return other.clone(),
        }
        made
    }
}

/// Three URIs, each made from the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The first.
    pub root: HostileUri,
    /// How the others are made.
    pub relations: [Relation; 2],
    /// Whose paths they are.
    pub platform: Platform,
}

impl Family {
    /// The URIs.
    ///
    /// ```
    /// use arbitrary::{Arbitrary, Unstructured};
    /// use mcp_roots_proptests::paths::hostile::{Family, Relation};
    /// let mut family = Family::arbitrary(&mut Unstructured::new(&[])).unwrap();
    /// family.relations = [Relation::Same, Relation::Tail("?")];
    /// let [root, candidate, third] = family.uris();
    /// assert!(root == candidate && third == format!("{root}?"));
    /// ```
    #[must_use]
    pub fn uris(&self) -> [String; 3] {
        let second = self.relations[0].put(&self.root);
        let third = self.relations[1].put(&second);
        [self.root.text(), second.text(), third.text()]
    }

    /// Hands the question about them on.
    ///
    /// ```
    /// use arbitrary::{Arbitrary, Unstructured};
    /// use mcp_roots_proptests::Core;
    /// use mcp_roots_proptests::paths::{hostile::Family, laws};
    /// let family = Family::arbitrary(&mut Unstructured::new(&[])).unwrap();
    /// assert!(family.ask(|question| laws::all(&Core, &question)) > 2);
    /// ```
    pub fn ask<T>(&self, question: impl FnOnce(Question<'_>) -> T) -> T {
        let uris = self.uris();
        question(Question { uris: [&uris[0], &uris[1], &uris[2]], platform: self.platform })
    }
}

/// Mostly the first of a table.
fn mostly_plain(table: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(table[0]), 1 => select(table)]
}

/// A segment: plain, a trick, any octets, or very long.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(|(segment in mcp_roots_proptests::paths::hostile::segment())| {
///     prop_assert!(!segment.contains('/'));
/// });
/// ```
pub fn segment() -> impl Strategy<Value = String> {
    let octets = vec(any::<u8>(), 1..4)
        .prop_map(|octets| octets.iter().map(|octet| format!("%{octet:02x}")).collect::<Vec<_>>().concat());
    prop_oneof![
        12 => select(&SEGMENTS[..5]).prop_map(str::to_owned),
        6 => select(SEGMENTS).prop_map(str::to_owned),
        1 => octets,
        1 => (select(SEGMENTS), 1..2000_usize).prop_map(|(part, times)| part.repeat(times)),
    ]
}

/// A URI that may be hostile.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, hostile, laws};
/// use proptest::prelude::*;
/// proptest!(|(uri in hostile::hostile_uri())| {
///     let uri = uri.text();
///     laws::paths_are_the_references(&Core, &Question::new(&uri, &uri, Platform::Posix));
/// });
/// ```
pub fn hostile_uri() -> impl Strategy<Value = HostileUri> {
    let drive =
        prop_oneof![3 => Just(None), 3 => select(DRIVE).prop_map(Some), 2 => select(DRIVES).prop_map(Some)];
    (
        mostly_plain(SCHEMES),
        mostly_plain(AUTHORITIES),
        drive,
        vec(segment(), 0..5),
        any::<bool>(),
        mostly_plain(TAILS),
    )
        .prop_map(|(scheme, authority, drive, segments, is_closed, tail)| HostileUri {
            scheme,
            authority,
            drive,
            segments,
            is_closed,
            tail,
        })
}

fn relation() -> impl Strategy<Value = Relation> {
    let name = select(&["a", "b", ".", "", "C:", "%20"][..]);
    prop_oneof![
        1 => Just(Relation::Same),
        2 => (select(LOCAL), of(select(DRIVE)), any::<bool>()).prop_map(|(host, drive, is_closed)| Relation::Respelled(host, drive, is_closed)),
        4 => vec(segment(), 1..4).prop_map(Relation::Below),
        2 => select(SUFFIXES).prop_map(Relation::Sibling),
        2 => (name, select(UPS), segment()).prop_map(|(name, up, segment)| Relation::Detour(name, up, segment)),
        2 => (1..4_u8, select(UPS), segment()).prop_map(|(times, up, segment)| Relation::Up(times, up, segment)),
        1 => select(TAILS).prop_map(Relation::Tail),
        2 => hostile_uri().prop_map(Relation::Other),
    ]
}

/// Three URIs, each made from the one before.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{hostile, laws};
/// use proptest::prelude::*;
/// proptest!(|(family in hostile::family())| {
///     prop_assert!(family.ask(|question| laws::all(&Core, &question)) > 2);
/// });
/// ```
pub fn family() -> impl Strategy<Value = Family> {
    (hostile_uri(), relation(), relation(), select(&Platform::ALL[..]))
        .prop_map(|(root, first, second, platform)| Family { root, relations: [first, second], platform })
}

impl Arbitrary<'_> for HostileUri {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut uri = Self {
            scheme: choose_mostly_plain(u, SCHEMES)?,
            authority: choose_mostly_plain(u, AUTHORITIES)?,
            drive: match u.int_in_range(0..=4)? {
                0 => Some(*u.choose(DRIVES)?),
                1 | 2 => Some(*u.choose(DRIVE)?),
                _ => None,
            },
            segments: Vec::new(),
            is_closed: u.ratio(1, 4)?,
            tail: choose_mostly_plain(u, TAILS)?,
        };
        while uri.segments.len() < 5 && u.ratio(2, 3)? {
            uri.segments.push(any_segment(u)?);
        }
        Ok(uri)
    }
}

fn choose_mostly_plain(u: &mut Unstructured<'_>, table: &'static [&'static str]) -> Result<&'static str> {
    if u.ratio(1, 10)? { u.choose(table).copied() } else { Ok(table[0]) }
}

fn any_segment(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=15)? {
        0 => format!("%{:02X}", u.arbitrary::<u8>()?),
        1 => u.choose(SEGMENTS)?.repeat(u.int_in_range(1..=400)?),
        2..=4 => (*u.choose(SEGMENTS)?).to_owned(),
        _ => (*u.choose(&SEGMENTS[..5])?).to_owned(),
    })
}

impl Arbitrary<'_> for Relation {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        Ok(match u.int_in_range(0..=9)? {
            0 => Self::Same,
            1 => Self::Respelled(u.choose(LOCAL)?, Some(u.choose(DRIVE)?), u.arbitrary()?),
            2 => Self::Sibling(u.choose(SUFFIXES)?),
            3 => Self::Detour(u.choose(SEGMENTS)?, u.choose(UPS)?, any_segment(u)?),
            4 => Self::Up(u.int_in_range(1..=4)?, u.choose(UPS)?, any_segment(u)?),
            5 => Self::Tail(u.choose(TAILS)?),
            6 => Self::Other(u.arbitrary()?),
            _ => Self::Below(vec![any_segment(u)?]),
        })
    }
}

impl Arbitrary<'_> for Family {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let platform = if u.arbitrary()? { Platform::Windows } else { Platform::Posix };
        Ok(Self { platform, root: u.arbitrary()?, relations: [u.arbitrary()?, u.arbitrary()?] })
    }
}
