//! Any bytes, read as a `serde_json::Value` and dropped. No law: what the speed of the others is held against.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, from_slice};

fuzz_target!(|doc: &[u8]| {
    std::hint::black_box(from_slice::<Value>(doc).is_ok());
});
