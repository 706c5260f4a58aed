//! Prints the runner's figures in a folder of results; fails unless all is well.

use std::path::Path;
use std::process::ExitCode;

use mcp_roots_conformance::figures;

fn main() -> ExitCode {
    let Some(results) = std::env::args_os().nth(1) else {
        eprintln!("usage: figures RESULTS");
        return ExitCode::from(2);
    };
    let (table, complaints) = figures::report(Path::new(&results));
    print!("{table}");
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
