//! Replays the corpus: one test a document, through all doors and laws, and the checks of the corpus
//! as such.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use mcp_roots_proptests::{Core, corpus};

/// The corpus only grows.
const DOCUMENTS_AT_LEAST: usize = 925;

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
        trials.push(Trial::test(name, move || {
            corpus::replay(&Core, &entry);
            Ok(())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
