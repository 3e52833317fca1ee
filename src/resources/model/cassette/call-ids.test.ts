import { describe, expect, test } from 'vitest';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import type { DialectName } from '../../../protocols/turn/turn.ts';
import type { ModelCall } from '../model-call.ts';
import { type RecordedCall, requestParts } from './cassette.ts';
import { findCall, knownIds } from './cassette-player.ts';

const args = { id: 'order-7', call_id: 'c-9' };
/** Two calls, and a result for each. */
const histories = {
  gemini: (first, second, one, other) => ({
    contents: [
      { role: 'user', parts: [{ text: 'weather?' }] },
      { role: 'model', parts: [first, second].map((id) => ({ functionCall: { id, name: 'look', args } })) },
      {
        role: 'user',
        parts: [one, other].map((id) => ({ functionResponse: { id, name: 'look', response: args } })),
      },
    ],
  }),
  anthropic: (first, second, one, other) => ({
    messages: [
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        content: [first, second].map((id) => ({ type: 'tool_use', id, name: 'look', input: args })),
      },
      {
        role: 'user',
        content: [one, other].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'sun' })),
      },
    ],
  }),
  'openai-chat': (first, second, one, other) => ({
    messages: [
      { role: 'user', content: 'weather?' },
      {
        role: 'assistant',
        tool_calls: [first, second].map((id) => ({
          type: 'function',
          id,
          function: { name: 'look', arguments: JSON.stringify(args) },
        })),
      },
      ...[one, other].map((id) => ({ role: 'tool', tool_call_id: id, content: 'sun' })),
    ],
  }),
  'openai-responses': (first, second, one, other) => ({
    input: [
      { role: 'user', content: 'weather?' },
      ...[first, second].map((id) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name: 'look',
        arguments: JSON.stringify(args),
      })),
      ...[one, other].map((id) => ({ type: 'function_call_output', call_id: id, output: 'sun' })),
    ],
  }),
} satisfies Record<DialectName, (...ids: readonly [string, string, string, string]) => object>;

const [a, b, c, d] = ['RwSj6lvOaSImxRxZ', 'call_1', 'wibvvXPIkcl6Q7Gj', 'VnFItG0h3V7V69vx'] as const;
type Ids = readonly [string, string, string, string];

describe.each(Object.keys(histories) as DialectName[])('ids of tool calls in %s', (name) => {
  const dialect = dialects[name];
  const ask = (json: object): Pick<ModelCall, 'caller' | 'dialect' | 'wire' | 'request' | 'json'> => {
    const request = dialect.readRequest(json, { model: 'm' });
    return { caller: 'agent', dialect, wire: { path: '/v1/x' } as ModelCall['wire'], request, json };
  };
  const driftOf = (before: object, now: object, answered = ''): readonly string[] => {
    const pieces = [{ afterMs: 0, text: answered }];
    const [recorded, asked] = [ask(before), ask(now)].map((call) => requestParts(call as ModelCall));
    if (!recorded || !asked) throw new Error('both are there');
    const call = { caller: 'agent', dialect: name, request: recorded, response: { pieces } };
    const calls = [call as unknown as RecordedCall];
    return findCall(ask(now), asked, calls, knownIds({ calls })).drift;
  };
  const drift = (before: Ids, now: Ids, answered?: string): readonly string[] =>
    driftOf(histories[name](...before), histories[name](...now), answered);

  test('chosen anew by the client', () => {
    expect(drift([a, b, a, b], [a, b, a, b])).toEqual([]);
    expect(drift([a, b, a, b], [c, d, c, d])).toEqual([]);
    expect(drift([b, a, b, a], [a, b, a, b])).toEqual([]);
  });
  test('mixed ids', () => {
    expect(drift([a, b, a, b], [c, d, d, c])).toEqual([expect.stringContaining(`got ${d}, expected ${c}`)]);
    expect(drift([a, b, a, b], [c, c, c, c])).toEqual([expect.stringContaining('replaces two different')]);
  });
  test('that the provider gave', () => {
    expect(drift([a, b, a, b], [c, d, c, d], `{"id":"${a}"}`)).toEqual([
      expect.stringContaining(`got ${c}, expected ${a}`),
    ]);
    expect(drift([a, b, a, b], [a, d, a, d], `{"id":"${a}"}`)).toEqual([]);
  });
  test('of the same name in arguments', () => {
    const before = histories[name](a, b, a, b);
    const now = JSON.parse(JSON.stringify(before).replace('order-7', 'order-8'));
    expect(driftOf(before, now)).toEqual([expect.stringContaining('changed')]);
  });
});
