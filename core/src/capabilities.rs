use serde::de::MapAccess;

use crate::error::{Error, Fault, Place, Rule};
use crate::read::{AnyObject, Boolean, Judge, MemberValue, Met, judge, members};
use crate::{Document, Revision};

/// Client capabilities that declare roots (C1 to C3).
#[derive(Clone, Copy)]
pub(crate) struct Capabilities {
    pub(crate) revision: Revision,
}

members!(CapabilitiesMember { Roots = "roots" });

impl<'de> Judge<'de> for Capabilities {
    type Member = CapabilitiesMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::C1)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: CapabilitiesMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            CapabilitiesMember::Roots => value.judge(RootsCapability { revision: self.revision }),
            CapabilitiesMember::Other => value.skip(),
        }
    }

    #[inline]
    fn end(self, met: Met<CapabilitiesMember>) -> Result<(), Fault> {
        if met.has(CapabilitiesMember::Roots) { Ok(()) } else { Err(self.mismatch()) }
    }
}

#[derive(Clone, Copy)]
struct RootsCapability {
    revision: Revision,
}

members!(RootsCapabilityMember { ListChanged = "listChanged" });

impl<'de> Judge<'de> for RootsCapability {
    type Member = RootsCapabilityMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault(Rule::C1, Place::Roots)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: RootsCapabilityMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            RootsCapabilityMember::ListChanged if self.revision.is_initialize_era() => {
                value.judge(Boolean(Fault(Rule::C3, Place::ListChanged)))
            }
            _ => value.skip(),
        }
    }
}

/// Finds the client capabilities of a 2026-07-28 request in its `_meta` (C5), which is where
/// [`require`](crate::require) must get them: those of an earlier request do not count (C4).
///
/// The document given back is the member `io.modelcontextprotocol/clientCapabilities`, as it came.
///
/// # Errors
///
/// C5 with code -32602 where `meta` is absent, no object, or lacks that member, or where the member
/// is no object; J1, J2, J6 for text. What the capabilities say is not judged here.
///
/// ```
/// let meta = r#"{"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}"#;
/// let capabilities = mcp_roots::client_capabilities(meta)?;
/// assert!(mcp_roots::supported(&mcp_roots::list(), capabilities));
/// assert_eq!(mcp_roots::client_capabilities("{}").unwrap_err().code(), -32602);
/// # Ok::<(), mcp_roots::Error>(())
/// ```
pub fn client_capabilities<'a>(meta: impl Into<Document<'a>>) -> Result<Document<'a>, Error> {
    let source = meta.into().source()?;
    let found = judge(source, Meta, "")?;
    let index = found.member.unwrap_or_default();
    Ok(source.kept_member(CLIENT_CAPABILITIES, index).document())
}

const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The `_meta` of a request. Finds the client capabilities.
#[derive(Clone, Copy)]
struct Meta;

members!(MetaMember { ClientCapabilities = "io.modelcontextprotocol/clientCapabilities" });

impl<'de> Judge<'de> for Meta {
    type Member = MetaMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::C5)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: MetaMember,
        mut value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            MetaMember::ClientCapabilities => {
                value.is_found();
                value.judge(AnyObject(Fault(Rule::C5, Place::ClientCapabilities)))
            }
            MetaMember::Other => value.skip(),
        }
    }

    #[inline]
    fn end(self, met: Met<MetaMember>) -> Result<(), Fault> {
        if met.has(MetaMember::ClientCapabilities) { Ok(()) } else { Err(self.mismatch()) }
    }
}
