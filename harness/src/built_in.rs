//! The adapter that comes with the harness: the core, right or made wrong.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mcp_roots::Revision;
use mcp_roots_proptests::{Accepted, Case, Door, Refusal, Target, Validator, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::adapter::LONGEST_LINE;
use crate::protocol::{Root, VERSION};

/// A way to offend against the protocol, for trying out who has to notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Misbehaviour {
    /// Greets, and never answers.
    NeverAnswers,
    /// Answers every case twice.
    AnswersTwice,
    /// Ends on the third case, with status 3.
    DiesOnTheThird,
    /// Answers under the next number.
    WrongNumber,
    /// Answers something that is not JSON.
    InvalidJson,
    /// Answers in a line of over a megabyte.
    HugeLine,
    /// Takes a quarter of a second for every answer.
    Slow,
    /// Answers to the standard error.
    StderrOnly,
    /// Says nothing at all.
    NoGreeting,
    /// Greets with a line that is no greeting.
    BadGreeting,
    /// Waits for a child that goes on when the input has ended.
    LeavesAChild,
}

impl Misbehaviour {
    /// How long [`Misbehaviour::Slow`] takes for an answer.
    pub const SLOW: Duration = Duration::from_millis(250);
}

/// Answers cases with a validator's verdicts until the input ends.
///
/// # Errors
///
/// Where input or output fails.
///
/// ```
/// use mcp_roots_harness::built_in;
/// use mcp_roots_proptests::Core;
/// let cases = b"{\"hello\":{\"protocol\":1}}\n{\"id\":1,\"target\":\"response\",\"doc\":\"{}\"}\n";
/// let mut answers = Vec::new();
/// built_in::serve(&Core, "mcp-roots", None, &cases[..], &mut answers)?;
/// assert!(answers.ends_with(b"{\"at\":\"\",\"id\":1,\"rule\":\"R1\",\"verdict\":\"reject\"}\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    validator: &dyn Validator,
    name: &str,
    misbehaviour: Option<Misbehaviour>,
    input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut line, mut cases) = (Vec::new(), 0);
    while input.read_until(b'\n', &mut line)? > 0 {
        match serde_json::from_slice::<Line<'_>>(&line) {
            Ok(case) => {
                cases += 1;
                let answer = answer(validator, &case);
                match misbehaviour {
                    Some(how) => misbehave(how, cases, &answer, &mut output)?,
                    None => writeln!(output, "{answer}")?,
                }
            }
            Err(error) => match serde_json::from_slice::<Value>(&line) {
                Ok(line) if line.get("hello").is_some() => greet(name, misbehaviour, &mut output)?,
                _ => writeln!(
                    output,
                    "{}",
                    json!({"id": null, "verdict": "error", "detail": error.to_string()})
                )?,
            },
        }
        // Every answer is out before anyone can wait for it.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
    }
    output.flush()
}

fn greet(name: &str, misbehaviour: Option<Misbehaviour>, output: &mut impl Write) -> io::Result<()> {
    match misbehaviour {
        Some(Misbehaviour::NoGreeting) => Ok(()),
        Some(Misbehaviour::BadGreeting) => writeln!(output, "Listening on standard input ..."),
        _ => {
            let hello = json!({
                "protocol": VERSION,
                "name": name,
                "version": env!("CARGO_PKG_VERSION"),
                "language": "Rust",
                "targets": Target::ALL.map(Target::name),
                "revisions": Revision::ALL.map(|revision| revision.to_string()),
            });
            writeln!(output, "{}", json!({"hello": hello}))
        }
    }
}

/// A case as it comes in.
#[derive(Deserialize)]
struct Line<'a> {
    id: u64,
    #[serde(borrow)]
    target: Cow<'a, str>,
    #[serde(borrow)]
    revision: Option<Cow<'a, str>>,
    #[serde(borrow)]
    doc: Option<Cow<'a, str>>,
    #[serde(borrow)]
    doc_base64: Option<Cow<'a, str>>,
    #[serde(borrow)]
    request: Option<Cow<'a, str>>,
}

fn answer(validator: &dyn Validator, line: &Line<'_>) -> Value {
    let id = line.id;
    match judge(validator, line) {
        Ok(Verdict::Accept(Accepted { roots })) => {
            let roots = roots.into_iter().map(|(uri, name)| Root { uri, name });
            json!({"id": id, "verdict": "accept", "roots": roots.collect::<Vec<_>>()})
        }
        Ok(Verdict::Missing) => json!({"id": id, "verdict": "missing"}),
        Ok(Verdict::Reject(Refusal { rule, at })) => {
            json!({"id": id, "verdict": "reject", "rule": rule, "at": at})
        }
        Err(reason) => json!({"id": id, "verdict": "unsupported", "reason": reason}),
    }
}

fn judge(validator: &dyn Validator, line: &Line<'_>) -> Result<Verdict, String> {
    let target: Target = line.target.parse()?;
    let revision = match &line.revision {
        Some(revision) => revision.parse::<Revision>().map_err(|error| error.to_string())?,
        None => Revision::default(),
    };
    if !target.exists_in(revision) {
        return Err(format!("there is no {target} in {revision}"));
    }
    let doc = match (&line.doc, &line.doc_base64) {
        (Some(text), None) => Cow::Borrowed(text.as_bytes()),
        (None, Some(text)) => {
            Cow::Owned(BASE64_STANDARD.decode(text.as_bytes()).map_err(|error| error.to_string())?)
        }
        _ => return Err("a case has either doc or doc_base64".to_owned()),
    };
    let request = line.request.as_ref().map(|request| request.as_bytes());
    let case = Case { revision, request, ..Case::new(target, &doc) };
    validator.judge(&case, Door::Bytes).ok_or_else(|| "it has no judgement on bytes".to_owned())
}

fn misbehave(how: Misbehaviour, count: usize, answer: &Value, output: &mut impl Write) -> io::Result<()> {
    match how {
        Misbehaviour::NeverAnswers => Ok(()),
        Misbehaviour::AnswersTwice => writeln!(output, "{answer}\n{answer}"),
        Misbehaviour::DiesOnTheThird if count == 3 => {
            output.flush()?;
            eprintln!("this is the third case, and the last");
            std::process::exit(3)
        }
        Misbehaviour::WrongNumber => {
            let mut answer = answer.clone();
            answer["id"] = json!(answer["id"].as_u64().unwrap_or_default() + 1);
            writeln!(output, "{answer}")
        }
        Misbehaviour::InvalidJson => writeln!(output, "{{id: 1, verdict: accept}}"),
        Misbehaviour::HugeLine => writeln!(output, "{}", " ".repeat(LONGEST_LINE + 1)),
        Misbehaviour::StderrOnly => {
            eprintln!("{answer}");
            Ok(())
        }
        Misbehaviour::LeavesAChild => {
            std::process::Command::new("sleep").arg("1000").status()?;
            Ok(())
        }
        Misbehaviour::Slow => {
            thread::sleep(Misbehaviour::SLOW);
            writeln!(output, "{answer}")?;
            output.flush()
        }
        _ => writeln!(output, "{answer}"),
    }
}
