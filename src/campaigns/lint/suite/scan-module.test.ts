import { expect, test } from 'vitest';
import { openValue, scanModule } from './scan-module.ts';

const text = `import type { A } from './types.ts';
import fs, { readFile as read } from 'node:fs';
import * as tools from './tools.ts';
export { one } from './one.ts';
const lazy = await import('./lazy.ts');
const old = require('./old.cjs');
const some: number = await at.mcp('files').call('read', { path: \`a\`, deep: [1, x], ...rest });
read('x');
tools.sleep(5);
`;

test('the imports of a module, without type-only ones', () => {
  expect(scanModule('a.ts', text).imports).toEqual([
    { specifier: 'node:fs', names: ['default', 'readFile'], line: 2 },
    { specifier: './tools.ts', names: ['*'], line: 3 },
    { specifier: './one.ts', names: ['*'], line: 4 },
    { specifier: './lazy.ts', names: ['*'], line: 5 },
    { specifier: './old.cjs', names: ['*'], line: 6 },
  ]);
});

test('its calls, under the name in the imported module', () => {
  const calls = scanModule('a.ts', text).calls.map(({ callee, line }) => [callee, line]);
  expect(calls).toContainEqual(['readFile', 8]);
  expect(calls).toContainEqual(['tools.sleep', 9]);
  expect(calls).toContainEqual(['at.mcp().call', 7]);
});

test('plain values, and marks where they are computed', () => {
  const [call] = scanModule('a.ts', "mcp('files').call('read', { path: `a`, list: [1, x] }, y);").calls;
  expect(call).toEqual({
    callee: 'mcp().call',
    receiver: ['files'],
    args: ['read', { path: 'a', list: [1, openValue] }, openValue],
    line: 1,
  });
});

test('a text that is not a module has no imports and no calls', () => {
  expect(scanModule('a.mjs', 'import {')).toEqual({ imports: [], calls: [] });
});
