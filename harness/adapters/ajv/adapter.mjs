// A plain JSON-Schema validator (Ajv, with ajv-formats) as an adapter: it judges by what the protocol's
// schemas say of roots, the files in `schemas/`, and knows no rule. It takes values: `JSON.parse` makes them.

import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const STATELESS = '2026-07-28';
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', STATELESS];
const VERSION = 'io.modelcontextprotocol/protocolVersion';

const schemas = REVISIONS.map(revision => {
    const file = new URL(`../../../schemas/${revision}.json`, import.meta.url);
    return [revision, JSON.parse(readFileSync(file, 'utf8'))];
});
const validators = new Map(
    schemas.map(([revision, schema]) => {
        const draft2020 = schema.$schema.includes('2020-12');
        const ajv = draft2020 ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
        addFormats(ajv);
        const definitions = draft2020 ? '$defs' : 'definitions';
        const compiled = (...names) => {
            // Before 2025-11-25 the envelope of a request is another definition.
            const defined = names.filter(name => name in schema[definitions]);
            return ajv.compile({ ...schema, allOf: defined.map(name => ({ $ref: `#/${definitions}/${name}` })) });
        };
        return [
            revision,
            {
                response: compiled('ListRootsResult'),
                request: compiled('JSONRPCRequest', 'ListRootsRequest'),
                ...(revision === STATELESS && {
                    input_responses: compiled('InputResponses'),
                    request_meta: compiled('RequestMetaObject'),
                }),
            },
        ];
    }),
);

function judge({ target, revision, doc, request }) {
    if (doc === undefined) return { verdict: 'unsupported', reason: 'it takes values, not bytes' };
    if (request !== undefined) {
        return { verdict: 'unsupported', reason: 'a schema says nothing of two documents together' };
    }
    let value;
    try {
        value = JSON.parse(doc);
    } catch (error) {
        return { verdict: 'reject', detail: String(error) };
    }
    if (target === 'request_meta' && value !== null && typeof value === 'object' && !Array.isArray(value)) {
        // The version, which is not at issue, is filled in.
        value = { [VERSION]: revision, ...value };
    }
    const validate = validators.get(revision)[target];
    if (!validate(value)) {
        const [{ instancePath, message }] = validate.errors;
        return { verdict: 'reject', detail: `${instancePath} ${message}` };
    }
    if (target === 'input_responses' && !Object.hasOwn(value, 'client_roots')) return { verdict: 'missing' };
    return { verdict: 'accept' };
}

const { version } = createRequire(import.meta.url)('ajv/package.json');
createInterface({ input: process.stdin }).on('line', line => {
    const { hello, ...asked } = JSON.parse(line);
    const answer = hello
        ? {
              hello: {
                  protocol: 1,
                  name: 'ajv',
                  version,
                  language: 'JavaScript',
                  targets: ['response', 'request', 'input_responses', 'request_meta'],
                  revisions: REVISIONS,
              },
          }
        : { id: asked.id, ...judge(asked) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
});
