use serde::de::MapAccess;

use crate::document::Source;
use crate::error::{Error, Fault, Rule};
use crate::read::{Judge, MemberValue, judge};
use crate::request::Bare;
use crate::result::{ListRootsResult, RootsResult};
use crate::{Document, Revision};

/// Reads the answer to a roots request out of a retried request's `inputResponses` (2026-07-28).
///
/// `input_responses` is that map, `None` or [`Document::Absent`] where the request has none. `id` is
/// the one that the server asked under; it is compared exactly (A6). `request` is what it asked, a
/// bare request such as [`list`](crate::list) gives (A4).
///
/// `Ok(None)` means that there is no answer under this id, which is not an error (A1): ask again.
/// The answer is judged by what was asked and not by its look (A5); what else the map holds plays no
/// part beyond being well-formed (A3).
///
/// A valid answer is not an authenticated one (A7). `requestState`, which the client echoes, is
/// neither read nor trusted here.
///
/// # Errors
///
/// A2 where the map is not an object; A4 where an answer is there but `request` is not a bare roots
/// request; R1 to R4, U1, U2 for the answer, placed below the id; J1, J2, J6 for text.
///
/// ```
/// use mcp_roots::{list, response};
/// let map = r#"{"client_roots": {"roots": [{"uri": "file:///home/me"}]}, "login": {"action": "cancel"}}"#;
/// let result = response(map, "client_roots", &list())?.expect("the client answered");
/// assert_eq!(result.roots()[0].uri(), "file:///home/me");
/// assert!(response("{}", "client_roots", &list())?.is_none());
/// assert_eq!(response(map, "login", &list()).unwrap_err().at(), "/login");
/// # Ok::<(), mcp_roots::Error>(())
/// ```
pub fn response<'a, 'r>(
    input_responses: impl Into<Document<'a>>,
    id: &str,
    request: impl Into<Document<'r>>,
) -> Result<Option<ListRootsResult<'a>>, Error> {
    let source = input_responses.into().source()?;
    if matches!(source, Source::Absent) {
        return Ok(None);
    }
    let found = judge(source, InputResponses { id, request: request.into() }, id)?;
    let answer = |index| ListRootsResult { roots: found.roots, kept: source.kept_member(id, index) };
    Ok(found.member.map(answer))
}

/// The `inputResponses` map (A). Finds the named member and the roots in it.
#[derive(Clone, Copy)]
struct InputResponses<'i, 'r> {
    id: &'i str,
    request: Document<'r>,
}

impl<'de> Judge<'de> for InputResponses<'_, '_> {
    type Member = Member;
    const IS_OBJECT: bool = true;

    fn name(self, name: &str) -> Member {
        if name == self.id { Member::Named } else { Member::Other }
    }

    fn mismatch(self) -> Fault {
        Fault::document(Rule::A2)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: Member,
        mut value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            Member::Named => {
                if self.request.source().and_then(|request| judge(request, Bare, "")).is_err() {
                    return Err(value.fail(Fault::document(Rule::A4)));
                }
                value.is_found();
                value.answer(RootsResult::<true> { revision: Revision::V2026_07_28 })
            }
            Member::Other => value.skip(),
        }
    }
}

#[derive(Clone, Copy, Default)]
enum Member {
    Named,
    #[default]
    Other,
}

impl crate::read::Member for Member {
    fn bit(self) -> u8 {
        matches!(self, Self::Named).into()
    }
}
