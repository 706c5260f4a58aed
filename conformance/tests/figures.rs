//! The script's judgement of what the runner wrote: strict about figures, deaf to all else.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_roots_conformance::figures::{Figures, report, scenarios};

/// As the runner wrote it of a server that was not there; it ended in 1 the first time, in 0 the second.
const FAILURE: &str = include_str!("recorded/failure.json");
const WARNING: &str = include_str!("recorded/warning.json");

/// A folder of results that is gone after the test.
struct Results(PathBuf);

impl Results {
    /// All well, but for what a test makes of it.
    fn all_well(test: &str) -> Self {
        let results =
            Self(std::env::temp_dir().join(format!("mcp-roots-figures-{}-{test}", std::process::id())));
        for (scenario, checks) in scenarios() {
            results.write(scenario, &successes(checks));
        }
        results
    }

    fn run(&self, scenario: &str) -> PathBuf {
        self.0.join(scenario).join(format!("server-{scenario}-2026-11-30T16-50-48-606Z"))
    }

    fn write(&self, scenario: &str, checks: &str) {
        fs::create_dir_all(self.run(scenario)).unwrap();
        fs::write(self.run(scenario).join("checks.json"), checks).unwrap();
    }

    fn complaints(&self) -> Vec<String> {
        report(&self.0).1
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn successes(checks: usize) -> String {
    format!("[{}]", vec![r#"{"id":"x","status":"SUCCESS"}"#; checks].join(","))
}

const SCENARIO: &str = "input-required-result-validate-input";

#[test]
fn figures_are_those_that_were_recorded() {
    let failure = Figures { checks: 2, failures: 1, ..Figures::default() };
    assert_eq!(Figures::read(FAILURE).unwrap(), failure);
    let warning = Figures { checks: 1, warnings: 1, ..Figures::default() };
    assert_eq!(Figures::read(WARNING).unwrap(), warning);
}

#[test]
fn all_well_is_well() {
    let results = Results::all_well("well");
    let (table, complaints) = report(&results.0);
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(table.lines().count(), 2 + 6);
    assert!(table.contains("| input-required-result-basic-list-roots | 3 | 0 | 0 |"), "{table}");
    assert!(include_str!("../README.md").contains(&table));
}

#[test]
fn whatever_is_not_success_is_a_complaint() {
    let results = Results::all_well("unwell");
    let skipped = r#"[{"status":"SUCCESS"},{"status":"SUCCESS"},{"status":"SKIPPED"}]"#;
    let short = successes(2);
    for (checks, complaint) in [
        (FAILURE, "1 failures, 0 warnings, 0 neither nor success"),
        (WARNING, "0 failures, 1 warnings, 0 neither nor success"),
        (skipped, "0 failures, 0 warnings, 1 neither nor success"),
        ("[]", "0 checks, not 3"),
        (&*short, "2 checks, not 3"),
        ("", "no list of checks: EOF while parsing a value at line 1 column 0"),
        ("{}", "no list of checks: invalid type: map, expected a sequence at line 1 column 0"),
    ] {
        results.write(SCENARIO, checks);
        assert_eq!(results.complaints(), [format!("{SCENARIO}: {complaint}")]);
    }
}

/// The runner makes a folder for a scenario that it skips, but writes no checks.
#[test]
fn a_scenario_without_exactly_one_run_is_a_complaint() {
    let results = Results::all_well("runs");
    let complain = |text: &str| {
        let complaints = results.complaints();
        assert!(
            matches!(&*complaints, [one] if one.starts_with(&format!("{SCENARIO}: {text}"))),
            "{complaints:?}"
        );
    };
    fs::create_dir(results.0.join(SCENARIO).join("another")).unwrap();
    complain("2 results, not one");
    fs::remove_dir(results.0.join(SCENARIO).join("another")).unwrap();
    fs::remove_file(results.run(SCENARIO).join("checks.json")).unwrap();
    complain("no checks, perhaps skipped");
    fs::remove_dir(results.run(SCENARIO)).unwrap();
    complain("0 results, not one");
    fs::remove_dir(results.0.join(SCENARIO)).unwrap();
    complain("no results");
    assert_eq!(report(Path::new("no such folder")).1.len(), 6);
}
