//! What must hold of every result that is read leniently, whoever reads it.
//!
//! Each law takes a case whose target is a response, panics with the case shown where it is broken, and
//! says whether it had anything to say.

use mcp_roots::Revision;

use super::{Kind, Lenient, Sorted, Sorting};
use crate::case::value_of;
use crate::laws::roots_of;
use crate::reference::{self, Fault, Reading};
use crate::{Case, Door, Json, Kept, Refusal, Target, Verdict};

/// A law with its name.
#[derive(Clone, Copy)]
pub struct Law {
    /// The function's name.
    pub name: &'static str,
    /// The function.
    pub check: fn(&dyn Lenient, &Case<'_>) -> bool,
}

macro_rules! laws {
    ($($law:ident),+ $(,)?) => { [$(Law { name: stringify!($law), check: $law }),+] };
}

/// Every law.
pub const LAWS: &[Law] = &laws![
    sorts_as_the_reference,
    strict_is_lenient_with_file_roots_alone,
    nothing_is_lost,
    doors_sort_alike,
    revisions_sort_alike,
    roots_are_sorted_one_by_one,
    what_is_sorted_is_kept,
    what_is_sorted_is_compared,
];

/// Holds every law against a case; gives the number of those that had something to say.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// assert!(laws::all(&Core, &Case::new(Target::Response, br#"{"roots":[{"uri":"/a"}]}"#)) > 4);
/// ```
pub fn all(lenient: &dyn Lenient, case: &Case<'_>) -> usize {
    LAWS.iter().filter(|law| (law.check)(lenient, case)).count()
}

/// Holds the laws that need no second document against a text as each revision judges it; the text is
/// read once.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots_proptests::Core;
/// use mcp_roots_proptests::lenient::laws;
/// laws::sorted_right(&Core, br#"{"roots":[{"uri":"/a"}]}"#);
/// ```
pub fn sorted_right(lenient: &dyn Lenient, doc: &[u8]) {
    let reading = std::str::from_utf8(doc).ok().map(reference::read);
    for case in Case::new(Target::Response, doc).in_every_revision() {
        is_as_the_reference(lenient, &case, reading.as_ref());
        strict_is_lenient_with_file_roots_alone(lenient, &case);
        doors_sort_alike(lenient, &case);
    }
}

/// A law is broken.
#[track_caller]
fn broken(case: &Case<'_>, what: &str) -> ! {
    panic!("{what}\n{case:?}")
}

fn sorted(lenient: &dyn Lenient, case: &Case<'_>) -> Result<Sorting, Refusal> {
    let sorting = lenient.sort(case, Door::Bytes);
    sorting.unwrap_or_else(|| broken(case, "bytes are not taken"))
}

/// The faults that refuse a result that is read leniently: all but those of U1 and U2.
pub(super) fn faults(case: &Case<'_>, reading: Option<&Reading>) -> Vec<Fault> {
    let faults = reference::judge_reading(case, reading).faults.into_iter();
    faults.filter(|fault| !["U1", "U2"].contains(&fault.rule)).collect()
}

/// What the roots of a text are.
pub(super) fn kinds(case: &Case<'_>, reading: Option<&Reading>) -> Vec<Sorted> {
    let roots = reading.map(|reading| roots_of(case, &reading.root)).unwrap_or_default();
    roots.into_iter().map(|(uri, name)| Sorted { kind: Kind::of(&uri), uri, name }).collect()
}

/// The whole is refused for the first fault that is none of U1 and U2; else each root is what the
/// grammar says, in the order of the text (U3, U4, R7).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::sorts_as_the_reference(&Core, &case));
/// ```
pub fn sorts_as_the_reference(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let reading = std::str::from_utf8(case.doc).ok().map(reference::read);
    is_as_the_reference(lenient, case, reading.as_ref());
    true
}

fn is_as_the_reference(lenient: &dyn Lenient, case: &Case<'_>, reading: Option<&Reading>) {
    let expected = match faults(case, reading).into_iter().next() {
        Some(Fault { rule, at, .. }) => Err(Refusal { rule: rule.to_owned(), at }),
        None => Ok(kinds(case, reading)),
    };
    let got = sorted(lenient, case).map(|sorting| sorting.roots);
    if got != expected {
        broken(case, &format!("expected {expected:?}, got {got:?}"));
    }
}

/// A result is accepted strictly exactly if it is accepted leniently and has file roots alone, and has
/// the same roots then; what is refused strictly for another rule than U1 and U2 is so leniently, unless
/// those came first.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::strict_is_lenient_with_file_roots_alone(&Core, &case));
/// ```
pub fn strict_is_lenient_with_file_roots_alone(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let sorting = sorted(lenient, case);
    let strict = lenient.judge(case, Door::Bytes).unwrap_or_else(|| broken(case, "bytes are not taken"));
    let is_right = match (&strict, &sorting) {
        (Verdict::Accept(accepted), Ok(sorting)) => {
            let roots = sorting.roots.iter().map(|root| (root.uri.clone(), root.name.clone()));
            sorting.roots.iter().all(|root| root.kind == Kind::File)
                && roots.eq(accepted.roots.iter().cloned())
        }
        (Verdict::Reject(refusal), Ok(sorting)) => {
            let first = sorting.roots.iter().position(|root| root.kind != Kind::File);
            ["U1", "U2"].contains(&&*refusal.rule)
                && first.is_some_and(|index| refusal.at == format!("/roots/{index}/uri"))
        }
        (Verdict::Reject(strict), Err(lenient)) => strict == lenient || ["U1", "U2"].contains(&&*strict.rule),
        _ => false,
    };
    if !is_right {
        broken(case, &format!("strictly {}, leniently {sorting:?}", strict.summary()));
    }
    true
}

/// Each kind is picked out of all roots in their order, and together they are all.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::nothing_is_lost(&Core, &case));
/// ```
pub fn nothing_is_lost(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let Ok(sorting) = sorted(lenient, case) else { return false };
    let picked = Sorting::of(sorting.roots.clone());
    if sorting != picked {
        broken(case, &format!("got {sorting:?}, and picked out of its roots {picked:?}"));
    }
    true
}

/// Bytes, text and value are sorted alike. With several faults the value may be refused for another one
/// of them (E4); a text that breaks J has no value to compare.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::doors_sort_alike(&Core, &case));
/// ```
pub fn doors_sort_alike(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let by_bytes = sorted(lenient, case);
    let Some(by_text) = lenient.sort(case, Door::Str) else { return false };
    if by_text != by_bytes {
        broken(case, &format!("bytes: {by_bytes:?}, text: {by_text:?}"));
    }
    if by_bytes.as_ref().is_err_and(|refusal| refusal.rule.starts_with('J')) {
        return true;
    }
    let reading = std::str::from_utf8(case.doc).ok().map(reference::read);
    let faults = faults(case, reading.as_ref());
    if faults.iter().any(|fault| fault.rule.starts_with('J')) {
        return true;
    }
    let Some(by_value) = lenient.sort(case, Door::Value) else { return true };
    let is_right = match &by_value {
        Err(refusal) => faults.iter().any(|fault| (fault.rule, &fault.at) == (&*refusal.rule, &refusal.at)),
        sorting => *sorting == by_bytes,
    };
    if !is_right {
        broken(case, &format!("bytes: {by_bytes:?}, value: {by_value:?}"));
    }
    true
}

/// Revisions that accept a result sort its roots alike: what a URI is does not depend on them.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::revisions_sort_alike(&Core, &case));
/// ```
pub fn revisions_sort_alike(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let Ok(sorting) = sorted(lenient, case) else { return false };
    for revision in Revision::ALL {
        if sorted(lenient, &Case { revision, ..*case }).is_ok_and(|other| other != sorting) {
            broken(case, &format!("{revision} sorts the roots in another way"));
        }
    }
    true
}

/// A root is sorted as it is alone.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::roots_are_sorted_one_by_one(&Core, &case));
/// ```
pub fn roots_are_sorted_one_by_one(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let Ok(sorting) = sorted(lenient, case) else { return false };
    for root in &sorting.roots {
        let name = root.name.iter().map(|name| ("name".to_owned(), Json::string(name)));
        let members = [("uri".to_owned(), Json::string(&root.uri))].into_iter().chain(name).collect();
        let roots = Json::Array(vec![Json::Object(members)]);
        let doc = Json::Object(vec![("roots".to_owned(), roots)]).text();
        let alone = sorted(lenient, &case.with_doc(doc.as_bytes()));
        if alone.as_ref().map(|alone| alone.roots.as_slice()) != Ok(std::slice::from_ref(root)) {
            broken(case, &format!("{root:?} alone is {alone:?}"));
        }
    }
    !sorting.roots.is_empty()
}

/// What is accepted is kept as it came (J5).
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::what_is_sorted_is_kept(&Core, &case));
/// ```
pub fn what_is_sorted_is_kept(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    if sorted(lenient, case).is_err() {
        return false;
    }
    let Some(kept) = lenient.kept_leniently(case, Door::Bytes) else { return false };
    if kept != Kept::Text(String::from_utf8_lossy(case.doc).into_owned()) {
        broken(case, &format!("kept {kept:?}"));
    }
    if let Some(value) = value_of(case.doc)
        && lenient.kept_leniently(case, Door::Value) != Some(Kept::Value((*value).clone()))
    {
        broken(case, "another value is kept");
    }
    true
}

/// What is given for two results is equal exactly if the roots are and the documents, wherever those stand
/// (J5): so for a copy, but not for the same with a blank after it, or for one without roots.
///
/// # Panics
///
/// Where the law is broken.
///
/// ```
/// use mcp_roots_proptests::lenient::laws;
/// use mcp_roots_proptests::{Case, Core, Target};
/// let case = Case::new(Target::Response, br#"{"roots":[{"uri":"s3://a"},{"uri":"file:///b"}]}"#);
/// assert!(laws::what_is_sorted_is_compared(&Core, &case));
/// ```
pub fn what_is_sorted_is_compared(lenient: &dyn Lenient, case: &Case<'_>) -> bool {
    let mut applied = false;
    for other in [case.doc, &[case.doc, b" "].concat(), br#"{"roots":[]}"#] {
        let copy = other.to_vec();
        let Some(equal) = lenient.equal_leniently(case, &case.with_doc(&copy)) else { continue };
        if equal != (case.doc == other) {
            let other = String::from_utf8_lossy(other);
            broken(
                case,
                &format!("is {}equal to what is given for {other}", if equal { "" } else { "not " }),
            );
        }
        applied = true;
    }
    applied
}
