use serde::Serialize;
use serde::de::MapAccess;

use crate::error::{Fault, Place, Rule};
use crate::read::{AnyObject, Exactly, Identifier, Judge, MemberValue, Met, members};

/// The bare `roots/list` input request that [`list`] builds.
///
/// It serialises to the object that goes into the `inputRequests` of an input-required result,
/// under an id of the server's choice, and passes [`validate_request`](crate::validate_request).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Request {
    method: &'static str,
    params: Params,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Params {}

const METHOD: &str = "roots/list";

/// Builds the bare input request (Q1): method `roots/list`, empty object params, no envelope.
///
/// ```
/// let input_requests = serde_json::json!({"client_roots": mcp_roots::list()});
/// assert_eq!(input_requests["client_roots"].to_string(), r#"{"method":"roots/list","params":{}}"#);
/// ```
#[must_use]
pub const fn list() -> Request {
    Request { method: METHOD, params: Params {} }
}

impl Request {
    /// What every request serialises to.
    pub(crate) const TEXT: &'static str = r#"{"method":"roots/list","params":{}}"#;
}

/// A request embedded in an input-required result (Q2 to Q4).
#[derive(Clone, Copy)]
pub(crate) struct Bare;

members!(BareMember { Method = "method", Params = "params" });

impl<'de> Judge<'de> for Bare {
    type Member = BareMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::Q2)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: BareMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            BareMember::Method => value.judge(METHOD_IS_RIGHT),
            BareMember::Params => value.judge(BareParams),
            BareMember::Other => Err(value.fail(Fault::document(Rule::Q3))),
        }
    }

    #[inline]
    fn end(self, met: Met<BareMember>) -> Result<(), Fault> {
        if met.has(BareMember::Method) { Ok(()) } else { Err(Fault::document(Rule::Q2)) }
    }
}

#[derive(Clone, Copy)]
struct BareParams;

members!(BareParamsMember { Meta = "_meta" });

impl<'de> Judge<'de> for BareParams {
    type Member = BareParamsMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault(Rule::Q4, Place::Params)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: BareParamsMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            BareParamsMember::Meta => value.judge(AnyObject(Fault(Rule::Q4, Place::ParamsMeta))),
            BareParamsMember::Other => Err(value.fail(self.mismatch())),
        }
    }
}

/// A request in the JSON-RPC envelope of the initialize era (Q5).
#[derive(Clone, Copy)]
pub(crate) struct Wire;

members!(WireMember { Method = "method", JsonRpc = "jsonrpc", Id = "id", Params = "params" });

impl<'de> Judge<'de> for Wire {
    type Member = WireMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::Q5)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: WireMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            WireMember::Method => value.judge(METHOD_IS_RIGHT),
            WireMember::JsonRpc => value.judge(Exactly("2.0", Fault(Rule::Q5, Place::JsonRpc))),
            WireMember::Id => value.judge(Identifier(Fault(Rule::Q5, Place::Id))),
            WireMember::Params => value.judge(WireParams),
            WireMember::Other => value.skip(),
        }
    }

    #[inline]
    fn end(self, met: Met<WireMember>) -> Result<(), Fault> {
        if !met.has(WireMember::Method) {
            return Err(Fault::document(Rule::Q2));
        }
        if met.has(WireMember::JsonRpc) && met.has(WireMember::Id) {
            return Ok(());
        }
        Err(Fault::document(Rule::Q5))
    }
}

#[derive(Clone, Copy)]
struct WireParams;

members!(WireParamsMember { Meta = "_meta" });

impl<'de> Judge<'de> for WireParams {
    type Member = WireParamsMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault(Rule::Q5, Place::Params)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: WireParamsMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            WireParamsMember::Meta => value.judge(WireMeta),
            WireParamsMember::Other => value.skip(),
        }
    }
}

#[derive(Clone, Copy)]
struct WireMeta;

members!(WireMetaMember { ProgressToken = "progressToken" });

impl<'de> Judge<'de> for WireMeta {
    type Member = WireMetaMember;
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault(Rule::Q5, Place::ParamsMeta)
    }

    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        member: WireMetaMember,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        match member {
            WireMetaMember::ProgressToken => value.judge(Identifier(Fault(Rule::Q5, Place::ProgressToken))),
            WireMetaMember::Other => value.skip(),
        }
    }
}

/// The value of `method`, bare or enveloped (Q2).
const METHOD_IS_RIGHT: Exactly = Exactly(METHOD, Fault(Rule::Q2, Place::Method));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q1_the_text_is_what_the_request_serialises_to() {
        assert_eq!(serde_json::to_string(&list()).unwrap(), Request::TEXT);
    }
}
