//! The law that holds a validator against the schemas.

use std::collections::BTreeSet;

use mcp_roots_proptests::reference::{self, Kind, Node};
use mcp_roots_proptests::{Case, Door, Target, Validator, Verdict};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::{Divergence, Seen, divergences};

/// The verdict, by the document's bytes and by its value, differs from what the protocol's schema says
/// in no way but the [known ones](Divergence), which are given back.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Target};
/// use mcp_roots_schemas::{Divergence, laws};
/// let case = Case::new(Target::Request, br#"{"id":1,"method":"roots/list"}"#);
/// let known = laws::differs_from_the_schema_only_as_known(&Core, &case);
/// assert_eq!(known, [Divergence::RequestMember].into());
/// ```
pub fn differs_from_the_schema_only_as_known(
    validator: &dyn Validator,
    case: &Case<'_>,
) -> BTreeSet<Divergence> {
    differences(validator, case, &Reading::of(case.doc))
}

/// The same of a document in the place of every target, as each revision judges it; the text is read
/// once.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_schemas::{Divergence, laws};
/// let known = laws::every_difference_is_known(&Core, b"{}");
/// assert_eq!(known, [Divergence::Undeclared].into());
/// ```
pub fn every_difference_is_known(validator: &dyn Validator, doc: &[u8]) -> BTreeSet<Divergence> {
    let reading = Reading::of(doc);
    let cases = Target::ALL.into_iter().flat_map(|target| Case::new(target, doc).in_every_revision());
    cases.flat_map(|case| differences(validator, &case, &reading)).collect()
}

fn differences(validator: &dyn Validator, case: &Case<'_>, reading: &Reading) -> BTreeSet<Divergence> {
    let asked = case.request.map(|request| Case::new(Target::Request, request));
    let asked = asked.filter(|_| matches!(case.target, Target::Capabilities | Target::InputResponses));
    let refused = asked.and_then(|asked| {
        differs_from_the_schema_only_as_known(validator, &asked);
        match validator.judge(&asked, Door::Bytes) {
            Some(Verdict::Reject(refusal)) => Some(refusal),
            _ => None,
        }
    });
    let mut known = BTreeSet::new();
    for door in [Door::Bytes, Door::Value] {
        let Some(seen) = reading.seen(door) else { continue };
        let Some(verdict) = validator.judge(case, door) else {
            if door == Door::Bytes {
                broken(case, door, "the validator does not take bytes");
            }
            continue;
        };
        match divergences(case, seen, &verdict, refused.as_ref()) {
            Ok(divergences) => known.extend(divergences),
            Err(what) => broken(case, door, &format!("{}: {what}", verdict.summary())),
        }
    }
    known
}

#[track_caller]
fn broken(case: &Case<'_>, door: Door, what: &str) -> ! {
    panic!("{what}, at the door {door:?}\n{case:?}")
}

/// A text as a reader of JSON takes it that was made for no rules.
enum Reading {
    NoText,
    BeyondLimits,
    Value { value: Value, has_equal_names: bool },
}

impl Reading {
    fn of(doc: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(doc) else { return Self::NoText };
        match serde_json::from_str(text) {
            Ok(value) => Self::Value { value, has_equal_names: has_equal_names(&reference::read(text).root) },
            // What is skipped is held against the grammar alone.
            Err(_) if serde_json::from_str::<IgnoredAny>(text).is_ok() => Self::BeyondLimits,
            Err(_) => Self::NoText,
        }
    }

    /// What comes in by a door; nothing does by that of values where there is none.
    fn seen(&self, door: Door) -> Option<Seen<'_>> {
        match self {
            Self::Value { has_equal_names: true, .. } if door != Door::Value => Some(Seen::EqualNames),
            Self::Value { value, .. } => Some(Seen::Value(value)),
            _ if door == Door::Value => None,
            Self::BeyondLimits => Some(Seen::BeyondLimits),
            Self::NoText => Some(Seen::Nothing),
        }
    }
}

fn has_equal_names(node: &Node) -> bool {
    match &node.kind {
        Kind::Array(items) => items.iter().any(has_equal_names),
        Kind::Object(members) => {
            let mut names = BTreeSet::new();
            members.iter().any(|member| {
                !names.insert(&member.name) || member.value.as_ref().is_some_and(has_equal_names)
            })
        }
        _ => false,
    }
}
