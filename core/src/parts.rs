//! Finds members of an object by name, for whoever hands them on as documents of their own.

use std::cell::Cell;

use serde::de::MapAccess;

use crate::Document;
use crate::error::{Error, Fault};
use crate::read::{Judge, Member, MemberValue, judge};

/// The members of an object under these names, each [`Document::Absent`] where it is missing.
///
/// A text is read strictly to its end before any of its parts is handed on, so that limits and
/// duplicates are those of the whole (J5).
///
/// # Errors
///
/// `mismatch` where the document is no object; J1, J2, J6 for text.
pub(crate) fn parts<'a, const N: usize>(
    document: Document<'a>,
    names: [&'static str; N],
    mismatch: Fault,
) -> Result<[Document<'a>; N], Error> {
    let source = document.source()?;
    let found = [const { Cell::new(None) }; N];
    judge(source, Parts { names: &names, found: &found, mismatch }, "")?;
    let mut parts = [Document::Absent; N];
    for ((part, name), index) in parts.iter_mut().zip(names).zip(found) {
        if let Some(index) = index.get() {
            *part = source.kept_member(name, index).document();
        }
    }
    Ok(parts)
}

#[derive(Clone, Copy)]
struct Parts<'c> {
    names: &'c [&'static str],
    /// Where the member of each name is among all members.
    found: &'c [Cell<Option<usize>>],
    mismatch: Fault,
}

impl<'de> Judge<'de> for Parts<'_> {
    type Member = Part;
    const IS_OBJECT: bool = true;

    fn name(self, name: &str) -> Part {
        Part(self.names.iter().position(|other| *other == name))
    }

    fn mismatch(self) -> Fault {
        self.mismatch
    }

    fn member<A: MapAccess<'de>>(self, part: Part, value: MemberValue<'_, 'de, A>) -> Result<(), A::Error> {
        if let Some(found) = part.0.and_then(|part| self.found.get(part)) {
            found.set(Some(value.index()));
        }
        value.skip()
    }
}

/// A member that is looked for: which of the names.
#[derive(Clone, Copy, Default)]
struct Part(Option<usize>);

impl Member for Part {
    /// All names are noted and compared in the end, like those that mean nothing.
    fn bit(self) -> u8 {
        0
    }
}
