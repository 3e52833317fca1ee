import { expect, test } from 'vitest';
import type { Tap, TapStats } from '../../taps/tap.ts';
import { watchEdge } from './idle-edge.ts';

const silenceMs = 500;

/** An edge, the traffic at each check, and whether it counts as busy then. */
function looks(
  idle: 'ignore' | { belowPerSecond: number } | undefined,
  passes: readonly number[],
  inFlight = 0,
): string {
  let now = 1_000;
  let bytesSent = 7;
  let lastActivityAt = 0;
  const stats = (): TapStats =>
    ({ bytesSent, bytesReceived: 0, bytesWaiting: 0, callsInFlight: inFlight, lastActivityAt }) as TapStats;
  const tap = { from: 'worker', to: 'queue', stats } as unknown as Tap;
  const edge = watchEdge(tap, idle === undefined ? [] : [{ from: '*', to: 'queue', idle }], now);
  return passes
    .map((bytes) => {
      now += 100;
      if (bytes > 0) lastActivityAt = now;
      bytesSent += bytes;
      return edge.idleAt(silenceMs, now) > now ? 'b' : '-';
    })
    .join('');
}

const polls = [60, 0, 60, 0, 60, 0, 60, 0];
const work = [60, 0, 20_000, 0, 0, 0, 0, 0, 0, 0];

test('a poll keeps an edge busy, unless a rule says otherwise', () => {
  expect(looks(undefined, polls)).toBe('bbbbbbbb');
  expect(looks({ belowPerSecond: 2_048 }, polls)).toBe('--------');
  expect(looks('ignore', polls)).toBe('--------');
});

test('traffic above the rate counts as work and must settle like any other', () => {
  expect(looks({ belowPerSecond: 2_048 }, work)).toMatch(/^--b{5,6}-+$/);
  expect(looks('ignore', work)).toBe('----------');
});

test('with a rate, an unanswered call keeps the edge busy', () => {
  expect(looks({ belowPerSecond: 2_048 }, [0, 0], 1)).toBe('bb');
});
