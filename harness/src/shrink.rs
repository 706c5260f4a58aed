//! Makes a failing document small: first by the strategy that drew it, then by cutting its text.

use std::time::Instant;

use mcp_roots_proptests::Sample;
use proptest::strategy::ValueTree;
use serde::Serialize;

use crate::interrupt::Interrupt;

/// A document is cut between any two of its tokens only if it is not longer than this, in bytes; a longer one loses
/// items and members alone.
const LONGEST: usize = 4096;
/// Of a document of more tokens, not every range is tried, and items and members go first.
const MANY_TOKENS: usize = 48;

/// How much may be asked for one document.
#[derive(Debug, Clone)]
pub struct Budget {
    /// So many questions.
    pub questions: usize,
    /// So many at a time.
    pub at_a_time: usize,
    /// Until then.
    pub deadline: Instant,
    /// Or until this is set.
    pub interrupt: Interrupt,
}

/// How far a document was made small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shrinking {
    /// Nothing smaller that was tried fails alike.
    Done,
    /// The budget was used up before: there may be smaller ones.
    Stopped,
    /// It is as it was drawn.
    NotTried,
}

/// What came of some documents that were tried.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tried {
    /// So many questions it took.
    pub asked: usize,
    /// The first document that fails.
    pub failing: Option<usize>,
}

impl Budget {
    fn is_left(&self) -> bool {
        self.questions > 0 && Instant::now() < self.deadline && !self.interrupt.is_set()
    }

    fn spend(&mut self, tried: Tried) -> Option<usize> {
        self.questions = self.questions.saturating_sub(tried.asked);
        tried.failing
    }
}

/// The smallest document found that still fails in the same way, starting from a tree's value, which
/// does; and whether it is that for lack of a smaller one. `fails` tries some documents.
pub fn shrink(
    tree: &mut impl ValueTree<Value = Sample>,
    mut budget: Budget,
    fails: &mut dyn FnMut(&[Sample]) -> Tried,
) -> (Sample, Shrinking) {
    let mut smallest = tree.current();
    if !budget.is_left() {
        return (smallest, Shrinking::NotTried);
    }
    let mut is_simpler = tree.simplify();
    while is_simpler {
        let sample = tree.current();
        let does_fail = budget.spend(fails(std::slice::from_ref(&sample))).is_some();
        if does_fail {
            smallest = sample;
        }
        is_simpler = budget.is_left() && if does_fail { tree.simplify() } else { tree.complicate() };
    }
    // Of long lists first what is cheap to find: whole stretches of items, as long as one can go.
    while tokens(&smallest.doc).len() > MANY_TOKENS && budget.is_left() {
        let cut = edited(&smallest.doc, without_parts(&smallest.doc));
        match first_failing(&smallest, cut, &mut budget, fails) {
            Some(sample) => smallest = sample,
            None => break,
        }
    }
    // A cut that fails opens the way to others, at first to ones as long.
    let mut longest = usize::MAX;
    while smallest.doc.len() <= LONGEST && budget.is_left() {
        let length = smallest.doc.len();
        let cut = cuts(&smallest.doc).into_iter().filter(|doc| length - doc.len() <= longest);
        match first_failing(&smallest, cut, &mut budget, fails) {
            Some(sample) => {
                longest = length - sample.doc.len();
                smallest = sample;
            }
            None if longest == usize::MAX => break,
            None => longest = usize::MAX,
        }
    }
    let is_done = budget.is_left() && smallest.doc.len() <= LONGEST;
    (smallest, if is_done { Shrinking::Done } else { Shrinking::Stopped })
}

/// The first document that fails, of a sample with these in place of its own.
fn first_failing(
    sample: &Sample,
    docs: impl Iterator<Item = Vec<u8>>,
    budget: &mut Budget,
    fails: &mut dyn FnMut(&[Sample]) -> Tried,
) -> Option<Sample> {
    let samples: Vec<Sample> = docs.map(|doc| Sample { doc, expected: None, ..sample.clone() }).collect();
    for some in samples.chunks(budget.at_a_time) {
        let found = budget.spend(fails(some)).map(|index| some[index].clone());
        if found.is_some() || !budget.is_left() {
            return found;
        }
    }
    None
}

/// Shorter texts, the shortest first: without some tokens in a row, without a stretch within a string,
/// with something simple in place of a value, or with a string as it is spelled plainly.
fn cuts(doc: &[u8]) -> Vec<Vec<u8>> {
    let tokens = tokens(doc);
    let count = tokens.len() - 1;
    let mut edits: Vec<Edit> = without_parts(doc);
    let mut length = count;
    while length > 0 {
        edits.extend((0..=count - length).map(|first| (tokens[first], tokens[first + length], Vec::new())));
        length = if count > MANY_TOKENS { length / 2 } else { length - 1 };
    }
    for (index, start) in tokens[..count].iter().enumerate() {
        let end = value_end(doc, &tokens, index);
        let simple: &[&str] = match doc[*start] {
            b'"' => &["0", "\"\""],
            b'{' | b'[' => &["0", "[]", "{}", "\"\""],
            b'0'..=b'9' | b'-' => &["0", "1e999"],
            _ => &[],
        };
        edits.extend(simple.iter().map(|text| (*start, end, text.as_bytes().to_vec())));
        if doc[*start] == b'"' && end - start > 3 {
            let plain =
                serde_json::from_slice(&doc[*start..end]).and_then(|text: String| serde_json::to_vec(&text));
            edits.extend(plain.ok().map(|plain| (*start, end, plain)));
            let (start, end) = (start + 1, end - 1);
            let mut length = end - start;
            while length > 0 {
                edits.extend((start..=end - length).map(|first| (first, first + length, Vec::new())));
                length /= 2;
            }
        }
    }
    edits.retain(|(start, end, text)| text.len() < end - start);
    edits.sort_by_key(|(start, end, text)| (std::cmp::Reverse(end - start - text.len()), *start));
    edits.dedup();
    edited(doc, edits).collect()
}

/// From where to where something else is put.
type Edit = (usize, usize, Vec<u8>);

fn edited(doc: &[u8], edits: Vec<Edit>) -> impl Iterator<Item = Vec<u8>> {
    edits.into_iter().map(|(start, end, text)| [&doc[..start], &text, &doc[end..]].concat())
}

/// Without some items of an array, or members of an object, side by side, with the comma that goes with them: the most
/// first, then half of them, and so on; or with the shortest item of the array in place of each.
fn without_parts(doc: &[u8]) -> Vec<Edit> {
    let tokens = tokens(doc);
    let mut edits = Vec::new();
    for (index, start) in tokens[..tokens.len() - 1].iter().enumerate() {
        if !matches!(doc[*start], b'{' | b'[') {
            continue;
        }
        // Where the parts begin, and where the last one ends.
        let (mut places, mut depth) = (vec![tokens[index + 1]], 0_usize);
        for pair in tokens[index + 1..].windows(2) {
            match doc[pair[0]] {
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => {
                    places.push(pair[0]);
                    break;
                }
                b'}' | b']' => depth -= 1,
                b',' if depth == 0 => places.push(pair[1]),
                _ => {}
            }
        }
        let count = places.len() - 1;
        let text = |part: usize| doc[places[part]..places[part + 1]].trim_ascii_end();
        let text = |part: usize| text(part).strip_suffix(b",").unwrap_or(text(part)).trim_ascii_end();
        let shortest = (0..count).map(text).min_by_key(|text| text.len()).unwrap_or_default();
        let mut length = count;
        while length > 0 {
            for first in (0..count).step_by(length) {
                let last = (first + length).min(count);
                if doc[*start] == b'[' {
                    let many = vec![shortest; last - first].join(&b","[..]);
                    edits.push((places[first], places[last - 1] + text(last - 1).len(), many));
                }
                // The comma before goes with the last ones, where others stay.
                let before =
                    |place: usize| doc[..place].iter().rposition(|byte| *byte == b',').unwrap_or(place);
                let start = if last == count && first > 0 { before(places[first]) } else { places[first] };
                edits.push((start, places[last], Vec::new()));
            }
            length /= 2;
        }
    }
    edits.retain(|(start, end, text)| text.len() < end - start);
    edits.sort_by_key(|(start, end, text)| (std::cmp::Reverse(end - start - text.len()), *start));
    edits
}

/// Where the value ends that begins with a token.
fn value_end(doc: &[u8], tokens: &[usize], index: usize) -> usize {
    let mut depth = 0_usize;
    for pair in tokens[index..].windows(2) {
        match doc[pair[0]] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return pair[1];
        }
    }
    doc.len()
}

/// Where the tokens of a text begin, and where the text ends.
fn tokens(doc: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut index = 0;
    while let Some(byte) = doc.get(index) {
        starts.push(index);
        let rest = &doc[index..];
        let run = |is_it: fn(&u8) -> bool| rest.iter().take_while(|byte| is_it(byte)).count();
        index += match byte {
            b'"' => string(rest),
            b' ' | b'\n' | b'\r' | b'\t' => run(u8::is_ascii_whitespace),
            byte if is_of_a_word(*byte) => run(|byte| is_of_a_word(*byte)),
            _ => 1,
        };
    }
    starts.push(doc.len());
    starts
}

/// A number, or a literal.
fn is_of_a_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// The length of the string that a text begins with.
pub(crate) fn string(text: &[u8]) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.iter().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return index + 1,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}
