//! Documents of a mebibyte that are dear by the byte: what a sender would choose to keep a server busy.

use std::fmt::Write as _;

use serde_json::Value;

/// The length that the documents come up to.
pub const WORST_LENGTH: usize = 1 << 20;

/// A kind of document that is dear by the byte.
#[derive(Debug, Clone, Copy)]
pub struct Worst {
    /// The name in tables.
    pub name: &'static str,
    /// One sentence on what it is.
    pub what: &'static str,
    /// Whether the document is a `ListRootsResult`.
    pub is_valid: bool,
    build: fn(usize) -> String,
}

impl Worst {
    /// The document, of this length or a little less.
    ///
    /// ```
    /// let text = mcp_roots_benches::WORST[0].document(1000);
    /// assert!((990..=1000).contains(&text.len()));
    /// ```
    #[must_use]
    pub fn document(&self, length: usize) -> String {
        (self.build)(length)
    }
}

const fn valid(name: &'static str, what: &'static str, build: fn(usize) -> String) -> Worst {
    Worst { name, what, is_valid: true, build }
}

const fn refused(name: &'static str, what: &'static str, build: fn(usize) -> String) -> Worst {
    Worst { name, what, is_valid: false, build }
}

/// The dearest documents that are known, of every kind that was looked for.
pub const WORST: [Worst; 19] = [
    valid("zeros", "Numbers of one digit.", |length| array(length, "0")),
    valid("empty-objects", "Empty objects in an array.", |length| array(length, "{}")),
    valid("nested-arrays", "Arrays in arrays, to the deepest level.", |length| {
        array(length, &nested("[", "", "]"))
    }),
    valid("nested-objects", "Objects in objects, to the deepest level.", |length| {
        array(length, &nested(r#"{"":"#, "0", "}"))
    }),
    valid("objects-of-8", "Objects of as many members as are compared each with each.", |length| {
        array(length, &object(8))
    }),
    valid("objects-of-9", "Objects of as few members as are sorted.", |length| array(length, &object(9))),
    valid("short-names", "One object, names as short as can be.", |length| {
        members(length, "", |index| format!("{index:x}"))
    }),
    valid("long-prefixes", "One object, names that differ after 200 bytes.", |length| {
        members(length, "", |index| format!("{}{index:06}", "x".repeat(200)))
    }),
    valid("equal-digests", "One object, names that have the same digest.", |length| {
        let names = equal_digests(length / 21);
        members(length, "", |index| names.get(index).cloned().unwrap_or_else(|| format!("{index}")))
    }),
    valid("escaped-names", "One object, an escape in each name.", |length| {
        members(length, "", |index| format!(r"\n{index:x}"))
    }),
    valid("escaped-name-objects", "Objects of one member with an escape in its name.", |length| {
        array(length, r#"{"\n":0}"#)
    }),
    valid("escaped-root-names", "Roots with an escape in their name.", |length| {
        roots(length, r#"{"uri":"file://","name":"\n"}"#)
    }),
    valid("escapes", "Strings of nothing but escapes.", |length| {
        array(length, &format!(r#""{}""#, r"\u00e9\n".repeat(100)))
    }),
    valid(
        "exact-floats",
        "Numbers so close to the middle of two f64 that rounding takes long arithmetic.",
        |length| array(length, "2.4703282292062327208299836499141e-324"),
    ),
    valid("long-fractions", "Numbers of more digits than 64 bits hold.", |length| {
        array(length, "163.900000002024441384")
    }),
    valid("any-uris", "Roots whose URI takes the whole grammar.", |length| {
        roots(length, r#"{"uri":"file://[::1]"}"#)
    }),
    valid("roots-of-10", "Roots with nine unknown members.", |length| {
        roots(length, &object(9).replacen('{', r#"{"uri":"file://","#, 1))
    }),
    refused("duplicate-at-the-end", "One object, the last name of which is that of the first.", |length| {
        members(length, r#","0":0"#, |index| format!("{index:x}"))
    }),
    refused("fault-at-depth", "Lines, and then a fault at the deepest level.", |length| {
        within(length, r#"{"roots":[],"other":["#, &format!(",{}x", "[".repeat(125)), |_| "[]\n".to_owned())
    }),
];

/// Documents of this length that are made of what a fuzzer found: a JSON value many times over, in an unknown
/// member, and the roots of a result many times over, as roots; each with what it is made of. None of a text
/// that is neither.
///
/// ```
/// use mcp_roots_benches::of_unit;
/// assert_eq!(of_unit("[0.5]", 1000).len(), 1);
/// assert_eq!(of_unit(r#"{"roots":[{"uri":"file:///a"}]}"#, 1000).len(), 2);
/// assert_eq!(of_unit("[", 1000).len(), 0);
/// ```
#[must_use]
pub fn of_unit(unit: &str, length: usize) -> Vec<(&'static str, String)> {
    let mut documents = Vec::new();
    if unit.len() < length / 2 {
        documents.push(("value", array(length, unit.trim())));
        if let Ok(unit) = serde_json::from_str::<Value>(unit)
            && let Some(Value::Array(entries)) = unit.get("roots")
            && !entries.is_empty()
        {
            let entries: Vec<String> = entries.iter().map(Value::to_string).collect();
            documents.push(("roots", roots(length, &entries.join(","))));
        }
    }
    documents.retain(|(_, document)| mcp_roots::validate_response(document).is_ok());
    documents
}

fn within(length: usize, before: &str, after: &str, item: impl Fn(usize) -> String) -> String {
    let mut text = before.to_owned();
    for index in 0.. {
        let item = item(index);
        if text.len() + item.len() + 1 + after.len() > length {
            break;
        }
        if index > 0 {
            text.push(',');
        }
        text.push_str(&item);
    }
    // White space at the end makes up for an item that found no room.
    text.push_str(after);
    text.extend(std::iter::repeat_n(' ', length.saturating_sub(text.len())));
    text
}

/// So many of an item, in an unknown member.
fn array(length: usize, item: &str) -> String {
    within(length, r#"{"roots":[],"other":["#, "]}", |_| item.to_owned())
}

fn roots(length: usize, root: &str) -> String {
    within(length, r#"{"roots":["#, "]}", |_| root.to_owned())
}

/// An unknown object of members with these names, and then these.
fn members(length: usize, last: &str, name: impl Fn(usize) -> String) -> String {
    within(length, r#"{"roots":[],"other":{"#, &format!("{last}}}}}"), |index| {
        format!(r#""{}":0"#, name(index))
    })
}

fn object(count: usize) -> String {
    let mut text = String::from("{");
    for index in 0..count {
        let comma = if index > 0 { "," } else { "" };
        write!(text, r#"{comma}"{index}":0"#).expect("a String takes all that is written");
    }
    text + "}"
}

/// The result is the first level, its unknown array the second.
fn nested(open: &str, value: &str, close: &str) -> String {
    format!("{}{value}{}", open.repeat(125), close.repeat(125))
}

/// Names of sixteen letters for which the digest of `core/src/names.rs` is the same: to each first half
/// there is one second half, and one in some 3000 of these is plain text.
fn equal_digests(count: usize) -> Vec<String> {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    let pairs = (0_u32..).filter_map(|index| {
        // In no order, which would spare a sorting reader its work.
        let scrambled = index.wrapping_mul(0x9e37_79b1);
        let first = u64::from_le_bytes(*format!("{scrambled:08x}").as_bytes().first_chunk()?);
        let second = first.wrapping_mul(FACTOR).rotate_left(5) ^ 0x5a5a_5a5a_5a5a_5a5a;
        let second = second.to_le_bytes();
        second.iter().all(is_plain).then(|| [first.to_le_bytes(), second].concat())
    });
    pairs.take(count).filter_map(|name| String::from_utf8(name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_documents_are_as_long_as_they_should_be_and_judged_as_their_kind_says() {
        // The digests take a while to find.
        for length in [2_000, 20_000] {
            for worst in WORST {
                let text = worst.document(length);
                assert_eq!(text.len(), length, "{}", worst.name);
                assert_eq!(mcp_roots::validate_response(&text).is_ok(), worst.is_valid, "{}", worst.name);
            }
        }
        assert_eq!(WORST.iter().map(|worst| worst.name).collect::<HashSet<_>>().len(), WORST.len());
    }

    #[test]
    fn a_unit_makes_documents_by_what_it_is() {
        let kinds = |unit| {
            let documents = of_unit(unit, 1000);
            for (kind, document) in &documents {
                assert_eq!(document.len(), 1000, "{kind} of {unit}");
                assert!(mcp_roots::validate_response(document).is_ok(), "{kind} of {unit}");
            }
            documents.into_iter().map(|(kind, _)| kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(" [0.5] "), ["value"]);
        assert_eq!(kinds(r#"{"roots":[{"uri":"file:///a"}]}"#), ["value", "roots"]);
        assert_eq!(kinds(r#"{"roots":[{"uri":"/a"}]}"#), ["value"], "no root");
        assert_eq!(kinds("["), [""; 0]);
        assert_eq!(kinds(&format!("[{}]", "0,".repeat(300) + "0")), [""; 0], "too long to stand twice");
    }

    #[test]
    fn the_refused_are_refused_for_what_they_say() {
        let rule = |name| {
            let worst = WORST.iter().find(|worst| worst.name == name).unwrap();
            mcp_roots::validate_response(&worst.document(2_000)).unwrap_err().rule()
        };
        assert_eq!((rule("duplicate-at-the-end"), rule("fault-at-depth")), ("J6", "J2"));
    }
}
