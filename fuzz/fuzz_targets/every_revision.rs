//! A `ListRootsResult` or a `roots/list` request, in bytes: judged as the reference judges it, as either, at
//! all doors, in all revisions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Target, laws};

mcp_roots_fuzz::change_values_too!();

fuzz_target!(init: mcp_roots_fuzz::seed_from("every_revision", &["response", "request"]), |doc: &[u8]| {
    for target in [Target::Response, Target::Request] {
        laws::judged_right(&Core, target, doc);
    }
});
