//! Generated documents, held against an adapter with the reference as the oracle.
//!
//! Every case has a number, and is drawn from the seed and that number alone. What fails is grouped by
//! what was expected, where, and what came instead; each group keeps a minimal document for each flaw
//! that leads to it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use mcp_roots::Revision;
use mcp_roots_proptests::corpus::{Entry, Strength};
use mcp_roots_proptests::model::Model;
use mcp_roots_proptests::strategy::{self, questions};
use mcp_roots_proptests::{
    Case, Door, FLAWS, Flaw, Planted, Refusal, Sample, Target, Validator, Verdict, reference,
};
use proptest::strategy::{BoxedStrategy, Just, NewTree, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde::Serialize;
use serde_json::Value;

use crate::adapter::{Adapter, FailureKind, Failures, Launch, Outcome, StartError};
use crate::check::{self, AdapterInfo, Got, Grade, grade};
use crate::interrupt::Interrupt;
use crate::protocol::{Answer, Root, Said};
use crate::shrink::{Budget, Shrinking, Tried, shrink};
use crate::strength::{contains, firmest, strength, within_j3};

/// The format's name.
pub const FORMAT: &str = "mcp-roots-fuzz/1";

/// So many cases are drawn, and asked, at a time.
const BATCH: u64 = 256;
/// What takes less is soon over, in seconds.
const SOON: f64 = 0.1;
/// So many variants of a finding are kept,
const VARIANTS: usize = 8;
/// and so many documents made small for them.
const TRIED: usize = 24;
/// The first document of a finding is made small at once; others only as many as there are cases by this,
/// so that a bad adapter is not asked about little else.
const CASES_A_VARIANT: u64 = 64;
/// A finding among valid documents may have many causes: so many are shrunk in a row without another.
const FRUITLESS: usize = 12;
/// So many questions may be asked to make one document small,
const QUESTIONS: usize = 3000;
/// and so many at a time;
const QUESTIONS_AT_A_TIME: usize = 32;
/// where the adapter ends at each,
const QUESTIONS_OF_A_CRASH: usize = 100;
/// or takes the time limit for each.
const QUESTIONS_OF_A_HANG: usize = 8;
/// and of those only so many documents are made small.
const HANGS_MADE_SMALL: u64 = 2;
/// To make one document small may take so long,
const PATIENCE: Duration = Duration::from_secs(20);
/// and where the adapter has to be started for each question.
const PATIENCE_WITH_A_CRASH: Duration = Duration::from_secs(5);
/// Shrinking may take so much longer, all of it together, than the time there was.
const OVERTIME: Duration = Duration::from_secs(2);

/// So many cases are asked, if nothing else is said.
pub const CASES: u64 = 20_000;

/// Somebody who can be asked for verdicts.
pub trait Asked {
    /// What came of each case.
    fn ask(&mut self, cases: &[Case<'_>]) -> Vec<Outcome>;

    /// Whether it is of no use to ask on.
    fn has_given_up(&self) -> bool {
        false
    }

    /// How often it failed so far.
    fn failures(&self) -> Failures {
        Failures::default()
    }

    /// Forgets the failures since then: they were asked for.
    fn forgive(&mut self, _then: Failures) {}
}

impl Asked for Adapter {
    fn ask(&mut self, cases: &[Case<'_>]) -> Vec<Outcome> {
        Self::ask(self, cases)
    }

    fn has_given_up(&self) -> bool {
        Self::has_given_up(self)
    }

    fn failures(&self) -> Failures {
        Self::failures(self)
    }

    fn forgive(&mut self, then: Failures) {
        Self::forgive(self, then);
    }
}

/// A validator in this process.
#[derive(Clone, Copy)]
pub struct InProcess<'v>(pub &'v (dyn Validator + Sync));

impl Asked for InProcess<'_> {
    fn ask(&mut self, cases: &[Case<'_>]) -> Vec<Outcome> {
        let answer = |case: &Case<'_>| {
            let (mut verdict, mut rule, mut at, mut roots) = (Said::Unsupported, None, None, None);
            match self.0.judge(case, Door::Bytes) {
                Some(Verdict::Accept(accepted)) => {
                    verdict = Said::Accept;
                    let read = accepted.roots.into_iter();
                    roots = Some(read.map(|(uri, name)| Root { uri, name }).collect());
                }
                Some(Verdict::Missing) => verdict = Said::Missing,
                Some(Verdict::Reject(refusal)) => {
                    verdict = Said::Reject;
                    (rule, at) = (Some(refusal.rule), Some(refusal.at));
                }
                None => {}
            }
            Outcome::Answer(Answer {
                id: 0,
                verdict,
                detail: String::new(),
                reason: String::new(),
                rule,
                at,
                roots,
            })
        };
        cases.iter().map(answer).collect()
    }
}

/// So many cases in a row are made of one model: to draw one takes longer than all the rest.
const FAMILY: u64 = 16;

/// Draws the cases of a seed, by number: valid ones, ones with a flaw and undirected ones in turn.
pub struct Draw {
    seed: u64,
    /// The revisions to choose from, by target.
    targets: Vec<(Target, Vec<Revision>)>,
    flaws: BTreeMap<(Target, Revision), Vec<&'static Flaw>>,
    /// Targets, each as often as it can have a flaw.
    by_flaws: Vec<usize>,
    /// The model that was drawn last, and its family.
    last: RefCell<Option<(u64, Model)>>,
}

impl Draw {
    /// Cases of these targets and revisions.
    #[must_use]
    pub fn new(seed: u64, questions: &[(Target, Revision)]) -> Self {
        let (mut targets, mut flaws) = (BTreeMap::<Target, Vec<Revision>>::new(), BTreeMap::new());
        for (target, revision) in questions {
            targets.entry(*target).or_default().push(*revision);
            let of_it: Vec<&'static Flaw> =
                FLAWS.iter().filter(|flaw| flaw.applies(*target, *revision)).collect();
            flaws.insert((*target, *revision), of_it);
        }
        let targets: Vec<_> = targets.into_iter().collect();
        let count = |(target, revisions): &(Target, Vec<Revision>)| flaws[&(*target, revisions[0])].len();
        let by_flaws = targets.iter().enumerate().flat_map(|(index, of)| vec![index; count(of)]).collect();
        Self { seed, targets, flaws, by_flaws, last: RefCell::default() }
    }

    /// The case of a number.
    ///
    /// # Panics
    ///
    /// Where there is no target and revision to choose from.
    ///
    /// ```
    /// use mcp_roots_harness::fuzz::Draw;
    /// use mcp_roots_proptests::strategy;
    /// let draw = Draw::new(1, &strategy::questions());
    /// assert_eq!(draw.sample(7), draw.tree(7).current());
    /// # use proptest::strategy::ValueTree as _;
    /// ```
    #[must_use]
    pub fn sample(&self, number: u64) -> Sample {
        let mut last = self.last.borrow_mut();
        let family = number / FAMILY;
        let model = match last.take() {
            Some((other, model)) if other == family => model,
            _ => draw(&self.models(number), &mut self.runner(family, 0)).current(),
        };
        let sample = draw(&self.member(number, Just(model.clone())), &mut self.runner(number, 1)).current();
        *last = Some((family, model));
        sample
    }

    /// The case of a number, as a tree that shrinks.
    ///
    /// # Panics
    ///
    /// As [`Draw::sample`].
    #[must_use]
    pub fn tree(&self, number: u64) -> Box<dyn ValueTree<Value = Sample>> {
        let models =
            Drawn { models: self.models(number), runner: RefCell::new(self.runner(number / FAMILY, 0)) };
        draw(&self.member(number, models), &mut self.runner(number, 1))
    }

    /// Random numbers of their own for each case and family.
    fn runner(&self, number: u64, use_of_it: u8) -> TestRunner {
        let mut bytes = [use_of_it; 32];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&number.to_le_bytes());
        TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    fn target(&self, number: u64) -> &(Target, Vec<Revision>) {
        let mut rng = self.runner(number / FAMILY, 2);
        // Half of the families go by what can be wrong with them.
        let index = if (number / FAMILY).is_multiple_of(2) {
            draw(&(0..self.targets.len()), &mut rng).current()
        } else {
            self.by_flaws[draw(&(0..self.by_flaws.len()), &mut rng).current()]
        };
        &self.targets[index]
    }

    fn models(&self, number: u64) -> BoxedStrategy<Model> {
        strategy::valid(self.target(number).0)
    }

    /// What is made of a model.
    fn member(&self, number: u64, models: impl Strategy<Value = Model> + 'static) -> BoxedStrategy<Sample> {
        let (target, revisions) = self.target(number);
        let mut rng = self.runner(number, 3);
        let revision = revisions[draw(&(0..revisions.len()), &mut rng).current()];
        match number % 3 {
            0 => strategy::valid_of(models, revision).boxed(),
            1 => {
                let flaws = &self.flaws[&(*target, revision)];
                let flaw = flaws[draw(&(0..flaws.len()), &mut rng).current()];
                strategy::with_flaw_of(models, flaw, revision).boxed()
            }
            _ => strategy::undirected_sample_of(models, *target, revision).boxed(),
        }
    }
}

fn draw<S: Strategy>(strategy: &S, runner: &mut TestRunner) -> Box<dyn ValueTree<Value = S::Value>>
where
    S::Tree: 'static,
{
    Box::new(strategy.new_tree(runner).expect("it rejects nothing"))
}

/// Models drawn with random numbers of their own.
#[derive(Debug)]
struct Drawn {
    models: BoxedStrategy<Model>,
    runner: RefCell<TestRunner>,
}

impl Strategy for Drawn {
    type Tree = Box<dyn ValueTree<Value = Model>>;
    type Value = Model;

    fn new_tree(&self, _: &mut TestRunner) -> NewTree<Self> {
        self.models.new_tree(&mut self.runner.borrow_mut())
    }
}

/// What is drawn, and how long.
#[derive(Debug, Clone)]
pub struct Options {
    /// The seed.
    pub seed: u64,
    /// The number of the first case; of a whole run, 1.
    pub first: u64,
    /// So many cases at most.
    pub cases: u64,
    /// So long at most.
    pub time: Option<Duration>,
    /// Only these targets; all if there are none.
    pub targets: Vec<Target>,
    /// Only these revisions; all if there are none.
    pub revisions: Vec<Revision>,
    /// Whether rule and place are compared too, where the adapter gives them.
    pub exact: bool,
    /// Whether differences about what the sources leave open are failures.
    pub fail_decided: bool,
    /// Whether one finding is enough.
    pub fail_fast: bool,
    /// By so many processes of the adapter at a time; at least one.
    pub jobs: usize,
    /// Ends the run before its time.
    pub interrupt: Interrupt,
}

impl Options {
    /// So many cases of a seed, by the rules of all that can be asked for.
    #[must_use]
    pub fn new(seed: u64, first: u64, cases: u64) -> Self {
        Self {
            seed,
            first,
            cases,
            time: None,
            targets: Vec::new(),
            revisions: Vec::new(),
            exact: false,
            fail_decided: false,
            fail_fast: false,
            jobs: 1,
            interrupt: Interrupt::default(),
        }
    }

    /// The targets and revisions to draw from.
    #[must_use]
    pub fn questions(&self, is_supported: impl Fn(Target, Revision) -> bool) -> Vec<(Target, Revision)> {
        let is_asked = |(target, revision): &(Target, Revision)| {
            (self.targets.is_empty() || self.targets.contains(target))
                && (self.revisions.is_empty() || self.revisions.contains(revision))
                && is_supported(*target, *revision)
        };
        questions().into_iter().filter(is_asked).collect()
    }
}

/// What came of fuzzing.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Name and version of this format.
    pub format: &'static str,
    /// The adapter.
    pub adapter: AdapterInfo,
    /// The seed.
    pub seed: u64,
    /// The number of the first case: 1, but where it was the only one.
    pub first: u64,
    /// The cases that were judged.
    pub cases: u64,
    /// Those that the adapter has no judgement on.
    pub unsupported: u64,
    /// Those that were not asked any more, because the adapter had failed too often or the run was ended; of a run
    /// by its time, only those that were drawn.
    pub not_asked: u64,
    /// So many numbers were used until the last case that was asked: with so many cases, a run asks the same.
    #[serde(skip)]
    pub end: u64,
    /// Where the adapter is wrong, by what, the most frequent first.
    pub findings: Vec<Finding>,
    /// Where it differs on what the sources leave open; no failures, unless asked for.
    pub decided: Vec<Finding>,
    /// Whether the adapter failed so often that it was not asked any more.
    pub gave_up: bool,
    /// Whether a signal ended the run: it may have missed what the rest would have shown.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
    /// What took the time.
    pub shares: Shares,
}

/// Seconds spent, in all processes of the adapter together.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Shares {
    /// Waiting for documents to be drawn and judged by the reference.
    pub drawing: f64,
    /// Asking the adapter.
    pub asking: f64,
    /// Comparing verdicts.
    pub comparing: f64,
    /// Making failing documents small, with what is asked for that.
    pub shrinking: f64,
}

impl Shares {
    fn add(&mut self, other: Self) {
        self.drawing += other.drawing;
        self.asking += other.asking;
        self.comparing += other.comparing;
        self.shrinking += other.shrinking;
    }
}

/// One way in which an adapter is wrong.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The rule under which a refusal was expected, or nothing.
    pub rule: String,
    /// The place of it, with `*` for indices.
    pub place: String,
    /// The verdict expected: `accept`, `missing` or `reject`.
    pub expected: String,
    /// What came instead.
    pub got: String,
    /// How firm the expectation is, of the firmest document that showed it.
    pub strength: Strength,
    /// What goes wrong where a document like one of the variants is misjudged, if the corpus has one.
    pub misjudged: String,
    /// Where that document of the corpus comes from.
    pub source: String,
    /// So many cases showed it.
    pub count: u64,
    /// The targets that showed it.
    pub targets: BTreeSet<&'static str>,
    /// The revisions that showed it.
    pub revisions: BTreeSet<String>,
    /// Minimal documents, the smallest first.
    pub variants: Vec<Variant>,
}

/// A minimal document of a finding.
#[derive(Debug, Clone, Serialize)]
pub struct Variant {
    /// What was put into the document when it was drawn, if that is known.
    pub flaw: String,
    /// What it is judged as.
    pub target: &'static str,
    /// In which revision.
    pub revision: String,
    /// The document; bytes that are not UTF-8 replaced.
    pub doc: String,
    /// The request it is judged with, if not the bare one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The verdict expected, as manifests spell it.
    pub expected: String,
    /// How firm that is.
    pub strength: Strength,
    /// What the adapter did.
    pub got: Got,
    /// How far the document was made small.
    pub shrinking: Shrinking,
    /// The number of the case from which it was made.
    pub case: u64,
    /// The document itself.
    #[serde(skip)]
    pub sample: Sample,
}

/// What findings are told apart by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    rule: String,
    place: String,
    expected: &'static str,
    got: &'static str,
    /// Whether the sources leave open that the document is refused.
    is_open: bool,
}

impl Key {
    fn new(sample: &Sample, right: &Verdict, got: &Got) -> Self {
        let (rule, place, expected) = match right {
            Verdict::Accept(_) => (String::new(), String::new(), "accept"),
            Verdict::Missing => (String::new(), String::new(), "missing"),
            Verdict::Reject(refusal) => {
                let (rule, place) = blamed(&sample.case(), refusal);
                (rule, place, "reject")
            }
        };
        // Of a valid document it only shows when it is small: what it is refused for may be something else in it.
        let is_open = expected == "reject" && strength(&sample.case(), right) == Strength::Decided;
        Self { rule, place, expected, got: got.name(), is_open }
    }
}

/// Rule and place that a wrong verdict is put down to. Who takes one of two equal names does not see the
/// faults in the other: that is no fault of its own.
pub(crate) fn blamed(case: &Case<'_>, refusal: &Refusal) -> (String, String) {
    let has_equal_names =
        |case: &Case<'_>| reference::judge(case).faults.iter().any(|fault| fault.rule == "J6");
    let is_twice = || {
        let within = within_j3(case.doc);
        has_equal_names(case)
            || within.is_some_and(|doc| has_equal_names(&Case { doc: doc.as_bytes(), ..*case }))
    };
    if refusal.rule != "J1" && refusal.rule != "J2" && is_twice() {
        ("J6".to_owned(), String::new())
    } else {
        (refusal.rule.clone(), pattern(&refusal.at))
    }
}

/// A place without what differs from document to document.
pub(crate) fn pattern(at: &str) -> String {
    let at = at.strip_prefix("/client_roots").unwrap_or(at);
    let is_index = |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    at.split('/').map(|step| if is_index(step) { "*" } else { step }).collect::<Vec<_>>().join("/")
}

/// The shape of a document: its types and names, and what its strings are made of.
fn shape(doc: &[u8]) -> String {
    shape_by(doc, &classes)
}

/// As [`shape`], and how letters are written and how long the texts are: what a valid document may be refused for.
fn fine_shape(doc: &[u8]) -> String {
    shape_by(doc, &|text, to| {
        let is_upper = text.contains(|character: char| character.is_ascii_uppercase());
        // As many as there are orders of magnitude.
        let length = "+".repeat(text.len().checked_ilog10().unwrap_or_default() as usize);
        to.push_str(if is_upper { "A" } else { "" });
        to.push_str(&length);
        classes(text, to);
    })
}

fn classes(text: &str, to: &mut String) {
    let mut last = None;
    for character in text.chars() {
        let class = match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => 'a',
            character if character.is_ascii() => character,
            _ => 'é',
        };
        if last.replace(class) != Some(class) {
            to.push(class);
        }
    }
}

fn shape_by(doc: &[u8], classes: &dyn Fn(&str, &mut String)) -> String {
    fn of(value: &Value, classes: &dyn Fn(&str, &mut String), to: &mut String) {
        match value {
            Value::Object(members) => {
                to.push('{');
                for (name, value) in members {
                    classes(name, to);
                    to.push(':');
                    of(value, classes, to);
                }
                to.push('}');
            }
            Value::Array(items) => {
                to.push('[');
                for item in items {
                    of(item, classes, to);
                }
                to.push(']');
            }
            Value::String(text) => {
                to.push('"');
                classes(text, to);
                to.push('"');
            }
            Value::Number(number) => to.push(if number.is_f64() { '.' } else { '0' }),
            other => to.push_str(&other.to_string()),
        }
    }
    let mut shape = String::new();
    match serde_json::from_slice(doc) {
        Ok(value) => of(&value, classes, &mut shape),
        Err(_) => classes(&String::from_utf8_lossy(doc), &mut shape),
    }
    shape
}

/// A case, and its right verdict.
struct Question {
    number: u64,
    sample: Sample,
    right: Verdict,
}

fn right(case: &Case<'_>) -> Verdict {
    Planted::NONE.judge(case, Door::Bytes).expect("the reference takes bytes")
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    findings: BTreeMap<Key, Group>,
    cases: u64,
    unsupported: u64,
    not_asked: u64,
    end: u64,
    /// Documents that were made small.
    shrunk: u64,
    /// Those of them over which the adapter hung.
    hangs: u64,
}

#[derive(Clone, Default)]
struct Group {
    count: u64,
    targets: BTreeSet<&'static str>,
    revisions: BTreeSet<String>,
    /// The flaws, or else the shapes, of the documents that were made small.
    tried: BTreeSet<String>,
    /// Minimal documents, by their text.
    variants: BTreeMap<Vec<u8>, Variant>,
    /// Documents made small, one after the other, that showed nothing new.
    fruitless: usize,
}

impl Group {
    /// Whether it is worth making this document small, now that so many may have been.
    fn wants(&self, sample: &Sample, key: &Key, is_left: bool) -> bool {
        if self.tried.is_empty() {
            return true;
        }
        let is_new = match sample.flaw {
            Some(flaw) => !self.tried.contains(flaw.name),
            None if key.expected == "reject" => self.variants.is_empty(),
            None => self.fruitless < FRUITLESS,
        };
        is_left && is_new && self.variants.len() < VARIANTS && self.tried.len() < TRIED
    }
}

/// How far it is: cases judged, and findings.
pub type Progress<'p> = &'p (dyn Fn(u64, usize) + Sync);

/// Holds generated documents against an adapter until they are used up, or the time.
///
/// # Errors
///
/// Where the adapter cannot be started.
pub fn run(
    corpus: &[Entry],
    launch: &Launch,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Report, StartError> {
    let mut adapters = vec![Adapter::start(launch.clone())?];
    let hello = adapters[0].hello().clone();
    for _ in 1..options.jobs {
        adapters.push(Adapter::start(launch.clone())?);
    }
    let questions =
        options.questions(|target, revision| hello.supports(&Case { revision, ..Case::new(target, b"") }));
    let mut report = ask_all(corpus, &mut adapters, &questions, options, progress);
    report.adapter = AdapterInfo::new(&hello, launch);
    Ok(report)
}

/// As [`run`], with adapters that run already, or validators of this process. Nothing is asked where there is
/// nothing to draw from.
///
/// # Panics
///
/// Where a validator does.
pub fn ask_all<A: Asked + Send>(
    corpus: &[Entry],
    asked: &mut [A],
    questions: &[(Target, Revision)],
    options: &Options,
    progress: Progress<'_>,
) -> Report {
    let start = Instant::now();
    let run = Shared {
        corpus,
        questions,
        options,
        progress,
        deadline: options.time.map(|time| start + time),
        next: AtomicU64::new(options.first),
        found: Mutex::default(),
        gave_up: AtomicBool::new(false),
        is_done: AtomicBool::new(false),
    };
    let mut shares = Shares::default();
    // With nothing to draw from nobody has work.
    let asked = if questions.is_empty() { &mut [] } else { asked };
    thread::scope(|scope| {
        let workers: Vec<_> = asked.iter_mut().map(|asked| scope.spawn(|| run.work(asked))).collect();
        for worker in workers {
            shares.add(worker.join().expect("it does not panic"));
        }
    });
    let found = run.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut findings, mut decided) = (Vec::new(), Vec::new());
    for (key, group) in found.findings {
        let finding = finding(corpus, &key, group);
        if is_failure(&finding, options) { &mut findings } else { &mut decided }.push(finding);
    }
    for findings in [&mut findings, &mut decided] {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.count));
    }
    let (gave_up, interrupted) = (run.gave_up.into_inner(), options.interrupt.is_set());
    // Of a run that goes by its time, nobody knows how many would have followed.
    let not_asked = match options.cases {
        u64::MAX => found.not_asked,
        cases if gave_up || interrupted => cases.saturating_sub(found.cases + found.unsupported),
        _ => 0,
    };
    Report {
        format: FORMAT,
        adapter: AdapterInfo::default(),
        seed: options.seed,
        first: options.first,
        cases: found.cases,
        unsupported: found.unsupported,
        not_asked,
        end: found.end,
        findings,
        decided,
        gave_up,
        interrupted,
        seconds: start.elapsed().as_secs_f64(),
        shares,
    }
}

/// Whether a finding is more than a difference that the protocol leaves open.
fn is_failure(finding: &Finding, options: &Options) -> bool {
    let is_trouble = FailureKind::ALL.iter().any(|kind| kind.name() == finding.got);
    is_trouble || options.fail_decided || finding.strength != Strength::Decided
}

fn finding(corpus: &[Entry], key: &Key, group: Group) -> Finding {
    let mut variants: Vec<Variant> = group.variants.into_values().collect();
    variants.sort_by_key(|variant| variant.sample.doc.len());
    let mut about = None;
    for variant in &mut variants {
        let alike: Vec<&Entry> = like(corpus, variant, key.rule.starts_with('J')).collect();
        let said = alike.iter().map(|entry| check::strength(entry, entry.expected(variant.sample.revision)));
        variant.strength = firmest(said).unwrap_or(variant.strength);
        // What is said of the document may be of its refusal.
        if matches!(variant.got, Got::Roots { .. } | Got::Place { .. }) {
            continue;
        }
        let fine = fine_shape(&plain(&variant.sample.doc));
        let likeness = |entry: &&Entry| (fine_shape(&plain(&entry.doc)) != fine, entry.doc.len());
        about = about.or(alike.into_iter().min_by_key(likeness).map(|entry| &entry.about));
    }
    Finding {
        rule: key.rule.clone(),
        place: key.place.clone(),
        expected: key.expected.to_owned(),
        got: key.got.to_owned(),
        strength: firmest(variants.iter().map(|variant| variant.strength)).unwrap_or(Strength::Schema),
        misjudged: about.map(|about| about.misjudged.clone()).unwrap_or_default(),
        source: about.map(|about| about.source.clone()).unwrap_or_default(),
        count: group.count,
        targets: group.targets,
        revisions: group.revisions,
        variants,
    }
}

/// Documents of the corpus that are made as a variant is and judged alike: what they show, the variant shows.
fn like<'c>(corpus: &'c [Entry], variant: &Variant, is_about_text: bool) -> impl Iterator<Item = &'c Entry> {
    let Variant { sample, expected, .. } = variant;
    let is_refused = expected.starts_with("reject");
    // What is wrong with a text as such, its value does not show; and of a valid document only one that is much like
    // it shows what it is refused for.
    let made = move |doc: &[u8]| match (is_about_text, is_refused) {
        (true, _) => String::from_utf8_lossy(doc).into_owned(),
        (_, true) => shape(&plain(doc)),
        _ => fine_shape(&plain(doc)),
    };
    let of_it = made(&sample.doc);
    let is_it = move |entry: &&Entry| {
        entry.target == sample.target
            && entry.about.request.as_deref() == sample.request
            && entry.expected(sample.revision).to_string() == *expected
            && made(&entry.doc) == of_it
    };
    corpus.iter().filter(is_it)
}

/// A document with simple URIs in place of the plain ones, by which it still shows which are equal, and which stand
/// within another.
fn plain(doc: &[u8]) -> Vec<u8> {
    fn visit(value: &mut Value, visit_one: &mut dyn FnMut(&mut String)) {
        match value {
            Value::String(uri) if uri.strip_prefix("file://").is_some_and(is_path) => visit_one(uri),
            Value::Array(items) => items.iter_mut().for_each(|item| visit(item, visit_one)),
            Value::Object(members) => members.values_mut().for_each(|member| visit(member, visit_one)),
            _ => {}
        }
    }
    fn is_path(text: &str) -> bool {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/')
    }
    let Ok(mut value) = serde_json::from_slice::<Value>(doc) else { return doc.to_vec() };
    let mut uris: Vec<String> = Vec::new();
    visit(&mut value, &mut |uri| {
        if !uris.contains(uri) {
            uris.push(uri.clone());
        }
    });
    visit(&mut value, &mut |uri| {
        let index = uris.iter().position(|other| other == uri).unwrap_or_default();
        let is_near = |other: &String| other != uri && (contains(other, uri) || contains(uri, other));
        let mark = if uris.iter().any(is_near) { "~" } else { "" };
        *uri = format!("file:///{}{mark}", "a/".repeat(index));
    });
    value.to_string().into_bytes()
}

struct Shared<'s> {
    corpus: &'s [Entry],
    questions: &'s [(Target, Revision)],
    options: &'s Options,
    progress: Progress<'s>,
    deadline: Option<Instant>,
    next: AtomicU64,
    found: Mutex<Found>,
    gave_up: AtomicBool,
    is_done: AtomicBool,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(&self.gave_up)
            || is_set(&self.is_done)
            || self.options.interrupt.is_set()
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Asks for batches of cases, while another thread draws the next ones.
    fn work(&self, asked: &mut impl Asked) -> Shares {
        let mut shares = Shares::default();
        // So many cases are asked between two looks at the clock: a slow adapter is not asked many.
        let mut pace = 1;
        let (batches, drawn) = mpsc::sync_channel(2);
        thread::scope(|scope| {
            // The receiver goes with this closure, and the drawing ends with it.
            let drawn = drawn;
            for _ in 0..self.drawers() {
                let batches = batches.clone();
                scope.spawn(move || self.draw(&batches));
            }
            drop(batches);
            let draw = Draw::new(self.options.seed, self.questions);
            loop {
                let before = Instant::now();
                let Ok(batch) = drawn.recv() else { return };
                shares.drawing += before.elapsed().as_secs_f64();
                let mut rest = &batch[..];
                while !rest.is_empty() {
                    let (some, others) = rest.split_at(pace.min(rest.len()));
                    let before = shares.asking;
                    self.ask(asked, some, &draw, &mut shares);
                    let is_slow = shares.asking - before > SOON;
                    pace = if is_slow { pace.div_ceil(2) } else { batch.len().min(2 * pace) };
                    rest = others;
                    if self.is_over() {
                        return;
                    }
                }
            }
        });
        shares
    }

    /// Threads that draw for one process of the adapter: those that it and the asking leave idle.
    fn drawers(&self) -> usize {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        (cores / self.options.jobs.max(1)).saturating_sub(1).clamp(1, 3)
    }

    fn draw(&self, batches: &mpsc::SyncSender<Vec<Question>>) {
        let draw = Draw::new(self.options.seed, self.questions);
        let end = self.options.first.saturating_add(self.options.cases);
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= end || self.is_over() {
                return;
            }
            let batch = (first..end.min(first + BATCH)).map(|number| {
                let sample = draw.sample(number);
                let right = right(&sample.case());
                Question { number, sample, right }
            });
            if batches.send(batch.collect()).is_err() {
                return;
            }
        }
    }

    fn ask(&self, asked: &mut impl Asked, batch: &[Question], draw: &Draw, shares: &mut Shares) {
        let before = Instant::now();
        let cases: Vec<Case<'_>> = batch.iter().map(|drawn| drawn.sample.case()).collect();
        let outcomes = asked.ask(&cases);
        if asked.has_given_up() {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        shares.asking += before.elapsed().as_secs_f64();
        let before = Instant::now();
        let (mut judged, mut unsupported, mut not_asked, mut wrong) = (0, 0, 0, Vec::new());
        for (drawn, outcome) in batch.iter().zip(&outcomes) {
            match grade(&drawn.right, outcome, self.options.exact) {
                Grade::Right => judged += 1,
                Grade::Wrong(got) => {
                    judged += 1;
                    wrong.push((drawn, got));
                }
                Grade::Unsupported(_) => unsupported += 1,
                Grade::NotAsked => not_asked += 1,
            }
        }
        let (cases, findings) = {
            let mut found = self.found();
            found.cases += judged;
            found.unsupported += unsupported;
            found.not_asked += not_asked;
            let asked = outcomes.iter().rposition(|outcome| *outcome != Outcome::NotAsked);
            let used = asked.map_or(0, |last| batch[last].number + 1 - self.options.first);
            found.end = used.max(found.end);
            (found.cases, found.findings.len())
        };
        (self.progress)(cases, findings);
        shares.comparing += before.elapsed().as_secs_f64();
        let before = Instant::now();
        for (drawn, got) in wrong {
            let key = Key::new(&drawn.sample, &drawn.right, &got);
            self.take(asked, drawn, got, draw);
            if self.options.fail_fast && self.is_failure(&key) {
                self.is_done.store(true, Ordering::Relaxed);
                break;
            }
        }
        shares.shrinking += before.elapsed().as_secs_f64();
    }

    fn is_failure(&self, key: &Key) -> bool {
        let group = self.found().findings.get(key).cloned();
        group.is_some_and(|group| is_failure(&finding(self.corpus, key, group), self.options))
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a failure to its group, with a minimal document if it has none like it.
    fn take(&self, asked: &mut impl Asked, drawn: &Question, got: Got, draw: &Draw) {
        let key = Key::new(&drawn.sample, &drawn.right, &got);
        let hangs = {
            let mut found = self.found();
            let is_left = found.shrunk < (drawn.number - self.options.first) / CASES_A_VARIANT;
            let group = found.findings.entry(key.clone()).or_default();
            group.count += 1;
            group.targets.insert(drawn.sample.target.name());
            group.revisions.insert(drawn.sample.revision.to_string());
            if !group.wants(&drawn.sample, &key, is_left) {
                return;
            }
            found.shrunk += 1;
            let is_hang = matches!(got, Got::Failure { kind: FailureKind::Hang, .. });
            found.hangs += u64::from(is_hang);
            found.hangs
        };
        let (questions, at_a_time, patience) = match &got {
            _ if self.gave_up.load(Ordering::Relaxed) => (0, 1, PATIENCE),
            Got::Failure { kind: FailureKind::Crash, .. } => (QUESTIONS_OF_A_CRASH, 1, PATIENCE_WITH_A_CRASH),
            Got::Failure { kind: FailureKind::Hang, .. } if hangs <= HANGS_MADE_SMALL => {
                (QUESTIONS_OF_A_HANG, 1, PATIENCE)
            }
            // It is no matter of the document.
            Got::Failure { .. } => (0, 1, PATIENCE),
            _ => (QUESTIONS, QUESTIONS_AT_A_TIME, PATIENCE),
        };
        let now = Instant::now();
        let overtime = self.deadline.map(|end| end + OVERTIME);
        let deadline = overtime.map_or(now + patience, |end| end.min(now + patience));
        let mut last = got;
        let budget = Budget { questions, at_a_time, deadline, interrupt: self.options.interrupt.clone() };
        let (smallest, shrinking) = shrink(&mut draw.tree(drawn.number), budget, &mut |samples| {
            let (asked, failing) = self.fails_alike(asked, samples, &key, &drawn.sample);
            let failing = failing.map(|(index, got)| {
                last = got;
                index
            });
            Tried { asked, failing }
        });
        let variant = variant(drawn.number, smallest, last, shrinking);
        let name = match drawn.sample.flaw {
            Some(flaw) => flaw.name.to_owned(),
            None => shape(&variant.sample.doc),
        };
        let mut found = self.found();
        let group = found.findings.entry(key).or_default();
        let is_new = group.tried.insert(name);
        group.fruitless = if is_new { 0 } else { group.fruitless + 1 };
        if is_new {
            group.variants.entry(variant.sample.doc.clone()).or_insert(variant);
        }
    }

    /// The first of some documents that fails in this way, for the same flaw; and how many were asked for.
    fn fails_alike(
        &self,
        asked: &mut impl Asked,
        samples: &[Sample],
        key: &Key,
        like: &Sample,
    ) -> (usize, Option<(usize, Got)>) {
        // Only what the reference judges alike can, and that is quickly known.
        let is_alike = |sample: &Sample, right: &Verdict| match right {
            Verdict::Reject(refusal) => {
                key.expected == "reject"
                    && blamed(&sample.case(), refusal) == (key.rule.clone(), key.place.clone())
            }
            Verdict::Accept(_) => key.expected == "accept",
            Verdict::Missing => key.expected == "missing",
        };
        let of_the_flaw = samples.iter().enumerate().filter(|(_, sample)| sample.flaw == like.flaw);
        let judged = of_the_flaw.map(|(index, sample)| (index, sample, right(&sample.case())));
        let alike: Vec<_> = judged.filter(|(_, sample, right)| is_alike(sample, right)).collect();
        let cases: Vec<Case<'_>> = alike.iter().map(|(_, sample, _)| sample.case()).collect();
        let before = asked.failures();
        let outcomes = asked.ask(&cases);
        asked.forgive(before);
        let failing =
            alike.into_iter().zip(outcomes).find_map(|((index, sample, right), outcome)| {
                match grade(&right, &outcome, self.options.exact) {
                    Grade::Wrong(got) if Key::new(sample, &right, &got) == *key => Some((index, got)),
                    _ => None,
                }
            });
        (cases.len(), failing)
    }
}

fn variant(case: u64, sample: Sample, got: Got, shrinking: Shrinking) -> Variant {
    let right = right(&sample.case());
    Variant {
        flaw: sample.flaw.map(|flaw| flaw.name.to_owned()).unwrap_or_default(),
        target: sample.target.name(),
        revision: sample.revision.to_string(),
        doc: String::from_utf8_lossy(&sample.doc).into_owned(),
        request: sample.request.map(str::to_owned),
        expected: right.summary(),
        strength: strength(&sample.case(), &right),
        got,
        shrinking,
        case,
        sample,
    }
}
