//! The harness finds every planted fault, by each of its layers.

use std::collections::BTreeSet;

use mcp_roots_proptests::corpus::{OTHER_RULES, REPORTABLE};
use mcp_roots_proptests::{PLANTED, Planted, corpus, detect};

/// What planted faults cannot break: nothing is read of `requestState`, the request is built by the
/// core itself, and time and memory are measured by the core's own tests.
const NOT_PLANTED: [&str; 3] = ["A7", "J4", "Q1"];

const SEEDS: [u64; 2] = [1, 2];

#[test]
fn there_are_planted_faults_for_every_rule() {
    let rules: BTreeSet<&str> = PLANTED.iter().map(|planted| planted.rule).collect();
    let all = REPORTABLE.into_iter().chain(OTHER_RULES).filter(|rule| !NOT_PLANTED.contains(rule));
    assert_eq!(rules, all.collect());
    let names: BTreeSet<&str> = PLANTED.iter().map(|planted| planted.name).collect();
    assert_eq!(names.len(), PLANTED.len(), "names of their own");
    assert!(PLANTED.len() >= 182, "{}", PLANTED.len());
}

#[test]
fn the_corpus_catches_every_planted_fault() {
    let corpus = corpus::load().unwrap();
    assert!(detect::by_corpus(&Planted::NONE, &corpus).is_none(), "the reference itself is right");
    let missed = PLANTED.iter().filter(|planted| detect::by_corpus(*planted, &corpus).is_none());
    let missed: Vec<_> = missed.map(|planted| planted.name).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

#[test]
fn the_property_tests_catch_every_planted_fault() {
    assert_eq!(detect::by_properties(&Planted::NONE, 1), None, "the reference itself is right");
    let missed_by =
        |seed: u64| PLANTED.iter().filter(move |planted| detect::by_properties(*planted, seed).is_none());
    let missed: Vec<(u64, &str)> = std::thread::scope(|scope| {
        let search = |seed| move || missed_by(seed).map(|planted| (seed, planted.name)).collect::<Vec<_>>();
        let threads = SEEDS.map(|seed| scope.spawn(search(seed)));
        threads.into_iter().flat_map(|thread| thread.join().expect("no law panics unheard")).collect()
    });
    assert!(missed.is_empty(), "missed: {missed:#?}");
}
