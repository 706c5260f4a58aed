//! Lenient reading (U4): the corpora, the core under every law, the generators' reach, and the planted
//! faults.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use mcp_roots_proptests::lenient::{
    Kind, Lenient, PLANTED, Planted, corpus, laws,
    strategy::{self, URIS},
};
use mcp_roots_proptests::{Core, Door, Target, corpus as documents, detect};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const SEEDS: [u64; 2] = [1, 2];

#[test]
fn the_corpus_is_sorted_as_it_expects() {
    let entries = corpus::load().unwrap();
    assert_eq!(corpus::complaints(&entries), Vec::<String>::new());
    let asked: usize = entries.iter().map(|entry| corpus::replay(&Core, entry)).sum();
    assert!(entries.len() >= 54, "{} results: the corpus only grows", entries.len());
    assert!(asked >= 10 * entries.len(), "{asked} questions");
}

#[test]
fn the_documents_of_the_strict_corpus_obey_every_law() {
    let corpus = documents::load().unwrap();
    let (mut cases, mut sorted) = (0, 0);
    for entry in corpus.iter().filter(|entry| entry.target == Target::Response) {
        laws::sorted_right(&Core, &entry.doc);
        for case in entry.cases() {
            laws::all(&Core, &case);
            cases += 1;
            sorted += usize::from(Core.sort(&case, Door::Bytes).unwrap().is_ok());
        }
    }
    assert!(cases > 2000 && sorted > 1000, "{sorted} of {cases} sorted");
}

#[test]
fn results_of_all_kinds_obey_every_law() {
    let applied = RefCell::new(BTreeMap::<&str, usize>::new());
    let config = Config { cases: detect::CASES, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&strategy::result(), |sample| {
        let hold = || {
            for law in laws::LAWS {
                let had_something_to_say = (law.check)(&Core, &sample.case());
                *applied.borrow_mut().entry(law.name).or_default() += usize::from(had_something_to_say);
            }
        };
        detect::quietly(hold).map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let applied = applied.into_inner();
    assert_eq!(applied.len(), laws::LAWS.len());
    assert!(applied.values().all(|count| *count > 1000), "{applied:?}");
}

#[test]
fn every_law_is_in_the_list_of_laws() {
    const LAWS: &str = include_str!("../src/lenient/laws.rs");
    let signature = "(lenient: &dyn Lenient, case: &Case<'_>) -> bool";
    let functions = LAWS.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split_once(signature));
    let functions: BTreeSet<&str> = functions.map(|(name, _)| name).collect();
    assert_eq!(laws::LAWS.iter().map(|law| law.name).collect::<BTreeSet<_>>(), functions);
    assert!(functions.len() >= 8, "laws only become more");
}

#[test]
fn mixed_results_have_roots_of_every_kind_and_are_mostly_accepted() {
    const DRAWN: usize = 3000;
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut accepted, mut strictly, mut all_kinds) = (0, 0, 0);
    let (mut uris, mut rules) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..DRAWN {
        let sample = strategy::mixed().new_tree(&mut runner).unwrap().current();
        match Core.sort(&sample.case(), Door::Bytes).unwrap() {
            Ok(sorting) => {
                accepted += 1;
                strictly += usize::from(sorting.roots.iter().all(|root| root.kind == Kind::File));
                let kinds = [&sorting.files, &sorting.other_schemes, &sorting.malformed];
                all_kinds += usize::from(kinds.iter().all(|roots| !roots.is_empty()));
                uris.extend(sorting.roots.into_iter().map(|root| root.uri));
            }
            Err(refusal) => drop(rules.insert(refusal.rule)),
        }
    }
    let percent = |count: usize| 100 * count / DRAWN;
    assert!((80..=97).contains(&percent(accepted)), "{} % accepted", percent(accepted));
    assert!((15..=60).contains(&percent(strictly)), "{} % accepted strictly", percent(strictly));
    assert!(percent(all_kinds) >= 10, "{} % of all kinds", percent(all_kinds));
    assert!(URIS.iter().all(|uri| uris.contains(*uri)), "each URI was drawn");
    assert_eq!(rules, BTreeSet::from(["R2", "R3", "R4"].map(str::to_owned)));
}

#[test]
fn the_corpus_catches_every_planted_fault() {
    let entries = corpus::load().unwrap();
    assert_eq!(Planted::NONE.by_corpus(&entries), None, "the reference itself is right");
    let missed = PLANTED.iter().filter(|planted| planted.by_corpus(&entries).is_none());
    let missed: Vec<_> = missed.map(|planted| planted.name).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
    let names: BTreeSet<&str> = PLANTED.iter().map(|planted| planted.name).collect();
    assert_eq!(names.len(), PLANTED.len(), "names of their own");
    assert!(PLANTED.len() >= 37, "{}", PLANTED.len());
}

#[test]
fn the_property_tests_catch_every_planted_fault() {
    assert_eq!(Planted::NONE.by_properties(1), None, "the reference itself is right");
    let missed: Vec<(u64, &str)> = SEEDS
        .into_iter()
        .flat_map(|seed| PLANTED.iter().map(move |planted| (seed, planted)))
        .filter(|(seed, planted)| planted.by_properties(*seed).is_none())
        .map(|(seed, planted)| (seed, planted.name))
        .collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}
