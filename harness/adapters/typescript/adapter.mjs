// The official TypeScript SDK as an adapter. The public schemas of `@modelcontextprotocol/core` judge
// results, requests and, before 2026-07-28, capabilities. In 2026-07-28 a server of
// `@modelcontextprotocol/server` is asked what it makes of a request's `_meta` and `inputResponses`.
//
// Documents are read by `JSON.parse`, bytes by `toString('utf8')` first, as the SDK's stdio transport does.

import {
    ClientCapabilitiesSchema,
    JSONRPCRequestSchema,
    ListRootsRequestSchema,
    ListRootsResultSchema,
} from '@modelcontextprotocol/core';
import {
    CLIENT_CAPABILITIES_META_KEY,
    createMcpHandler,
    inputRequired,
    inputResponse,
    McpServer,
    PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const STATELESS = '2026-07-28';
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', STATELESS];
const ROOTS = { roots: {} };

/** What the tool found, of the call that is being served. */
let found;

const handler = createMcpHandler(
    () => {
        const server = new McpServer({ name: 'server', version: '1' });
        server.registerTool('answers', {}, ctx => {
            found = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
            return { content: [] };
        });
        server.registerTool('asks', {}, () =>
            inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
        );
        return server;
    },
    { legacy: 'reject' },
);

/** A tool called by a client that says this; what the server refuses, it throws. */
async function call(name, meta, inputResponses) {
    const params = { name, arguments: {}, _meta: meta, ...(inputResponses !== undefined && { inputResponses }) };
    const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': STATELESS,
        'mcp-method': 'tools/call',
        'mcp-name': name,
    };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' });
    const parsedBody = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    found = undefined;
    const { error, result } = await (await handler.fetch(request, { parsedBody })).json();
    if (error) throw new Refusal(`${error.code} ${error.message}`);
    if (result.isError) throw new Refusal(JSON.stringify(result.content));
    return result;
}

class Refusal extends Error {}

const reject = detail => ({ verdict: 'reject', detail: detail.slice(0, 500) });
const parsed = ({ success, error }) => (success ? { verdict: 'accept' } : reject(error.message));
const isRead = root => typeof root?.uri === 'string' && (root.name === undefined || typeof root.name === 'string');
const read = roots => (roots.every(isRead) ? { roots: roots.map(({ uri, name }) => ({ uri, name })) } : {});
const envelope = capabilities => ({
    [PROTOCOL_VERSION_META_KEY]: STATELESS,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
});

const TARGETS = {
    response(value) {
        const result = ListRootsResultSchema.safeParse(value);
        return { ...parsed(result), ...(result.success && read(result.data.roots)) };
    },

    request(value, revision) {
        const frame = revision === STATELESS ? { success: true } : JSONRPCRequestSchema.safeParse(value);
        return parsed(frame.success ? ListRootsRequestSchema.safeParse(value) : frame);
    },

    async capabilities(value, revision) {
        if (revision === STATELESS) {
            await call('asks', envelope(value));
            return { verdict: 'accept' };
        }
        const capabilities = ClientCapabilitiesSchema.safeParse(value);
        if (!capabilities.success) return parsed(capabilities);
        return capabilities.data.roots ? { verdict: 'accept' } : reject('roots are not declared');
    },

    async input_responses(value) {
        await call('answers', envelope(ROOTS), value);
        switch (found.kind) {
            case 'roots':
                return { verdict: 'accept', ...read(found.roots) };
            case 'missing':
                return { verdict: 'missing' };
            default:
                return reject(`read as ${found.kind}`);
        }
    },

    async request_meta(value) {
        const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
        // The version, which is not at issue, is filled in.
        await call('answers', isObject ? { [PROTOCOL_VERSION_META_KEY]: STATELESS, ...value } : value);
        return { verdict: 'accept' };
    },
};

async function judge({ target, revision, doc, doc_base64, request }) {
    if (request !== undefined) {
        const reason = 'the SDK writes the request itself, and does not judge it again with the answer';
        return { verdict: 'unsupported', reason };
    }
    try {
        const value = JSON.parse(doc ?? Buffer.from(doc_base64, 'base64').toString('utf8'));
        return await TARGETS[target](value, revision);
    } catch (error) {
        if (error instanceof Refusal || error instanceof SyntaxError) return reject(String(error));
        throw error;
    }
}

const manifest = new URL('node_modules/@modelcontextprotocol/server/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
const hello = {
    protocol: 1,
    name: '@modelcontextprotocol/core, /server',
    version,
    language: 'TypeScript',
    targets: Object.keys(TARGETS),
    revisions: REVISIONS,
};
for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const answer = asked.hello ? { hello } : { id: asked.id, ...(await judge(asked)) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
