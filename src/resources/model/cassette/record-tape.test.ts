import { expect, test } from 'vitest';
import { createRedactor } from '../../../journal/redaction.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import type { RecordedPiece } from '../../cassette/cassette.ts';
import type { ModelCall } from '../model-call.ts';
import { recordTape } from './record-tape.ts';

const dialect = dialects['openai-chat'];
const json = { model: 'm', messages: [{ role: 'user', content: 'my key is sk-secret-1' }] };
const call = {
  caller: 'agent',
  number: 1,
  dialect,
  json,
  request: dialect.readRequest(json, {}),
  wire: { path: '/v1/chat/completions' },
} as ModelCall;

function recordedPieces(...bytes: readonly Uint8Array[]): readonly RecordedPiece[] {
  const tape = recordTape({ ...systemClock, monotonic: () => 0 }, createRedactor({ KEY: 'sk-secret-1' }));
  const taped = tape.begin(call);
  taped.head(200, {
    'content-type': 'application/json',
    'openai-organization': 'ours',
    'x-ratelimit-limit': '5',
  });
  for (const piece of bytes) taped.piece(piece);
  taped.end('whole', dialect.foldBody({}, 200));
  const [recorded] = tape.recorded().calls;
  expect(recorded?.response.headers).toEqual({
    'content-type': 'application/json',
    'x-ratelimit-limit': '5',
  });
  expect(recorded?.request.messages).toEqual([{ role: 'user', content: 'my key is ‹secret:KEY›' }]);
  return recorded?.response.pieces ?? [];
}

const text = (...texts: readonly string[]): Uint8Array[] => texts.map((one) => Buffer.from(one));

test('pieces stay pieces, and a secret in one of them is taken out', () => {
  expect(recordedPieces(...text('a', 'is sk-secret-1!', 'b'))).toEqual([
    { afterMs: 0, text: 'a' },
    { afterMs: 0, text: 'is ‹secret:KEY›!' },
    { afterMs: 0, text: 'b' },
  ]);
});

test('a secret that spans pieces merges them', () => {
  expect(recordedPieces(...text('is sk-sec', 'ret-1!'))).toEqual([{ afterMs: 0, text: 'is ‹secret:KEY›!' }]);
});

test('a character that is cut is kept as bytes', () => {
  const [first, second] = [Buffer.from('à').subarray(0, 1), Buffer.from('à').subarray(1)];
  expect(recordedPieces(first, second)).toEqual([
    { afterMs: 0, base64: first.toString('base64') },
    { afterMs: 0, base64: second.toString('base64') },
  ]);
});

test('calls that did not come to an end are left out, and those that are too large are counted', () => {
  const tape = recordTape(systemClock, createRedactor({}));
  tape.begin(call).head(200, {});
  expect(tape.recorded()).toEqual({ calls: [], tooLarge: 0 });
  const large = tape.begin(call);
  large.head(200, {});
  const piece = Buffer.alloc(16 * 1024 * 1024);
  for (let i = 0; i < 5; i += 1) large.piece(piece);
  large.end('whole', dialect.foldBody({}, 200));
  expect(tape.recorded()).toEqual({ calls: [], tooLarge: 1 });
});
