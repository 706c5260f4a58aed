//! Planted faults of readers of paths: the reference, wrong in one way at a time.

use mcp_roots::{NoFilePath, Platform};

use super::reference::{self, Reading, Step, Steps, decode, is_prefix, separator, step};
use super::{Forms, Paths};

/// A reader of paths with one fault.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    /// What is wrong with it, in a few words.
    pub name: &'static str,
    /// The rule that it breaks.
    pub rule: &'static str,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// Nothing is wrong.
    Right,
    /// Does not see this reason.
    Blind(NoFilePath),
    /// Sees other reasons.
    Reasons(fn(&str, Platform, &mut Vec<NoFilePath>)),
    /// Reads this URI instead.
    Uri(fn(&str, Platform) -> String),
    /// Reads this path instead of the one named.
    Path(fn(&[u8]) -> Vec<u8>),
    /// Reads segments in another way.
    Steps(Steps),
    /// Reads for another platform.
    Platform(fn(&str, Platform) -> Platform),
    /// Gives another path.
    Gives(fn(&str, Platform, Vec<u8>) -> Vec<u8>),
    /// Gives the path in other forms, or the reason in other words.
    Forms(fn(&str, &mut Result<Forms, String>)),
    /// Tells inside from outside in another way: of two URIs and their paths.
    Inside(IsInside),
}

type IsInside = fn([&str; 2], [Option<&[u8]>; 2], Platform) -> bool;

impl Planted {
    /// The reference without a fault.
    pub const NONE: Self = Self { name: "none", rule: "", how: How::Right };

    /// The fault of this name.
    ///
    /// ```
    /// use mcp_roots_proptests::paths::Planted;
    /// assert_eq!(Planted::named("a string prefix of the path is inside").unwrap().rule, "B1");
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PLANTED.iter().find(|planted| planted.name == name)
    }

    fn inside(&self, uris: [&str; 2], paths: [Option<&[u8]>; 2], platform: Platform) -> bool {
        match (self.how, paths) {
            (How::Inside(is_inside), _) => is_inside(uris, paths, platform),
            (_, [Some(root), Some(candidate)]) => is_prefix(root, candidate, platform),
            _ => false,
        }
    }
}

impl Paths for Planted {
    fn path_of_uri(&self, uri: &str, platform: Platform) -> Result<Vec<u8>, NoFilePath> {
        let other;
        let (mut read, mut by, mut steps) = (uri, platform, Steps::BY_RULE);
        match self.how {
            How::Uri(edit) => {
                other = edit(uri, platform);
                read = &other;
            }
            How::Platform(edit) => by = edit(uri, platform),
            How::Steps(others) => steps = others,
            _ => {}
        }
        let Reading { mut reasons, path } = reference::of_uri_by(steps, read, by);
        match self.how {
            How::Blind(reason) => reasons.retain(|other| *other != reason),
            How::Reasons(edit) => edit(uri, platform, &mut reasons),
            _ => {}
        }
        let path = Reading { reasons, path }.verdict()?;
        Ok(if let How::Gives(edit) = self.how { edit(uri, platform, path) } else { path })
    }

    fn path_of_path(&self, path: &[u8], platform: Platform) -> Option<Result<Vec<u8>, NoFilePath>> {
        let path = if let How::Path(edit) = self.how { edit(path) } else { path.to_vec() };
        Some(reference::of_path(&path, platform).verdict())
    }

    fn forms(&self, uri: &str, platform: Platform) -> Option<Result<Forms, String>> {
        let forms = |path: Vec<u8>| {
            let segments = path.split(|byte| *byte == separator(platform));
            Forms {
                text: String::from_utf8(path.clone()).ok(),
                segments: segments.filter(|segment| !segment.is_empty()).map(<[u8]>::to_vec).collect(),
                debug: path.escape_ascii().to_string(),
            }
        };
        let words = |reason: NoFilePath| format!("{}: {reason:?}", reason.rule());
        let mut given = self.path_of_uri(uri, platform).map(forms).map_err(words);
        if let How::Forms(edit) = self.how {
            edit(uri, &mut given);
        }
        Some(given)
    }

    fn contains(&self, root: &str, candidate: &str, platform: Platform) -> bool {
        let paths = [root, candidate].map(|uri| self.path_of_uri(uri, platform).ok());
        self.inside([root, candidate], [paths[0].as_deref(), paths[1].as_deref()], platform)
    }

    fn contains_path(&self, root: &str, candidate: &[u8], platform: Platform) -> Option<bool> {
        let path = self.path_of_path(candidate, platform)?.ok();
        let root_path = self.path_of_uri(root, platform).ok();
        let uri = String::from_utf8_lossy(candidate);
        Some(self.inside([root, &uri], [root_path.as_deref(), path.as_deref()], platform))
    }
}

const fn planted(name: &'static str, rule: &'static str, how: How) -> Planted {
    Planted { name, rule, how }
}

/// Every planted fault.
#[rustfmt::skip]
pub static PLANTED: &[Planted] = &[
    // U5: what there must be none of.
    planted("a user is ignored", "U5", How::Blind(NoFilePath::User)),
    planted("an empty user is none", "U5", How::Uri(|uri, _| uri.replacen("file://@", "file://", 1))),
    planted("the host is ignored", "U5", How::Blind(NoFilePath::Host)),
    planted("localhost is another host", "U5", How::Reasons(|uri, _, reasons| if uri.starts_with("file://localhost/") { add(reasons, NoFilePath::Host); })),
    planted("localhost counts in lower case alone", "U5", How::Reasons(|uri, _, reasons| if uri.starts_with("file://LOCALHOST/") || uri.starts_with("file://LocalHost/") { add(reasons, NoFilePath::Host); })),
    planted("a percent-encoded localhost counts", "U5", How::Uri(|uri, _| uri.replacen("file://%6c", "file://l", 1))),
    planted("a host that begins with localhost is local", "U5", How::Uri(|uri, _| uri.replacen("file://localhost.", "file://localhost/", 1).replacen("localhost/evil", "localhost", 1))),
    planted("127.0.0.1 is local", "U5", How::Uri(|uri, _| uri.replacen("file://127.0.0.1", "file://", 1))),
    planted("a host before a drive letter is dropped", "U5", How::Reasons(|uri, _, reasons| if uri.to_lowercase().contains("/c:/") { reasons.retain(|reason| *reason != NoFilePath::Host); })),
    planted("a drive in the place of the host is read", "U5", How::Uri(|uri, _| if uri.starts_with("file://C:/") { uri.replacen("file://", "file:///", 1) } else { uri.to_owned() })),
    planted("a port is ignored", "U5", How::Blind(NoFilePath::Port)),
    planted("an empty port is none", "U5", How::Uri(|uri, _| uri.replacen("localhost:/", "localhost/", 1))),
    planted("a query is ignored", "U5", How::Blind(NoFilePath::Query)),
    planted("an empty query is none", "U5", How::Uri(|uri, _| uri.strip_suffix('?').unwrap_or(uri).to_owned())),
    planted("a query is part of the name", "U5", How::Uri(|uri, _| uri.replace('?', "%3F"))),
    planted("a fragment is ignored", "U5", How::Blind(NoFilePath::Fragment)),
    planted("an empty fragment is none", "U5", How::Uri(|uri, _| uri.strip_suffix('#').unwrap_or(uri).to_owned())),
    planted("a fragment is part of the name", "U5", How::Uri(|uri, _| uri.replace('#', "%23"))),
    planted("no path is the top", "U5", How::Blind(NoFilePath::NotAbsolute)),
    planted("the scheme counts in any case", "U1", How::Uri(|uri, _| if uri.to_lowercase().starts_with("file://") { format!("file{}", &uri[4..]) } else { uri.to_owned() })),
    planted("one slash after the scheme is enough", "U1", How::Uri(|uri, _| if uri.starts_with("file:/") && !uri.starts_with("file://") { uri.replacen("file:/", "file:///", 1) } else { uri.to_owned() })),
    planted("other schemes are taken for file", "U1", How::Blind(NoFilePath::NotFile)),
    planted("the URI is trimmed", "U1", How::Uri(|uri, _| uri.trim().to_owned())),
    planted("characters that no URI has are encoded", "U2", How::Uri(|uri, _| uri.replace(' ', "%20").replace('|', "%7C").replace('[', "%5B").replace(']', "%5D"))),
    planted("a backslash is taken for a slash", "U2", How::Uri(|uri, _| uri.replace('\\', "/"))),
    planted("a percent sign may stand alone", "U2", How::Uri(|uri, _| if uri.ends_with('%') { format!("{uri}25") } else { uri.replace("%/", "%25/") })),
    planted("the last of several reasons is given", "U5", How::Reasons(|_, _, reasons| reasons.reverse())),
    // U5: decoding.
    planted("percent-encodings stay", "U5", How::Steps(Steps { decode: |spelled| spelled.as_bytes().to_vec(), step })),
    planted("decoding is done twice", "B2", How::Uri(|uri, _| uri.replace("%25", "%").replace("%/", "%25/"))),
    planted("a plus is a blank", "U5", How::Steps(Steps { decode: |spelled| decode(&spelled.replace('+', " ")), step })),
    planted("encoded separators are let through", "U5", How::Blind(NoFilePath::Separator)),
    planted("an encoded slash is a slash", "B2", How::Uri(|uri, _| uri.replace("%2F", "/").replace("%2f", "/"))),
    planted("an encoded slash with a small f is let through", "U5", How::Reasons(|uri, _, reasons| if !uri.contains("%2F") && !uri.contains("%5") { reasons.retain(|reason| *reason != NoFilePath::Separator); })),
    planted("an encoded backslash is a character for POSIX", "U5", How::Reasons(|uri, platform, reasons| if platform == Platform::Posix && !uri.contains("%2F") && !uri.contains("%2f") { reasons.retain(|reason| *reason != NoFilePath::Separator); })),
    planted("NUL is let through", "B2", How::Blind(NoFilePath::Nul)),
    planted("the path ends at a NUL", "B2", How::Uri(|uri, _| uri.split("%00").next().unwrap_or_default().to_owned())),
    planted("octets that are not UTF-8 are replaced in the text", "U5", How::Forms(|_, given| if let Ok(forms) = given { forms.text.get_or_insert_default(); })),
    planted("a path is shown as it is, line ends and all", "U5", How::Forms(|_, given| if let Ok(Forms { text: Some(text), debug, .. }) = given { debug.clone_from(text); })),
    planted("the top has an empty segment", "U5", How::Forms(|_, given| if let Ok(forms) = given && forms.segments.is_empty() { forms.segments.push(Vec::new()); })),
    planted("the words for no path repeat the URI", "U5", How::Forms(|uri, given| if let Err(words) = given { words.push_str(uri); })),
    planted("the words for no path do not tell the rule", "U5", How::Forms(|_, given| if let Err(words) = given { words.replace_range(.."U5: ".len(), ""); })),
    planted("octets that are not UTF-8 are replaced", "U5", How::Gives(|_, _, path| String::from_utf8_lossy(&path).into_owned().into_bytes())),
    planted("octets that are not UTF-8 are refused for POSIX", "U5", How::Reasons(|uri, _, reasons| if uri.contains("%FF") || uri.contains("%C0") { add(reasons, NoFilePath::NotUtf8); })),
    planted("octets that are not UTF-8 are let through for Windows", "U5", How::Blind(NoFilePath::NotUtf8)),
    planted("overlong encodings are dots", "U5", How::Uri(|uri, _| uri.replace("%C0%AE", "."))),
    // U5: dot segments.
    planted("dot segments stay", "U5", How::Steps(Steps { decode, step: |_, meaning| if meaning.is_empty() { Step::Stay } else { Step::Down } })),
    planted("single dots stay", "U5", How::Steps(Steps { decode, step: |spelled, meaning| if meaning == b"." { Step::Down } else { step(spelled, meaning) } })),
    planted("dot segments are resolved before decoding", "B2", How::Steps(Steps { decode, step: |spelled, _| step(spelled, spelled.as_bytes()) })),
    planted("a half-encoded dot segment is a name", "B2", How::Steps(Steps { decode, step: |spelled, meaning| if meaning == b".." && spelled.len() == 4 { Step::Down } else { step(spelled, meaning) } })),
    planted("three dots climb", "U5", How::Steps(Steps { decode, step: |spelled, meaning| step(spelled, if meaning == b"..." { b".." } else { meaning }) })),
    planted("names that begin with two dots climb", "U5", How::Steps(Steps { decode, step: |_, meaning| if meaning.starts_with(b"..") { Step::Up } else { step("", meaning) } })),
    planted("climbing ends at the top", "B3", How::Blind(NoFilePath::AboveTop)),
    planted("climbing can leave the drive", "B3", How::Uri(|uri, _| uri.replace("/C:/../", "/").replace("/c:/../", "/"))),
    planted("a dot segment removes an empty one", "U5", How::Steps(Steps { decode, step: |spelled, meaning| if meaning.is_empty() { Step::Down } else { step(spelled, meaning) } })),
    // U5: platforms.
    planted("Windows paths are read as POSIX has them", "U5", How::Platform(|_, _| Platform::Posix)),
    planted("what begins with a drive is read as Windows has it", "U5", How::Platform(|uri, platform| if uri.to_lowercase().starts_with("file:///c:/") { Platform::Windows } else { platform })),
    planted("a Windows path needs no drive", "U5", How::Blind(NoFilePath::NoDrive)),
    planted("a drive alone is its top", "U5", How::Uri(|uri, platform| if platform == Platform::Windows && uri.len() == 10 && uri.ends_with(':') { format!("{uri}/") } else { uri.to_owned() })),
    planted("an encoded colon makes no drive", "B4", How::Reasons(|uri, platform, reasons| if platform == Platform::Windows && uri.to_lowercase().starts_with("file:///c%3a/") { add(reasons, NoFilePath::NoDrive); })),
    planted("a colon encoded in lower case makes no drive", "B4", How::Reasons(|uri, platform, reasons| if platform == Platform::Windows && uri.starts_with("file:///C%3a/") { add(reasons, NoFilePath::NoDrive); })),
    planted("a bar makes a drive", "U5", How::Uri(|uri, _| uri.replacen("C%7C", "C:", 1))),
    planted("a drive keeps its case", "B4", How::Gives(|uri, platform, path| if platform == Platform::Windows && uri.contains("/c") { path.iter().enumerate().map(|(index, byte)| if index == 0 { byte.to_ascii_lowercase() } else { *byte }).collect() } else { path })),
    planted("a Windows path has slashes", "U5", How::Gives(|_, platform, path| if platform == Platform::Windows { path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect() } else { path })),
    // B: paths that somebody names.
    planted("a path that is named is percent-decoded", "B1", How::Path(|path| String::from_utf8_lossy(path).replace("%61", "a").replace("%2e", ".").replace("%2E", ".").into_bytes())),
    planted("a relative path starts at the top", "B1", How::Path(|path| if path.first() == Some(&b'/') || path.get(1) == Some(&b':') { path.to_vec() } else { [b"/", path].concat() })),
    planted("a path that is named is cut at a question mark", "B1", How::Path(|path| path.split(|byte| *byte == b'?').next().unwrap_or_default().to_vec())),
    // B: inside and outside.
    planted("a string prefix of the path is inside", "B1", How::Inside(|_, paths, _| both(paths).is_some_and(|[root, candidate]| candidate.starts_with(root)))),
    planted("a string prefix of the URI is inside", "B1", How::Inside(|[root, candidate], _, _| candidate.starts_with(root))),
    planted("the parent is inside", "B1", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform) || is_prefix(candidate, root, platform)))),
    planted("the last segment of a root is not compared", "B1", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(parent(root), candidate, platform)))),
    planted("only what is right below is inside", "B1", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform) && (root == candidate || is_prefix(parent(candidate), root, platform))))),
    planted("what has no path is inside", "B2", How::Inside(|_, paths, platform| both(paths).is_none_or(|[root, candidate]| is_prefix(root, candidate, platform)))),
    planted("what has no path is inside itself", "B2", How::Inside(|[root, candidate], paths, platform| root == candidate || both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform)))),
    planted("a candidate's dots are resolved after the comparison", "B2", How::Inside(|[_, uri], paths, platform| both(paths).is_some_and(|[root, candidate]| {
        let steps = Steps { decode, step: |_, meaning| if meaning.is_empty() { Step::Stay } else { Step::Down } };
        let unresolved = reference::of_uri_by(steps, uri, platform);
        is_prefix(root, candidate, platform) || is_prefix(root, &unresolved.path, platform)
    }))),
    planted("a root that climbs contains everything", "B3", How::Inside(|[uri, _], paths, platform| match paths {
        [None, Some(_)] => reference::of_uri(uri, platform).reasons == [NoFilePath::AboveTop],
        paths => both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform)),
    })),
    planted("a slash at a root's end leaves out the root", "B4", How::Inside(|[uri, _], paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform) && !(uri.ends_with('/') && root == candidate)))),
    planted("case plays no part", "B4", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(&root.to_ascii_lowercase(), &candidate.to_ascii_lowercase(), platform)))),
    planted("Unicode forms are one", "B4", How::Uri(|uri, _| uri.replace("e%CC%81", "%C3%A9"))),
    planted("blanks at the end of a name are dropped", "B4", How::Steps(Steps { decode: |spelled| trim_end(decode(spelled), b' '), step })),
    planted("dots at the end of a name are dropped", "B4", How::Steps(Steps { decode: |spelled| if step("", &decode(spelled)) == Step::Down { trim_end(decode(spelled), b'.') } else { decode(spelled) }, step })),
    planted("a drive letter is compared with its case", "B4", How::Inside(|uris, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform) && (platform == Platform::Posix || letter(uris[0]) == letter(uris[1]))))),
    planted("drives play no part", "B4", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| if platform == Platform::Windows { is_prefix(&root[2..], &candidate[2..], platform) } else { is_prefix(root, candidate, platform) }))),
    planted("the root itself is outside", "B5", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| root != candidate && is_prefix(root, candidate, platform)))),
    planted("the top contains itself alone", "B5", How::Inside(|_, paths, platform| both(paths).is_some_and(|[root, candidate]| is_prefix(root, candidate, platform) && (root != b"/" || candidate == b"/")))),
    planted("no path leads to the top", "B5", How::Uri(|uri, _| if uri == "file:///" { "file://".to_owned() } else { uri.to_owned() })),
];

fn add(reasons: &mut Vec<NoFilePath>, reason: NoFilePath) {
    reasons.push(reason);
    reasons.sort_unstable();
    reasons.dedup();
}

fn both(paths: [Option<&[u8]>; 2]) -> Option<[&[u8]; 2]> {
    Some([paths[0]?, paths[1]?])
}

fn parent(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| b"/\\".contains(byte)).map_or(0, |index| index.max(1));
    &path[..end]
}

fn trim_end(mut octets: Vec<u8>, octet: u8) -> Vec<u8> {
    while octets.len() > 1 && octets.last() == Some(&octet) {
        octets.pop();
    }
    octets
}

/// The first character of the path of a URI, or of a path.
fn letter(uri: &str) -> Option<char> {
    let path = uri.strip_prefix("file://").and_then(|rest| Some(rest.split_once('/')?.1)).unwrap_or(uri);
    path.chars().next()
}
