//! The schemas of the five revisions, and what they object to.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use mcp_roots::Revision;
use mcp_roots_proptests::Target;
use serde_json::{Value, json};

/// The schema of a revision, as far as it speaks of roots, in the draft of JSON Schema that the
/// revision uses.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(mcp_roots_schemas::text(Default::default()))?;
/// assert_eq!(schema["$defs"]["ListRootsResult"]["required"][0], "roots");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub const fn text(revision: Revision) -> &'static str {
    match revision {
        Revision::V2024_11_05 => include_str!("../2024-11-05.json"),
        Revision::V2025_03_26 => include_str!("../2025-03-26.json"),
        Revision::V2025_06_18 => include_str!("../2025-06-18.json"),
        Revision::V2025_11_25 => include_str!("../2025-11-25.json"),
        Revision::V2026_07_28 => include_str!("../2026-07-28.json"),
    }
}

/// The definitions that a document of a target must all satisfy.
///
/// ```
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::Target;
/// let wire = mcp_roots_schemas::definitions(Target::Request, Revision::V2024_11_05);
/// assert_eq!(wire, ["JSONRPCRequest", "ListRootsRequest"]);
/// ```
#[must_use]
pub const fn definitions(target: Target, revision: Revision) -> &'static [&'static str] {
    match (target, revision) {
        (Target::Response, _) => &["ListRootsResult"],
        (Target::Request, Revision::V2025_11_25 | Revision::V2026_07_28) => &["ListRootsRequest"],
        (Target::Request, _) => &["JSONRPCRequest", "ListRootsRequest"],
        (Target::Capabilities, _) => &["ClientCapabilities"],
        (Target::InputResponses, _) => &["InputResponses"],
        (Target::RequestMeta, _) => &["RequestMetaObject"],
    }
}

/// Something that a schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// JSON pointer to the value that is not allowed; to the object, where a member is missing.
    pub at: String,
    /// The name of the member that is missing, if that is what is wrong.
    pub missing: Option<String>,
}

/// Everything that the schema of a revision objects to in a document of a target, formats asserted.
///
/// # Panics
///
/// Where the revision does not have the target.
///
/// ```
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::Target;
/// use mcp_roots_schemas::objections;
/// let result = serde_json::json!({"roots": [{"uri": "/home/me"}]});
/// let objections = objections(Target::Response, Revision::default(), &result);
/// assert_eq!(objections[0].at, "/roots/0/uri");
/// ```
#[must_use]
pub fn objections(target: Target, revision: Revision, document: &Value) -> Vec<Objection> {
    let of_each = definitions(target, revision).iter().flat_map(|name| {
        let validator = VALIDATORS.get(&(revision, *name)).expect("a definition of the revision");
        validator.iter_errors(document)
    });
    of_each
        .map(|error| Objection {
            at: error.instance_path().as_str().to_owned(),
            missing: match error.kind() {
                ValidationErrorKind::Required { property } => property.as_str().map(str::to_owned),
                _ => None,
            },
        })
        .collect()
}

/// Whether a document of 2026-07-28 would be objected to at or below a place, if the schema had the
/// numbers and the `null` of the types that it is generated from.
pub(crate) fn typed_objects_below(target: Target, document: &Value, at: &str) -> bool {
    let errors = TYPED.get(definitions(target, Revision::V2026_07_28)[0]).expect("a definition");
    errors.iter_errors(document).any(|error| {
        let rest = error.instance_path().as_str().strip_prefix(at);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

static VALIDATORS: LazyLock<BTreeMap<(Revision, &str), Validator>> = LazyLock::new(|| {
    let questions = mcp_roots_proptests::strategy::questions().into_iter();
    let names = questions.flat_map(|(target, revision)| {
        definitions(target, revision).iter().map(move |name| (revision, *name))
    });
    names.map(|(revision, name)| ((revision, name), compiled(schema(revision), name))).collect()
});

static TYPED: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let mut schema = schema(Revision::V2026_07_28);
    let any_scalar = json!(["string", "number", "boolean", "null"]);
    replace(&mut schema, "/$defs/JSONValue/anyOf/2/type", any_scalar);
    replace(&mut schema, "/$defs/FormValue/anyOf/1/type", json!(["string", "number", "boolean"]));
    let names = ["ClientCapabilities", "InputResponses", "RequestMetaObject"];
    names.into_iter().map(|name| (name, compiled(schema.clone(), name))).collect()
});

fn schema(revision: Revision) -> Value {
    serde_json::from_str(text(revision)).expect("JSON")
}

fn replace(schema: &mut Value, pointer: &str, value: Value) {
    *schema.pointer_mut(pointer).expect("the place is there") = value;
}

/// The schema of one definition.
fn compiled(mut schema: Value, name: &str) -> Validator {
    let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    schema["allOf"] = json!([{"$ref": format!("#/{definitions}/{name}")}]);
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a sound schema")
}
