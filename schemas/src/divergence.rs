//! Where the rules and the protocol's schema differ.

use std::collections::BTreeSet;

use mcp_roots_proptests::{Case, Refusal, Target, Verdict};
use serde_json::Value;

use crate::schema::{Objection, objections, typed_objects_below};

/// A difference between the rule book and the protocol's schema, with the clause that allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Divergence {
    /// J3: no schema limits depth and numbers or knows of lone surrogates. The text is one by the
    /// grammar of RFC 8259, and is refused.
    Limits,
    /// J6: an instance of a schema has no equal names; what their reader made of them is judged.
    EqualNames,
    /// U1: `file://` is asked for in prose alone. The schema takes the string for a URI.
    Scheme,
    /// Q3: a bare request is closed. The schema is open, to `id` and `jsonrpc` too.
    RequestMember,
    /// Q4: so are its `params`, but for `_meta`.
    ParamsMember,
    /// C1: roots must be declared. To the schema every capability is optional.
    Undeclared,
    /// C1 and A4: the request that the document belongs to is refused. The schema sees the document
    /// alone.
    Request,
    /// C2: other capabilities play no part. The schema types them.
    OtherCapability,
    /// C5: one member of a request's `_meta` is asked for, and it is an object. The schema asks for the
    /// protocol's version too, and types all members and the content of that one.
    OtherMeta,
    /// A3: other answers play no part. The schema types them.
    OtherAnswer,
    /// A5: the answer must be what was asked for. The schema takes the answer to another question.
    OtherQuestion,
    /// C2, C5, A3: what plays no part holds `null` or a fraction. The schema's `JSONValue` has neither,
    /// though the type of that name that it is generated from has both; its form values have no
    /// fraction, though their type has.
    JsonValue,
}

impl Divergence {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Limits,
        Self::EqualNames,
        Self::Scheme,
        Self::RequestMember,
        Self::ParamsMember,
        Self::Undeclared,
        Self::Request,
        Self::OtherCapability,
        Self::OtherMeta,
        Self::OtherAnswer,
        Self::OtherQuestion,
        Self::JsonValue,
    ];
}

/// What there is of a document for a schema to judge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen<'v> {
    /// Nothing: it is no text by the grammar of RFC 8259 (J1, J2).
    Nothing,
    /// Nothing, for it goes beyond what its reader can represent (J3).
    BeyondLimits,
    /// Something else than stands there: it has equal names (J6).
    EqualNames,
    /// A value.
    Value(&'v Value),
}

/// The differences between a verdict and what the schema says of the document: none where the two
/// agree. They agree where a document is accepted to which the schema has no objection, and where one
/// is refused at a place that it objects to.
///
/// `refused` is the validator's refusal of the case's request, if it is refused.
///
/// # Errors
///
/// A difference that no [`Divergence`] allows, in words.
///
/// ```
/// use mcp_roots_proptests::{Case, Core, Door, Target, Validator};
/// use mcp_roots_schemas::{Divergence, Seen, divergences};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"https://example.com/"}]}"#);
/// let value = serde_json::from_slice(case.doc)?;
/// let verdict = Core.judge(&case, Door::Value).unwrap();
/// let known = divergences(&case, Seen::Value(&value), &verdict, None);
/// assert_eq!(known, Ok([Divergence::Scheme].into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn divergences(
    case: &Case<'_>,
    seen: Seen<'_>,
    verdict: &Verdict,
    refused: Option<&Refusal>,
) -> Result<BTreeSet<Divergence>, String> {
    let refusal = if let Verdict::Reject(refusal) = verdict { Some(refusal) } else { None };
    // Of two documents the request is judged first, and the refusal is of it.
    if let (Target::Capabilities, Some(refused)) = (case.target, refused) {
        let is_of_the_request = refusal == Some(refused);
        return known(is_of_the_request, Divergence::Request, "the request is refused, and not this");
    }
    let value = match seen {
        Seen::Value(value) => value,
        Seen::Nothing => {
            let why = "what is no JSON text is not refused";
            return refusal.map(|_| BTreeSet::new()).ok_or_else(|| why.to_owned());
        }
        Seen::BeyondLimits => {
            return known(refusal.is_some(), Divergence::Limits, "what has no value is not refused");
        }
        Seen::EqualNames => {
            return known(refusal.is_some(), Divergence::EqualNames, "equal names are not refused");
        }
    };
    let judged = Judged { case, value, refused };
    match refusal {
        Some(refusal) => judged.refusal(refusal),
        None => judged.acceptance(*verdict == Verdict::Missing),
    }
}

fn known(is_known: bool, divergence: Divergence, otherwise: &str) -> Result<BTreeSet<Divergence>, String> {
    if is_known { Ok(BTreeSet::from([divergence])) } else { Err(otherwise.to_owned()) }
}

/// A document whose value the schema can judge.
struct Judged<'c> {
    case: &'c Case<'c>,
    value: &'c Value,
    refused: Option<&'c Refusal>,
}

const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

impl Judged<'_> {
    /// The schema may object to nothing but what plays no part.
    fn acceptance(&self, is_missing: bool) -> Result<BTreeSet<Divergence>, String> {
        if self.case.target == Target::InputResponses && is_missing == self.answer().is_some() {
            return Err("what is missing is there, or the other way round".to_owned());
        }
        if let Some(Stricter { rule, at, .. }) = self.stricter().first() {
            return Err(format!("accepted, against {rule} at {at:?}"));
        }
        let objections = self.objections();
        let explained = objections.iter().map(|objection| {
            let divergence = self.plays_no_part(objection)?;
            let is_typed = !self.case.revision.is_initialize_era()
                && !typed_objects_below(self.case.target, self.value, &self.bystander(objection));
            Some(if is_typed { Divergence::JsonValue } else { divergence })
        });
        let explained: Option<BTreeSet<Divergence>> = explained.collect();
        explained.ok_or_else(|| format!("accepted, though the schema objects: {objections:?}"))
    }

    /// The schema objects at the same place, or a rule is stricter there.
    fn refusal(&self, refusal: &Refusal) -> Result<BTreeSet<Divergence>, String> {
        if refusal.rule.starts_with('J') {
            return Err("refused as a text, which it is, and without equal names".to_owned());
        }
        let objections = self.objections();
        let objection = objections.iter().find(|it| it.at == refusal.at && self.plays_no_part(it).is_none());
        if objection.is_some() {
            let is_another = self.is_the_answer_to_another_question();
            return Ok(is_another.then_some(Divergence::OtherQuestion).into_iter().collect());
        }
        let stricter =
            self.stricter().into_iter().find(|it| (it.rule, &it.at) == (&refusal.rule, &refusal.at));
        let divergence = stricter.map(|it| BTreeSet::from([it.divergence]));
        divergence.ok_or_else(|| format!("refused where the schema does not object, but to {objections:?}"))
    }

    /// What the schema objects to. Of an answer that was looked for, what it objects to in a
    /// `ListRootsResult`.
    fn objections(&self) -> Vec<Objection> {
        let mut objections = objections(self.case.target, self.case.revision, self.value);
        if let Some(answer) = self.answer() {
            let id = self.named();
            objections.retain(|objection| objection.at != id);
            let of_answer = crate::objections(Target::Response, self.case.revision, answer).into_iter();
            objections.extend(of_answer.map(|it| Objection { at: format!("{id}{}", it.at), ..it }));
        }
        objections
    }

    /// The answer under the id.
    fn answer(&self) -> Option<&Value> {
        if self.case.target == Target::InputResponses { self.value.get(self.case.id) } else { None }
    }

    /// The place of the answer.
    fn named(&self) -> String {
        format!("/{}", self.case.id.replace('~', "~0").replace('/', "~1"))
    }

    /// Why an objection of the schema is none of the rules.
    fn plays_no_part(&self, Objection { at, missing }: &Objection) -> Option<Divergence> {
        let is_below = |member: &str| {
            at.strip_prefix(member).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match self.case.target {
            Target::Capabilities if !at.is_empty() && !is_below("/roots") => {
                Some(Divergence::OtherCapability)
            }
            Target::InputResponses if !at.is_empty() && !is_below(&self.named()) => {
                Some(Divergence::OtherAnswer)
            }
            Target::RequestMeta if at.is_empty() => {
                missing.as_ref().filter(|name| *name != CLIENT_CAPABILITIES).map(|_| Divergence::OtherMeta)
            }
            Target::RequestMeta if *at != format!("/{}", CLIENT_CAPABILITIES.replace('/', "~1")) => {
                Some(Divergence::OtherMeta)
            }
            _ => None,
        }
    }

    /// The place of the member of the document that an objection lies in.
    fn bystander(&self, objection: &Objection) -> String {
        let members = objection.at.split('/').skip(1);
        // The capabilities of a request's `_meta` hold the members that are meant one level deeper.
        let depth = if self.case.target == Target::RequestMeta { 2 } else { 1 };
        members.take(depth).fold(String::new(), |at, member| format!("{at}/{member}"))
    }

    /// Every breach of a rule that the schema does not have.
    fn stricter(&self) -> Vec<Stricter> {
        let mut breaches = Vec::new();
        let mut check = |is_broken: bool, divergence, rule, at: &str| {
            if is_broken {
                breaches.push(Stricter { divergence, rule, at: at.to_owned() });
            }
        };
        match self.case.target {
            Target::Request if !self.case.revision.is_initialize_era() => {
                check(has_others(self.value, &["method", "params"]), Divergence::RequestMember, "Q3", "");
                let params = self.value.get("params").unwrap_or(&Value::Null);
                check(has_others(params, &["_meta"]), Divergence::ParamsMember, "Q4", "/params");
            }
            Target::Capabilities => {
                let is_undeclared = self.value.is_object() && self.value.get("roots").is_none();
                check(is_undeclared, Divergence::Undeclared, "C1", "");
            }
            Target::InputResponses => {
                check(self.answer().is_some() && self.refused.is_some(), Divergence::Request, "A4", "");
            }
            Target::Request | Target::Response | Target::RequestMeta => {}
        }
        let (result, result_at) = match self.case.target {
            Target::Response => (Some(self.value), String::new()),
            _ => (self.answer(), self.named()),
        };
        let roots = result.and_then(|result| result.get("roots")?.as_array());
        for (index, root) in roots.into_iter().flatten().enumerate() {
            let is_another = |uri: &str| !uri.starts_with("file://");
            let is_broken = root.get("uri").and_then(Value::as_str).is_some_and(is_another);
            check(is_broken, Divergence::Scheme, "U1", &format!("{result_at}/roots/{index}/uri"));
        }
        breaches
    }

    fn is_the_answer_to_another_question(&self) -> bool {
        let Some(answer) = self.answer() else { return false };
        let alone = Value::Object([(String::new(), answer.clone())].into_iter().collect());
        objections(Target::InputResponses, self.case.revision, &alone).is_empty()
    }
}

/// A breach of a rule that the schema does not have, and where it is.
struct Stricter {
    divergence: Divergence,
    rule: &'static str,
    at: String,
}

/// Whether this is an object with members of other names.
fn has_others(value: &Value, names: &[&str]) -> bool {
    value.as_object().is_some_and(|object| object.keys().any(|name| !names.contains(&name.as_str())))
}
