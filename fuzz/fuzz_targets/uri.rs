//! A string, in bytes, for a root URI: judged right, and by the `url` crate with no other divergence than known.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, laws};

fuzz_target!(init: mcp_roots_fuzz::seed_uris("uri"), |bytes: &[u8]| {
    if let Ok(uri) = std::str::from_utf8(bytes) {
        laws::root_uri_judged_right(&Core, uri);
    }
});
