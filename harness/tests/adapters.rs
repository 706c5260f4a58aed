//! The tester tested: adapters that are wrong on purpose, each in one way, are each found out, and a
//! right one is not.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process};

use mcp_roots_proptests::corpus;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-roots");

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

fn text(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&text(output)).unwrap()
}

/// Runs a command of the harness against the built-in adapter.
fn against(command: &[&str], adapter: &[&str]) -> Output {
    run(&[command, &["--", PROGRAM, "adapter"], adapter].concat())
}

/// A folder of this test's own, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("mcp-roots-{}-{name}", process::id()));
    assert!(!folder.exists());
    folder
}

/// The documents that a check of a few cases asks for.
const FEW: [&str; 5] = ["check", "--format", "json", "--rule", "A6"];

#[test]
fn a_right_adapter_is_all_green() {
    let cases: usize = corpus::load().unwrap().iter().map(|entry| entry.cases().count()).sum();
    assert!(cases > 3800, "{cases}");
    for jobs in ["1", "3"] {
        let output =
            against(&["check", "--exact", "--fail-decided", "--format", "json", "--jobs", jobs], &[]);
        let report = json(&output);
        assert_eq!(status(&output), 0, "{report}");
        assert_eq!(report["counts"]["right"], cases);
        assert_eq!(report["failures"], Value::Array(vec![]));
    }
    let output = against(&["fuzz", "--exact", "--cases", "3000", "--seed", "1", "--format", "json"], &[]);
    let report = json(&output);
    assert_eq!(status(&output), 0, "{report}");
    assert_eq!((&report["cases"], &report["unsupported"]), (&3000.into(), &0.into()));
}

#[test]
fn each_way_to_misbehave_is_reported_as_what_it_is() {
    let cases = json(&against(&FEW, &[]))["counts"]["right"].as_u64().unwrap();
    assert!(cases > 20, "{cases}");
    for (how, kind, count, expected, failed) in [
        ("never-answers", "hang", "hang", 4, 10),
        ("stderr-only", "hang", "hang", 4, 10),
        ("leaves-a-child", "hang", "hang", 4, 10),
        ("answers-twice", "answered-twice", "protocol", 4, 20),
        ("wrong-number", "wrong-number", "protocol", 4, 20),
        ("invalid-json", "garbage", "protocol", 4, 20),
        ("huge-line", "long-line", "protocol", 4, 20),
        ("dies-on-the-third", "crash", "crash", 1, cases / 3),
    ] {
        let start = Instant::now();
        let output = against(&[&FEW[..], &["--time-limit", "0.3"]].concat(), &["--misbehave", how]);
        let report = json(&output);
        assert_eq!(status(&output), expected, "{how}: {report}");
        assert_eq!(report["counts"][count], failed, "{how}: {report}");
        let failures = report["failures"].as_array().unwrap();
        assert!(!failures.is_empty());
        for failure in failures {
            assert_eq!(failure["got"]["kind"], kind, "{how}: {failure}");
            assert!(failure["document"].as_str().unwrap().contains('/'), "{how}: {failure}");
        }
        let stderr = failures[0]["got"]["stderr"].as_str();
        match how {
            "stderr-only" => assert!(stderr.unwrap().contains("verdict")),
            "dies-on-the-third" => {
                assert_eq!(stderr, Some("this is the third case, and the last"));
                assert_eq!(failures[0]["got"]["detail"], "exit status: 3");
                let right = report["counts"]["right"].as_u64().unwrap();
                assert_eq!(right, cases - cases / 3, "it goes on after each");
            }
            _ => assert_eq!(stderr, None, "{how}"),
        }
        // Ten hangs, and a machine that has other things to do.
        assert!(start.elapsed() < Duration::from_secs(15), "{how} took {:?}", start.elapsed());
    }
}

#[test]
fn fuzzing_leaves_off_an_adapter_that_never_answers() {
    let start = Instant::now();
    let command = ["fuzz", "--seed", "1", "--time-limit", "0.2", "--format", "json"];
    let output = against(&command, &["--misbehave", "never-answers"]);
    let report = json(&output);
    assert_eq!(status(&output), 4, "{report}");
    assert_eq!(report["cases"], 10, "{report}");
    assert_eq!(report["not_asked"], 19_990, "{report}");
    // Ten hangs, and those it takes to make the first ones small.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn an_adapter_that_takes_half_the_time_limit_is_right() {
    let names: Vec<String> = corpus::load()
        .unwrap()
        .iter()
        .filter(|entry| entry.about.cites.contains(&"A6".to_owned()))
        .take(4)
        .map(|entry| format!("{}/{}", entry.target, entry.name))
        .collect();
    let output = against(
        &["check", "--format", "json", "--time-limit", "0.5", "--document", &names.join(",")],
        &["--misbehave", "slow"],
    );
    let report = json(&output);
    assert_eq!((status(&output), &report["counts"]["right"]), (0, &4.into()), "{report}");
}

/// Planted faults, and the rule whose documents show them.
const SAMPLE: [(&str, &str); 8] = [
    ("a null name passes", "R3"),
    ("an array stands for a root", "R2"),
    ("roots null is an empty list", "R1"),
    ("of equal names the last one counts", "J6"),
    ("the grammar is not looked at", "U2"),
    ("equal roots are merged", "R7"),
    ("an id is allowed in a bare request", "Q3"),
    ("client capabilities may be null", "C5"),
];

#[test]
fn planted_faults_are_found_through_the_pipe_by_check_and_fuzz() {
    for (fault, rule) in SAMPLE {
        let adapter = ["--planted", fault];
        let output = against(&["check", "--fail-decided", "--format", "json"], &adapter);
        let report = json(&output);
        assert_eq!(status(&output), 1, "{fault}: {report}");
        let failures = report["failures"].as_array().unwrap();
        assert!(failures.iter().any(|failure| failure["rule"] == rule), "{fault}: {failures:#?}");

        let seed = ["--seed", "1", "--cases", "6000", "--fail-fast", "--fail-decided", "--format", "json"];
        let output = against(&[&["fuzz"][..], &seed].concat(), &adapter);
        let report = json(&output);
        assert_eq!(status(&output), 1, "{fault}: {report}");
        let finding = &report["findings"][0];
        let doc = finding["variants"][0]["doc"].as_str().unwrap();
        assert!((2..100).contains(&doc.len()), "{fault}: {finding}");
    }
    let right = json(&against(&["check", "--format", "json", "--document", "response/name-null"], &[]));
    assert_eq!(right["counts"]["right"], 5);
}

#[test]
fn one_fault_is_one_finding_and_another_is_another() {
    let fuzz = ["fuzz", "--seed", "1", "--cases", "10000", "--fail-decided", "--format", "json"];
    let report = json(&against(&fuzz, &["--planted", "a null name passes"]));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{report}");
    assert_eq!((&findings[0]["rule"], &findings[0]["place"]), (&"R3".into(), &"/roots/*/name".into()));
    assert!(findings[0]["count"].as_u64().unwrap() > 3);
    // Alone, or as the answer in a map.
    let doc = findings[0]["variants"][0]["doc"].as_str().unwrap();
    assert!(doc.contains(r#"{"roots":[{"uri":"file://","name":null}]}"#), "{doc}");
}

#[test]
fn the_exit_status_tells_what_is_wrong() {
    let cases: [(&[&str], i32, &str); 11] = [
        (&["check", "--", "no-such-program"], 3, "cannot run no-such-program"),
        (&["check", "--", "cat"], 4, "no greeting"),
        (&["check", "--", "false"], 4, "ended before it had greeted"),
        (
            &["check", "--start-limit", "0.3", "--", PROGRAM, "adapter", "--misbehave", "no-greeting"],
            4,
            "300ms",
        ),
        (&["fuzz", "--", PROGRAM, "adapter", "--misbehave", "bad-greeting"], 4, "Listening"),
        (&["check"], 2, "COMMAND"),
        (&["check", "--target", "reply", "--", "cat"], 2, "the targets are response"),
        (&["check", "--expected", "no/such/file", "--", "cat"], 6, "no/such/file"),
        (&["check", "--corpus", "no/such/folder", "--", "cat"], 6, "no/such/folder"),
        (&["check", "--document", "response/no-such", "--", "cat"], 2, "response/no-such"),
        (
            &["check", "--document", "response/nam-null", "--", "cat"],
            2,
            "response/nam-null in the corpus; did you mean response/name-null?",
        ),
    ];
    for (arguments, expected, message) in cases {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(status(&output), expected, "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(expected == 2 || said.lines().count() == 1, "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(
        status(&against(&["check", "--document", "response/name-null", "--target", "request"], &[])),
        5
    );
    assert_eq!(status(&run(&["generate", "--flaw", "name null", "--target", "request"])), 5);
    let output = against(&["fuzz", "--target", "input_responses", "--revision", "2025-11-25"], &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(status(&output), 5, "{said}");
    assert!(said.starts_with("mcp-roots: nothing was judged"), "{said}");
}

#[test]
fn fuzzing_that_ends_at_the_first_failure_goes_on_where_there_is_none() {
    let fuzz = ["fuzz", "--seed", "1", "--cases", "3000", "--fail-fast", "--format", "json"];
    let adapter = ["--planted", "any member is allowed in a bare request"];
    let output = against(&fuzz, &adapter);
    let report = json(&output);
    assert_eq!((status(&output), &report["cases"]), (0, &3000.into()), "{report}");
    assert_eq!(report["decided"].as_array().map(Vec::len), Some(1), "{report}");

    let output = against(&[&fuzz[..], &["--fail-decided"]].concat(), &adapter);
    let report = json(&output);
    assert_eq!(status(&output), 1, "{report}");
    assert!(report["cases"].as_u64().unwrap() < 3000, "{report}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for arguments in
        [&["check", "--", PROGRAM, "adapter"][..], &["generate", "--count", "20000"], &["list", "cases"]]
    {
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((status(&output), &*output.stderr), (0, &b""[..]), "{arguments:?}");
        assert!(line.len() > 10);
    }
}

#[test]
fn known_differences_are_accepted_until_one_disappears() {
    let list = folder("known.toml");
    let path = list.to_str().unwrap();
    let wrong = ["--planted", "a null name passes"];
    assert_eq!(status(&against(&["check", "--write-expected", path], &wrong)), 1);
    assert!(
        fs::read_to_string(&list).unwrap().contains("document = \"response/name-null\"\ngot = \"accept\"")
    );
    let output = against(&["check", "--expected", path, "--format", "json"], &wrong);
    let report = json(&output);
    assert_eq!((status(&output), report["known"].as_array().unwrap().len()), (0, 3));
    let output = against(&["check", "--expected", path, "--format", "json"], &[]);
    let report = json(&output);
    assert_eq!((status(&output), report["gone"].as_array().unwrap().len()), (1, 3));
    let said = text(&against(&["check", "--expected", path], &[]));
    assert!(said.contains("; 3 expected differences gone"), "{said}");
    // It is not written over, but where that is asked for.
    let before = fs::read(&list).unwrap();
    let again = against(&["check", "--write-expected", path], &[]);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert_eq!((status(&again), fs::read(&list).unwrap() == before), (7, true), "{said}");
    assert!(said.contains(path) && said.contains("--force"), "{said}");
    // An entry that is misspelt is named, and so is what was meant.
    let misspelt = fs::read_to_string(&list).unwrap().replace("response/name-null", "response/name-nul");
    fs::write(&list, misspelt).unwrap();
    let output = against(&["check", "--expected", path], &wrong);
    assert_eq!(status(&output), 1);
    let said = text(&output);
    assert!(said.contains("response/name-nul accept; did you mean response/name-null?"), "{said}");
    assert_eq!(status(&against(&["check", "--write-expected", path, "--force"], &wrong)), 1);
    assert_eq!(fs::read(&list).unwrap(), before);
    // What was not asked for is not missed.
    for part in [["--target", "request"], ["--revision", "2025-11-25"]] {
        assert_eq!(status(&against(&[&["check", "--expected", path], &part[..]].concat(), &[])), 0);
    }
    fs::remove_file(list).unwrap();
}

#[test]
fn a_list_that_is_written_over_keeps_what_the_run_did_not_ask_for() {
    let list = folder("kept.toml");
    let path = list.to_str().unwrap();
    let write = |adapter: &[&str], more: &[&str]| {
        let output = against(&[&["check", "--write-expected", path], more].concat(), adapter);
        (status(&output), String::from_utf8(output.stderr).unwrap())
    };
    let (_, said) = write(&["--planted", "a name is anything"], &[]);
    let text = fs::read_to_string(&list).unwrap();
    let count = text.matches("[[difference]]").count();
    assert!(count > 8 && said.contains(&format!("{count} known differences written to {path}")), "{said}");
    // Of one document it is found that nothing is wrong, and of another that what is wrong is still so.
    let why = "our oldest client sends it";
    let old = text.lines().find(|line| line.starts_with("why = ")).unwrap();
    fs::write(&list, text.replace(old, &format!("why = \"{why}\""))).unwrap();
    let one = ["--force", "--document", "response/name-false"];
    assert_eq!(write(&[], &one).0, 0);
    let fewer = fs::read_to_string(&list).unwrap();
    assert_eq!(fewer.matches("[[difference]]").count(), count - 1);
    assert!(fewer.contains(why) && !fewer.contains("response/name-false"), "{fewer}");
    write(&["--planted", "a name is anything"], &["--force"]);
    let all = fs::read_to_string(&list).unwrap();
    assert_eq!((all.matches("[[difference]]").count(), all.contains(why)), (count, true), "{all}");
    // A run that was broken off knows too little.
    let (left_off, said) = write(&["--misbehave", "invalid-json"], &["--force"]);
    assert!(left_off == 4 && said.contains("is not written"), "{said}");
    assert_eq!(fs::read_to_string(&list).unwrap(), all);
    fs::remove_file(list).unwrap();
}

#[test]
fn a_corpus_of_ones_own_may_lack_targets_and_its_gaps_are_named() {
    let own = folder("own");
    let path = own.to_str().unwrap();
    let check = || against(&["check", "--format", "json", "--corpus", path], &[]);
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    fs::create_dir_all(own.join("response")).unwrap();
    fs::write(own.join("response/none.json"), "{}").unwrap();
    let output = check();
    assert_eq!(status(&output), 6);
    assert!(said(&output).contains("response.toml"), "{}", said(&output));
    let manifest = "[none]\nexpect = \"reject R1\"\ncites = [\"R1\"]\nshows = \"No list of roots.\"\n\
        misjudged = \"It is taken for an empty one.\"\nsource = \"probe: ours\"\nstrength = \"schema\"\n";
    fs::write(own.join("response.toml"), manifest).unwrap();
    let output = check();
    assert_eq!((status(&output), &json(&output)["counts"]["right"]), (0, &5.into()));
    fs::write(own.join("request.toml"), "").unwrap();
    let output = check();
    assert_eq!(status(&output), 6);
    assert!(said(&output).contains("request"), "{}", said(&output));
    fs::remove_dir_all(own).unwrap();
}

#[test]
#[cfg(unix)]
fn an_adapter_that_ends_while_another_process_holds_its_output_has_crashed() {
    let hello = r#"{"hello":{"protocol":1,"name":"x","targets":["response"],"revisions":["2026-07-28"]}}"#;
    let script = format!("read hello; echo '{hello}'; sleep 60 & read case; exit 7");
    let start = Instant::now();
    let output = run(&[
        "check",
        "--format",
        "json",
        "--document",
        "response/empty-list",
        "--time-limit",
        "50",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    let report = json(&output);
    let got = &report["failures"][0]["got"];
    let detail = got["detail"].as_str().unwrap();
    assert!(got["kind"] == "crash" && detail.contains("exit status: 7"), "{report}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn what_fuzzing_saves_is_a_corpus_that_shows_it_again() {
    let saved = folder("saved");
    let path = saved.to_str().unwrap();
    let wrong = ["--planted", "a name is anything"];
    let output = against(&["fuzz", "--seed", "1", "--cases", "6000", "--save", path], &wrong);
    assert_eq!(status(&output), 1, "{}", text(&output));
    let entries = corpus::load_from(&saved).unwrap();
    assert!(entries.len() >= 3, "{}", entries.len());
    let check = ["check", "--corpus", path, "--format", "json"];
    let report = json(&against(&check, &wrong));
    let count = |list: &str| report[list].as_array().unwrap().len();
    assert!(count("failures") >= 3);
    assert_eq!(count("failures") + count("decided"), entries.len(), "{report}");
    assert_eq!(status(&against(&[&check[..], &["--exact", "--fail-decided"]].concat(), &[])), 0);
    // What another run finds is added, and what is there stays.
    assert_eq!(status(&against(&["fuzz", "--seed", "1", "--cases", "6000", "--save", path], &wrong)), 1);
    assert_eq!(corpus::load_from(&saved).unwrap().len(), entries.len());
    let other = ["--planted", "roots null is an empty list"];
    assert_eq!(status(&against(&["fuzz", "--seed", "1", "--cases", "6000", "--save", path], &other)), 1);
    let more = corpus::load_from(&saved).unwrap();
    let is_there = |name: &str| more.iter().any(|entry| entry.name == name);
    assert!(more.len() > entries.len() && entries.iter().all(|entry| is_there(&entry.name)));
    // Somebody else's files are left alone.
    fs::write(saved.join("response.toml"), "").unwrap();
    let output = against(&["fuzz", "--save", path], &wrong);
    assert_eq!((status(&output), output.stdout.len()), (7, 0));
    fs::remove_dir_all(saved).unwrap();
}

#[test]
fn where_nothing_is_found_nothing_is_saved() {
    let saved = folder("nothing");
    let path = saved.to_str().unwrap();
    let fuzz = ["fuzz", "--seed", "1", "--cases", "200", "--save", path];
    assert_eq!(status(&against(&fuzz, &[])), 0);
    assert!(!saved.exists());
    fs::create_dir(&saved).unwrap();
    assert_eq!(status(&against(&fuzz, &[])), 0);
    let output = against(&["check", "--corpus", path], &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(status(&output), 5);
    assert!(said.contains(path) && said.contains("no document in it"), "{said}");
    fs::remove_dir(saved).unwrap();
}

#[test]
fn the_same_again_is_the_same_run() {
    let wrong = ["--planted", "a null name passes"];
    let flags = ["--target", "response", "--exact", "--fail-decided", "--time-limit", "4.5"];
    let run_it = |command: &str| -> Value {
        let script = format!("{} --format json", command.replacen("mcp-roots fuzz", "fuzz", 1));
        let (flags, adapter) = script.split_once(" -- ").unwrap();
        let adapter = adapter.strip_suffix(" --format json").unwrap();
        let script = format!("exec {PROGRAM} {flags} --format json -- {adapter}");
        json(&Command::new("sh").args(["-c", &script]).output().unwrap())
    };
    let mut count = 0;
    for length in [&["--cases", "3000"][..], &["--time", "0.5"]] {
        let first = text(&against(&[&["fuzz", "--seed", "5"], &flags[..], length].concat(), &wrong));
        let again = first.split_once("the same again: ").unwrap().1.lines().next().unwrap();
        for flag in ["--target response", "--exact", "--fail-decided", "--time-limit 4.5", "--cases "] {
            assert!(again.contains(flag), "{again}");
            count += 1;
        }
        let cases = first.lines().last().unwrap().split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        assert_eq!(run_it(again)["cases"], cases, "{again}");
        // And a finding alone.
        let (_, alone) = first.split_once("  again     ").expect("something is found");
        let report = run_it(alone.lines().next().unwrap());
        assert_eq!(report["cases"], 1);
        assert_eq!(report["findings"][0]["place"], "/roots/*/name", "{report}");
    }
    assert_eq!(count, 10);
}

#[test]
fn shrinking_that_takes_too_long_is_stopped_and_said_so() {
    // It takes a second to end at each document.
    let hello = r#"{"hello":{"protocol":1,"name":"x","targets":["response"],"revisions":["2026-07-28"]}}"#;
    let script = format!("read hello; echo '{hello}'; read case; sleep 1; exit 3");
    let start = Instant::now();
    let output = run(&["fuzz", "--seed", "1", "--cases", "1", "--format", "json", "--", "sh", "-c", &script]);
    let report = json(&output);
    assert_eq!(status(&output), 1, "{report}");
    let variant = &report["findings"][0]["variants"][0];
    assert_eq!((&variant["got"]["kind"], &variant["shrinking"]), (&"crash".into(), &"stopped".into()));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn reports_are_written_in_every_format() {
    for command in [&["check"][..], &["fuzz", "--seed", "1", "--cases", "3000"]] {
        let format = |format| {
            let command = [command, &["--format", format]].concat();
            text(&against(&command, &["--planted", "any string is a URI"]))
        };
        let (plain, junit) = (format("text"), format("junit"));
        assert!(
            plain.contains("FAILED") && plain.contains("reject U1") && !plain.contains('\u{1b}'),
            "{plain}"
        );
        assert!(junit.starts_with("<?xml") && junit.contains("<failure"), "{junit}");
        assert_eq!(junit.contains("mcp-roots fuzz --seed 1 --case "), command[0] == "fuzz", "{junit}");
        assert!(junit.contains("(prose), got ") && !junit.contains(" , got"), "{junit}");
        let report: Value = serde_json::from_str(&format("json")).unwrap();
        assert!(report["format"].as_str().unwrap().starts_with("mcp-roots-"));
    }
}

#[test]
fn an_adapter_that_does_not_start_is_an_error_for_ci() {
    for command in ["check", "fuzz"] {
        for (adapter, expected) in [("false", 4), ("no-such-program", 3)] {
            let output = run(&[command, "--format", "junit", "--", adapter]);
            let junit = String::from_utf8(output.stdout.clone()).unwrap();
            assert_eq!(status(&output), expected);
            assert!(junit.contains("<testsuite ") && junit.contains("errors=\"1\""), "{junit}");
            assert!(junit.contains(adapter), "{junit}");
        }
    }
}

#[test]
fn generated_cases_are_the_same_for_the_same_seed_and_labelled() {
    let of = |arguments: &[&str]| text(&run(&[&["generate"], arguments].concat()));
    let some = of(&["--count", "300", "--seed", "7"]);
    assert_eq!(some, of(&["--count", "300", "--seed", "7"]));
    assert_ne!(some, of(&["--count", "300", "--seed", "8"]));
    assert!(of(&["--count", "400", "--seed", "7"]).starts_with(&some));
    let cases: Vec<Value> = some.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 300);
    let count = |verdict: &str| cases.iter().filter(|case| case["expect"]["verdict"] == verdict).count();
    assert!(count("accept") > 50 && count("reject") > 100 && count("missing") > 0, "{some}");
    // The label is of the document printed: it is refused under the flaw's rule.
    let mut labelled = 0;
    for case in cases.iter().filter(|case| !case["flaw"].is_null()) {
        let is_it = |flaw: &&mcp_roots_proptests::Flaw| case["flaw"] == flaw.name;
        assert!(
            mcp_roots_proptests::FLAWS.iter().filter(is_it).any(|flaw| case["expect"]["rule"] == flaw.rule)
        );
        labelled += 1;
    }
    assert_eq!(labelled, 100);
    assert!(["schema", "decided"].iter().all(|name| cases.iter().any(|case| case["strength"] == *name)));
    // By its number each is drawn again.
    let asked = folder("asked");
    let script = format!("tee {} | {PROGRAM} adapter", asked.display());
    for number in [1, 2, 300] {
        let fuzz = ["fuzz", "--seed", "7", "--case", &number.to_string(), "--", "sh", "-c", &script];
        assert_eq!(status(&run(&fuzz)), 0);
        let lines = fs::read_to_string(&asked).unwrap();
        let case: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
        for member in ["target", "revision", "doc", "doc_base64", "request"] {
            assert_eq!(case[member], cases[number - 1][member], "{number}");
        }
    }
    fs::remove_file(asked).unwrap();
    let flawed = of(&["--target", "response", "--flaw", "name null", "--count", "20"]);
    assert_eq!(flawed.matches(r#""rule":"R3""#).count(), 20, "{flawed}");
}

#[test]
fn lists_are_complete() {
    let lines = |what| text(&run(&["list", what])).lines().count();
    assert_eq!(lines("targets"), 5);
    assert_eq!(lines("cases"), corpus::load().unwrap().len());
    assert_eq!(lines("flaws"), mcp_roots_proptests::FLAWS.len());
    assert_eq!(lines("faults"), mcp_roots_proptests::PLANTED.len());
    assert!(lines("rules") > 39);
    let first = text(&run(&["list", "rules", "--json"]));
    let first: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(first["rule"], "J1");
}

/// The processes of a group that have not ended.
#[cfg(target_os = "linux")]
fn group(id: &str) -> usize {
    let of_group = |stat: String| {
        // After the name in parentheses: state, parent, group.
        let fields: Vec<String> =
            stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().map(str::to_owned).collect())?;
        (fields[0] != "Z" && fields[2] == id).then_some(())
    };
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.filter_map(|process| of_group(fs::read_to_string(process.path().join("stat")).ok()?)).count()
}

#[test]
#[cfg(target_os = "linux")]
fn killing_the_harness_leaves_no_process_behind() {
    use rustix::process::{Pid, Signal, kill_process};

    let mut signals = vec![("kill", Signal::KILL), ("term", Signal::TERM)];
    // A shell starts what it does not wait for with this one ignored, and so are its children.
    if !is_ignored(Signal::INT) {
        signals.push(("int", Signal::INT));
    }
    for (name, signal) in signals {
        let file = folder(name);
        let script =
            format!("echo $$ > {}; exec {PROGRAM} adapter --misbehave leaves-a-child", file.display());
        let mut harness = Command::new(PROGRAM)
            .args(["check", "--time-limit", "1000", "--", "sh", "-c", &script])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let wait_for = |is_it: &mut dyn FnMut() -> bool| {
            let start = Instant::now();
            while !is_it() {
                assert!(start.elapsed() < Duration::from_secs(20), "{name}");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        let id = || fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
        // The adapter, and the child that would go on for a quarter of an hour.
        wait_for(&mut || !id().is_empty() && group(&id()) == 2);
        kill_process(Pid::from_child(&harness), signal).unwrap();
        wait_for(&mut || harness.try_wait().unwrap().is_some());
        wait_for(&mut || group(&id()) == 0);
        fs::remove_file(file).unwrap();
    }
}

/// Waits until an adapter has written its number to a file, and has so many processes.
#[cfg(target_os = "linux")]
fn started(file: &std::path::Path, processes: usize) -> String {
    let start = Instant::now();
    loop {
        let id = fs::read_to_string(file).unwrap_or_default().trim().to_owned();
        if !id.is_empty() && group(&id) == processes {
            return id;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{id}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_a_check_with_a_report_of_what_was_found() {
    use rustix::process::{Pid, Signal, kill_process};

    let file = folder("id-check");
    let script = format!("echo $$ > {}; exec {PROGRAM} adapter --misbehave slow", file.display());
    let harness = Command::new(PROGRAM)
        .args(["check", "--format", "json", "--time-limit", "1", "--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let id = started(&file, 1);
    std::thread::sleep(Duration::from_secs(3));
    kill_process(Pid::from_child(&harness), Signal::INT).unwrap();
    let start = Instant::now();
    let output = harness.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((status(&output), &report["interrupted"]), (130, &true.into()), "{report}");
    let count = |name: &str| report["counts"][name].as_u64().unwrap();
    assert!(count("right") > 0 && count("not_asked") > 1000, "{report}");
    assert_eq!((group(&id), &report["gone"]), (0, &Value::Array(vec![])));
    fs::remove_file(file).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_fuzzing_with_a_report_of_what_was_found() {
    use rustix::process::{Pid, Signal, kill_process};

    // The harness catches both, whether or not who starts it ignores one.
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let (saved, file) = (folder(&format!("cut-{expected}")), folder(&format!("id-{expected}")));
        let script =
            format!("echo $$ > {}; exec {PROGRAM} adapter --planted 'a name is anything'", file.display());
        let harness = Command::new(PROGRAM)
            .args(["fuzz", "--seed", "1", "--time", "600", "--format", "json", "--save"])
            .arg(&saved)
            .args(["--", "sh", "-c", &script])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let id = started(&file, 1);
        // Time enough to find something.
        std::thread::sleep(Duration::from_secs(3));
        kill_process(Pid::from_child(&harness), signal).unwrap();
        let start = Instant::now();
        let output = harness.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((status(&output), &report["interrupted"]), (expected, &true.into()), "{report}");
        let place = |finding: &Value| finding["place"] == "/roots/*/name";
        assert!(report["findings"].as_array().unwrap().iter().any(place), "{report}");
        assert!(!corpus::load_from(&saved).unwrap().is_empty());
        assert_eq!(group(&id), 0);
        fs::remove_dir_all(saved).unwrap();
        fs::remove_file(file).unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_waiting_and_a_second_one_everything() {
    use rustix::process::{Pid, Signal, kill_process};

    // Of an adapter that hangs there is nothing to wait for; of a reader that does not read there is.
    for (is_read, signals) in [(true, 1), (false, 2)] {
        let file = folder(&format!("hung-{signals}"));
        let how =
            if is_read { "--misbehave leaves-a-child" } else { "--planted 'the grammar is not looked at'" };
        let script = format!("echo $$ > {}; exec {PROGRAM} adapter {how}", file.display());
        let (mut reader, full) = std::io::pipe().unwrap();
        let mut filled = full.try_clone().unwrap();
        if !is_read {
            // Nothing more goes into the pipe.
            std::io::Write::write_all(&mut filled, &vec![b' '; 1 << 16]).unwrap();
        }
        let mut harness = Command::new(PROGRAM)
            .args(["fuzz", "--seed", "1", "--time", "600", "--time-limit", "600", "--", "sh", "-c", &script])
            .stdout(full)
            .spawn()
            .unwrap();
        let id = started(&file, if is_read { 2 } else { 1 });
        std::thread::sleep(Duration::from_secs(1));
        for signal in 1..=signals {
            assert!(harness.try_wait().unwrap().is_none(), "before signal {signal}");
            kill_process(Pid::from_child(&harness), Signal::TERM).unwrap();
            std::thread::sleep(Duration::from_secs(2));
        }
        assert_eq!(harness.try_wait().unwrap().and_then(|status| status.code()), Some(143));
        assert_eq!(group(&id), 0);
        drop(filled);
        let mut said = String::new();
        std::io::Read::read_to_string(&mut reader, &mut said).unwrap();
        assert_eq!(said.contains("Interrupted"), is_read, "{said}");
        fs::remove_file(file).unwrap();
    }
}

/// Whether this process, and so whatever it starts, ignores a signal.
#[cfg(target_os = "linux")]
fn is_ignored(signal: rustix::process::Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("Linux says so");
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    mask >> (signal.as_raw() - 1) & 1 == 1
}
