//! The core under every law, with documents of all three kinds: valid, with one flaw, undirected.

use std::cell::RefCell;
use std::collections::BTreeMap;

use mcp_roots::Revision;
use mcp_roots_proptests::strategy::Of;
use mcp_roots_proptests::{Case, Core, Sample, Target, detect, laws, strategy};
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
    applied.assert_all_but(&["a_cut_text_is_refused", "keeps_what_it_accepts", "root_order_is_kept"]);
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
