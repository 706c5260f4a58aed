//! The corpus, held against an adapter.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::Instant;

use mcp_roots::Revision;
use mcp_roots_proptests::corpus::{Entry, Strength};
use mcp_roots_proptests::{Case, Door, Expected, Planted, Target, Validator, Verdict};
use serde::{Deserialize, Serialize, Serializer};

use crate::adapter::{Adapter, Failure, FailureKind, Launch, Outcome, StartError};
use crate::known::Known;
use crate::protocol::{Answer, Hello, Root, Said};

/// Which documents are checked.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these targets; all if there are none.
    pub targets: Vec<Target>,
    /// Only in these revisions; all if there are none.
    pub revisions: Vec<Revision>,
    /// Only documents that cite one of these rules; all if there are none.
    pub rules: Vec<String>,
    /// Only expectations of these strengths; all if there are none.
    pub strengths: Vec<Strength>,
    /// Only these documents, as `TARGET/NAME`; all if there are none.
    pub documents: Vec<String>,
}

impl Selection {
    fn takes(&self, entry: &Entry) -> bool {
        let about = &entry.about;
        is_one_of(&entry.target, &self.targets)
            && (self.rules.is_empty() || about.cites.iter().any(|rule| self.rules.contains(rule)))
            && is_one_of(&name_of(entry), &self.documents)
    }

    /// Whether a case of a document is among them.
    fn asks(&self, entry: &Entry, case: &Case<'_>) -> bool {
        self.takes(entry)
            && is_one_of(&case.revision, &self.revisions)
            && is_one_of(&strength(entry, entry.expected(case.revision)), &self.strengths)
    }
}

fn is_one_of<T: PartialEq>(item: &T, selected: &[T]) -> bool {
    selected.is_empty() || selected.contains(item)
}

/// A document's name, as `TARGET/NAME`.
#[must_use]
pub fn name_of(entry: &Entry) -> String {
    format!("{}/{}", entry.target, entry.name)
}

/// How the corpus is held against an adapter.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which documents.
    pub selection: Selection,
    /// By so many processes of the adapter at a time; at least one.
    pub jobs: usize,
    /// Whether rule and place are compared too, where the adapter gives them.
    pub exact: bool,
    /// Whether differences about what the sources leave open are failures.
    pub fail_decided: bool,
    /// The differences that are known.
    pub known: Option<Known>,
}

/// What came of a check.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Name and version of this format.
    pub format: &'static str,
    /// The adapter.
    pub adapter: AdapterInfo,
    /// Verdicts in all.
    pub counts: Counts,
    /// Verdicts by rule.
    pub rules: BTreeMap<String, Counts>,
    /// Where the adapter is wrong.
    pub failures: Vec<Difference>,
    /// Where it differs on what the sources leave open; no failures, unless asked for.
    pub decided: Vec<Difference>,
    /// Where it is wrong, as is known.
    pub known: Vec<Difference>,
    /// Known differences that are none any more.
    pub gone: Vec<String>,
    /// Those of them whose document the corpus does not have, with the name most like theirs.
    pub unknown: Vec<String>,
    /// What is not supported, by the adapter's reason: how many cases.
    pub unsupported: BTreeMap<String, usize>,
    /// Whether the adapter failed so often that it was not asked any more.
    pub gave_up: bool,
    /// Whether a signal ended the run: it may have missed what the rest would have shown.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
    /// The documents that were asked for, in every revision in which the adapter judges them.
    #[serde(skip)]
    pub whole: BTreeSet<String>,
}

/// The format's name.
pub const FORMAT: &str = "mcp-roots-check/1";

impl Report {
    /// Whether anything was judged.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Counts { right, wrong, decided, .. } = self.counts;
        right + wrong + decided + self.counts.failed() == 0
    }

    /// Whether nothing is wrong that is not known.
    #[must_use]
    pub const fn is_green(&self) -> bool {
        self.failures.is_empty() && self.gone.is_empty() && !self.gave_up && !self.interrupted
    }
}

/// What an adapter says of itself, in reports.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AdapterInfo {
    /// The implementation's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its language.
    pub language: String,
    /// The targets that it supports.
    pub targets: Vec<&'static str>,
    /// The revisions that it supports.
    pub revisions: Vec<String>,
    /// The command that runs it, as a shell takes it.
    pub command: String,
    /// The day on which it was asked (UTC), as `2026-07-28`.
    pub date: String,
}

impl AdapterInfo {
    pub(crate) fn new(hello: &Hello, launch: &Launch) -> Self {
        Self {
            command: launch.to_string(),
            date: chrono::Utc::now().date_naive().to_string(),
            name: hello.name.clone(),
            version: hello.version.clone(),
            language: hello.language.clone(),
            targets: hello.targets.iter().map(|target| target.name()).collect(),
            revisions: hello.revisions.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Verdicts counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// As expected.
    pub right: usize,
    /// Not as expected.
    pub wrong: usize,
    /// Not as expected, where the sources leave it open.
    pub decided: usize,
    /// The adapter ended.
    pub crash: usize,
    /// The time limit passed.
    pub hang: usize,
    /// The adapter offended against the protocol.
    pub protocol: usize,
    /// The adapter has no judgement.
    pub unsupported: usize,
    /// It was not asked any more.
    pub not_asked: usize,
}

impl Counts {
    /// The names of the figures, in order.
    pub const NAMES: [&str; 8] =
        ["right", "wrong", "decided", "crash", "hang", "protocol", "unsupported", "not asked"];

    /// The figures, in that order.
    #[must_use]
    pub const fn figures(&self) -> [usize; 8] {
        [
            self.right,
            self.wrong,
            self.decided,
            self.crash,
            self.hang,
            self.protocol,
            self.unsupported,
            self.not_asked,
        ]
    }

    pub(crate) const fn failed(&self) -> usize {
        self.crash + self.hang + self.protocol
    }

    fn count(&mut self, grade: &Grade, strength: Strength) {
        *match grade {
            Grade::Right => &mut self.right,
            Grade::Wrong(Got::Failure { kind: FailureKind::Crash, .. }) => &mut self.crash,
            Grade::Wrong(Got::Failure { kind: FailureKind::Hang, .. }) => &mut self.hang,
            Grade::Wrong(Got::Failure { .. }) => &mut self.protocol,
            Grade::Wrong(_) if strength == Strength::Decided => &mut self.decided,
            Grade::Wrong(_) => &mut self.wrong,
            Grade::Unsupported(_) => &mut self.unsupported,
            Grade::NotAsked => &mut self.not_asked,
        } += 1;
    }
}

/// A document that an adapter gets wrong, in one way.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The document, as `TARGET/NAME`.
    pub document: String,
    /// The revisions in which it is judged so.
    #[serde(serialize_with = "names")]
    pub revisions: Vec<Revision>,
    /// The rule that it is about.
    pub rule: String,
    /// The verdict expected, as manifests spell it.
    pub expected: String,
    /// What the adapter did instead.
    pub got: Got,
    /// How firm the expectation is.
    pub strength: Strength,
    /// What the document shows.
    pub shows: String,
    /// What goes wrong where it is misjudged.
    pub misjudged: String,
    /// Where it comes from.
    pub source: String,
    /// Its text; bytes that are not UTF-8 replaced.
    pub doc: String,
    /// The request it is judged with, if not the bare one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

fn names<S: Serializer>(revisions: &[Revision], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(revisions.iter().map(ToString::to_string))
}

/// What an adapter did that it should not have.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Got {
    /// It gave another verdict.
    Verdict {
        /// The verdict.
        verdict: Said,
        /// Its words for it.
        #[serde(skip_serializing_if = "String::is_empty")]
        detail: String,
    },
    /// It named another rule or place.
    Place {
        /// Rule and place.
        place: String,
    },
    /// It read other roots than the document's.
    Roots {
        /// The roots it read.
        roots: Vec<Root>,
    },
    /// It did not answer.
    Failure {
        /// In which way.
        kind: FailureKind,
        /// What happened.
        detail: String,
        /// The end of its standard error.
        #[serde(skip_serializing_if = "String::is_empty")]
        stderr: String,
    },
}

impl Got {
    /// In a word or two: what files of known differences say.
    ///
    /// ```
    /// use mcp_roots_harness::check::Got;
    /// use mcp_roots_harness::protocol::Said;
    /// assert_eq!(Got::Verdict { verdict: Said::Accept, detail: String::new() }.name(), "accept");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Verdict { verdict, .. } => verdict.name(),
            Self::Place { .. } => "other-place",
            Self::Roots { .. } => "other-roots",
            Self::Failure { kind, .. } => kind.name(),
        }
    }
}

/// How an outcome compares with a verdict.
#[derive(Debug, Clone, PartialEq)]
pub enum Grade {
    /// As it should be.
    Right,
    /// Not so.
    Wrong(Got),
    /// The adapter has no judgement, for this reason.
    Unsupported(String),
    /// It was not asked.
    NotAsked,
}

/// Compares what an adapter did with the right verdict; rule and place too, where it gives them and
/// they are asked for, and the roots read, where it gives them.
#[must_use]
pub fn grade(right: &Verdict, outcome: &Outcome, exact: bool) -> Grade {
    let answer = match outcome {
        Outcome::Answer(answer) => answer,
        Outcome::Failure(Failure { kind, what, stderr }) => {
            return Grade::Wrong(Got::Failure { kind: *kind, detail: what.clone(), stderr: stderr.clone() });
        }
        Outcome::NotAsked => return Grade::NotAsked,
    };
    match (right, answer.verdict) {
        (_, Said::Unsupported) => Grade::Unsupported(answer.reason.clone()),
        (Verdict::Accept(accepted), Said::Accept) => match &answer.roots {
            Some(roots)
                if !roots
                    .iter()
                    .map(|root| (&root.uri, &root.name))
                    .eq(accepted.roots.iter().map(|(uri, name)| (uri, name))) =>
            {
                Grade::Wrong(Got::Roots { roots: roots.clone() })
            }
            _ => Grade::Right,
        },
        (Verdict::Missing, Said::Missing) => Grade::Right,
        (Verdict::Reject(refusal), Said::Reject) => {
            let Answer { rule, at, .. } = answer;
            let is_other =
                |said: &Option<String>, right: &String| said.as_ref().is_some_and(|said| said != right);
            if exact && (is_other(rule, &refusal.rule) || is_other(at, &refusal.at)) {
                let part = |part: &Option<String>| part.clone().unwrap_or_default();
                Grade::Wrong(Got::Place { place: format!("{} {}", part(rule), part(at)).trim().to_owned() })
            } else {
                Grade::Right
            }
        }
        (_, verdict) => Grade::Wrong(Got::Verdict { verdict, detail: answer.detail.clone() }),
    }
}

/// How firm an expectation of the corpus is. Q3 refuses what the schema is open to: as the rule says, a difference
/// from it that is known, however firm the sources are about the same document in another revision.
pub(crate) fn strength(entry: &Entry, expected: &Expected) -> Strength {
    match expected {
        Expected::Reject { rule, .. } if rule == "Q3" => Strength::Decided,
        _ => entry.about.strength,
    }
}

/// A document in a revision, and the verdict that it must get.
struct Question<'c> {
    entry: &'c Entry,
    case: Case<'c>,
    expected: &'c Expected,
}

impl<'c> Question<'c> {
    fn all(corpus: &'c [Entry], selection: &Selection) -> Vec<Self> {
        let questions = corpus.iter().flat_map(|entry| {
            let cases = entry.cases().filter(|case| selection.asks(entry, case));
            cases.map(move |case| Self { entry, case, expected: entry.expected(case.revision) })
        });
        questions.collect()
    }

    fn rule(&self) -> &'c str {
        match self.expected {
            Expected::Reject { rule, .. } => rule,
            _ => self.entry.about.cites.first().map_or("", |rule| rule),
        }
    }

    fn strength(&self) -> Strength {
        strength(self.entry, self.expected)
    }

    /// The verdict expected, with the roots that the reference reads.
    fn right(&self) -> Verdict {
        match self.expected {
            Expected::Reject { rule, at } => {
                Verdict::Reject(mcp_roots_proptests::Refusal { rule: rule.clone(), at: at.clone() })
            }
            Expected::Missing => Verdict::Missing,
            Expected::Accept => match Planted::NONE.judge(&self.case, Door::Bytes) {
                Some(Verdict::Accept(accepted)) => Verdict::Accept(accepted),
                _ => Verdict::Accept(mcp_roots_proptests::Accepted::default()),
            },
        }
    }

    fn difference(&self, got: Got) -> Difference {
        let about = &self.entry.about;
        Difference {
            document: name_of(self.entry),
            revisions: vec![self.case.revision],
            rule: self.rule().to_owned(),
            expected: self.expected.to_string(),
            got,
            strength: self.strength(),
            shows: about.shows.clone(),
            misjudged: about.misjudged.clone(),
            source: about.source.clone(),
            doc: String::from_utf8_lossy(&self.entry.doc).into_owned(),
            request: about.request.clone(),
        }
    }
}

/// Holds a corpus against an adapter.
///
/// # Errors
///
/// Where the adapter cannot be started.
///
/// # Panics
///
/// Never: the threads that ask do not panic.
pub fn run(corpus: &[Entry], launch: &Launch, options: &Options) -> Result<Report, StartError> {
    let start = Instant::now();
    let mut adapter = Adapter::start(launch.clone())?;
    let hello = adapter.hello().clone();
    let questions = Question::all(corpus, &options.selection);
    let (asked, left): (Vec<_>, Vec<_>) =
        questions.iter().partition(|question: &&Question<'_>| hello.supports(&question.case));
    let cases: Vec<Case<'_>> = asked.iter().map(|question| question.case).collect();
    let share = cases.len().div_ceil(options.jobs.max(1)).max(1);
    let mut shares = cases.chunks(share);
    let first = shares.next().unwrap_or_default();
    let (outcomes, gave_up) = thread::scope(|scope| {
        let others: Vec<_> = shares
            .map(|share| scope.spawn(move || Ok(ask(&mut Adapter::start(launch.clone())?, share))))
            .collect();
        let (mut outcomes, mut gave_up) = ask(&mut adapter, first);
        for other in others {
            let (more, gave_up_too) = other.join().expect("it does not panic")?;
            outcomes.extend(more);
            gave_up |= gave_up_too;
        }
        Ok((outcomes, gave_up))
    })?;
    let mut found = Found::default();
    let mut whole: BTreeSet<String> = corpus
        .iter()
        .filter(|entry| {
            let mut cases = entry.cases().filter(|case| hello.supports(case)).peekable();
            cases.peek().is_some() && cases.all(|case| options.selection.asks(entry, &case))
        })
        .map(name_of)
        .collect();
    for (question, outcome) in asked.iter().zip(outcomes) {
        if outcome == Outcome::NotAsked {
            whole.remove(&name_of(question.entry));
        }
        found.add(question, grade(&question.right(), &outcome, options.exact));
    }
    for question in left {
        found.add(question, Grade::Unsupported("not among the adapter's targets and revisions".to_owned()));
    }
    let (mut failures, mut decided) = (Vec::new(), Vec::new());
    let (mut known, mut gone) = (Vec::new(), Vec::new());
    let all: BTreeSet<String> = corpus.iter().map(name_of).collect();
    let mut list = options.known.clone().unwrap_or_default();
    for difference in found.differences {
        if list.takes(&difference) {
            known.push(difference);
        } else if is_decided(&difference) && !options.fail_decided {
            decided.push(difference);
        } else {
            failures.push(difference);
        }
    }
    let unknown = list.unknown(&all);
    // A document that was not asked for everywhere may still have the difference; one that is no more has none.
    gone.extend(list.not_taken(|name| whole.contains(name) || !all.contains(name)));
    Ok(Report {
        format: FORMAT,
        adapter: AdapterInfo::new(&hello, launch),
        counts: found.counts,
        rules: found.rules,
        failures,
        decided,
        known,
        gone,
        unknown,
        unsupported: found.unsupported,
        gave_up,
        interrupted: launch.interrupt.is_set(),
        seconds: start.elapsed().as_secs_f64(),
        whole,
    })
}

/// A crash is never a matter of opinion.
fn is_decided(difference: &Difference) -> bool {
    difference.strength == Strength::Decided && !matches!(difference.got, Got::Failure { .. })
}

fn ask(adapter: &mut Adapter, cases: &[Case<'_>]) -> (Vec<Outcome>, bool) {
    let mut outcomes = adapter.ask(cases);
    if let (Some(failure), Some(last)) = (adapter.finish(), outcomes.last_mut()) {
        *last = Outcome::Failure(failure);
    }
    (outcomes, adapter.has_given_up())
}

#[derive(Default)]
struct Found {
    counts: Counts,
    rules: BTreeMap<String, Counts>,
    differences: Vec<Difference>,
    unsupported: BTreeMap<String, usize>,
}

impl Found {
    fn add(&mut self, question: &Question<'_>, grade: Grade) {
        let strength = question.strength();
        self.counts.count(&grade, strength);
        self.rules.entry(question.rule().to_owned()).or_default().count(&grade, strength);
        match grade {
            Grade::Unsupported(reason) => *self.unsupported.entry(reason).or_default() += 1,
            Grade::Wrong(got) => {
                let difference = question.difference(got);
                // In several revisions it is the same difference.
                let same = self
                    .differences
                    .iter_mut()
                    .rev()
                    .take_while(|other| other.document == difference.document);
                match { same }.find(|other| {
                    other.got.name() == difference.got.name() && other.expected == difference.expected
                }) {
                    Some(same) => same.revisions.push(question.case.revision),
                    None => self.differences.push(difference),
                }
            }
            Grade::Right | Grade::NotAsked => {}
        }
    }
}
