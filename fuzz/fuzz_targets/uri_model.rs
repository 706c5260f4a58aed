//! A `file://` URI that the fuzzer's bytes describe, with at most one slip: judged right.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::uri::Uri;
use mcp_roots_proptests::{Core, laws};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(uri) = Uri::arbitrary(&mut Unstructured::new(bytes)) {
        laws::root_uri_judged_right(&Core, &uri.text());
    }
});
