import { expect, test } from 'vitest';
import { createRandom } from '../../kernel/random.ts';
import { withRequestMeta } from '../mcp/stateless-request.ts';
import type { RpcShapeInput } from './shape.ts';
import { shapeOf } from './shape-table.ts';

const about = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', _meta: { from: 'server' } };
const tools = ['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } }));

function made(id: string, params: Readonly<Record<string, unknown>>, result: unknown, method = 'tools/list') {
  const input: RpcShapeInput = {
    transport: 'mcp-http',
    request: { id: 1, method, params: withRequestMeta(params, '2026-07-28') },
    result,
    accept: 'application/json',
    random: createRandom('lists'),
  };
  const answer = shapeOf(id)?.makeRpc?.(input);
  const body = answer && Buffer.concat(answer.pieces.map(({ bytes }) => bytes)).toString();
  return body === undefined ? undefined : (JSON.parse(body).result as Record<string, unknown>);
}

test('M24: each page has all that the server sends besides its list', () => {
  const first = made('M24', {}, { ...about, tools });
  expect(first).toEqual({ ...about, tools: tools.slice(0, 2), nextCursor: expect.any(String) });
  // A server that knows no such cursor may refuse it, or answer from the beginning.
  for (const result of [undefined, { ...about, tools }])
    expect(made('M24', { cursor: first?.nextCursor }, result)).toEqual({ ...about, tools: tools.slice(2) });
});

test('M24: pages of the server itself stay reachable', () => {
  const first = made('M24', {}, { ...about, tools, nextCursor: 'of-the-server' });
  const last = made('M24', { cursor: first?.nextCursor }, undefined);
  expect(last).toEqual({ ...about, tools: tools.slice(2), nextCursor: 'of-the-server' });
  expect(made('M24', { cursor: 'of-the-server' }, { ...about, tools })).toBeUndefined();
});

test('M25 and M26: nothing is wrong but what the row says', () => {
  expect(made('M25', {}, { ...about, tools })).toEqual({ ...about, tools, nextCursor: 'again' });
  expect(made('M26', { name: 'a' }, { ...about, content: [], structuredContent: {} }, 'tools/call')).toEqual({
    ...about,
    content: [{ type: 'text', text: 'the disk is full' }],
    isError: true,
  });
});
