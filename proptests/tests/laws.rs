//! The core under every law, with documents of all three kinds: valid, with one flaw, undirected.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use mcp_roots::Revision;
use mcp_roots_proptests::strategy::Of;
use mcp_roots_proptests::{Case, Core, Planted, Sample, Target, Validator, corpus, detect, laws, strategy};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// How often each law had something to say.
#[derive(Default)]
struct Applied(RefCell<BTreeMap<&'static str, usize>>);

impl Applied {
    fn hold(&self, sample: &Sample) {
        laws::gets_what_is_known(&Core, sample);
        for law in laws::LAWS {
            let applied = (law.check)(&Core, &sample.case());
            *self.0.borrow_mut().entry(law.name).or_default() += usize::from(applied);
        }
    }

    /// Laws that never had anything to say were never tested.
    fn assert_all_but(self, silent: &[&str]) {
        let counts = self.0.into_inner();
        assert_eq!(counts.len(), laws::LAWS.len());
        let never: Vec<_> = counts.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
        assert_eq!(never, silent, "{counts:?}");
    }
}

fn run(kind: Of, test: impl Fn(Sample)) {
    let config =
        ProptestConfig { cases: detect::CASES, failure_persistence: None, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config)
        .run(&strategy::sample(kind), |sample| detect::quietly(|| test(sample)).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

#[test]
fn valid_documents_obey_every_law() {
    let applied = Applied::default();
    run(Of::Valid, |sample| applied.hold(&sample));
    applied.assert_all_but(&["errors_leak_nothing"]);
}

#[test]
fn documents_with_one_flaw_obey_every_law() {
    let applied = Applied::default();
    run(Of::Flawed, |sample| applied.hold(&sample));
    applied.assert_all_but(&[
        "a_cut_text_is_refused",
        "keeps_what_it_accepts",
        "root_order_is_kept",
        "what_is_kept_is_compared",
    ]);
}

#[test]
fn undirected_documents_obey_every_law() {
    let applied = Applied::default();
    run(Of::Undirected, |sample| {
        laws::judged_right(&Core, sample.target, &sample.doc);
        applied.hold(&sample);
    });
    applied.assert_all_but(&[]);
}

/// What a fuzzer asks of many documents finds the faults of one revision, too.
#[test]
fn every_revision_is_drawn_and_a_fault_of_one_is_found() {
    // With white space around it, a document is the same and draws another revision.
    let padded = |doc: &str| (0..64).map(|count| " ".repeat(count) + doc).collect::<Vec<_>>();
    let drawn = |doc: &String| laws::judged_right_by_lot(&Core, Target::Response, doc.as_bytes());
    let revisions: HashSet<_> = padded(r#"{"roots":[]}"#).iter().filter_map(drawn).collect();
    assert_eq!(revisions.len(), Revision::ALL.len() - 1, "{revisions:?}");
    assert_eq!(
        laws::judged_right_by_lot(&Core, Target::InputResponses, b"{}"),
        None,
        "there is one revision"
    );

    let count = |fault, doc| {
        let fault = Planted::named(fault).unwrap();
        let is_found = |doc: &&String| {
            detect::quietly(|| _ = laws::judged_right_by_lot(fault, Target::Response, doc.as_bytes()))
                .is_err()
        };
        padded(doc).iter().filter(is_found).count()
    };
    let meta = r#"{"roots":[],"_meta":0}"#;
    assert_eq!(count("_meta of a result is not judged", meta), 64, "all but the newest judge it");
    let found = count(
        "_meta of a root is judged in the oldest revisions",
        r#"{"roots":[{"uri":"file:///","_meta":0}]}"#,
    );
    assert!((1..64).contains(&found), "in the two oldest revisions: {found}");
}

#[test]
fn every_law_finds_a_planted_fault_by_itself() {
    const FINDS: &[(&str, &str, &str)] = &[
        ("agrees_with_the_reference", "a byte order mark is skipped", "response/byte-order-mark"),
        ("doors_agree", "a wire request holds nothing else", "request/wire-extra-members"),
        (
            "keeps_what_it_accepts",
            "the kept document loses what stands around it",
            "response/spec-project-directory",
        ),
        ("what_is_kept_is_compared", "answers are equal whose roots are", "response/spec-project-directory"),
        (
            "errors_leak_nothing",
            "the error of a missing capability has no data",
            "capabilities/absent-with-neighbours",
        ),
        (
            "unknown_members_play_no_part",
            "unknown members of a root are refused",
            "response/bad-root-third-of-four",
        ),
        (
            "member_order_plays_no_part",
            "the request is not judged before it is put",
            "capabilities/request-with-envelope",
        ),
        ("style_plays_no_part", "a carriage return is no white space", "response/bad-root-third-of-four"),
        ("root_order_is_kept", "roots are sorted", "response/distinct-equal-in-siblings"),
        (
            "roots_are_judged_one_by_one",
            "only the grammar of the first root is judged",
            "response/bad-root-third-of-four",
        ),
        ("what_is_needed_is_missed", "uri may be missing", "response/bad-root-third-of-four"),
        ("an_array_is_no_object", "an array stands for a root", "response/bad-root-third-of-four"),
        (
            "an_answer_is_judged_where_it_stands",
            "the kept answer is the whole map",
            "response/distinct-by-blank",
        ),
        ("a_cut_text_is_refused", "text after the document is left alone", "response/comma-after-document"),
    ];
    let corpus = corpus::load().unwrap();
    for (name, fault, document) in FINDS {
        let law = laws::LAWS.iter().find(|law| law.name == *name).unwrap_or_else(|| panic!("no law {name}"));
        let fault = Planted::named(fault).unwrap_or_else(|| panic!("no planted fault {fault}"));
        let entry = corpus.iter().find(|entry| format!("{}/{}", entry.target, entry.name) == *document);
        let entry = entry.unwrap_or_else(|| panic!("no document {document}"));
        let finds = |validator: &dyn Validator| {
            entry.cases().any(|case| detect::quietly(|| _ = (law.check)(validator, &case)).is_err())
        };
        assert!(finds(fault), "{name} does not find that {} in {document}", fault.name);
        assert!(!finds(&Core) && !finds(&Planted::NONE), "{name} finds what is not there");
    }
    assert_eq!(FINDS.len(), laws::LAWS.len(), "every law is here");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_judged_right(doc in proptest::collection::vec(any::<u8>(), 0..64), target in proptest::sample::select(&Target::ALL[..])) {
        laws::judged_right(&Core, target, &doc);
    }

    #[test]
    fn the_answer_may_stand_under_any_id(model in strategy::valid(Target::Response), id in ".*") {
        let doc = format!(
            "{{{}:{}}}",
            serde_json::to_string(&id).unwrap(),
            model.json(Revision::default()).text(),
        );
        let case = Case { id: &id, ..Case::new(Target::InputResponses, doc.as_bytes()) };
        prop_assert!(laws::all(&Core, &case) > 3);
        let other = format!("{id}.");
        let case = Case { id: &other, ..case };
        prop_assert!(laws::agrees_with_the_reference(&Core, &case));
    }
}
