//! From a root to a file path (U5), and whether one path is inside another (B).
//!
//! No verdict on a document depends on this module: a root without a file path is valid all the same.

use std::borrow::Cow;
#[cfg(unix)]
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use fluent_uri::Uri;

use crate::Root;

/// Whose file paths are meant. The caller says so: both readings are the same on every machine.
///
/// ```
/// use mcp_roots::{FilePath, Platform};
/// let path = |platform| FilePath::of_uri("file:///c%3A/a", platform).map(|path| path.as_bytes().to_vec());
/// assert_eq!(path(Platform::Posix), Ok(b"/c:/a".to_vec()));
/// assert_eq!(path(Platform::Windows), Ok(br"C:\a".to_vec()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Octets between slashes.
    Posix,
    /// UTF-8 between backslashes, after a drive.
    Windows,
}

impl Platform {
    /// Both.
    ///
    /// ```
    /// assert!(mcp_roots::Platform::ALL.contains(&mcp_roots::Platform::HOST));
    /// ```
    pub const ALL: [Self; 2] = [Self::Posix, Self::Windows];

    /// The one that the program is compiled for.
    ///
    /// ```
    /// assert_eq!(mcp_roots::Platform::HOST == mcp_roots::Platform::Windows, cfg!(windows));
    /// ```
    pub const HOST: Self = if cfg!(windows) { Self::Windows } else { Self::Posix };

    const fn separator(self) -> u8 {
        match self {
            Self::Posix => b'/',
            Self::Windows => b'\\',
        }
    }
}

/// An absolute file path, made of a root or another `file://` URI (U5), or of a path that somebody
/// names. It has no dot segment, no empty segment, and no separator at its end but that of the top
/// (`/`, `C:\`).
///
/// It is lexical: the file system was not touched, links were not followed, and whatever else an
/// operating system reads into a name was not looked at. Of Windows that is: letter case and short
/// names, dots and blanks at the end of a name, reserved names (`CON`), and streams (`a.txt:b`).
///
/// ```
/// use mcp_roots::{FilePath, Platform};
/// let path = FilePath::of_uri("file:///home/me/%C3%A9t%C3%A9/./old/%2e%2e/", Platform::Posix)?;
/// assert_eq!(path.as_str(), Some("/home/me/été"));
/// # Ok::<(), mcp_roots::NoFilePath>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FilePath {
    platform: Platform,
    bytes: Vec<u8>,
}

impl FilePath {
    /// The path that a `file://` URI stands for (U5).
    ///
    /// The path is cut at its slashes, each segment percent-decoded once, and dot segments resolved
    /// after that, so that `%2e%2e` is one and `%252e%252e` is a name. Empty segments play no part, as
    /// on POSIX and Windows: `/a//../b` is `/b`. (Who resolves dots by RFC 3986 alone takes it for
    /// `/a/b`: use the path given here, and do not convert the URI a second time.) A drive letter is
    /// given in upper case.
    ///
    /// # Errors
    ///
    /// The first reason that applies, in the order of [`NoFilePath`].
    ///
    /// ```
    /// use mcp_roots::{FilePath, NoFilePath, Platform};
    /// let path = FilePath::of_uri("file://localhost/c:/Users/me", Platform::Windows)?;
    /// assert_eq!(path.as_str(), Some(r"C:\Users\me"));
    /// assert_eq!(FilePath::of_uri("file://nas/me", Platform::Posix), Err(NoFilePath::Host));
    /// # Ok::<(), NoFilePath>(())
    /// ```
    pub fn of_uri(uri: &str, platform: Platform) -> Result<Self, NoFilePath> {
        refuse_if(!uri.starts_with("file://"), NoFilePath::NotFile)?;
        let uri = Uri::parse(uri).map_err(|_| NoFilePath::Malformed)?;
        if let Some(authority) = uri.authority() {
            let host = authority.host();
            refuse_if(authority.has_userinfo(), NoFilePath::User)?;
            refuse_if(!host.is_empty() && !host.eq_ignore_ascii_case("localhost"), NoFilePath::Host)?;
            refuse_if(authority.has_port(), NoFilePath::Port)?;
        }
        refuse_if(uri.has_query(), NoFilePath::Query)?;
        refuse_if(uri.has_fragment(), NoFilePath::Fragment)?;
        refuse_if(!uri.path().is_absolute(), NoFilePath::NotAbsolute)?;
        // Walked through once for each reason, and never collected: a path may be all slashes (J4).
        let segments = uri.path().split('/').skip(1).map(|segment| segment.decode().to_bytes());
        let have = |byte| segments.clone().any(|segment| segment.contains(&byte));
        refuse_if(have(b'/') || have(b'\\'), NoFilePath::Separator)?;
        Self::resolve(platform, segments)
    }

    /// The path that somebody names as a path, absolute and not percent-encoded: what a tool was
    /// asked for, say. Windows takes a slash for a backslash; a path without a drive (`\a`, `C:a`,
    /// `\\server\share`, `\\?\C:\a`) is none here.
    ///
    /// Of a `std::path::Path` the bytes are `path.as_os_str().as_encoded_bytes()`.
    ///
    /// # Errors
    ///
    /// [`NotAbsolute`](NoFilePath::NotAbsolute) (POSIX) and all that follow it in [`NoFilePath`], but
    /// for [`Separator`](NoFilePath::Separator).
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// assert_eq!(FilePath::of_path("/a/%2e%2e//b/.", Platform::Posix)?.as_str(), Some("/a/%2e%2e/b"));
    /// assert_eq!(FilePath::of_path(r"c:/a\..\b", Platform::Windows)?.as_str(), Some(r"C:\b"));
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    pub fn of_path(path: impl AsRef<[u8]>, platform: Platform) -> Result<Self, NoFilePath> {
        let path = path.as_ref();
        let below_top = match platform {
            Platform::Posix => path.strip_prefix(b"/").ok_or(NoFilePath::NotAbsolute)?,
            Platform::Windows => path,
        };
        let is_separator = |byte: &u8| *byte == b'/' || *byte == platform.separator();
        Self::resolve(platform, below_top.split(is_separator).map(Cow::Borrowed))
    }

    /// Of what stands after the first slash; of Windows the first segment is the drive.
    fn resolve<'s>(
        platform: Platform,
        mut segments: impl Iterator<Item = Cow<'s, [u8]>> + Clone,
    ) -> Result<Self, NoFilePath> {
        refuse_if(segments.clone().any(|segment| segment.contains(&0)), NoFilePath::Nul)?;
        let mut bytes = Vec::new();
        if platform == Platform::Windows {
            let is_text = segments.clone().all(|segment| std::str::from_utf8(&segment).is_ok());
            refuse_if(!is_text, NoFilePath::NotUtf8)?;
            match segments.next().as_deref() {
                Some([letter, b':']) if letter.is_ascii_alphabetic() => {
                    bytes.extend([letter.to_ascii_uppercase(), b':']);
                }
                _ => return Err(NoFilePath::NoDrive),
            }
            // The slash after it belongs to the drive: `C:` alone is a directory that varies.
            refuse_if(segments.clone().next().is_none(), NoFilePath::NoDrive)?;
        }
        let top = bytes.len();
        for segment in segments {
            match &*segment {
                b"" | b"." => {}
                b".." => {
                    let below = bytes.get(top..).unwrap_or_default();
                    let last = below.iter().rposition(|byte| *byte == platform.separator());
                    bytes.truncate(top.saturating_add(last.ok_or(NoFilePath::AboveTop)?));
                }
                name => {
                    bytes.push(platform.separator());
                    bytes.extend(name);
                }
            }
        }
        if bytes.len() == top {
            bytes.push(platform.separator());
        }
        Ok(Self { platform, bytes })
    }

    /// Whose path it is.
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// assert_eq!(FilePath::of_path("/a", Platform::Posix)?.platform(), Platform::Posix);
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    #[must_use]
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// The path, of POSIX perhaps not UTF-8: octets are kept as they are.
    ///
    /// ```
    /// use mcp_roots::{FilePath, NoFilePath, Platform};
    /// assert_eq!(FilePath::of_uri("file:///%FF", Platform::Posix)?.as_bytes(), b"/\xff");
    /// assert_eq!(FilePath::of_uri("file:///C:/%FF", Platform::Windows), Err(NoFilePath::NotUtf8));
    /// # Ok::<(), NoFilePath>(())
    /// ```
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The path as text; `None` for one that is not UTF-8, which only POSIX can have.
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// assert_eq!(FilePath::of_uri("file:///a%20b", Platform::Posix)?.as_str(), Some("/a b"));
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The path for `std::fs`; `None` for one of another platform than [`Platform::HOST`].
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// let path = FilePath::of_uri("file:///C:/a", Platform::HOST)?;
    /// assert!(path.as_path().is_some_and(std::path::Path::is_absolute));
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        #[cfg(unix)]
        let path = Some(Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&self.bytes)));
        #[cfg(not(unix))]
        let path = self.as_str().map(Path::new);
        path.filter(|_| self.platform == Platform::HOST)
    }

    /// The segments, of Windows with the drive as the first.
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// let path = FilePath::of_uri("file:///c:/a/b", Platform::Windows)?;
    /// assert!(path.segments().eq([&b"C:"[..], b"a", b"b"]));
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    pub fn segments(&self) -> impl Iterator<Item = &[u8]> {
        let separator = self.platform.separator();
        self.bytes.split(move |byte| *byte == separator).filter(|segment| !segment.is_empty())
    }

    /// Not an authorisation: see [`contains`]. Whether the segments of this path are the first ones of
    /// the candidate's (B1), octet for octet (B4). Paths of two platforms have nothing in common.
    ///
    /// ```
    /// use mcp_roots::{FilePath, Platform};
    /// let root = FilePath::of_uri("file:///srv/app", Platform::Posix)?;
    /// assert!(root.contains(&FilePath::of_path("/srv/app/src/../Cargo.toml", Platform::Posix)?));
    /// assert!(!root.contains(&FilePath::of_path("/srv/application", Platform::Posix)?));
    /// # Ok::<(), mcp_roots::NoFilePath>(())
    /// ```
    #[must_use]
    pub fn contains(&self, candidate: &Self) -> bool {
        let mut candidates = candidate.segments();
        self.platform == candidate.platform
            && self.segments().all(|segment| candidates.next() == Some(segment))
    }
}

impl fmt::Debug for FilePath {
    /// Octets that are not printable ASCII as `\xNN`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FilePath({:?}, \"{}\")", self.platform, self.bytes.escape_ascii())
    }
}

impl Root<'_> {
    /// The root's file path: [`FilePath::of_uri`] of its URI (U5).
    ///
    /// # Errors
    ///
    /// The reason why there is none. The root is valid all the same.
    ///
    /// ```
    /// use mcp_roots::{NoFilePath, Platform, validate_response};
    /// let result = validate_response(r#"{"roots":[{"uri":"file:///a/%62"},{"uri":"file:///a?b"}]}"#)?;
    /// let paths: Vec<_> = result.roots().iter().map(|root| root.file_path(Platform::Posix)).collect();
    /// assert_eq!(paths[0].as_ref().map(|path| path.as_str()), Ok(Some("/a/b")));
    /// assert_eq!(paths[1], Err(NoFilePath::Query));
    /// # Ok::<(), mcp_roots::Error>(())
    /// ```
    pub fn file_path(&self, platform: Platform) -> Result<FilePath, NoFilePath> {
        FilePath::of_uri(self.uri(), platform)
    }
}

/// Not an authorisation, and no guard by itself (B6): no link is followed, the file system is not
/// touched, and a root is the client's claim. Whether the candidate's URI lies within the root's by
/// their segments alone (B1).
///
/// Both URIs must have a file path ([`FilePath::of_uri`]), else the answer is "outside" (B2, B3). The
/// root itself is inside (B5). A trailing slash plays no part, and neither does the case of a Windows
/// drive letter; all else is compared octet for octet, case and Unicode form too (B4).
///
/// Open the path that [`FilePath`] gives, never one converted from the URI anew: another reader may
/// resolve its dots to another place. Even so Windows reads more into a name than its octets, such as
/// dots and blanks at its end: see [`FilePath`]. Against links, resolve the path on the file system and ask
/// again by [`contains_path`].
///
/// ```
/// use mcp_roots::{Platform, contains};
/// let is_inside = |candidate| contains("file:///srv/app", candidate, Platform::Posix);
/// assert!(is_inside("file://localhost/srv/app/src/"));
/// assert!(!is_inside("file:///srv/app-secrets")); // a string prefix, but another segment
/// assert!(!is_inside("file:///srv/app/%2e%2e/app-secrets")); // dots count when encoded
/// assert!(!is_inside("file:///srv/app/..%2Fapp")); // an encoded separator: cannot tell
/// ```
#[must_use]
pub fn contains(root: &str, candidate: &str, platform: Platform) -> bool {
    FilePath::of_uri(candidate, platform).is_ok_and(|candidate| is_within(root, &candidate))
}

/// Not an authorisation: all that is said of [`contains`] holds here. Whether a candidate that is
/// named as a path ([`FilePath::of_path`]) lies within the root of this URI.
///
/// ```
/// use mcp_roots::{Platform, contains_path};
/// assert!(contains_path("file:///c%3A/work", r"C:\work\notes.txt", Platform::Windows));
/// assert!(!contains_path("file:///c%3A/work", r"C:\work\..\secret", Platform::Windows));
/// assert!(!contains_path("file:///srv", "srv/relative", Platform::Posix));
/// ```
#[must_use]
pub fn contains_path(root: &str, candidate: impl AsRef<[u8]>, platform: Platform) -> bool {
    FilePath::of_path(candidate, platform).is_ok_and(|candidate| is_within(root, &candidate))
}

fn is_within(root: &str, candidate: &FilePath) -> bool {
    FilePath::of_uri(root, candidate.platform).is_ok_and(|root| root.contains(candidate))
}

fn refuse_if(applies: bool, reason: NoFilePath) -> Result<(), NoFilePath> {
    if applies { Err(reason) } else { Ok(()) }
}

/// Why there is no file path. Of several reasons the first in this order is given; none carries
/// anything of the URI or path.
///
/// ```
/// use mcp_roots::{FilePath, NoFilePath, Platform};
/// let reason = FilePath::of_uri("file://nas:445/a%2Fb", Platform::Posix).unwrap_err();
/// assert_eq!((reason, reason.rule()), (NoFilePath::Host, "U5"));
/// assert_eq!(reason.to_string(), "U5: the host must be empty or localhost");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoFilePath {
    /// The URI does not begin with `file://` (U1).
    NotFile,
    /// It is no RFC 3986 URI (U2).
    Malformed,
    /// It has a user, perhaps an empty one (`file://@/a`).
    User,
    /// It has another host than an empty one or `localhost`, which counts in any case but not in
    /// percent-encodings.
    Host,
    /// It has a port, perhaps an empty one (`file://localhost:/a`).
    Port,
    /// It has a query, perhaps an empty one (`file:///a?`).
    Query,
    /// It has a fragment, perhaps an empty one (`file:///a#`).
    Fragment,
    /// The path does not begin with a slash; that of a URI is empty then.
    NotAbsolute,
    /// A segment has a percent-encoded separator: `%2F` or `%5C`, on either platform.
    Separator,
    /// A segment has a NUL, in a URI as `%00`.
    Nul,
    /// For Windows: the path is not UTF-8.
    NotUtf8,
    /// For Windows: the path does not begin with a drive and a separator after it.
    NoDrive,
    /// A dot segment climbs above the top: above `/`, or the drive.
    AboveTop,
}

impl NoFilePath {
    /// All reasons, in their order.
    ///
    /// ```
    /// assert!(mcp_roots::NoFilePath::ALL.is_sorted());
    /// ```
    pub const ALL: [Self; 13] = [
        Self::NotFile,
        Self::Malformed,
        Self::User,
        Self::Host,
        Self::Port,
        Self::Query,
        Self::Fragment,
        Self::NotAbsolute,
        Self::Separator,
        Self::Nul,
        Self::NotUtf8,
        Self::NoDrive,
        Self::AboveTop,
    ];

    /// The id of the rule, as the [rule book](crate::rules) has it: U1, U2 or U5.
    ///
    /// ```
    /// assert_eq!(mcp_roots::NoFilePath::Malformed.rule(), "U2");
    /// ```
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::NotFile => "U1",
            Self::Malformed => "U2",
            _ => "U5",
        }
    }

    const fn demand(self) -> &'static str {
        match self {
            Self::NotFile => "the URI must begin with file://",
            Self::Malformed => "the URI must be an RFC 3986 URI",
            Self::User => "there must be no user",
            Self::Host => "the host must be empty or localhost",
            Self::Port => "there must be no port",
            Self::Query => "there must be no query",
            Self::Fragment => "there must be no fragment",
            Self::NotAbsolute => "the path must begin with a slash",
            Self::Separator => "the path must have no percent-encoded separator",
            Self::Nul => "the path must have no NUL",
            Self::NotUtf8 => "a Windows path must be UTF-8",
            Self::NoDrive => "a Windows path must begin with a drive and a separator",
            Self::AboveTop => "no dot segment must climb above the top",
        }
    }
}

impl fmt::Display for NoFilePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.rule(), self.demand())
    }
}

impl std::error::Error for NoFilePath {}
