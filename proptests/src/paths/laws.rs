//! What must hold of every question about paths, whoever answers it.
//!
//! Each law panics with the question shown where it is broken, and says whether it had anything to say.

use mcp_roots::{NoFilePath, Platform};

use super::url::CAN_BE_ASKED;
use super::{Paths, Question, divergence, reference, shown};

/// A law with its name.
#[derive(Clone, Copy)]
pub struct Law {
    /// The function's name.
    pub name: &'static str,
    /// The function.
    pub check: fn(&dyn Paths, &Question<'_>) -> bool,
}

macro_rules! laws {
    ($($law:ident),+ $(,)?) => { [$(Law { name: stringify!($law), check: $law }),+] };
}

/// Every law.
pub const LAWS: &[Law] = &laws![
    paths_are_the_references,
    inside_is_the_references,
    inside_is_reflexive,
    inside_is_transitive,
    what_is_below_stays_inside,
    a_sibling_is_outside,
    the_top_contains_everything,
    a_trailing_slash_plays_no_part,
    an_empty_host_is_localhost,
    spelling_plays_no_part,
    a_path_is_its_own_path,
    a_path_is_the_same_in_every_form,
    agrees_with_std_path,
    agrees_with_url,
];

/// Holds every law against a question; gives the number of those that had something to say.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// assert!(laws::all(&Core, &Question::new("file:///a", "file:///a/b", Platform::Posix)) > 8);
/// ```
pub fn all(paths: &dyn Paths, question: &Question<'_>) -> usize {
    LAWS.iter().filter(|law| (law.check)(paths, question)).count()
}

/// A law is broken.
#[track_caller]
fn broken(question: &Question<'_>, what: &str) -> ! {
    panic!("{what}\n{question:?}")
}

fn said(path: &Result<Vec<u8>, NoFilePath>) -> String {
    path.as_ref().map_or_else(|reason| format!("no path: {reason:?}"), |path| shown(path))
}

/// Root and candidate as the reference reads them, if both have a path.
fn both_paths(question: &Question<'_>) -> Option<[Vec<u8>; 2]> {
    let [root, candidate, _] = question.uris;
    let path = |uri| reference::of_uri(uri, question.platform).verdict().ok();
    Some([path(root)?, path(candidate)?])
}

/// A URI that stands for a path, all its octets encoded that are not letters, digits or separators.
fn uri_of(path: &[u8], platform: Platform) -> String {
    let spelled = path.iter().map(|byte| match byte {
        b'\\' if platform == Platform::Windows => "/".to_owned(),
        b'/' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(*byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    let prefix = if platform == Platform::Windows { "file:///" } else { "file://" };
    [prefix.to_owned()].into_iter().chain(spelled).collect()
}

/// With a slash at its end.
fn closed(uri: &str) -> String {
    if uri.ends_with('/') { uri.to_owned() } else { format!("{uri}/") }
}

/// The length of the top: `/`, or `C:\`.
const fn top(platform: Platform) -> usize {
    match platform {
        Platform::Posix => 1,
        Platform::Windows => 3,
    }
}

/// Whether this is a path below the top.
fn is_below_top(path: &[u8], platform: Platform) -> bool {
    path.len() > top(platform)
}

/// Each URI has the path that the [`mod@reference`] makes of it, or none for the same first reason; so has
/// each text taken for a path (U5, B1 to B4).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::paths_are_the_references(&Core, &question));
/// ```
pub fn paths_are_the_references(paths: &dyn Paths, question: &Question<'_>) -> bool {
    for uri in question.uris {
        let expected = reference::of_uri(uri, question.platform).verdict();
        let path = paths.path_of_uri(uri, question.platform);
        if path != expected {
            broken(question, &format!("{uri:?}: expected {}, got {}", said(&expected), said(&path)));
        }
        let without_scheme = uri.strip_prefix("file://").unwrap_or(uri);
        let without_slash = without_scheme.strip_prefix('/').unwrap_or(without_scheme);
        let decoded = expected.unwrap_or_default();
        for native in [without_scheme.as_bytes(), without_slash.as_bytes(), uri.as_bytes(), &decoded] {
            let Some(path) = paths.path_of_path(native, question.platform) else { continue };
            let expected = reference::of_path(native, question.platform).verdict();
            if path != expected {
                let native = native.escape_ascii();
                broken(question, &format!("{native}: expected {}, got {}", said(&expected), said(&path)));
            }
        }
    }
    true
}

/// A candidate is inside exactly if both have a path and the root's is a prefix, segment by segment
/// (B1 to B4).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::inside_is_the_references(&Core, &question));
/// ```
pub fn inside_is_the_references(paths: &dyn Paths, question: &Question<'_>) -> bool {
    for (root, candidate) in [(0, 1), (1, 2), (2, 0), (1, 0)] {
        let (root, candidate) = (question.uris[root], question.uris[candidate]);
        let both = both_paths(&Question::new(root, candidate, question.platform));
        let expected = both
            .as_ref()
            .is_some_and(|[root, candidate]| reference::is_prefix(root, candidate, question.platform));
        if paths.contains(root, candidate, question.platform) != expected {
            broken(question, &format!("{candidate:?} in {root:?}: expected {expected}"));
        }
        let Some([_, path]) = both else { continue };
        let by_path = paths.contains_path(root, &path, question.platform);
        if by_path.is_some_and(|inside| inside != expected) {
            broken(question, &format!("the path {} in {root:?}: expected {expected}", shown(&path)));
        }
    }
    true
}

/// What has a path is inside itself, and nothing else is (B2, B3, B5).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::inside_is_reflexive(&Core, &question));
/// ```
pub fn inside_is_reflexive(paths: &dyn Paths, question: &Question<'_>) -> bool {
    for uri in question.uris {
        let has_path = reference::of_uri(uri, question.platform).reasons.is_empty();
        if paths.contains(uri, uri, question.platform) != has_path {
            broken(
                question,
                &format!(
                    "{uri:?} has {} path, and is not so inside itself",
                    if has_path { "a" } else { "no" }
                ),
            );
        }
    }
    true
}

/// What is inside of what is inside is inside (B5).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::inside_is_transitive(&Core, &question));
/// ```
pub fn inside_is_transitive(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let [first, second, third] = question.uris;
    let inside = |root, candidate| paths.contains(root, candidate, question.platform);
    if !inside(first, second) || !inside(second, third) {
        return false;
    }
    if !inside(first, third) {
        broken(question, "the third is inside the second and that inside the first, but not the third");
    }
    true
}

/// Plain segments appended to what is inside stay inside, and are inside of what they are appended to
/// (B1).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::what_is_below_stays_inside(&Core, &question));
/// ```
pub fn what_is_below_stays_inside(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some([root, candidate]) = both_paths(question) else { return false };
    let uri = uri_of(&candidate, question.platform);
    let below = format!("{}plain/name", closed(&uri));
    let expected = reference::is_prefix(&root, &candidate, question.platform);
    let is_below = paths.contains(question.uris[0], &below, question.platform);
    if expected && !is_below || !paths.contains(question.uris[1], &below, question.platform) {
        broken(question, &format!("{below:?} is outside"));
    }
    true
}

/// What shares a prefix of characters, but not of segments, is outside, and so is the parent (B1).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::a_sibling_is_outside(&Core, &question));
/// ```
pub fn a_sibling_is_outside(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some([root, _]) = both_paths(question) else { return false };
    if !is_below_top(&root, question.platform) {
        return false;
    }
    let uri = uri_of(&root, question.platform);
    let parent = uri.rsplit_once('/').map(|(parent, _)| format!("{parent}/")).unwrap_or_default();
    for outside in [format!("{uri}c"), format!("{uri}-c/d"), format!("{uri}%20"), format!("{uri}."), parent] {
        if paths.contains(question.uris[0], &outside, question.platform) {
            broken(question, &format!("{outside:?} is inside"));
        }
    }
    true
}

/// The top contains whatever has a path there: `/` every POSIX path, a drive all of its own (B5).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::the_top_contains_everything(&Core, &question));
/// ```
pub fn the_top_contains_everything(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some([_, candidate]) = both_paths(question) else { return false };
    let top = uri_of(&candidate[..top(question.platform)], question.platform);
    if !paths.contains(&top, question.uris[1], question.platform) {
        broken(question, &format!("the candidate is outside {top:?}"));
    }
    true
}

/// A slash at the end of root or candidate plays no part, but for that of a drive (B4).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::a_trailing_slash_plays_no_part(&Core, &question));
/// ```
pub fn a_trailing_slash_plays_no_part(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some(both) = both_paths(question) else { return false };
    let [root, candidate] = both.map(|path| uri_of(&path, question.platform));
    let expected = paths.contains(&root, &candidate, question.platform);
    for (root, candidate) in [
        (closed(&root), candidate.clone()),
        (root.clone(), closed(&candidate)),
        (closed(&root), closed(&candidate)),
    ] {
        if paths.contains(&root, &candidate, question.platform) != expected {
            broken(question, &format!("{candidate:?} in {root:?}: expected {expected}"));
        }
    }
    if paths.path_of_uri(&closed(&root), question.platform) != paths.path_of_uri(&root, question.platform) {
        broken(question, &format!("{root:?} has another path with a slash at its end"));
    }
    true
}

/// An empty host and `localhost`, in any case, are the same (B1).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::an_empty_host_is_localhost(&Core, &question));
/// ```
pub fn an_empty_host_is_localhost(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let [root, candidate, _] = question.uris;
    let Some(path) = candidate.strip_prefix("file:///") else { return false };
    let expected = paths.contains(root, candidate, question.platform);
    for host in ["localhost", "LOCALHOST", "LocalHost"] {
        let spelled = format!("file://{host}/{path}");
        if paths.contains(root, &spelled, question.platform) != expected {
            broken(question, &format!("{spelled:?}: expected {expected}"));
        }
        if paths.path_of_uri(&spelled, question.platform) != paths.path_of_uri(candidate, question.platform) {
            broken(question, &format!("{spelled:?} has another path"));
        }
    }
    true
}

/// Two spellings of one path contain each other and have the same path: percent-encodings, the case of
/// their digits and of a drive letter, a detour over a dot segment, two slashes for one (B2, B4).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::spelling_plays_no_part(&Core, &question));
/// ```
pub fn spelling_plays_no_part(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some([root, candidate]) = both_paths(question) else { return false };
    let plain = uri_of(&root, question.platform);
    let drive_to_lower_case = |uri: &str| match question.platform {
        Platform::Posix => uri.to_owned(),
        Platform::Windows => format!("file:///{}%3a{}", uri[8..9].to_lowercase(), &uri[12..]),
    };
    let lower_digits = {
        let mut parts = plain.split('%');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |uri, part| uri + "%" + &part[..2].to_lowercase() + &part[2..])
    };
    for spelled in [
        format!("{plain}/detour/%2E%2e"),
        format!("{plain}/./"),
        format!("file:///{}", plain["file:///".len()..].replace('/', "//")),
        plain.replace('a', "%61"),
        drive_to_lower_case(&plain),
        lower_digits,
    ] {
        let question = &Question { uris: [&spelled, question.uris[0], question.uris[1]], ..*question };
        let path = paths.path_of_uri(&spelled, question.platform);
        if path.as_ref() != Ok(&root) {
            broken(question, &format!("expected {}, got {}", shown(&root), said(&path)));
        }
        let is_inside = reference::is_prefix(&root, &candidate, question.platform);
        if paths.contains(&spelled, question.uris[2], question.platform) != is_inside
            || !paths.contains(&spelled, question.uris[1], question.platform)
            || !paths.contains(question.uris[1], &spelled, question.platform)
        {
            broken(question, "a spelling counts");
        }
    }
    true
}

/// A path that was given, taken for a path or put into a URI, is the same path.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// assert!(laws::a_path_is_its_own_path(&Core, &question));
/// ```
pub fn a_path_is_its_own_path(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let Some([root, _]) = both_paths(question) else { return false };
    if let Some(path) = paths.path_of_path(&root, question.platform)
        && path.as_ref() != Ok(&root)
    {
        broken(question, &format!("of {} came {}", shown(&root), said(&path)));
    }
    let uri = uri_of(&root, question.platform);
    let path = paths.path_of_uri(&uri, question.platform);
    if path.as_ref() != Ok(&root) {
        broken(question, &format!("of {uri:?} came {}", said(&path)));
    }
    true
}

/// A path is the same as text and in segments, and is shown to a log in printable ASCII; the words for why
/// there is none name the rule, and say nothing of the URI (U5, E2, E3).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let question = Question::new("file:///a/%FF", "https://a", Platform::Posix);
/// assert!(laws::a_path_is_the_same_in_every_form(&Core, &question));
/// ```
pub fn a_path_is_the_same_in_every_form(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let platform = question.platform;
    for uri in question.uris {
        let Some(given) = paths.forms(uri, platform) else { return false };
        let is_right = match (reference::of_uri(uri, platform).verdict(), &given) {
            (Ok(path), Ok(forms)) => {
                let segments = path.split(|byte| *byte == reference::separator(platform));
                forms.text == String::from_utf8(path.clone()).ok()
                    && segments.filter(|segment| !segment.is_empty()).eq(forms.segments.iter())
                    && forms.debug.contains(&path.escape_ascii().to_string())
                    && forms.debug.bytes().all(|byte| (b' '..=b'~').contains(&byte))
            }
            (Err(reason), Err(words)) => {
                let longer = format!("{uri}z");
                let is_alike = reference::of_uri(&longer, platform).verdict() == Err(reason);
                words.starts_with(&format!("{}: ", reason.rule()))
                    && (!is_alike || paths.forms(&longer, platform).as_ref() == Some(&given))
            }
            _ => false,
        };
        if !is_right {
            broken(question, &format!("{uri:?} is given as {given:?}"));
        }
    }
    true
}

/// Of plain POSIX paths, which have no host, no percent-encoding and no dots that climb, inside is what
/// the components of `std::path` say (B1). Only on a machine whose paths are such.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// laws::agrees_with_std_path(&Core, &question);
/// ```
pub fn agrees_with_std_path(paths: &dyn Paths, question: &Question<'_>) -> bool {
    let plain = |uri: &'_ str| {
        let path = uri.strip_prefix("file://").filter(|path| path.starts_with('/'))?;
        let is_plain = reference::of_uri(uri, Platform::Posix).reasons.is_empty()
            && !path.contains('%')
            && path.split('/').all(|segment| segment != "..");
        is_plain.then(|| std::path::PathBuf::from(path))
    };
    let [root, candidate, _] = question.uris;
    let (Some(root_path), Some(candidate_path)) = (plain(root), plain(candidate)) else { return false };
    if Platform::HOST != Platform::Posix {
        return false;
    }
    let expected = candidate_path.starts_with(&root_path);
    if paths.contains(root, candidate, Platform::Posix) != expected {
        broken(question, &format!("std::path says {expected}"));
    }
    true
}

/// The `url` crate makes the same POSIX path of a URI, but for what a [`super::Divergence`] says. Only
/// on a machine whose paths are such.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots::Platform;
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{Question, laws};
/// let uris = ["file:///a", "file:///a/b", "file:///a/b/c"];
/// let question = Question { uris, platform: Platform::Posix };
/// laws::agrees_with_url(&Core, &question);
/// ```
pub fn agrees_with_url(paths: &dyn Paths, question: &Question<'_>) -> bool {
    if !CAN_BE_ASKED || question.platform != Platform::Posix {
        return false;
    }
    for uri in question.uris {
        if let Err(what) = divergence(uri, &paths.path_of_uri(uri, Platform::Posix)) {
            broken(question, &what);
        }
    }
    true
}
