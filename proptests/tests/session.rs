//! The life cycle of roots: the core's session and the planted ones, by committed sequences, by drawn
//! ones against the model, and by the laws.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::Unstructured;
use mcp_roots::Revision;
use mcp_roots_proptests::corpus::SESSION_RULES;
use mcp_roots_proptests::session::{
    self, CoreSession, Event, Held, Model, PLANTED_SESSIONS, PlantedSession, SESSION_LAWS, Sequence, Session,
    SessionMachine, Step, Trace, View, session_follows_the_rules,
};
use mcp_roots_proptests::{Door, detect};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

const DOORS: [Door; 3] = [Door::Bytes, Door::Str, Door::Value];
/// Sequences drawn for each seed, and their length at most.
const DRAWN: usize = 1500;
const LENGTH: usize = 60;
const SEEDS: [u8; 2] = [1, 2];

fn runner(seed: u8) -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

fn drawn(seed: u8) -> Vec<(Revision, Vec<Event>)> {
    let mut runner = runner(seed);
    let strategy = SessionMachine::sequential_strategy(1..LENGTH);
    let draw = |_| {
        let (model, events, _) = strategy.new_tree(&mut runner).expect("it draws").current();
        (model.revision(), events)
    };
    (0..DRAWN).map(draw).collect()
}

#[test]
fn committed_sequences_go_as_written_at_every_door() {
    let sequences = session::load().unwrap();
    assert_eq!(session::complaints(&sequences), Vec::<String>::new());
    assert!(sequences.len() >= 36, "sequences only become more: {}", sequences.len());
    for sequence in &sequences {
        for door in DOORS {
            session::replay(&mut || Box::new(CoreSession::new(sequence.revision, door)), sequence);
        }
        session::replay(&mut || Box::new(Model::new(sequence.revision)), sequence);
    }
}

#[test]
fn events_read_back_as_they_are_written() {
    let events = drawn(0).into_iter().flat_map(|(_, events)| events);
    let mut count = 0;
    for event in events {
        assert_eq!(event.to_string().parse(), Ok(event));
        count += 1;
    }
    assert!(count > 10 * DRAWN, "{count}");
}

/// The core's session at each door beside the model, step by step, and under every law at the end.
struct CoreTest;

impl StateMachineTest for CoreTest {
    type SystemUnderTest = Vec<(CoreSession, Trace)>;
    type Reference = SessionMachine;

    fn init_test(model: &Model) -> Self::SystemUnderTest {
        let revision = model.revision();
        let begin = |door| (CoreSession::new(revision, door), Trace { revision, steps: Vec::new() });
        DOORS.map(begin).into()
    }

    fn apply(mut sessions: Self::SystemUnderTest, model: &Model, event: Event) -> Self::SystemUnderTest {
        for (session, trace) in &mut sessions {
            let (reply, view) = (session.see(&event), session.view());
            trace.steps.push(Step { event: event.clone(), reply, view });
            assert_eq!(session.view(), model.view(), "{trace:?}");
        }
        sessions
    }

    fn teardown(sessions: Self::SystemUnderTest, _: Model) {
        for (_, trace) in sessions {
            for law in SESSION_LAWS {
                (law.check)(&trace);
            }
        }
    }
}

/// `PROPTEST_CASES` sets the number of sequences; how many steps they had is printed.
#[test]
fn the_core_goes_as_the_model_says() {
    let config = Config { failure_persistence: None, ..Config::default() };
    let steps = AtomicUsize::new(0);
    let outcome = TestRunner::new(config.clone()).run(
        &SessionMachine::sequential_strategy(1..LENGTH),
        |(model, events, seen)| {
            steps.fetch_add(events.len(), Ordering::Relaxed);
            let test =
                || CoreTest::test_sequential(config.clone(), model.clone(), events.clone(), seen.clone());
            detect::quietly(test).map_err(TestCaseError::fail)
        },
    );
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    println!("{} sequences, {} steps at each of {} doors", config.cases, steps.into_inner(), DOORS.len());
}

#[test]
fn the_generator_reaches_every_event_reply_and_view_and_every_law_applies() {
    let (mut reached, mut laws) = (BTreeMap::<String, usize>::new(), BTreeMap::<&str, usize>::new());
    for (revision, events) in drawn(0) {
        let trace = Trace::of(&mut Model::new(revision), revision, &events);
        for law in SESSION_LAWS {
            *laws.entry(law.name).or_default() += usize::from((law.check)(&trace));
        }
        for Step { event, reply, view } in &trace.steps {
            let event = event.to_string();
            let held = match view {
                View::Asked(held) | View::NoAnswer(held) | View::Failed(_, held) => match held {
                    Held::Nothing => "nothing",
                    Held::Current(_) => "current",
                    Held::Stale(_) => "stale",
                },
                View::Current(roots, _) | View::Stale(roots) if roots.is_empty() => "empty",
                View::Unsupported(why) => why.split(' ').next().unwrap(),
                _ => "",
            };
            let view = view.to_string();
            let first = |text: &str| text.split([' ', ',', ':']).next().unwrap().to_owned();
            for what in [
                format!("event {}", first(&event)),
                format!("reply {reply}"),
                format!("view {} {held}", first(&view)),
            ] {
                *reached.entry(what).or_default() += 1;
            }
        }
    }
    let expected = [
        "event ask",
        "event deadline",
        "event error",
        "event initialize",
        "event initialized",
        "event list_changed",
        "event refresh",
        "event response",
        "event result",
        "reply ignored",
        "reply not sent",
        "reply noted",
        "reply sent",
        "reply taken",
        "reply unreadable J2",
        "reply unreadable J6",
        "view asked current",
        "view asked nothing",
        "view asked stale",
        "view current ",
        "view current empty",
        "view failed current",
        "view failed nothing",
        "view failed stale",
        "view no current",
        "view no nothing",
        "view no stale",
        "view not ",
        "view stale ",
        "view stale empty",
        "view unsupported method",
        "view unsupported revision",
        "view unsupported undeclared",
    ];
    assert_eq!(reached.keys().map(String::as_str).collect::<Vec<_>>(), expected, "{reached:#?}");
    assert!(reached.values().all(|count| *count > 30), "{reached:#?}");
    assert_eq!(laws.len(), 15);
    assert!(laws.values().all(|count| *count > 30), "{laws:#?}");
}

#[test]
fn a_fuzzers_bytes_reach_a_list_and_every_kind_of_event() {
    let mut runner = runner(3);
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 400);
    let (mut kinds, mut lists) = (BTreeSet::new(), 0);
    for _ in 0..2000 {
        let bytes = bytes.new_tree(&mut runner).unwrap().current();
        let (revision, events) = session::events(&mut Unstructured::new(&bytes)).unwrap();
        session_follows_the_rules(&mut CoreSession::new(revision, Door::Bytes), revision, &events);
        let trace = Trace::of(&mut Model::new(revision), revision, &events);
        lists += usize::from(trace.steps.iter().any(|step| step.view.list().is_some()));
        kinds.extend(events.iter().map(|event| event.to_string().split(' ').next().unwrap().to_owned()));
    }
    assert_eq!(kinds.len(), 9, "{kinds:?}");
    assert!(lists > 200, "{lists}");
}

#[test]
fn there_are_planted_faults_for_every_rule() {
    let rules: BTreeSet<&str> = PLANTED_SESSIONS.iter().map(|planted| planted.rule).collect();
    assert_eq!(rules, SESSION_RULES.into_iter().chain(["Q5"]).collect());
    let names: BTreeSet<&str> = PLANTED_SESSIONS.iter().map(|planted| planted.name).collect();
    assert_eq!(names.len(), PLANTED_SESSIONS.len(), "names of their own");
    assert!(PLANTED_SESSIONS.len() >= 53, "planted faults only become more");
}

#[test]
fn the_committed_sequences_catch_every_planted_fault() {
    let sequences = session::load().unwrap();
    let is_caught_by = |planted: &PlantedSession, sequence: &Sequence| {
        let mut begin = || Box::new(planted.session(sequence.revision)) as Box<dyn Session>;
        detect::quietly(|| session::replay(&mut begin, sequence)).is_err()
    };
    for sequence in &sequences {
        assert!(!is_caught_by(&PlantedSession::NONE, sequence), "{} of no fault", sequence.name);
    }
    let is_missed =
        |planted: &&PlantedSession| !sequences.iter().any(|sequence| is_caught_by(planted, sequence));
    let missed: Vec<_> = PLANTED_SESSIONS.iter().filter(is_missed).map(|planted| planted.name).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

#[test]
fn the_drawn_sequences_catch_every_planted_fault() {
    let mut missed = Vec::new();
    for seed in SEEDS {
        let drawn = drawn(seed);
        let is_caught = |planted: &PlantedSession| {
            drawn.iter().any(|(revision, events)| {
                let mut session = planted.session(*revision);
                let test = || assert!(session_follows_the_rules(&mut session, *revision, events) > 0);
                detect::quietly(test).is_err()
            })
        };
        assert!(!is_caught(&PlantedSession::NONE), "there is no fault");
        missed.extend(
            PLANTED_SESSIONS.iter().filter(|planted| !is_caught(planted)).map(|planted| (seed, planted.name)),
        );
    }
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

/// The laws but the first do without the model, and catch every planted fault by themselves.
#[test]
fn the_laws_without_the_model_catch_every_planted_fault() {
    let drawn = drawn(1);
    let is_missed = |planted: &&PlantedSession| {
        !drawn.iter().any(|(revision, events)| {
            let trace = Trace::of(&mut planted.session(*revision), *revision, events);
            let test = || {
                for law in &SESSION_LAWS[1..] {
                    (law.check)(&trace);
                }
            };
            detect::quietly(test).is_err()
        })
    };
    let missed: Vec<_> = PLANTED_SESSIONS.iter().filter(is_missed).map(|planted| planted.name).collect();
    assert!(missed.is_empty(), "missed: {missed:#?}");
}
