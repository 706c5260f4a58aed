//! Root URIs, held against two readers of RFC 3986 and one of the WHATWG's URL Standard.

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::pct_enc::EStr;
use iri_string::types::UriStr;
use url::{Host, Url};

use crate::{Case, Door, Json, Style, Target, Validator, Verdict};

/// What a [`Divergence`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DivergenceKind {
    /// U1 and U2 accept the string, the URL Standard refuses it.
    Refused,
    /// U1 refuses the string, the URL Standard takes it.
    Prefix,
    /// U2 refuses the string, the URL Standard takes it.
    Taken,
    /// Both accept the string, and a component reads otherwise.
    Changed,
    /// Refused or changed: that is decided by Unicode's tables and not by the string.
    Open,
}

macro_rules! divergences {
    ($($name:ident, $kind:ident, $clause:literal;)+) => {
        /// A difference between the rules for root URIs and the URL Standard, with the clauses that make it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Divergence {
            $(#[doc = $clause] $name,)+
        }

        impl Divergence {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// What it is about.
            ///
            /// ```
            /// use mcp_roots_proptests::laws::{Divergence, DivergenceKind};
            /// assert_eq!(Divergence::Port.kind(), DivergenceKind::Refused);
            /// ```
            #[must_use]
            pub const fn kind(self) -> DivergenceKind {
                match self { $(Self::$name => DivergenceKind::$kind,)+ }
            }

            /// The clause of RFC 3986 (or the rule) and the part of the URL Standard that differ.
            ///
            /// ```
            /// use mcp_roots_proptests::laws::Divergence;
            /// assert!(Divergence::Port.clause().contains("3.2.3"));
            /// ```
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$name => $clause,)+ }
            }

            /// The divergence of this name.
            ///
            /// ```
            /// use mcp_roots_proptests::laws::Divergence;
            /// assert_eq!(Divergence::named("Port"), Some(Divergence::Port));
            /// ```
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name { $(stringify!($name) => Some(Self::$name),)+ _ => None }
            }
        }
    };
}

divergences! {
    User, Refused, "A user (RFC 3986, 3.2.1); the file host state has none, and `@` is a forbidden host code point.";
    Port, Refused, "A port (RFC 3986, 3.2.3); the file host state has none, and `:` is a forbidden host code point.";
    IpvFuture, Refused, "An address of a version to come (RFC 3986, 3.2.2); the host parser knows IPv6 in brackets and nothing else.";
    ForbiddenInHost, Refused, "Any octet may be percent-encoded in a host (RFC 3986, 3.2.2); the host parser decodes it, and a forbidden domain code point fails.";
    Ipv4Refused, Refused, "What is no `IPv4address` is a reg-name (RFC 3986, 3.2.2); the host parser fails on a domain that ends in a number and is no IPv4 address.";
    International, Open, "A reg-name is not looked into (RFC 3986, 3.2.2); the host parser's domain to ASCII (UTS 46) maps or refuses a label of Punycode or beyond ASCII.";

    OtherScheme, Prefix, "U1; the scheme start state takes any scheme.";
    SchemeCase, Prefix, "U1 asks for lower case (a scheme is without case: RFC 3986, 3.1); the scheme state lowers it.";
    FewSlashes, Prefix, "U1 asks for two slashes (the authority may be absent: RFC 3986, 3); the file state and the file slash state take none or one.";
    Backslash, Taken, "No backslash in a URI (RFC 3986, 2); the file, file slash, file host and path states take it for a slash.";
    Blank, Taken, "No control or space in a URI (RFC 3986, 2); the basic URL parser strips them at both ends.";
    TabOrNewline, Taken, "No control in a URI (RFC 3986, 2); the basic URL parser removes tabs and newlines anywhere.";
    Character, Taken, "No control, space or `\"<>\\^{|}` and backtick in a URI (RFC 3986, 2); path, query and fragment states encode or keep them, the host parser keeps a few.";
    NonAscii, Taken, "A URI is ASCII (RFC 3986, 2); path, query and fragment states encode the rest as UTF-8, the host parser maps it by domain to ASCII.";
    Bracket, Taken, "Square brackets stand around an IP literal only (RFC 3986, 3.2.2); path, query and fragment states keep them.";
    PercentEncoding, Taken, "`%` and two hexadecimal digits (RFC 3986, 2.1); path, query and fragment states keep any other `%`.";
    SecondFragment, Taken, "No `#` in a fragment (RFC 3986, 3.5); the fragment state keeps it.";
    DriveBar, Taken, "No `|` in a host (RFC 3986, 3.2.2); the file host state takes a letter and `|` for the drive of a path.";

    DriveHost, Changed, "A letter and a colon are a host and an empty port (RFC 3986, 3.2); the file host state takes them for the drive of a path.";
    DriveDropsHost, Changed, "A host stands beside any path (RFC 3986, 3); an earlier path state, as `url` has it, empties the host before a drive.";
    HostCase, Changed, "A host is without case and is kept (RFC 3986, 3.2.2 and 6.2.2.1; U3); the host parser's domain to ASCII lowers it.";
    HostDecoded, Changed, "Percent-encodings in a host are kept (RFC 3986, 3.2.2; U3); the host parser decodes them.";
    Localhost, Changed, "A host `localhost` is kept (RFC 3986, 3.2.2; U3); the file host state empties it.";
    Ipv4Form, Changed, "An `IPv4address` is four decimal octets (RFC 3986, 3.2.2); the IPv4 parser reads other numbers as one.";
    Ipv6Form, Changed, "An `IPv6address` is kept as it is spelled (RFC 3986, 3.2.2; U3); the IPv6 serializer has one spelling.";
    EmptyPath, Changed, "The path may be empty (RFC 3986, 3.3); a path of a special scheme begins with a slash (path start state).";
    DotSegments, Changed, "Dot segments are kept (RFC 3986, 3.3; U3); the path state resolves them.";
    EncodedDots, Changed, "`%2E` is no dot segment before it is decoded (RFC 3986, 3.3 and 6.2.2.3); the path state takes it for one.";
    DriveKept, Changed, "`..` removes any segment (RFC 3986, 5.2.4); `shorten a URL's path` keeps a drive, and `url` one at any depth.";
    LeadingSlashes, Changed, "Empty segments are kept (RFC 3986, 3.3; U3); an earlier path state, as `url` has it, drops those that a path begins with.";
    QuotedQuery, Changed, "`'` may stand in a query (RFC 3986, 3.4); the special-query percent-encode set has it.";
}

/// A root URI is judged right: accepted exactly if it begins with `file://` (U1) and is a URI (U2) by
/// both `fluent-uri` and `iri-string`, and kept as it is (U3). The two must read the same components
/// from any string, and agree on what is none.
///
/// The `url` crate, which reads URLs as the WHATWG does, must differ from that as the [`Divergence`]s
/// say and in no other way: they are decided from the string alone, and tell beforehand whether `url`
/// takes it, and which host, path, query and fragment it finds. Those that were needed are given.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Core, laws};
/// use mcp_roots_proptests::laws::Divergence::{DotSegments, HostCase, Port};
/// assert_eq!(laws::root_uri_judged_right(&Core, "file:///home/me"), []);
/// assert_eq!(laws::root_uri_judged_right(&Core, "file://A:80/"), [Port]);
/// assert_eq!(laws::root_uri_judged_right(&Core, "file://A/b/.."), [HostCase, DotSegments]);
/// ```
pub fn root_uri_judged_right(validator: &dyn Validator, uri: &str) -> Vec<Divergence> {
    let parts = Parts::by_rfc_3986(uri);
    let rule = match &parts {
        _ if !uri.starts_with("file://") => Some("U1"),
        None => Some("U2"),
        Some(_) => None,
    };
    is_refused_under(validator, uri, rule);

    let reading = Reading::of(uri);
    let url = Url::parse(uri);
    if reading.is_taken.is_some_and(|is_taken| is_taken != url.is_ok()) {
        wrong(uri, &format!("`url` says {url:?}, expected was {reading:?}"));
    }
    let faults = reading.divergences(&[DivergenceKind::Taken]);
    if parts.is_some() && !faults.is_empty() {
        wrong(uri, &format!("it is a URI, and has {faults:?}"));
    }
    if parts.is_none() && reading.is_taken == Some(true) && faults.is_empty() {
        wrong(uri, &format!("it is no URI without a clause: {reading:?}"));
    }
    let kinds = match (rule, &url) {
        (Some(_), Err(_)) => return Vec::new(),
        (Some("U1"), Ok(_)) => &[DivergenceKind::Prefix, DivergenceKind::Taken],
        (Some(_), Ok(_)) => &[DivergenceKind::Taken][..],
        (None, Err(_)) => &[DivergenceKind::Refused, DivergenceKind::Open],
        (None, Ok(url)) => {
            let parts = parts.unwrap_or_else(|| wrong(uri, "accepted, and no URI"));
            return reading.differences(uri, &parts, url);
        }
    };
    let needed = reading.divergences(kinds);
    if needed.is_empty() {
        wrong(uri, &format!("a divergence without a clause: by the rules {rule:?}, `url` says {url:?}"));
    }
    needed
}

/// The law is broken.
#[track_caller]
fn wrong(uri: &str, what: &str) -> ! {
    panic!("{what}\nroot URI {uri:?}")
}

/// A document that holds just this URI gets this verdict at each door.
fn is_refused_under(validator: &dyn Validator, uri: &str, rule: Option<&str>) {
    let root = Json::Object(vec![("uri".to_owned(), Json::string(uri))]);
    let doc = Json::Object(vec![("roots".to_owned(), Json::Array(vec![root]))]).write(Style::PLAIN);
    let case = Case::new(Target::Response, &doc);
    for door in [Door::Bytes, Door::Str, Door::Value] {
        let Some(verdict) = validator.judge(&case, door) else { continue };
        let is_right = match (&verdict, rule) {
            (Verdict::Accept(accepted), None) => {
                matches!(&accepted.roots[..], [(kept, None)] if kept == uri)
            }
            (Verdict::Reject(refusal), Some(rule)) => {
                (&*refusal.rule, &*refusal.at) == (rule, "/roots/0/uri")
            }
            _ => false,
        };
        if !is_right {
            let expected = rule.map_or("accept, kept as it is".to_owned(), |rule| format!("reject {rule}"));
            wrong(uri, &format!("expected {expected}, the validator says {verdict:?} at the door {door:?}"));
        }
    }
}

/// The components of a URI (RFC 3986, 3), as they are spelled.
#[derive(Debug, PartialEq)]
struct Parts<'a> {
    scheme: &'a str,
    /// User, host and port.
    authority: Option<(Option<&'a str>, &'a str, Option<&'a str>)>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn by_rfc_3986(uri: &'a str) -> Option<Self> {
        let (by_fluent_uri, by_iri_string) = (Self::by_fluent_uri(uri), Self::by_iri_string(uri));
        if by_fluent_uri != by_iri_string {
            wrong(uri, &format!("fluent-uri reads {by_fluent_uri:?}, iri-string {by_iri_string:?}"));
        }
        by_fluent_uri
    }

    fn by_fluent_uri(uri: &'a str) -> Option<Self> {
        let uri = fluent_uri::Uri::parse(uri).ok()?;
        Some(Self {
            scheme: uri.scheme().as_str(),
            authority: uri.authority().map(|authority| {
                let user = authority.userinfo().map(EStr::as_str);
                (user, authority.host(), authority.port().map(EStr::as_str))
            }),
            path: uri.path().as_str(),
            query: uri.query().map(EStr::as_str),
            fragment: uri.fragment().map(EStr::as_str),
        })
    }

    fn by_iri_string(uri: &'a str) -> Option<Self> {
        let uri = UriStr::new(uri).ok()?;
        Some(Self {
            scheme: uri.scheme_str(),
            authority: uri
                .authority_components()
                .map(|authority| (authority.userinfo(), authority.host(), authority.port())),
            path: uri.path_str(),
            query: uri.query_str(),
            fragment: uri.fragment().map(iri_string::types::UriFragmentStr::as_str),
        })
    }
}

/// What the URL Standard makes of a string, as far as the string alone tells.
#[derive(Debug, Default)]
struct Reading {
    divergences: Vec<Divergence>,
    /// `None` where that is not for the string to tell: of a host that Unicode's tables decide, and of
    /// another scheme than `file`.
    is_taken: Option<bool>,
    host: ExpectedHost,
    /// The path of a URI; of no interest where the string is none.
    path: String,
}

/// A host as the URL Standard should read it.
#[derive(Debug, Default, PartialEq)]
enum ExpectedHost {
    #[default]
    Empty,
    Domain(String),
    Ipv4(Ipv4Addr),
    Ipv6(Ipv6Addr),
    /// Unicode's tables decide.
    Open,
}

impl Reading {
    /// Reads as the basic URL parser does, with `file` for the only scheme.
    fn of(uri: &str) -> Self {
        let mut reading = Self::default();
        let trimmed = uri.trim_matches(|c| c <= ' ');
        reading.add_if(trimmed.len() < uri.len(), Divergence::Blank);
        let text = trimmed.replace(['\t', '\n', '\r'], "");
        reading.add_if(text.len() < trimmed.len(), Divergence::TabOrNewline);
        let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
            reading.is_taken = Some(false);
            return reading;
        };
        if !scheme.eq_ignore_ascii_case("file") {
            reading.divergences.push(Divergence::OtherScheme);
            return reading;
        }
        reading.add_if(scheme != "file", Divergence::SchemeCase);
        reading.after_scheme(rest);
        reading
    }

    /// From the file state on.
    fn after_scheme(&mut self, rest: &str) {
        let slashes = rest.bytes().take(2).take_while(|byte| b"/\\".contains(byte)).count();
        let has_host = slashes == 2;
        self.add_if(!has_host, Divergence::FewSlashes);
        self.add_if(has_host && rest[..2].contains('\\'), Divergence::Backslash);
        let rest = if has_host { &rest[2..] } else { rest };
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let (host, after_host) = rest.split_at(if has_host { end } else { 0 });

        let (before_fragment, fragment) = split_off(after_host, '#');
        let (path, query) = split_off(before_fragment, '?');
        self.characters(host, |c| "\"`{}".contains(c).then_some(Divergence::Character));
        self.characters(path, |c| match c {
            '\\' => Some(Divergence::Backslash),
            _ => kept(c),
        });
        self.characters(query.unwrap_or(""), kept);
        self.characters(fragment.unwrap_or(""), |c| {
            if c == '#' { Some(Divergence::SecondFragment) } else { kept(c) }
        });
        for part in [path, query.unwrap_or(""), fragment.unwrap_or("")] {
            self.add_if(has_loose_percent(part), Divergence::PercentEncoding);
        }

        self.is_taken = Some(true);
        if is_drive(host) {
            self.add_if(host.ends_with(':'), Divergence::DriveHost);
            self.add_if(host.ends_with('|'), Divergence::DriveBar);
            self.path(&format!("/{host}{path}"));
        } else {
            if !host.is_empty() {
                self.host(host);
            }
            self.path(path);
        }
        self.add_if(query.is_some_and(|query| query.contains('\'')), Divergence::QuotedQuery);
    }

    fn add_if(&mut self, is_there: bool, divergence: Divergence) {
        if is_there && !self.divergences.contains(&divergence) {
            self.divergences.push(divergence);
        }
    }

    fn characters(&mut self, part: &str, divergence: impl Fn(char) -> Option<Divergence>) {
        for c in part.chars() {
            let divergence = if c.is_ascii() { divergence(c) } else { Some(Divergence::NonAscii) };
            if let Some(divergence) = divergence {
                self.add_if(true, divergence);
            }
        }
    }

    /// The host parser.
    fn host(&mut self, host: &str) {
        if let Some(literal) = host.strip_prefix('[') {
            if let Some(address) = literal.strip_suffix(']').and_then(|address| address.parse().ok()) {
                self.host = ExpectedHost::Ipv6(address);
                return;
            }
            self.is_taken = Some(false);
            self.add_if(literal.starts_with(['v', 'V']), Divergence::IpvFuture);
            self.add_if(literal.contains("]:"), Divergence::Port);
            return;
        }
        let decoded = percent_decoded(host);
        if decoded.iter().any(|byte| is_forbidden(*byte)) {
            self.is_taken = Some(false);
            self.add_if(host.contains('@'), Divergence::User);
            let after_user = host.rsplit('@').next().unwrap_or(host);
            let after_literal = after_user.rsplit(']').next().unwrap_or(after_user);
            self.add_if(after_literal.contains(':'), Divergence::Port);
            self.add_if(!host.contains(['@', ':']), Divergence::ForbiddenInHost);
            return;
        }
        let domain = decoded.to_ascii_lowercase();
        let is_punycode = domain.split(|byte| *byte == b'.').any(|label| label.starts_with(b"xn--"));
        let Some(domain) = String::from_utf8(domain).ok().filter(|text| text.is_ascii() && !is_punycode)
        else {
            self.divergences.push(Divergence::International);
            self.is_taken = None;
            self.host = ExpectedHost::Open;
            return;
        };
        self.add_if(decoded != host.as_bytes(), Divergence::HostDecoded);
        self.add_if(domain.as_bytes() != decoded, Divergence::HostCase);
        self.host = match ipv4(&domain) {
            Some(Ok(address)) => {
                self.add_if(address.to_string() != domain, Divergence::Ipv4Form);
                ExpectedHost::Ipv4(address)
            }
            Some(Err(())) => {
                self.is_taken = Some(false);
                self.divergences.push(Divergence::Ipv4Refused);
                return;
            }
            None if domain == "localhost" => {
                self.divergences.push(Divergence::Localhost);
                ExpectedHost::Empty
            }
            None => ExpectedHost::Domain(domain),
        };
    }

    /// The path state, for the path of a URI: empty, or with a slash at its first character.
    fn path(&mut self, path: &str) {
        self.add_if(path.is_empty(), Divergence::EmptyPath);
        let mut kept: Vec<&str> = Vec::new();
        let mut segments = path.split('/').skip(1).peekable();
        while let Some(segment) = segments.next() {
            let dots = segment.replace("%2e", ".").replace("%2E", ".");
            if dots != "." && dots != ".." {
                if kept.is_empty() && is_drive(segment) && self.host != ExpectedHost::Empty {
                    self.add_if(true, Divergence::DriveDropsHost);
                    self.host = ExpectedHost::Empty;
                }
                kept.push(segment);
                continue;
            }
            self.add_if(
                true,
                if segment == dots { Divergence::DotSegments } else { Divergence::EncodedDots },
            );
            if dots == ".." {
                if kept.last().is_some_and(|last| is_drive(last)) {
                    self.add_if(true, Divergence::DriveKept);
                } else {
                    kept.pop();
                }
            }
            if segments.peek().is_none() {
                kept.push("");
            }
        }
        let kept = kept.join("/");
        let without = kept.trim_start_matches('/');
        self.add_if(without.len() < kept.len(), Divergence::LeadingSlashes);
        self.path = format!("/{without}");
    }

    fn divergences(&self, kinds: &[DivergenceKind]) -> Vec<Divergence> {
        self.divergences.iter().copied().filter(|divergence| kinds.contains(&divergence.kind())).collect()
    }

    /// The divergences in what is read from a URI that both accept.
    fn differences(&self, uri: &str, parts: &Parts<'_>, url: &Url) -> Vec<Divergence> {
        let spelled = parts.authority.map_or("", |(_, host, _)| host);
        let mut divergences = self.divergences(&[DivergenceKind::Changed, DivergenceKind::Open]);
        if url.host_str() == Some(spelled) {
            // Unicode's tables left it as it was.
            divergences.retain(|divergence| divergence.kind() != DivergenceKind::Open);
        }
        let host = match (&self.host, url.host()) {
            (ExpectedHost::Open, _) | (ExpectedHost::Empty, None) => true,
            (ExpectedHost::Domain(domain), Some(Host::Domain(other))) => domain == other,
            (ExpectedHost::Ipv4(address), Some(Host::Ipv4(other))) => *address == other,
            (ExpectedHost::Ipv6(address), Some(Host::Ipv6(other))) => {
                if url.host_str() != Some(spelled) {
                    divergences.push(Divergence::Ipv6Form);
                }
                *address == other
            }
            _ => false,
        };
        let query = parts.query.map(|query| query.replace('\'', "%27"));
        let rest = (url.scheme(), url.username(), url.password(), url.port(), url.fragment());
        let is_as_expected = host
            && url.path() == self.path
            && url.query() == query.as_deref()
            && rest == (parts.scheme, "", None, None, parts.fragment);
        if !is_as_expected {
            wrong(uri, &format!("`url` reads {url:?}, expected was {self:?}"));
        }
        let is_same = url.host_str().unwrap_or("") == spelled && url.path() == parts.path;
        if divergences.is_empty() != (is_same && url.query() == parts.query) {
            wrong(uri, &format!("`url` reads {url:?}, and that is said to be by {divergences:?}"));
        }
        divergences
    }
}

/// A character that a path, a query or a fragment cannot hold by RFC 3986 and can by the URL Standard.
fn kept(c: char) -> Option<Divergence> {
    match c {
        '[' | ']' => Some(Divergence::Bracket),
        '\0'..=' ' | '\x7f' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
            Some(Divergence::Character)
        }
        _ => None,
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// A Windows drive letter.
fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// A forbidden domain code point.
fn is_forbidden(byte: u8) -> bool {
    byte.is_ascii_control() || b" #%/:<>?@[\\]^|".contains(&byte)
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn encoded_octet(bytes: &[u8]) -> Option<u8> {
    let [b'%', digits @ ..] = bytes else { return None };
    let digits = digits.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn has_loose_percent(part: &str) -> bool {
    let bytes = part.as_bytes();
    (0..bytes.len()).any(|at| bytes[at] == b'%' && encoded_octet(&bytes[at..]).is_none())
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes();
    let mut decoded = Vec::new();
    while let [first, rest @ ..] = bytes {
        let octet = encoded_octet(bytes);
        decoded.push(octet.unwrap_or(*first));
        bytes = if octet.is_some() { &bytes[3..] } else { rest };
    }
    decoded
}

/// The IPv4 parser: `None` for a domain that does not end in a number.
fn ipv4(domain: &str) -> Option<Result<Ipv4Addr, ()>> {
    let mut parts: Vec<&str> = domain.split('.').collect();
    if parts.len() > 1 && parts.last() == Some(&"") {
        parts.pop();
    }
    let (last, others) = parts.split_last()?;
    let is_decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    if !is_decimal && ipv4_number(last).is_none() {
        return None;
    }
    let address = || {
        let rest = (others.len() < 4).then(|| 4 - others.len())?;
        let octet = |part: &&str| ipv4_number(part).filter(|octet| *octet < 256);
        let front = others.iter().map(octet).collect::<Option<Vec<u64>>>()?;
        let last = ipv4_number(last).filter(|number| *number < 1 << (8 * rest))?;
        let front = front.iter().fold(0, |sum, octet| sum << 8 | octet);
        u32::try_from(front << (8 * rest) | last).ok()
    };
    Some(address().map(Ipv4Addr::from).ok_or(()))
}

/// The IPv4 number parser; what is too large for an address is the largest number there is.
fn ipv4_number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [] => return None,
        [b'0', b'x', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    if digits.is_empty() { Some(0) } else { Some(u64::from_str_radix(digits, radix).unwrap_or(u64::MAX)) }
}
