import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHandClock } from '../../../test/taps/hand-clock.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../test/taps/watched-edge.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { EdgeCalls } from './edge-calls.ts';

interface Outcome {
  readonly calls: readonly CallEvent[];
  readonly inFlight: number;
}

type Turn = { readonly lane: 'sent' | 'received'; readonly bytes: Uint8Array } | { readonly lane: 'ended' };

const request = fc.oneof(
  fc.constant(http('GET /a HTTP/1.1')),
  fc.jsonValue({ maxDepth: 2 }).map((body) => post('/c', body)),
  fc.nat(3).map((id) => post('/d', { jsonrpc: '2.0', id, method: 'm' })),
  fc
    .constantFrom('/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/models/g:generateContent')
    .map((path) => post(path, { stream: true })),
  fc.constant(Buffer.from('PUT /e HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')),
);

/** Anything that a model could say, and what none would. */
const modelEvent = fc
  .oneof(
    fc.constantFrom(
      '[DONE]',
      '{"type":"message_stop"}',
      '{"type":"response.completed","response":{}}',
      '{"error":"x"}',
    ),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    fc.jsonValue({ maxDepth: 2 }).map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] })),
    fc
      .jsonValue({ maxDepth: 2 })
      .map((delta) => JSON.stringify({ type: 'content_block_delta', index: 0, delta })),
    fc.string({ unit: 'binary' }),
  )
  .map((data) => `data: ${data}\n\n`);

const response = fc.oneof(
  fc.constant(Buffer.from('HTTP/1.1 204 No\r\n\r\n')),
  fc.nat(3).map((id) => jsonAnswer({ jsonrpc: '2.0', id, result: id })),
  fc
    .string({ unit: 'binary' })
    .map((text) => http('HTTP/1.1 200 OK', { 'content-type': 'text/plain' }, text)),
  fc.constant(Buffer.from(`${eventsHead}${chunk('data: {"a":1}\n\n')}${lastChunk}`)),
  fc.constant(http('HTTP/1.1 200 OK', { 'content-encoding': 'gzip' }, 'not gzip')),
  fc
    .array(modelEvent, { maxLength: 5 })
    .map((events) => Buffer.from(`${eventsHead}${events.map(chunk).join('')}${lastChunk}`)),
);

const exchange = fc.oneof(
  fc.record({ request, response }),
  fc.constant({
    request: http('HEAD /b HTTP/1.1'),
    response: Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n'),
  }),
);

const exchanges = fc.array(exchange, { maxLength: 6 });

const junk = fc.uint8Array({ maxLength: 60 });

const noise: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ lane: fc.constantFrom('sent', 'received'), bytes: fc.oneof(request, response, junk) }),
  fc.constant<Turn>({ lane: 'ended' }),
);

test('whatever the pieces in which an exchange passes, its calls are the same', () => {
  fc.assert(
    fc.property(exchanges, fc.integer({ min: 1, max: 30 }), (said, size) => {
      const turns = said.flatMap(({ request: sent, response: received }): Turn[] => [
        { lane: 'sent', bytes: sent },
        { lane: 'received', bytes: received },
      ]);
      const whole = watch(turns);
      expect(whole.calls).toHaveLength(said.length);
      expect(whole.calls.filter(({ incomplete }) => incomplete !== undefined)).toEqual([]);
      expect(watch(turns.flatMap((turn) => inPieces(turn, size)))).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test('whatever passes, nothing is thrown, no call is reported twice, and none stays in flight', () => {
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 12 }), fc.integer({ min: 1, max: 200 }), (turns, size) => {
      const { calls, inFlight } = watch(turns.flatMap((turn) => inPieces(turn, size)));
      expect(inFlight).toBe(0);
      expect(calls.map(({ crossing }) => crossing).toSorted((a, b) => a - b)).toEqual(
        calls.map((_, index) => index + 1),
      );
      expect(() => JSON.stringify(calls)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

/** Shows the turns to a watch as a tap does, and closes the connection. */
function watch(turns: readonly Turn[]): Outcome {
  const edited: CallEvent[] = [];
  const clock = createHandClock();
  const emit = (event: unknown): void => void edited.push(event as CallEvent);
  const calls = new EdgeCalls({ from: 'app', to: 'store', clock, emit });
  const connection = new ConnectionWatch(calls, 1);
  const looks = { sent: true, received: true };
  for (const turn of turns) {
    if (turn.lane === 'ended') connection.received.ended(0);
    else if (looks[turn.lane])
      looks[turn.lane] = connection[turn.lane].saw(Buffer.from(turn.bytes), 0) !== false;
  }
  connection.closed(0);
  calls.close();
  return { calls: edited, inFlight: calls.inFlight };
}

function inPieces(turn: Turn, size: number): Turn[] {
  if (turn.lane === 'ended') return [turn];
  const { lane, bytes } = turn;
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => ({
    lane,
    bytes: bytes.subarray(index * size, (index + 1) * size),
  }));
}
