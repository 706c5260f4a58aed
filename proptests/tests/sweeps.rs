//! Sweeps: every small change of a few documents, without chance. Each asserts how many it judged.

use mcp_roots_proptests::{Case, Core, Door, Target, Validator, laws, sweep};

/// Holds every law against each document in each revision; gives the number of documents.
fn every_law<D: AsRef<[u8]>>(target: Target, docs: impl IntoIterator<Item = D>) -> usize {
    let hold = |doc: D| {
        for case in Case::new(target, doc.as_ref()).in_every_revision() {
            assert!(laws::all(&Core, &case) > 0);
        }
    };
    docs.into_iter().map(hold).count()
}

/// Small documents: what a byte can do to the grammar shows in them.
const SMALL: [(Target, &str); 7] = [
    (Target::Response, r#"{"roots":[{"uri":"file:///a","name":"b"}]}"#),
    (Target::Response, r#"{"_meta":{},"roots":[]}"#),
    (Target::Request, r#"{"method":"roots/list","params":{"_meta":{}}}"#),
    (Target::Request, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#),
    (Target::Capabilities, r#"{"roots":{"listChanged":true}}"#),
    (Target::InputResponses, r#"{"client_roots":{"roots":[{"uri":"file:///a"}]}}"#),
    (Target::RequestMeta, r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#),
];

/// Documents with everything that their target's rules speak of, and something beside it.
const WHOLE: [(Target, &str); 6] = [
    (
        Target::Response,
        r#"{"roots":[{"uri":"file:///a","name":"b","_meta":{"c":0}},{"uri":"file://[::1]/d?e#f"}],"_meta":{"g":[]},"nextCursor":"h"}"#,
    ),
    (Target::Request, r#"{"method":"roots/list","params":{"_meta":{"progressToken":1}}}"#),
    (
        Target::Request,
        r#"{"jsonrpc":"2.0","id":"a","method":"roots/list","params":{"_meta":{"progressToken":"b"},"c":null}}"#,
    ),
    (Target::Capabilities, r#"{"roots":{"listChanged":false,"a":[1]},"sampling":{}}"#),
    (
        Target::InputResponses,
        r#"{"other":{"action":"decline"},"client_roots":{"roots":[{"uri":"file:///a","name":"b","_meta":{}}],"c":1}}"#,
    ),
    (
        Target::RequestMeta,
        r#"{"io.modelcontextprotocol/clientCapabilities":{"roots":{"listChanged":true}},"progressToken":"a"}"#,
    ),
];

fn every_byte(index: usize, expected: usize) {
    let (target, doc) = SMALL[index];
    let judged = every_law(target, sweep::bytes(doc.as_bytes()));
    assert_eq!(judged, expected);
}

macro_rules! every_byte {
    ($($name:ident, $index:literal, $length:literal;)+) => {$(
        #[test]
        fn $name() {
            every_byte($index, 256 * (2 * $length + 1));
        }
    )+};
}

every_byte! {
    every_byte_at_every_place_of_a_result, 0, 42;
    every_byte_at_every_place_of_an_empty_result, 1, 23;
    every_byte_at_every_place_of_a_bare_request, 2, 45;
    every_byte_at_every_place_of_a_wire_request, 3, 46;
    every_byte_at_every_place_of_capabilities, 4, 30;
    every_byte_at_every_place_of_input_responses, 5, 48;
    every_byte_at_every_place_of_a_requests_meta, 6, 49;
}

#[test]
fn every_truncation() {
    let docs = || SMALL.iter().chain(&WHOLE);
    let judged: usize =
        docs().map(|(target, doc)| every_law(*target, sweep::truncations(doc.as_bytes()))).sum();
    assert_eq!(judged, docs().map(|(_, doc)| doc.len()).sum::<usize>());
    assert_eq!(judged, 283 + 536);
}

#[test]
fn every_member_and_item_left_out_doubled_and_of_every_type() {
    let judged = WHOLE.map(|(target, doc)| every_law(target, sweep::edits(doc.as_bytes())));
    // Nine edits of each member and item, seven of the whole.
    assert_eq!(judged, [11, 4, 7, 5, 9, 4].map(|children| 9 * children + 7));
}

fn response(path: &[u8]) -> Vec<u8> {
    [br#"{"roots":[{"uri":"file:///"#, path, br#""}]}"#].concat()
}

#[test]
fn every_percent_encoding() {
    let paths: Vec<String> =
        (0..=u8::MAX).flat_map(|octet| [format!("%{octet:02X}"), format!("%{octet:02x}")]).collect();
    let docs: Vec<_> = paths.iter().map(|path| response(path.as_bytes())).collect();
    assert_eq!(every_law(Target::Response, &docs), 512);
    for (path, doc) in paths.iter().zip(&docs) {
        let verdict = Core.judge(&Case::new(Target::Response, doc), Door::Bytes).expect("bytes are taken");
        assert!(verdict.is_accept(), "{path}");
        laws::root_uri_judged_right(&Core, &format!("file:///{path}"));
    }
}

/// An ASCII character and any byte, as they are: some end the string, many are not UTF-8.
#[test]
fn every_two_bytes_in_a_path_as_they_are() {
    let pairs = (0..128).flat_map(|first| (0..=u8::MAX).map(move |second| [first, second]));
    assert_eq!(every_law(Target::Response, pairs.map(|pair| response(&pair))), 128 * 256);
}

/// The same two as characters of the URI, escaped where JSON asks for it.
#[test]
fn every_two_characters_in_a_path() {
    let pairs = (0..128).flat_map(|first| (0..=u8::MAX).map(move |second| [first, second]));
    let mut accepted = 0;
    let judged = pairs
        .map(|pair: [u8; 2]| {
            let uri = format!("file:///{}{}", char::from(pair[0]), char::from(pair[1]));
            laws::root_uri_judged_right(&Core, &uri);
            let doc = serde_json::json!({"roots": [{"uri": uri}]});
            accepted += usize::from(mcp_roots::validate_response(&doc).is_ok());
        })
        .count();
    assert_eq!(judged, 128 * 256);
    // The 79 of `pchar` without `%`, and `/`, `?` and `#`, but for `##`.
    assert_eq!(accepted, 82 * 82 - 1);
}
