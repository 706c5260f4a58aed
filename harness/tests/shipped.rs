//! The adapters of other people's implementations, set up and asked. They come from registries, so that a
//! plain test run leaves this out:
//!
//! ```sh
//! cargo test -p mcp-roots-harness --test shipped -- --ignored
//! ```

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mcp_roots_harness::adapter::{Adapter, Launch};
use mcp_roots_harness::check;
use mcp_roots_proptests::corpus;

const MATRIX: &str = include_str!("../MATRIX.md");

/// An adapter: the tool it needs, what it says of itself, where that is pinned, the verdicts that it must at
/// least give, and how many of them right.
struct Shipped {
    name: &'static str,
    tool: &'static str,
    implementation: &'static str,
    pin: fn(version: &str) -> (&'static str, String),
    targets: usize,
    verdicts: usize,
    right: usize,
}

const SHIPPED: [Shipped; 4] = [
    Shipped {
        name: "rust",
        tool: "cargo",
        implementation: "rmcp",
        pin: |version| ("../../Cargo.lock", format!("name = \"rmcp\"\nversion = \"{version}\"")),
        targets: 5,
        verdicts: 3500,
        right: 2500,
    },
    Shipped {
        name: "python",
        tool: "python3",
        implementation: "mcp",
        pin: |version| ("python/requirements.txt", format!("\nmcp=={version}\n")),
        targets: 5,
        verdicts: 3500,
        right: 2500,
    },
    Shipped {
        name: "typescript",
        tool: "npm",
        implementation: "@modelcontextprotocol/core, /server",
        pin: |version| {
            ("typescript/package.json", format!("\"@modelcontextprotocol/server\": \"{version}\""))
        },
        targets: 5,
        verdicts: 3500,
        right: 2500,
    },
    Shipped {
        name: "ajv",
        tool: "npm",
        implementation: "ajv",
        pin: |version| ("ajv/package.json", format!("\"ajv\": \"{version}\"")),
        targets: 4,
        verdicts: 3000,
        right: 2500,
    },
];

#[test]
#[ignore = "it installs packages from crates.io, npm and PyPI"]
fn every_adapter_is_set_up_and_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters");
    let corpus = corpus::built_in().unwrap();
    let mut asked = 0;
    for shipped in &SHIPPED {
        let Shipped { name, tool, .. } = shipped;
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("{tool} is not installed: the adapter {name} was not tried");
            continue;
        }
        let status = Command::new(folder.join("setup")).arg(name).status().expect("bash runs it");
        assert!(status.success(), "{name} is not set up");
        let launch = Launch {
            command: vec![folder.join("run").into(), name.into()],
            time_limit: Duration::from_secs(30),
            start_limit: Duration::from_secs(60),
            ..Launch::new(Vec::new())
        };

        let adapter = Adapter::start(launch.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let hello = adapter.hello();
        assert_eq!(hello.name, shipped.implementation);
        let (file, pin) = (shipped.pin)(&hello.version);
        let pinned = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(pinned.contains(&pin), "{name}: {} is not what {file} pins", hello.version);
        assert_eq!(hello.targets.len(), shipped.targets, "{name}");
        assert_eq!(hello.revisions, mcp_roots::Revision::ALL, "{name}");
        drop(adapter);

        let options = check::Options { jobs: 1, ..check::Options::default() };
        let report = check::run(&corpus, &launch, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [right, wrong, decided, crash, hang, protocol, unsupported, not_asked] = report.counts.figures();
        assert_eq!([crash, hang, protocol, not_asked], [0; 4], "{name}");
        assert!(right + wrong + decided >= shipped.verdicts, "{name}: {:?}", report.counts);
        assert!(right >= shipped.right, "{name}: {:?}", report.counts);
        assert_eq!(report.unsupported.values().sum::<usize>(), unsupported, "{name}");

        // What the page says of it is so.
        let command = format!(" -- harness/adapters/run {name}`");
        let shown = MATRIX.lines().filter_map(|line| line.strip_suffix(&command)?.split_once("--document "));
        let mut count = 0;
        for (_, document) in shown {
            let is_wrong = report.failures.iter().any(|difference| difference.document == document);
            assert!(is_wrong, "{name}: {document} is not judged wrong any more");
            count += 1;
        }
        assert!(count > 0, "the page shows nothing of {name}");
        asked += 1;
    }
    assert!(asked > 0, "none of the tools is installed");
    eprintln!("{asked} of {} adapters were asked", SHIPPED.len());
}
