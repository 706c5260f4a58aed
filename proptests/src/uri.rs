//! URIs and strings that are nearly URIs: a model of both, and the committed examples.
//!
//! A [`Uri`] without a [`Slip`] is a `file://` URI by RFC 3986, whatever its parts; a slip puts in what
//! does not belong there. The model's front ends are [`uri`] for proptest and `Arbitrary` for fuzzers.

use std::{fs, io};

use arbitrary::Arbitrary;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use serde::Deserialize;

use crate::corpus;
use crate::model::PLAIN;

/// A `file://` URI, with at most one slip.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Uri {
    /// What stands before the path.
    pub authority: Authority,
    /// The segments of the path, each after a slash.
    pub segments: Vec<Segment>,
    /// After `?`.
    pub query: Option<Vec<Piece>>,
    /// After `#`.
    pub fragment: Option<Vec<Piece>>,
    /// What does not belong there.
    pub slip: Option<Slip>,
}

/// An authority (RFC 3986, 3.2).
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Authority {
    /// None, as nearly always.
    Empty,
    /// A drive letter and a colon: a host and an empty port by RFC 3986.
    Drive(u8),
    /// A host, with a user and a port perhaps.
    Server {
        /// Before `@`.
        user: Option<Vec<Piece>>,
        /// The host.
        host: Host,
        /// After `:`.
        port: Option<Port>,
    },
}

/// A host (RFC 3986, 3.2.2).
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Host {
    /// A reg-name, without the marks of a [`Piece`].
    Name(Vec<Piece>),
    /// A reg-name that means something to somebody: which of [`HOSTS`], by its index.
    Known(u8),
    /// An `IPv4address`.
    Ipv4([u8; 4]),
    /// An `IPv6address` in brackets.
    Ipv6(Ipv6),
    /// An address of a version to come, in brackets.
    IpvFuture(u8, Vec<Piece>),
}

/// An `IPv6address`, abbreviated or not.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Ipv6 {
    /// The eight groups.
    pub groups: [u16; 8],
    /// Which groups `::` stands for: the first, and how many after it; both taken by the remainder.
    pub omitted: Option<(u8, u8)>,
    /// The last two groups as an `IPv4address`.
    pub has_ipv4: bool,
    /// Upper case.
    pub is_upper: bool,
    /// Leading zeros.
    pub is_padded: bool,
}

/// A port: digits, or none (RFC 3986, 3.2.3).
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Port {
    /// No digits.
    Empty,
    /// A port that there is.
    Number(u16),
    /// With leading zeros, this many.
    Zeros(u8, u16),
    /// Beyond any that there is, by so much.
    Long(u32),
}

/// A segment of a path.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Segment {
    /// Any; perhaps empty.
    Any(Vec<Piece>),
    /// A dot segment, plain or encoded: which of [`DOTS`], by its index.
    Dots(u8),
    /// A drive letter and a colon.
    Drive(u8),
}

/// A piece of a component.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub enum Piece {
    /// A character that stands for itself anywhere: which, by its index.
    Plain(u8),
    /// A percent-encoded octet, in upper case or lower.
    Encoded(u8, bool),
    /// `:`, `@`, or in query and fragment `/` or `?`: which, by its index.
    Mark(u8),
}

/// Something that does not belong there: which of [`SLIPS`], by its index, and at which of the places
/// that it can be put.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Slip {
    /// Which.
    pub which: u8,
    /// Where.
    pub place: u8,
}

/// Hosts that are reg-names by RFC 3986 and something else by other readers.
pub const HOSTS: &[&str] = &[
    "localhost",
    "LOCALHOST",
    "server.example",
    "Server.Example",
    "%41",
    "a%2Fb",
    "a%00b",
    "%5Bx%5D",
    "a%40b",
    "1",
    "0x7f.1",
    "017.0.0.1",
    "256.1.1.1",
    "1.2.3.4.5",
    "1.2.3.04",
    "08",
    "0x",
    "0xG",
    "4294967295",
    "4294967296",
    "1.",
    ".",
    "a..b",
    "a.1",
    "c%3A",
    "%7E",
    "xn--nxasmq6b",
    "xn--a",
    "XN--BCHER-KVA",
    "b%C3%BCcher",
    "%EF%BC%91",
    "%C2%AD",
    "%FF",
    "%E2%80%AE",
    "%6C%6F%63%61%6C%68%6F%73%74",
    "_srv",
    "a'b",
];

/// Dot segments as they can be spelled.
pub const DOTS: &[&str] = &[".", "..", "%2e", "%2E", "%2e%2E", ".%2e", "%2E."];

/// How a slip is put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// In place of `file://`.
    Start(&'static str),
    /// Into one of the components, at any place.
    Into(&'static str),
    /// Into the authority, at any place.
    IntoAuthority(&'static str),
    /// Into the path, at any place.
    IntoPath(&'static str),
    /// In place of the authority.
    Authority(&'static str),
    /// Into the fragment, at any place.
    IntoFragment(&'static str),
    /// After the end.
    End(&'static str),
}

/// Near misses: of the prefix, of characters, of percent-encodings, of each kind of authority.
pub const SLIPS: &[How] = &[
    How::Start("FILE://"),
    How::Start("File://"),
    How::Start(" file://"),
    How::Start("\u{1f}file://"),
    How::Start("fi\nle://"),
    How::Start("\u{feff}file://"),
    How::Start("file:/"),
    How::Start("file:"),
    How::Start("file"),
    How::Start("file:\\\\"),
    How::Start("file:/\\"),
    How::Start("\\\\"),
    How::Start("//"),
    How::Start(""),
    How::Start("C:"),
    How::Start("files://"),
    How::Start("http://"),
    How::Start("urn:"),
    How::Start("file ://"),
    How::Start("file+x://"),
    How::Start("1file://"),
    How::Into(" "),
    How::Into("\""),
    How::Into("<"),
    How::Into(">"),
    How::Into("^"),
    How::Into("`"),
    How::Into("{"),
    How::Into("|"),
    How::Into("}"),
    How::Into("\\"),
    How::Into("\0"),
    How::Into("\t"),
    How::Into("\n"),
    How::Into("\r"),
    How::Into("\x7f"),
    How::Into("\u{80}"),
    How::Into("é"),
    How::Into("１"),
    How::Into("😀"),
    How::Into("["),
    How::Into("]"),
    How::Into("%"),
    How::Into("%4"),
    How::Into("%zz"),
    How::Into("%4g"),
    How::Into("%%"),
    How::Into("%u0041"),
    How::Into("% 41"),
    How::IntoAuthority("@"),
    How::IntoAuthority(":"),
    How::IntoAuthority(":x"),
    How::IntoAuthority(":-1"),
    How::IntoAuthority(":%38"),
    How::IntoAuthority("[::1]"),
    How::IntoPath("[::1]"),
    How::IntoPath("/C|/"),
    How::IntoPath("\\..\\"),
    How::IntoPath("/../"),
    How::IntoFragment("#"),
    How::Authority("C|"),
    How::Authority("::1"),
    How::Authority("[::1"),
    How::Authority("[]"),
    How::Authority("[::1]x"),
    How::Authority("[::1]]"),
    How::Authority("[[::1]]"),
    How::Authority("u@[::1"),
    How::Authority("[::1]:x"),
    How::Authority("[:1]"),
    How::Authority("[1:]"),
    How::Authority("[:::]"),
    How::Authority("[1::2::3]"),
    How::Authority("[12345::]"),
    How::Authority("[g::]"),
    How::Authority("[1:2:3:4:5:6:7]"),
    How::Authority("[1:2:3:4:5:6:7:8:9]"),
    How::Authority("[1:2:3:4:5:6:7::8]"),
    How::Authority("[::1.2.3]"),
    How::Authority("[::1.2.3.4.5]"),
    How::Authority("[::01.2.3.4]"),
    How::Authority("[::256.1.1.1]"),
    How::Authority("[::1.2.3.4:5]"),
    How::Authority("[1:2:3:4:5:6:7:1.2.3.4]"),
    How::Authority("[fe80::1%25eth0]"),
    How::Authority("[fe80::1%eth0]"),
    How::Authority("[::%31]"),
    How::Authority("[127.0.0.1]"),
    How::Authority("[v1]"),
    How::Authority("[v1.]"),
    How::Authority("[v.a]"),
    How::Authority("[vg.a]"),
    How::Authority("[1.a]"),
    How::Authority("[v1.a%20]"),
    How::Authority("[v1.a@b]"),
    How::Authority("[v1.a/b]"),
    How::End(" "),
    How::End("\n"),
    How::End("\0"),
    How::End("\\"),
    How::End("%"),
    How::End("%2"),
];

fn of_table<T: Copy>(table: &[T], index: u8) -> T {
    table[usize::from(index) % table.len()]
}

fn letter(index: u8) -> char {
    char::from(PLAIN[usize::from(index) % 52])
}

/// The text of pieces, with `marks` for the marks.
fn text(pieces: &[Piece], marks: &[&str]) -> String {
    let piece = |piece: &Piece| match *piece {
        Piece::Plain(index) => char::from(of_table(PLAIN, index)).to_string(),
        Piece::Encoded(octet, true) => format!("%{octet:02X}"),
        Piece::Encoded(octet, false) => format!("%{octet:02x}"),
        Piece::Mark(index) => of_table(marks, index).to_owned(),
    };
    pieces.iter().map(piece).collect()
}

impl Uri {
    /// The string.
    ///
    /// ```
    /// use mcp_roots_proptests::uri::{Authority, Segment, Slip, Uri};
    /// let mut uri = Uri {
    ///     authority: Authority::Drive(2),
    ///     segments: vec![Segment::Dots(1)],
    ///     query: None,
    ///     fragment: None,
    ///     slip: None,
    /// };
    /// assert_eq!(uri.text(), "file://c:/..");
    /// uri.slip = Some(Slip { which: 0, place: 0 });
    /// assert_eq!(uri.text(), "FILE://c:/..");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let path = self.segments.iter().map(|segment| match segment {
            Segment::Any(pieces) => format!("/{}", text(pieces, &[":", "@"])),
            Segment::Dots(which) => format!("/{}", of_table(DOTS, *which)),
            Segment::Drive(which) => format!("/{}:", letter(*which)),
        });
        let rest = |part: &Option<Vec<Piece>>, mark: &str| {
            let text = part.as_ref().map(|pieces| text(pieces, &[":", "@", "/", "?", "'"]));
            text.map_or(String::new(), |text| format!("{mark}{text}"))
        };
        let mut parts = [
            "file://".to_owned(),
            self.authority.text(),
            path.collect(),
            rest(&self.query, "?"),
            rest(&self.fragment, "#"),
        ];
        let mut end = "";
        if let Some(slip) = &self.slip {
            let place = usize::from(slip.place);
            match slip.how() {
                How::Start(text) => text.clone_into(&mut parts[0]),
                How::Authority(text) => text.clone_into(&mut parts[1]),
                How::Into(text) => put(&mut parts[1 + place % 4], place / 4, text),
                How::IntoAuthority(text) => put(&mut parts[1], place, text),
                How::IntoPath(text) => put(&mut parts[2], place, text),
                How::IntoFragment(text) => put(&mut parts[4], place, text),
                How::End(text) => end = text,
            }
        }
        parts.concat() + end
    }
}

/// Puts a text somewhere into another, but not before the mark that one begins with.
fn put(into: &mut String, place: usize, text: &str) {
    let first = usize::from(into.starts_with(['/', '?', '#']));
    into.insert_str(first + place % (into.len() - first + 1), text);
}

impl Slip {
    /// How it is put in.
    ///
    /// ```
    /// use mcp_roots_proptests::uri::{How, Slip};
    /// assert_eq!(Slip { which: 0, place: 0 }.how(), How::Start("FILE://"));
    /// ```
    #[must_use]
    pub fn how(&self) -> How {
        of_table(SLIPS, self.which)
    }
}

impl Authority {
    fn text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Drive(which) => format!("{}:", letter(*which)),
            Self::Server { user, host, port } => {
                let user = user.as_ref().map_or(String::new(), |user| text(user, &[":"]) + "@");
                let port = port.as_ref().map_or(String::new(), |port| format!(":{}", port.text()));
                user + &host.text() + &port
            }
        }
    }
}

impl Host {
    fn text(&self) -> String {
        match self {
            Self::Name(pieces) => text(pieces, &["~"]),
            Self::Known(which) => of_table(HOSTS, *which).to_owned(),
            Self::Ipv4(octets) => std::net::Ipv4Addr::from(*octets).to_string(),
            Self::Ipv6(address) => format!("[{}]", address.text()),
            Self::IpvFuture(version, pieces) => {
                let address: Vec<Piece> =
                    pieces.iter().filter(|piece| !matches!(piece, Piece::Encoded(..))).cloned().collect();
                let v = if version % 2 == 0 { 'v' } else { 'V' };
                format!("[{v}{version:x}.a{}]", text(&address, &[":"]))
            }
        }
    }
}

impl Ipv6 {
    /// The address, without brackets.
    ///
    /// ```
    /// use mcp_roots_proptests::uri::Ipv6;
    /// let groups = [1, 2, 3, 4, 5, 6, 0xc000, 0x0201];
    /// let mut address =
    ///     Ipv6 { groups, omitted: None, has_ipv4: true, is_upper: false, is_padded: false };
    /// assert_eq!(address.text(), "1:2:3:4:5:6:192.0.2.1");
    /// address.omitted = Some((1, 2));
    /// assert_eq!(address.text(), "1::5:6:192.0.2.1");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let hexadecimal = if self.has_ipv4 { 6 } else { 8 };
        let group = |group: &u16| match (self.is_padded, self.is_upper) {
            (false, false) => format!("{group:x}"),
            (false, true) => format!("{group:X}"),
            (true, false) => format!("{group:04x}"),
            (true, true) => format!("{group:04X}"),
        };
        let mut texts: Vec<String> = self.groups[..hexadecimal].iter().map(group).collect();
        if self.has_ipv4 {
            let [.., third, last] = self.groups;
            let ([a, b], [c, d]) = (third.to_be_bytes(), last.to_be_bytes());
            texts.push(format!("{a}.{b}.{c}.{d}"));
        }
        let Some((first, more)) = self.omitted else { return texts.join(":") };
        let first = usize::from(first) % hexadecimal;
        let after = first + 1 + usize::from(more) % (hexadecimal - first);
        format!("{}::{}", texts[..first].join(":"), texts[after..].join(":"))
    }
}

impl Port {
    fn text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Number(port) => port.to_string(),
            Self::Zeros(zeros, port) => format!("{}{port}", "0".repeat(usize::from(zeros % 8) + 1)),
            Self::Long(more) => (65_536 + u64::from(*more)).to_string(),
        }
    }
}

fn index_of<T>(table: &[T]) -> std::ops::Range<u8> {
    0..u8::try_from(table.len()).expect("a short table")
}

/// A URI, as often as not with a slip; shrinks to `file://`.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::{Core, laws, uri};
/// proptest!(|(uri in uri::uri())| {
///     laws::root_uri_judged_right(&Core, &uri.text());
/// });
/// ```
pub fn uri() -> impl Strategy<Value = Uri> {
    let index = any::<u8>;
    let pieces = || {
        let piece = prop_oneof![
            6 => index().prop_map(Piece::Plain),
            1 => (index(), any::<bool>()).prop_map(|(octet, is_upper)| Piece::Encoded(octet, is_upper)),
            1 => index().prop_map(Piece::Mark),
        ];
        vec(piece, 0..5)
    };
    let ipv6 = (any::<[u16; 8]>(), of((index(), index())), any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(groups, omitted, has_ipv4, is_upper, is_padded)| Ipv6 {
            groups,
            omitted,
            has_ipv4,
            is_upper,
            is_padded,
        });
    let host = prop_oneof![
        2 => pieces().prop_map(Host::Name),
        3 => index_of(HOSTS).prop_map(Host::Known),
        1 => any::<[u8; 4]>().prop_map(Host::Ipv4),
        2 => ipv6.prop_map(Host::Ipv6),
        1 => (index(), pieces()).prop_map(|(version, pieces)| Host::IpvFuture(version, pieces)),
    ];
    let port = prop_oneof![
        Just(Port::Empty),
        any::<u16>().prop_map(Port::Number),
        (index(), any::<u16>()).prop_map(|(zeros, port)| Port::Zeros(zeros, port)),
        any::<u32>().prop_map(Port::Long),
    ];
    let authority = prop_oneof![
        5 => Just(Authority::Empty),
        1 => index().prop_map(Authority::Drive),
        10 => (weighted(0.15, pieces()), host, weighted(0.15, port))
            .prop_map(|(user, host, port)| Authority::Server { user, host, port }),
    ];
    let segment = prop_oneof![
        4 => pieces().prop_map(Segment::Any),
        2 => index_of(DOTS).prop_map(Segment::Dots),
        1 => index().prop_map(Segment::Drive),
    ];
    let slip = (index_of(SLIPS), index()).prop_map(|(which, place)| Slip { which, place });
    let rest = || weighted(0.2, pieces());
    (authority, vec(segment, 0..5), rest(), rest(), of(slip)).prop_map(
        |(authority, segments, query, fragment, slip)| Uri { authority, segments, query, fragment, slip },
    )
}

/// A committed URI, or what is none, and what is known of it: a table of `corpus/uri.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The string.
    pub text: String,
    /// `accept`, `reject U1` or `reject U2`.
    pub expect: String,
    /// The names of the [divergences](crate::laws::Divergence) that the `url` crate needs there.
    #[serde(default)]
    pub differs: Vec<String>,
    /// What it shows.
    pub shows: String,
}

/// The committed URIs.
///
/// # Errors
///
/// Where the file cannot be read or is malformed.
///
/// ```
/// assert!(mcp_roots_proptests::uri::examples()?.len() > 100);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn examples() -> io::Result<Vec<Example>> {
    #[derive(Deserialize)]
    struct Examples {
        uri: Vec<Example>,
    }
    let text = fs::read_to_string(corpus::folder().join("uri.toml"))?;
    let examples: Examples =
        toml::from_str(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(examples.uri)
}
