//! How soon corpus and property tests find a fault in a reader of paths.

use proptest::strategy::{Strategy, ValueTree};

use super::corpus::{self, Case};
use super::hostile::family;
use super::{Paths, laws};
use crate::detect::{CASES, fails, runner};

/// The name of the first case of a corpus whose replay finds the reader wrong.
///
/// # Panics
///
/// Never: the panics of laws are caught.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::paths::{corpus, detect};
/// assert!(detect::by_corpus(&Core, &corpus::load()?).is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn by_corpus<'c>(paths: &dyn Paths, corpus: &'c [Case]) -> Option<&'c str> {
    let case = corpus.iter().find(|case| fails(|| assert_ne!(corpus::replay(paths, case), 0)));
    case.map(|case| case.name.as_str())
}

/// The number of questions drawn, by a seed, until the laws find the reader wrong, at most [`CASES`];
/// `None` if they do not.
///
/// # Panics
///
/// Never: the panics of laws are caught, and the strategy rejects nothing.
///
/// ```
/// use mcp_roots_proptests::paths::{Planted, detect};
/// let planted = Planted::named("the host is ignored").unwrap();
/// assert!(detect::by_properties(planted, 1).is_some());
/// ```
pub fn by_properties(paths: &dyn Paths, seed: u64) -> Option<usize> {
    let mut runner = runner(seed);
    let strategy = family();
    let mut drawn = (0..CASES).map(|_| strategy.new_tree(&mut runner).expect("it draws").current());
    let position =
        drawn.position(|family| fails(|| assert_ne!(family.ask(|question| laws::all(paths, &question)), 0)));
    position.map(|index| index + 1)
}
