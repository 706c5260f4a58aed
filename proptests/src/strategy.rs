//! The model's front end for property tests: strategies that shrink to readable documents.

use mcp_roots::Revision;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;

use crate::json::unique;
use crate::model::{
    Any, Authority, Capabilities, Chars, FileUri, Identifier, InputResponses, ListRootsResult, Members,
    Model, PLAIN, PlainRoots, Request, RequestMeta, Root,
};
use crate::undirected::{Mutation, mutated};
use crate::{FLAWS, Flaw, Json, Sample, Style, Target, WORDS};

/// A revision, mostly the newest ones.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(|(revision in mcp_roots_proptests::strategy::revision())| {
///     prop_assert!(mcp_roots::Revision::ALL.contains(&revision));
/// });
/// ```
pub fn revision() -> impl Strategy<Value = Revision> {
    select(Revision::ALL.into_iter().rev().collect::<Vec<_>>())
}

/// A style; shrinks to the plain one.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::{Json, strategy};
/// proptest!(|(style in strategy::style())| {
///     prop_assert!(serde_json::from_slice::<Vec<()>>(&Json::Array(vec![]).write(style)).is_ok());
/// });
/// ```
pub fn style() -> impl Strategy<Value = Style> {
    (any::<bool>(), any::<bool>(), any::<u64>()).prop_map(|(space, escapes, seed)| Style {
        space,
        escapes,
        seed,
    })
}

/// Any text: mostly short, of all characters, and now and then long or a word of the protocol.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z0-9 ]{0,12}",
        2 => vec(any::<char>(), 0..8).prop_map(String::from_iter),
        1 => select(&["", "\"", "\\", "/", "\0", "\u{1f}", "\u{7f}", "\u{2028}", "😀", "null", "é", "e\u{301}"][..]).prop_map(str::to_owned),
        1 => (any::<char>(), 0..400_usize).prop_map(|(character, count)| String::from(character).repeat(count)),
        1 => word(),
    ]
}

fn word() -> impl Strategy<Value = String> {
    select(WORDS).prop_map(str::to_owned)
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i16>().prop_map(|number| number.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("a JSON number", |number| number.is_finite())
            .prop_map(|number| format!("{number:e}")),
        select(
            &["-0", "0.0", "1E+2", "1e-400", "-1.5e-7", "12345678901234567890123", "1.7976931348623157e308"]
                [..]
        )
        .prop_map(str::to_owned),
    ]
}

/// Any JSON of a few levels, without equal names in an object.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(|(json in mcp_roots_proptests::strategy::json())| {
///     prop_assert!(serde_json::from_str::<serde_json::Value>(&json.text()).is_ok());
/// });
/// ```
pub fn json() -> impl Strategy<Value = Json> {
    thread_local! {
        static MADE: BoxedStrategy<Json> = any_json().boxed();
    }
    MADE.with(Clone::clone)
}

fn any_json() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        number().prop_map(Json::Number),
        text().prop_map(Json::String),
    ];
    scalar.prop_recursive(4, 24, 4, |json| {
        prop_oneof![
            vec(json.clone(), 0..4).prop_map(Json::Array),
            vec((text(), json), 0..4).prop_map(|members| Json::Object(unique(members))),
        ]
    })
}

fn anything() -> impl Strategy<Value = Any> {
    json().prop_map(Any)
}

fn members() -> impl Strategy<Value = Members> {
    prop_oneof![
        3 => Just(Members::default()),
        2 => vec((text(), json()), 0..4).prop_map(|members| Members(unique(members))),
    ]
}

fn chars() -> impl Strategy<Value = Chars> {
    let plain = select(PLAIN).prop_map(|byte| char::from(byte).to_string());
    let encoded = (any::<u8>(), any::<bool>())
        .prop_map(|(byte, upper)| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") });
    let part = prop_oneof![8 => plain, 1 => encoded, 1 => select(&[":", "@"][..]).prop_map(str::to_owned)];
    prop_oneof![
        4 => "[a-z]{1,8}".prop_map(Chars),
        1 => select(&["", ".", "..", "%2e%2e", "%2F", "C:", "c%3A", "%00"][..]).prop_map(|text| Chars(text.to_owned())),
        3 => vec(part, 0..10).prop_map(|parts| Chars(parts.concat())),
    ]
}

/// A valid `file://` URI, with all that RFC 3986 allows it.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(|(uri in mcp_roots_proptests::strategy::file_uri())| {
///     prop_assert!(uri.text().starts_with("file://"));
/// });
/// ```
pub fn file_uri() -> impl Strategy<Value = FileUri> {
    let authority = prop_oneof![
        6 => Just(Authority::Empty),
        2 => (of(chars()), chars(), of(any::<u32>())).prop_map(|(user, host, port)| Authority::Name(user, host, port)),
        1 => any::<u8>().prop_map(Authority::Literal),
    ];
    (authority, vec(chars(), 0..6), weighted(0.1, chars()), weighted(0.1, chars()))
        .prop_map(|(authority, segments, query, fragment)| FileUri { authority, segments, query, fragment })
}

fn root() -> impl Strategy<Value = Root> {
    (file_uri(), of(text()), weighted(0.3, anything()), members())
        .prop_map(|(uri, name, meta, others)| Root { uri, name, meta, others })
}

fn result() -> impl Strategy<Value = ListRootsResult> {
    let twice = weighted(0.1, Just(()));
    let plain = prop_oneof![39 => Just(0), 1 => 1..=PlainRoots::MOST].prop_map(PlainRoots);
    let meta = weighted(0.2, anything());
    (plain, vec(root(), 0..5), twice, meta, weighted(0.2, any::<u8>()), members()).prop_map(
        |(plain, roots, twice, meta, resembles, others)| ListRootsResult {
            plain,
            roots,
            is_last_twice: twice.is_some(),
            meta,
            resembles,
            others,
        },
    )
}

fn identifier() -> impl Strategy<Value = Identifier> {
    prop_oneof![
        any::<i64>().prop_map(Identifier::Integer),
        text().prop_map(Identifier::String),
        any::<i64>().prop_map(Identifier::WithPoint),
        any::<u8>().prop_map(Identifier::Odd),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    let token = (identifier(), anything());
    (identifier(), any::<bool>(), of(members()), of(token), (members(), members())).prop_map(
        |(id, has_params, meta, progress_token, others)| Request {
            id,
            has_params,
            meta,
            progress_token,
            others,
        },
    )
}

/// A valid document of a target.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::{Target, strategy};
/// proptest!(|(model in strategy::valid(Target::Response))| {
///     prop_assert!(mcp_roots::validate_response(&model.json(Default::default()).text()).is_ok());
/// });
/// ```
pub fn valid(target: Target) -> BoxedStrategy<Model> {
    thread_local! {
        // Made once: its regular expressions take longer to read than a document to draw.
        static MADE: [BoxedStrategy<Model>; 5] = Target::ALL.map(model);
    }
    MADE.with(|made| made[target as usize].clone())
}

fn model(target: Target) -> BoxedStrategy<Model> {
    match target {
        Target::Response => result().prop_map(Model::Response).boxed(),
        Target::Request => request().prop_map(Model::Request).boxed(),
        Target::Capabilities => (of((any::<bool>(), anything())), members(), members())
            .prop_map(|(list_changed, roots, others)| {
                Model::Capabilities(Capabilities { list_changed, roots, others })
            })
            .boxed(),
        Target::InputResponses => {
            let decoy = weighted(0.5, (any::<u8>(), result()));
            (weighted(0.6, result()), decoy, any::<bool>(), members())
                .prop_map(|(answer, decoy, is_asked_badly, others)| {
                    Model::InputResponses(InputResponses { answer, decoy, is_asked_badly, others })
                })
                .boxed()
        }
        Target::RequestMeta => (members(), members())
            .prop_map(|(capabilities, others)| Model::RequestMeta(RequestMeta { capabilities, others }))
            .boxed(),
    }
}

/// A valid document, written.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::{Core, Target, laws, strategy};
/// proptest!(|(sample in strategy::valid_sample(Target::Request, Revision::default()))| {
///     laws::gets_what_is_known(&Core, &sample);
/// });
/// ```
pub fn valid_sample(target: Target, revision: Revision) -> impl Strategy<Value = Sample> {
    valid_of(valid(target), revision)
}

/// One of these models, written.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::model::{ListRootsResult, Model};
/// use mcp_roots_proptests::{Expected, strategy};
/// let model = Just(Model::Response(ListRootsResult::default()));
/// proptest!(|(sample in strategy::valid_of(model, Revision::default()))| {
///     prop_assert_eq!(sample.expected, Some(Expected::Accept));
/// });
/// ```
pub fn valid_of(models: impl Strategy<Value = Model>, revision: Revision) -> impl Strategy<Value = Sample> {
    (models, weighted(0.03, Just(())), style()).prop_map(move |(mut model, deep, style)| {
        if deep.is_some() {
            model.deepen();
        }
        Sample::valid(&model, revision, style)
    })
}

/// A document with one flaw, any that the target can have in the revision.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::{Core, Target, laws, strategy};
/// proptest!(|(sample in strategy::flawed(Target::Response, Revision::default()))| {
///     laws::gets_what_is_known(&Core, &sample);
/// });
/// ```
pub fn flawed(target: Target, revision: Revision) -> impl Strategy<Value = Sample> {
    let flaws: Vec<&Flaw> = FLAWS.iter().filter(|flaw| flaw.applies(target, revision)).collect();
    let written = (valid(target), style(), any::<u64>());
    (select(flaws), written)
        .prop_map(move |(flaw, (model, style, dice))| flaw.put(&model, revision, style, dice))
}

/// A document with this flaw.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::{FLAWS, Target, strategy};
/// let flaw = FLAWS.iter().find(|flaw| flaw.name == "name null").unwrap();
/// proptest!(|(sample in strategy::with_flaw(flaw, Target::Response, Revision::default()))| {
///     prop_assert!(sample.expected.unwrap().to_string().starts_with("reject R3 /roots/"));
/// });
/// ```
pub fn with_flaw(flaw: &'static Flaw, target: Target, revision: Revision) -> impl Strategy<Value = Sample> {
    with_flaw_of(valid(target), flaw, revision)
}

/// One of these models with this flaw, written.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::model::{ListRootsResult, Model};
/// use mcp_roots_proptests::{FLAWS, strategy};
/// let flaw = FLAWS.iter().find(|flaw| flaw.name == "name null").unwrap();
/// let model = Just(Model::Response(ListRootsResult::default()));
/// proptest!(|(sample in strategy::with_flaw_of(model, flaw, Revision::default()))| {
///     prop_assert!(sample.expected.unwrap().to_string().starts_with("reject R3"));
/// });
/// ```
pub fn with_flaw_of(
    models: impl Strategy<Value = Model>,
    flaw: &'static Flaw,
    revision: Revision,
) -> impl Strategy<Value = Sample> {
    (models, style(), any::<u64>())
        .prop_map(move |(model, style, dice)| flaw.put(&model, revision, style, dice))
}

/// Any JSON near the shape of a target, or not so near, and some that is no JSON.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::{Core, Target, laws, strategy};
/// proptest!(|(doc in strategy::undirected(Target::Request))| {
///     laws::judged_right(&Core, Target::Request, &doc);
/// });
/// ```
pub fn undirected(target: Target) -> impl Strategy<Value = Vec<u8>> {
    undirected_of(valid(target))
}

/// Any JSON near one of these models, or not so near, and some that is no JSON.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::model::{ListRootsResult, Model};
/// use mcp_roots_proptests::{Core, Target, laws, strategy};
/// let model = Just(Model::Response(ListRootsResult::default()));
/// proptest!(|(doc in strategy::undirected_of(model))| {
///     laws::judged_right(&Core, Target::Response, &doc);
/// });
/// ```
pub fn undirected_of(models: impl Strategy<Value = Model>) -> impl Strategy<Value = Vec<u8>> {
    let near = (models, revision(), mutations(), style()).prop_map(|(model, revision, mutations, style)| {
        mutated(model.json(revision), &mutations).write(style)
    });
    let broken = (near, vec((any::<u32>(), any::<u8>()), 0..3));
    broken.prop_map(|(mut doc, bytes)| {
        for (place, byte) in bytes {
            if let Some(index) = (place as usize).checked_rem(doc.len()) {
                doc[index] = byte;
            }
        }
        doc
    })
}

pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let mutation = (any::<u32>(), any::<u8>(), word(), json())
        .prop_map(|(place, kind, word, json)| Mutation { place, kind, word, json });
    vec(mutation, 0..5)
}

/// An undirected document as a sample, of which nothing is known beforehand.
fn undirected_sample(target: Target, revision: Revision) -> impl Strategy<Value = Sample> {
    undirected_sample_of(valid(target), target, revision)
}

/// [`undirected_of`] as a sample.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::model::{ListRootsResult, Model};
/// use mcp_roots_proptests::{Target, strategy};
/// let model = Just(Model::Response(ListRootsResult::default()));
/// let samples = strategy::undirected_sample_of(model, Target::Response, Revision::default());
/// proptest!(|(sample in samples)| {
///     prop_assert_eq!(sample.expected, None);
/// });
/// ```
pub fn undirected_sample_of(
    models: impl Strategy<Value = Model>,
    target: Target,
    revision: Revision,
) -> impl Strategy<Value = Sample> {
    undirected_of(models).prop_map(move |doc| Sample {
        target,
        revision,
        doc,
        request: None,
        flaw: None,
        expected: None,
    })
}

/// Every target in every revision that has it.
///
/// ```
/// assert_eq!(mcp_roots_proptests::strategy::questions().len(), 3 * 5 + 2);
/// ```
#[must_use]
pub fn questions() -> Vec<(Target, Revision)> {
    let revisions_of = |target: Target| {
        let revisions = Revision::ALL.into_iter().filter(move |revision| target.exists_in(*revision));
        revisions.map(move |revision| (target, revision))
    };
    Target::ALL.into_iter().flat_map(revisions_of).collect()
}

/// A document of any target and revision, of this kind. All flaws come equally often.
///
/// ```
/// use proptest::prelude::*;
/// use mcp_roots_proptests::strategy::{Of, sample};
/// proptest!(|(sample in sample(Of::Flawed))| {
///     prop_assert!(sample.flaw.is_some());
/// });
/// ```
pub fn sample(kind: Of) -> impl Strategy<Value = Sample> {
    match kind {
        Of::Valid => {
            select(questions()).prop_flat_map(|(target, revision)| valid_sample(target, revision)).boxed()
        }
        Of::Undirected => select(questions())
            .prop_flat_map(|(target, revision)| undirected_sample(target, revision))
            .boxed(),
        Of::Flawed => select(FLAWS.iter().collect::<Vec<_>>())
            .prop_flat_map(|flaw| {
                let applies = |(target, revision): &(Target, Revision)| flaw.applies(*target, *revision);
                (Just(flaw), select(questions().into_iter().filter(applies).collect::<Vec<_>>()))
            })
            .prop_flat_map(|(flaw, (target, revision))| with_flaw(flaw, target, revision))
            .boxed(),
    }
}

/// A document of this kind, of a target in any revision that has it.
pub(crate) fn sample_of(kind: Of, target: Target) -> impl Strategy<Value = Sample> {
    let revisions: Vec<Revision> =
        Revision::ALL.into_iter().filter(|revision| target.exists_in(*revision)).collect();
    select(revisions).prop_flat_map(move |revision| match kind {
        Of::Valid => valid_sample(target, revision).boxed(),
        Of::Flawed => flawed(target, revision).boxed(),
        Of::Undirected => undirected_sample(target, revision).boxed(),
    })
}

/// The kinds of documents that are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Valid ones.
    Valid,
    /// Ones with a single flaw.
    Flawed,
    /// Ones near the shape of a target, of which nothing is known beforehand.
    Undirected,
}

impl Of {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Valid, Self::Flawed, Self::Undirected];
}
