//! The `params` of a request, in bytes: roots given, a request to ask with, or a refusal, by every law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, laws};

mcp_roots_fuzz::change_values_too!();

fuzz_target!(init: mcp_roots_fuzz::seed("params"), |params: &[u8]| {
    laws::params_are_decided_right(&mut Core, params);
});
