//! Paths and boundaries: the corpus, the core under every law, the generators' reach, and the planted
//! faults.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Arbitrary, Unstructured};
use mcp_roots::{NoFilePath, Platform};
use mcp_roots_proptests::corpus::ROOT_RULES;
use mcp_roots_proptests::paths::hostile::{
    AUTHORITIES, DRIVES, Family, HostileUri, Relation, SCHEMES, SEGMENTS, TAILS, family,
};
use mcp_roots_proptests::paths::{
    Divergence, PLANTED, Paths, Planted, corpus, detect, divergence, laws, reference,
};
use mcp_roots_proptests::{Core, detect as documents};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const SEEDS: [u64; 2] = [1, 2];

#[test]
fn the_corpus_is_answered_as_it_expects() {
    let cases = corpus::load().unwrap();
    assert_eq!(corpus::complaints(&cases), Vec::<String>::new());
    let asked: usize = cases.iter().map(|case| corpus::replay(&Core, case)).sum();
    assert!(cases.len() >= 177, "{} cases: the corpus only grows", cases.len());
    assert_eq!(asked, 2 * cases.len());
}

#[test]
fn hostile_paths_obey_every_law() {
    let applied = RefCell::new(BTreeMap::<&str, usize>::new());
    let config = Config { cases: documents::CASES, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&family(), |family| {
        let hold = || {
            family.ask(|question| {
                for law in laws::LAWS {
                    let had_something_to_say = (law.check)(&Core, &question);
                    *applied.borrow_mut().entry(law.name).or_default() += usize::from(had_something_to_say);
                }
            });
        };
        documents::quietly(hold).map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let applied = applied.into_inner();
    assert_eq!(applied.len(), laws::LAWS.len());
    assert!(applied.values().all(|count| *count > 200), "{applied:?}");
}

#[test]
fn every_law_is_in_the_list_of_laws() {
    const LAWS: &str = include_str!("../src/paths/laws.rs");
    let signature = "(paths: &dyn Paths, question: &Question<'_>) -> bool";
    let functions = LAWS.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split_once(signature));
    let functions: BTreeSet<&str> = functions.map(|(name, _)| name).collect();
    assert_eq!(laws::LAWS.iter().map(|law| law.name).collect::<BTreeSet<_>>(), functions);
    assert!(functions.len() >= 14, "laws only become more");
}

/// What a number of families reach.
#[derive(Default)]
struct Reach {
    parts: BTreeSet<String>,
    relations: BTreeSet<String>,
    reasons: BTreeSet<NoFilePath>,
    divergences: BTreeSet<Divergence>,
    inside: usize,
    with_paths: usize,
    longest: usize,
    count: usize,
}

impl Reach {
    fn add(&mut self, family: &Family) {
        let mut uri = |uri: &HostileUri| {
            let parts = [("scheme", uri.scheme), ("authority", uri.authority), ("tail", uri.tail)];
            let drive = uri.drive.map(|drive| ("drive", drive));
            let segments = uri.segments.iter().map(|segment| ("segment", segment.as_str()));
            let parts = parts.into_iter().chain(drive).chain(segments);
            self.parts.extend(parts.map(|(what, part)| format!("{what} {part}")));
        };
        uri(&family.root);
        for relation in &family.relations {
            if let Relation::Other(other) = relation {
                uri(other);
            }
            let name = format!("{relation:?}");
            self.relations.insert(name.split(['(', ' ']).next().unwrap().to_owned());
        }
        family.ask(|question| {
            let [root, candidate, _] = question.uris;
            let readings = [root, candidate].map(|uri| reference::of_uri(uri, question.platform));
            for (uri, reading) in [root, candidate].into_iter().zip(&readings) {
                let verdict = reading.clone().verdict();
                self.longest = self.longest.max(uri.len());
                if Platform::HOST == Platform::Posix && question.platform == Platform::Posix {
                    self.divergences.extend(divergence(uri, &verdict).expect("it is explained"));
                }
                self.reasons.extend(verdict.err());
            }
            self.with_paths += usize::from(readings.iter().all(|reading| reading.reasons.is_empty()));
            self.inside += usize::from(Core.contains(root, candidate, question.platform));
        });
        self.count += 1;
    }

    fn assert_all(&self) {
        let tables = [
            ("scheme", SCHEMES),
            ("authority", AUTHORITIES),
            ("drive", DRIVES),
            ("segment", SEGMENTS),
            ("tail", TAILS),
        ];
        for (what, table) in tables {
            for part in table {
                assert!(
                    self.parts.contains(&format!("{what} {part}")),
                    "the {what} {part:?} was not reached"
                );
            }
        }
        assert_eq!(self.relations.len(), 8, "{:?}", self.relations);
        assert_eq!(self.reasons, BTreeSet::from(NoFilePath::ALL));
        if Platform::HOST == Platform::Posix {
            assert_eq!(self.divergences, BTreeSet::from(Divergence::ALL));
        }
        assert!(self.longest > 2000, "the longest has {} bytes", self.longest);
        let percent = |count: usize| 100 * count / self.count;
        let (with_paths, inside) = (percent(self.with_paths), percent(self.inside));
        assert!((25..=60).contains(&with_paths), "{with_paths} % have two paths");
        let of_them = 100 * inside / with_paths;
        assert!((30..=80).contains(&of_them), "{of_them} % of those are inside");
    }
}

#[test]
fn the_strategy_reaches_every_trick_and_reason() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut reach = Reach::default();
    for _ in 0..12_000 {
        reach.add(&family().new_tree(&mut runner).unwrap().current());
    }
    reach.assert_all();
}

#[test]
fn a_fuzzers_bytes_reach_every_trick_and_reason() {
    let mut state = 1_u64;
    let mut reach = Reach::default();
    for _ in 0..12_000 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            })
            .collect();
        let family = Family::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        family.ask(|question| laws::inside_is_the_references(&Core, &question));
        reach.add(&family);
    }
    reach.assert_all();
}

#[test]
fn there_are_planted_faults_for_every_rule() {
    let rules: BTreeSet<&str> = PLANTED.iter().map(|planted| planted.rule).collect();
    // U4 has its own; B6 is documentation.
    let planted = ROOT_RULES.into_iter().filter(|rule| !["U4", "B6"].contains(rule)).chain(["U1", "U2"]);
    assert_eq!(rules, planted.collect());
    let names: BTreeSet<&str> = PLANTED.iter().map(|planted| planted.name).collect();
    assert_eq!(names.len(), PLANTED.len(), "names of their own");
    assert!(PLANTED.len() >= 80, "{}", PLANTED.len());
}

#[test]
fn the_corpus_catches_every_planted_fault() {
    let cases = corpus::load().unwrap();
    assert_eq!(detect::by_corpus(&Planted::NONE, &cases), None, "the reference itself is right");
    let missed = PLANTED.iter().filter(|planted| detect::by_corpus(*planted, &cases).is_none());
    let missed: Vec<_> = missed.map(|planted| planted.name).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

#[test]
fn the_property_tests_catch_every_planted_fault() {
    assert_eq!(detect::by_properties(&Planted::NONE, 1), None, "the reference itself is right");
    let missed: Vec<(u64, &str)> = SEEDS
        .into_iter()
        .flat_map(|seed| PLANTED.iter().map(move |planted| (seed, planted)))
        .filter(|(seed, planted)| detect::by_properties(*planted, *seed).is_none())
        .map(|(seed, planted)| (seed, planted.name))
        .collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

#[test]
fn no_path_is_too_long() {
    let long = format!("file:///{}", "a/../b/%2e/".repeat(200_000));
    let path = Core.path_of_uri(&long, Platform::Posix).unwrap();
    assert_eq!(path.len(), 2 * 200_000);
    assert!(Core.contains("file:///b", &long, Platform::Posix));
}
