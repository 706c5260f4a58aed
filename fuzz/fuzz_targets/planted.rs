//! Any document, in bytes: every law held against a planted fault instead of the core. The variables
//! `MCP_ROOTS_PLANTED` and `MCP_ROOTS_TARGET` name fault and target; by default there is no fault.
#![no_main]

use std::env::var;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Planted, Target, laws};

static PLANTED: LazyLock<&Planted> = LazyLock::new(|| {
    var("MCP_ROOTS_PLANTED").map_or(&Planted::NONE, |name| Planted::named(&name).expect("a planted fault"))
});
static TARGET: LazyLock<Target> = LazyLock::new(|| {
    var("MCP_ROOTS_TARGET").map_or(Target::Response, |name| name.parse().expect("a target"))
});

mcp_roots_fuzz::change_values_too!();

fuzz_target!(|doc: &[u8]| {
    laws::judged_right(*PLANTED, *TARGET, doc);
    laws::all_by_lot(*PLANTED, *TARGET, doc);
});
