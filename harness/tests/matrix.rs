//! The page that compares implementations: what the program writes, and what is committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use mcp_roots_harness::matrix::Matrix;
use mcp_roots_proptests::corpus::{self, REPORTABLE};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-roots");
const MATRIX: &str = include_str!("../MATRIX.md");

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("the program runs")
}

fn report(command: &str, adapter: &[&str]) -> String {
    let mut arguments = vec![command, "--format", "json"];
    if command == "fuzz" {
        arguments.extend(["--seed", "1", "--cases", "500"]);
    }
    arguments.extend(["--", PROGRAM, "adapter"]);
    arguments.extend(adapter);
    String::from_utf8(run(&arguments).stdout).expect("JSON is UTF-8")
}

fn page(reports: &[String]) -> String {
    let mut matrix = Matrix::default();
    for report in reports {
        matrix.add(report).expect("it is a report");
    }
    let mut page = Vec::new();
    matrix.write(&mut page).expect("memory takes all");
    String::from_utf8(page).expect("Markdown is UTF-8")
}

/// A fault that a page shows.
#[derive(Debug, PartialEq)]
struct Shown {
    head: String,
    /// The document, and the name that the command gives it.
    document: Option<(String, String)>,
}

/// Reads a page back: the faults by implementation. Panics where it is not as the program writes it.
fn read(page: &str) -> BTreeMap<String, Vec<Shown>> {
    let mut sections = BTreeMap::new();
    let mut parts = page.split("\n## ");
    let head = parts.next().unwrap_or_default();
    assert!(head.starts_with("# Implementations, measured\n"), "{head}");
    let measured =
        parts.next().and_then(|part| part.strip_prefix("What was measured\n\n")).expect("it is first");
    let by_rule = parts.next().and_then(|part| part.strip_prefix("By rule\n\n")).expect("it is second");
    let (measured, by_rule) = (rows(measured), rows(by_rule));
    let rules: Vec<&str> = by_rule.iter().skip(1).map(|row| row[0]).collect();
    assert!(REPORTABLE.iter().all(|rule| rules.contains(rule)), "{rules:?}");
    assert_eq!(by_rule[0].len(), measured.len(), "a column for each implementation");
    for (row, part) in measured.iter().skip(1).zip(parts) {
        assert_eq!(row.len(), measured[0].len());
        let (title, text) = part.split_once('\n').expect("a section has a heading");
        let (name, count) = title.split_once(": ").expect("the heading names the implementation");
        assert_eq!((row[0], format!("{} faults", row[row.len() - 1]).as_str()), (name, count));
        let text = text.split("\n### ").next().unwrap_or_default();
        let faults: Vec<Shown> = text.split("\n- **").skip(1).map(shown).collect();
        assert_eq!(row[row.len() - 1], faults.len().to_string(), "{name}");
        sections.insert(name.to_owned(), faults);
    }
    assert_eq!(sections.len(), measured.len() - 1, "a section for each implementation");
    sections
}

/// The cells of a table, without the line under its head.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

fn shown(text: &str) -> Shown {
    let head = text.lines().next().unwrap_or_default().to_owned();
    let doc = text.lines().find_map(|line| line.strip_prefix("      "));
    let command = text.split_once("--document ").and_then(|(_, rest)| rest.split(' ').next());
    assert_eq!(doc.is_some(), command.is_some(), "a document and a command, or neither: {text}");
    Shown { head, document: doc.zip(command).map(|(doc, name)| (doc.to_owned(), name.to_owned())) }
}

#[test]
fn a_page_shows_the_faults_of_each_implementation() {
    let reports = [
        report("check", &["--planted", "a null name passes"]),
        report("fuzz", &["--planted", "a null name passes"]),
        report("check", &[]),
    ];
    let page = page(&reports);
    let sections = read(&page);
    assert_eq!(sections.len(), 2);
    let (right, wrong): (Vec<_>, Vec<_>) = sections.iter().partition(|(_, faults)| faults.is_empty());
    assert_eq!(right[0].0.split(' ').next(), Some("mcp-roots"));
    let [(_, faults)] = wrong[..] else { panic!("one is wrong: {page}") };
    assert_eq!(faults.len(), 1, "{page}");
    assert!(
        faults[0].head.starts_with("R3** at `/roots/*/name`: reject expected (schema), got accept"),
        "{faults:?}"
    );
    let (doc, name) = faults[0].document.as_ref().expect("it is shown");
    assert_eq!(doc, r#"{"roots":[{"uri":"file:///a","name":null}]}"#);
    assert!(page.contains(", 0 of them not among the above."), "{page}");
    // The command shows it again.
    let command = ["check", "--document", name, "--", PROGRAM, "adapter", "--planted", "a null name passes"];
    assert_eq!(run(&command).status.code(), Some(1));
}

#[test]
fn what_makes_an_adapter_end_is_not_shown() {
    let page = page(&[report("check", &["--misbehave", "dies-on-the-third"])]);
    let faults: Vec<Shown> = read(&page).into_values().flatten().collect();
    assert!(!faults.is_empty());
    for fault in faults {
        assert!(fault.head.contains("got crash"), "{fault:?}");
        assert_eq!(fault.document, None);
    }
    assert!(page.contains(" bytes, not shown: "));
}

#[test]
fn what_is_no_report_is_refused() {
    assert!(Matrix::default().add("[]").is_err());
    assert!(Matrix::default().add(r#"{"format":"mcp-roots-check/2"}"#).is_err());
    let folder = env!("CARGO_TARGET_TMPDIR");
    let path = Path::new(folder).join("no-report.json");
    fs::write(&path, "{}").unwrap();
    assert_eq!(run(&["matrix", path.to_str().unwrap()]).status.code(), Some(6));
    assert_eq!(run(&["matrix"]).status.code(), Some(2));
}

/// The committed page is as the program writes it, and its documents are those of the corpus.
#[test]
fn the_committed_page_is_of_the_programs_making() {
    let corpus = corpus::built_in().unwrap();
    let documents: BTreeMap<String, String> = corpus
        .iter()
        .map(|entry| {
            (format!("{}/{}", entry.target, entry.name), String::from_utf8_lossy(&entry.doc).into_owned())
        })
        .collect();
    let sections = read(MATRIX);
    assert_eq!(sections.len(), 4);
    let mut count = 0;
    for (name, faults) in &sections {
        let mut last = 0;
        for fault in faults {
            let (doc, document) = fault.document.as_ref().expect("no crash is known");
            assert_eq!(Some(doc), documents.get(document), "{name}: {document}");
            assert!(last <= doc.len(), "{name}: the smallest first");
            last = doc.len();
            count += 1;
        }
    }
    assert!(count >= 20, "{count} faults");
    assert!(sections.values().filter(|faults| !faults.is_empty()).count() >= 3);
}
