//! Writes what fuzzing found as a corpus: a document a file, and the manifests that say what is
//! expected of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use mcp_roots_proptests::corpus::{self, Entry};
use mcp_roots_proptests::{Case, Target, reference};

use crate::fuzz::{Finding, Report, Variant};
use crate::replay::Replay;
use crate::rules;

/// How each of the manifests begins that are written here.
const MARK: &str = "# Found by `";

/// A folder for what fuzzing finds: a new or an empty one, or one that fuzzing has written.
///
/// ```
/// use mcp_roots_harness::save::Folder;
/// assert!(Folder::open(env!("CARGO_MANIFEST_DIR").as_ref()).is_err(), "there is something else in it");
/// ```
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// What is there already.
    entries: Vec<Entry>,
    is_new: bool,
}

/// How many documents were written, and how many were there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Saved {
    /// Written.
    pub new: usize,
    /// There already.
    pub old: usize,
}

impl Folder {
    /// Makes sure that something can be saved in a folder, better before a run than after it.
    ///
    /// # Errors
    ///
    /// Where it cannot be made, or, as [`io::ErrorKind::AlreadyExists`], something else is in it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_new = !path.exists();
        fs::create_dir_all(path)?;
        let is_empty = fs::read_dir(path)?.next().is_none();
        let is_ours = |target: Target| {
            fs::read_to_string(manifest(path, target)).is_ok_and(|text| text.starts_with(MARK))
        };
        let entries = match is_empty {
            true => Vec::new(),
            false if Target::ALL.into_iter().all(is_ours) => corpus::load_from(path)?,
            false => {
                let why = "there is something in it that `fuzz --save` has not written";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
        };
        // Better now than after the run.
        let trial = path.join(".writable");
        fs::write(&trial, "")?;
        fs::remove_file(&trial)?;
        Ok(Self { path: path.to_owned(), entries, is_new })
    }

    /// Writes the minimal documents of all findings, but for those that are there. A new folder goes again if there
    /// is none.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn save(self, report: &Report, replay: &Replay) -> io::Result<Saved> {
        let Self { path, entries, is_new } = self;
        let mut saved = Saved::default();
        let mut names: BTreeSet<(Target, String)> =
            entries.iter().map(|entry| (entry.target, entry.name.clone())).collect();
        let mut added: BTreeMap<Target, String> = BTreeMap::new();
        let findings = report.findings.iter().chain(&report.decided);
        for (finding, variant) in
            findings.flat_map(|finding| finding.variants.iter().map(move |variant| (finding, variant)))
        {
            let sample = &variant.sample;
            let is_it = |entry: &Entry| {
                (entry.target, &entry.doc, entry.about.request.as_deref())
                    == (sample.target, &sample.doc, sample.request)
            };
            if entries.iter().any(is_it) {
                saved.old += 1;
                continue;
            }
            saved.new += 1;
            let mut number = names.len() + 1;
            let name = loop {
                let name = name(finding, variant, number);
                if names.insert((sample.target, name.clone())) {
                    break name;
                }
                number += 1;
            };
            let folder = path.join(sample.target.name());
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(format!("{name}.json")), &sample.doc)?;
            *added.entry(sample.target).or_default() += &entry(&name, finding, variant, replay);
        }
        if saved.new > 0 {
            for target in Target::ALL {
                fs::create_dir_all(path.join(target.name()))?;
                let file = manifest(&path, target);
                let head = || format!("{MARK}{}`.\n", replay.run(report.end));
                let old = fs::read_to_string(&file).unwrap_or_else(|_| head());
                fs::write(file, old + added.get(&target).map_or("", |text| text))?;
            }
        } else if is_new {
            fs::remove_dir(&path)?;
        }
        Ok(saved)
    }
}

fn manifest(folder: &Path, target: Target) -> PathBuf {
    folder.join(format!("{target}.toml"))
}

/// Of lower-case letters, digits and hyphens, and of its own.
fn name(finding: &Finding, variant: &Variant, count: usize) -> String {
    let what = if variant.flaw.is_empty() { &finding.place } else { &variant.flaw };
    let words = format!("{} {what} got {} {count}", finding.rule, finding.got).to_ascii_lowercase();
    let parts = words.split(|character: char| !character.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn entry(name: &str, finding: &Finding, variant: &Variant, replay: &Replay) -> String {
    let sample = &variant.sample;
    let case = Case { request: sample.request.map(str::as_bytes), ..Case::new(sample.target, &sample.doc) };
    let mut others: Vec<_> = case.in_every_revision().map(|case| (case.revision, expected(&case))).collect();
    let (_, usual) = others.pop().unwrap_or_default();
    others.retain(|(_, other)| *other != usual);
    let said = std::iter::once(&usual).chain(others.iter().map(|(_, other)| other));
    let mut cites: Vec<&str> = said.filter_map(|said| said.split(' ').nth(1)).collect();
    cites.sort_unstable();
    cites.dedup();
    if cites.is_empty() {
        // Of a document that is valid everywhere nobody knows which rule was mistaken: that of its kind.
        cites.push(match sample.target {
            Target::Response | Target::InputResponses => "R1",
            Target::Request => "Q2",
            Target::Capabilities => "C1",
            Target::RequestMeta => "C5",
        });
    }
    let text = |text: &str| toml::Value::from(text).to_string();
    let flaw = if variant.flaw.is_empty() { "a document that fuzzing made" } else { &variant.flaw };
    let mut entry = format!("\n[{name}]\nexpect = {}\n", text(&usual));
    if !others.is_empty() {
        let others = others.iter().map(|(revision, other)| format!("\"{revision}\" = {}", text(other)));
        writeln!(entry, "expect-in = {{ {} }}", others.collect::<Vec<_>>().join(", "))
            .expect("text takes text");
    }
    let misjudged = if finding.misjudged.is_empty() { &unlike(finding) } else { &finding.misjudged };
    let strength = variant.strength.name();
    write!(
        entry,
        "cites = {cites:?}\nshows = {}\nmisjudged = {}\nsource = {}\nstrength = \"{strength}\"\n",
        text(&format!("{flaw}: got {} where {} was expected.", finding.got, variant.expected)),
        text(misjudged),
        text(&format!("fuzzing: {}", replay.case(variant.case))),
    )
    .expect("text takes text");
    if let Some(request) = sample.request {
        writeln!(entry, "request = {}", text(request)).expect("text takes text");
    }
    entry
}

/// What goes wrong, where the corpus has no document to say it.
fn unlike(finding: &Finding) -> String {
    match (&*finding.expected, rules::text(&finding.rule)) {
        ("accept", _) => "What another side may send does not come through as it is.".to_owned(),
        ("missing", _) => "That there is no answer yet is taken for something else.".to_owned(),
        (_, Some(text)) => format!("By {}: {text}", finding.rule),
        (_, None) => format!("What {} refuses comes through.", finding.rule),
    }
}

fn expected(case: &Case<'_>) -> String {
    let judgement = reference::judge(case);
    match judgement.faults.first() {
        Some(fault) => format!("reject {} {}", fault.rule, fault.at).trim_end().to_owned(),
        None if judgement.is_missing => "missing".to_owned(),
        None => "accept".to_owned(),
    }
}
