//! The generators make what they say, and all of it: every flaw, every rule, every accepting path.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use mcp_roots::Revision;
use mcp_roots_proptests::corpus::REPORTABLE;
use mcp_roots_proptests::{Case, Core, Door, FLAWS, Sample, Target, Validator, Verdict, laws, strategy};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn runner() -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn draw<S: Strategy>(runner: &mut TestRunner, strategy: &S) -> S::Value {
    strategy.new_tree(runner).expect("it draws").current()
}

#[test]
fn every_flaw_is_refused_for_that_flaw_wherever_it_applies() {
    const EACH: usize = 12;
    let mut runner = runner();
    let mut put = BTreeMap::<&str, usize>::new();
    for (target, revision) in strategy::questions() {
        for flaw in FLAWS.iter().filter(|flaw| flaw.applies(target, revision)) {
            let strategy = strategy::with_flaw(flaw, target, revision);
            for _ in 0..EACH {
                laws::gets_what_is_known(&Core, &draw(&mut runner, &strategy));
            }
            *put.entry(flaw.name).or_default() += EACH;
        }
    }
    let names: BTreeSet<_> = FLAWS.iter().map(|flaw| flaw.name).collect();
    assert_eq!(names.len(), FLAWS.len(), "flaws have names of their own");
    assert_eq!(put.keys().copied().collect::<BTreeSet<_>>(), names, "each was put somewhere");
    assert!(FLAWS.len() >= 333, "flaws only become more: {}", FLAWS.len());
}

#[test]
fn every_reportable_rule_has_flaws() {
    let rules: BTreeSet<_> = FLAWS.iter().map(|flaw| flaw.rule).collect();
    assert_eq!(rules, BTreeSet::from(REPORTABLE));
}

#[test]
fn the_strategy_of_flawed_documents_reaches_every_flaw_and_rule() {
    let mut runner = runner();
    let (mut flaws, mut rules) = (BTreeSet::new(), BTreeSet::new());
    for (target, revision) in strategy::questions() {
        let strategy = strategy::flawed(target, revision);
        for _ in 0..2500 {
            let sample = draw(&mut runner, &strategy);
            let flaw = sample.flaw.expect("it has one");
            rules.insert(flaw.rule);
            flaws.insert(flaw.name);
        }
    }
    assert_eq!(flaws.len(), FLAWS.len());
    assert_eq!(rules, BTreeSet::from(REPORTABLE));
}

#[test]
fn valid_documents_take_every_accepting_path() {
    let mut runner = runner();
    let mut seen = BTreeSet::new();
    for (target, revision) in strategy::questions() {
        let strategy = strategy::valid_sample(target, revision);
        for _ in 0..400 {
            let sample = draw(&mut runner, &strategy);
            laws::gets_what_is_known(&Core, &sample);
            assert!(Core.judge(&sample.case(), Door::Value).is_some(), "it comes in by the door Value too");
            let text = String::from_utf8(sample.doc.clone()).expect("valid documents are text");
            match Core.judge(&sample.case(), Door::Bytes) {
                Some(Verdict::Accept(accepted)) => {
                    seen.insert(format!("{target} accepted"));
                    for (what, is_there) in [
                        ("no root", accepted.roots.is_empty()),
                        ("many roots", accepted.roots.len() > 2),
                        ("more roots than a byte counts", accepted.roots.len() > 255),
                        ("no name", accepted.roots.iter().any(|(_, name)| name.is_none())),
                        ("empty name", accepted.roots.iter().any(|(_, name)| name.as_deref() == Some(""))),
                        ("a host", accepted.roots.iter().any(|(uri, _)| !uri.starts_with("file:///"))),
                        ("an IP literal", accepted.roots.iter().any(|(uri, _)| uri.starts_with("file://["))),
                        ("a query", accepted.roots.iter().any(|(uri, _)| uri.contains('?'))),
                        ("a fragment", accepted.roots.iter().any(|(uri, _)| uri.contains('#'))),
                        ("a percent-encoding", accepted.roots.iter().any(|(uri, _)| uri.contains('%'))),
                    ] {
                        if is_there && target == Target::Response {
                            seen.insert(what.to_owned());
                        }
                    }
                }
                Some(Verdict::Missing) => drop(seen.insert("missing".to_owned())),
                verdict => panic!("{verdict:?}"),
            }
            for (what, part) in [
                ("an escape", "\\u"),
                ("a line break", "\n"),
                ("an escaped slash", "\\/"),
                ("_meta", "_meta"),
            ] {
                if text.contains(part) {
                    seen.insert(what.to_owned());
                }
            }
        }
    }
    assert_eq!(seen.len(), Target::ALL.len() + 10 + 1 + 4, "{seen:?}");
}

#[test]
fn undirected_documents_are_neither_all_valid_nor_all_refused_for_one_reason() {
    const DRAWN: usize = 3000;
    let mut runner = runner();
    let mut rules = BTreeSet::new();
    for target in Target::ALL {
        let strategy = strategy::undirected(target);
        let mut refused = 0;
        for _ in 0..DRAWN {
            let doc = draw(&mut runner, &strategy);
            laws::judged_right(&Core, target, &doc);
            let mut is_refused_by_all = true;
            for case in Case::new(target, &doc).in_every_revision() {
                match Core.judge(&case, Door::Bytes) {
                    Some(Verdict::Reject(refusal)) => drop(rules.insert(refusal.rule)),
                    _ => is_refused_by_all = false,
                }
            }
            refused += usize::from(is_refused_by_all);
        }
        let share = 100 * refused / DRAWN;
        assert!((40..=95).contains(&share), "{share} % of {target} are refused");
    }
    let reached: BTreeSet<&str> = rules.iter().map(String::as_str).collect();
    // A4 takes another request than the bare one.
    let expected: BTreeSet<&str> = REPORTABLE.into_iter().filter(|rule| *rule != "A4").collect();
    assert_eq!(reached, expected);
}

#[test]
fn a_fuzzers_bytes_reach_every_flaw_of_a_response_and_half_of_them_none() {
    const DRAWN: usize = 12_000;
    let mut state = 1_u64;
    let mut flaws = BTreeSet::new();
    let mut flawed = 0;
    for _ in 0..DRAWN {
        let bytes: Vec<u8> = (0..400)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            })
            .collect();
        let sample =
            Sample::arbitrary(Target::Response, &mut Unstructured::new(&bytes)).expect("bytes suffice");
        laws::gets_what_is_known(&Core, &sample);
        if let Some(flaw) = sample.flaw {
            flawed += 1;
            flaws.insert(flaw.name);
        }
    }
    let possible = |flaw: &&_| {
        strategy::questions().into_iter().any(|(target, revision)| {
            let flaw: &mcp_roots_proptests::Flaw = flaw;
            target == Target::Response && flaw.applies(target, revision)
        })
    };
    assert_eq!(flaws.len(), FLAWS.iter().filter(possible).count());
    let share = 100 * flawed / DRAWN;
    assert!((45..=55).contains(&share), "{share} % have a flaw");
}

#[test]
fn a_failing_document_shrinks_to_one_that_can_be_read() {
    /// Accepts a `null` name.
    struct Lax;
    impl Validator for Lax {
        fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict> {
            match Core.judge(case, door)? {
                Verdict::Reject(refusal) if refusal.rule == "R3" => Some(Verdict::Missing),
                verdict => Some(verdict),
            }
        }
    }
    let flaw = FLAWS.iter().find(|flaw| flaw.name == "name null").expect("it is there");
    let strategy = strategy::with_flaw(flaw, Target::Response, Revision::default());
    let outcome = runner().run(&strategy, |sample| {
        let verdict = Lax.judge(&sample.case(), Door::Bytes).expect("bytes are taken");
        if sample.expected.as_ref().unwrap().is(&verdict) {
            Ok(())
        } else {
            Err(proptest::test_runner::TestCaseError::fail("lax"))
        }
    });
    let Err(proptest::test_runner::TestError::Fail(_, sample)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(String::from_utf8(sample.doc).unwrap(), r#"{"roots":[{"uri":"file:///","name":null}]}"#);
}
