//! The core's short way for plain paths, held against two libraries of the whole grammar (U1, U2).

use fluent_uri::Uri;
use iri_string::types::UriStr;
use serde_json::json;

/// Whether core, libraries and prefix say the same of a string.
fn is_uri(text: &str) -> bool {
    let is_uri = UriStr::new(text).is_ok();
    assert_eq!(Uri::parse(text).is_ok(), is_uri, "two libraries on {text:?}");
    let is_valid = mcp_roots::validate_response(&json!({"roots": [{"uri": text}]})).is_ok();
    assert_eq!(is_valid, is_uri && text.starts_with("file://"), "the core on {text:?}");
    is_valid
}

/// Where a path is looked at by sixteens, the last of which overlap, a byte could be left out.
#[test]
fn every_byte_counts_at_every_place_of_every_length() {
    let (mut accepted, mut refused) = (0, 0);
    for length in 0..=50 {
        let path = "abcdefghijklmnopqrstuvwxyz"[..].repeat(2);
        let uri = format!("file:///{}", &path[..length]);
        for place in 0..uri.len() {
            for character in
                (0..128).map(char::from).chain(['\u{80}', '\u{e9}', '\u{ff}', '\u{2028}', '\u{1f680}'])
            {
                let text = format!("{}{character}{}", &uri[..place], &uri[place + 1..]);
                *if is_uri(&text) { &mut accepted } else { &mut refused } += 1;
            }
        }
    }
    assert_eq!(accepted + refused, 1_683 * 133);
    // 79 bytes stand for themselves in a path, and two more end it.
    assert!(accepted > 1_275 * 80, "{accepted}");
}

#[test]
fn two_bytes_do_not_make_up_for_each_other() {
    let mut refused = 0;
    for first in 0..128_u8 {
        for second in 0..128_u8 {
            let text = format!("file:///{}0123456789abcde{}", char::from(first), char::from(second));
            refused += usize::from(!is_uri(&text));
        }
    }
    assert!((8_000..12_000).contains(&refused), "{refused}");
}
