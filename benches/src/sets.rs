//! The documents, built by code and the same on every run.

use std::fmt::Write as _;

use serde_json::Value;

/// What a data set is, and what the rule book makes of it.
#[derive(Debug, Clone)]
pub struct Card {
    /// The name that every table, criterion group and JSON key uses.
    pub name: &'static str,
    /// One sentence on what it is.
    pub what: &'static str,
    /// The length of the text.
    pub bytes: usize,
    /// How many entries `roots` has.
    pub roots: usize,
    /// The fault that the core must find, or none in a valid document.
    pub fault: Option<Fault>,
}

impl Card {
    /// Whether the document is a `ListRootsResult` of revision 2026-07-28.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.fault.is_none()
    }
}

/// The refusal that a card expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The broken rule.
    pub rule: &'static str,
    /// The JSON pointer to the place.
    pub at: String,
}

/// A document with its card.
#[derive(Debug, Clone)]
pub struct DataSet {
    /// What it is.
    pub card: Card,
    /// The document as it would come over the wire.
    pub text: String,
    /// The document parsed beforehand, for the contender that is given a value.
    pub value: Value,
}

impl DataSet {
    fn new(name: &'static str, what: &'static str, roots: usize, fault: Option<Fault>, text: String) -> Self {
        let value = serde_json::from_str(&text).expect("a data set is JSON");
        Self { card: Card { name, what, bytes: text.len(), roots, fault }, text, value }
    }

    /// `count` good roots, each as `write` makes it.
    fn of_roots(
        name: &'static str,
        what: &'static str,
        count: usize,
        write: impl Fn(usize) -> String,
    ) -> Self {
        Self::new(name, what, count, None, result(count, write))
    }

    /// 1000 roots of which the one at `bad` has a space in its URI.
    fn with_fault(name: &'static str, what: &'static str, bad: usize) -> Self {
        let fault = Fault { rule: "U2", at: format!("/roots/{bad}/uri") };
        let text = result(1000, |index| if index == bad { spaced(index) } else { plain(index) });
        Self::new(name, what, 1000, Some(fault), text)
    }
}

/// All data sets, in the order of the tables.
///
/// # Panics
///
/// Not unless a builder here writes what is not JSON.
#[must_use]
pub fn sets() -> Vec<DataSet> {
    vec![
        DataSet::of_roots("one-root", "One root with a name: the usual answer.", 1, plain),
        DataSet::of_roots("32-roots", "32 roots with names: a large workspace.", 32, plain),
        DataSet::of_roots("1000-roots", "1000 roots with names: what growth is measured by.", 1000, plain),
        DataSet::of_roots(
            "1000-roots-meta",
            "1000 roots with names, each with a `_meta` of two vendor members.",
            1000,
            with_meta,
        ),
        DataSet::of_roots(
            "1000-roots-names",
            "1000 roots with escaped quotes, `\\u` escapes, surrogate pairs and raw UTF-8 in their names.",
            1000,
            with_hard_name,
        ),
        DataSet::with_fault("1000-roots-fault-start", "1000 roots, a raw space in the first URI.", 0),
        DataSet::with_fault("1000-roots-fault-middle", "1000 roots, a raw space in a middle URI.", 500),
        DataSet::with_fault("1000-roots-fault-end", "1000 roots, a raw space in the last URI.", 999),
        DataSet::of_roots("100000-roots", "100,000 roots with names: growth with the roots.", 100_000, plain),
        DataSet::new(
            "100000-member-object",
            "No root, beside an unknown object of 100,000 members whose names are in no order.",
            0,
            None,
            member_object(100_000),
        ),
        DataSet::new(
            "nesting-to-the-limit",
            "No root, beside an unknown array of 400 values that reach the deepest level allowed, 127.",
            0,
            None,
            nested_to(127),
        ),
    ]
}

/// The cards as the table that the README holds.
#[must_use]
pub fn cards_table(sets: &[DataSet]) -> String {
    let mut table =
        String::from("| data set | what it is | bytes | roots | verdict |\n|---|---|---:|---:|---|\n");
    for DataSet { card: Card { name, what, bytes, roots, fault }, .. } in sets {
        let verdict = match fault {
            None => "valid".to_owned(),
            Some(Fault { rule, at }) => format!("{rule} at `{at}`"),
        };
        writeln!(table, "| `{name}` | {what} | {bytes} | {roots} | {verdict} |")
            .expect("a String takes all that is written");
    }
    table
}

fn result(count: usize, root: impl Fn(usize) -> String) -> String {
    let roots: Vec<String> = (0..count).map(root).collect();
    format!(r#"{{"roots":[{}]}}"#, roots.join(","))
}

/// So many good roots with names.
pub(crate) fn plain_roots(count: usize) -> String {
    result(count, plain)
}

fn plain(index: usize) -> String {
    format!(r#"{{"uri":"file:///home/user/projects/name-{index}","name":"name-{index}"}}"#)
}

fn spaced(index: usize) -> String {
    format!(r#"{{"uri":"file:///home/user/projects/name {index}","name":"name-{index}"}}"#)
}

fn with_meta(index: usize) -> String {
    format!(
        r#"{{"uri":"file:///home/user/projects/name-{index}","name":"name-{index}","_meta":{{"com.example/git":{{"branch":"main","dirty":false}},"com.example/opened":{}}}}}"#,
        1_796_040_000 + index
    )
}

fn with_hard_name(index: usize) -> String {
    let name = match index % 4 {
        0 => r#"the \"name\" project"#,
        1 => r"caf\u00e9 \u00fcber alles",
        2 => r"launch \ud83d\ude80 pad",
        _ => "Größe – 資料 🚀",
    };
    format!(r#"{{"uri":"file:///home/user/projects/name-{index}","name":"{name} {index}"}}"#)
}

/// Names that came in order would spare a sorting reader its work.
pub(crate) fn member_object(count: u64) -> String {
    let members: Vec<String> =
        (0..count).map(|index| format!(r#""id-{:016x}":{index}"#, scrambled(index))).collect();
    format!(r#"{{"roots":[],"index":{{{}}}}}"#, members.join(","))
}

/// The output function of `SplitMix64`: no two numbers give the same one.
fn scrambled(index: u64) -> u64 {
    let mixed = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The result is the first level, the unknown array the second; from there objects and arrays take
/// turns.
fn nested_to(level: usize) -> String {
    let mut value = String::from("7");
    for depth in (3..=level).rev() {
        value = if depth % 2 == 0 { format!("[{value}]") } else { format!(r#"{{"a":{value}}}"#) };
    }
    format!(r#"{{"roots":[],"trees":[{}]}}"#, vec![value; 400].join(","))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_eleven_data_sets_with_names_of_their_own() {
        let sets = sets();
        assert_eq!(sets.len(), 11);
        let names: HashSet<&str> = sets.iter().map(|set| set.card.name).collect();
        assert_eq!(names.len(), sets.len());
    }

    #[test]
    fn cards_say_what_the_documents_are() {
        for DataSet { card, text, value } in sets() {
            assert_eq!(card.bytes, text.len(), "{}", card.name);
            assert_eq!(value["roots"].as_array().map(Vec::len), Some(card.roots), "{}", card.name);
            assert!(card.what.ends_with('.'), "{}", card.name);
        }
    }

    #[test]
    fn documents_are_the_same_on_every_run() {
        let texts = || sets().into_iter().map(|set| set.text).collect::<Vec<_>>();
        assert!(texts() == texts());
    }

    /// The benches' `serde_json` has its feature `float_roundtrip`, which the `jsonschema` crate
    /// switches on and which makes floats dearer: no figure may depend on it.
    #[test]
    fn no_document_holds_a_float() {
        fn has_float(value: &Value) -> bool {
            match value {
                Value::Array(items) => items.iter().any(has_float),
                Value::Object(members) => members.values().any(has_float),
                Value::Number(number) => number.is_f64(),
                _ => false,
            }
        }
        assert!(sets().iter().all(|set| !has_float(&set.value)));
    }

    #[test]
    fn the_member_object_has_all_its_members() {
        let text = member_object(100_000);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["index"].as_object().map(serde_json::Map::len), Some(100_000));
    }

    #[test]
    fn the_nesting_is_at_the_limit() {
        assert!(mcp_roots::validate_response(&nested_to(127)).is_ok());
        assert_eq!(mcp_roots::validate_response(&nested_to(128)).unwrap_err().rule(), "J2");
    }

    #[test]
    fn the_readme_has_the_cards() {
        let readme = include_str!("../README.md");
        let table = cards_table(&sets());
        assert!(readme.contains(&table), "benches/README.md must hold this table:\n{table}");
    }
}
