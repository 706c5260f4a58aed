//! Documents with no plan: valid ones after a few changes at random.

use arbitrary::Arbitrary;

use crate::{Json, WORDS};

/// A change at a place of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mutation {
    /// Which value, counted in reading order and round again.
    pub(crate) place: u32,
    /// What is done there.
    pub(crate) kind: u8,
    /// A name to use.
    pub(crate) word: String,
    /// A value to use.
    pub(crate) json: Json,
}

impl Arbitrary<'_> for Mutation {
    fn arbitrary(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Self {
            place: u.arbitrary()?,
            kind: u.arbitrary()?,
            word: (*u.choose(WORDS)?).to_owned(),
            json: u.arbitrary()?,
        })
    }
}

/// The document after the changes, one after the other.
pub(crate) fn mutated(mut json: Json, mutations: &[Mutation]) -> Json {
    for Mutation { place, kind, word, json: value } in mutations {
        let mut count = 0_u32;
        json.visit_mut(&mut |_| count += 1);
        let chosen = place.checked_rem(count).unwrap_or_default();
        let mut index = 0;
        json.visit_mut(&mut |node| {
            if index == chosen {
                change(node, *kind, word, value);
            }
            index += 1;
        });
    }
    json
}

fn change(node: &mut Json, kind: u8, word: &str, value: &Json) {
    match (kind % 8, &mut *node) {
        (0, Json::Object(members)) => drop(members.pop()),
        (1, Json::Object(members)) => members.insert(0, (word.to_owned(), value.clone())),
        (2, Json::Object(members)) if !members.is_empty() => word.clone_into(&mut members[0].0),
        (3, Json::Object(members)) if !members.is_empty() => members.push(members[0].clone()),
        (0, Json::Array(items)) => drop(items.pop()),
        (1, Json::Array(items)) => items.push(value.clone()),
        (4, Json::String(text)) => text.push_str(word),
        (5, Json::String(text)) => word.clone_into(text),
        (6, _) => *node = Json::Array(vec![std::mem::replace(node, Json::Null)]),
        _ => *node = value.clone(),
    }
}
