//! The corpus of paths: `corpus/paths.toml`, URIs and pairs of them with what must be said of each.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, io};

use mcp_roots::{NoFilePath, Platform};
use serde::Deserialize;

use super::{Paths, Question, laws, shown};
use crate::corpus::{ROOT_RULES, Strength, folder, is_known_source, is_name};

/// A case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What the manifest says of it.
    pub about: About,
}

/// A manifest's table for one case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct About {
    /// The URI.
    pub root: String,
    /// A candidate to be inside, if the case is about two.
    pub candidate: Option<String>,
    /// A candidate that is named as a path.
    pub candidate_path: Option<String>,
    posix: String,
    windows: String,
    /// The rules that the case bears on.
    pub cites: Vec<String>,
    /// What the case shows.
    pub shows: String,
    /// What goes wrong where it is judged otherwise.
    pub misjudged: String,
    /// Where it comes from.
    pub source: String,
    /// How firm the expectation is.
    pub strength: Strength,
}

impl Case {
    /// What is expected: `inside` or `outside` of a case about two, else the path or `no path: REASON`.
    ///
    /// ```
    /// use mcp_roots::Platform;
    /// let cases = mcp_roots_proptests::paths::corpus::load()?;
    /// let case = cases.iter().find(|case| case.name == "prefix-of-a-sibling").unwrap();
    /// assert_eq!(case.expected(Platform::Posix), "outside");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn expected(&self, platform: Platform) -> &str {
        match platform {
            Platform::Posix => &self.about.posix,
            Platform::Windows => &self.about.windows,
        }
    }

    const fn is_about_two(&self) -> bool {
        self.about.candidate.is_some() || self.about.candidate_path.is_some()
    }

    /// Whether this is what is expected of a path or candidate that is let in.
    fn accepts(&self, platform: Platform) -> bool {
        let expected = self.expected(platform);
        expected != "outside" && !expected.starts_with(REFUSED)
    }

    fn complaints(&self) -> Vec<String> {
        let About { candidate, candidate_path, cites, shows, misjudged, source, .. } = &self.about;
        let expectation_is_known = |platform| {
            let expected = self.expected(platform);
            match expected.strip_prefix(REFUSED) {
                _ if self.is_about_two() => ["inside", "outside"].contains(&expected),
                Some(reason) => NoFilePath::ALL.iter().any(|other| format!("{other:?}") == reason),
                None => expected.starts_with('/') == (platform == Platform::Posix),
            }
        };
        [
            (is_name(&self.name), "a name is made of lower-case letters, digits and hyphens"),
            (!(candidate.is_some() && candidate_path.is_some()), "there are two candidates"),
            (Platform::ALL.into_iter().all(expectation_is_known), "it expects what nobody says"),
            (is_known_source(source), "the source is of no known kind"),
            (shows.len() > 10 && misjudged.len() > 10, "it does not say what it shows and what goes wrong"),
            (
                !cites.is_empty()
                    && cites
                        .iter()
                        .all(|rule| ROOT_RULES.contains(&&**rule) || ["U1", "U2"].contains(&&**rule)),
                "it cites no rule of paths",
            ),
            (
                self.is_about_two() == cites.iter().any(|rule| rule.starts_with('B')),
                "B is about two, U about one",
            ),
        ]
        .into_iter()
        .filter(|(is_right, _)| !is_right)
        .map(|(_, complaint)| format!("{}: {complaint}", self.name))
        .collect()
    }
}

const REFUSED: &str = "no path: ";

/// Loads the cases.
///
/// # Errors
///
/// Where the manifest cannot be read or is malformed.
///
/// ```
/// assert!(mcp_roots_proptests::paths::corpus::load()?.len() > 100);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load() -> io::Result<Vec<Case>> {
    let manifest = fs::read_to_string(folder().join("paths.toml"))?;
    let tables: BTreeMap<String, About> =
        toml::from_str(&manifest).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(tables.into_iter().map(|(name, about)| Case { name, about }).collect())
}

/// Everything that is wrong with the cases as such: too little said, a rule or reason without a case.
///
/// ```
/// assert!(!mcp_roots_proptests::paths::corpus::complaints(&[]).is_empty());
/// ```
#[must_use]
pub fn complaints(cases: &[Case]) -> Vec<String> {
    let mut complaints: Vec<String> = cases.iter().flat_map(Case::complaints).collect();
    for rule in ROOT_RULES.into_iter().filter(|rule| *rule != "U4") {
        let bearing = || cases.iter().filter(|case| case.about.cites.iter().any(|cited| cited == rule));
        let is_let_in = |case: &Case| Platform::ALL.into_iter().any(|platform| case.accepts(platform));
        let is_kept_out = |case: &Case| Platform::ALL.into_iter().any(|platform| !case.accepts(platform));
        if !bearing().any(is_let_in) {
            complaints.push(format!("nothing is let in at the border of {rule}"));
        }
        if !bearing().any(is_kept_out) {
            complaints.push(format!("nothing is kept out by {rule}"));
        }
    }
    let expected: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| Platform::ALL.map(|platform| case.expected(platform)))
        .filter_map(|expected| expected.strip_prefix(REFUSED))
        .collect();
    for reason in NoFilePath::ALL.map(|reason| format!("{reason:?}")) {
        if !expected.contains(&*reason) {
            complaints.push(format!("no case is refused for {reason}"));
        }
    }
    complaints
}

/// Holds a reader of paths against a case: what is expected for each platform, and every law. Gives the
/// number of questions asked.
///
/// # Panics
///
/// Where the reader is wrong.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::corpus;
/// assert_eq!(corpus::replay(&Core, &corpus::load()?[0]), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(paths: &dyn Paths, case: &Case) -> usize {
    let root = case.about.root.as_str();
    let word = |inside: bool| if inside { "inside" } else { "outside" }.to_owned();
    for platform in Platform::ALL {
        let said = match (&case.about.candidate, &case.about.candidate_path) {
            (Some(candidate), _) => word(paths.contains(root, candidate, platform)),
            (None, Some(path)) => {
                let Some(inside) = paths.contains_path(root, path.as_bytes(), platform) else { continue };
                word(inside)
            }
            (None, None) => match paths.path_of_uri(root, platform) {
                Ok(path) => shown(&path),
                Err(reason) => format!("{REFUSED}{reason:?}"),
            },
        };
        let expected = case.expected(platform);
        assert!(
            said == expected,
            "{} for {platform:?}: expected {expected}, got {said}\n{}",
            case.name,
            case.about.misjudged
        );
        let candidate = case.about.candidate.as_deref().unwrap_or(root);
        laws::all(paths, &Question::new(root, candidate, platform));
    }
    Platform::ALL.len()
}
