//! A `ListRootsResult`, in bytes: read leniently as the reference reads it, and strictly only if it has
//! file roots alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::Core;
use mcp_roots_proptests::lenient::laws;

mcp_roots_fuzz::change_values_too!();

fuzz_target!(init: mcp_roots_fuzz::seed_from("lenient", &["response"]), |doc: &[u8]| {
    laws::sorted_right(&Core, doc);
});
