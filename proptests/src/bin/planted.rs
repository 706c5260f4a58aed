//! Measures how soon each layer of the harness finds each planted fault, and prints a table.
//!
//! ```sh
//! cargo run --release -q -p mcp-roots-proptests --bin planted
//! ```
//!
//! - `--json`: the last line is one JSON object with the figures.
//! - `--fuzz`: also by libFuzzer, from the documents that do not show the fault; takes most of an hour
//!   at worst, and needs `cargo fuzz build -s none planted` before.
//! - `--fault NAME`: of this fault alone; may be given several times.
//! - `--write FILE`: writes the table to a file, with date, versions and method.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use mcp_roots_proptests::corpus::{self, Entry};
use mcp_roots_proptests::{PLANTED, Planted, detect};
use serde_json::{Value, json};

/// The property tests are run by so many seeds.
const SEEDS: u64 = 20;
/// libFuzzer is run so many times, and so long at most.
const FUZZ_RUNS: u32 = 3;
const FUZZ_BOUND: Duration = Duration::from_secs(30);
/// So many faults are measured at a time.
const AT_A_TIME: usize = 2;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (mut as_json, mut fuzz, mut file, mut faults) = (false, false, None, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => as_json = true,
            "--fuzz" => fuzz = true,
            "--write" => match arguments.next() {
                Some(name) => file = Some(name),
                None => return usage(),
            },
            "--fault" => match arguments.next().as_deref().and_then(Planted::named) {
                Some(planted) => faults.push(planted),
                None => return usage(),
            },
            "--help" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            _ => return usage(),
        }
    }
    if faults.is_empty() {
        faults.extend(PLANTED);
    }
    match measure(&faults, fuzz) {
        Ok(found) => report(&found, as_json, file.as_deref()),
        Err(error) => {
            eprintln!("planted: {error}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "planted [--json] [--fuzz] [--fault NAME]... [--write FILE]
  --json        the last line is one JSON object with the figures
  --fuzz        by libFuzzer, too: most of an hour; needs `cargo fuzz build -s none planted` before
  --fault NAME  of this fault alone; may be given several times
  --write FILE  writes the table to a file, with date, versions and method";

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// How one planted fault was found.
struct Found {
    planted: &'static Planted,
    /// The first document of the corpus that catches it.
    document: Option<String>,
    /// Documents drawn until it was found, by seed, in order; none where a seed missed it.
    cases: Vec<usize>,
    /// Seconds until the fuzzer found it, in order; only of the runs that did.
    seconds: Option<Vec<f64>>,
}

impl Found {
    fn median_cases(&self) -> Option<usize> {
        // Seeds that missed it count as the worst.
        self.cases.get(usize::try_from(SEEDS).ok()? / 2).copied()
    }

    fn worst_cases(&self) -> Option<usize> {
        self.cases.last().copied().filter(|_| self.cases.len() as u64 == SEEDS)
    }

    fn median_seconds(&self) -> Option<f64> {
        self.seconds.as_ref()?.get(FUZZ_RUNS as usize / 2).copied()
    }
}

fn measure(faults: &[&'static Planted], fuzz: bool) -> Result<Vec<Found>, String> {
    let corpus = corpus::load().map_err(|error| error.to_string())?;
    let fuzzer = if fuzz { Some(fuzzer()?) } else { None };
    let queue = Mutex::new(faults.iter().copied().enumerate());
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("nobody panics with it").next();
                    let Some((index, planted)) = next else { return };
                    let one = find(planted, &corpus, fuzzer.as_deref());
                    eprintln!("{:>3} of {}: {}", index + 1, faults.len(), planted.name);
                    found.lock().expect("nobody panics with it").push((index, one));
                }
            });
        }
    });
    let mut found = found.into_inner().map_err(|error| error.to_string())?;
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, one)| one).collect())
}

fn find(planted: &'static Planted, corpus: &[Entry], fuzzer: Option<&Path>) -> Found {
    let entry = detect::by_corpus(planted, corpus);
    let mut cases: Vec<usize> = (1..=SEEDS).filter_map(|seed| detect::by_properties(planted, seed)).collect();
    cases.sort_unstable();
    let seconds = fuzzer.zip(entry).map(|(fuzzer, entry)| by_fuzzer(planted, corpus, entry, fuzzer));
    Found { planted, document: entry.map(|entry| format!("{}/{}", entry.target, entry.name)), cases, seconds }
}

/// The fuzzer's program, built before.
fn fuzzer() -> Result<PathBuf, String> {
    let built = Command::new("rustc").arg("-vV").output().map_err(|error| error.to_string())?;
    let version = String::from_utf8_lossy(&built.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let path = corpus::folder().join("../target").join(host).join("release/planted");
    let path = path
        .canonicalize()
        .map_err(|_| format!("{} is missing: cargo fuzz build -s none planted", path.display()))?;
    let without_fault = Command::new(&path).arg("-runs=1000").stderr(Stdio::null()).status();
    if !without_fault.is_ok_and(|status| status.success()) {
        return Err("the fuzzer does not run, or fails without a planted fault".to_owned());
    }
    Ok(path)
}

/// Seconds until libFuzzer finds the fault, from those documents of the target alone that do not show
/// it; one for each run that found it.
fn by_fuzzer(planted: &Planted, corpus: &[Entry], entry: &Entry, fuzzer: &Path) -> Vec<f64> {
    let folder = env::temp_dir().join(format!(
        "planted-{}-{}",
        std::process::id(),
        planted.name.replace(' ', "-").replace('/', "")
    ));
    let does_not_show = |seed: &&Entry| {
        let is_seed = seed.target == entry.target && seed.doc.len() <= 4096;
        is_seed && detect::by_corpus(planted, std::slice::from_ref(*seed)).is_none()
    };
    let documents: Vec<&Entry> = corpus.iter().filter(does_not_show).collect();
    let mut seconds = Vec::new();
    for run in 1..=FUZZ_RUNS {
        let seeds = folder.join("seeds");
        fs::create_dir_all(&seeds).expect("a folder for seeds");
        for seed in &documents {
            fs::write(seeds.join(&seed.name), &seed.doc).expect("a seed is written");
        }
        let dictionary = corpus::folder().join(format!("../fuzz/dictionaries/{}.dict", entry.target));
        let start = Instant::now();
        let status = Command::new(fuzzer)
            .env("MCP_ROOTS_PLANTED", planted.name)
            .env("MCP_ROOTS_TARGET", entry.target.name())
            .arg(format!("-max_total_time={}", FUZZ_BOUND.as_secs()))
            .arg(format!("-seed={run}"))
            .arg(format!("-dict={}", dictionary.display()))
            .arg(format!("-artifact_prefix={}/", folder.display()))
            .arg(&seeds)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let elapsed = start.elapsed().as_secs_f64();
        // A fuzzer that ends for another reason has found nothing: a finding leaves its document.
        let mut left = fs::read_dir(&folder).expect("the folder is still there").flatten();
        if left.any(|file| file.file_name().to_string_lossy().starts_with("crash-")) {
            seconds.push(elapsed);
        } else if !status.is_ok_and(|status| status.success()) {
            eprintln!("{}: run {run} of the fuzzer ended without a finding", planted.name);
        }
        fs::remove_dir_all(&folder).expect("the folder goes again");
    }
    seconds.sort_by(f64::total_cmp);
    seconds
}

fn report(found: &[Found], as_json: bool, file: Option<&str>) -> ExitCode {
    let table = table(found);
    println!("{table}");
    if let Some(file) = file
        && let Err(error) = fs::write(file, document(found, &table))
    {
        eprintln!("planted: {file}: {error}");
        return ExitCode::FAILURE;
    }
    if as_json {
        println!("{}", figures(found));
    }
    ExitCode::SUCCESS
}

fn figures(found: &[Found]) -> Value {
    let faults = found.iter().map(|one| {
        json!({
            "name": one.planted.name,
            "rule": one.planted.rule,
            "corpus": one.document.is_some(),
            "cases_median": one.median_cases(),
            "fuzz_seconds": one.median_seconds(),
        })
    });
    json!({"faults": faults.collect::<Vec<_>>()})
}

fn table(found: &[Found]) -> String {
    let mut lines = vec![
        "| planted fault | rule | corpus, first document | properties, median cases | worst | fuzzer, seconds |".to_owned(),
        "| --- | --- | --- | ---: | ---: | ---: |".to_owned(),
    ];
    let or_missed = |figure: Option<String>| figure.unwrap_or_else(|| "missed".to_owned());
    for one in found {
        let seconds = match &one.seconds {
            None => "–".to_owned(),
            Some(_) => or_missed(one.median_seconds().map(|seconds| format!("{seconds:.1}"))),
        };
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {seconds} |",
            one.planted.name,
            one.planted.rule,
            or_missed(one.document.clone()),
            or_missed(one.median_cases().map(|cases| cases.to_string())),
            or_missed(one.worst_cases().map(|cases| cases.to_string())),
        ));
    }
    let caught = |is_caught: &dyn Fn(&Found) -> bool| found.iter().filter(|one| is_caught(one)).count();
    let fuzzed = caught(&|one| one.seconds.is_some());
    let by_fuzzer = match fuzzed {
        0 => "the fuzzer was not asked".to_owned(),
        _ => format!("{} of {fuzzed} by the fuzzer", caught(&|one| one.median_seconds().is_some())),
    };
    lines.push(format!(
        "\n{} planted faults: {} caught by the corpus, {} by the property tests with every seed, {by_fuzzer}.",
        found.len(),
        caught(&|one| one.document.is_some()),
        caught(&|one| one.worst_cases().is_some()),
    ));
    lines.join("\n")
}

fn document(found: &[Found], table: &str) -> String {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map_or_else(
            |_| "unknown".to_owned(),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
    };
    format!(
        "# Planted faults, and how soon they are found\n\n\
        Written by `cargo run --release -q -p mcp-roots-proptests --bin planted -- {}--write proptests/PLANTED.md`\n\
        on {}, with {} and mcp-roots {}, on two cores.\n\n\
        Each fault is planted in the reference, which is then judged like any validator. The corpus column\n\
        names the first document whose replay finds it. The property tests draw valid, flawed and undirected\n\
        documents in turn, at most {} of each, by {SEEDS} seeds: the median and the worst number of documents\n\
        drawn until the first failure. The fuzzer starts from those committed documents of the target alone\n\
        on which the fault does not show, with the target's dictionary: the median of {FUZZ_RUNS} runs of at most\n\
        {} seconds, two faults at a time, its start included. It changes values as well as bytes, as most targets do.\n\n\
        {table}\n{}",
        if found.iter().any(|one| one.seconds.is_some()) { "--fuzz " } else { "" },
        output("date", &["+%Y-%m-%d"]),
        output("rustc", &["--version"]),
        env!("CARGO_PKG_VERSION"),
        detect::CASES,
        FUZZ_BOUND.as_secs(),
        misses(found),
    )
}

/// Why the fuzzer overlooks what it does, or finds it by luck: a fault, and what it takes to show.
const WHY_MISSED: [(&str, &str); 13] = [
    (
        "a byte order mark is skipped",
        "Three bytes at the one place of a document that is valid without them.",
    ),
    (
        "equal names among more than sixty-four are overlooked",
        "An object of more than sixty-four names, two of them equal: changes add a name or two.",
    ),
    (
        "the request is not judged before it is put",
        "The target has no request: capabilities are judged with the bare one.",
    ),
    (
        "client capabilities may stand under nested names",
        "Two names, one within the other, that neither the dictionary nor the words of the generators have.",
    ),
    ("names are normalised", "Two characters, side by side, in a name of a valid document."),
    (
        "_meta of a root may be null",
        "A null at one place, of an otherwise valid document, in a revision that judges it.",
    ),
    (
        "roots are counted in a byte, and judged up to their number",
        "More than 255 roots hardly fit into an input's 4 KiB.",
    ),
    (
        "more than a hundred roots are refused",
        "A hundred roots and one, all valid, are nearly as long as an input may be.",
    ),
    ("a port is anything", "A letter at the one place of a URI where a port stands."),
    (
        "IPvFuture is refused",
        "Brackets, a `v`, a digit and a dot at the one place of a URI where they are a host.",
    ),
    (
        "_meta null is absent in bare params",
        "A null at one place of bare params, of an otherwise valid document.",
    ),
    (
        "the request is judged before the answer is looked for",
        "The target has no request: an answer is judged as one to the bare request.",
    ),
    (
        "the request is not judged",
        "The target has no request: an answer is judged as one to the bare request.",
    ),
];

/// Said of a miss that nobody has looked into.
const UNEXPLAINED: &str = "Two of three runs did not find it within the bound.";

/// What the fuzzer did not find, and why.
fn misses(found: &[Found]) -> String {
    let missed = found.iter().filter(|one| one.seconds.is_some() && one.median_seconds().is_none());
    let mut lines = Vec::new();
    for Found { planted, .. } in missed {
        let known = WHY_MISSED.iter().find(|(name, _)| *name == planted.name);
        let why = known.map_or(UNEXPLAINED, |(_, why)| why);
        lines.push(format!("- {}: {why}\n", planted.name));
    }
    if lines.is_empty() { String::new() } else { format!("\nMissed by the fuzzer:\n\n{}", lines.concat()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed table.
    const TABLE: &str = include_str!("../../PLANTED.md");

    #[test]
    fn the_table_tells_of_every_planted_fault() {
        let rows = TABLE.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
        let names: Vec<_> = rows.map(|(name, _)| name).skip_while(|name| *name != PLANTED[0].name).collect();
        assert_eq!(names, PLANTED.iter().map(|planted| planted.name).collect::<Vec<_>>());
    }

    #[test]
    fn every_miss_of_the_table_is_explained() {
        let missed: Vec<_> = TABLE
            .lines()
            .filter(|line| line.ends_with("| missed |"))
            .filter_map(|line| line.strip_prefix("| ")?.split_once(" | "))
            .map(|(name, _)| name)
            .collect();
        let explained: Vec<_> =
            TABLE.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": ")).collect();
        assert_eq!(explained.iter().map(|(name, _)| *name).collect::<Vec<_>>(), missed);
        for (name, why) in explained {
            assert!(WHY_MISSED.contains(&(name, why)), "{name}: {why}");
        }
        for (name, _) in WHY_MISSED {
            assert!(Planted::named(name).is_some(), "{name}");
        }
    }
}
