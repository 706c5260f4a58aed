"""The official Python SDK (`mcp`) as an adapter: its own models and functions judge, and nothing else.

Documents are read by `pydantic_core.from_json`, as the SDK's HTTP server does. Only the SDK's refusals are
caught, all of them `ValueError` or `KeyError`: another exception ends the adapter, and counts as a crash.
"""

import base64
import json
import sys
import warnings
from importlib.metadata import version

warnings.simplefilter("ignore")  # Roots are deprecated.

from mcp.server.connection import Connection
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    ClientCapabilities,
    InputRequiredResult,
    JSONRPCRequest,
    ListRootsRequest,
    ListRootsResult,
    RootsCapability,
    jsonrpc_message_adapter,
    methods,
)
from pydantic_core import from_json

STATELESS = "2026-07-28"
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS]
ROOTS = ClientCapabilities(roots=RootsCapability())
IDENTITY = {"name": "client", "version": "1"}
OWN_REQUEST = "the SDK writes the request itself, and does not judge it again with the answer"


def accept(result=None):
    if result is None:
        return {"verdict": "accept"}
    roots = [
        {"uri": str(root.uri)} if root.name is None else {"uri": str(root.uri), "name": root.name}
        for root in result.roots
    ]
    return {"verdict": "accept", "roots": roots}


def reject(detail):
    return {"verdict": "reject", "detail": detail}


def response(revision, doc):
    """The result of `list_roots`, and the type that an input response is read as."""
    data = from_json(doc)
    if revision == STATELESS:
        return accept(ListRootsResult.model_validate(data, by_name=False))
    return accept(methods.parse_client_result("roots/list", revision, data))


def request(revision, doc):
    """What a client makes of it."""
    if revision == STATELESS:
        result = {"resultType": "input_required", "inputRequests": {"client_roots": from_json(doc)}}
        result = methods.parse_server_result("tools/call", revision, result)
        asked = result.input_requests["client_roots"] if isinstance(result, InputRequiredResult) else result
    else:
        asked = jsonrpc_message_adapter.validate_json(doc, by_name=False)
        if isinstance(asked, JSONRPCRequest):
            asked = methods.parse_server_request(asked.method, revision, asked.params)
    return accept() if isinstance(asked, ListRootsRequest) else reject(f"read as {type(asked).__name__}")


def capabilities(revision, doc):
    """Whether a server takes roots for declared."""
    declared = from_json(doc)
    if revision == STATELESS:
        connection = Connection.from_envelope(revision, IDENTITY, declared)
    else:
        params = {"protocolVersion": revision, "capabilities": declared, "clientInfo": IDENTITY}
        params = methods.parse_client_request("initialize", revision, params).params
        connection = Connection(None, protocol_version=revision, client_params=params)
    return accept() if connection.check_capability(ROOTS) else reject("roots are not declared")


def input_responses(revision, doc):
    """What a tool finds under the id, read as a resolver that returned `ListRoots` reads it."""
    meta = {PROTOCOL_VERSION_META_KEY: revision, CLIENT_CAPABILITIES_META_KEY: {"roots": {}}}
    params = {"name": "a", "_meta": meta, "inputResponses": from_json(doc)}
    answers = methods.parse_client_request("tools/call", revision, params).params.input_responses
    answer = (answers or {}).get("client_roots")
    if answer is None:
        return {"verdict": "missing"}
    return accept(ListRootsResult.model_validate(answer.model_dump(mode="json", by_alias=True, exclude_none=True)))


def request_meta(revision, doc):
    """Whether a request with this `_meta` is served. The version, which is not at issue, is filled in."""
    meta = from_json(doc)
    if isinstance(meta, dict):
        meta = {PROTOCOL_VERSION_META_KEY: revision, **meta}
    route = classify_inbound_request({"method": "tools/list", "params": {"_meta": meta}})
    if isinstance(route, InboundLadderRejection):
        return reject(route.message)
    methods.parse_client_request("tools/list", revision, {"_meta": meta})
    return accept()


TARGETS = {
    "response": response,
    "request": request,
    "capabilities": capabilities,
    "input_responses": input_responses,
    "request_meta": request_meta,
}


def judge(case):
    if "request" in case:
        return {"verdict": "unsupported", "reason": OWN_REQUEST}
    doc = case["doc"] if "doc" in case else base64.b64decode(case["doc_base64"])
    try:
        return TARGETS[case["target"]](case["revision"], doc)
    except (ValueError, KeyError) as refusal:
        return reject(f"{type(refusal).__name__}: {refusal}"[:500])


for line in sys.stdin:
    case = json.loads(line)
    if "hello" in case:
        said = {"protocol": 1, "name": "mcp", "version": version("mcp"), "language": "Python"}
        answer = {"hello": {**said, "targets": list(TARGETS), "revisions": REVISIONS}}
    else:
        answer = {"id": case["id"], **judge(case)}
    print(json.dumps(answer), flush=True)
