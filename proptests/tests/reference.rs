//! The reference reader, held against `serde_json` reading a `Value`, which J3 is defined by.

use mcp_roots_proptests::reference::{Kind, Node, read};
use mcp_roots_proptests::{Target, corpus, has_magic_names, strategy};
use proptest::prelude::*;
use serde_json::Value;

/// The value that a node means, equal names as `serde_json` takes them: the last counts.
fn value_of(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => (*value).into(),
        Kind::Number(spelling) => serde_json::from_str(spelling).expect("a number"),
        Kind::String(text) => text.clone().into(),
        Kind::Array(items) => items.iter().map(value_of).collect(),
        Kind::Object(members) => members
            .iter()
            .map(|member| (member.name.clone(), value_of(member.value.as_ref().expect("whole"))))
            .collect(),
        Kind::Broken => panic!("broken"),
    }
}

/// Panics unless both read the text, to the same value, or neither does.
fn same_reading(text: &str) -> bool {
    let reading = read(text);
    let value = serde_json::from_str::<Value>(text);
    if cfg!(feature = "serde_json_features") && has_magic_names(text.as_bytes()) {
        return false;
    }
    match (&reading.broken_at, &value) {
        (None, Ok(value)) => assert_eq!(value_of(&reading.root), *value, "{text}"),
        (Some(_), Err(_)) => {}
        // `arbitrary_precision` reads numbers that are not finite in f64.
        (Some(_), Ok(_)) if cfg!(feature = "serde_json_features") => {}
        _ => panic!("the reference breaks at {:?}, serde_json reads {value:?}:\n{text}", reading.broken_at),
    }
    value.is_ok()
}

#[test]
fn the_corpus_reads_the_same() {
    let (mut texts, mut read) = (0, 0);
    for entry in corpus::load().unwrap() {
        if let Ok(text) = std::str::from_utf8(&entry.doc) {
            texts += 1;
            read += usize::from(same_reading(text));
        }
    }
    assert!(texts > 800 && read > 500, "{read} of {texts} texts read");
}

#[test]
fn numbers_next_to_the_largest_read_the_same() {
    let mut count = 0;
    for tail in 0..2000 {
        for spelling in [
            format!("1.79769313486231{tail:04}e308"),
            format!("17976931348623{:06}e289", 157_000 + tail),
            format!("-0.179769313486231{tail:04}E+309"),
        ] {
            same_reading(&spelling);
            count += 1;
        }
    }
    assert_eq!(count, 6000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_near_the_shape_read_the_same(doc in strategy::undirected(Target::Response)) {
        if let Ok(text) = std::str::from_utf8(&doc) {
            same_reading(text);
        }
    }

    #[test]
    fn any_json_reads_the_same(json in strategy::json(), style in strategy::style()) {
        let text = String::from_utf8(json.write(style)).unwrap();
        prop_assert!(same_reading(&text) || has_magic_names(text.as_bytes()));
    }

    #[test]
    fn text_made_of_json_marks_reads_the_same(text in r#"[\[\]{}:, "\\a0-9.eE+nultrfs-]{0,24}"#) {
        same_reading(&text);
    }
}
