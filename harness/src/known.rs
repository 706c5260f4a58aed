//! Differences that are known: a file that lists them, and fails too when one of them disappears.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Deserialize;

use crate::adapter::FailureKind;
use crate::check::Difference;

/// A list of known differences.
///
/// ```
/// use mcp_roots_harness::known::Known;
/// let list = r#"
///     [[difference]]
///     document = "response/name-null"
///     got = "accept"
///     why = "an old client of ours sends it"
/// "#;
/// assert_eq!(Known::read(list).unwrap().len(), 1);
/// assert!(Known::read("[[difference]]").is_err());
/// assert!(Known::read(&list.replace("accept", "acept")).unwrap_err().contains("acept"));
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    #[serde(default)]
    difference: Vec<Item>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    document: String,
    got: String,
    /// For the reader alone.
    #[serde(default)]
    why: String,
    #[serde(skip)]
    is_taken: bool,
}

/// A question about a name that is not there, if one is like it.
///
/// ```
/// use mcp_roots_harness::known::did_you_mean;
/// let names = ["response/name-null".to_owned()].into();
/// assert_eq!(did_you_mean("response/nam-null", &names), "; did you mean response/name-null?");
/// assert_eq!(did_you_mean("name-null", &names), "; did you mean response/name-null?");
/// assert_eq!(did_you_mean("response/uri-empty", &names), "", "what all names begin with makes none alike");
/// ```
#[must_use]
pub fn did_you_mean(name: &str, names: &BTreeSet<String>) -> String {
    fn own(name: &str) -> &str {
        name.rsplit('/').next().unwrap_or(name)
    }
    let likeness = |other: &&String| {
        let of_all = strsim::normalized_damerau_levenshtein(name, other);
        (strsim::normalized_damerau_levenshtein(own(name), own(other)), of_all)
    };
    let nearest = names.iter().max_by(|one, other| {
        let ((one, one_of_all), (other, other_of_all)) = (likeness(one), likeness(other));
        one.total_cmp(&other).then(one_of_all.total_cmp(&other_of_all))
    });
    let nearest = nearest.filter(|nearest| likeness(nearest).0 > 0.6);
    nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default()
}

/// What an adapter can be known to give.
const GOTS: [&str; 6] = ["accept", "reject", "missing", "unsupported", "other-place", "other-roots"];

impl Known {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// Where it is no such list, or says that an adapter gives something that none can.
    pub fn read(text: &str) -> Result<Self, String> {
        let list: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let gots: Vec<&str> = GOTS.into_iter().chain(FailureKind::ALL.map(FailureKind::name)).collect();
        match list.difference.iter().find(|item| !gots.contains(&&*item.got)) {
            Some(Item { document, got, .. }) => {
                Err(format!("{document}: no adapter gives {got:?}; it is one of {}", gots.join(", ")))
            }
            None => Ok(list),
        }
    }

    /// Writes the differences of a run as a list, with those of this one whose documents were not asked for. What
    /// this one says of a difference, why it is accepted, is kept.
    #[must_use]
    pub fn write<'d>(
        &self,
        differences: impl IntoIterator<Item = &'d Difference>,
        is_asked: impl Fn(&str) -> bool,
    ) -> String {
        let mut list = String::from(
            "# Known differences, for `mcp-roots check --expected`. One that disappears is a failure too.\n",
        );
        let said = |document: &str, got: &str| {
            let item = self.difference.iter().find(|item| (&*item.document, &*item.got) == (document, got));
            item.map(|item| item.why.clone()).filter(|why| !why.is_empty())
        };
        let found = differences.into_iter().map(|Difference { document, got, misjudged, .. }| {
            let why = said(document, got.name()).unwrap_or_else(|| misjudged.clone());
            (document.as_str(), got.name(), why)
        });
        let others = self.difference.iter().filter(|item| !is_asked(&item.document));
        let others = others.map(|item| (item.document.as_str(), item.got.as_str(), item.why.clone()));
        // One entry does for all revisions.
        let all: BTreeSet<(&str, &str, String)> = found.chain(others).collect();
        for (document, got, why) in all {
            let why = toml::Value::from(why);
            write!(list, "\n[[difference]]\ndocument = \"{document}\"\ngot = \"{got}\"\nwhy = {why}\n")
                .expect("text takes text");
        }
        list
    }

    /// The documents of which it tells, as `TARGET/NAME`.
    pub fn documents(&self) -> impl Iterator<Item = &str> {
        self.difference.iter().map(|item| &*item.document)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.difference.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.difference.is_empty()
    }

    /// Whether a difference is on the list; it is then ticked off.
    pub(crate) fn takes(&mut self, difference: &Difference) -> bool {
        let is_it =
            |item: &&mut Item| item.document == difference.document && item.got == difference.got.name();
        let item = self.difference.iter_mut().find(is_it);
        item.map(|item| item.is_taken = true).is_some()
    }

    /// The entries of documents that a corpus does not have, as `TARGET/NAME GOT`, with the name that is most like
    /// theirs.
    pub(crate) fn unknown(&self, names: &BTreeSet<String>) -> Vec<String> {
        let items = self.difference.iter().filter(|item| !names.contains(&item.document));
        items
            .map(|item| format!("{} {}{}", item.document, item.got, did_you_mean(&item.document, names)))
            .collect()
    }

    /// What was not ticked off, of the documents that were asked for.
    pub(crate) fn not_taken(&self, is_asked: impl Fn(&str) -> bool) -> Vec<String> {
        let items = self.difference.iter().filter(|item| !item.is_taken && is_asked(&item.document));
        items.map(|item| format!("{} {}", item.document, item.got)).collect()
    }
}
