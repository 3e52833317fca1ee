import { expect, test } from 'vitest';
import { streamedSecret } from './streamed-secret.ts';

const secrets = { KEY: 'sk-live-Zq81LmNop', WORD: 'content' };
const parts = ['key sk-l', 'ive-Zq8', '1LmNop'];
const recorded = (...events: readonly string[]) => [
  { caller: 'agent', call: 2, response: { pieces: [{ afterMs: 0, text: events.join('') }] } },
];

test.each([
  ['texts', parts.map((text) => `data: ${text}\n\n`)],
  [
    'fields of JSON',
    parts.map((content) => `data: ${JSON.stringify({ id: 'x', delta: { content } })}\r\n\r\n`),
  ],
])('a secret in pieces is noticed: %s', (_, events) => {
  expect(streamedSecret(recorded(...events), secrets)).toContain('call 2 of agent');
  expect(
    streamedSecret(recorded(...events.slice(1), 'data: con\n\ndata: tent\n\n'), secrets),
  ).toBeUndefined();
});
