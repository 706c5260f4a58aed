//! A request's `_meta`, in bytes: judged as the reference judges it, at all doors, in all revisions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Target, laws};

mcp_roots_fuzz::change_values_too!();

fuzz_target!(init: mcp_roots_fuzz::seed("request_meta"), |doc: &[u8]| {
    laws::judged_right(&Core, Target::RequestMeta, doc);
});
