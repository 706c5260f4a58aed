//! A `roots/list` request, bare or enveloped, in bytes: judged as the reference judges it, in the newest
//! revision at all doors, and in one other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Target, laws};

fuzz_target!(init: mcp_roots_fuzz::seed("request"), |doc: &[u8]| {
    laws::judged_right_by_lot(&Core, Target::Request, doc);
});
