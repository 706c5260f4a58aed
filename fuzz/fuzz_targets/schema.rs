//! Any document, in bytes: in the place of each target it is judged as the protocol's schemas say, but
//! for the differences that are known.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_roots_proptests::{Core, Target};
use mcp_roots_schemas::laws;

mcp_roots_fuzz::change_values_too!();

fuzz_target!(init: mcp_roots_fuzz::seed_from("schema", &Target::ALL.map(Target::name)), |doc: &[u8]| {
    laws::every_difference_is_known(&Core, doc);
});
