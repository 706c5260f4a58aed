//! The core under every law, with documents of all three kinds: valid, with one flaw, undirected.

use std::cell::RefCell;
use std::collections::BTreeMap;

use mcp_roots::Revision;
use mcp_roots_proptests::{Case, Core, Target, laws, strategy};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// How often each law had something to say.
#[derive(Default)]
struct Applied(RefCell<BTreeMap<&'static str, usize>>);

impl Applied {
    fn hold(&self, case: &Case<'_>) {
        for law in laws::LAWS {
            let applied = (law.check)(&Core, case);
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

fn question() -> impl Strategy<Value = (Target, Revision)> {
    let all = Target::ALL.into_iter().flat_map(|target| {
        let revisions = Revision::ALL.into_iter().filter(move |revision| target.exists_in(*revision));
        revisions.map(move |revision| (target, revision))
    });
    proptest::sample::select(all.collect::<Vec<_>>())
}

fn run<S: Strategy>(strategy: &S, test: impl Fn(S::Value)) {
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    if let Err(failure) = runner.run(strategy, |value| {
        test(value);
        Ok(())
    }) {
        panic!("{failure}");
    }
}

#[test]
fn valid_documents_obey_every_law() {
    let applied = Applied::default();
    let samples = question().prop_flat_map(|(target, revision)| strategy::valid_sample(target, revision));
    run(&samples, |sample| {
        laws::gets_what_is_known(&Core, &sample);
        applied.hold(&sample.case());
    });
    applied.assert_all_but(&["errors_leak_nothing"]);
}

#[test]
fn documents_with_one_flaw_obey_every_law() {
    let applied = Applied::default();
    let samples = question().prop_flat_map(|(target, revision)| strategy::flawed(target, revision));
    run(&samples, |sample| {
        laws::gets_what_is_known(&Core, &sample);
        applied.hold(&sample.case());
    });
    applied.assert_all_but(&["a_cut_text_is_refused", "keeps_what_it_accepts", "root_order_is_kept"]);
}

#[test]
fn undirected_documents_obey_every_law() {
    let applied = Applied::default();
    let documents = question().prop_flat_map(|(target, revision)| {
        strategy::undirected(target).prop_map(move |doc| (target, revision, doc))
    });
    run(&documents, |(target, revision, doc)| {
        laws::judged_right(&Core, target, &doc);
        applied.hold(&Case { revision, ..Case::new(target, &doc) });
    });
    applied.assert_all_but(&[]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_judged_right(doc in proptest::collection::vec(any::<u8>(), 0..64), (target, _) in question()) {
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
