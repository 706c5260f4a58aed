//! How soon each layer of the harness finds a fault in a validator.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::corpus::{self, Entry};
use crate::strategy::{Of, sample};
use crate::{Door, Validator, laws};

/// The documents of each [kind](Of) that the property tests draw by default.
pub const CASES: u32 = 4000;

/// The first document of a corpus whose replay finds the validator wrong.
///
/// # Panics
///
/// Never: the panics of laws are caught.
///
/// ```
/// use mcp_roots_proptests::{Core, corpus, detect};
/// assert!(detect::by_corpus(&Core, &corpus::load()?).is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn by_corpus<'c>(validator: &dyn Validator, corpus: &'c [Entry]) -> Option<&'c Entry> {
    // Most faults show in a verdict, which is quickly asked for.
    let is_misjudged = |entry: &&Entry| {
        entry.cases().any(|case| {
            let verdict = validator.judge(&case, Door::Bytes);
            verdict.is_none_or(|verdict| !entry.expected(case.revision).is(&verdict))
        })
    };
    let fails_replay = |entry: &&Entry| fails(|| assert_ne!(corpus::replay(validator, entry), 0));
    corpus.iter().find(is_misjudged).or_else(|| corpus.iter().find(fails_replay))
}

/// The number of documents drawn, by a seed, until the property tests find the validator wrong: of
/// each kind in turn, at most [`CASES`] of each. `None` if they do not.
///
/// # Panics
///
/// Never: the panics of laws are caught, and the strategies reject nothing.
///
/// ```
/// use mcp_roots_proptests::{Planted, detect};
/// let planted = Planted::named("any string is a URI").unwrap();
/// assert!(detect::by_properties(planted, 1).is_some());
/// ```
pub fn by_properties(validator: &dyn Validator, seed: u64) -> Option<usize> {
    let mut runner = runner(seed);
    let strategies = Of::ALL.map(|kind| sample(kind).boxed());
    let drawn = (0..CASES).flat_map(|_| &strategies);
    let position = drawn.into_iter().position(|strategy| {
        let sample = strategy.new_tree(&mut runner).expect("it draws").current();
        fails(|| {
            laws::gets_what_is_known(validator, &sample);
            laws::all(validator, &sample.case());
        })
    });
    position.map(|index| index + 1)
}

/// A runner that draws what this seed says.
pub(crate) fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// A law that finds a fault panics; here that is no news.
pub(crate) fn fails(test: impl FnOnce()) -> bool {
    quietly(test).is_err()
}

/// Runs a test without the noise of its panic, which is given back as text: for whoever tries many
/// documents until one fails, or shrinks one that does.
///
/// # Errors
///
/// The message of the panic.
///
/// ```
/// use mcp_roots_proptests::detect::quietly;
/// assert_eq!(quietly(|| panic!("a law is broken")), Err("a law is broken".to_owned()));
/// assert_eq!(quietly(|| ()), Ok(()));
/// ```
pub fn quietly(test: impl FnOnce()) -> Result<(), String> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_EXPECTED.get() {
                hook(panic);
            }
        }));
    });
    IS_EXPECTED.set(true);
    let failure = catch_unwind(AssertUnwindSafe(test));
    IS_EXPECTED.set(false);
    failure.map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => {
            panic.downcast::<&str>().map_or_else(|_| "a panic".to_owned(), |message| (*message).to_owned())
        }
    })
}

thread_local! {
    static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };
}
