//! From what a fuzzer found to a case of the corpus: the document, how it fails, the simplest one that
//! fails in the same way, and its entry in the manifest.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use arbitrary::Unstructured;
use mcp_roots::Revision;

use crate::corpus::{Entry, REPORTABLE, Strength};
use crate::detect::quietly;
use crate::{Case, Door, Expected, Sample, Target, Validator, Verdict, laws, minimise, reference};

/// What the bytes are that a fuzz target is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The document itself.
    Document(Target),
    /// The description of a document: [`Sample::arbitrary`].
    Model(Target),
}

impl FromStr for Input {
    type Err = String;

    /// By the names of the fuzz targets: `response` for documents, `response_model` for their models.
    ///
    /// ```
    /// use mcp_roots_proptests::{Target, finding::Input};
    /// assert_eq!("request".parse(), Ok(Input::Document(Target::Request)));
    /// assert_eq!("response_model".parse(), Ok(Input::Model(Target::Response)));
    /// assert!("planted".parse::<Input>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        match name.strip_suffix("_model") {
            Some(target) => target.parse().map(Self::Model),
            None => name.parse().map(Self::Document),
        }
    }
}

impl Input {
    /// The document that the bytes are or describe; `None` where they describe none, of which the fuzz
    /// target made nothing either.
    ///
    /// ```
    /// use mcp_roots_proptests::{Target, finding::Input};
    /// assert_eq!(Input::Document(Target::Response).sample(b"[]").unwrap().doc, b"[]");
    /// let described = Input::Model(Target::Response).sample(&[0; 64]).unwrap();
    /// assert!(described.expected.is_some());
    /// ```
    #[must_use]
    pub fn sample(self, bytes: &[u8]) -> Option<Sample> {
        match self {
            Self::Document(target) => Some(Sample {
                target,
                revision: Revision::default(),
                doc: bytes.to_vec(),
                request: None,
                flaw: None,
                expected: None,
            }),
            Self::Model(target) => Sample::arbitrary(target, &mut Unstructured::new(bytes)).ok(),
        }
    }
}

/// How a validator fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// By the rules of which revision.
    pub revision: Revision,
    /// The name of the law that it breaks.
    pub law: &'static str,
    /// The verdict of the reference.
    pub expected: Expected,
    /// The verdict of the validator on the document as bytes, as [`Verdict::summary`] has it; the right
    /// one, where the law is about something else.
    pub got: String,
    /// What the law says.
    pub message: String,
}

impl Failure {
    /// The first law that a validator breaks in a case, by the rules of the case's revision.
    ///
    /// ```
    /// use mcp_roots_proptests::finding::Failure;
    /// use mcp_roots_proptests::{Case, Core, Planted, Target};
    /// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"file:///","name":null}]}"#);
    /// assert_eq!(Failure::of(&Core, &case), None);
    /// let failure = Failure::of(Planted::named("a null name passes").unwrap(), &case).unwrap();
    /// assert_eq!((failure.law, &*failure.got), ("agrees_with_the_reference", "accept"));
    /// ```
    #[must_use]
    pub fn of(validator: &dyn Validator, case: &Case<'_>) -> Option<Self> {
        laws::LAWS.iter().find_map(|law| Self::of_law(validator, case, law))
    }

    fn of_law(validator: &dyn Validator, case: &Case<'_>, law: &laws::Law) -> Option<Self> {
        let message = quietly(|| {
            (law.check)(validator, case);
        })
        .err()?;
        let (revision, law) = (case.revision, law.name);
        Some(Self { revision, law, expected: by_reference(case), got: ask(validator, case), message })
    }

    /// Whether the same validator fails another document in the same way: by the same law, where the
    /// reference and the validator report the same rules, at whatever places.
    fn is_also_of(&self, validator: &dyn Validator, case: &Case<'_>) -> bool {
        let Some(law) = laws::LAWS.iter().find(|law| law.name == self.law) else { return false };
        let is_as_expected = rule(&by_reference(case).to_string()) == rule(&self.expected.to_string());
        is_as_expected
            && rule(&ask(validator, case)) == rule(&self.got)
            && Self::of_law(validator, case, law).is_some()
    }

    /// The simplest document that is found for which a validator fails in the same way, by [`minimise`].
    /// The case is the one that [`Failure::of`] was given.
    ///
    /// ```
    /// use mcp_roots_proptests::finding::Failure;
    /// use mcp_roots_proptests::{Case, Planted, Target};
    /// let planted = Planted::named("a null name passes").unwrap();
    /// let doc = br#"{"_meta":{}, "roots":[{"uri":"file:///home/me","name":null},{"uri":"file:///"}]}"#;
    /// let case = Case::new(Target::Response, doc);
    /// let failure = Failure::of(planted, &case).unwrap();
    /// assert_eq!(failure.minimise(planted, &case), br#"{"roots":[{"uri":"file://","name":null}]}"#);
    /// ```
    #[must_use]
    pub fn minimise(&self, validator: &dyn Validator, case: &Case<'_>) -> Vec<u8> {
        minimise(case.doc, &mut |doc| self.is_also_of(validator, &case.with_doc(doc)))
    }
}

/// The verdict of the reference.
///
/// ```
/// use mcp_roots_proptests::{Case, Target, finding};
/// let expected = finding::by_reference(&Case::new(Target::Response, b"[]"));
/// assert_eq!(expected.to_string(), "reject R1");
/// ```
#[must_use]
pub fn by_reference(case: &Case<'_>) -> Expected {
    let judgement = reference::judge(case);
    match judgement.faults.into_iter().next() {
        Some(fault) => Expected::Reject { rule: fault.rule.to_owned(), at: fault.at },
        None if judgement.is_missing => Expected::Missing,
        None => Expected::Accept,
    }
}

/// The verdict of a validator on the document as bytes, or that it has none, in words.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target, finding};
/// assert_eq!(finding::ask(&Core, &Case::new(Target::Response, b"[]")), "reject R1");
/// ```
#[must_use]
pub fn ask(validator: &dyn Validator, case: &Case<'_>) -> String {
    let mut verdict = None;
    match quietly(|| verdict = validator.judge(case, Door::Bytes)) {
        Ok(()) => verdict.as_ref().map_or_else(|| "no verdict".to_owned(), Verdict::summary),
        Err(_) => "a panic".to_owned(),
    }
}

/// A verdict's rule, or the verdict where it has none.
fn rule(summary: &str) -> &str {
    summary.strip_prefix("reject ").map_or(summary, |rest| rest.split(' ').next().unwrap_or(rest))
}

/// A case of the corpus that is about to be written.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What the document is judged as.
    pub target: Target,
    /// Its name, unique within the target.
    pub name: String,
    /// The document.
    pub doc: Vec<u8>,
    /// The request that it is judged with, if it is not the bare one.
    pub request: Option<String>,
    /// The verdict of each revision, the earliest first.
    pub verdicts: Vec<(Revision, Expected)>,
    /// The rules that the document bears on.
    pub cites: Vec<String>,
    /// What the document shows. Nobody but a person knows; empty, the corpus test says so.
    pub shows: String,
    /// What goes wrong where it is judged otherwise; likewise.
    pub misjudged: String,
    /// Where it comes from.
    pub source: String,
    /// How firm the expectation is.
    pub strength: Strength,
}

impl Draft {
    /// A case whose verdicts are those of the reference, which are right unless the reference is what
    /// the finding is about. It cites the rules of the verdicts and the rule that the validator reported.
    /// Its strength is that of most cases of the corpus that cite the same rule first.
    ///
    /// ```
    /// use mcp_roots_proptests::finding::{Draft, Failure};
    /// use mcp_roots_proptests::{Case, Planted, Target, corpus};
    /// let planted = Planted::named("a null name passes").unwrap();
    /// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"file:///","name":null}]}"#);
    /// let failure = Failure::of(planted, &case).unwrap();
    /// let draft = Draft::new("null", &case, &failure, &corpus::load()?);
    /// assert!(draft.entry().contains("\nexpect = \"reject R3 /roots/0/name\"\ncites = [\"R3\"]\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(name: &str, case: &Case<'_>, failure: &Failure, corpus: &[Entry]) -> Self {
        let verdicts: Vec<_> =
            case.in_every_revision().map(|case| (case.revision, by_reference(&case))).collect();
        let latest_first = verdicts.iter().rev().map(|(_, expected)| expected.to_string());
        let mut cites: Vec<String> = Vec::new();
        for summary in latest_first.chain([failure.got.clone()]) {
            let rule = rule(&summary);
            if REPORTABLE.contains(&rule) && !cites.iter().any(|cited| cited == rule) {
                cites.push(rule.to_owned());
            }
        }
        let strength_like = |strength| {
            let is_like = |entry: &&Entry| {
                entry.about.strength == strength && entry.about.cites.first() == cites.first()
            };
            corpus.iter().filter(is_like).count()
        };
        let strength = Strength::ALL.into_iter().max_by_key(|strength| strength_like(*strength));
        Self {
            target: case.target,
            name: name.to_owned(),
            doc: case.doc.to_vec(),
            request: case.request.map(|request| String::from_utf8_lossy(request).into_owned()),
            verdicts,
            cites,
            shows: String::new(),
            misjudged: String::new(),
            source: "fuzzing: ".to_owned(),
            strength: strength.unwrap_or(Strength::Decided),
        }
    }

    /// Its table in the manifest.
    #[must_use]
    pub fn entry(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let mut lines = vec![format!("[{}]", self.name)];
        if let Some(((_, expected), earlier)) = self.verdicts.split_last() {
            lines.push(format!("expect = {}", quoted(&expected.to_string())));
            let others = earlier.iter().filter(|(_, other)| other != expected);
            let others =
                others.map(|(revision, other)| format!("\"{revision}\" = {}", quoted(&other.to_string())));
            let others: Vec<String> = others.collect();
            if !others.is_empty() {
                lines.push(format!("expect-in = {{ {} }}", others.join(", ")));
            }
        }
        let cites: Vec<String> = self.cites.iter().map(|rule| quoted(rule)).collect();
        lines.push(format!("cites = [{}]", cites.join(", ")));
        lines.push(format!("shows = {}", quoted(&self.shows)));
        lines.push(format!("misjudged = {}", quoted(&self.misjudged)));
        lines.push(format!("source = {}", quoted(&self.source)));
        lines.push(format!("strength = {}", quoted(self.strength.name())));
        lines.extend(self.request.iter().map(|request| format!("request = {}", quoted(request))));
        lines.join("\n") + "\n"
    }

    /// Writes the document into a corpus and appends the entry to its manifest. Gives the document's path.
    ///
    /// # Errors
    ///
    /// Where the name is not made as the corpus wants it or is taken, and where a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let is_of_name = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if self.name.is_empty() || !self.name.bytes().all(is_of_name) {
            let complaint = "a name is made of lower-case letters, digits and hyphens";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, complaint));
        }
        let mut manifest =
            OpenOptions::new().append(true).open(folder.join(format!("{}.toml", self.target)))?;
        let path = folder.join(self.target.name()).join(format!("{}.json", self.name));
        // Fails where there is such a document: each has one entry, and each entry one document.
        OpenOptions::new().write(true).create_new(true).open(&path)?;
        fs::write(&path, &self.doc)?;
        manifest.write_all(format!("\n{}", self.entry()).as_bytes())?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PLANTED, corpus, detect};

    #[test]
    fn a_minimised_document_fails_in_the_same_way_and_is_no_longer() {
        let corpus = corpus::load().unwrap();
        let (mut failed, mut shorter) = (0, 0);
        // Of all planted faults, for the time that it takes.
        for planted in PLANTED.iter().step_by(4) {
            let entry = detect::by_corpus(planted, &corpus).unwrap();
            let found = entry.cases().find_map(|case| Some((case, Failure::of(planted, &case)?)));
            let (case, failure) = found.unwrap_or_else(|| panic!("{}: replay alone fails", planted.name));
            let small = failure.minimise(planted, &case);
            assert!(small.len() <= case.doc.len(), "{}: {case:?}", planted.name);
            assert!(failure.is_also_of(planted, &case.with_doc(&small)), "{}: {case:?}", planted.name);
            assert_eq!(small, failure.minimise(planted, &case), "{}: the same each time", planted.name);
            failed += 1;
            shorter += usize::from(small.len() < case.doc.len());
        }
        assert!(failed > 40 && shorter > 30, "{shorter} of {failed}");
    }

    #[test]
    fn an_entry_says_what_each_revision_expects() {
        let case = Case::new(Target::Request, br#"{"method":"roots/list"}"#);
        let failure = Failure {
            revision: case.revision,
            law: "agrees_with_the_reference",
            expected: Expected::Accept,
            got: "reject Q2".to_owned(),
            message: String::new(),
        };
        let draft = Draft::new("bare", &case, &failure, &corpus::load().unwrap());
        let expected = r#"[bare]
expect = "accept"
expect-in = { "2024-11-05" = "reject Q5", "2025-03-26" = "reject Q5", "2025-06-18" = "reject Q5", "2025-11-25" = "reject Q5" }
cites = ["Q5", "Q2"]
shows = ""
misjudged = ""
source = "fuzzing: "
strength = "decided"
"#;
        assert_eq!(draft.entry(), expected);
    }
}
