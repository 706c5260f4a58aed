//! Turns an artifact, the input on which a fuzz target failed, into a case of the corpus.
//!
//! ```sh
//! cargo run --release -q -p mcp-roots-proptests --bin case -- FUZZ_TARGET ARTIFACT NAME
//! ```
//!
//! prints how the core fails, the simplest document that is found for which it fails in the same way,
//! the verdicts of both judges in every revision, and the entry of the manifest. It exits with 1, and
//! keeps nothing, where nothing fails.
//!
//! - `--write`: writes `corpus/TARGET/NAME.json`, and appends the entry to `corpus/TARGET.toml`.
//! - `--shows TEXT`, `--misjudged TEXT`: what only a person can say. The test of the corpus fails on
//!   a case that lacks them.
//! - `--as INPUT`: what the artifact's bytes are, where the fuzz target's name does not say so: a
//!   document (`response`) or what describes one (`response_model`).
//! - `--planted FAULT`: hold the planted fault of this name against the laws, not the core. For the
//!   fuzz target `planted` the variables that it reads stand for `--planted` and `--as`.
//! - `--corpus FOLDER`: another corpus.
//!
//! Inputs that take the fuzz target too much time or memory are for `cargo fuzz tmin`: they are judged
//! in this process.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use mcp_roots_proptests::corpus::{self, Entry};
use mcp_roots_proptests::detect::quietly;
use mcp_roots_proptests::finding::{self, Draft, Failure, Input};
use mcp_roots_proptests::{Case, Core, Planted, Sample, Validator, laws};

const USAGE: &str = "case FUZZ_TARGET ARTIFACT NAME [--write] [--shows TEXT] [--misjudged TEXT] \
    [--as INPUT] [--planted FAULT] [--corpus FOLDER]";

fn main() -> ExitCode {
    match Arguments::parse(env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("case: {error}");
            ExitCode::from(2)
        }
    }
}

struct Arguments {
    fuzz_target: String,
    artifact: PathBuf,
    name: String,
    input: Input,
    planted: Option<&'static Planted>,
    corpus: PathBuf,
    shows: String,
    misjudged: String,
    write: bool,
}

impl Arguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut plain, mut write) = (Vec::new(), false);
        let (mut input, mut planted, mut corpus) = (None, None, None);
        let (mut shows, mut misjudged) = (None, None);
        while let Some(argument) = arguments.next() {
            let option = match argument.as_str() {
                "--write" => {
                    write = true;
                    continue;
                }
                "--as" => &mut input,
                "--planted" => &mut planted,
                "--corpus" => &mut corpus,
                "--shows" => &mut shows,
                "--misjudged" => &mut misjudged,
                option if option.starts_with('-') => return Err(format!("unknown option {option}\n{USAGE}")),
                _ => {
                    plain.push(argument);
                    continue;
                }
            };
            *option = Some(arguments.next().ok_or_else(|| format!("{argument} lacks its value\n{USAGE}"))?);
        }
        let [fuzz_target, artifact, name]: [String; 3] = plain.try_into().map_err(|_| USAGE)?;
        if fuzz_target == "planted" {
            planted = planted.or_else(|| env::var("MCP_ROOTS_PLANTED").ok());
            input = input.or_else(|| env::var("MCP_ROOTS_TARGET").ok()).or_else(|| Some("response".into()));
        }
        let no_input =
            |_| format!("what are the bytes of {fuzz_target}? --as response, --as request_model, …");
        let no_fault = |name| format!("no planted fault {name:?}; their names are in PLANTED.md");
        Ok(Self {
            input: input.as_deref().unwrap_or(&fuzz_target).parse().map_err(no_input)?,
            planted: planted.map(|name| Planted::named(&name).ok_or_else(|| no_fault(name))).transpose()?,
            corpus: corpus.map_or_else(corpus::folder, PathBuf::from),
            artifact: artifact.into(),
            shows: shows.unwrap_or_default(),
            misjudged: misjudged.unwrap_or_default(),
            fuzz_target,
            name,
            write,
        })
    }

    fn validator(&self) -> &dyn Validator {
        self.planted.map_or(&Core, |planted| planted)
    }

    /// Who is held against the laws.
    fn who(&self) -> String {
        self.planted.map_or_else(|| "the core".to_owned(), |planted| format!("planted: {}", planted.name))
    }
}

/// Whether there is a failure, and it is kept if that is asked for.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let corpus = corpus::load_from(&arguments.corpus).map_err(|error| error.to_string())?;
    let Some(sample) = arguments.input.sample(&read(&arguments.artifact)?) else {
        eprintln!("case: the artifact describes no document, so that the target did nothing with it");
        return Ok(false);
    };
    let validator = arguments.validator();
    let Some((case, failure)) = first_failure(validator, &sample) else {
        eprintln!(
            "case: no failure: {} breaks no law in any revision by\n{:?}",
            arguments.who(),
            sample.case()
        );
        return is_only_otherwise_known(validator, &sample);
    };
    println!("{} fails: {}\n", arguments.who(), failure.message);
    let small = failure.minimise(validator, &case);
    let case = case.with_doc(&small);
    println!("{} of {} bytes are left, and break {} likewise:", small.len(), sample.doc.len(), failure.law);
    println!("{case:?}\n");
    print_verdicts(validator, &case, &arguments.who());
    if let Some(same) = corpus.iter().find(|entry| entry.target == case.target && entry.doc == small) {
        println!("\nThe corpus has this document already, as {}/{}.", same.target, same.name);
    }
    let mut draft = Draft::new(&arguments.name, &case, &failure, &corpus);
    draft.shows.clone_from(&arguments.shows);
    draft.misjudged.clone_from(&arguments.misjudged);
    draft.source = format!("fuzzing: {}", arguments.fuzz_target);
    if let Some(planted) = arguments.planted {
        draft.source = format!("{}, with the fault: {}", draft.source, planted.name);
    }
    println!("\n{}", draft.entry());
    if arguments.write {
        keep(arguments, &draft)?;
    } else {
        println!("Nothing is written without --write.");
    }
    Ok(true)
}

/// The first revision, that of the sample before the others, in which a law is broken.
fn first_failure<'s>(validator: &dyn Validator, sample: &'s Sample) -> Option<(Case<'s>, Failure)> {
    let case = sample.case();
    let others = case.in_every_revision().filter(move |other| other.revision != case.revision);
    let mut cases = std::iter::once(case).chain(others);
    cases.find_map(|case| Some((case, Failure::of(validator, &case)?)))
}

/// A generated document on which both judges agree, and not with what is known of it: then either the
/// generator is wrong or both judges are, so that there is no verdict to put down.
fn is_only_otherwise_known(validator: &dyn Validator, sample: &Sample) -> Result<bool, String> {
    match quietly(|| laws::gets_what_is_known(validator, sample)) {
        Ok(()) => Ok(false),
        Err(message) => {
            Err(format!("but the generator expects something else, so see the rule book: {message}"))
        }
    }
}

fn print_verdicts(validator: &dyn Validator, case: &Case<'_>, who: &str) {
    println!("| revision | the reference | {who} |\n| --- | --- | --- |");
    for case in case.in_every_revision() {
        let (expected, got) = (finding::by_reference(&case), finding::ask(validator, &case));
        println!("| {} | {expected} | {got} |", case.revision);
    }
}

/// Writes the case, loads it again, and says what it lacks and who passes its replay.
fn keep(arguments: &Arguments, draft: &Draft) -> Result<(), String> {
    let path = draft.write(&arguments.corpus).map_err(|error| format!("{}: {error}", draft.name))?;
    println!("Written: {} and its entry.", path.display());
    let corpus = corpus::load_from(&arguments.corpus).map_err(|error| error.to_string())?;
    let is_it = |entry: &&Entry| entry.target == draft.target && entry.name == draft.name;
    let entry = corpus.iter().find(is_it).ok_or("it does not load")?;
    for complaint in corpus::complaints(&corpus) {
        if complaint.starts_with(&format!("{}/{}: ", entry.target, entry.name)) {
            println!("To be mended: {complaint}");
        }
    }
    let replayed = |validator: &dyn Validator| {
        let replay = quietly(|| assert_ne!(corpus::replay(validator, entry), 0));
        if replay.is_ok() { "passes" } else { "fails" }
    };
    println!("Replay: the core {}.", replayed(&Core));
    if arguments.planted.is_some() {
        println!("Replay: {} {}.", arguments.who(), replayed(arguments.validator()));
    }
    Ok(())
}
