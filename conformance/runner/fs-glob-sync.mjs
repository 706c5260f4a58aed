// The runner imports `globSync` from `fs`, which Node has from 22 on, and calls it in commands that are
// not used here. With `node --import`, this gives an older Node one that throws.
import fs from 'node:fs';
import { register } from 'node:module';

if (!fs.globSync) {
  const shim = `export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() { throw new Error('globSync needs Node 22'); }`;
  const hook = `export function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')) {
    return { url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(shim))}, shortCircuit: true };
  }
  return next(specifier, context);
}`;
  register('data:text/javascript,' + encodeURIComponent(hook));
}
