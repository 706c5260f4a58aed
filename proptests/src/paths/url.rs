//! The `url` crate as a peer, with every way in which it reads a file URI otherwise.

use iri_string::types::UriStr;
use mcp_roots::{NoFilePath, Platform};

/// Why `url` gives another path than the rules: it goes by the WHATWG URL standard, and its conversion
/// is compiled for the machine it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Divergence {
    /// It repairs what is no URI, or no `file://` URI: case of the scheme, slashes, illegal characters
    /// (URL standard, 4.4). U1 and U2 refuse them.
    Repair,
    /// It decodes a percent-encoded host before it compares it with `localhost` (URL standard, 3.5).
    EncodedHost,
    /// It drops a host before a drive letter, and takes a drive letter for a host for the path (URL
    /// standard, 4.4, file host state).
    HostOfADrive,
    /// It leaves out query and fragment.
    QueryOrFragment,
    /// It takes no path for `/`.
    NoPath,
    /// It decodes `%2F` and `%5C` into the path.
    Separator,
    /// It decodes `%00` into the path.
    Nul,
    /// It stops at the top where a dot segment climbs above it (URL standard, 4.4; RFC 3986, 5.2.4).
    Climbing,
    /// It has a dot segment remove an empty one, as RFC 3986, 5.2.4; or drops those at the beginning.
    EmptySegment,
    /// It has no dot segment remove a drive letter at the beginning (URL standard, "shorten").
    DriveIsTop,
}

impl Divergence {
    /// All of them.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::paths::Divergence::ALL.len(), 10);
    /// ```
    pub const ALL: [Self; 10] = [
        Self::Repair,
        Self::EncodedHost,
        Self::HostOfADrive,
        Self::QueryOrFragment,
        Self::NoPath,
        Self::Separator,
        Self::Nul,
        Self::Climbing,
        Self::EmptySegment,
        Self::DriveIsTop,
    ];
}

/// How `url` differs of a POSIX path: `Ok(None)` if it does not. Only to be asked on a POSIX machine.
///
/// # Errors
///
/// In words, where it differs and no [`Divergence`] says why.
///
/// ```
/// use mcp_roots_proptests::paths::{Divergence, divergence};
/// let ours = Err(mcp_roots::NoFilePath::Separator);
/// assert_eq!(divergence("file:///a%2Fb", &ours), Ok(Some(Divergence::Separator)));
/// assert!(divergence("file:///a", &ours).is_err());
/// ```
pub fn divergence(uri: &str, ours: &Result<Vec<u8>, NoFilePath>) -> Result<Option<Divergence>, String> {
    let theirs = ::url::Url::parse(uri).ok().filter(|url| url.scheme() == "file");
    let theirs = theirs.and_then(|url| url.to_file_path().ok());
    let (authority, path) = parts(uri);
    let has_drive = path.split('/').any(is_drive);
    let has = |part| path.to_ascii_lowercase().contains(part);
    let unexplained = || Err(format!("url makes {theirs:?} of {uri:?}, expected was {ours:?}"));
    Ok(Some(match (ours, &theirs) {
        (Err(_), None) => return Ok(None),
        (Ok(_), None) => return unexplained(),
        (Ok(ours), Some(theirs)) => {
            // By components: those of `std::path` have no empty ones and no slash at the end.
            let ours = std::path::PathBuf::from(String::from_utf8_lossy(ours).into_owned());
            let theirs = std::path::PathBuf::from(theirs.to_string_lossy().into_owned());
            match () {
                () if ours == theirs => return Ok(None),
                () if path.contains("//") => Divergence::EmptySegment,
                () if has_drive => Divergence::DriveIsTop,
                () => return unexplained(),
            }
        }
        (Err(reason), Some(_)) => match reason {
            NoFilePath::NotFile if !uri.starts_with("file://") => Divergence::Repair,
            NoFilePath::Malformed if UriStr::new(uri).is_err() => Divergence::Repair,
            NoFilePath::Host if has_drive || is_drive(authority) => Divergence::HostOfADrive,
            NoFilePath::Host if authority.contains('%') => Divergence::EncodedHost,
            NoFilePath::Query | NoFilePath::Fragment if uri.contains(['?', '#']) => {
                Divergence::QueryOrFragment
            }
            NoFilePath::NotAbsolute if path.is_empty() => Divergence::NoPath,
            NoFilePath::Separator if has("%2f") || has("%5c") => Divergence::Separator,
            NoFilePath::Nul if has("%00") => Divergence::Nul,
            NoFilePath::AboveTop if has("..") || has("%2e") => Divergence::Climbing,
            _ => return unexplained(),
        },
    }))
}

/// Authority and path of what begins with `file://`.
fn parts(uri: &str) -> (&str, &str) {
    let rest = uri.strip_prefix("file://").unwrap_or_default();
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    rest.find('/').map_or((rest, ""), |index| rest.split_at(index))
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Whether `url` can be asked on this machine.
pub(crate) const CAN_BE_ASKED: bool = matches!(Platform::HOST, Platform::Posix);
