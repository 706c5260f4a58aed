//! The corpus: documents of all kinds with the verdict that each must get, and why it matters.
//!
//! A document is a file `corpus/TARGET/NAME.json`, byte for byte, so that it can seed a fuzzer as it
//! is; `corpus/TARGET.toml` beside it is the manifest, one table a document.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use mcp_roots::Revision;
use serde::{Deserialize, Serialize};

use crate::{Case, Door, Expected, Target, Validator, Verdict, laws, reference};

/// A document and what is expected of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is judged as.
    pub target: Target,
    /// Its name, unique within the target.
    pub name: String,
    /// The document.
    pub doc: Vec<u8>,
    /// What the manifest says of it.
    pub about: About,
}

/// A manifest's table for one document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct About {
    pub(crate) expect: Expected,
    #[serde(default)]
    expect_in: BTreeMap<String, Expected>,
    /// The rules that the document bears on; a rule it is refused under comes first.
    pub cites: Vec<String>,
    /// What the document shows.
    pub shows: String,
    /// What goes wrong where it is judged otherwise.
    pub misjudged: String,
    /// Where it comes from: `specification: …`, `field: …`, `probe: …` or `fuzzing: …`.
    pub source: String,
    /// How firm the expectation is.
    pub strength: Strength,
    /// The request that the document is judged with, if it is not the bare one.
    pub request: Option<String>,
}

/// How firm an expectation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strength {
    /// The protocol's JSON schema says so.
    Schema,
    /// The schema's `format: uri` says so.
    Format,
    /// The specification's text says so.
    Prose,
    /// The sources leave it open, and the rule says why it is so.
    Decided,
}

impl Strength {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Schema, Self::Format, Self::Prose, Self::Decided];

    /// The name in manifests.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::corpus::Strength::Prose.name(), "prose");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Format => "format",
            Self::Prose => "prose",
            Self::Decided => "decided",
        }
    }
}

impl Entry {
    /// What is expected in a revision.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::corpus;
    /// let corpus = corpus::load()?;
    /// let entry = corpus.iter().find(|entry| entry.name == "spec-error-answer").unwrap();
    /// assert_eq!(entry.expected(Revision::default()).to_string(), "reject R1");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn expected(&self, revision: Revision) -> &Expected {
        self.about.expect_in.get(&revision.to_string()).unwrap_or(&self.about.expect)
    }

    /// The document as a case of each revision that has its target.
    ///
    /// ```
    /// for entry in mcp_roots_proptests::corpus::load()? {
    ///     assert!(entry.cases().count() > 0);
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        let request = self.about.request.as_ref().map(String::as_bytes);
        Case { request, ..Case::new(self.target, &self.doc) }.in_every_revision()
    }

    /// What is wrong with the entry itself, whatever a validator says of the document.
    #[must_use]
    fn complaints(&self) -> Vec<String> {
        let About { expect, expect_in, request, .. } = &self.about;
        let name = format!("{}/{}", self.target, self.name);
        let mut complaints = complaints_about(&name, &self.about);
        let mut check = |is_right: bool, complaint: &str| {
            if !is_right {
                complaints.push(format!("{name}: {complaint}"));
            }
        };
        check(is_name(&self.name), "a name is made of lower-case letters, digits and hyphens");
        check(self.doc.len() <= MAX_BYTES, "a document this long is built in a test");
        check(
            request.is_none() || matches!(self.target, Target::Capabilities | Target::InputResponses),
            "nothing here is judged with a request",
        );
        for (revision, expected) in expect_in {
            let known = revision.parse::<Revision>().is_ok_and(|revision| self.target.exists_in(revision));
            check(
                known && expected != expect,
                "an exception is for a known revision and differs from the rule",
            );
        }
        complaints
    }
}

/// What is wrong with what a manifest says of a document.
pub(crate) fn complaints_about(name: &str, about: &About) -> Vec<String> {
    let About { expect, expect_in, cites, shows, misjudged, source, .. } = about;
    let mut complaints = Vec::new();
    let mut check = |is_right: bool, complaint: &str| {
        if !is_right {
            complaints.push(format!("{name}: {complaint}"));
        }
    };
    check(is_known_source(source), "the source is of no known kind");
    check(shows.len() > 10 && misjudged.len() > 10, "it does not say what it shows and what goes wrong");
    check(!cites.is_empty() && cites.iter().all(|rule| is_in_the_book(rule)), "it cites no rule of the book");
    for expected in std::iter::once(expect).chain(expect_in.values()) {
        if let Expected::Reject { rule, .. } = expected {
            check(REPORTABLE.contains(&&**rule), "it expects a rule that no refusal is reported under");
            check(cites.contains(rule), "it does not cite the rule that it expects");
        }
    }
    complaints
}

/// Longer documents are built in tests.
const MAX_BYTES: usize = 64 * 1024;

/// The rules that a refusal can be reported under.
pub const REPORTABLE: [&str; 19] = [
    "J1", "J2", "J6", "Q2", "Q3", "Q4", "Q5", "C1", "C3", "C5", "R1", "R2", "R3", "R4", "R5", "U1", "U2",
    "A2", "A4",
];

/// The other rules of the book, which say what is accepted, kept or done.
pub const OTHER_RULES: [&str; 21] = [
    "J3", "J4", "J5", "J7", "Q1", "C2", "C4", "R6", "R7", "R8", "U3", "A1", "A3", "A5", "A6", "A7", "E1",
    "E2", "E3", "E4", "E5",
];

/// The rules of what is made of roots: lenient reading, file paths, boundaries. Their cases are not
/// documents alone, and stand in `lenient.toml` and `paths.toml`.
pub const ROOT_RULES: [&str; 8] = ["U4", "U5", "B1", "B2", "B3", "B4", "B5", "B6"];

pub(crate) fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

pub(crate) fn is_known_source(source: &str) -> bool {
    ["specification: ", "field: ", "probe: ", "fuzzing: "].iter().any(|kind| source.starts_with(kind))
}

/// The rules of the life cycle, which sequences of events stand for ([`crate::session`]).
pub const SESSION_RULES: [&str; 11] = ["L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L10", "L11"];

pub(crate) fn is_in_the_book(rule: &str) -> bool {
    REPORTABLE.contains(&rule) || OTHER_RULES.contains(&rule) || SESSION_RULES.contains(&rule)
}

/// Where the corpus stands: the folder `corpus` beside this package.
///
/// ```
/// assert!(mcp_roots_proptests::corpus::folder().join("response.toml").is_file());
/// ```
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// Loads the corpus.
///
/// # Errors
///
/// Where a file cannot be read, a manifest is malformed, or a document and an entry lack each other. A target with
/// neither has no documents.
///
/// ```
/// assert!(mcp_roots_proptests::corpus::load()?.len() > 800);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load() -> io::Result<Vec<Entry>> {
    load_from(&folder())
}

/// Loads a corpus from another folder.
///
/// # Errors
///
/// As [`load`].
///
/// ```
/// use mcp_roots_proptests::corpus;
/// assert_eq!(corpus::load_from(&corpus::folder())?.len(), corpus::load()?.len());
/// assert!(corpus::load_from("no such folder".as_ref()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load_from(folder: &Path) -> io::Result<Vec<Entry>> {
    // A folder that is none is no corpus without documents.
    fs::read_dir(folder)?;
    let mut entries = Vec::new();
    for target in Target::ALL {
        let documents = documents(folder, target.name())?.into_iter();
        entries.extend(documents.map(|(name, doc, about)| Entry { target, name, doc, about }));
    }
    Ok(entries)
}

/// The corpus as it was when this library was built, which needs no file to be read: for programs that
/// leave the repository.
///
/// # Errors
///
/// As [`load`].
///
/// ```
/// use mcp_roots_proptests::corpus;
/// assert_eq!(corpus::built_in()?.len(), corpus::load()?.len());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn built_in() -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for target in Target::ALL {
        let (mut manifest, mut docs) = (String::new(), BTreeMap::new());
        for (path, content) in FILES {
            match path.strip_prefix(target.name()).and_then(|rest| rest.strip_prefix('/')) {
                Some(file) => drop(docs.insert(file.to_owned(), content.to_vec())),
                None if *path == format!("{target}.toml") => {
                    manifest =
                        String::from_utf8(content.to_vec()).map_err(|error| wrong(error.to_string()))?;
                }
                None => {}
            }
        }
        let documents = with_entries(target.name(), &manifest, docs)?.into_iter();
        entries.extend(documents.map(|(name, doc, about)| Entry { target, name, doc, about }));
    }
    Ok(entries)
}

/// Every file of the corpus: its path in the folder, and what it holds.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The documents of a folder of the corpus, each with its name and what the manifest says of it.
pub(crate) fn documents(corpus: &Path, kind: &str) -> io::Result<Vec<(String, Vec<u8>, About)>> {
    let named =
        |path: &Path, error: &io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let (manifest, folder) = (corpus.join(format!("{kind}.toml")), corpus.join(kind));
    // A corpus of one's own need not have them all.
    if !manifest.exists() && !folder.exists() {
        return Ok(Vec::new());
    }
    let manifest = fs::read_to_string(&manifest).map_err(|error| named(&manifest, &error))?;
    let mut docs = BTreeMap::new();
    for file in fs::read_dir(&folder).map_err(|error| named(&folder, &error))? {
        let path = file?.path();
        let doc = fs::read(&path).map_err(|error| named(&path, &error))?;
        docs.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), doc);
    }
    with_entries(kind, &manifest, docs)
}

/// Brings documents, by the names of their files, and their manifest together.
fn with_entries(
    kind: &str,
    manifest: &str,
    docs: BTreeMap<String, Vec<u8>>,
) -> io::Result<Vec<(String, Vec<u8>, About)>> {
    let mut about: BTreeMap<String, About> =
        toml::from_str(manifest).map_err(|error| wrong(format!("{kind}.toml: {error}")))?;
    let mut documents = Vec::new();
    for (file, doc) in docs {
        let name = file.strip_suffix(".json").unwrap_or(&file).to_owned();
        let about = about.remove(&name).ok_or_else(|| wrong(format!("{kind}/{file} has no entry")))?;
        documents.push((name, doc, about));
    }
    match about.keys().next() {
        Some(name) => Err(wrong(format!("{kind}.toml: the entry {name} has no document"))),
        None => Ok(documents),
    }
}

fn wrong(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Everything that is wrong with a corpus as such: entries that say too little, rules that no
/// document stands for.
///
/// ```
/// use mcp_roots_proptests::corpus;
/// assert!(!corpus::complaints(&[]).is_empty(), "an empty corpus stands for no rule");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn complaints(corpus: &[Entry]) -> Vec<String> {
    let mut complaints: Vec<String> = corpus.iter().flat_map(Entry::complaints).collect();
    let cites = |entry: &Entry, rule: &str| entry.about.cites.iter().any(|cited| cited == rule);
    let expects = |entry: &Entry, is_it: &dyn Fn(&Expected) -> bool| {
        entry.cases().any(|case| is_it(entry.expected(case.revision)))
    };
    for rule in REPORTABLE {
        let rejects =
            |expected: &Expected| matches!(expected, Expected::Reject { rule: other, .. } if other == rule);
        if !corpus.iter().any(|entry| expects(entry, &rejects)) {
            complaints.push(format!("no document is refused under {rule}"));
        }
        let is_accepted = |entry: &Entry| expects(entry, &|expected| *expected == Expected::Accept);
        if !corpus.iter().any(|entry| cites(entry, rule) && is_accepted(entry)) {
            complaints.push(format!("no document is accepted at the border of {rule}"));
        }
    }
    for rule in OTHER_RULES {
        if !corpus.iter().any(|entry| cites(entry, rule)) {
            complaints.push(format!("no document cites {rule}"));
        }
    }
    complaints
}

/// Holds a validator against a document: the expected verdict at each door and in each revision, and
/// every law. Gives the number of verdicts asked for.
///
/// # Panics
///
/// Where the validator is wrong; or where it was asked nothing.
///
/// ```
/// use mcp_roots_proptests::{Core, corpus};
/// assert!(corpus::replay(&Core, &corpus::load()?[0]) > 0);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(validator: &dyn Validator, entry: &Entry) -> usize {
    let mut asked = 0;
    for case in entry.cases() {
        let expected = entry.expected(case.revision);
        let is_in_value = !reference::judge(&case).faults.iter().any(|fault| fault.rule.starts_with('J'));
        for door in [Door::Bytes, Door::Str, Door::Value] {
            // A value has lost what breaks J.
            let Some(verdict) = validator.judge(&case, door).filter(|_| door != Door::Value || is_in_value)
            else {
                continue;
            };
            asked += 1;
            let is_right = match (door, expected, &verdict) {
                // It gives its members in an order of its own, and so perhaps another fault (E4).
                (Door::Value, Expected::Reject { .. }, Verdict::Reject(_)) => true,
                _ => expected.is(&verdict),
            };
            assert!(
                is_right,
                "expected {expected}, got {} at the door {door:?}\n{case:?}\n{}",
                verdict.summary(),
                entry.about.misjudged
            );
        }
        laws::all(validator, &case);
    }
    assert!(asked > 0, "{}/{}: nothing was asked", entry.target, entry.name);
    asked
}
