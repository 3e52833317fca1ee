import { expect, test } from 'vitest';
import { wrongJson, wrongTurn } from './wrong-value.ts';

const wrong = (value: unknown): unknown => JSON.parse(wrongJson(JSON.stringify(value)) ?? '"nothing"');

test('every value is another one of its type; keys, ids and words of protocols stay', () => {
  expect(
    wrong({
      id: 7,
      order_id: 'o-1',
      type: 'order',
      item: 'tea',
      count: 2,
      price: 2.5,
      paid: false,
      note: null,
      empty: '',
      nested: { deep: ['a', 'b'] },
    }),
  ).toEqual({
    id: 7,
    order_id: 'o-1',
    type: 'order',
    item: 'something else entirely',
    count: 3,
    price: 2.75,
    paid: true,
    note: null,
    empty: '',
    nested: { deep: ['something else entirely'] },
  });
});

test('a text keeps its form, so that what reads it still can', () => {
  expect(
    wrong({
      at: '2026-01-02T03:04:05Z',
      day: '2026-01-02',
      digits: '41',
      url: 'http://127.0.0.1:1/a',
      json: '{"severity":7}',
      session: '4a5e383a-ec2c-4f63-8e74-e99caff3f486',
    }),
  ).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    day: '1970-01-01',
    digits: '42',
    url: 'http://127.0.0.1:1/a-else',
    json: '{"severity":8}',
    session: '4a5e383a-ec2c-4f63-8e74-e99caff3f486',
  });
});

test('a list loses its last element and never all of them', () => {
  expect(wrong([1, 2, 3])).toEqual([2, 3]);
  expect(wrong([1])).toEqual([2]);
  expect(wrong({ content: [{ text: 'a' }, { text: 'b' }] })).toEqual({
    content: [{ text: 'something else entirely' }, { text: 'something else entirely' }],
  });
});

test('integers beyond a double stay exact', () => {
  expect(wrongJson('{"n":9007199254740993}')).toBe('{"n":9007199254740994}');
});

test('of the tool protocol only results are content, and what both sides agreed on is not', () => {
  const answer = (result: unknown) => ({ jsonrpc: '2.0', id: 3, result });
  const said = { content: [{ type: 'text', text: '{"rows":2}' }], isError: false };
  expect(wrong(answer(said))).toEqual(
    answer({ content: [{ type: 'text', text: '{"rows":3}' }], isError: false }),
  );
  expect(wrong({ jsonrpc: '2.0', id: 3, error: { code: -32602, message: 'no' } })).toBe('nothing');
  expect(wrong([answer({ a: 1 }), answer({ a: 2 })])).toEqual([answer({ a: 2 }), answer({ a: 3 })]);
  expect(wrong(answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} } }))).toBe('nothing');
  expect(wrong(answer({ tools: [{ name: 'a', description: 'b' }] }))).toBe('nothing');
  expect(wrong({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'a' } })).toBe('nothing');
});

test('nothing to change is nothing', () => {
  for (const text of ['not json', '', '{}', '[]', 'null', '{"id":1,"note":null}', '[DONE]'])
    expect(wrongJson(text)).toBeUndefined();
});

test('a turn says something else, and calls the same tools with other arguments', () => {
  const call = { kind: 'call', id: 'c1', name: 'log', arguments: { severity: 7 } } as const;
  const turn = {
    parts: [{ kind: 'text', text: 'Noted' }, call],
    stop: 'tool-calls',
    usage: { input: 1, output: 2 },
  } as const;
  expect(wrongTurn(turn)).toEqual({
    parts: [
      { kind: 'text', text: 'something else entirely' },
      { ...call, arguments: { severity: 8 } },
    ],
    stop: 'tool-calls',
    usage: { input: 2, output: 3 },
  });
});
