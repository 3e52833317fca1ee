import { expect, test } from 'vitest';
import { steadyPattern } from './steady-pattern.ts';

const answer = (body: object): Readonly<Record<string, unknown>> => ({ status: 200, ...body });

test.each([
  [
    'words are kept, what differs is of its type',
    { a: 'on', b: 'x' },
    { a: 'on', b: 'y' },
    { a: 'on', b: { $type: 'string' } },
  ],
  [
    'a text with digits was drawn or counted, but for versions',
    { id: 'job-17', v: 'v1.2' },
    undefined,
    { id: { $type: 'string' }, v: 'v1.2' },
  ],
  ['numbers are measured', { count: 3, ok: true }, undefined, { count: { $type: 'number' }, ok: true }],
  ['lists are empty or of any length', { a: [], b: [1] }, undefined, { a: [], b: { $type: 'array' } }],
  [
    'what a pattern means otherwise is left out',
    { $type: 'x', b: '${c}', d: null },
    undefined,
    { b: { $type: 'string' }, d: null },
  ],
  ['maps are entered', { a: { b: 'c' } }, { a: { b: 'c', d: 1 } }, { a: { b: 'c' } }],
])('%s', (_, first, second, json) => {
  expect(steadyPattern(answer({ json: first }), answer({ json: second ?? first }))?.expect).toEqual({
    status: 200,
    json,
  });
});

test.each([
  ['a short text as it is', 'all is well', undefined, 'all is well'],
  [
    'the title of a page',
    '<title>Shop</title> 12:30',
    '<title>Shop</title> 12:31',
    { $contains: '<title>Shop</title>' },
  ],
  [
    'the longest words that are the same',
    'up since 12:30, all is well',
    'up since 12:31, all is well',
    { $contains: 'all is well' },
  ],
])('%s', (_, first, second, text) => {
  expect(steadyPattern(answer({ text: first }), answer({ text: second ?? first }))?.expect).toEqual({
    status: 200,
    text,
  });
});

test('without such a thing, the type of the content; without the same status, nothing', () => {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  expect(steadyPattern(answer({ text: '1', headers }), answer({ text: '2', headers }))?.expect).toEqual({
    status: 200,
    headers: { 'content-type': { $contains: 'text/plain' } },
  });
  expect(steadyPattern(answer({ text: 'a' }), { status: 503, text: 'a' })).toBeUndefined();
  expect(steadyPattern({ error: { kind: 'refused' } }, answer({}))).toBeUndefined();
});
