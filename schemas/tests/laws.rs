//! The core held against the schemas, and the law held against validators that are wrong.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use mcp_roots::Revision;
use mcp_roots_proptests::strategy::{self, Of};
use mcp_roots_proptests::{
    Accepted, Case, Core, Door, PLANTED, Planted, Refusal, Sample, Target, Validator, Verdict, corpus, detect,
};
use mcp_roots_schemas::{Divergence, laws};
use proptest::prelude::*;
use proptest::sample;
use proptest::test_runner::TestRunner;

fn known(case: &Case<'_>) -> Vec<Divergence> {
    laws::differs_from_the_schema_only_as_known(&Core, case).into_iter().collect()
}

const WITH_ID: &[u8] = br#"{"id":1,"method":"roots/list"}"#;

/// The smallest documents that show a difference, and what is near them and shows none, or another.
#[rustfmt::skip]
const EXAMPLES: &[(Target, &str, &[Divergence])] = &[
    (Target::Response, r#"{"roots":[],"n":1e999}"#, &[Divergence::Limits]),
    (Target::Response, r#"{"roots":[],"n":"\ud800"}"#, &[Divergence::Limits]),
    (Target::Response, r#"{"roots":[],"n":1e}"#, &[]),
    (Target::Response, r#"{"roots":[],"roots":[]}"#, &[Divergence::EqualNames]),
    (Target::Response, r#"{"roots":[{"uri":"https://a/"}]}"#, &[Divergence::Scheme]),
    (Target::Response, r#"{"roots":[{"uri":"FILE:///a"}]}"#, &[Divergence::Scheme]),
    (Target::Response, r#"{"roots":[{"uri":"file:/a"}]}"#, &[Divergence::Scheme]),
    (Target::Response, r#"{"roots":[{"uri":"/a"}]}"#, &[]),
    (Target::Response, r#"{"roots":[{"uri":" file:///a"}]}"#, &[]),
    (Target::Request, r#"{"id":1,"method":"roots/list"}"#, &[Divergence::RequestMember]),
    (Target::Request, r#"{"id":1}"#, &[]),
    (Target::Request, r#"{"method":"roots/list","params":{"cursor":"a"}}"#, &[Divergence::ParamsMember]),
    (Target::Request, r#"{"method":"roots/list","params":null}"#, &[]),
    (Target::Capabilities, r"{}", &[Divergence::Undeclared]),
    (Target::Capabilities, r"[]", &[]),
    (Target::Capabilities, r#"{"roots":true}"#, &[]),
    (Target::Capabilities, r#"{"roots":{},"sampling":true}"#, &[Divergence::OtherCapability]),
    (Target::Capabilities, r#"{"roots":{},"sampling":null}"#, &[Divergence::OtherCapability]),
    (Target::Capabilities, r#"{"roots":{},"experimental":{"a":{"b":null}}}"#, &[Divergence::JsonValue]),
    (Target::Capabilities, r#"{"roots":{},"extensions":{"a":{"b":[0.5]}},"sampling":1}"#, &[Divergence::OtherCapability, Divergence::JsonValue]),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#, &[Divergence::OtherMeta]),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/clientCapabilities":{"roots":null},"io.modelcontextprotocol/protocolVersion":""}"#, &[Divergence::OtherMeta]),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/clientCapabilities":{"experimental":{"a":{"b":null}}},"io.modelcontextprotocol/protocolVersion":""}"#, &[Divergence::JsonValue]),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/protocolVersion":""}"#, &[]),
    (Target::InputResponses, r#"{"client_roots":{"roots":[]},"other":null}"#, &[Divergence::OtherAnswer]),
    (Target::InputResponses, r#"{"a/b~c":{"roots":null}}"#, &[Divergence::OtherAnswer]),
    (Target::InputResponses, r#"{"client_roots":{"action":"cancel"}}"#, &[Divergence::OtherQuestion]),
    (Target::InputResponses, r#"{"client_roots":{"action":"maybe"}}"#, &[]),
    (Target::InputResponses, r#"{"client_roots":{"roots":[{"uri":"a:b"}]}}"#, &[Divergence::Scheme]),
    (Target::InputResponses, r#"{"other":{"action":"accept","content":{"a":0.5}}}"#, &[Divergence::JsonValue]),
    (Target::InputResponses, r#"{"other":{"action":"accept","content":{"a":null}}}"#, &[Divergence::OtherAnswer]),
];

#[test]
fn every_difference_is_shown_by_a_small_document() {
    let mut reached = BTreeSet::new();
    for (target, doc, expected) in EXAMPLES {
        let found = known(&Case::new(*target, doc.as_bytes()));
        assert_eq!(found, *expected, "{target}: {doc}");
        reached.extend(found);
    }
    for (target, doc) in [
        (Target::Capabilities, r#"{"roots":{}}"#),
        (Target::InputResponses, r#"{"client_roots":{"roots":[]}}"#),
    ] {
        let case = Case { request: Some(WITH_ID), ..Case::new(target, doc.as_bytes()) };
        assert_eq!(known(&case), [Divergence::Request], "{target}: {doc}");
        reached.extend(known(&case));
    }
    assert_eq!(reached, BTreeSet::from(Divergence::ALL));
}

#[test]
fn an_answer_may_stand_under_any_id() {
    let doc = r#"{"a/b~c":{"roots":[{"uri":1}]},"d":null}"#;
    let case = Case { id: "a/b~c", ..Case::new(Target::InputResponses, doc.as_bytes()) };
    assert_eq!(known(&case), []);
    assert_eq!(known(&Case { id: "d", ..case }), []);
    assert_eq!(known(&Case { id: "e", ..case }), [Divergence::OtherAnswer]);
}

#[test]
fn a_difference_is_known_however_deep_it_lies() {
    for (open, close) in [(r#"{"a":"#, "}"), ("[", "]")] {
        let deep = |value: &str| format!("{}{value}{}", open.repeat(120), close.repeat(120));
        let doc = |value| format!(r#"{{"roots":{{}},"experimental":{{"a":{{"b":{}}}}}}}"#, deep(value));
        assert_eq!(known(&Case::new(Target::Capabilities, doc("1").as_bytes())), []);
        assert_eq!(known(&Case::new(Target::Capabilities, doc("null").as_bytes())), [Divergence::JsonValue]);
    }
}

#[test]
fn the_readme_lists_every_difference_with_a_document_that_shows_it() {
    let rows: Vec<Vec<&str>> = include_str!("../README.md")
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split(" | ").collect()))
        .collect();
    let names: Vec<String> = rows.iter().map(|row| row[0].trim_end_matches('`').to_owned()).collect();
    assert_eq!(names, Divergence::ALL.map(|divergence| format!("{divergence:?}")));
    for (row, divergence) in rows.iter().zip(Divergence::ALL) {
        let doc = row[2].split('`').nth(1).unwrap();
        let request = (divergence == Divergence::Request).then_some(WITH_ID);
        let shown = Target::ALL.into_iter().filter(|target| {
            known(&Case { request, ..Case::new(*target, doc.as_bytes()) }).contains(&divergence)
        });
        assert!(shown.count() > 0, "{doc}");
    }
}

#[test]
fn over_the_corpus_every_difference_is_known() {
    let mut cases = 0;
    let mut reached = BTreeMap::<Divergence, usize>::new();
    for entry in corpus::load().unwrap() {
        for case in entry.cases() {
            for divergence in laws::differs_from_the_schema_only_as_known(&Core, &case) {
                *reached.entry(divergence).or_default() += 1;
            }
            cases += 1;
        }
        laws::every_difference_is_known(&Core, &entry.doc);
    }
    assert!(cases > 3800, "{cases}");
    assert_eq!(reached.len(), Divergence::ALL.len(), "{reached:?}");
}

/// Draws documents; the number that were judged, and the differences they reached.
fn drawn(samples: impl Strategy<Value = Sample>) -> (usize, BTreeSet<Divergence>) {
    let seen = RefCell::new((0, BTreeSet::new()));
    let config =
        ProptestConfig { cases: detect::CASES, failure_persistence: None, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&samples, |sample| {
        let judge = || {
            let found = laws::differs_from_the_schema_only_as_known(&Core, &sample.case());
            let mut seen = seen.borrow_mut();
            seen.0 += 1;
            seen.1.extend(found);
        };
        detect::quietly(judge).map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    seen.into_inner()
}

#[test]
fn of_valid_documents_every_difference_is_known() {
    let (judged, reached) = drawn(strategy::sample(Of::Valid));
    assert_eq!(judged, detect::CASES as usize);
    assert!(reached.is_superset(&[Divergence::OtherMeta, Divergence::OtherAnswer].into()), "{reached:?}");
    let laxer = [Divergence::OtherCapability, Divergence::JsonValue];
    assert!(reached.len() <= 2 + laxer.len() && reached.iter().all(|it| *it >= Divergence::OtherCapability));
}

/// A valid document with one neighbour that the schema types.
fn with_a_neighbour() -> impl Strategy<Value = Sample> {
    let questions = strategy::questions().into_iter().filter(|(target, _)| {
        matches!(target, Target::Capabilities | Target::InputResponses | Target::RequestMeta)
    });
    let names = ["sampling", "elicitation", "experimental", "extensions", "tasks"];
    let question = sample::select(questions.collect::<Vec<_>>());
    (question, sample::select(names.to_vec()), strategy::json(), any::<bool>()).prop_map(
        |((target, revision), name, json, is_nested)| {
            let json = json.text();
            let typed = if is_nested { format!(r#"{{"a":{{"b":{json}}}}}"#) } else { json.clone() };
            let doc = match target {
                Target::Capabilities => format!(r#"{{"roots":{{}},"{name}":{typed}}}"#),
                Target::InputResponses if is_nested => {
                    format!(r#"{{"client_roots":{{"roots":[]}},"b":{{"action":"accept","content":{{"c":{json}}}}}}}"#)
                }
                Target::InputResponses => format!(r#"{{"b":{json}}}"#),
                _ => format!(r#"{{"io.modelcontextprotocol/clientCapabilities":{{"{name}":{typed}}},"io.modelcontextprotocol/protocolVersion":""}}"#),
            };
            Sample { target, revision, doc: doc.into_bytes(), request: None, flaw: None, expected: None }
        },
    )
}

#[test]
fn of_typed_neighbours_every_difference_is_known() {
    let (judged, reached) = drawn(with_a_neighbour());
    assert_eq!(judged, detect::CASES as usize);
    let laxer =
        [Divergence::OtherCapability, Divergence::OtherMeta, Divergence::OtherAnswer, Divergence::JsonValue];
    assert_eq!(reached, laxer.into());
}

#[test]
fn of_documents_with_one_flaw_every_difference_is_known() {
    let (judged, reached) = drawn(strategy::sample(Of::Flawed));
    assert_eq!(judged, detect::CASES as usize);
    let stricter = [
        Divergence::Limits,
        Divergence::EqualNames,
        Divergence::Scheme,
        Divergence::RequestMember,
        Divergence::ParamsMember,
        Divergence::Undeclared,
        Divergence::Request,
    ];
    assert!(reached.is_superset(&stricter.into()), "{reached:?}");
}

#[test]
fn of_undirected_documents_every_difference_is_known() {
    let (judged, reached) = drawn(strategy::sample(Of::Undirected));
    assert_eq!(judged, detect::CASES as usize);
    assert!(reached.len() >= 6, "{reached:?}");
}

/// Says the same of every document.
struct Always(Verdict);

impl Validator for Always {
    fn judge(&self, _: &Case<'_>, _: Door) -> Option<Verdict> {
        Some(self.0.clone())
    }
}

fn catches(validator: &dyn Validator, case: &Case<'_>) -> bool {
    detect::quietly(|| drop(laws::differs_from_the_schema_only_as_known(validator, case))).is_err()
}

#[test]
fn a_careless_validator_is_caught() {
    let accepts = Always(Verdict::Accept(Accepted::default()));
    let misses = Always(Verdict::Missing);
    let refuses =
        |rule: &str, at: &str| Always(Verdict::Reject(Refusal { rule: rule.to_owned(), at: at.to_owned() }));
    let response = |doc| Case::new(Target::Response, doc);
    assert!(catches(&accepts, &response(b"{}")));
    assert!(catches(&accepts, &response(b"{")));
    assert!(catches(&accepts, &response(br#"{"roots":[],"roots":[]}"#)));
    assert!(catches(&accepts, &response(br#"{"roots":[],"n":1e999}"#)));
    assert!(!catches(&accepts, &response(br#"{"roots":[]}"#)));
    // A difference is known for what it is, and where it is.
    for (rule, at) in
        [("R1", ""), ("J2", ""), ("U1", ""), ("U1", "/roots/1/uri"), ("Q3", ""), ("U2", "/roots/0/uri")]
    {
        let doc = br#"{"roots":[{"uri":"https://a/"},{"uri":"file:///"}]}"#;
        assert!(catches(&refuses(rule, at), &response(doc)), "{rule} at {at:?}");
    }
    let requests = |doc| Case::new(Target::Request, doc);
    assert!(catches(&refuses("Q3", ""), &requests(br#"{"method":"roots/list"}"#)));
    assert!(catches(
        &refuses("Q4", "/params"),
        &requests(br#"{"method":"roots/list","params":{"_meta":{}}}"#)
    ));
    let wire = br#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    assert!(catches(&refuses("Q3", ""), &Case { revision: Revision::V2025_11_25, ..requests(wire) }));
    assert!(catches(&refuses("C1", ""), &Case::new(Target::Capabilities, br#"{"roots":{}}"#)));
    let map = Case::new(Target::InputResponses, br#"{"client_roots":{"roots":[]}}"#);
    assert!(catches(&misses, &map) && catches(&refuses("A4", ""), &map));
    assert!(catches(&accepts, &map.with_doc(b"{}")) && !catches(&misses, &map.with_doc(b"{}")));
    assert!(catches(&accepts, &Case { request: Some(WITH_ID), ..map }));
    // What no schema asks for is asked for all the same.
    for (target, doc, divergences) in EXAMPLES {
        let case = Case::new(*target, doc.as_bytes());
        let is_laxer = divergences
            .iter()
            .all(|it| *it >= Divergence::OtherCapability && *it != Divergence::OtherQuestion);
        if !divergences.is_empty() && !is_laxer {
            assert!(catches(&accepts, &case), "{target}: {doc}");
        }
    }
}

/// The planted faults that the schemas do not show in the committed documents.
const MISSED: &[&str] = &[
    // What is kept, compared, given and said of a document is nothing of a schema's.
    "the kept document is written anew",
    "the kept document loses what stands around it",
    "answers are equal whose roots are",
    "answers are equal that stand in one place",
    "the kept answer is the whole map",
    "an undeclared capability is invalid params",
    "the error of a missing capability has no data",
    "equal roots are merged",
    "roots are sorted",
    "names are trimmed",
    "names are normalised",
    "percent-encodings are written in upper case",
    "dot segments are resolved",
    "a final slash is cut off",
    "the text for the developer repeats the document",
    "the text for the developer tells the length",
    "the message for the peer tells the rule",
    "the error for the peer repeats the document",
    // Nor is the order of several faults, or the place of one in a text.
    "the last fault is reported",
    "what is missing is reported first",
    "a wrong container is reported at its end",
    "a fault of text has a place",
    // It shows once a document is written in another style.
    "names are compared as they are spelled",
];

#[test]
fn planted_faults_are_caught_but_for_those_that_no_schema_can_show() {
    let corpus = corpus::load().unwrap();
    let is_caught = |planted: &&Planted| {
        // The documents that bear on its rule are likely to show it.
        let (bearing, others): (Vec<_>, Vec<_>) =
            corpus.iter().partition(|entry| entry.about.cites.iter().any(|rule| rule == planted.rule));
        // Long ones take a schema's validator long.
        let others = others.into_iter().filter(|entry| entry.doc.len() < 1024);
        let mut cases = bearing.into_iter().chain(others).flat_map(corpus::Entry::cases);
        cases.any(|case| catches(*planted, &case))
    };
    let missed: Vec<&str> =
        PLANTED.iter().filter(|planted| !is_caught(planted)).map(|planted| planted.name).collect();
    assert_eq!(missed.iter().collect::<BTreeSet<_>>(), MISSED.iter().collect());
    assert!(PLANTED.len() - missed.len() >= 150, "{} of {}", missed.len(), PLANTED.len());
}
