import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../test/taps/eventually.ts';
import { createHandClock } from '../../test/taps/hand-clock.ts';
import { type WiredEdge, wiredEdge } from '../../test/taps/wired-edge.ts';
import { Lane } from './lane.ts';
import type { Gate } from './rules/rule.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

/** A gate as other code may write one: three bytes, a pause of ten milliseconds, three more. */
function drip(): Gate {
  let nextAt = 0;
  return {
    decide: (front, now) => {
      if (front === undefined || now < nextAt) return { then: 'wait', until: nextAt };
      nextAt = now + 10;
      return { then: 'pass', bytes: Math.min(3, front.length) };
    },
  };
}

test('a gate may release a part of what waits, and the rest keeps its place', async () => {
  wired = await wiredEdge();
  const { consumer: sink, provider: reader } = await wired.join();
  const { provider: source } = await wired.join();
  const clock = createHandClock();
  const lane = new Lane({
    source: source.socket,
    sink: sink.socket,
    clock,
    mostBufferedBytes: 1_000_000,
    activity: { lastAt: 0 },
    onCut: () => undefined,
  });
  lane.place(drip());
  lane.take(Buffer.from('abcdefg'));
  lane.take(Buffer.from('hij'));
  lane.end();
  const seen: string[] = [];
  for (const bytes of [3, 6, 7, 10]) {
    await eventually(() => reader.gotBytes === bytes);
    seen.push(reader.got.toString());
    expect(lane.passedBytes).toBe(bytes);
    expect(lane.waitingBytes).toBe(10 - bytes);
    clock.advance(10);
  }
  expect(await reader.over).toBe('fin');
  expect(seen).toEqual(['abc', 'abcdef', 'abcdefg', 'abcdefghij']);
});
