//! The corpus of lenient reading: `corpus/lenient.toml`, results with what each of their roots is.

use std::collections::BTreeMap;
use std::{fs, io};

use mcp_roots::Revision;
use serde::Deserialize;

use super::{Lenient, laws};
use crate::corpus::{REPORTABLE, Strength, folder, is_known_source, is_name};
use crate::{Case, Door, Target};

/// A result and what is expected of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What the manifest says of it.
    pub about: About,
}

/// A manifest's table for one result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct About {
    /// The result's text.
    pub doc: String,
    expect: String,
    #[serde(default)]
    expect_in: BTreeMap<String, String>,
    /// The rules that it bears on.
    pub cites: Vec<String>,
    /// What it shows.
    pub shows: String,
    /// What goes wrong where it is judged otherwise.
    pub misjudged: String,
    /// Where it comes from.
    pub source: String,
    /// How firm the expectation is.
    pub strength: Strength,
}

impl Entry {
    /// What is expected in a revision: what each root is, after semicolons, or `reject RULE PLACE`.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// let entries = mcp_roots_proptests::lenient::corpus::load()?;
    /// let entry = entries.iter().find(|entry| entry.name == "vscode-remote").unwrap();
    /// assert_eq!(entry.expected(Revision::default()), "other vscode-remote");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn expected(&self, revision: Revision) -> &str {
        self.about.expect_in.get(&revision.to_string()).unwrap_or(&self.about.expect)
    }

    fn complaints(&self) -> Vec<String> {
        let About { expect, expect_in, cites, shows, misjudged, source, .. } = &self.about;
        let rejected = std::iter::once(expect).chain(expect_in.values());
        let mut rejected = rejected.filter_map(|expected| expected.strip_prefix(REJECT)?.split(' ').next());
        [
            (is_name(&self.name), "a name is made of lower-case letters, digits and hyphens"),
            (is_known_source(source), "the source is of no known kind"),
            (shows.len() > 10 && misjudged.len() > 10, "it does not say what it shows and what goes wrong"),
            (cites.iter().any(|rule| rule == "U4"), "it does not cite U4"),
            (
                rejected.all(|rule| {
                    REPORTABLE.contains(&rule)
                        && !rule.starts_with('U')
                        && cites.iter().any(|cited| cited == rule)
                }),
                "it does not cite the rule that it is refused under, or that is one of URIs",
            ),
            (
                expect_in.keys().all(|revision| revision.parse::<Revision>().is_ok()),
                "an exception is for a known revision",
            ),
        ]
        .into_iter()
        .filter(|(is_right, _)| !is_right)
        .map(|(_, complaint)| format!("{}: {complaint}", self.name))
        .collect()
    }
}

const REJECT: &str = "reject ";

/// Loads the results.
///
/// # Errors
///
/// Where the manifest cannot be read or is malformed.
///
/// ```
/// assert!(mcp_roots_proptests::lenient::corpus::load()?.len() > 40);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load() -> io::Result<Vec<Entry>> {
    let manifest = fs::read_to_string(folder().join("lenient.toml"))?;
    let tables: BTreeMap<String, About> =
        toml::from_str(&manifest).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(tables.into_iter().map(|(name, about)| Entry { name, about }).collect())
}

/// Everything that is wrong with the results as such: too little said, a kind or a refusal that none
/// stands for.
///
/// ```
/// assert!(!mcp_roots_proptests::lenient::corpus::complaints(&[]).is_empty());
/// ```
#[must_use]
pub fn complaints(entries: &[Entry]) -> Vec<String> {
    let mut complaints: Vec<String> = entries.iter().flat_map(Entry::complaints).collect();
    let is_expected = |what: &str| {
        let expected =
            entries.iter().flat_map(|entry| Revision::ALL.map(|revision| entry.expected(revision)));
        expected.into_iter().any(|expected| expected.split("; ").any(|root| root.starts_with(what)))
    };
    for what in ["file", "other ", "malformed", "no root"] {
        if !is_expected(what) {
            complaints.push(format!("nothing is {what}"));
        }
    }
    for rule in ["J1", "J2", "J6", "R1", "R2", "R3", "R4", "R5"] {
        // Text that is not UTF-8 does not stand in a manifest.
        if rule != "J1" && !is_expected(&format!("{REJECT}{rule}")) {
            complaints.push(format!("nothing is refused under {rule}"));
        }
    }
    complaints
}

/// Holds a lenient reader against a result: what is expected by each door and revision, and every law.
/// Gives the number of questions asked.
///
/// # Panics
///
/// Where the reader is wrong.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::lenient::corpus;
/// assert!(corpus::replay(&Core, &corpus::load()?[0]) > 0);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(lenient: &dyn Lenient, entry: &Entry) -> usize {
    let mut asked = 0;
    for case in Case::new(Target::Response, entry.about.doc.as_bytes()).in_every_revision() {
        let expected = entry.expected(case.revision);
        for door in [Door::Bytes, Door::Str, Door::Value] {
            // A value has lost what breaks J.
            let sorting = lenient.sort(&case, door);
            let Some(sorting) = sorting.filter(|_| door != Door::Value || !expected.starts_with("reject J"))
            else {
                continue;
            };
            asked += 1;
            let said = match sorting {
                Ok(sorting) if sorting.roots.is_empty() => "no root".to_owned(),
                Ok(sorting) => {
                    sorting.roots.iter().map(|root| root.kind.name()).collect::<Vec<_>>().join("; ")
                }
                Err(refusal) => format!("{REJECT}{} {}", refusal.rule, refusal.at).trim_end().to_owned(),
            };
            assert!(
                said == expected,
                "{}: expected {expected}, got {said} at the door {door:?}\n{case:?}\n{}",
                entry.name,
                entry.about.misjudged
            );
        }
        laws::all(lenient, &case);
    }
    asked
}
