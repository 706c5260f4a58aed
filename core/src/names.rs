//! Finds the member name that an object has twice (J6), at any depth and of any number of members.

use crate::read::Text;

/// The names of members that mean nothing, for each open object of a text, the innermost last.
#[derive(Default)]
pub(crate) struct Names<'de> {
    names: Vec<Name<'de>>,
    /// What the names with escapes say, one after the other: an allocation for each would take most
    /// of the time of a document full of them (J4).
    unescaped: String,
}

#[derive(Clone, Copy)]
enum Name<'de> {
    Borrowed(&'de str),
    /// From where to where in `unescaped`.
    Unescaped(usize, usize),
}

impl<'de> Names<'de> {
    /// Up to so many names are compared each with each.
    const FEW: usize = 8;

    /// How many there are, which is where those of an object that opens now will begin.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    #[inline]
    pub(crate) fn note(&mut self, name: Text<'_, 'de>) {
        let name = match name {
            Text::Borrowed(name) => Name::Borrowed(name),
            Text::Unescaped(name) => self.unescaped(name),
        };
        self.names.push(name);
    }

    #[inline(never)]
    fn unescaped(&mut self, name: &str) -> Name<'de> {
        let start = self.unescaped.len();
        self.unescaped.push_str(name);
        Name::Unescaped(start, self.unescaped.len())
    }

    /// Forgets the names of an object, which are those from `first` on. Whether two of them are equal.
    #[inline]
    pub(crate) fn end_object(&mut self, first: usize) -> bool {
        if self.names.len() <= first {
            return false;
        }
        let is_equal = self.has_equal(first);
        self.forget(first);
        is_equal
    }

    fn forget(&mut self, first: usize) {
        if !self.unescaped.is_empty() {
            let start = self.of_object(first).iter().find_map(|name| match name {
                Name::Borrowed(_) => None,
                Name::Unescaped(start, _) => Some(*start),
            });
            self.unescaped.truncate(start.unwrap_or(self.unescaped.len()));
        }
        self.names.truncate(first);
    }

    fn of_object(&self, first: usize) -> &[Name<'de>] {
        self.names.get(first..).unwrap_or_default()
    }

    fn text(&self, name: Name<'de>) -> &str {
        match name {
            Name::Borrowed(name) => name,
            Name::Unescaped(start, end) => self.unescaped.get(start..end).unwrap_or_default(),
        }
    }

    #[inline]
    fn has_equal(&self, first: usize) -> bool {
        match self.of_object(first) {
            [] | [_] => false,
            names if names.len() <= Self::FEW => self.has_equal_of_few(names),
            names => self.has_equal_of_many(names),
        }
    }

    fn has_equal_of_few(&self, mut names: &[Name<'de>]) -> bool {
        while let [name, others @ ..] = names {
            let name = self.text(*name);
            if others.iter().any(|other| self.text(*other) == name) {
                return true;
            }
            names = others;
        }
        false
    }

    /// Sorting keeps the time within n log n whatever a sender makes of the names (J4). Only of names
    /// that share their digest with another, few unless they were chosen so, are the texts compared.
    #[cold]
    fn has_equal_of_many(&self, names: &[Name<'de>]) -> bool {
        let texts = || names.iter().map(|name| self.text(*name));
        let mut digests: Vec<u64> = texts().map(digest).collect();
        digests.sort_unstable();
        if !has_equal_neighbours(&digests) {
            return false;
        }
        let is_shared = |digest: u64| {
            let start = digests.partition_point(|other| *other < digest);
            digests.get(start.saturating_add(1)) == Some(&digest)
        };
        // Room at once: a list that grows would take twice as much (J4).
        let mut suspects = Vec::with_capacity(names.len());
        suspects.extend(texts().filter(|name| is_shared(digest(name))));
        suspects.sort_unstable();
        has_equal_neighbours(&suspects)
    }
}

fn has_equal_neighbours<T: PartialEq>(sorted: &[T]) -> bool {
    sorted.iter().zip(sorted.iter().skip(1)).any(|(one, next)| one == next)
}

/// Equal for equal names, and mostly different for others.
fn digest(name: &str) -> u64 {
    let (words, rest) = name.as_bytes().as_chunks();
    let rest = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    words.iter().fold(rest, |digest, word| {
        (digest.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}
