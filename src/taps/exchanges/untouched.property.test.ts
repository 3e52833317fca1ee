import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disturbedEdge, event, eventStream } from '../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import type { Peer } from '../../../test/taps/peer.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../test/taps/watched-edge.ts';
import type { ExchangeFault, ExchangeRule } from './exchange-rule.ts';

const place = fc.oneof(
  fc.record({ byte: fc.nat(40) }),
  fc.record({ event: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant('finish' as const)) }),
  fc.record({ inside: fc.constantFrom('à', 'data') }),
  fc.record({ textDelta: fc.constant(1) }),
  fc.constant({ head: true as const }),
);

const fault: fc.Arbitrary<ExchangeFault> = fc.oneof(
  fc.record({ do: fc.constant('delay'), of: fc.constantFrom('request', 'response', 'event'), ms: fc.nat(2) }),
  fc.record({ do: fc.constant('cut'), at: place, by: fc.constantFrom('fin', 'reset') }),
  fc.record({ do: fc.constant('hold'), at: place }),
  fc.record({ do: fc.constant('answer'), status: fc.constantFrom(204, 503), forward: fc.boolean() }),
  fc.constant<ExchangeFault>({ do: 'duplicate', what: 'request' }),
  fc.record({ do: fc.constant('drop'), event: fc.integer({ min: 1, max: 3 }) }),
  fc.constant<ExchangeFault>({ do: 'reorder', events: [1, 2] }),
  fc.constant<ExchangeFault>({ do: 'shape', shape: 'S05' }),
);

/** None of them is ever met: another crossing, path, method, or call. */
const strangers: fc.Arbitrary<ExchangeRule> = fc.record({
  name: fc.constant('it'),
  fault,
  crossing: fc.constant(1_000),
  where: fc.constantFrom({}, { path: '/*' }, { method: 'GET' }, { rpc: 'm' }, { rpc: 'other', path: '/*' }),
});

/** Those that leave the bytes as they are: they come later, or not at all because their place does not exist. */
const gentle: fc.Arbitrary<ExchangeRule> = fc.record({
  name: fc.constant('it'),
  fault: fc.oneof(
    fc.record({
      do: fc.constant('delay'),
      of: fc.constantFrom('request', 'response', 'event'),
      ms: fc.nat(1),
      jitterMs: fc.nat(1),
    }) as fc.Arbitrary<ExchangeFault>,
    fc.record({
      do: fc.constant('hold'),
      at: place,
      ms: fc.nat(1),
    }),
    fc.constant<ExchangeFault>({ do: 'cut', at: { event: 9 }, by: 'fin' }),
    fc.constant<ExchangeFault>({ do: 'cut', at: { inside: 'nowhere' }, by: 'reset' }),
    fc.constant<ExchangeFault>({ do: 'shape', shape: 'S05' }),
  ),
});

const request = fc.oneof(
  fc.constant(http('GET /a HTTP/1.1')),
  fc.jsonValue({ maxDepth: 1 }).map((body) => post('/v1/chat/completions', body)),
  fc.nat(3).map((id) => post('/d', { jsonrpc: '2.0', id, method: 'm' })),
  fc.constant(
    Buffer.from('PUT /e HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nt: 1\r\n\r\n'),
  ),
);

const response = fc.oneof(
  fc.constant(Buffer.from('HTTP/1.1 204 No\r\n\r\n')),
  fc.constant(
    Buffer.from('HTTP/1.1 103 Early\r\nx: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  ),
  fc.nat(3).map((id) => jsonAnswer({ jsonrpc: '2.0', id, result: id })),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => http('HTTP/1.1 200 OK', {}, bytes)),
  fc.constant(
    Buffer.from(eventStream([event('à'), ': ping\n\n', 'event: x\r\ndata: 2\r\n\r\n', 'data: un'])),
  ),
  fc.constant(Buffer.from(`${eventsHead}3;a=b\r\nda\r\r\n${chunk('ta: 1\n\n')}${lastChunk}`)),
);

const exchanges = fc.array(fc.record({ request, response }), { minLength: 1, maxLength: 4 });
const sizes = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 400 }));

test('what no rule meets passes byte for byte, whatever its pieces', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(strangers, { maxLength: 3 }), exchanges, sizes, fc.boolean(), passesUntouched),
    { numRuns: 60 },
  );
});

test('what a rule only slows down passes byte for byte, too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(gentle, { minLength: 1, maxLength: 2 }),
      exchanges,
      sizes,
      fc.boolean(),
      passesUntouched,
    ),
    { numRuns: 60 },
  );
});

async function passesUntouched(
  rules: readonly ExchangeRule[],
  said: readonly { readonly request: Buffer; readonly response: Buffer }[],
  size: number,
  pipelined: boolean,
): Promise<void> {
  const edge = await disturbedEdge(rules);
  try {
    const { consumer, provider } = await edge.join();
    const asked = Buffer.concat(said.map((one) => one.request));
    const answered = Buffer.concat(said.map((one) => one.response));
    if (pipelined) {
      await sendInPieces(consumer, asked, size);
      await eventually(() => provider.gotBytes === asked.length);
      await sendInPieces(provider, answered, size);
    } else {
      for (const one of said) {
        const [before, after] = [provider.gotBytes, consumer.gotBytes];
        await sendInPieces(consumer, one.request, size);
        await eventually(() => provider.gotBytes === before + one.request.length);
        await sendInPieces(provider, one.response, size);
        await eventually(() => consumer.gotBytes === after + one.response.length);
      }
    }
    await eventually(() => consumer.gotBytes === answered.length);
    consumer.socket.end();
    provider.socket.end();
    expect([await consumer.over, await provider.over]).toEqual(['fin', 'fin']);
    expect(provider.got.equals(asked)).toBe(true);
    expect(consumer.got.equals(answered)).toBe(true);
    await eventually(() => edge.ends().length === 1);
    expect(edge.ends()).toEqual(['closed']);
    expect(edge.calls().map(({ incomplete }) => incomplete)).toEqual(said.map(() => undefined));
  } finally {
    await edge.close();
  }
}

/** Each piece reaches the tap on its own, as far as the kernel allows it. */
async function sendInPieces({ socket }: Peer, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await manyTurns(1);
  }
}
