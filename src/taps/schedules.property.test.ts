import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually, manyTurns } from '../../test/taps/eventually.ts';
import type { Peer } from '../../test/taps/peer.ts';
import { wiredEdge } from '../../test/taps/wired-edge.ts';
import type { Disturbance } from './disturbance.ts';

type Side = 'consumer' | 'provider';

type Action =
  | { do: 'send'; side: Side; bytes: number }
  | { do: 'half-close'; side: Side }
  | { do: 'reset'; side: Side }
  | { do: 'stop-reading'; side: Side }
  | { do: 'read-on'; side: Side }
  | { do: 'disturb'; disturbance: Disturbance }
  | { do: 'turns'; turns: number };

interface Outcome {
  readonly sentBy: Record<Side, Buffer>;
  readonly gotBy: Record<Side, Buffer>;
  readonly heardBy: Record<Side, string>;
  readonly ends: readonly string[];
  readonly bytes: readonly [number, number];
}

const side = fc.constantFrom<Side>('consumer', 'provider');
const direction = fc.constantFrom('sent', 'received', 'both');
const by = fc.constantFrom('fin', 'reset');

const gentleAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send'),
      side,
      bytes: fc.oneof(fc.nat(40), fc.nat(9_000), fc.nat(400_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('half-close'), side }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop-reading'), side }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read-on'), side }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turns'), turns: fc.nat(10) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('disturb'),
      disturbance: fc.oneof(
        fc.constant<Disturbance>({ rule: 'pass' }),
        fc.record({ rule: fc.constant('hold'), direction }),
        fc.record({ rule: fc.constant('delay'), ms: fc.nat(3), jitterMs: fc.nat(3), direction }),
        fc.constant<Disturbance>({ rule: 'refuse' }),
      ),
    }),
  },
);

const harshAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: gentleAction },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset'), side }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('disturb'),
      disturbance: fc.record({ rule: fc.constant('cut'), direction, by, afterBytes: fc.nat(100_000) }),
    }),
  },
);

test('whatever delays, holds and slow readers do, all bytes arrive in order and both ends after them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(gentleAction, { maxLength: 25 }), async (actions) => {
      const { sentBy, gotBy, heardBy, ends, bytes } = await play(actions);
      expect(gotBy.provider.equals(sentBy.consumer)).toBe(true);
      expect(gotBy.consumer.equals(sentBy.provider)).toBe(true);
      expect(heardBy).toEqual({ consumer: 'fin', provider: 'fin' });
      expect(ends).toEqual(['closed']);
      expect(bytes).toEqual([sentBy.consumer.length, sentBy.provider.length]);
    }),
    { numRuns: 150 },
  );
});

test('whatever cuts and resets do, what arrives is a prefix of what was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(harshAction, { maxLength: 25 }), async (actions) => {
      const { sentBy, gotBy, ends } = await play(actions);
      expect(gotBy.provider.equals(sentBy.consumer.subarray(0, gotBy.provider.length))).toBe(true);
      expect(gotBy.consumer.equals(sentBy.provider.subarray(0, gotBy.consumer.length))).toBe(true);
      expect(ends).toHaveLength(1);
    }),
    { numRuns: 150 },
  );
});

test('a cut lets pass exactly the bytes that it allows, however they come', async () => {
  const pieces = fc.array(fc.record({ bytes: fc.nat(60_000), turns: fc.nat(3) }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(200_000), by, async (sends, afterBytes, how) => {
      const total = sends.reduce((sum, { bytes }) => sum + bytes, 0);
      const cut = {
        do: 'disturb',
        disturbance: { rule: 'cut', direction: 'sent', by: how, afterBytes },
      } as const;
      const sending = sends.flatMap<Action>(({ bytes, turns }) => [
        { do: 'send', side: 'consumer', bytes },
        { do: 'turns', turns },
      ]);
      const { sentBy, gotBy, ends } = await play([cut, ...sending], { lift: false });
      const passed = Math.min(total, afterBytes);
      expect(gotBy.provider.length).toBe(passed);
      expect(gotBy.provider.equals(sentBy.consumer.subarray(0, passed))).toBe(true);
      expect(ends).toEqual([afterBytes > total ? 'closed' : 'cut']);
    }),
    { numRuns: 80 },
  );
});

/** Plays the actions on one connection, then lifts what is in the way, ends both sides, and waits for the close. */
async function play(actions: readonly Action[], { lift } = { lift: true }): Promise<Outcome> {
  const wired = await wiredEdge({ limits: { tapBufferedBytes: 64 * 1024 } });
  try {
    const { consumer, provider } = await wired.join();
    const peers = { consumer, provider };
    const sent: Record<Side, Buffer[]> = { consumer: [], provider: [] };
    for (const action of actions) await act(action);
    if (lift) await wired.tap.disturb({ rule: 'pass' });
    for (const peer of [consumer, provider]) peer.socket.resume().end();
    await eventually(() => wired.ends().length === 1);
    const [closed] = wired.closedEvents();
    return {
      sentBy: { consumer: Buffer.concat(sent.consumer), provider: Buffer.concat(sent.provider) },
      heardBy: { consumer: await consumer.over, provider: await provider.over },
      gotBy: { consumer: consumer.got, provider: provider.got },
      ends: wired.ends(),
      bytes: [closed?.bytesSent ?? -1, closed?.bytesReceived ?? -1],
    };

    async function act(action: Action): Promise<void> {
      if (action.do === 'turns') return manyTurns(action.turns);
      if (action.do === 'disturb') return wired.tap.disturb(action.disturbance);
      const { socket } = peers[action.side];
      if (action.do === 'reset') socket.resetAndDestroy();
      else if (action.do === 'half-close') socket.end();
      else if (action.do === 'stop-reading') socket.pause();
      else if (action.do === 'read-on') socket.resume();
      else send(peers[action.side], sent[action.side], action.bytes);
    }
  } finally {
    await wired.close();
  }
}

/** Bytes that encode their position, so that a lost, doubled or moved one shows. */
function send({ socket }: Peer, sent: Buffer[], bytes: number): void {
  if (socket.destroyed || socket.writableEnded) return;
  const before = sent.reduce((sum, chunk) => sum + chunk.length, 0);
  const chunk = Buffer.from(
    Array.from({ length: bytes }, (_, index) => Math.imul(before + index, 0x9e3779b1) >>> 24),
  );
  sent.push(chunk);
  socket.write(chunk);
}
