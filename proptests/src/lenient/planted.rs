//! Planted faults of lenient reading: the reference, wrong in one way at a time.

use std::cell::RefCell;

use proptest::strategy::{Strategy, ValueTree};

use super::corpus::{self, Entry};
use super::laws::{self, faults, kinds};
use super::{Kind, Lenient, Sorted, Sorting, strategy};
use crate::case::value_of;
use crate::detect::{CASES, fails, runner};
use crate::reference::{self, Fault};
use crate::{Case, Door, Kept, Refusal, Validator, Verdict};

/// A lenient reader with one fault; its strict reading has none.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    /// What is wrong with it, in a few words.
    pub name: &'static str,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// Nothing is wrong.
    Right,
    /// Does not see faults of this rule at places that end so.
    Blind(&'static str, &'static str),
    /// Refuses roots of this kind, under this rule.
    Refuses(fn(&Kind) -> bool, &'static str),
    /// Takes a URI for something else.
    Kind(fn(&str) -> Kind),
    /// Gives other roots.
    Roots(fn(&mut Vec<Sorted>)),
    /// Picks other roots for a kind.
    Picks(fn(&mut Sorting)),
    /// Reads by the rules of the newest revision.
    Newest,
    /// Keeps something else.
    Keeps(fn(String) -> String),
    /// Compares two results, by their roots and by what is kept of them, otherwise.
    Compares(fn(&[Given; 2]) -> bool),
}

type Given = (Sorting, Option<Kept>);

impl Planted {
    /// The reference without a fault.
    pub const NONE: Self = Self { name: "none", how: How::Right };

    /// The first document of a corpus that finds it.
    ///
    /// # Panics
    ///
    /// Never: the panics of laws are caught.
    ///
    /// ```
    /// use mcp_roots_proptests::lenient::{PLANTED, corpus};
    /// assert!(PLANTED[0].by_corpus(&corpus::load()?).is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn by_corpus<'c>(&self, corpus: &'c [Entry]) -> Option<&'c str> {
        let entry = corpus.iter().find(|entry| fails(|| assert_ne!(corpus::replay(self, entry), 0)));
        entry.map(|entry| entry.name.as_str())
    }

    /// The number of documents drawn, by a seed, until the laws find it, at most [`CASES`].
    ///
    /// # Panics
    ///
    /// Never: the panics of laws are caught, and the strategy rejects nothing.
    ///
    /// ```
    /// assert!(mcp_roots_proptests::lenient::PLANTED[0].by_properties(1).is_some());
    /// ```
    #[must_use]
    pub fn by_properties(&self, seed: u64) -> Option<usize> {
        let runner = RefCell::new(runner(seed));
        let strategy = strategy::result();
        let draw = |_| strategy.new_tree(&mut runner.borrow_mut()).expect("it draws").current();
        let position =
            (0..CASES).map(draw).position(|sample| fails(|| assert_ne!(laws::all(self, &sample.case()), 0)));
        position.map(|index| index + 1)
    }
}

impl Validator for Planted {
    fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict> {
        crate::Planted::NONE.judge(case, door)
    }
}

impl Lenient for Planted {
    fn sort(&self, case: &Case<'_>, door: Door) -> Option<Result<Sorting, Refusal>> {
        let text = match door {
            Door::Bytes => case.doc.to_vec(),
            Door::Str => std::str::from_utf8(case.doc).ok()?.as_bytes().to_vec(),
            Door::Value => value_of(case.doc)?.to_string().into_bytes(),
        };
        let mut case = case.with_doc(&text);
        if let How::Newest = self.how {
            case.revision = mcp_roots::Revision::default();
        }
        let reading = std::str::from_utf8(&text).ok().map(reference::read);
        let mut faults = faults(&case, reading.as_ref());
        if let How::Blind(rule, at) = self.how {
            faults.retain(|fault| !(fault.rule == rule && fault.at.ends_with(at)));
        }
        if let Some(Fault { rule, at, .. }) = faults.into_iter().next() {
            return Some(Err(Refusal { rule: rule.to_owned(), at }));
        }
        let mut roots = kinds(&case, reading.as_ref());
        match self.how {
            How::Refuses(is_it, rule) => {
                if let Some(index) = roots.iter().position(|root| is_it(&root.kind)) {
                    return Some(Err(Refusal { rule: rule.to_owned(), at: format!("/roots/{index}/uri") }));
                }
            }
            How::Kind(kind) => roots.iter_mut().for_each(|root| root.kind = kind(&root.uri)),
            How::Roots(edit) => edit(&mut roots),
            _ => {}
        }
        let mut sorting = Sorting::of(roots);
        if let How::Picks(edit) = self.how {
            edit(&mut sorting);
        }
        Some(Ok(sorting))
    }

    fn kept_leniently(&self, case: &Case<'_>, door: Door) -> Option<Kept> {
        self.sort(case, door)?.ok()?;
        if door == Door::Value {
            return value_of(case.doc).map(|value| Kept::Value((*value).clone()));
        }
        let text = std::str::from_utf8(case.doc).ok()?.to_owned();
        Some(Kept::Text(if let How::Keeps(edit) = self.how { edit(text) } else { text }))
    }

    fn equal_leniently(&self, case: &Case<'_>, other: &Case<'_>) -> Option<bool> {
        let given =
            |case| Some((self.sort(case, Door::Bytes)?.ok()?, self.kept_leniently(case, Door::Bytes)));
        let both = [given(case)?, given(other)?];
        Some(if let How::Compares(compare) = self.how { compare(&both) } else { both[0] == both[1] })
    }
}

const fn planted(name: &'static str, how: How) -> Planted {
    Planted { name, how }
}

fn other(scheme: &str) -> Kind {
    Kind::OtherScheme(scheme.to_owned())
}

/// Every planted fault; all of them break U4.
#[rustfmt::skip]
pub static PLANTED: &[Planted] = &[
    planted("malformed roots are dropped", How::Roots(|roots| roots.retain(|root| root.kind != Kind::Malformed))),
    planted("roots of other schemes are dropped", How::Roots(|roots| roots.retain(|root| !matches!(root.kind, Kind::OtherScheme(_))))),
    planted("equal roots are given once", How::Roots(Vec::dedup)),
    planted("file roots come first", How::Roots(|roots| roots.sort_by_key(|root| root.kind != Kind::File))),
    planted("roots are sorted by their URIs", How::Roots(|roots| roots.sort_by(|one, other| one.uri.cmp(&other.uri)))),
    planted("what is malformed loses its name", How::Roots(|roots| roots.iter_mut().filter(|root| root.kind == Kind::Malformed).for_each(|root| root.name = None))),
    planted("what is malformed loses its text", How::Roots(|roots| roots.iter_mut().filter(|root| root.kind == Kind::Malformed).for_each(|root| root.uri.clear()))),
    planted("URIs are trimmed", How::Roots(|roots| for root in roots { root.uri = root.uri.trim().to_owned(); root.kind = Kind::of(&root.uri); })),
    planted("blanks are encoded", How::Roots(|roots| for root in roots { root.uri = root.uri.replace(' ', "%20"); root.kind = Kind::of(&root.uri); })),
    planted("a null uri is malformed", How::Blind("R2", "/uri")),
    planted("a root without a uri is skipped", How::Blind("R2", "")),
    planted("a bad name is left out", How::Blind("R3", "/name")),
    planted("a bad _meta is left out", How::Blind("R4", "/_meta")),
    planted("a bad _meta of the result is left out", How::Blind("R5", "/_meta")),
    planted("equal names are let through", How::Blind("J6", "")),
    planted("no roots are no fault", How::Blind("R1", "")),
    planted("every revision is the newest", How::Newest),
    planted("a malformed root refuses the whole", How::Refuses(|kind| *kind == Kind::Malformed, "U2")),
    planted("another scheme refuses the whole", How::Refuses(|kind| matches!(kind, Kind::OtherScheme(_)), "U1")),
    planted("whatever begins with file:// is a file root", How::Kind(|uri| if uri.starts_with("file://") { Kind::File } else { Kind::of(uri) })),
    planted("the scheme file counts in any case", How::Kind(|uri| if uri.to_lowercase().starts_with("file://") && Kind::of(uri) != Kind::Malformed { Kind::File } else { Kind::of(uri) })),
    planted("the scheme file is enough", How::Kind(|uri| if Kind::of(uri) == other("file") { Kind::File } else { Kind::of(uri) })),
    planted("a file root without a path is malformed", How::Kind(|uri| if uri.starts_with("file://") && !uri.starts_with("file:///") { Kind::Malformed } else { Kind::of(uri) })),
    planted("whatever has a colon has a scheme", How::Kind(|uri| match (Kind::of(uri), uri.split_once(':')) { (Kind::Malformed, Some((scheme, _))) if !uri.starts_with("file://") => other(scheme), (kind, _) => kind })),
    planted("a scheme needs two slashes", How::Kind(|uri| if uri.contains("://") { Kind::of(uri) } else { Kind::Malformed })),
    planted("a scheme of one letter is a drive", How::Kind(|uri| match Kind::of(uri) { Kind::OtherScheme(scheme) if scheme.len() == 1 => Kind::Malformed, kind => kind })),
    planted("a scheme has letters alone", How::Kind(|uri| match Kind::of(uri) { Kind::OtherScheme(scheme) if !scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => Kind::Malformed, kind => kind })),
    planted("a scheme is given in lower case", How::Kind(|uri| match Kind::of(uri) { Kind::OtherScheme(scheme) => other(&scheme.to_lowercase()), kind => kind })),
    planted("a scheme is given with its colon", How::Kind(|uri| match Kind::of(uri) { Kind::OtherScheme(scheme) => other(&format!("{scheme}:")), kind => kind })),
    planted("a URI with a fragment is malformed", How::Kind(|uri| if uri.contains('#') { Kind::Malformed } else { Kind::of(uri) })),
    planted("a native path is a file root", How::Kind(|uri| if uri.starts_with('/') { Kind::File } else { Kind::of(uri) })),
    planted("the file roots are all roots", How::Picks(|sorting| sorting.files.clone_from(&sorting.roots))),
    planted("the last malformed root is not given", How::Picks(|sorting| drop(sorting.malformed.pop()))),
    planted("other schemes are given backwards", How::Picks(|sorting| sorting.other_schemes.reverse())),
    planted("results are equal whose roots are", How::Compares(|[one, other]| one.0 == other.0)),
    planted("results are equal that stand in one place", How::Compares(|_| false)),
    planted("what is kept is trimmed", How::Keeps(|text| text.trim().to_owned())),
];
