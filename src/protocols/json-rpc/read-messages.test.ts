import { expect, test } from 'vitest';
import { readMessages } from './read-messages.ts';

const read = (value: unknown) => readMessages(JSON.stringify(value)).messages[0];

test('each kind of message is distinguished from the others', () => {
  expect(read({ jsonrpc: '2.0', id: 0, method: 'ping' })).toEqual({ kind: 'request', id: 0, method: 'ping' });
  expect(read({ jsonrpc: '2.0', method: 'n', params: { a: 1 } })).toEqual({
    kind: 'notification',
    method: 'n',
    params: { a: 1 },
  });
  expect(read({ jsonrpc: '2.0', id: '', result: [] })).toEqual({ kind: 'result', id: '', result: [] });
  expect(read({ jsonrpc: '2.0', id: 7, result: null })).toEqual({ kind: 'result', id: 7, result: null });
  const error = { code: -32700, message: 'Parse error', data: 1 };
  expect(read({ jsonrpc: '2.0', id: null, error })).toEqual({ kind: 'error', id: null, error });
  expect(read({ jsonrpc: '2.0', error })).toEqual({ kind: 'error', id: null, error });
});

test.each([
  ['{"jsonrpc":"2.0"', 'is not JSON'],
  ['data: {"jsonrpc":"2.0"}', 'is not JSON'],
  ['"hello"', 'is not an object'],
  ['{"id":1,"result":{}}', 'does not say `jsonrpc: "2.0"`'],
  ['{"jsonrpc":"2.0","id":1}', 'has neither a method, nor a result, nor an error'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', 'has a result and an error'],
  ['{"jsonrpc":"2.0","id":1.5,"result":{}}', 'has an id that is neither text nor a whole number'],
  ['{"jsonrpc":"2.0","id":{},"method":"a"}', 'is a request whose id is neither text nor a whole number'],
  ['{"jsonrpc":"2.0","id":1,"method":7}', 'has a method that is not a string'],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'has an error without a whole-number code and a message'],
  ['[]', 'is an empty list'],
  [`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(300)}${']'.repeat(300)}}`, 'has more than 256 levels'],
])('%s is reported as broken', (text, why) => {
  const [message] = readMessages(text).messages;
  expect(message).toMatchObject({ kind: 'broken', why: expect.stringContaining(why) });
});

test('a list is read message by message', () => {
  const text = '[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"n"}]';
  const { messages, isBatch } = readMessages(text);
  expect(isBatch).toBe(true);
  expect(messages.map(({ kind }) => kind)).toEqual(['result', 'broken', 'notification']);
});

test('nesting without end neither crashes nor passes', () => {
  const text = '['.repeat(1_000_000);
  expect(readMessages(text).messages[0]?.kind).toBe('broken');
  expect(readMessages(`${text}${']'.repeat(1_000_000)}`).messages[0]?.kind).toBe('broken');
});
