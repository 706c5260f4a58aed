//! Changes to the values of a JSON text, for a fuzzer: what changes bytes alone hardly ever makes another kind of
//! value, a long list or a deep one of a document, and leaves most documents broken.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::laws::json_of;
use crate::{Json, WORDS, reference};

/// Texts of values that stand where others belong.
const VALUES: [&str; 16] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1.0",
    "1e-400",
    "\"\"",
    "\" \"",
    "\"a\"",
    "[]",
    "{}",
    "[{}]",
    "{\"uri\":\"file:///b\"}",
    "{\"uri\":\"file:///a/c\",\"name\":\"c\"}",
];
/// What strings are changed by.
const PIECES: [&str; 22] = [
    " ", "\n", "\t", "\0", "/", "//", "/.", "/../", "..", "%2e", "%2F", "%", ":8", ":65536", "?", "#", "@",
    "[", "\\", "\u{e9}", "e\u{301}", "file://",
];
/// So many of an item make a long list.
const MANY: [usize; 4] = [1, 2, 25, 300];
/// So many levels come near the limit of depth (J3).
const LEVELS: std::ops::RangeInclusive<usize> = 120..=129;

/// A document after a change or a few to its values, by a seed; the same for the same seed. None where it is no JSON
/// text, or would be longer than so many bytes.
///
/// ```
/// use mcp_roots_proptests::mutator::mutated;
/// let doc = br#"{"roots":[{"uri":"file:///a"}]}"#;
/// let many: std::collections::BTreeSet<_> = (0..500).filter_map(|seed| mutated(doc, seed, 4096)).collect();
/// assert!(many.len() > 300);
/// assert!(many.contains(&br#"{"roots":[{"uri":null}]}"#[..]));
/// assert_eq!(mutated(b"{", 1, 4096), None);
/// ```
#[must_use]
pub fn mutated(doc: &[u8], seed: u64, most: usize) -> Option<Vec<u8>> {
    let reading = reference::read(std::str::from_utf8(doc).ok()?);
    if reading.broken_at.is_some() {
        return None;
    }
    let mut json = json_of(&reading.root);
    let mut dice = Dice::new(seed);
    for _ in 0..=dice.roll(3) {
        change_one(&mut json, &mut dice);
    }
    let text = json.text();
    (text.len() <= most).then(|| text.into_bytes())
}

struct Dice(TestRng);

impl Dice {
    fn new(seed: u64) -> Self {
        let mut bytes = [0x5a; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::XorShift, &bytes))
    }

    /// A number below that of the sides, which is not zero.
    fn roll(&mut self, sides: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap_or_default() % sides
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())]
    }

    fn word(&mut self) -> String {
        self.one(WORDS).to_owned()
    }

    fn value(&mut self) -> Json {
        match self.roll(4) {
            0 => Json::String(self.word()),
            _ => json_of(&reference::read(self.one(&VALUES)).root),
        }
    }
}

/// Changes one of the values, each as likely as the others.
fn change_one(json: &mut Json, dice: &mut Dice) {
    let mut count = 0;
    json.visit_mut(&mut |_| count += 1);
    let (here, elsewhere) = (dice.roll(count), dice.roll(count));
    let mut other = Json::Null;
    let mut index = 0;
    json.visit_mut(&mut |node| {
        if index == elsewhere {
            other = node.clone();
        }
        index += 1;
    });
    let (mut index, mut is_done) = (0, false);
    json.visit_mut(&mut |node| {
        // What is put in is visited, too.
        if index == here && !is_done {
            is_done = true;
            change(node, &other, dice);
        }
        index += 1;
    });
}

fn change(node: &mut Json, other: &Json, dice: &mut Dice) {
    match (dice.roll(10), &mut *node) {
        (0, node) => *node = other.clone(),
        (1, node) => *node = dice.value(),
        (2, node) => wrap(node, dice),
        (_, Json::Object(members)) if !members.is_empty() => {
            let (one, another) = (dice.roll(members.len()), dice.roll(members.len()));
            match dice.roll(6) {
                0 => drop(members.remove(one)),
                1 => members[one].0 = dice.word(),
                2 => edit(&mut members[one].0, dice),
                3 => members.insert(one, members[another].clone()),
                4 => members.swap(one, another),
                _ => members.insert(one, (dice.word(), dice.value())),
            }
        }
        (_, Json::Object(members)) => members.push((dice.word(), dice.value())),
        (_, Json::Array(items)) if !items.is_empty() => {
            let (one, another) = (dice.roll(items.len()), dice.roll(items.len()));
            match dice.roll(5) {
                0 => drop(items.remove(one)),
                1 => items.swap(one, another),
                2 => items.insert(one, dice.value()),
                _ => {
                    let more = vec![items[another].clone(); dice.one(&MANY)];
                    drop(items.splice(one..one, more));
                }
            }
        }
        (_, Json::Array(items)) => items.push(dice.value()),
        (_, Json::String(text)) => edit(text, dice),
        (_, node) => *node = dice.value(),
    }
}

/// Puts a value into others: an array, an object, or many arrays.
fn wrap(node: &mut Json, dice: &mut Dice) {
    let mut inner = std::mem::replace(node, Json::Null);
    *node = match dice.roll(3) {
        0 => Json::Array(vec![inner]),
        1 => Json::Object(vec![(dice.word(), inner)]),
        _ => {
            for _ in 0..LEVELS.start() + dice.roll(LEVELS.count()) {
                inner = Json::Array(vec![inner]);
            }
            inner
        }
    };
}

fn edit(text: &mut String, dice: &mut Dice) {
    let places: Vec<usize> = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect();
    let at = dice.one(&places);
    match dice.roll(6) {
        0 => text.truncate(at),
        1 => *text = text[at..].to_owned(),
        2 => *text = text.to_ascii_uppercase(),
        3 => *text = text.to_ascii_lowercase(),
        4 => text.push_str(dice.one(&PIECES)),
        _ => text.insert_str(at, dice.one(&PIECES)),
    }
}
