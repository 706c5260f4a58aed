//! Makes a failing document small: by its structure as long as it has one, then by its bytes.

use crate::json::Json;
use crate::{Style, laws, reference};

/// At most so many documents are tried, which bounds the time and, unlike a clock, gives the same
/// document each time.
const TRIES: usize = 20_000;

/// The bytes of a document that is short enough to try all of its parts.
const SHORT: usize = 64;

/// The simplest document that is found for which `fails` is true, starting from one for which it is.
///
/// Members and items are dropped, values replaced by simpler ones or by what stands in them, strings
/// and names shortened, and at last bytes dropped and replaced. What is JSON stays JSON, and text that
/// breaks off is completed where that makes no difference. `fails` is asked at most 20,000 times; it must
/// decide by the document alone, or the outcome is not the same each time.
///
/// ```
/// use mcp_roots_proptests::minimise;
/// let has_needle = |doc: &[u8]| doc.windows(6).any(|window| window == b"needle");
/// let doc = br#"{ "a": [1, {"key": "a needle in hay"}], "b": "hay" }"#;
/// assert_eq!(minimise(doc, &mut |doc| has_needle(doc)), br#""needle""#);
/// assert_eq!(minimise(br#"["a needle", "#, &mut |doc| has_needle(doc)), br#""needle""#);
/// assert_eq!(minimise(b"a needle in hay", &mut |doc| has_needle(doc)), b"needle");
/// ```
#[must_use]
pub fn minimise(doc: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut search = Search { best: doc.to_vec(), is_json: false, tries: TRIES, fails };
    search.by_structure();
    search.by_bytes();
    search.best
}

struct Search<'f> {
    best: Vec<u8>,
    /// Whether the best is JSON, and is to stay so.
    is_json: bool,
    tries: usize,
    fails: &'f mut dyn FnMut(&[u8]) -> bool,
}

impl Search<'_> {
    /// Whether a document fails as well; then it is the best.
    fn is_as_good(&mut self, doc: Vec<u8>) -> bool {
        if self.tries == 0 || self.is_json && !is_json(&doc) {
            return false;
        }
        self.tries -= 1;
        let fails = (self.fails)(&doc);
        if fails {
            self.best = doc;
        }
        fails
    }

    /// Whether a document is simpler than the best and fails as well.
    fn takes(&mut self, doc: Vec<u8>) -> bool {
        weight(&doc) < weight(&self.best) && self.is_as_good(doc)
    }

    fn by_structure(&mut self) {
        let Ok(text) = std::str::from_utf8(&self.best) else { return };
        self.is_json = is_json(&self.best);
        let mut tree = laws::json_of(&reference::read(text).root);
        let plain = tree.write(Style::PLAIN);
        // Of text that breaks off, what was read until then.
        if plain != self.best && !self.is_as_good(plain) {
            return;
        }
        self.is_json = true;
        loop {
            let before = self.best.clone();
            let mut nth = 0;
            while let Some(value) = nth_value(&tree, &mut nth.clone()) {
                let mut changed = simpler_values(value).map(|simpler| with_nth(&tree, nth, simpler));
                let taken = changed.find(|changed| self.takes(changed.write(Style::PLAIN)));
                drop(changed);
                match taken {
                    Some(taken) => tree = taken,
                    None => nth += 1,
                }
            }
            if self.best == before {
                return;
            }
        }
    }

    fn by_bytes(&mut self) {
        loop {
            let before = self.best.clone();
            let length = before.len();
            // Of a short document every part is tried, so that a member goes with its comma.
            let sizes: Vec<usize> =
                if length <= SHORT { (1..length).rev().collect() } else { halves(length).collect() };
            for size in sizes {
                let mut start = 0;
                while start < self.best.len() {
                    let end = (start + size).min(self.best.len());
                    let rest = [&self.best[..start], &self.best[end..]].concat();
                    if !self.takes(rest) {
                        start = if length <= SHORT { start + 1 } else { end };
                    }
                }
            }
            for place in 0..self.best.len() {
                for byte in *b"a0" {
                    let mut changed = self.best.clone();
                    changed[place] = byte;
                    self.takes(changed);
                }
            }
            if self.best == before {
                return;
            }
        }
    }
}

/// What makes a document less simple: its length, and among equals the bytes that a reader has to
/// look at twice.
fn weight(doc: &[u8]) -> (usize, usize) {
    let of_byte = |byte: &u8| match byte {
        b'a' | b'0' => 0,
        b' '..=b'~' => 1,
        _ => 2,
    };
    (doc.len(), doc.iter().map(of_byte).sum())
}

fn is_json(doc: &[u8]) -> bool {
    std::str::from_utf8(doc).is_ok_and(|text| reference::read(text).broken_at.is_none())
}

/// The nth value, outermost first; counts `nth` down to it.
fn nth_value<'t>(value: &'t Json, nth: &mut usize) -> Option<&'t Json> {
    if *nth == 0 {
        return Some(value);
    }
    *nth -= 1;
    match value {
        Json::Array(items) => items.iter().find_map(|item| nth_value(item, nth)),
        Json::Object(members) => members.iter().find_map(|(_, value)| nth_value(value, nth)),
        _ => None,
    }
}

/// The tree with another value in the nth one's place.
fn with_nth(tree: &Json, nth: usize, value: Json) -> Json {
    let (mut changed, mut value, mut count) = (tree.clone(), Some(value), 0);
    changed.visit_mut(&mut |each| {
        if count == nth
            && let Some(value) = value.take()
        {
            *each = value;
        }
        count += 1;
    });
    changed
}

/// What may stand in a value's place, the boldest first; [`Search::takes`] drops what is no simpler.
fn simpler_values(value: &Json) -> Box<dyn Iterator<Item = Json> + '_> {
    let plain = [
        Json::Number("0".into()),
        Json::string(""),
        Json::Array(Vec::new()),
        Json::empty_object(),
        Json::Null,
        Json::Bool(true),
        Json::Bool(false),
    ];
    let plain = plain.into_iter();
    match value {
        Json::Array(items) => {
            let inner = items.iter().cloned();
            Box::new(plain.chain(inner).chain(shorter(items).map(Json::Array)))
        }
        Json::Object(members) => {
            let inner = members.iter().map(|(_, value)| value.clone());
            // Equal names stay equal: they may be what matters.
            let renamed = members.iter().flat_map(move |(name, _)| {
                simpler_texts(name).map(move |simpler| {
                    let mut members = members.clone();
                    let equal = members.iter_mut().filter(|(other, _)| other == name);
                    equal.for_each(|(name, _)| name.clone_from(&simpler));
                    Json::Object(members)
                })
            });
            Box::new(plain.chain(inner).chain(shorter(members).map(Json::Object)).chain(renamed))
        }
        Json::String(text) => Box::new(plain.chain(simpler_texts(text).map(Json::String))),
        _ => Box::new(plain),
    }
}

/// The texts without some of its characters, and with an `a` for one of them.
fn simpler_texts(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let shortened: Vec<String> =
        shorter(&characters).map(|characters| characters.into_iter().collect()).collect();
    let replaced = (0..characters.len()).map(move |place| {
        let mut characters = characters.clone();
        characters[place] = 'a';
        characters.into_iter().collect()
    });
    shortened.into_iter().chain(replaced)
}

/// A list without some of its entries: half of them, a quarter, down to each alone.
fn shorter<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    halves(list.len()).flat_map(move |size| {
        (0..list.len()).step_by(size).map(move |start| {
            let end = (start + size).min(list.len());
            [&list[..start], &list[end..]].concat()
        })
    })
}

/// Half of a length, a quarter, down to one.
fn halves(length: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(length.div_ceil(2)), |size| Some(size / 2)).take_while(|size| *size > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree_of(doc: &[u8]) -> Option<Json> {
        is_json(doc).then(|| laws::json_of(&reference::read(std::str::from_utf8(doc).unwrap()).root))
    }

    #[test]
    fn what_does_not_matter_goes() {
        let doc =
            br#"{"roots":[{"uri":"file:///some/where"},{"uri":"file:///x","name":["odd"]}],"_meta":{}}"#;
        // One root whose name is a list.
        let has_such_a_name = |doc: &[u8]| {
            let mut tree = tree_of(doc)?;
            let Json::Array(roots) = tree.member_mut("roots")? else { return None };
            let is_list = |root: &mut Json| matches!(root.member_mut("name"), Some(Json::Array(_)));
            Some(roots.iter_mut().any(is_list))
        };
        let small = minimise(doc, &mut |doc| has_such_a_name(doc) == Some(true));
        assert_eq!(small, br#"{"roots":[{"name":[]}]}"#);
    }

    #[test]
    fn equal_names_and_spellings_are_kept_where_they_matter() {
        let has_twice = |doc: &[u8]| match tree_of(doc) {
            Some(Json::Object(members)) => members.len() > 1 && members[0].0 == members[1].0,
            _ => false,
        };
        assert_eq!(minimise(br#"{"roots":[],"roots":[null]}"#, &mut |doc| has_twice(doc)), br#"{"":0,"":0}"#);
        let has_exponent = |doc: &[u8]| doc.windows(2).any(|pair| pair == b"e+");
        assert_eq!(minimise(b"[10, 3.5e+2]", &mut |doc| has_exponent(doc)), b"0e+0");
    }

    #[test]
    fn what_is_no_json_is_minimised_by_its_bytes() {
        let doc = b"{\"roots\":[{\"uri\":\"\xff\"}]} trailing";
        assert_eq!(minimise(doc, &mut |doc| doc.contains(&0xff)), b"\xff");
        let ends_in_tail = |doc: &[u8]| doc.strip_suffix(b"tail").is_some_and(is_json);
        assert_eq!(minimise(br#"{"a":[{"b":""}],"c":{}}tail"#, &mut |doc| ends_in_tail(doc)), b"{}tail");
        let is_broken = |doc: &[u8]| !is_json(doc) && doc.starts_with(b"{");
        assert_eq!(minimise(doc, &mut |doc| is_broken(doc)), b"{");
    }

    #[test]
    fn text_that_breaks_off_is_completed_where_that_makes_no_difference() {
        let doc = br#"{"roots":[{"name":null,"uri":"file:///ho"#;
        let has_null = |doc: &[u8]| doc.windows(4).any(|window| window == b"null");
        assert_eq!(minimise(doc, &mut |doc| has_null(doc)), b"null");
        let is_open = |doc: &[u8]| has_null(doc) && !is_json(doc);
        assert_eq!(minimise(doc, &mut |doc| is_open(doc)), b"anull");
    }

    #[test]
    fn what_cannot_be_simpler_stays() {
        let doc = br#"{ "a" : "b" }"#;
        assert_eq!(minimise(doc, &mut |_| false), doc);
    }

    #[test]
    fn the_tries_are_bounded() {
        let mut asked = 0;
        let mut fails = |doc: &[u8]| {
            asked += 1;
            doc.len() > 60
        };
        let mut search =
            Search { best: b"[[],[],[]]".repeat(10), is_json: false, tries: 30, fails: &mut fails };
        search.by_structure();
        search.by_bytes();
        assert!((61..100).contains(&search.best.len()), "{}", search.best.len());
        assert_eq!(asked, 30);
    }
}
