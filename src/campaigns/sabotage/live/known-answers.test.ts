import { expect, test } from 'vitest';
import { answered, call, turn } from '../../../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { pathShape, rememberAnswers } from './known-answers.ts';

const edge = 'shop -> bank';

function get(path: string, json: unknown, over: Partial<CallEvent> = {}): CallEvent {
  return call(edge, [0, 1], { method: 'GET', path, response: answered(200, json), ...over });
}

test('each call gets an answer that another session received at the same place', () => {
  const known = rememberAnswers([
    { name: 'ada', calls: [get('/account?of=ada', { owner: 'ada' }), get('/rates', { eur: 1 })] },
    { name: 'bob', calls: [get('/account?of=bob', { owner: 'bob' }), get('/rates', { eur: 1 })] },
  ]);
  expect(known.otherAnswers(edge, 'ada')).toEqual([
    {
      name: 'mutant',
      crossing: 1,
      where: { method: 'GET', path: '/account' },
      fault: {
        do: 'answer',
        status: 200,
        headers: { 'content-type': 'application/json' },
        json: { owner: 'bob' },
        keepsId: true,
        forward: true,
      },
    },
  ]);
  expect(known.otherAnswers('shop -> elsewhere', 'ada')).toEqual([]);
  expect(known.otherAnswers(edge, 'nobody')).toEqual([]);
});

test('values that differ from run to run are not different content', () => {
  const id = (last: string) => `0b0e7a4e-4a6e-4d3e-9d6e-00000000000${last}`;
  const known = rememberAnswers([
    { name: 'ada', calls: [get('/x', { id: id('1'), at: '2026-01-01T00:00:00Z' })] },
    { name: 'bob', calls: [get('/x', { id: id('2'), at: '2026-01-02T00:00:00Z' })] },
  ]);
  expect(known.otherAnswers(edge, 'ada')).toEqual([]);
});

test('a turn is compared by content, not by its chunks', () => {
  const said = (text: string, bytes: number): CallEvent =>
    get('/v1/chat/completions', { any: bytes }, { turn: turn({ text }) });
  const same = rememberAnswers([
    { name: 'ada', calls: [said('fine', 1)] },
    { name: 'bob', calls: [said('fine', 2)] },
  ]);
  expect(same.otherAnswers(edge, 'ada')).toEqual([]);
  const other = rememberAnswers([
    { name: 'ada', calls: [said('fine', 1)] },
    { name: 'bob', calls: [said('bad', 2)] },
  ]);
  expect(other.otherAnswers(edge, 'ada')).toMatchObject([{ fault: { json: { any: 2 } } }]);
});

test('a refusal is not data; a refused session may be given some', () => {
  const known = rememberAnswers([
    { name: 'ada', calls: [get('/x', { owner: 'ada' })] },
    { name: 'eve', calls: [get('/x', { error: 'no' }, { response: answered(403, { error: 'no' }) })] },
  ]);
  expect(known.otherAnswers(edge, 'ada')).toEqual([]);
  expect(known.otherAnswers(edge, 'eve')).toMatchObject([{ fault: { status: 200, json: { owner: 'ada' } } }]);
});

test('answers come from the same tool, and one that arrived elsewhere does not count', () => {
  const tool = (name: string, result: unknown, over: Partial<CallEvent> = {}): CallEvent =>
    call(edge, [0, 1], {
      protocol: 'json-rpc',
      method: 'tools/call',
      path: '/mcp',
      params: { name },
      result,
      response: answered(200, { jsonrpc: '2.0', id: 1, result }),
      ...over,
    });
  const known = rememberAnswers([
    { name: 'ada', calls: [tool('list', ['ada']), tool('read', 'mine')] },
    {
      name: 'bob',
      calls: [
        tool('list', ['bob'], { response: { status: 202, headers: {}, bytes: 0 } }),
        tool('read', { isError: true }),
        tool('read', 'his'),
      ],
    },
  ]);
  expect(known.otherAnswers(edge, 'ada')).toMatchObject([
    { crossing: 2, where: { rpc: 'tools/call', path: '/mcp' }, fault: { json: { result: 'his' } } },
  ]);
});

test('a single session gets the answer of another call of its own', () => {
  const known = rememberAnswers([{ name: 'suite', calls: [get('/n/1', { n: 1 }), get('/n/2', { n: 2 })] }]);
  expect(known.otherAnswers(edge, 'suite')).toMatchObject([
    { crossing: 1, where: { path: '/n/*' }, fault: { json: { n: 2 } } },
    { crossing: 2, where: { path: '/n/*' }, fault: { json: { n: 1 } } },
  ]);
});

test('an answer that was cut or is too large is never replayed', () => {
  const known = rememberAnswers([
    { name: 'ada', calls: [get('/x', { n: 1 })] },
    {
      name: 'bob',
      calls: [
        get('/x', { n: 2 }, { incomplete: 'too-large' }),
        get('/x', { n: 'x'.repeat(70_000) }),
        get('/x', {}, { response: { status: 200, headers: {}, bytes: 7 } }),
      ],
    },
  ]);
  expect(known.otherAnswers(edge, 'ada')).toEqual([]);
});

test.each([
  ['/', '/'],
  ['/notes', '/notes'],
  ['/notes/17?full=1', '/notes/*'],
  ['/notes/0b0e7a4e-4a6e-4d3e-9d6e-000000000001/tags', '/notes/*/tags'],
  ['/users/trial-0a1b2c3d4e5f/x', '/users/*/x'],
  ['/objects/deadbeef01', '/objects/*'],
  ['/v1/feedback', '/v1/feedback'],
])('%s has the shape %s', (path, shape) => {
  expect(pathShape(path)).toBe(shape);
});
