//! The README's adapters run as they stand there, and the documents say what there is.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs, process};

use mcp_roots_harness::adapter::FailureKind;
use mcp_roots_harness::rules;
use mcp_roots_proptests::corpus::{OTHER_RULES, REPORTABLE};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-roots");
static README: &str = include_str!("../README.md");
static ADAPTERS: &str = include_str!("../ADAPTERS.md");
static REPORT: &str = include_str!("../REPORT.md");

/// The block of code in a language.
fn code(language: &str) -> &'static str {
    let (_, rest) = README.split_once(&format!("```{language}\n")).expect("it is there");
    rest.split_once("```").expect("it ends").0
}

fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn write(name: &str, text: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("mcp-roots-{}-{name}", process::id()));
    fs::write(&path, text).unwrap();
    path
}

/// Checks and fuzzes an adapter that makes the mistakes of the README's.
fn is_found_wrong(program: &str, path: &PathBuf) {
    let run = |command: &[&str]| -> Value {
        let output: Output = Command::new(PROGRAM)
            .args(command)
            .args(["--start-limit", "60", "--time-limit", "30", "--format", "json", "--", program])
            .arg(path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let report = run(&["check"]);
    let failures = report["failures"].as_array().unwrap();
    let null =
        failures.iter().find(|failure| failure["document"] == "response/name-null").expect("it is found");
    assert_eq!(null["got"]["verdict"], "accept");
    assert!(report["counts"]["right"].as_u64().unwrap() > 200, "{}", report["counts"]);
    // It is told what roots were read, and they are right.
    assert!(failures.iter().all(|failure| failure["got"]["what"] == "verdict"), "{report}");
    for kind in ["crash", "hang", "protocol", "not_asked"] {
        assert_eq!(report["counts"][kind], 0, "{report}");
    }
    let report = run(&["fuzz", "--seed", "1", "--cases", "1500"]);
    let findings = report["findings"].as_array().unwrap();
    let null = findings.iter().find(|finding| finding["place"] == "/roots/*/name").expect("it is found");
    assert_eq!((&null["rule"], &null["got"]), (&"R3".into(), &"accept".into()));
}

#[test]
fn the_python_adapter_runs_and_is_found_wrong() {
    let source = code("python");
    assert!(source.lines().count() <= 35, "thirty lines, or a few more");
    let Some(version) = version("python3") else {
        return eprintln!("not run: there is no python3 here");
    };
    eprintln!("run by {version}");
    let path = write("adapter.py", source);
    is_found_wrong("python3", &path);
    fs::remove_file(path).unwrap();
}

#[test]
fn the_typescript_adapter_runs_and_is_found_wrong() {
    let source = code("ts");
    assert!(source.lines().count() <= 42, "forty lines");
    let Some(version) = version("node") else {
        return eprintln!("not run: there is no node here");
    };
    let number: Vec<u32> = version[1..].split('.').filter_map(|part| part.parse().ok()).collect();
    let path = if number >= vec![22, 18] {
        eprintln!("run by node {version}");
        write("adapter.mts", source)
    } else {
        // It does not know types yet: this is what it would leave out.
        eprintln!("run by node {version}, without its types");
        let types = [": string | Buffer", ": unknown", ": any"];
        write("adapter.mjs", &types.iter().fold(source.to_owned(), |source, name| source.replace(name, "")))
    };
    is_found_wrong("node", &path);
    fs::remove_file(path).unwrap();
}

#[test]
fn the_readme_shows_the_exit_statuses_that_the_program_has() {
    let help = Command::new(PROGRAM).args(["check", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, statuses) = help.split_once("Exit status:\n").expect("the help tells them");
    let statuses: Vec<&str> = statuses.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(statuses.len(), 10, "{help}");
    for line in statuses {
        let (status, meaning) = line.split_once("  ").unwrap();
        assert!(README.contains(&format!("| {status} | {meaning} |")), "{line}");
    }
}

#[test]
fn the_documents_name_every_failure_and_every_member_of_a_report() {
    for kind in FailureKind::ALL {
        assert!(ADAPTERS.contains(&format!("| `{}` |", kind.name())), "{}", kind.name());
    }
    let mut count = 0;
    for command in [&["check"][..], &["fuzz", "--seed", "1", "--cases", "3000"]] {
        let output = Command::new(PROGRAM)
            .args(command)
            .args(["--format", "json", "--", PROGRAM, "adapter", "--planted", "a host is refused"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(REPORT.contains(report["format"].as_str().unwrap()));
        members(&report, &mut |name| {
            count += 1;
            let is_rule = rules::text(name).is_some();
            assert!(is_rule || REPORT.contains(&format!("`{name}`")), "{name}");
        });
    }
    assert!(count > 100, "{count}");
}

fn members(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                visit(name);
                members(value, visit);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| members(item, visit)),
        _ => {}
    }
}

#[test]
fn every_rule_has_a_text() {
    for rule in REPORTABLE.iter().chain(&OTHER_RULES) {
        let text = rules::text(rule).unwrap_or_else(|| panic!("{rule}"));
        assert!(text.len() > 20 && !text.contains('\n'), "{rule}: {text}");
        assert!(
            !text.contains("S0") && !text.contains("S3"),
            "what is abbreviated is not explained there: {text}"
        );
    }
}
