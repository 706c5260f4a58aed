//! A page that compares implementations, made of JSON reports of several checks and fuzzing runs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use mcp_roots_proptests::corpus::REPORTABLE;
use mcp_roots_proptests::{Case, Refusal};
use serde::Deserialize;

use crate::check::{self, Counts};
use crate::fuzz::{self, blamed, pattern};
use crate::report::counted;
use crate::report::text::excerpt;

/// Reports of several implementations.
///
/// ```
/// use mcp_roots_harness::matrix::Matrix;
/// let mut matrix = Matrix::default();
/// assert!(matrix.add("{}").is_err());
/// assert!(matrix.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Matrix {
    checks: Vec<Check>,
    fuzzed: Vec<Fuzzed>,
}

impl Matrix {
    /// Adds a report that `check` or `fuzz` has written with `--format json`.
    ///
    /// # Errors
    ///
    /// Why it is none, in a line.
    pub fn add(&mut self, report: &str) -> Result<(), String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let why = |error: serde_json::Error| error.to_string();
        let Head { format } = serde_json::from_str(report).map_err(why)?;
        match format.as_str() {
            check::FORMAT => self.checks.push(serde_json::from_str(report).map_err(why)?),
            fuzz::FORMAT => self.fuzzed.push(serde_json::from_str(report).map_err(why)?),
            _ => return Err(format!("a report of format {format:?}, and not of check or fuzz")),
        }
        Ok(())
    }

    /// Whether there is no report of a check.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.checks.is_empty()
    }

    /// Writes the page, in Markdown.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let faults: Vec<Faults> = self.checks.iter().map(Faults::of).collect();
        writeln!(to, "{HEAD}")?;
        self.measured(&faults, to)?;
        self.by_rule(to)?;
        for (check, faults) in self.checks.iter().zip(&faults) {
            self.implementation(check, faults, to)?;
        }
        Ok(())
    }

    fn measured(&self, faults: &[Faults], to: &mut dyn Write) -> io::Result<()> {
        writeln!(
            to,
            "## What was measured\n\n\
             | implementation | language | date | command | right | wrong | decided | failed | unsupported | seconds | faults |\n\
             | --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        )?;
        for (check, faults) in self.checks.iter().zip(faults) {
            let Counts { right, wrong, decided, unsupported, .. } = check.counts;
            let Adapter { language, date, command, .. } = &check.adapter;
            writeln!(
                to,
                "| {} | {language} | {date} | `mcp-roots check -- {command}` | {right} | {wrong} | {decided} | {} | \
                 {unsupported} | {:.1} | {} |",
                check.adapter.title(),
                check.counts.failed(),
                check.seconds,
                faults.wrong.len()
            )?;
        }
        writeln!(to)
    }

    fn by_rule(&self, to: &mut dyn Write) -> io::Result<()> {
        let titles: Vec<String> = self.checks.iter().map(|check| check.adapter.title()).collect();
        let rules = self.checks.iter().flat_map(|check| check.rules.keys());
        let mut rules: Vec<&str> = rules.map(String::as_str).chain(REPORTABLE).collect();
        rules.sort_by_key(|rule| (&rule[..1], rule[1..].parse().unwrap_or(0_u32)));
        rules.dedup();
        writeln!(to, "{BY_RULE}\n| rule | {} |", titles.join(" | "))?;
        writeln!(to, "| --- |{}", " ---: |".repeat(titles.len()))?;
        for rule in rules {
            let cells = self.checks.iter().map(|check| cell(check.rules.get(rule)));
            writeln!(to, "| {rule} | {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        writeln!(to)
    }

    fn implementation(&self, check: &Check, faults: &Faults, to: &mut dyn Write) -> io::Result<()> {
        let Adapter { command, .. } = &check.adapter;
        writeln!(to, "## {}: {} faults\n", check.adapter.title(), faults.wrong.len())?;
        if check.interrupted {
            writeln!(to, "{INTERRUPTED} {} were not asked.\n", counted(check.counts.not_asked, "verdict"))?;
        }
        for fault in &faults.wrong {
            fault.write(command, to)?;
        }
        if !faults.decided.is_empty() {
            writeln!(
                to,
                "### {}, where the protocol leaves it open\n\n\
                 | rule | place | expected | got | documents | smallest |\n| --- | --- | --- | --- | ---: | --- |",
                check.adapter.title()
            )?;
            for Fault { key, smallest, documents, .. } in &faults.decided {
                writeln!(
                    to,
                    "| {} | {} | {} | {} | {documents} | `{}` |",
                    key.rule,
                    code(&key.place),
                    key.expected,
                    key.got,
                    smallest.document
                )?;
            }
            writeln!(to)?;
        }
        self.fuzzed.iter().filter(|fuzzed| fuzzed.adapter == check.adapter).try_for_each(|fuzzed| {
            writeln!(to, "### {}, fuzzed\n", check.adapter.title())?;
            fuzzed.write(faults, to)
        })
    }
}

const HEAD: &str = "\
# Implementations, measured

Written by `mcp-roots matrix` from reports of `check` and `fuzz`.

Each implementation was measured as it stood, through an adapter that adds no check; where it is another
project's, as published. Each is held against one [rule book](RULES.md), which in places is stricter than the
protocol's schema; what the sources leave open stands apart, as decided. Many libraries leave such checks to
their users, and some say so: an entry says where the user of a library has to look, not that its authors meant
otherwise.

Documents are counted as wrong in the same way if they break the same rule in the same place and get the same
verdict. Each such fault is shown by its smallest document in the corpus, and the command that shows it again.
Bytes that are not UTF-8 are shown as U+FFFD. A document that makes an implementation crash or hang is described,
not shown.
";

const BY_RULE: &str = "\
## By rule

Wrong verdicts of those given, a case being a document in a revision; after a plus sign those that differ on what
the sources leave open. A dash: nothing that the implementation judges.
";

fn cell(counts: Option<&Counts>) -> String {
    let Counts { right, wrong, decided, .. } = counts.copied().unwrap_or_default();
    let wrong = wrong + counts.map_or(0, Counts::failed);
    match (right + wrong + decided, decided) {
        (0, _) => "-".to_owned(),
        (all, 0) => format!("{wrong} of {all}"),
        (all, decided) => format!("{wrong} +{decided} of {all}"),
    }
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// What is taken from a report of a check.
#[derive(Debug, Deserialize)]
struct Check {
    adapter: Adapter,
    counts: Counts,
    rules: BTreeMap<String, Counts>,
    failures: Vec<Difference>,
    known: Vec<Difference>,
    decided: Vec<Difference>,
    seconds: f64,
    #[serde(default)]
    interrupted: bool,
}

#[derive(Debug, Deserialize)]
struct Adapter {
    name: String,
    version: String,
    language: String,
    command: String,
    date: String,
}

impl Adapter {
    fn title(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().replace('|', r"\|")
    }
}

impl PartialEq for Adapter {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.version, &self.command) == (&other.name, &other.version, &other.command)
    }
}

#[derive(Debug, Clone, Deserialize)]
struct Difference {
    document: String,
    revisions: Vec<String>,
    rule: String,
    expected: String,
    got: Got,
    strength: String,
    shows: String,
    misjudged: String,
    doc: String,
    request: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
enum Got {
    Verdict { verdict: String },
    Place,
    Roots,
    Failure { kind: String },
}

impl Got {
    fn name(&self) -> &str {
        match self {
            Self::Verdict { verdict } => verdict,
            Self::Place => "another place",
            Self::Roots => "accept, with other roots",
            Self::Failure { kind } => kind,
        }
    }
}

/// What faults are told apart by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    rule: String,
    place: String,
    expected: String,
    got: String,
}

impl Key {
    fn of(difference: &Difference) -> Self {
        let mut words = difference.expected.split(' ');
        let (word, rule, place) = (words.next(), words.next(), words.next());
        let (rule, place) = match rule {
            Some(rule) => {
                let refusal = Refusal { rule: rule.to_owned(), at: place.unwrap_or_default().to_owned() };
                match difference.case() {
                    Some(case) => blamed(&case, &refusal),
                    None => (refusal.rule, pattern(&refusal.at)),
                }
            }
            None => (difference.rule.clone(), String::new()),
        };
        let got = difference.got.name().to_owned();
        Self { rule, place, expected: word.unwrap_or_default().to_owned(), got }
    }
}

impl Difference {
    fn case(&self) -> Option<Case<'_>> {
        let (target, _) = self.document.split_once('/')?;
        let revision = self.revisions.first()?.parse().ok()?;
        let request = self.request.as_deref().map(str::as_bytes);
        Some(Case { revision, request, ..Case::new(target.parse().ok()?, self.doc.as_bytes()) })
    }
}

/// Documents that are judged wrong in the same way.
#[derive(Debug)]
struct Fault {
    key: Key,
    smallest: Difference,
    documents: usize,
}

impl Fault {
    fn write(&self, command: &str, to: &mut dyn Write) -> io::Result<()> {
        let Self { key: Key { rule, place, expected, got }, smallest, documents } = self;
        let Difference { document, revisions, strength, misjudged, doc, shows, .. } = smallest;
        let place = if place.is_empty() { String::new() } else { format!(" at `{place}`") };
        let many = if *documents == 1 { "one document".to_owned() } else { format!("{documents} documents") };
        writeln!(to, "- **{rule}**{place}: {expected} expected ({strength}), got {got}; {many}\n")?;
        if matches!(got.as_str(), "crash" | "hang") {
            return writeln!(to, "  A document of {} bytes, not shown: {shows}\n", doc.len());
        }
        writeln!(to, "      {}", excerpt(doc))?;
        if let Some(request) = &smallest.request {
            writeln!(to, "      request: {}", excerpt(request))?;
        }
        writeln!(
            to,
            "\n  {}: `mcp-roots check --document {document} -- {command}`\n\n  {misjudged}\n",
            revisions.join(", ")
        )
    }
}

/// The faults of an implementation, by their smallest documents.
#[derive(Debug)]
struct Faults {
    wrong: Vec<Fault>,
    decided: Vec<Fault>,
}

impl Faults {
    fn of(check: &Check) -> Self {
        let wrong = grouped(check.failures.iter().chain(&check.known));
        let mut decided = grouped(check.decided.iter());
        decided.retain(|fault| wrong.iter().all(|other| other.key != fault.key));
        Self { wrong, decided }
    }

    /// Whether one of them is what fuzzing found. Of a valid document that is refused, fuzzing does not know the
    /// rule that was mistaken.
    fn covers(&self, finding: &Finding) -> bool {
        self.wrong.iter().chain(&self.decided).any(|Fault { key, .. }| {
            let is_alike = key.expected == finding.expected && key.got == finding.got_name();
            is_alike
                && (finding.rule.is_empty() || (&key.rule, &key.place) == (&finding.rule, &finding.place))
        })
    }
}

fn grouped<'d>(differences: impl Iterator<Item = &'d Difference>) -> Vec<Fault> {
    let mut groups: BTreeMap<Key, Vec<&Difference>> = BTreeMap::new();
    for difference in differences {
        groups.entry(Key::of(difference)).or_default().push(difference);
    }
    let fault = |(key, group): (Key, Vec<&Difference>)| {
        let smallest = group.iter().min_by_key(|difference| (difference.doc.len(), &difference.document))?;
        Some(Fault { key, smallest: (*smallest).clone(), documents: group.len() })
    };
    let mut faults: Vec<Fault> = groups.into_iter().filter_map(fault).collect();
    faults.sort_by_key(|fault| fault.smallest.doc.len());
    faults
}

/// What is taken from a report of fuzzing.
#[derive(Debug, Deserialize)]
struct Fuzzed {
    adapter: Adapter,
    seed: u64,
    #[serde(default = "one")]
    first: u64,
    cases: u64,
    unsupported: u64,
    findings: Vec<Finding>,
    decided: Vec<Finding>,
    seconds: f64,
    shares: BTreeMap<String, f64>,
    #[serde(default)]
    interrupted: bool,
}

const fn one() -> u64 {
    1
}

const INTERRUPTED: &str = "The run was interrupted: there may be more.";

#[derive(Debug, Deserialize)]
struct Finding {
    rule: String,
    place: String,
    expected: String,
    got: String,
    variants: Vec<Variant>,
}

impl Finding {
    /// As in a check.
    fn got_name(&self) -> &str {
        match self.got.as_str() {
            "other-roots" => Got::Roots.name(),
            "other-place" => Got::Place.name(),
            got => got,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Variant {
    doc: String,
    revision: String,
    case: u64,
}

impl Fuzzed {
    fn write(&self, faults: &Faults, to: &mut dyn Write) -> io::Result<()> {
        let Self { adapter: Adapter { command, .. }, seed, cases, unsupported, seconds, shares, .. } = self;
        let all = shares.values().sum::<f64>().max(f64::MIN_POSITIVE);
        let share = |name| shares.get(name).copied().unwrap_or_default() * 100.0 / all;
        let findings = self.findings.iter().chain(&self.decided);
        let more: Vec<&Finding> = findings.filter(|finding| !faults.covers(finding)).collect();
        let which = match self.first {
            1 => format!("--cases {}", cases + unsupported),
            first => format!("--case {first}"),
        };
        writeln!(to, "`mcp-roots fuzz --seed {seed} {which} -- {command}`\n")?;
        if self.interrupted {
            writeln!(to, "{INTERRUPTED}\n")?;
        }
        writeln!(
            to,
            "{} judged in {seconds:.1} seconds: {:.0} % asking, {:.0} % making documents small, {:.0} % waiting \
             for documents. {} and {} where the protocol leaves it open, {} of them not among the above.\n",
            counted(*cases, "case"),
            share("asking"),
            share("shrinking"),
            share("drawing"),
            counted(self.findings.len(), "finding"),
            self.decided.len(),
            more.len()
        )?;
        for finding in more {
            let Finding { rule, place, expected, variants, .. } = finding;
            let place = if place.is_empty() { String::new() } else { format!(" at `{place}`") };
            let rule = if rule.is_empty() { "valid" } else { rule };
            writeln!(to, "- **{rule}**{place}: {expected} expected, got {}\n", finding.got_name())?;
            let Some(Variant { doc, revision, case }) = variants.first() else { continue };
            if matches!(finding.got.as_str(), "crash" | "hang") {
                writeln!(to, "  A document of {} bytes, not shown.\n", doc.len())?;
            } else {
                writeln!(to, "      {}\n", excerpt(doc))?;
                writeln!(to, "  {revision}: `mcp-roots fuzz --seed {seed} --case {case} -- {command}`\n")?;
            }
        }
        Ok(())
    }
}
