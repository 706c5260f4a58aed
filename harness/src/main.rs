//! `mcp-roots`: tests an implementation's roots through an adapter.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use mcp_roots::Revision;
use mcp_roots_harness::adapter::{Launch, StartError};
use mcp_roots_harness::built_in::{self, Misbehaviour};
use mcp_roots_harness::check::{self, Selection};
use mcp_roots_harness::known::Known;
use mcp_roots_harness::report::{self, Format};
use mcp_roots_harness::rules;
use mcp_roots_harness::watchdog::{self, Watchdog};
use mcp_roots_proptests::corpus::{self, Entry, Strength};
use mcp_roots_proptests::{Core, Planted, Target};

const EXIT_STATUSES: &str = "\
Exit status:
  0  something was judged, and nothing is wrong
  1  the adapter is wrong somewhere, or an expected difference is gone
  2  the command line is wrong
  3  the adapter's program cannot be run
  4  the adapter does not speak the protocol, or failed so often that it was not asked any more
  5  nothing was judged
  6  a file cannot be read or written";

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
    /// Write the differences of this run to such a file.
    #[arg(long, value_name = "FILE")]
    write_expected: Option<PathBuf>,
    /// Another corpus than the one inside the program, such as a folder that `fuzz --save` has written.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
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
        Launch { command, time_limit, start_limit, watchdog }
    }
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
        Err(Trouble::Output(error)) => (6, format!("standard output: {error}")),
        Err(Trouble::File(path, why)) => (6, format!("{}: {why}", path.display())),
        Err(Trouble::Start(error @ StartError::Program(_))) => (3, error.to_string()),
        Err(Trouble::Start(error @ StartError::Handshake(_))) => (4, error.to_string()),
    };
    // If that cannot be written either, the status has to do.
    let _ = writeln!(anstream::stderr(), "mcp-roots: {message}");
    ExitCode::from(status)
}

fn load(folder: Option<&Path>) -> Result<Vec<Entry>, Trouble> {
    let corpus = folder.map_or_else(corpus::built_in, corpus::load_from);
    let path = folder.unwrap_or_else(|| "the corpus".as_ref()).to_owned();
    corpus.map_err(|error| Trouble::File(path, error.to_string()))
}

fn run_check(arguments: Check) -> Result<u8, Trouble> {
    let corpus = load(arguments.corpus.as_deref())?;
    let known = arguments.expected.map(|path| {
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let known = text.and_then(|text| Known::read(&text).map_err(|error| error.to_string()));
        known.map_err(|why| Trouble::File(path, why))
    });
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
        known: known.transpose()?,
    };
    let report = check::run(&corpus, &arguments.program.launch(), &options)?;
    if let Some(path) = arguments.write_expected {
        let list = Known::write(report.failures.iter().chain(&report.known));
        fs::write(&path, list).map_err(|error| Trouble::File(path, error.to_string()))?;
    }
    printed(|to| report::check(&report, arguments.format, to))?;
    Ok(match report {
        _ if report.gave_up => 4,
        _ if report.is_empty() => 5,
        _ if report.is_green() => 0,
        _ => 1,
    })
}

/// Writes to the standard output; a reader who has gone changes nothing about the result.
fn printed(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = io::BufWriter::new(anstream::stdout().lock());
    match write(&mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
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
