//! The command that turns an artifact into a case, run as a process, on planted faults.

use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mcp_roots_proptests::corpus::{self, Entry};
use mcp_roots_proptests::detect::quietly;
use mcp_roots_proptests::finding::Input;
use mcp_roots_proptests::{Core, Planted, Target, laws};

/// A copy of the corpus, and a place for an artifact.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        for target in Target::ALL.map(Target::name) {
            fs::create_dir_all(folder.join(target)).unwrap();
            let manifest = format!("{target}.toml");
            fs::copy(corpus::folder().join(&manifest), folder.join(&manifest)).unwrap();
            for file in fs::read_dir(corpus::folder().join(target)).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.join(target).join(file.file_name())).unwrap();
            }
        }
        Self(folder)
    }

    /// Runs the command on an artifact with these bytes.
    fn case(&self, fuzz_target: &str, artifact: &[u8], name: &str, options: &[&str]) -> Output {
        let path = self.0.join("artifact");
        fs::write(&path, artifact).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_case"));
        command.env_remove("MCP_ROOTS_PLANTED").env_remove("MCP_ROOTS_TARGET");
        command.arg(fuzz_target).arg(path).arg(name).arg("--corpus").arg(&self.0);
        command.args(options).output().unwrap()
    }

    fn load(&self) -> Vec<Entry> {
        corpus::load_from(&self.0).unwrap()
    }

    /// The case of this name, and what is to be said against it.
    fn kept(&self, target: Target, name: &str) -> (Entry, Vec<String>) {
        let corpus = self.load();
        let prefix = format!("{target}/{name}: ");
        let complaints = corpus::complaints(&corpus).into_iter();
        let complaints = complaints.filter(|complaint| complaint.starts_with(&prefix)).collect();
        let is_it = |entry: &&Entry| entry.target == target && entry.name == name;
        (corpus.iter().find(is_it).expect("it is kept").clone(), complaints)
    }
}

fn replays(entry: &Entry, planted: &str) -> (bool, bool) {
    let planted = Planted::named(planted).unwrap();
    let passes = |validator| quietly(|| assert_ne!(corpus::replay(validator, entry), 0)).is_ok();
    (passes(&Core), passes(planted))
}

fn stdout(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A planted fault, a document that shows it among much else, the verdict of the latest revision, the
/// rules cited, and how long the case may be.
type Found = (&'static str, Target, &'static [u8], &'static str, &'static [&'static str], usize);

const FOUND: [Found; 7] = [
    (
        "a null name passes",
        Target::Response,
        br#"{ "_meta": {"a": [1, 2, {"b": "c"}]}, "roots": [ {"uri": "file:///home/me", "name": "me"},
            {"uri": "file:///srv/one", "name": null, "_meta": {}}, {"uri": "file:///srv/two"} ] }"#,
        "reject R3 /roots/0/name",
        &["R3"],
        50,
    ),
    (
        "text after the document is left alone",
        Target::Response,
        br#"{"roots": [{"uri": "file:///home/me"}], "more": [1, 2, 3]} and more text"#,
        "reject J2",
        &["J2"],
        15,
    ),
    (
        "the kept document is written anew",
        Target::Response,
        b"{\n  \"roots\": [\n    {\"uri\": \"file:///home/me\"}, {\"uri\": \"file:///srv\"}\n  ]\n}\n",
        "accept",
        &[],
        15,
    ),
    (
        "an id must fit 64 bits",
        Target::Request,
        br#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"roots/list","params":{"a":["b"]}}"#,
        "reject Q3",
        &["Q3", "Q5"],
        70,
    ),
    (
        "an undeclared capability is invalid params",
        Target::Capabilities,
        br#"{"sampling": {}, "elicitation": {"form": {}}, "experimental": {"roots": {}}}"#,
        "reject C1",
        &["C1"],
        2,
    ),
    (
        "a malformed neighbour refuses the map",
        Target::InputResponses,
        br#"{"github_login": "somebody", "client_roots": {"roots": [{"uri": "file:///home/me"}]}, "x": {}}"#,
        "accept",
        &["A2"],
        40,
    ),
    (
        "client capabilities may be null",
        Target::RequestMeta,
        br#"{"progressToken": "a", "io.modelcontextprotocol/clientCapabilities": null}"#,
        "reject C5 /io.modelcontextprotocol~1clientCapabilities",
        &["C5"],
        51,
    ),
];

#[test]
fn a_finding_becomes_a_small_case_that_the_core_passes_and_the_fault_fails() {
    let copy = Copy::new("finding");
    let before = copy.load().len();
    for (index, (planted, target, doc, expected, cites, at_most)) in FOUND.into_iter().enumerate() {
        let name = format!("found-{index}");
        let options = ["--as", target.name(), "--planted", planted, "--write"];
        let said = stdout(&copy.case("planted", doc, &name, &options));
        let (entry, complaints) = copy.kept(target, &name);
        assert!(entry.doc.len() <= at_most && entry.doc.len() < doc.len(), "{said}");
        let latest = entry.cases().last().unwrap().revision;
        assert_eq!(entry.expected(latest).to_string(), expected, "{said}");
        assert_eq!(entry.about.cites, cites, "{said}");
        assert_eq!(replays(&entry, planted), (true, false), "{said}");
        // What only a person can say is missing, and said to be so.
        let mut lacks = vec!["it does not say what it shows and what goes wrong"];
        lacks.extend(cites.is_empty().then_some("it cites no rule of the book"));
        assert_eq!(complaints.len(), lacks.len(), "{complaints:?}");
        for lack in lacks {
            assert!(complaints.iter().any(|complaint| complaint.ends_with(lack)), "{complaints:?}");
            assert!(said.contains(lack), "{said}");
        }
    }
    assert_eq!(copy.load().len(), before + FOUND.len());
}

#[test]
fn with_what_a_person_says_a_case_lacks_nothing() {
    let copy = Copy::new("filled");
    let (planted, target, doc, ..) = FOUND[0];
    let words = ["--shows", "A name that is \"null\".", "--misjudged", "A server prints \\null\\ as a name."];
    let options = [&["--planted", planted, "--write"], &words[..]].concat();
    stdout(&copy.case("response", doc, "null-again", &options));
    let (entry, complaints) = copy.kept(target, "null-again");
    assert_eq!(complaints, [""; 0]);
    assert_eq!((&*entry.about.shows, &*entry.about.misjudged), (words[1], words[3]));
    assert!(entry.about.source.starts_with("fuzzing: response"), "{}", entry.about.source);
}

#[test]
fn an_artifact_that_describes_a_document_is_decoded() {
    let copy = Copy::new("described");
    let planted = "a null name passes";
    let is_misjudged = |bytes: &[u8]| {
        let sample = Input::Model(Target::Response).sample(bytes);
        sample.is_some_and(|sample| {
            quietly(|| laws::gets_what_is_known(Planted::named(planted).unwrap(), &sample)).is_err()
        })
    };
    // Bytes without rhyme or reason, as a fuzzer's are.
    let byte =
        |place: (u32, u32)| BuildHasherDefault::<DefaultHasher>::default().hash_one(place).to_le_bytes()[0];
    let artifacts = (0..100_000).map(|nth| (0..400).map(|place| byte((nth, place))).collect::<Vec<u8>>());
    let artifact = artifacts.into_iter().find(|bytes| is_misjudged(bytes)).expect("such bytes");
    let options = ["--planted", planted, "--write"];
    let said = stdout(&copy.case("response_model", &artifact, "described", &options));
    let (entry, _) = copy.kept(Target::Response, "described");
    assert!(entry.doc.len() <= 50, "{said}");
    assert_eq!(replays(&entry, planted), (true, false), "{said}");
}

/// Fuzz target, artifact, name and options; the exit status and a part of what is said.
type Refused<'a> = (&'a str, &'a [u8], &'a str, &'a [&'a str], i32, &'a str);

#[test]
fn where_nothing_fails_nothing_is_written() {
    let copy = Copy::new("nothing");
    let before = copy.load().len();
    let valid = br#"{"roots":[{"uri":"file:///"}]}"#;
    let fault = FOUND[0].2;
    let refused: [Refused<'_>; 8] = [
        ("response", valid, "name", &["--write"], 1, "no failure"),
        ("response", fault, "name", &["--write"], 1, "no failure"),
        ("planted", fault, "name", &["--write"], 1, "no failure"),
        ("response_model", b"", "name", &["--write"], 1, "no failure"),
        (
            "response",
            fault,
            "A name",
            &["--write", "--planted", "a null name passes"],
            2,
            "a name is made of",
        ),
        ("response", fault, "null-name", &["--write", "--planted", "no such fault"], 2, "no planted fault"),
        ("unheard_of", fault, "name", &["--write"], 2, "--as"),
        ("response", fault, "name", &["--planted"], 2, "lacks its value"),
    ];
    for (fuzz_target, artifact, name, options, status, says) in refused {
        let output = copy.case(fuzz_target, artifact, name, options);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.contains(says), "{says}: {said}");
    }
    // A name is taken once.
    let options = ["--write", "--planted", "a null name passes"];
    stdout(&copy.case("response", fault, "twice", &options));
    assert_eq!(copy.case("response", fault, "twice", &options).status.code(), Some(2));
    assert_eq!(copy.load().len(), before + 1);
}
