//! A root, a candidate and a third URI, as lines of text: every law of paths and boundaries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::Core;
use mcp_roots_proptests::paths::{Question, laws};

fuzz_target!(init: mcp_roots_fuzz::seed_paths("contains"), |text: &str| {
    for question in Question::of_lines(text) {
        laws::all(&Core, &question);
    }
});
