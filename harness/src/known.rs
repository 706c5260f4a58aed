//! Differences that are known: a file that lists them, and fails too when one of them disappears.

use std::fmt::Write as _;

use serde::Deserialize;

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
    #[serde(default, rename = "why")]
    _why: String,
    #[serde(skip)]
    is_taken: bool,
}

impl Known {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// Where it is no such list.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Writes the differences of a run as a list.
    #[must_use]
    pub fn write<'d>(differences: impl IntoIterator<Item = &'d Difference>) -> String {
        let mut list = String::from(
            "# Known differences, for `mcp-roots check --expected`. One that disappears is a failure too.\n",
        );
        for Difference { document, got, misjudged, .. } in differences {
            let why = toml::Value::from(misjudged.as_str());
            let got = got.name();
            write!(list, "\n[[difference]]\ndocument = \"{document}\"\ngot = \"{got}\"\nwhy = {why}\n")
                .expect("text takes text");
        }
        list
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

    /// What was not ticked off, of the documents that were asked for.
    pub(crate) fn not_taken(&self, is_asked: impl Fn(&str) -> bool) -> Vec<String> {
        let items = self.difference.iter().filter(|item| !item.is_taken && is_asked(&item.document));
        items.map(|item| format!("{} {}", item.document, item.got)).collect()
    }
}
