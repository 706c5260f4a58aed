//! The ways of reading a `ListRootsResult`.

use std::fmt;
use std::hint::black_box;
use std::sync::LazyLock;

use fluent_uri::Uri;
use jsonschema::Validator;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::DataSet;

/// A way of reading a `ListRootsResult`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contender {
    /// `mcp_roots::validate_response` on text: the verdict and the list of roots.
    Core,
    /// `mcp_roots::validate_response` on a `Value` that was parsed beforehand.
    CoreValue,
    /// `serde_json` reading the text and keeping nothing: what the others are measured by.
    Floor,
    /// `serde_json` to a `Value`, and then by hand, with `fluent-uri`, to a list of roots.
    ValueCheck,
    /// `serde_json` to a `Value`, and then the `jsonschema` crate with a schema compiled beforehand.
    JsonSchema,
    /// The same schema on a `Value` that was parsed beforehand.
    JsonSchemaValue,
    /// `serde_json` to the `ListRootsResult` of the official SDK.
    Rmcp,
}

impl Contender {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Core,
        Self::CoreValue,
        Self::Floor,
        Self::ValueCheck,
        Self::JsonSchema,
        Self::JsonSchemaValue,
        Self::Rmcp,
    ];

    /// The name in tables and JSON keys.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::CoreValue => "core_value",
            Self::Floor => "floor",
            Self::ValueCheck => "value_check",
            Self::JsonSchema => "jsonschema",
            Self::JsonSchemaValue => "jsonschema_value",
            Self::Rmcp => "rmcp",
        }
    }

    /// Reads the document, and drops what was made of it. Whether it was accepted.
    ///
    /// This is what is timed.
    #[inline]
    #[must_use]
    pub fn accepts(self, set: &DataSet) -> bool {
        let text = set.text.as_str();
        match self {
            Self::Core => black_box(mcp_roots::validate_response(text)).is_ok(),
            Self::CoreValue => black_box(mcp_roots::validate_response(&set.value)).is_ok(),
            Self::Floor => black_box(serde_json::from_str::<IgnoredAny>(text)).is_ok(),
            Self::ValueCheck => black_box(value_check(text)).is_some(),
            Self::JsonSchema => {
                black_box(serde_json::from_str::<Value>(text)).is_ok_and(|value| SCHEMA.is_valid(&value))
            }
            Self::JsonSchemaValue => black_box(SCHEMA.is_valid(&set.value)),
            Self::Rmcp => black_box(rmcp_result(text)).is_ok(),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[expect(dead_code, reason = "held for a caller that a benchmark does not have")]
struct OwnRoot {
    uri: String,
    name: Option<String>,
}

/// What a careful author would write: strict on R1 to R4, U1 and U2, and moving the strings out of
/// the `Value` instead of copying them. It cannot see a member that was there twice (J6).
fn value_check(text: &str) -> Option<Vec<OwnRoot>> {
    let Value::Object(mut result) = serde_json::from_str(text).ok()? else {
        return None;
    };
    let Some(Value::Array(roots)) = result.remove("roots") else {
        return None;
    };
    roots.into_iter().map(check_root).collect()
}

fn check_root(root: Value) -> Option<OwnRoot> {
    let Value::Object(mut root) = root else {
        return None;
    };
    let Some(Value::String(uri)) = root.remove("uri") else {
        return None;
    };
    if !uri.starts_with("file://") || Uri::parse(uri.as_str()).is_err() {
        return None;
    }
    let name = match root.remove("name") {
        None => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return None,
    };
    matches!(root.get("_meta"), None | Some(Value::Object(_))).then_some(OwnRoot { uri, name })
}

/// Rules R1 to R6, U1 and U2 in JSON Schema.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["roots"],
        "properties": {
            "roots": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {
                        "uri": {"type": "string", "format": "uri", "pattern": "^file://"},
                        "name": {"type": "string"},
                        "_meta": {"type": "object"},
                    },
                },
            },
        },
    });
    jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is sound")
});

#[expect(deprecated, reason = "as are roots themselves (SEP-2577)")]
fn rmcp_result(text: &str) -> serde_json::Result<rmcp::model::ListRootsResult> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_seven_contenders_with_names_of_their_own() {
        let mut names = Contender::ALL.map(Contender::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 7);
    }

    /// The data sets hold one kind of fault only; a contender that missed the others would be
    /// cheaper than what it stands for.
    #[test]
    fn the_check_by_hand_and_the_schema_hold_every_rule_of_the_result() {
        let refused = [
            "null",
            "[]",
            "{}",
            r#"{"roots":null}"#,
            r#"{"roots":[null]}"#,
            r#"{"roots":[["file:///a"]]}"#,
            r#"{"roots":[{}]}"#,
            r#"{"roots":[{"uri":7}]}"#,
            r#"{"roots":[{"uri":"file:///a","name":null}]}"#,
            r#"{"roots":[{"uri":"file:///a","_meta":null}]}"#,
            r#"{"roots":[{"uri":"https://a/"}]}"#,
            r#"{"roots":[{"uri":"FILE:///a"}]}"#,
            r#"{"roots":[{"uri":" file:///a"}]}"#,
            r#"{"roots":[{"uri":"file:///a b"}]}"#,
            r#"{"roots":[{"uri":"file:///%zz"}]}"#,
            r#"{"roots":[{"uri":"file:///é"}]}"#,
            r#"{"roots":[{"uri":"file:///a"},{"uri":"file:///a|b"}]}"#,
        ];
        let accepted = [
            r#"{"roots":[]}"#,
            r#"{"roots":[],"_meta":null,"nextCursor":7}"#,
            r#"{"roots":[{"uri":"file:///a","name":"","_meta":{},"other":null}]}"#,
        ];
        let documents =
            refused.map(|text| (text, false)).into_iter().chain(accepted.map(|text| (text, true)));
        let mut count = 0;
        for (text, valid) in documents {
            assert_eq!(mcp_roots::validate_response(text).is_ok(), valid, "core: {text}");
            assert_eq!(value_check(text).is_some(), valid, "value_check: {text}");
            assert_eq!(SCHEMA.is_valid(&serde_json::from_str(text).unwrap()), valid, "jsonschema: {text}");
            count += 1;
        }
        assert_eq!(count, 20);
    }

    /// The price of the core buys what the README says it buys.
    #[test]
    fn what_the_others_do_not_see() {
        let answers = |text: &str| {
            let floor = serde_json::from_str::<IgnoredAny>(text).is_ok();
            let schema = serde_json::from_str(text).is_ok_and(|value| SCHEMA.is_valid(&value));
            let core = mcp_roots::validate_response(text).map_err(|error| error.rule().to_owned());
            (core.err(), [floor, value_check(text).is_some(), schema, rmcp_result(text).is_ok()])
        };
        let twice = r#"{"roots":[],"other":{"a":1,"a":2}}"#;
        assert_eq!(answers(twice), (Some("J6".to_owned()), [true; 4]));
        for unreadable in [
            r#"{"roots":[],"other":"\ud800"}"#.to_owned(),
            r#"{"roots":[],"other":1e999}"#.to_owned(),
            format!(r#"{{"roots":[],"other":{}{}}}"#, "[".repeat(127), "]".repeat(127)),
        ] {
            let expected = (Some("J2".to_owned()), [true, false, false, true]);
            assert_eq!(answers(&unreadable), expected, "{unreadable}");
        }
        for laxer in
            [r#"{"roots":[["file:///a",null,null]]}"#, r#"{"roots":[{"uri":"file:///a","name":null}]}"#]
        {
            assert!(rmcp_result(laxer).is_ok(), "{laxer}");
        }
    }
}
