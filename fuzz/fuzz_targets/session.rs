//! A session of the initialize era that the fuzzer's bytes describe, event by event: what the core makes
//! of it goes as the model says and follows the rules, at every door.
#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::session::{CoreSession, events};
use mcp_roots_proptests::{Door, laws};

fuzz_target!(|bytes: &[u8]| {
    if let Ok((revision, events)) = events(&mut Unstructured::new(bytes)) {
        for door in [Door::Bytes, Door::Str, Door::Value] {
            laws::session_follows_the_rules(&mut CoreSession::new(revision, door), revision, &events);
        }
    }
});
