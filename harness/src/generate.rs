//! Documents with their verdicts, for those who test in a framework of their own.

use std::io::{self, Write};

use mcp_roots_proptests::{Door, Expected, Flaw, Planted, Sample, Target, Validator, Verdict, strategy};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::fuzz::Draw;
use crate::protocol;
use crate::strength::strength;

/// Writes cases as JSON Lines: each as an adapter gets it, with the `expect`ed verdict, its `strength` and the
/// `flaw`.
///
/// The same seed writes the same cases, and of a larger count the first ones are those of a smaller.
///
/// # Errors
///
/// Where they cannot be written.
///
/// # Panics
///
/// Where the flaw is none of the questions'.
///
/// ```
/// use mcp_roots::Revision;
/// use mcp_roots_harness::generate::generate;
/// use mcp_roots_proptests::{FLAWS, Target};
/// let flaw = FLAWS.iter().find(|flaw| flaw.name == "name null");
/// let mut lines = Vec::new();
/// generate(&[(Target::Response, Revision::default())], flaw, 3, 1, &mut lines)?;
/// let lines = String::from_utf8(lines).unwrap();
/// assert_eq!(lines.matches(r#""rule":"R3""#).count(), 3);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn generate(
    questions: &[(Target, mcp_roots::Revision)],
    flaw: Option<&'static Flaw>,
    count: u64,
    seed: u64,
    to: &mut dyn Write,
) -> io::Result<()> {
    let draw = Draw::new(seed, questions);
    let mut of_the_flaw = flaw.map(|flaw| with_flaw(flaw, questions, seed));
    for number in 1..=count {
        let sample = match &mut of_the_flaw {
            Some(draw) => draw(),
            None => draw.tree(number).current(),
        };
        to.write_all(&line(number, &sample))?;
    }
    Ok(())
}

fn with_flaw(
    flaw: &'static Flaw,
    questions: &[(Target, mcp_roots::Revision)],
    seed: u64,
) -> impl FnMut() -> Sample + use<> {
    let of_it: Vec<_> =
        questions.iter().copied().filter(|(target, revision)| flaw.applies(*target, *revision)).collect();
    let strategy = proptest::sample::select(of_it)
        .prop_flat_map(move |(target, revision)| strategy::with_flaw(flaw, target, revision));
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    move || strategy.new_tree(&mut runner).expect("it draws").current()
}

fn line(id: u64, sample: &Sample) -> Vec<u8> {
    let case = sample.case();
    let mut line = Vec::new();
    protocol::write_case(&mut line, id, &case);
    line.truncate(line.len() - 2);
    let flaw = sample.flaw.map(|flaw| flaw.name);
    let right = Planted::NONE.judge(&case, Door::Bytes).expect("the reference takes bytes");
    let strength = strength(&case, &right).name();
    let label = json!({"expect": expect(&right), "flaw": flaw, "strength": strength}).to_string();
    line.push(b',');
    line.extend(&label.as_bytes()[1..]);
    line.push(b'\n');
    line
}

fn expect(verdict: &Verdict) -> Value {
    match Expected::try_from(verdict.summary()) {
        Ok(Expected::Reject { rule, at }) => json!({"verdict": "reject", "rule": rule, "at": at}),
        _ => json!({"verdict": verdict.summary()}),
    }
}
