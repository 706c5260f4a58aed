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

    /// Of more than so many names only those are sorted that may have an equal.
    const MANY: usize = 64;

    /// Sorting keeps the time within n log n whatever a sender makes of the names (J4). Only of names
    /// that share their digest with another, few unless they were chosen so, are the texts compared.
    #[cold]
    fn has_equal_of_many(&self, names: &[Name<'de>]) -> bool {
        let texts = || names.iter().map(|name| self.text(*name));
        let mut digests: Vec<u64> = texts().map(digest).collect();
        if digests.len() > Self::MANY {
            retain_met_again(&mut digests);
        }
        digests.sort_unstable();
        if !has_equal_neighbours(&digests) {
            return false;
        }
        let is_shared = |digest: u64| {
            let start = digests.partition_point(|other| *other < digest);
            digests.get(start.saturating_add(1)) == Some(&digest)
        };
        // Room at once: a list that grows would take twice as much (J4).
        let mut suspects = Vec::with_capacity(digests.len());
        suspects.extend(texts().filter(|name| is_shared(digest(name))));
        suspects.sort_unstable();
        has_equal_neighbours(&suspects)
    }
}

/// Keeps those that may stand there twice: all that do, and one in eight of the others. Each sets a bit
/// of a table, and those are kept whose bit was set by another.
fn retain_met_again(digests: &mut Vec<u64>) {
    const BITS_A_NAME: usize = 16;
    let bits = digests.len().saturating_mul(BITS_A_NAME).next_power_of_two().ilog2();
    let place = |digest: u64| {
        // Names differ most in their last bytes, the highest of a word: as the lowest they reach every bit
        // of the product.
        let bit = digest.swap_bytes().wrapping_mul(FACTOR).wrapping_shr(u64::BITS.saturating_sub(bits));
        ((bit >> 6) as usize, 1_u64 << (bit & 63))
    };
    let mut met = vec![0_u64; 1_usize.wrapping_shl(bits.saturating_sub(6))];
    let mut met_again = met.clone();
    for digest in digests.iter() {
        let (word, bit) = place(*digest);
        if let (Some(met), Some(again)) = (met.get_mut(word), met_again.get_mut(word)) {
            *again |= *met & bit;
            *met |= bit;
        }
    }
    digests.retain(|digest| {
        let (word, bit) = place(*digest);
        met_again.get(word).is_some_and(|again| again & bit != 0)
    });
}

fn has_equal_neighbours<T: PartialEq>(sorted: &[T]) -> bool {
    sorted.iter().zip(sorted.iter().skip(1)).any(|(one, next)| one == next)
}

/// Odd, and its bits are in no order: what is multiplied by it differs in its first bits.
const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

/// Equal for equal names, and mostly different for others.
fn digest(name: &str) -> u64 {
    let (words, rest) = name.as_bytes().as_chunks();
    let rest = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    words
        .iter()
        .fold(rest, |digest, word| (digest.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn few_are_kept_of_digests_that_all_differ_and_all_of_those_that_are_equal() {
        let forms: [fn(usize) -> String; 6] = [
            |index| format!("{index}"),
            |index| format!("{index:x}"),
            |index| format!("{index:08x}"),
            |index| format!("name-{index}"),
            |index| format!("property_{index}_value"),
            |index| format!("{:016x}{index}", index.wrapping_mul(0x9e37_79b9)),
        ];
        for (form, count) in forms.iter().flat_map(|form| [65, 1000, 50_000].map(|count| (form, count))) {
            let differing: Vec<u64> = (0..count).map(|index| digest(&form(index))).collect();
            let mut kept = differing.clone();
            retain_met_again(&mut kept);
            assert!(kept.len() < count / 8, "{} of {count}: {}", kept.len(), form(count));

            let repeated = [differing[0], differing[count / 2], differing[count - 1]];
            let mut kept = [&differing[..], &repeated].concat();
            retain_met_again(&mut kept);
            for digest in repeated {
                assert_eq!(kept.iter().filter(|other| **other == digest).count(), 2, "{count}");
            }
        }
    }
}
