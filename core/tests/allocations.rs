//! What a verdict allocates, counted (J4). The counter sees a list that grows as a new allocation beside
//! the old one, which is the worst that an allocator makes of it.

use allocation_counter::{AllocationInfo, measure};
use mcp_roots::{FilePath, Platform, Revision, Root, validate_response};
use serde_json::json;

/// What judging the document allocates; it must be accepted, or refused, as said.
fn judged(doc: &str, is_valid: bool) -> AllocationInfo {
    let info = measure(|| assert_eq!(validate_response(doc).is_ok(), is_valid));
    assert_eq!((info.count_current, info.bytes_current), (0, 0), "all is given back");
    info
}

fn result(roots: &[&str], other: &str) -> String {
    format!(r#"{{"roots":[{}],"other":{other}}}"#, roots.join(","))
}

fn members(count: usize, name: impl Fn(usize) -> String) -> String {
    let members: Vec<String> = (0..count).map(|index| format!(r#""{}":0"#, name(index))).collect();
    format!("{{{}}}", members.join(","))
}

const ROOT: &str = r#"{"uri":"file:///home/user/projects/name","name":"name"}"#;

#[test]
fn a_root_takes_48_bytes() {
    assert_eq!(size_of::<Root<'_>>(), 48);
}

#[test]
fn a_text_without_escapes_or_unknown_members_allocates_its_list_of_roots_alone() {
    let doc = |count| format!(r#"{{"roots":[{}]}}"#, vec![ROOT; count].join(","));
    // Room for 16 roots, the last of which is in the making, and then for twice as many each time.
    for (count, growths) in [(0, 1), (1, 1), (15, 1), (16, 2), (31, 2), (32, 3), (1000, 7), (100_000, 14)] {
        let info = judged(&doc(count), true);
        let room = 16 << (growths - 1);
        assert_eq!(info.count_total, growths, "{count} roots");
        assert_eq!(info.bytes_max, 48 * (room + if growths > 1 { room / 2 } else { 0 }), "{count} roots");
    }
}

#[test]
fn a_value_allocates_its_list_of_roots_in_one_piece() {
    // A list has room for four at least.
    for count in [3, 32, 1000] {
        let root: serde_json::Value = serde_json::from_str(ROOT).unwrap();
        let value = json!({"roots": vec![root; count]});
        let info = measure(|| assert!(validate_response(&value).is_ok()));
        assert_eq!((info.count_total, info.bytes_total), (1, 48 * (count as u64 + 1)), "{count} roots");
    }
}

#[test]
fn an_answer_allocates_no_more_for_standing_under_its_id() {
    let [list, answers] = ["{}", r#"{"client_roots":{"roots":[]}}"#];
    let count = |map: &str| {
        let request = mcp_roots::list();
        measure(|| _ = mcp_roots::response(map, "client_roots", &request).unwrap()).count_total
    };
    assert_eq!(count(answers), count(list) + judged(r#"{"roots":[]}"#, true).count_total);
}

#[test]
fn the_peak_of_100_000_roots_is_under_one_and_a_half_times_text_and_list() {
    let root =
        |index| format!(r#"{{"uri":"file:///home/user/projects/name-{index}","name":"name-{index}"}}"#);
    let roots: Vec<String> = (0..100_000).map(root).collect();
    let doc = format!(r#"{{"roots":[{}]}}"#, roots.join(","));
    let peak = doc.len() as u64 + judged(&doc, true).bytes_max;
    let need = doc.len() + roots.len() * size_of::<Root<'_>>();
    assert!(peak * 2 < need as u64 * 3, "{peak} against {need}");
}

#[test]
fn unknown_members_share_one_list_of_names_and_few_need_no_index() {
    let list = judged(r#"{"roots":[]}"#, true).count_total;
    for (other, more) in [
        ("7", 1), // the name "other" itself
        (r#""text""#, 1),
        ("[[[]],0.5]", 1),
        (r#"{"a":{"b":{}},"c":0}"#, 1),
        (&members(3, |index| index.to_string()), 1),
        (&members(7, |index| index.to_string()), 2), // the list of names grows beyond four
        (&members(8, |index| index.to_string()), 3), // and beyond eight
        (&members(9, |index| index.to_string()), 4), // and nine names are sorted
        (&members(64, |index| index.to_string()), 7), // the list is of 128 now,
        (&members(65, |index| index.to_string()), 9), // and two tables of bits
        (&members(66, |index| index.to_string()), 9),
        (&format!("[{}]", vec![members(2, |index| index.to_string()); 1000].join(",")), 1),
        // Names with escapes are kept in one string.
        (&format!("[{}]", vec![r#"{"\u0061":0,"\n":0}"#; 1000].join(",")), 3),
    ] {
        assert_eq!(judged(&result(&[], other), true).count_total, list + more, "{other:.40}");
    }
}

#[test]
fn a_string_with_escapes_is_one_allocation_beside_the_readers_buffer() {
    let escaped = r#"{"uri":"file:\/\/\/home\/user","name":"\"name\""}"#;
    let plain = judged(&result(&[ROOT; 10], "0"), true).count_total;
    let info = judged(&result(&[escaped; 10], "0"), true);
    // The buffer grows from 8 to 17 bytes or more.
    assert!((plain + 20..=plain + 24).contains(&info.count_total), "{info:?}");
}

#[test]
fn a_refusal_allocates_what_stood_before_it_and_its_error() {
    /// The reader's error and the message in it, some of them given up on the way out of the fault.
    const ERRORS: u64 = 8;
    let faults = [
        r#"{"uri":"file:///a b"}"#,
        r#"{"uri":"http://x"}"#,
        r#"{"uri":7}"#,
        r#"{"uri":"file:///a","name":null}"#,
        r#"["file:///a"]"#,
        "{}",
        "nul",
    ];
    for fault in faults {
        let first = judged(&result(&[&[fault], &[ROOT; 1000][..]].concat(), "0"), false);
        assert!(first.count_total <= 1 + ERRORS && first.bytes_max < 2000, "{fault}: {first:?}");
        let before = judged(&format!(r#"{{"roots":[{}]}}"#, [ROOT; 1000].join(",")), true);
        let last = judged(&result(&[&[ROOT; 1000][..], &[fault]].concat(), "0"), false);
        assert!(last.count_total <= before.count_total + ERRORS, "{fault}: {last:?}");
        assert!(last.bytes_max <= before.bytes_max + 1000, "{fault}: {last:?}");
    }
    assert_eq!(judged("", false).bytes_max, judged("nul", false).bytes_max);
}

#[test]
fn a_value_that_stands_allocates_the_list_alone() {
    let doc =
        json!({"roots": [{"uri": "file:///a", "name": "\"", "other": {"deep": [[]]}}], "other": {"a": {}}});
    assert_eq!(measure(|| assert!(validate_response(&doc).is_ok())).count_total, 1);
}

/// The multiple of its length that no document takes. The dearest are lists that have just grown, for
/// which old and new room stand side by side: of names, 24 bytes each and some 8 in the text, and of
/// roots, 48 and at least 18. Names that are all empty have only 5 in the text; they are refused.
const MULTIPLE: u64 = 16;

#[test]
fn no_document_takes_more_than_a_small_multiple_of_its_length() {
    // Digits of a base, from `#` on to before the backslash.
    let short = |index: usize| {
        let digit = |place| char::from_u32(0x23 + u32::try_from(index / place % 57).unwrap()).unwrap();
        [57 * 57, 57, 1].map(digit).iter().collect::<String>()
    };
    let array = |item: &str, count| format!("[{}]", vec![item; count].join(","));
    let nested =
        |open: &str, value: &str, close: &str| format!("{}{value}{}", open.repeat(125), close.repeat(125));
    let documents = [
        result(&vec![r#"{"uri":"file://"}"#; 65_540], "0"),
        result(&vec![r#"{"uri":"file://","name":"\n"}"#; 65_540], "0"),
        result(&[], &members(65_540, short)),
        result(&[], &members(65_540, |index| format!(r"\n{index:x}"))),
        result(&[], &members(10_000, |index| "x".repeat(200) + &index.to_string())),
        result(&[], &array("{}", 300_000)),
        result(&[], &array(&members(9, short), 20_000)),
        result(&[], &array(&nested(r#"{"a":"#, "0", "}"), 1000)),
        result(&[], &array(&nested("[", "", "]"), 4000)),
        // Every object on the way down stays open, with its names.
        result(&[], &nested(&members(1000, short).replace('}', r#","x":"#), "0", "}")),
        result(&[], &format!(r#""{}""#, r"\u00e9".repeat(200_000))),
        result(&[], &format!(r#""{}""#, "x".repeat(1_000_000))),
        result(&[], &format!("0.{}", "3".repeat(1_000_000))),
    ];
    for doc in &documents {
        let is_valid = validate_response(doc).is_ok();
        assert!(is_valid, "{doc:.60}");
        let peak = judged(doc, is_valid).bytes_max;
        assert!(peak < MULTIPLE * doc.len() as u64, "{peak} of {}: {doc:.60}", doc.len());
        // Cut off, the most stands open.
        let cut = &doc[..doc.len() - 1];
        let peak = judged(cut, false).bytes_max;
        assert!(peak < MULTIPLE * cut.len() as u64, "{peak} of {}: {cut:.60}", cut.len());
    }
    assert_eq!(documents.len(), 13);
    for name in ["", r"\n", "x"] {
        let doc = result(&[], &members(65_540, |_| name.to_owned()));
        let peak = judged(&doc, false).bytes_max;
        assert!(peak < MULTIPLE * doc.len() as u64, "{peak} of {}: {doc:.60}", doc.len());
    }
}

#[test]
fn no_lenient_reading_takes_more_than_a_small_multiple_of_its_length() {
    for root in [r#"{"uri":""}"#, r#"{"uri":"a:"}"#, ROOT] {
        let doc = result(&vec![root; 65_540], "0");
        let peak = measure(|| {
            assert!(Revision::V2025_11_25.validate_response_leniently(doc.as_str()).is_ok());
        });
        assert!(peak.bytes_max < MULTIPLE * doc.len() as u64, "{} of {}", peak.bytes_max, doc.len());
    }
}

#[test]
fn a_path_takes_no_more_than_twice_what_it_is_made_of() {
    for segment in ["/", "/a", "/%61", "/.", "/a/.."] {
        let uri = format!("file:///C:{}", segment.repeat(200_000));
        for platform in Platform::ALL {
            let peak = measure(|| assert!(FilePath::of_uri(&uri, platform).is_ok())).bytes_max;
            assert!(peak <= 2 * uri.len() as u64, "{peak} of {}: {uri:.20}", uri.len());
        }
    }
}
