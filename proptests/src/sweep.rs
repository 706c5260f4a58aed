//! Every small change of a document, without chance.

use crate::{Case, Json, Style, Target, laws};

/// The document with each byte value in place of each byte, and then at each place between them:
/// `256 * (2 * len + 1)` documents.
///
/// ```
/// use mcp_roots_proptests::sweep;
/// assert_eq!(sweep::bytes(b"{}").count(), 256 * 5);
/// assert!(sweep::bytes(b"{}").any(|doc| doc == b"{ }"));
/// ```
pub fn bytes(doc: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let every = |places: usize| (0..places).flat_map(|place| (0..=u8::MAX).map(move |byte| (place, byte)));
    let replaced = every(doc.len()).map(|(place, byte)| {
        let mut changed = doc.to_vec();
        changed[place] = byte;
        changed
    });
    let inserted = every(doc.len() + 1).map(|(place, byte)| {
        let mut changed = doc.to_vec();
        changed.insert(place, byte);
        changed
    });
    replaced.chain(inserted)
}

/// The document cut off before each of its bytes: `len` documents.
///
/// ```
/// assert!(mcp_roots_proptests::sweep::truncations(b"[]").eq([b"".as_slice(), b"["]));
/// ```
pub fn truncations(doc: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..doc.len()).map(|end| &doc[..end])
}

/// Values of each type.
pub const TYPES: [&str; 7] = ["null", "true", "0", "\"\"", "[]", "{}", "1.5"];

/// The document with each member and item in turn left out, there twice, and replaced by each of
/// [`TYPES`], and itself replaced by these: `9 * (members and items) + 7` documents.
///
/// # Panics
///
/// Where the document is not JSON.
///
/// ```
/// use mcp_roots_proptests::sweep;
/// let edits = sweep::edits(br#"{"a":[1]}"#);
/// assert_eq!(edits.len(), 9 * 2 + 7);
/// assert!(edits.contains(&br#"{"a":[1],"a":[1]}"#.to_vec()));
/// ```
#[must_use]
pub fn edits(doc: &[u8]) -> Vec<Vec<u8>> {
    let json = laws::tree(&Case::new(Target::Response, doc)).expect("JSON");
    let value = |text: &str| Json::Raw(text.into());
    let mut edits: Vec<Json> = TYPES.map(value).into();
    let mut counts = Vec::new();
    json.clone().visit_mut(&mut |value| {
        counts.push(match value {
            Json::Array(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 0,
        });
    });
    for (index, count) in counts.into_iter().enumerate() {
        for child in 0..count {
            for edit in 0..TYPES.len() + 2 {
                let mut changed = json.clone();
                let mut visited = 0;
                changed.visit_mut(&mut |container| {
                    if visited == index {
                        match container {
                            Json::Array(items) => change(items, child, edit, |item| item),
                            Json::Object(members) => change(members, child, edit, |(_, value)| value),
                            _ => unreachable!("it has children"),
                        }
                    }
                    visited += 1;
                });
                edits.push(changed);
            }
        }
    }
    edits.iter().map(|json| json.write(Style::PLAIN)).collect()
}

/// Replaces a child by one of [`TYPES`], or, with the next numbers, doubles it or leaves it out.
fn change<T: Clone>(children: &mut Vec<T>, child: usize, edit: usize, value: impl Fn(&mut T) -> &mut Json) {
    if let Some(text) = TYPES.get(edit) {
        *value(&mut children[child]) = Json::Raw((*text).into());
    } else if edit == TYPES.len() {
        children.insert(child, children[child].clone());
    } else {
        children.remove(child);
    }
}
