//! Replays the corpus: one test a document, through all doors and laws, and the checks of the corpus
//! as such.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use mcp_roots_proptests::corpus::{self, Entry};
use mcp_roots_proptests::{Core, Door, Expected, Validator, laws};

/// The corpus only grows.
const DOCUMENTS_AT_LEAST: usize = 890;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let corpus = match corpus::load() {
        Ok(corpus) => corpus,
        Err(error) => {
            eprintln!("the corpus does not load: {error}");
            return ExitCode::FAILURE;
        }
    };
    let complaints = corpus::complaints(&corpus);
    let count = corpus.len();
    let mut trials = vec![
        Trial::test("corpus is complete", move || {
            if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
        }),
        Trial::test("corpus is large", move || {
            let complaint = format!("{count} documents, {DOCUMENTS_AT_LEAST} expected");
            if count >= DOCUMENTS_AT_LEAST { Ok(()) } else { Err(complaint.into()) }
        }),
    ];
    for entry in corpus {
        let name = format!("{}/{}", entry.target, entry.name);
        trials.push(Trial::test(name, move || replay(&entry)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn replay(entry: &Entry) -> Result<(), Failed> {
    let mut asked = 0;
    for case in entry.cases() {
        let expected = entry.expected(case.revision);
        for door in [Door::Bytes, Door::Str, Door::Value] {
            if let Some(complaint) = complaint(&case, door, expected) {
                return Err(
                    format!("{complaint} at the door {door:?}\n{case:?}\n{}", entry.about.misjudged).into()
                );
            }
            asked += 1;
        }
        laws::all(&Core, &case);
    }
    if asked == 0 { Err("nothing was asked".into()) } else { Ok(()) }
}

/// What is wrong with the verdict, if anything.
fn complaint(case: &mcp_roots_proptests::Case<'_>, door: Door, expected: &Expected) -> Option<String> {
    // A value has lost what breaks J, and gives its members in an order of its own (E4).
    let is_value = door == Door::Value;
    if is_value
        && mcp_roots_proptests::reference::judge(case).faults.iter().any(|fault| fault.rule.starts_with('J'))
    {
        return None;
    }
    let verdict = Core.judge(case, door)?.summary();
    let expected = expected.to_string();
    let verb = |text: &str| text.split(' ').next().map(str::to_owned);
    let is_right = if is_value { verb(&verdict) == verb(&expected) } else { verdict == expected };
    (!is_right).then(|| format!("expected {expected}, got {verdict}"))
}
