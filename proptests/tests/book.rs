//! The rule book and what speaks of it.

use std::collections::BTreeSet;

use mcp_roots_proptests::corpus::{OTHER_RULES, REPORTABLE, ROOT_RULES, SESSION_RULES};

const BOOK: &str = include_str!("../../core/RULES.md");

fn rule_ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| {
        matches!(word.as_bytes(), [b'A'..=b'Z', b'1'..=b'9'] | [b'A'..=b'Z', b'1'..=b'9', b'0'..=b'9'])
    })
}

#[test]
fn the_lists_of_rules_are_the_books() {
    let head = BOOK.split("A refusal is reported under one of:").nth(1).unwrap().split('.').next().unwrap();
    assert_eq!(rule_ids(head).collect::<BTreeSet<_>>(), BTreeSet::from(REPORTABLE));
    let items: BTreeSet<_> =
        BOOK.lines().filter_map(|line| rule_ids(line.strip_prefix("- ")?).next()).collect();
    let other = OTHER_RULES.into_iter().chain(ROOT_RULES).chain(SESSION_RULES);
    let listed: BTreeSet<_> = REPORTABLE.into_iter().chain(other).collect();
    assert_eq!(items, listed);
}

#[test]
fn every_law_is_in_the_list_of_laws() {
    const LAWS: &str = include_str!("../src/laws.rs");
    let signature = "(validator: &dyn Validator, case: &Case<'_>) -> bool";
    let functions = LAWS.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split_once(signature));
    let functions: BTreeSet<&str> = functions.map(|(name, _)| name).collect();
    let listed: BTreeSet<&str> = mcp_roots_proptests::laws::LAWS.iter().map(|law| law.name).collect();
    assert_eq!(listed, functions);
    assert!(listed.len() >= 13, "laws only become more");
}

#[test]
fn no_verdict_depends_on_what_is_made_of_roots() {
    const VERDICTS: [(&str, &str); 9] = [
        ("answer", include_str!("../../core/src/answer.rs")),
        ("capabilities", include_str!("../../core/src/capabilities.rs")),
        ("document", include_str!("../../core/src/document.rs")),
        ("error", include_str!("../../core/src/error.rs")),
        ("names", include_str!("../../core/src/names.rs")),
        ("read", include_str!("../../core/src/read.rs")),
        ("request", include_str!("../../core/src/request.rs")),
        ("result", include_str!("../../core/src/result.rs")),
        ("revision", include_str!("../../core/src/revision.rs")),
    ];
    for (module, source) in VERDICTS {
        for name in [
            "path::",
            "lenient::",
            "FilePath",
            "NoFilePath",
            "Lenient",
            "contains_path",
            "parts::",
            "input::",
            "session::",
            "RootsInput",
            "RootsSession",
        ] {
            assert!(!source.contains(name), "{module} names {name}");
        }
    }
}
