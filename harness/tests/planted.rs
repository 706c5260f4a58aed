//! Fuzzing finds every planted fault that an adapter can show, soon, and makes it small.

use std::collections::BTreeMap;
use std::process::Command;

use mcp_roots_harness::check::{Grade, grade};
use mcp_roots_harness::fuzz::{Asked, Draw, InProcess, Options, ask_all};
use mcp_roots_proptests::{Case, Door, PLANTED, Planted, Target, Validator, Verdict, corpus, strategy};

const SEED: u64 = 1;
/// Each fault is found within so many cases.
const CASES: u64 = 20_000;
/// So many of the cases that show a fault are made small, no two of a target and era with the same flaw.
const HITS: usize = 16;
/// So many are found within the first thousand.
const IN_A_THOUSAND: usize = 100;

/// What no verdict on a document of the corpus shows: faults in what is kept and compared, in the words of a refusal,
/// and one that takes two spellings of the same document.
const INVISIBLE: [&str; 12] = [
    "the kept document is written anew",
    "the kept document loses what stands around it",
    "answers are equal whose roots are",
    "answers are equal that stand in one place",
    "the kept answer is the whole map",
    "names are compared as they are spelled",
    "an undeclared capability is invalid params",
    "the error of a missing capability has no data",
    "the text for the developer repeats the document",
    "the text for the developer tells the length",
    "the message for the peer tells the rule",
    "the error for the peer repeats the document",
];

/// Target, whether of the initialize era, and flaw.
type Kind = (Target, bool, Option<&'static str>);

fn right(case: &Case<'_>) -> Verdict {
    Planted::NONE.judge(case, Door::Bytes).unwrap()
}

/// What an adapter with the fault gives instead of the right verdict, in a word.
fn wrong(planted: &Planted, case: &Case<'_>, right: &Verdict) -> Option<&'static str> {
    let outcome = InProcess(planted).ask(std::slice::from_ref(case)).remove(0);
    if let Grade::Wrong(got) = grade(right, &outcome, true) { Some(got.name()) } else { None }
}

/// The length of the shortest document of the corpus that shows a fault, by what is given
/// instead, and by target.
type Shortest = BTreeMap<(&'static str, Target), usize>;

fn shortest(corpus: &[corpus::Entry]) -> Vec<Shortest> {
    let cases: Vec<Case<'_>> = corpus.iter().flat_map(corpus::Entry::cases).collect();
    let rights: Vec<Verdict> = cases.iter().map(right).collect();
    let of = |planted: &Planted| {
        let mut shortest = Shortest::new();
        for (case, right) in cases.iter().zip(&rights) {
            if let Some(got) = wrong(planted, case, right) {
                let length = shortest.entry((got, case.target)).or_insert(usize::MAX);
                *length = case.doc.len().min(*length);
            }
        }
        shortest
    };
    PLANTED.iter().map(of).collect()
}

#[test]
fn fuzzing_finds_each_planted_fault_and_makes_it_small() {
    let corpus = corpus::built_in().unwrap();
    let shortest = shortest(&corpus);
    let (visible, hidden): (Vec<_>, Vec<_>) =
        PLANTED.iter().zip(shortest).partition(|(_, shortest)| !shortest.is_empty());
    let hidden = hidden.iter();
    assert_eq!(hidden.map(|(planted, _)| planted.name).collect::<Vec<_>>(), INVISIBLE);

    let questions = strategy::questions();
    let draw = Draw::new(SEED, &questions);
    let mut hits: Vec<Vec<(u64, Kind)>> = vec![Vec::new(); visible.len()];
    for number in 0..CASES {
        let sample = draw.sample(number);
        let right = right(&sample.case());
        let kind = (sample.target, sample.revision.is_initialize_era(), sample.flaw.map(|flaw| flaw.name));
        for ((planted, _), hits) in visible.iter().zip(&mut hits) {
            let is_new = hits.len() < HITS && !hits.iter().any(|(_, other)| *other == kind);
            if is_new && wrong(planted, &sample.case(), &right).is_some() {
                hits.push((number, kind));
            }
        }
    }
    let found = visible.into_iter().zip(hits);
    let (found, missed): (Vec<_>, Vec<_>) = found.partition(|(_, hits)| !hits.is_empty());
    assert!(missed.is_empty(), "missed: {missed:#?}");
    let soon = found.iter().filter(|(_, hits)| hits[0].0 < 1000).count();
    assert!(soon >= IN_A_THOUSAND, "{soon} of {} in a thousand cases", found.len());

    let mut long = Vec::new();
    for ((planted, shortest), hits) in found {
        let mut is_small = false;
        for (first, _) in hits {
            let options = Options { exact: true, fail_decided: true, ..Options::new(SEED, first, 1) };
            let report = ask_all(&corpus, &mut [InProcess(planted)], &questions, &options, &|_, _| {});
            let [finding] = &report.findings[..] else { panic!("{}: {report:?}", planted.name) };
            let case = finding.variants[0].sample.case();
            // As it shows here, or else as it shows at all.
            let alike = shortest.iter().find(|((got, of), _)| *got == finding.got && *of == case.target);
            let length = *alike.map(|(_, length)| length).or(shortest.values().min()).unwrap();
            is_small |= case.doc.len() <= length + length / 2;
            if is_small {
                break;
            }
            let (name, got) = (planted.name, &finding.got);
            long.push(format!(
                "{name}, {got}: {length} bytes in the corpus, and here {}",
                case.doc.escape_ascii()
            ));
        }
        if is_small {
            long.retain(|line| !line.starts_with(planted.name));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

/// What fuzzing calls a failure, `check` does too: they go by the same strengths.
#[test]
fn fuzzing_fails_nobody_whom_the_corpus_lets_pass() {
    let corpus = corpus::built_in().unwrap();
    let (mut both, mut neither, mut by_check, mut by_fuzz) = (0, 0, Vec::new(), Vec::new());
    for planted in PLANTED {
        let check = Command::new(env!("CARGO_BIN_EXE_mcp-roots"))
            .args(["check", "--", env!("CARGO_BIN_EXE_mcp-roots"), "adapter", "--planted", planted.name])
            .output()
            .unwrap();
        let fails = check.status.code() == Some(1);
        let options = Options::new(SEED, 0, 2500);
        let report =
            ask_all(&corpus, &mut [InProcess(planted)], &strategy::questions(), &options, &|_, _| {});
        match (fails, report.findings.is_empty()) {
            (true, false) => both += 1,
            (false, true) => neither += 1,
            // It is rare, and takes more cases to be met.
            (true, true) => by_check.push(planted.name),
            (false, false) => by_fuzz.push((planted.name, report.findings)),
        }
    }
    println!("{both} fail by both, {neither} by neither, by the corpus alone {by_check:#?}");
    assert!(by_fuzz.is_empty(), "{by_fuzz:#?}");
    assert_eq!(both + neither + by_check.len(), PLANTED.len());
    assert!(both > 60 && neither > 10, "{both} fail by both, {neither} by neither");
}
