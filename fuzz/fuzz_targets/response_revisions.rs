//! A `ListRootsResult`, in bytes: judged as the reference judges it, at all doors, in all revisions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Target, laws};

fuzz_target!(init: mcp_roots_fuzz::seed_from("response_revisions", &["response"]), |doc: &[u8]| {
    laws::judged_right(&Core, Target::Response, doc);
});
