//! A `ListRootsResult` that the fuzzer's bytes describe, with at most one flaw: its verdict is known,
//! and every law holds.
#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Sample, Target, laws};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(sample) = Sample::arbitrary(Target::Response, &mut Unstructured::new(bytes)) {
        laws::gets_what_is_known(&Core, &sample);
        laws::all(&Core, &sample.case());
    }
});
