//! The decision about roots on a request's `params`: the core under its laws, and planted faults.

use std::collections::{BTreeMap, BTreeSet};

use mcp_roots_proptests::params::{self, Decider, PARAMS_LAWS, PLANTED_PARAMS};
use mcp_roots_proptests::{Core, Door, detect, laws};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const CASES: usize = 3000;
const SEEDS: [u8; 2] = [1, 2];

fn drawn(seed: u8) -> impl Iterator<Item = Vec<u8>> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = params::strategy();
    (0..CASES).map(move |_| strategy.new_tree(&mut runner).expect("it draws").current())
}

#[test]
fn committed_params_are_decided_as_the_manifest_says() {
    let entries = params::load().unwrap();
    assert_eq!(params::complaints(&entries), Vec::<String>::new());
    assert!(entries.len() >= 24, "cases only become more");
    for entry in &entries {
        params::replay(&mut Core, entry);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_core_obeys_every_law(params in params::strategy()) {
        laws::params_are_decided_right(&mut Core, &params);
    }

    #[test]
    fn any_bytes_obey_every_law(params in proptest::collection::vec(any::<u8>(), 0..64)) {
        laws::params_are_decided_right(&mut Core, &params);
    }
}

#[test]
fn the_generator_reaches_every_decision_and_every_law() {
    let (mut decisions, mut applied) = (BTreeMap::<String, usize>::new(), BTreeSet::new());
    for params in drawn(0) {
        let decision = Core.decide(&params, Door::Bytes).unwrap().to_string();
        let kind: Vec<&str> = decision.split(' ').take(2).collect();
        *decisions.entry(kind.join(" ")).or_default() += 1;
        applied.extend(PARAMS_LAWS.iter().filter(|law| (law.check)(&mut Core, &params)).map(|law| law.name));
    }
    for kind in
        ["accept", "missing", "reject C1", "reject C5", "reject A2", "reject R1", "reject U1", "reject J6"]
    {
        assert!(decisions.get(kind).is_some_and(|count| count * 200 > CASES), "{kind}: {decisions:?}");
    }
    assert_eq!(applied.len(), PARAMS_LAWS.len());
    assert_eq!(PARAMS_LAWS.len(), 5);
}

#[test]
fn the_cases_catch_every_planted_fault() {
    let entries = params::load().unwrap();
    let missed: Vec<_> = PLANTED_PARAMS
        .iter()
        .filter(|planted| {
            let mut server = planted.server();
            !entries.iter().any(|entry| detect::quietly(|| params::replay(&mut server, entry)).is_err())
        })
        .map(|planted| planted.name)
        .collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
    assert!(PLANTED_PARAMS.len() >= 23, "planted faults only become more");
}

#[test]
fn the_property_tests_catch_every_planted_fault() {
    let mut missed = Vec::new();
    for seed in SEEDS {
        let documents: Vec<_> = drawn(seed).collect();
        for planted in PLANTED_PARAMS {
            let mut server = planted.server();
            let mut is_caught = |params: &Vec<u8>| {
                detect::quietly(|| assert!(laws::params_are_decided_right(&mut server, params) > 0)).is_err()
            };
            if !documents.iter().any(&mut is_caught) {
                missed.push((seed, planted.name));
            }
        }
    }
    assert!(missed.is_empty(), "missed: {missed:#?}");
}
