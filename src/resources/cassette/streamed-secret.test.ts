import { expect, test } from 'vitest';
import { createRedactor } from '../../journal/redaction.ts';
import { streamedSecret } from './keep-recording.ts';

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

test('a long secret, of which the long pieces are tokens already, is noticed', () => {
  const long = { KEY: 'Zq81LmNopXyz77KdR4tY9uBv2Wc5' };
  const { redact } = createRedactor(long);
  const events = ['a key: Zq81LmNopXyz7', '7Kd', 'R4tY9uBv2', 'Wc5'].map(
    (text) => `data: ${redact(text)}\n\n`,
  );
  expect(events.join('')).toContain('‹secret:KEY:first13›');
  expect(streamedSecret(recorded(...events), long)).toContain('call 2 of agent');
  expect(
    streamedSecret(recorded(events[0] ?? '', `data: ${redact(`, ${long.KEY}`)}\n\n`), long),
  ).toBeUndefined();
});

test('a word that was hidden in an event is not treated as a secret in pieces', () => {
  const word = { WORD: 'hunter' };
  expect(streamedSecret(recorded('data: hello ‹secret:WORD›\n\n'), { ...secrets, ...word })).toBeUndefined();
});
