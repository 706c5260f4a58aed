use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::check::{Difference, Got, Report};
use crate::fuzz;
use crate::replay::Replay;
use crate::report::{counted, text};

/// One suite: a failing case for each document that is wrong, a skipped one for each difference that
/// is no failure, a passing one for each rule.
pub(super) fn check(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    let mut junit = Junit::new("mcp-roots check");
    let mut suite = TestSuite::new(report.adapter.name.as_str());
    for (rule, counts) in &report.rules {
        if counts.right > 0 {
            let mut case =
                TestCase::new(format!("{rule}: {} right", counts.right), TestCaseStatus::success());
            case.set_classname(rule.as_str());
            suite.add_test_case(case);
        }
    }
    for difference in &report.failures {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(message(difference)).set_type(difference.got.name());
        status.set_description(description(difference));
        suite.add_test_case(case(difference, status));
    }
    for difference in report.decided.iter().chain(&report.known) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message(difference));
        suite.add_test_case(case(difference, status));
    }
    for gone in &report.gone {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message("expected as a known difference, and not there any more");
        suite.add_test_case(TestCase::new(gone.as_str(), status));
    }
    let is_empty = report.is_empty();
    run(&mut suite, report.interrupted, report.gave_up || is_empty);
    junit.add_test_suite(suite);
    write(&junit, to)
}

/// One suite: a failing case for each finding, a skipped one for each that is no failure, and a passing
/// one where there is none.
pub(super) fn fuzz(report: &fuzz::Report, replay: &Replay, to: &mut dyn Write) -> io::Result<()> {
    let mut junit = Junit::new("mcp-roots fuzz");
    let mut suite = TestSuite::new(report.adapter.name.as_str());
    let failing = report.findings.iter().map(|finding| (finding, true));
    for (finding, is_failure) in failing.chain(report.decided.iter().map(|finding| (finding, false))) {
        let fuzz::Finding { rule, place, expected, got, count, misjudged, strength, variants, .. } = finding;
        let mut status = if is_failure {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else {
            TestCaseStatus::skipped()
        };
        let docs: Vec<&str> = variants.iter().map(|variant| variant.doc.as_str()).collect();
        let strength = strength.name();
        status.set_message(format!(
            "expected {expected} ({strength}), got {got}, in {}",
            counted(*count, "case")
        ));
        let again = variants.first().map(|variant| replay.case(variant.case)).unwrap_or_default();
        let said = variants.first().map(|variant| said(&variant.got)).unwrap_or_default();
        status.set_description(format!("{}\n\n{said}{misjudged}\n{again}", docs.join("\n")));
        let name = format!("{}, got {got}", format!("{expected} {rule} {place}").trim_end());
        let mut case = TestCase::new(name, status);
        case.set_classname(rule.as_str());
        suite.add_test_case(case);
    }
    let is_cut_short = run(&mut suite, report.interrupted, report.gave_up || report.cases == 0);
    if !is_cut_short && report.findings.is_empty() {
        let name = format!("{} by seed {}", counted(report.cases, "case"), report.seed);
        suite.add_test_case(TestCase::new(name, TestCaseStatus::success()));
    }
    junit.add_test_suite(suite);
    write(&junit, to)
}

/// An error, where the run did not ask all that it was to; whether there is one.
fn run(suite: &mut TestSuite, is_interrupted: bool, is_trouble: bool) -> bool {
    if is_interrupted || is_trouble {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(if is_interrupted {
            "the run was interrupted"
        } else {
            "the adapter failed too often, or nothing was judged"
        });
        suite.add_test_case(TestCase::new("the run", status));
    }
    is_interrupted || is_trouble
}

/// One suite with one error.
pub(super) fn trouble(run: &str, why: &str, to: &mut dyn Write) -> io::Result<()> {
    let mut junit = Junit::new(run);
    let mut suite = TestSuite::new(run);
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(why);
    suite.add_test_case(TestCase::new("the run", status));
    junit.add_test_suite(suite);
    write(&junit, to)
}

fn write(junit: &Junit, to: &mut dyn Write) -> io::Result<()> {
    let xml = junit.to_string().map_err(io::Error::other)?;
    writeln!(to, "{}", xml.trim_end())
}

fn case(difference: &Difference, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(difference.document.as_str(), status);
    case.set_classname(difference.rule.as_str());
    case
}

fn message(Difference { expected, got, strength, .. }: &Difference) -> String {
    format!("expected {expected} ({}), got {}", strength.name(), got.name())
}

fn description(difference: &Difference) -> String {
    let Difference { doc, shows, misjudged, source, revisions, .. } = difference;
    let revisions: Vec<String> = revisions.iter().map(ToString::to_string).collect();
    let said = said(&difference.got);
    format!("{doc}\n\n{said}{shows}\n{misjudged}\n{source}\nrevisions: {}", revisions.join(" "))
}

/// What the adapter did, as in a report for people.
fn said(got: &Got) -> String {
    let mut text = Vec::new();
    // Text takes text.
    let _ = text::got(got, &mut anstream::StripStream::new(&mut text));
    String::from_utf8_lossy(&text).into_owned()
}
