//! Three hostile URIs that the fuzzer's bytes describe, each made from the one before: every law of
//! paths and boundaries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::Core;
use mcp_roots_proptests::paths::{hostile::Family, laws};

fuzz_target!(|family: Family| {
    family.ask(|question| laws::all(&Core, &question));
});
