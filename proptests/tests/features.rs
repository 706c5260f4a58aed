//! No verdict depends on what another crate switches on in `serde_json` (J3): the corpus is replayed
//! by a build with all its features.

use std::path::Path;
use std::process::Command;

#[test]
fn the_corpus_is_judged_the_same_with_every_feature_of_serde_json() {
    // The build under test would start itself again.
    if cfg!(feature = "serde_json_features") {
        return;
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--locked", "-p", "mcp-roots-proptests", "--features", "serde_json_features"])
        .args([
            "--test",
            "corpus",
            "--test",
            "laws",
            "--test",
            "reference",
            "--test",
            "params",
            "--test",
            "session",
        ])
        // A folder of its own: the other features would have everything built again each time.
        .arg("--target-dir")
        .arg(workspace.join("target/features"))
        .current_dir(&workspace)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let passed = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<usize>().ok());
    assert!(passed.sum::<usize>() > 890, "{text}");
}
