//! Writes what fuzzing found as a corpus: a document a file, and the manifests that say what is
//! expected of each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use mcp_roots_proptests::corpus::{REPORTABLE, Strength};
use mcp_roots_proptests::{Case, Target, reference};

use crate::fuzz::{Finding, Report, Variant};

/// Writes the minimal documents of all findings to a folder that is new or empty; gives their number.
///
/// # Errors
///
/// Where there is something in the folder, or a file cannot be written.
pub fn save(report: &Report, folder: &Path, replay: &str) -> io::Result<usize> {
    make_empty(folder)?;
    let mut manifests: BTreeMap<Target, String> = BTreeMap::new();
    for target in Target::ALL {
        fs::create_dir(folder.join(target.name()))?;
        manifests.insert(target, format!("# Found by `{replay}`.\n"));
    }
    let mut count = 0;
    for finding in report.findings.iter().chain(&report.decided) {
        for variant in &finding.variants {
            count += 1;
            let sample = &variant.sample;
            let name = name(finding, variant, count);
            fs::write(folder.join(sample.target.name()).join(format!("{name}.json")), &sample.doc)?;
            if let Some(manifest) = manifests.get_mut(&sample.target) {
                manifest.push_str(&entry(&name, finding, variant, replay));
            }
        }
    }
    for (target, manifest) in manifests {
        fs::write(folder.join(format!("{target}.toml")), manifest)?;
    }
    Ok(count)
}

/// Makes a folder that is empty, if it is not there.
///
/// # Errors
///
/// Where it is, and is not empty.
pub fn make_empty(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    match fs::read_dir(folder)?.next() {
        Some(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder is not empty")),
        None => Ok(()),
    }
}

/// Of lower-case letters, digits and hyphens, and of its own.
fn name(finding: &Finding, variant: &Variant, count: usize) -> String {
    let what = if variant.flaw.is_empty() { &finding.place } else { &variant.flaw };
    let words = format!("{} {what} got {} {count}", finding.rule, finding.got).to_ascii_lowercase();
    let parts = words.split(|character: char| !character.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn entry(name: &str, finding: &Finding, variant: &Variant, replay: &str) -> String {
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
        // Of a document that is valid everywhere nobody knows which rule was mistaken.
        cites.push(REPORTABLE[0]);
    }
    let text = |text: &str| toml::Value::from(text).to_string();
    let flaw = if variant.flaw.is_empty() { "a document that fuzzing made" } else { &variant.flaw };
    let mut entry = format!("\n[{name}]\nexpect = {}\n", text(&usual));
    if !others.is_empty() {
        let others = others.iter().map(|(revision, other)| format!("\"{revision}\" = {}", text(other)));
        writeln!(entry, "expect-in = {{ {} }}", others.collect::<Vec<_>>().join(", "))
            .expect("text takes text");
    }
    let misjudged =
        if finding.misjudged.is_empty() { "Unknown: say what goes wrong." } else { &finding.misjudged };
    let strength = finding.strength.unwrap_or(Strength::Schema).name();
    write!(
        entry,
        "cites = {cites:?}\nshows = {}\nmisjudged = {}\nsource = {}\nstrength = \"{strength}\"\n",
        text(&format!("{flaw}: got {} where {} was expected.", finding.got, variant.expected)),
        text(misjudged),
        text(&format!("fuzzing: {replay}, case {}", variant.case)),
    )
    .expect("text takes text");
    if let Some(request) = sample.request {
        writeln!(entry, "request = {}", text(request)).expect("text takes text");
    }
    entry
}

fn expected(case: &Case<'_>) -> String {
    let judgement = reference::judge(case);
    match judgement.faults.first() {
        Some(fault) => format!("reject {} {}", fault.rule, fault.at).trim_end().to_owned(),
        None if judgement.is_missing => "missing".to_owned(),
        None => "accept".to_owned(),
    }
}
