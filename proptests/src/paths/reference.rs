//! A slow and obvious reader of file paths, written apart from the core, to hold it against.
//!
//! It takes a URI apart by RFC 3986, 3, decodes each segment (2.1), resolves dot segments (5.2.4) and
//! lists every reason there is against a path, whatever it makes of it. The core must give this path
//! where there is none, and the first of the reasons otherwise.

use iri_string::types::UriStr;
use mcp_roots::{NoFilePath, Platform};

/// All that can be said of a URI as a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The reasons against it, in the order of [`NoFilePath`].
    pub reasons: Vec<NoFilePath>,
    /// What comes of it all the same.
    pub path: Vec<u8>,
}

impl Reading {
    /// The path, or the first reason.
    ///
    /// # Errors
    ///
    /// The first of the reasons.
    ///
    /// ```
    /// use mcp_roots::{NoFilePath, Platform};
    /// use mcp_roots_proptests::paths::reference;
    /// assert_eq!(reference::of_uri("file:///..", Platform::Posix).verdict(), Err(NoFilePath::AboveTop));
    /// ```
    pub fn verdict(self) -> Result<Vec<u8>, NoFilePath> {
        self.reasons.first().map_or(Ok(self.path), |reason| Err(*reason))
    }
}

/// What a segment does to the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Stay,
    Up,
    Down,
}

/// How segments are read: the ways in which planted faults differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    /// A segment as it is spelled to what it means.
    pub(crate) decode: fn(&str) -> Vec<u8>,
    /// What a segment does, by its spelling and its meaning.
    pub(crate) step: fn(&str, &[u8]) -> Step,
}

impl Steps {
    pub(crate) const BY_RULE: Self = Self { decode, step };
}

/// Percent-encoding, RFC 3986, 2.1.
pub(crate) fn decode(spelled: &str) -> Vec<u8> {
    let bytes = spelled.as_bytes();
    let mut octets = Vec::new();
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] == b'%' {
            octets.push(u8::from_str_radix(&spelled[index + 1..index + 3], 16).expect("two hex digits"));
            index += 3;
        } else {
            octets.push(bytes[index]);
            index += 1;
        }
    }
    octets
}

/// Dot segments, RFC 3986, 5.2.4, but by what they mean; an empty segment does nothing (U5).
pub(crate) fn step(_: &str, meaning: &[u8]) -> Step {
    match meaning {
        b"" | b"." => Step::Stay,
        b".." => Step::Up,
        _ => Step::Down,
    }
}

/// Reads a URI as a path.
///
/// ```
/// use mcp_roots::{NoFilePath, Platform};
/// use mcp_roots_proptests::paths::reference;
/// let reading = reference::of_uri("file://nas/../a%2Fb?", Platform::Posix);
/// let reasons = [NoFilePath::Host, NoFilePath::Query, NoFilePath::Separator, NoFilePath::AboveTop];
/// assert_eq!((reading.reasons, reading.path), (reasons.to_vec(), b"/a/b".to_vec()));
/// ```
#[must_use]
pub fn of_uri(uri: &str, platform: Platform) -> Reading {
    of_uri_by(Steps::BY_RULE, uri, platform)
}

pub(crate) fn of_uri_by(steps: Steps, uri: &str, platform: Platform) -> Reading {
    let mut reasons = Vec::new();
    if !uri.starts_with("file://") {
        reasons.push(NoFilePath::NotFile);
    }
    let Ok(uri) = UriStr::new(uri) else {
        reasons.push(NoFilePath::Malformed);
        return Reading { reasons, path: Vec::new() };
    };
    let authority = uri.authority_str().unwrap_or_default();
    let (user, host_and_port) =
        authority.split_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    let end_of_literal = host_and_port.find(']').map_or(0, |index| index + 1);
    let end_of_host =
        host_and_port[end_of_literal..].find(':').map_or(host_and_port.len(), |index| end_of_literal + index);
    let (host, port) = host_and_port.split_at(end_of_host);
    let path = uri.path_str();
    let is_there = [
        (user.is_some(), NoFilePath::User),
        (!["", "localhost"].contains(&host.to_lowercase().as_str()), NoFilePath::Host),
        (!port.is_empty(), NoFilePath::Port),
        (uri.query_str().is_some(), NoFilePath::Query),
        (uri.fragment().is_some(), NoFilePath::Fragment),
        (!path.starts_with('/'), NoFilePath::NotAbsolute),
    ];
    reasons.extend(is_there.into_iter().filter_map(|(is_there, reason)| is_there.then_some(reason)));
    let spelled: Vec<&str> = path.split('/').skip(1).collect();
    let segments: Vec<(&str, Vec<u8>)> =
        spelled.into_iter().map(|spelled| (spelled, (steps.decode)(spelled))).collect();
    if segments.iter().any(|(_, octets)| octets.iter().any(|octet| b"/\\".contains(octet))) {
        reasons.push(NoFilePath::Separator);
    }
    let path = walk(steps, platform, &segments, &mut reasons);
    Reading { reasons, path }
}

/// Reads a path as a path.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::paths::reference;
/// assert_eq!(reference::of_path(b"c:/a", Platform::Windows).path, br"C:\a");
/// ```
#[must_use]
pub fn of_path(path: &[u8], platform: Platform) -> Reading {
    let mut reasons = Vec::new();
    let marks: &[u8] = if platform == Platform::Posix { b"/" } else { b"/\\" };
    let mut segments: Vec<(&str, Vec<u8>)> =
        path.split(|byte| marks.contains(byte)).map(|segment| ("", segment.to_vec())).collect();
    if platform == Platform::Posix {
        if path.first() == Some(&b'/') {
            segments.remove(0);
        } else {
            reasons.push(NoFilePath::NotAbsolute);
        }
    }
    let path = walk(Steps::BY_RULE, platform, &segments, &mut reasons);
    Reading { reasons, path }
}

/// The way from the top along the segments.
fn walk(
    steps: Steps,
    platform: Platform,
    segments: &[(&str, Vec<u8>)],
    reasons: &mut Vec<NoFilePath>,
) -> Vec<u8> {
    let mut segments = segments;
    let mut top = b"/".to_vec();
    if segments.iter().any(|(_, octets)| octets.contains(&0)) {
        reasons.push(NoFilePath::Nul);
    }
    if platform == Platform::Windows {
        if segments.iter().any(|(_, octets)| String::from_utf8(octets.clone()).is_err()) {
            reasons.push(NoFilePath::NotUtf8);
        }
        top = b"\\".to_vec();
        let drive = segments.first().map(|(_, octets)| octets.to_ascii_uppercase()).unwrap_or_default();
        if segments.len() > 1 && drive.len() == 2 && drive[0].is_ascii_uppercase() && drive[1] == b':' {
            top = [drive, top].concat();
            segments = &segments[1..];
        } else {
            reasons.push(NoFilePath::NoDrive);
        }
    }
    let mut names: Vec<&[u8]> = Vec::new();
    let mut climbs = false;
    for (spelled, octets) in segments {
        match (steps.step)(spelled, octets) {
            Step::Stay => {}
            Step::Down => names.push(octets),
            Step::Up => climbs |= names.pop().is_none(),
        }
    }
    if climbs {
        reasons.push(NoFilePath::AboveTop);
    }
    let separator: &[u8] = if platform == Platform::Posix { b"/" } else { b"\\" };
    [top, names.join(separator)].concat()
}

/// What stands between two segments.
pub(super) const fn separator(platform: Platform) -> u8 {
    match platform {
        Platform::Posix => b'/',
        Platform::Windows => b'\\',
    }
}

/// Whether the root's segments are the first of the candidate's, of two paths as they are read here.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::paths::reference;
/// assert!(reference::is_prefix(b"/a", b"/a/b", Platform::Posix));
/// assert!(!reference::is_prefix(b"/a", b"/ab", Platform::Posix));
/// ```
#[must_use]
pub fn is_prefix(root: &[u8], candidate: &[u8], platform: Platform) -> bool {
    let separator = separator(platform);
    let closed = |path: &[u8]| {
        let mut path = path.to_vec();
        if path.last() != Some(&separator) {
            path.push(separator);
        }
        path
    };
    closed(candidate).starts_with(&closed(root))
}
