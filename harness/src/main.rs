//! `mcp-roots`: tests an implementation's roots through an adapter.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs, process};

use clap::{Args, Parser, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use mcp_roots::Revision;
use mcp_roots_harness::adapter::{Launch, StartError};
use mcp_roots_harness::built_in::{self, Misbehaviour};
use mcp_roots_harness::check::{self, Selection};
use mcp_roots_harness::interrupt::Interrupt;
use mcp_roots_harness::known::{Known, did_you_mean};
use mcp_roots_harness::matrix::Matrix;
use mcp_roots_harness::replay::Replay;
use mcp_roots_harness::report::{self, Format, counted};
use mcp_roots_harness::watchdog::{self, Watchdog};
use mcp_roots_harness::{fuzz, generate, rules, save};
use mcp_roots_proptests::corpus::{self, Entry, Strength};
use mcp_roots_proptests::{Core, FLAWS, Flaw, PLANTED, Planted, Target, strategy};

const EXIT_STATUSES: &str = "\
Exit status:
  0  something was judged, and nothing is wrong
  1  the adapter is wrong somewhere, or an expected difference is gone
  2  the command line is wrong
  3  the adapter's program cannot be run
  4  the adapter does not speak the protocol, or failed so often that it was not asked any more
  5  nothing was judged
  6  a file cannot be read or written
  7  a file is there already, and is not written over
  130  interrupted (SIGINT); what was found until then is reported
  143  terminated (SIGTERM); likewise";

/// Tests an implementation of MCP roots, in any language, through an adapter.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Hold the corpus against an adapter.
    Check(Box<Check>),
    /// Hold generated documents against an adapter, with the reference as the oracle.
    Fuzz(Box<Fuzz>),
    /// Write generated cases with the verdicts that they must get, as JSON Lines.
    Generate(Generate),
    /// Write a page that compares implementations, from reports of `check` and `fuzz` in JSON.
    Matrix(MatrixOf),
    /// List what there is.
    List(List),
    /// Be an adapter: the validation core of mcp-roots, or a version of it that is wrong on purpose.
    Adapter(BuiltIn),
    /// Kill the listed processes when the list ends.
    #[command(name = watchdog::SUBCOMMAND, hide = true)]
    Watchdog,
}

#[derive(Args)]
#[command(after_help = EXIT_STATUSES)]
struct Check {
    /// Only documents of this target.
    #[arg(long, value_name = "TARGET", value_parser = target, value_delimiter = ',')]
    target: Vec<Target>,
    /// Only as judged in this revision.
    #[arg(long, value_name = "REVISION", value_parser = revision, value_delimiter = ',')]
    revision: Vec<Revision>,
    /// Only documents that bear on this rule.
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    rule: Vec<String>,
    /// Only expectations of this strength.
    #[arg(long, value_enum, value_delimiter = ',')]
    strength: Vec<StrengthName>,
    /// Only this document.
    #[arg(long = "document", value_name = "TARGET/NAME", value_delimiter = ',')]
    documents: Vec<String>,
    /// Ask so many processes of the adapter at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Compare rule and place too, where the adapter gives them.
    #[arg(long)]
    exact: bool,
    /// Let differences about what the sources leave open count as failures.
    #[arg(long)]
    fail_decided: bool,
    /// A file of known differences; one that is gone is a failure.
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Write the differences of this run to such a file, if the run asked all that it was to.
    #[arg(long, value_name = "FILE")]
    write_expected: Option<PathBuf>,
    /// Write that file even if there is one; what it says of documents that this run does not ask for, and why a
    /// difference is accepted, is kept.
    #[arg(long, requires = "write_expected")]
    force: bool,
    /// Another corpus than the one inside the program, such as a folder that `fuzz --save` has written.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    program: Program,
}

#[derive(Args)]
#[command(after_help = EXIT_STATUSES)]
struct Fuzz {
    /// Only documents of this target.
    #[arg(long, value_name = "TARGET", value_parser = target, value_delimiter = ',')]
    target: Vec<Target>,
    /// Only as judged in this revision.
    #[arg(long, value_name = "REVISION", value_parser = revision, value_delimiter = ',')]
    revision: Vec<Revision>,
    /// So many cases [default: 20000, or as many as the time allows].
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// So long, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Draw the cases of this seed [default: another one every time].
    #[arg(long)]
    seed: Option<u64>,
    /// Only the case of this number; `generate` numbers them alike.
    #[arg(long, value_name = "NUMBER", requires = "seed", conflicts_with_all = ["cases", "time"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    case: Option<u64>,
    /// Ask so many processes of the adapter at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Compare rule and place too, where the adapter gives them.
    #[arg(long)]
    exact: bool,
    /// Let differences about what the sources leave open count as failures.
    #[arg(long)]
    fail_decided: bool,
    /// Stop at the first failure.
    #[arg(long)]
    fail_fast: bool,
    /// Write the minimal documents to this folder, as a corpus for `check --corpus`, if there are any; to those
    /// that an earlier run has written there, new ones are added.
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    program: Program,
}

/// The adapter, and how long it may take.
#[derive(Args)]
struct Program {
    /// How long one answer may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    time_limit: Duration,
    /// How long the adapter may take to start.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    start_limit: Duration,
    /// The adapter's program, and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

impl Program {
    fn launch(self) -> Launch {
        let Self { time_limit, start_limit, command } = self;
        // Without one, adapters still see their input end.
        let watchdog = env::current_exe().and_then(|program| Watchdog::start(&program)).ok();
        Launch { command, time_limit, start_limit, watchdog, interrupt: Interrupt::default() }
    }
}

#[derive(Args)]
struct Generate {
    /// Only documents of this target.
    #[arg(long, value_name = "TARGET", value_parser = target, value_delimiter = ',')]
    target: Vec<Target>,
    /// Only as judged in this revision.
    #[arg(long, value_name = "REVISION", value_parser = revision, value_delimiter = ',')]
    revision: Vec<Revision>,
    /// So many cases.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,
    /// The same seed writes the same cases.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only documents with this flaw.
    #[arg(long, value_parser = flaw)]
    flaw: Option<&'static Flaw>,
}

#[derive(Args)]
struct MatrixOf {
    /// Reports written by `check --format json`, one an implementation, and by `fuzz --format json`.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
}

#[derive(Args)]
struct List {
    /// What is listed.
    #[arg(value_enum)]
    what: What,
    /// As JSON Lines.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The rule book.
    Rules,
    /// The flaws that generated documents can have.
    Flaws,
    /// The targets, and the revisions that have them.
    Targets,
    /// The documents of the corpus.
    Cases,
    /// The faults that `adapter --planted` can have.
    Faults,
}

#[derive(Args)]
struct BuiltIn {
    /// Plant a fault by its name.
    #[arg(long, value_name = "FAULT", value_parser = planted)]
    planted: Option<&'static Planted>,
    /// Offend against the protocol.
    #[arg(long, value_enum)]
    misbehave: Option<Misbehaviour>,
}

#[derive(Clone, Copy, ValueEnum)]
enum StrengthName {
    Schema,
    Format,
    Prose,
    Decided,
}

impl From<StrengthName> for Strength {
    fn from(name: StrengthName) -> Self {
        match name {
            StrengthName::Schema => Self::Schema,
            StrengthName::Format => Self::Format,
            StrengthName::Prose => Self::Prose,
            StrengthName::Decided => Self::Decided,
        }
    }
}

fn target(name: &str) -> Result<Target, String> {
    name.parse().map_err(|_| format!("the targets are {}", Target::ALL.map(Target::name).join(", ")))
}

fn revision(name: &str) -> Result<Revision, String> {
    let all = Revision::ALL.map(|revision| revision.to_string());
    name.parse().map_err(|_| format!("the revisions are {}", all.join(", ")))
}

fn rule(id: &str) -> Result<String, String> {
    let is_there = rules::text(id).is_some();
    if is_there {
        Ok(id.to_owned())
    } else {
        Err("no such rule: `mcp-roots list rules` lists them".to_owned())
    }
}

fn planted(name: &str) -> Result<&'static Planted, String> {
    Planted::named(name).ok_or_else(|| "no such fault: `mcp-roots list faults` lists them".to_owned())
}

fn flaw(name: &str) -> Result<&'static Flaw, String> {
    let flaw = FLAWS.iter().find(|flaw| flaw.name == name);
    flaw.ok_or_else(|| "no such flaw: `mcp-roots list flaws` lists them".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    if duration.is_zero() { Err("no time at all".to_owned()) } else { Ok(duration) }
}

/// Why there is no report.
enum Trouble {
    Start(StartError),
    File(PathBuf, String),
    Output(io::Error),
    Nothing(String),
    Document(String),
    Exists(PathBuf, String),
    Interrupted(u8),
}

impl From<StartError> for Trouble {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Subcommands::Check(arguments) => run_check(*arguments),
        Subcommands::Fuzz(arguments) => run_fuzz(*arguments),
        Subcommands::Generate(arguments) => run_generate(&arguments),
        Subcommands::Matrix(arguments) => run_matrix(&arguments),
        Subcommands::List(arguments) => run_list(&arguments),
        Subcommands::Adapter(arguments) => run_adapter(&arguments),
        Subcommands::Watchdog => {
            watchdog::watch(BufReader::new(io::stdin()));
            Ok(0)
        }
    };
    let (status, message) = match outcome {
        Ok(status) => return ExitCode::from(status),
        // Nobody wants to read on.
        Err(Trouble::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(Trouble::Nothing(why)) => (5, why),
        Err(Trouble::Document(why)) => (2, why),
        Err(Trouble::Exists(path, why)) => (7, format!("{}: {why}", path.display())),
        Err(Trouble::Interrupted(status)) => (status, StartError::Interrupted.to_string()),
        Err(Trouble::Output(error)) => (6, format!("standard output: {error}")),
        Err(Trouble::File(path, why)) => (6, format!("{}: {why}", path.display())),
        Err(Trouble::Start(error @ StartError::Program(_))) => (3, error.to_string()),
        Err(Trouble::Start(error)) => (4, error.to_string()),
    };
    // If that cannot be written either, the status has to do.
    let _ = writeln!(anstream::stderr(), "mcp-roots: {message}");
    ExitCode::from(status)
}

fn load(folder: Option<&Path>) -> Result<Vec<Entry>, Trouble> {
    let path = folder.unwrap_or_else(|| "the corpus".as_ref()).to_owned();
    let corpus = match folder {
        Some(folder) => corpus::load_from(folder),
        None => corpus::built_in(),
    };
    let corpus = corpus.map_err(|error| Trouble::File(path.clone(), error.to_string()))?;
    if corpus.is_empty() {
        return Err(Trouble::Nothing(format!("{}: there is no document in it", path.display())));
    }
    Ok(corpus)
}

/// Says in a report too, where its format can, that there is none.
fn started<R>(run: &str, format: Format, report: Result<R, StartError>) -> Result<R, Trouble> {
    if let Err(error) = &report {
        printed(|to| report::trouble(run, &error.to_string(), format, to))?;
    }
    Ok(report?)
}

fn run_check(arguments: Check) -> Result<u8, Trouble> {
    if let Some(path) = arguments.write_expected.as_ref().filter(|path| path.exists() && !arguments.force) {
        let why = "it is there already; --force writes over it".to_owned();
        return Err(Trouble::Exists(path.clone(), why));
    }
    let corpus = load(arguments.corpus.as_deref())?;
    let names: BTreeSet<String> = corpus.iter().map(check::name_of).collect();
    if let Some(name) = arguments.documents.iter().find(|name| !names.contains(*name)) {
        let why = format!("no document {name} in the corpus{}", did_you_mean(name, &names));
        return Err(Trouble::Document(why));
    }
    let known = arguments.expected.as_deref().map(known_at).transpose()?;
    // What is written over is read before it takes time to find out.
    let rewritten = arguments.write_expected.as_deref().filter(|path| path.exists()).map(known_at);
    let rewritten = rewritten.transpose()?;
    // Where signals cannot be caught, they end the run as they do any other.
    let interrupt = Interrupt::by_signals().unwrap_or_default();
    let options = check::Options {
        selection: Selection {
            targets: arguments.target,
            revisions: arguments.revision,
            rules: arguments.rule,
            strengths: arguments.strength.into_iter().map(Strength::from).collect(),
            documents: arguments.documents,
        },
        jobs: arguments.jobs.into(),
        exact: arguments.exact,
        fail_decided: arguments.fail_decided,
        known,
    };
    let launch = Launch { interrupt: interrupt.clone(), ..arguments.program.launch() };
    let report = check::run(&corpus, &launch, &options);
    if let (Err(StartError::Interrupted), Some(status)) = (&report, interrupt.status()) {
        return Err(Trouble::Interrupted(status));
    }
    let report = started("mcp-roots check", arguments.format, report)?;
    printed(|to| report::check(&report, arguments.format, to))?;
    if let Some(path) = arguments.write_expected {
        let list = rewritten.or(options.known).unwrap_or_default();
        write_expected(&path, &list, &names, &report)?;
    }
    Ok(match report {
        _ if report.interrupted => interrupt.status().unwrap_or(1),
        _ if report.gave_up => 4,
        _ if report.is_empty() => 5,
        _ if report.is_green() => 0,
        _ => 1,
    })
}

/// Reads a list of known differences.
fn known_at(path: &Path) -> Result<Known, Trouble> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string());
    text.and_then(|text| Known::read(&text)).map_err(|why| Trouble::File(path.to_owned(), why))
}

/// Writes the differences of a run, if it asked all that it was to ask.
fn write_expected(
    path: &Path,
    list: &Known,
    names: &BTreeSet<String>,
    report: &check::Report,
) -> Result<(), Trouble> {
    let said = if report.gave_up || report.interrupted || report.is_empty() {
        format!("{} is not written: the run did not ask all that it was to", path.display())
    } else {
        let differences = report.failures.iter().chain(&report.known);
        let is_settled = |document: &str| report.whole.contains(document) || !names.contains(document);
        let before: BTreeSet<String> = list.documents().map(str::to_owned).collect();
        let list = list.write(differences, is_settled);
        let count = Known::read(&list).map_or(0, |list| list.len());
        fs::write(path, list).map_err(|error| Trouble::File(path.to_owned(), error.to_string()))?;
        let gone: Vec<String> = before.into_iter().filter(|name| !names.contains(name)).collect();
        let gone = match gone.len() {
            0 => String::new(),
            _ => format!("; left out, since they are not in the corpus: {}", gone.join(", ")),
        };
        format!("{} written to {}{gone}", counted(count, "known difference"), path.display())
    };
    let _ = writeln!(anstream::stderr(), "{said}");
    Ok(())
}

fn run_fuzz(arguments: Fuzz) -> Result<u8, Trouble> {
    let corpus = load(None)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::from(since.subsec_nanos()) << 16 ^ u64::from(process::id())
    });
    let as_many = if arguments.time.is_some() { u64::MAX } else { fuzz::CASES };
    // Where signals cannot be caught, they end the run as they do any other.
    let interrupt = Interrupt::by_signals().unwrap_or_default();
    let options = fuzz::Options {
        seed,
        first: arguments.case.unwrap_or(1),
        cases: if arguments.case.is_some() { 1 } else { arguments.cases.unwrap_or(as_many) },
        time: arguments.time,
        targets: arguments.target,
        revisions: arguments.revision,
        exact: arguments.exact,
        fail_decided: arguments.fail_decided,
        fail_fast: arguments.fail_fast,
        jobs: arguments.jobs.into(),
        interrupt: interrupt.clone(),
    };
    let folder = arguments.save.as_ref().map(|path| {
        save::Folder::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Trouble::Exists(path.clone(), error.to_string()),
            _ => Trouble::File(path.clone(), error.to_string()),
        })
    });
    let folder = folder.transpose()?;
    let launch = Launch { interrupt: interrupt.clone(), ..arguments.program.launch() };
    let replay = Replay::new(&options, &launch);
    let progress = Progress::new(&options);
    let report = fuzz::run(&corpus, &launch, &options, &|cases, findings| {
        progress.show(cases, findings);
    });
    progress.end();
    if let (Err(StartError::Interrupted), Some(status)) = (&report, interrupt.status()) {
        return Err(Trouble::Interrupted(status));
    }
    let report = started("mcp-roots fuzz", arguments.format, report)?;
    // What was found is told even if it cannot be saved.
    printed(|to| report::fuzz(&report, &replay, arguments.format, to))?;
    if let (Some(folder), Some(path)) = (folder, arguments.save) {
        let saved = folder.save(&report, &replay);
        let save::Saved { new, old } =
            saved.map_err(|error| Trouble::File(path.clone(), error.to_string()))?;
        let there = if old == 0 { String::new() } else { format!(", where {old} more were already") };
        let _ =
            writeln!(anstream::stderr(), "{} saved in {}{there}", counted(new, "document"), path.display());
    }
    Ok(match report {
        _ if report.interrupted => interrupt.status().unwrap_or(1),
        _ if report.gave_up => 4,
        _ if report.cases == 0 => {
            let why =
                "nothing was judged: no case was drawn for a target and revision that the adapter supports";
            return Err(Trouble::Nothing(why.to_owned()));
        }
        _ if report.findings.is_empty() => 0,
        _ => 1,
    })
}

/// Shows how far fuzzing is: a bar on a terminal, a line now and then elsewhere.
struct Progress {
    bar: ProgressBar,
    last: Mutex<Instant>,
}

impl Progress {
    /// How often there is a line, where there is no terminal.
    const PAUSE: Duration = Duration::from_secs(10);

    fn new(options: &fuzz::Options) -> Self {
        let bar = match (io::stderr().is_terminal(), options.cases) {
            (false, _) => ProgressBar::hidden(),
            (true, u64::MAX) => ProgressBar::new_spinner(),
            (true, cases) => ProgressBar::new(cases),
        };
        let style = if options.cases == u64::MAX {
            "{spinner} {pos} cases in {elapsed}, {msg}"
        } else {
            "{bar:30} {pos} of {len} cases, {msg}"
        };
        // The template is the program's own.
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, last: Mutex::new(Instant::now()) }
    }

    fn show(&self, cases: u64, findings: usize) {
        self.bar.set_position(cases);
        let findings = counted(findings, "finding");
        self.bar.set_message(findings.clone());
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() && last.elapsed() >= Self::PAUSE {
            *last = Instant::now();
            let _ = writeln!(anstream::stderr(), "{}, {findings}", counted(cases, "case"));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes to the standard output; a reader who has gone changes nothing about the result.
fn printed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = io::BufWriter::new(anstream::stdout().lock());
    match write(&mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn run_generate(arguments: &Generate) -> Result<u8, Trouble> {
    let Generate { target, revision, count, seed, flaw } = arguments;
    let is_asked = |(of, by): &(Target, Revision)| {
        (target.is_empty() || target.contains(of))
            && (revision.is_empty() || revision.contains(by))
            && flaw.is_none_or(|flaw| flaw.applies(*of, *by))
    };
    let questions: Vec<_> = strategy::questions().into_iter().filter(is_asked).collect();
    if questions.is_empty() {
        return Err(Trouble::Nothing("no target and revision are left to generate for".to_owned()));
    }
    printed(|to| generate::generate(&questions, *flaw, *count, *seed, to))?;
    Ok(0)
}

fn run_matrix(MatrixOf { reports }: &MatrixOf) -> Result<u8, Trouble> {
    let mut matrix = Matrix::default();
    for path in reports {
        let text = fs::read_to_string(path).map_err(|error| error.to_string());
        let added = text.and_then(|text| matrix.add(&text));
        added.map_err(|why| Trouble::File(path.clone(), why))?;
    }
    if matrix.is_empty() {
        let why =
            "there is no report of a check: the page is made of those, and of fuzzing what it adds to one";
        return Err(Trouble::Nothing(why.to_owned()));
    }
    printed(|to| matrix.write(to))?;
    Ok(0)
}

fn run_list(List { what, json }: &List) -> Result<u8, Trouble> {
    let rows: Vec<Row> = match what {
        What::Rules => {
            rules::all().into_iter().map(|(id, text)| Row::new([("rule", id), ("text", &text)])).collect()
        }
        What::Flaws => {
            FLAWS.iter().map(|flaw| Row::new([("rule", flaw.rule), ("flaw", flaw.name)])).collect()
        }
        What::Targets => {
            let revisions = |target: Target| {
                let revisions = Revision::ALL.into_iter().filter(move |revision| target.exists_in(*revision));
                revisions.map(|revision| revision.to_string()).collect::<Vec<_>>().join(" ")
            };
            let row =
                |target: Target| Row::new([("target", target.name()), ("revisions", &revisions(target))]);
            Target::ALL.into_iter().map(row).collect()
        }
        What::Cases => load(None)?.iter().map(case_row).collect(),
        What::Faults => {
            let row = |planted: &Planted| Row::new([("rule", planted.rule), ("fault", planted.name)]);
            PLANTED.iter().map(row).collect()
        }
    };
    printed(|to| rows.iter().try_for_each(|row| row.write(*json, to)))?;
    Ok(0)
}

fn case_row(entry: &Entry) -> Row {
    Row::new([
        ("document", &format!("{}/{}", entry.target, entry.name)),
        ("expect", &entry.expected(Revision::default()).to_string()),
        ("strength", entry.about.strength.name()),
        ("shows", &entry.about.shows),
    ])
}

/// A line of a list: names and texts.
struct Row(Vec<(&'static str, String)>);

impl Row {
    fn new<const N: usize>(cells: [(&'static str, &str); N]) -> Self {
        Self(cells.into_iter().map(|(name, text)| (name, text.to_owned())).collect())
    }

    fn write(&self, as_json: bool, to: &mut dyn Write) -> io::Result<()> {
        if as_json {
            let members = self.0.iter().map(|(name, text)| ((*name).to_owned(), text.as_str().into()));
            writeln!(to, "{}", serde_json::Value::Object(members.collect()))
        } else {
            let cells: Vec<&str> = self.0.iter().map(|(_, text)| text.as_str()).collect();
            writeln!(to, "{}", cells.join("\t"))
        }
    }
}

fn run_adapter(arguments: &BuiltIn) -> Result<u8, Trouble> {
    let (input, output) = (io::stdin().lock(), io::BufWriter::new(io::stdout().lock()));
    match arguments.planted {
        Some(planted) => {
            let name = format!("mcp-roots where {}", planted.name);
            built_in::serve(planted, &name, arguments.misbehave, input, output)?;
        }
        None => built_in::serve(&Core, "mcp-roots", arguments.misbehave, input, output)?,
    }
    Ok(0)
}
