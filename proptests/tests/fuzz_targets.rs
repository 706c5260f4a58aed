//! What the fuzz crate's README and manifest say of its targets is what there is.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mcp_roots_proptests::Target;

fn fuzz(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn targets() -> BTreeSet<String> {
    let manifest: toml::Table = fuzz("Cargo.toml").parse().unwrap();
    let bins = manifest["bin"].as_array().unwrap();
    bins.iter().map(|bin| bin["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_table_lists_the_targets_of_the_manifest_and_their_laws() {
    let table: Vec<[String; 3]> = fuzz("README.md")
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ").collect();
            let [target, input, law] = cells[..] else { panic!("{line}") };
            Some([target.trim_end_matches('`').to_owned(), input.to_owned(), law.to_owned()])
        })
        .collect();
    let listed: BTreeSet<String> = table.iter().map(|[target, ..]| target.clone()).collect();
    assert_eq!(listed, targets());
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/fuzz_targets")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().to_string_lossy().replace(".rs", ""));
    assert_eq!(files.collect::<BTreeSet<_>>(), listed, "each file is a target");
    assert_eq!(table.len(), listed.len(), "each once");
    for [target, _, laws] in table {
        let source = fuzz(&format!("fuzz_targets/{target}.rs"));
        let called: BTreeSet<&str> = source.split("laws::").skip(1).map(word).collect();
        let named: BTreeSet<&str> = laws.split("laws::").skip(1).map(word).collect();
        assert_eq!(named, called, "{target}");
        assert!(source.lines().count() < 25, "{target} is glue");
    }
}

fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap()
}

#[test]
fn each_kind_of_document_has_a_target_of_its_own_with_seeds_and_a_dictionary() {
    for target in Target::ALL.map(Target::name) {
        assert!(targets().contains(target), "{target}");
        let source = fuzz(&format!("fuzz_targets/{target}.rs"));
        assert!(source.contains(&format!("init: mcp_roots_fuzz::seed(\"{target}\")")), "{target}");
        let dictionary = fuzz(&format!("dictionaries/{target}.dict"));
        assert!(dictionary.lines().filter(|line| line.starts_with('"')).count() > 30, "{target}");
    }
}

#[test]
fn the_targets_of_text_made_of_roots_have_seeds_and_a_dictionary() {
    let seeds =
        [("lenient", r#"seed_from("lenient", &["response"])"#), ("contains", r#"seed_paths("contains")"#)];
    for (target, seed) in seeds {
        let source = fuzz(&format!("fuzz_targets/{target}.rs"));
        assert!(source.contains(&format!("init: mcp_roots_fuzz::{seed}")), "{target}");
        let dictionary = fuzz(&format!("dictionaries/{target}.dict"));
        assert!(dictionary.lines().filter(|line| line.starts_with('"')).count() > 30, "{target}");
    }
}
